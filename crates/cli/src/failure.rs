//! How a run ends: the exit status that scripts see, decided by the type of the error.
//!
//! | status | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | a check ran and failed: `selftest`, `check`, `verify`, `puzzles check`, `dataset info` |
//! | 2 | bad input: arguments, games, positions, agents, and files and folders that are not there or are something else |
//! | 3 | trouble: the disk, memory, the network, a damaged file, an agent that fails |
//! | 130 | ended by Ctrl-C; what was found by then has been printed |

use crate::interrupt;
use kalahari_agents::{AgentError, AgentProblem, NoAnswer};
use kalahari_arena::ArenaError;
use kalahari_arena::sqlite::FileProblem;
use kalahari_club::NamesError;
use kalahari_dataset::DatasetError;
use kalahari_exact::book::{BookBuildError, BookVerifyError};
use kalahari_exact::kalah::{SavedTableError, SolveError};
use kalahari_exact::prover::ProverError;
use kalahari_exact::tablebase::{BuildError, VerifyError};
use kalahari_kgp::CallError;
use kalahari_prove::ProveError;
use kalahari_search::eval::EvalError;
use kalahari_shards::{MergeError, ShardError};
use kalahari_storage::{self as storage, FileError};
use kalahari_study::ReviewError;
use kalahari_study::puzzle::{Fault, ProofError};
use kalahari_terms::Failure;
use kalahari_train::TrainError;
use kalahari_tune::TuneError;
use kalahari_web::{ServeError, SiteError};
use std::error::Error;
use std::io;
use std::process::ExitCode;
use thiserror::Error;

/// A check ran and failed.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct CheckFailed(pub(crate) String);

/// Something went wrong that is not a mistake of the user.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct Trouble(pub(crate) String);

/// Why a run did not do what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// A check ran and failed.
    CheckFailed = 1,
    /// The run was asked for something it cannot do.
    BadInput = 2,
    /// The disk, memory, the network, a damaged file, an agent that fails.
    Trouble = 3,
    /// Ctrl-C.
    Interrupted = 130,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

impl Status {
    /// The status of an error: of its first cause that says more than bad input.
    pub(crate) fn of(error: &anyhow::Error) -> Status {
        let mut causes = error.chain().filter_map(of_cause);
        causes.next().unwrap_or(Status::BadInput)
    }

    /// The exit status of a run, `None` for 0. A check that has failed has failed, even if Ctrl-C ended the run.
    pub(crate) fn of_run(failure: Option<Status>) -> Option<Status> {
        match failure {
            Some(Status::CheckFailed) => failure,
            _ if interrupt::was_requested() => Some(Status::Interrupted),
            _ => failure,
        }
    }
}

/// The text of an error with its causes. A cause whose text has already been said is left out.
pub(crate) fn told(error: &anyhow::Error) -> String {
    let mut told = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !told.contains(&cause) {
            told = format!("{told}: {cause}");
        }
    }
    told
}

/// For a check, a damaged file is not trouble but a check that failed.
pub(crate) fn damage_fails(error: anyhow::Error) -> anyhow::Error {
    let mut causes = error.chain();
    let damaged = causes.any(|cause| {
        let file = match cause.downcast_ref() {
            Some(ProverError::File(file)) => Some(file),
            _ => match cause.downcast_ref() {
                Some(DatasetError::File(file)) => Some(file),
                _ => cause.downcast_ref::<FileError>(),
            },
        };
        file.is_some_and(|file| matches!(file.trouble, storage::Trouble::Damaged(_)))
    });
    match damaged {
        true => CheckFailed(error.to_string()).into(),
        false => error,
    }
}

