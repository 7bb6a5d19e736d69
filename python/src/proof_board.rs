//! A proof whose jobs are done by workers, for `kalahari.cluster.prove`.

use crate::cluster::text_of;
use crate::errors::{Raise, said};
use crate::games::PyGame;
use crate::interrupt::interruptible;
use kalahari_arena::Identity;
use kalahari_exact::prover::{ProverOptions, TablePolicy, TablebasePolicy, table_policy};
use kalahari_games::{AnyGame, Game};
use kalahari_prove::{Journal, ProveError, Rules, Worker, WorkerOptions};
use kalahari_shards::{Claims, Task};
use kalahari_terms::Stop;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

impl Raise for ProveError {
    fn raise(self) -> PyErr {
        match self {
            ProveError::Prover(error) => error.raise(),
            ProveError::File { .. } | ProveError::Damaged { .. } => PyOSError::new_err(said(&self)),
            _ => PyValueError::new_err(said(&self)),
        }
    }
}

struct Board {
    worker: Worker,
    goal: i32,
    job_nodes: u64,
    memory: u64,
}

/// A proof whose jobs are done by workers: lists the open jobs, and says when the goal is decided.
#[pyclass(frozen, module = "kalahari._native")]
pub(crate) struct ProofBoard {
    board: Mutex<Board>,
}

#[pymethods]
impl ProofBoard {
    /// Opens a journal, which is created if there is none, and makes the tables for guesses.
    #[new]
    #[pyo3(signature = (journal, game, position, at_least, *, job_nodes, memory, tablebase=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        journal: PathBuf,
        game: &PyGame,
        position: Option<&str>,
        at_least: i32,
        job_nodes: u64,
        memory: u64,
        tablebase: Option<usize>,
    ) -> PyResult<Self> {
        let rules = Rules::new(game.game.spec()).map_err(Raise::raise)?;
        let spec = rules.game().spec();
        let (game, position) = AnyGame::at_or_start(spec, position).map_err(Raise::raise)?;
        let position = game.position_text(&position);
        let opened = Journal::open(&journal, spec, &position).map_err(Raise::raise)?;
        let prover = ProverOptions {
            tablebase: match tablebase {
                _ if table_policy() == TablePolicy::Never => TablebasePolicy::None,
                Some(0) => TablebasePolicy::None,
                Some(seeds) => TablebasePolicy::Seeds(seeds),
                None => TablebasePolicy::SUITED,
            },
            ..ProverOptions::default()
        };
        let options = WorkerOptions {
            prover,
            job_nodes,
            name: "cluster".to_owned(),
        };
        let stop = Stop::new();
        let worker = interruptible(py, &stop, || {
            Worker::new(&journal, opened, options, |_| (), &stop, &mut |_| ())
        })?;
        let worker = worker.map_err(Raise::raise)?;
        let goal = worker.journal().goal_margin(at_least);
        Ok(ProofBoard {
            board: Mutex::new(Board {
                goal: goal.map_err(Raise::raise)?,
                worker,
                job_nodes,
                memory,
            }),
        })
    }

    /// The open jobs, the most important first; positions are split until there are about `wanted` of them. Each is a pair: what the
    /// job is about, and the plan of this job alone.
    fn jobs(&self, wanted: usize) -> PyResult<Vec<(String, String)>> {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let goal = board.goal;
        let list = board.worker.list_jobs(goal, wanted.max(1));
        let list = list.map_err(Raise::raise)?;
        let journal = board.worker.journal();
        journal
            .join(goal, &list.splits, &[])
            .map_err(Raise::raise)?;
        let game = journal.rules().game();
        let (spec, position) = (game.spec(), game.position_text(journal.root()));
        let identity = Identity::of(&[], spec).map_err(Raise::raise)?;
        let tablebase = board.worker.tree().tablebase_seeds();
        let plans = list.claims.into_iter().map(|claim| {
            let text = claim.to_string();
            let claims = Claims {
                game: spec,
                position: position.clone(),
                goal,
                job_nodes: board.job_nodes,
                memory: board.memory,
                tablebase,
                splits: Vec::new(),
                claims: vec![claim],
                identity: identity.clone(),
            };
            Ok((text, text_of(vec![Task::Claims(claims)])?))
        });
        plans.collect()
    }

    /// Whether the goal is reached, as the journal proves; `None` while that is open.
    fn decided(&self) -> PyResult<Option<bool>> {
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let decided = board.worker.journal().conclude(board.goal);
        decided.map_err(Raise::raise)
    }
}
