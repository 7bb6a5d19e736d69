//! Kalahari for Python: a thin shell over the crates.
//!
//! There is no rule, no search and no statistic here. Texts and numbers of Python become the crates' types on the way in,
//! and Python's again on the way out. Every error is a Python exception with the message of the command line; the
//! interpreter is free while anything is searched, and Ctrl-C stops it. Users see `package/kalahari`, plain Python over
//! this module.

// Doc comments of what Python sees are written for Python: examples begin with >>>.
#![allow(clippy::doc_lazy_continuation)]

mod agent;
mod arena;
mod batch;
mod cluster;
mod dataset;
mod errors;
mod games;
mod guest;
mod interrupt;
mod limits;
mod many;
mod moves;
mod numbers;
mod proof_board;
mod proofs;
mod space;
mod tune_desk;

use pyo3::prelude::*;

/// The compiled part of the package `kalahari`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::agent::{PyAgent, Search, agent_kinds, serve_ugi};
    #[pymodule_export]
    use crate::arena::{run_match, run_tournament, store_games, store_matches, write_report};
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::cluster::{
        ShardWriter, about_plan, make_shard, plan_dataset, plan_match, plan_tournament, shard_file,
    };
    #[pymodule_export]
    use crate::dataset::make_dataset;
    #[pymodule_export]
    use crate::games::{PyGame, PyPosition};
    #[pymodule_export]
    use crate::guest::{Late, PyGuest};
    #[pymodule_export]
    use crate::limits::PyLimits;
    #[pymodule_export]
    use crate::proof_board::ProofBoard;
    #[pymodule_export]
    use crate::proofs::{PyBook, PyTablebase, Solver};
    #[pymodule_export]
    use crate::tune_desk::{TuneDesk, play_sample};

    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        kalahari_storage::check_processor()
            .map_err(|old| PyImportError::new_err(old.to_string()))?;
        // Players continue without files that cannot be used. A warning on standard error says so.
        kalahari_agents::listen_to_notices(|notice| {
            if notice.is_warning() {
                eprintln!("kalahari: {notice}");
            }
        });
        let asks_for = match cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
            true => "x86-64-v3",
            false => "any",
        };
        module.add("PROCESSOR", asks_for)?;
        module.add("UNKNOWN", crate::proofs::UNKNOWN)?;
        kalahari_terms::Program::set_commit(env!("KALAHARI_COMMIT"));
        module.add("__version__", kalahari_terms::VERSION)
    }
}
