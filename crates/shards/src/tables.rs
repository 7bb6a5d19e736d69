//! Big files that the work needs. They are found in the data directory of the machine or built there, once per machine, under a lock.

use crate::error::ShardError;
use kalahari_arena::Hands;
use kalahari_exact::Watch;
use kalahari_exact::book::{BookBuild, BookBuildError, Walk, book_path};
use kalahari_exact::prover::{
    BookPlace, Prover, ProverOptions, TableMemory, TablePolicy, TablebasePolicy, opening_book,
    table_in_use, table_policy,
};
use kalahari_exact::tablebase::{TableSpec, Tablebase, table_path};
use kalahari_games::kalah::KalahSpec;
use kalahari_games::{AnyGame, GameSpec};
use kalahari_storage::{data_home, open_if_free};
use kalahari_terms::Stop;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often to check whether another process is done.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A file that the agents of an experiment used where the plan was made, and that any machine can make. Nets and other files that cannot be
/// made on demand are not among them; the identity checks whether those are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Need {
    /// A tablebase of a game's family.
    Tablebase {
        /// A game of the family.
        game: KalahSpec,
        /// Its seeds.
        seeds: usize,
    },
    /// An opening book that is not built into the program.
    Book {
        /// Its game.
        game: KalahSpec,
        /// Its plies.
        plies: u32,
    },
}

impl Need {
    /// The files that agents of a game use on this machine now. `files` are the names of the files that the games depend on.
    pub(crate) fn of_game(game: GameSpec, files: &[&str]) -> Vec<Need> {
        let GameSpec::Kalah(game) = game else {
            return Vec::new();
        };
        let game = game.with_majority(false);
        let home = data_home();
        let is_used = |what: String| files.contains(&what.as_str());
        let mut needs = Vec::new();
        if let Some(family) = TableSpec::of_game(game)
            && is_used(format!("the tablebase of {family}"))
            && let Some((seeds, _)) = table_in_use(home.as_deref(), family)
        {
            needs.push(Need::Tablebase { game, seeds });
        }
        if is_used(format!("the book of {game}"))
            && let Ok(Some((book, BookPlace::File(_)))) = opening_book(game, home.as_deref())
        {
            let plies = book.plies();
            needs.push(Need::Book { game, plies });
        }
        needs
    }

    /// Makes sure that the file exists. A larger one on this machine stays; the comparison of identities finds it.
    pub(crate) fn provide(&self, hands: &Hands<'_>) -> Result<(), ShardError> {
        let Some(home) = data_home().filter(|_| table_policy() != TablePolicy::Never) else {
            return Ok(());
        };
        match *self {
            Need::Tablebase { game, seeds } => match TableSpec::of_game(game) {
                Some(family) => build_table(&home, family, seeds, hands.stop),
                None => Ok(()),
            },
            Need::Book { game, plies } => build_book(&home, game, plies, hands),
        }
    }
}

/// The options of the provers of a piece: a tablebase of exactly this many seeds, no book, and one thread each.
pub(crate) fn prover_options(
    game: GameSpec,
    seeds: usize,
    memory: TableMemory,
    hands: &Hands<'_>,
) -> Result<ProverOptions, ShardError> {
    Ok(ProverOptions {
        threads: 1,
        memory,
        book: false,
        tablebase: match seeds {
            0 => TablebasePolicy::None,
            seeds => TablebasePolicy::Seeds(seeds),
        },
        home: table_home(game, seeds, hands)?,
        halved: false,
        save: None,
    })
}

/// The folder of a tablebase of exactly this many seeds on this machine. A missing one is built, once per machine. `None` if none is needed,
/// and if there is no data directory to use: then every prover builds its own.
fn table_home(
    game: GameSpec,
    seeds: usize,
    hands: &Hands<'_>,
) -> Result<Option<PathBuf>, ShardError> {
    let family = match game {
        GameSpec::Kalah(game) => TableSpec::of_game(game),
        GameSpec::Isolation(_) => None,
    };
    let home = data_home().filter(|_| table_policy() != TablePolicy::Never);
    let (Some(family), Some(home), true) = (family, home, seeds > 0) else {
        return Ok(None);
    };
    if seeds_at(&home, family) == Some(seeds) {
        return Ok(Some(home));
    }
    // The user's own table has another size and stays as it is.
    let folder = home.join("tables-of-shards").join(seeds.to_string());
    build_table(&folder, family, seeds, hands.stop)?;
    Ok(Some(folder))
}

fn seeds_at(home: &Path, family: TableSpec) -> Option<usize> {
    let info = Tablebase::file_info(&table_path(home, family)).ok()?;
    Some(info.seeds)
}

/// Waits for the lock to build a file. `None` once `there_is` says that the file exists, or after a request to stop.
fn turn(
    file: &Path,
    there_is: &dyn Fn() -> bool,
    stop: &Stop,
) -> Result<Option<(fs::File, PathBuf)>, ShardError> {
    let lock = file.with_extension("building-for-shards");
    let folder = lock.parent().unwrap_or(Path::new("."));
    let failed = |error: io::Error| ShardError::NoPlace {
        folder: folder.display().to_string(),
        error,
    };
    fs::create_dir_all(folder).map_err(failed)?;
    while !there_is() && !stop.is_requested() {
        let mut options = OpenOptions::new();
        let options = options.create(true).truncate(false).write(true);
        if let Some(held) = open_if_free(&lock, options).map_err(failed)? {
            // Another process may have built the file in the meantime.
            if !there_is() {
                return Ok(Some((held, lock)));
            }
            let _ = fs::remove_file(&lock);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(None)
}

fn build_table(
    home: &Path,
    family: TableSpec,
    seeds: usize,
    stop: &Stop,
) -> Result<(), ShardError> {
    let path = table_path(home, family);
    let there_is = || seeds_at(home, family).is_some_and(|there| there >= seeds);
    let Some((_held, lock)) = turn(&path, &there_is, stop)? else {
        return Ok(());
    };
    let built = Tablebase::build(family, seeds, stop);
    let saved = match built {
        Ok(table) if table.seeds() == seeds => table.save(&path).map_err(ShardError::from),
        Ok(_) => Err(ShardError::Stopped),
        Err(error) => Err(kalahari_exact::prover::ProverError::from(error).into()),
    };
    let _ = fs::remove_file(lock);
    saved
}

fn build_book(
    home: &Path,
    game: KalahSpec,
    plies: u32,
    hands: &Hands<'_>,
) -> Result<(), ShardError> {
    let path = book_path(home, game);
    let there_is = || {
        let info = kalahari_exact::book::Book::file_info(&path);
        info.is_ok_and(|info| info.plies >= plies)
    };
    let Some((_held, lock)) = turn(&path, &there_is, hands.stop)? else {
        return Ok(());
    };
    let build = || -> Result<(), ShardError> {
        let mut build = BookBuild::begin(Walk::of(game, plies)?, &path)?;
        let options = ProverOptions {
            book: false,
            ..ProverOptions::default()
        };
        let mut prover = Prover::new(&AnyGame::new(game.into()), options);
        let watch = Watch::silent(hands.stop);
        let finished = build.run(&mut prover, hands.threads.max(1), watch);
        match finished.map_err(|error| match error {
            BookBuildError::File(error) => ShardError::from(error),
            BookBuildError::Prover(error) => error.into(),
        })? {
            true => Ok(build.finish().map(|_| ())?),
            false => Err(ShardError::Stopped),
        }
    };
    let built = build();
    let _ = fs::remove_file(lock);
    built
}
