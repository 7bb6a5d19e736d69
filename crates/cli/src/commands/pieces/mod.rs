//! Experiments in pieces, for more than one machine: `run --shards`, `shards`, `merge`, `slurm`.

pub(crate) mod make;
pub(crate) mod merge;
mod plan;
pub(crate) mod slurm;
pub(crate) mod status;

use crate::experiment::quote;
use kalahari_shards::{Place, numbers_text};
use std::path::Path;

/// The command that does some pieces.
fn run_command(experiment: &str, places: &[Place], folder: &Path) -> String {
    let shards = places.first().map_or(1, |place| place.shards());
    let experiment = match experiment {
        "" => "EXPERIMENT.toml",
        file => file,
    };
    format!(
        "kalahari run {} --shards {shards} --shard {} --out {}",
        quote(experiment),
        numbers_text(places),
        quote(&folder.display().to_string())
    )
}

/// A number of things, in words.
fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