/// The status of one error of a chain; `None` if its own cause decides.
fn of_cause(cause: &(dyn Error + 'static)) -> Option<Status> {
    if cause.is::<CheckFailed>() || cause.is::<VerifyError>() {
        return Some(Status::CheckFailed);
    }
    if cause.is::<Trouble>()
        || cause.is::<Failure>()
        || cause.is::<SolveError>()
        || cause.is::<ServeError>()
        || cause.is::<SiteError>()
        || cause.is::<CallError>()
        || cause.is::<rayon::ThreadPoolBuildError>()
    {
        return Some(Status::Trouble);
    }
    if let Some(error) = cause.downcast_ref::<BuildError>() {
        return Some(match error {
            BuildError::TooManySeeds { .. } => Status::BadInput,
            BuildError::Memory { .. } => Status::Trouble,
        });
    }
    if let Some(error) = cause.downcast_ref::<ProofError>() {
        return Some(match error.fault {
            Fault::Memory => Status::Trouble,
            _ => Status::CheckFailed,
        });
    }
    if let Some(error) = cause.downcast_ref::<BookVerifyError>() {
        return match error {
            BookVerifyError::Wrong { .. } => Some(Status::CheckFailed),
            BookVerifyError::Walk(_) => Some(Status::BadInput),
            BookVerifyError::Prover(error) => of_cause(error),
        };
    }
    if let Some(error) = cause.downcast_ref::<BookBuildError>() {
        return match error {
            BookBuildError::File(error) => of_cause(error),
            BookBuildError::Prover(error) => of_cause(error),
        };
    }
    if let Some(error) = cause.downcast_ref::<ProverError>() {
        return match error {
            ProverError::File(error) => of_cause(error),
            ProverError::Build(error) => of_cause(error),
            ProverError::Solver(error) => of_cause(error),
            ProverError::Saved(error) => of_cause(error),
            ProverError::OtherGame(_) => Some(Status::BadInput),
        };
    }
    if let Some(error) = cause.downcast_ref::<NamesError>() {
        return match error {
            NamesError::Io { source, .. } => of_cause(source),
            NamesError::Foreign { .. } => Some(Status::BadInput),
        };
    }
    if let Some(SavedTableError::File(error)) = cause.downcast_ref() {
        return of_cause(error);
    }
    if let Some(error) = cause.downcast_ref::<AgentError>() {
        return of_cause(&error.problem);
    }
    if let Some(error) = cause.downcast_ref::<AgentProblem>() {
        return match error {
            AgentProblem::Proofs(error) => of_cause(error),
            AgentProblem::Eval(EvalError::Net(error)) => of_cause(error),
            AgentProblem::Listen { .. } => Some(Status::Trouble),
            _ => Some(Status::BadInput),
        };
    }
    if let Some(error) = cause.downcast_ref::<NoAnswer>() {
        return match error {
            NoAnswer::Agent(error) => of_cause(error),
            NoAnswer::Failed(_) | NoAnswer::Panicked | NoAnswer::NoThread => Some(Status::Trouble),
        };
    }
    if let Some(error) = cause.downcast_ref::<ReviewError>() {
        return match error {
            ReviewError::Agent(error) => of_cause(error),
            ReviewError::Failed(_) => Some(Status::Trouble),
        };
    }
    if let Some(error) = cause.downcast_ref::<FileError>() {
        return match &error.trouble {
            // The error of the system decides.
            storage::Trouble::Io(error) => of_cause(error),
            storage::Trouble::Damaged(_) | storage::Trouble::Contradicts(_) => {
                Some(Status::Trouble)
            }
            storage::Trouble::Missing | storage::Trouble::Foreign(_) => Some(Status::BadInput),
        };
    }
    if let Some(error) = cause.downcast_ref::<ArenaError>() {
        return Some(of_arena(error));
    }
    if let Some(error) = cause.downcast_ref::<DatasetError>() {
        return match error {
            DatasetError::File(error) => of_cause(error),
            DatasetError::Prover(error) => of_cause(&**error),
            DatasetError::Arena(error) => Some(of_arena(error)),
            DatasetError::Failed { .. } => Some(Status::Trouble),
            _ => Some(Status::BadInput),
        };
    }
    if let Some(error) = cause.downcast_ref::<TrainError>() {
        return match error {
            TrainError::Dataset(error) => of_cause(error),
            TrainError::File(error) => of_cause(error),
            _ => Some(Status::BadInput),
        };
    }
    if let Some(error) = cause.downcast_ref::<ProveError>() {
        return match error {
            ProveError::File { problem, .. } => Some(of_store(problem)),
            ProveError::Damaged { .. } => Some(Status::Trouble),
            ProveError::Fault(_) | ProveError::Contradiction(_) => Some(Status::CheckFailed),
            ProveError::Prover(error) => of_cause(error),
            ProveError::OtherGame { .. }
            | ProveError::NotKalah(_)
            | ProveError::NoBook(_)
            | ProveError::Position(_) => Some(Status::BadInput),
        };
    }
    if let Some(error) = cause.downcast_ref::<TuneError>() {
        return Some(match error {
            TuneError::Arena(error) => of_arena(error),
            TuneError::Store { problem, .. } => of_store(problem),
            TuneError::Sample { .. } | TuneError::Twice { .. } => Status::Trouble,
            TuneError::Parameters(_) | TuneError::Run(_) | TuneError::OtherIdentity { .. } => {
                Status::BadInput
            }
        });
    }
    if let Some(error) = cause.downcast_ref::<ShardError>() {
        return match error {
            ShardError::File(error) => of_cause(error),
            ShardError::Arena(error) => Some(of_arena(error)),
            ShardError::Dataset(error) => of_cause(error),
            ShardError::Prove(error) => of_cause(error),
            ShardError::Prover(error) => of_cause(error),
            ShardError::Review(error) => of_cause(error),
            ShardError::NoPlace { error, .. } => of_cause(error),
            ShardError::OtherIdentity { .. }
            | ShardError::Walk(_)
            | ShardError::NoGames { .. }
            | ShardError::Record { .. }
            | ShardError::DeeperBook { .. }
            | ShardError::NotOneMatch { .. } => Some(Status::BadInput),
            ShardError::Stopped => Some(Status::Interrupted),
        };
    }
    if let Some(error) = cause.downcast_ref::<MergeError>() {
        return match error {
            MergeError::Arena(error) => Some(of_arena(error)),
            MergeError::Dataset(error) => of_cause(error),
            MergeError::Prove(error) => of_cause(error),
            MergeError::File(error) => of_cause(error),
            MergeError::Book(error) => of_cause(error.as_ref()),
            MergeError::Nothing
            | MergeError::NoStore
            | MergeError::NoFolder
            | MergeError::NoJournal
            | MergeError::NoJudged
            | MergeError::NoBook
            | MergeError::ManyBooks
            | MergeError::ManyReviews => Some(Status::BadInput),
        };
    }
    let error = cause.downcast_ref::<io::Error>()?;
    Some(match error.kind() {
        // The user has named a file that is not there, or is not text.
        io::ErrorKind::NotFound | io::ErrorKind::InvalidData => Status::BadInput,
        _ => Status::Trouble,
    })
}

fn of_arena(error: &ArenaError) -> Status {
    match error {
        ArenaError::Store { problem, .. } => of_store(problem),
        ArenaError::Pictures { .. } | ArenaError::Judge(_) => Status::Trouble,
        ArenaError::Interrupted => Status::Interrupted,
        ArenaError::Agent(error) => of_cause(error).unwrap_or(Status::BadInput),
        _ => Status::BadInput,
    }
}

fn of_store(problem: &FileProblem) -> Status {
    match problem {
        FileProblem::Missing
        | FileProblem::NoFolder(_)
        | FileProblem::Foreign(_)
        | FileProblem::Version { .. } => Status::BadInput,
        FileProblem::Sql(_)
        | FileProblem::Damaged(_)
        | FileProblem::NotAFile { .. }
        | FileProblem::ReadOnly
        | FileProblem::Full
        | FileProblem::Busy => Status::Trouble,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    fn status(error: impl Into<anyhow::Error>) -> Status {
        // Context around an error changes nothing.
        let error: anyhow::Error = error.into();
        Status::of(&error.context("while doing something"))
    }

    #[test]
    fn nothing_is_said_twice() {
        let full = io::Error::other("disk full");
        let error = anyhow::Error::new(full).context("cannot write x");
        assert_eq!(told(&error), "cannot write x: disk full");
        let again = error.context("cannot write x: disk full");
        assert_eq!(told(&again), "cannot write x: disk full");
    }

    #[test]
    fn the_type_decides() {
        let io = |kind| io::Error::new(kind, "CheckFailed");
        assert_eq!(status(CheckFailed("x".to_owned())), Status::CheckFailed);
        assert_eq!(status(Failure::Crashed("x".to_owned())), Status::Trouble);
        assert_eq!(status(anyhow::anyhow!("disk full")), Status::BadInput);
        assert_eq!(status(io(io::ErrorKind::NotFound)), Status::BadInput);
        assert_eq!(status(io(io::ErrorKind::InvalidData)), Status::BadInput);
        assert_eq!(status(io(io::ErrorKind::StorageFull)), Status::Trouble);
        assert_eq!(status(ArenaError::Interrupted), Status::Interrupted);
        static KIND: storage::FileKind = storage::FileKind {
            name: "book",
            if_missing: "build it",
            if_bad: "build it again",
        };
        let file = |trouble| KIND.error("x".as_ref(), trouble);
        let refused = storage::Trouble::Io(io(io::ErrorKind::PermissionDenied));
        assert_eq!(status(file(refused)), Status::Trouble);
        assert_eq!(status(file(storage::Trouble::Missing)), Status::BadInput);
        let damaged = storage::Trouble::Damaged(storage::Damage::TooShort);
        let damaged = Err::<(), _>(file(damaged)).context("a book");
        assert_eq!(Status::of(&damaged.expect_err("damaged")), Status::Trouble);
    }
}
