//! The store of tuning runs: one SQLite file.
//!
//! ```text
//! runs     id, key (everything that decides how the run goes), agent, method, space, game, opponents, lines, seed,
//!          games, created, spec, identity (JSON), mixed, made_by
//! samples  run, place (in the order of finishing), number, points, results, checksum
//! ```
//!
//! `space` and `opponents` are as requested. `spec`, `identity` and `mixed` are as in a store of games. A sample is one row and is
//! written in one transaction, so a program that is killed leaves only complete samples. `points` are values separated by blanks;
//! SPSA's two sides are separated by `/`. `results` has one letter per game, `W`, `D` or `L`, and a `/` between the games of the two
//! sides. `checksum` is that of the row, 0 where an older program wrote none.

use crate::TuneError;
use crate::spec::TuneSpec;
use kalahari_arena::sqlite::{FileKind, FileProblem, check_row, checksum, now};
use kalahari_arena::{Identity, resume};
use kalahari_terms::Program;
use rusqlite::{Connection, ErrorCode, params};
use serde::Serialize;
use std::fmt::Display;
use std::path::Path;

/// The kind of file. The number spells "KATU" in ASCII.
const KIND: FileKind = FileKind {
    name: "a store of tuning runs",
    application: 0x4b41_5455,
    versions: &[
        "
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    method TEXT NOT NULL,
    space TEXT NOT NULL,
    game TEXT NOT NULL,
    opponents TEXT NOT NULL,
    lines TEXT NOT NULL,
    seed TEXT NOT NULL,
    games INTEGER NOT NULL,
    created INTEGER NOT NULL
) STRICT;
CREATE TABLE samples (
    run INTEGER NOT NULL REFERENCES runs,
    place INTEGER NOT NULL,
    number INTEGER NOT NULL,
    points TEXT NOT NULL,
    results TEXT NOT NULL,
    PRIMARY KEY (run, place),
    UNIQUE (run, number)
) STRICT, WITHOUT ROWID;
",
        "
ALTER TABLE runs ADD COLUMN spec TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN identity TEXT;
ALTER TABLE runs ADD COLUMN mixed INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET spec = key;
",
        "
ALTER TABLE samples ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
",
        "
ALTER TABLE runs ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
",
    ],
};

/// An open store.
#[derive(Debug)]
pub struct TuneStore {
    connection: Connection,
    file: String,
}

/// A run in a store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredRun {
    /// Its number.
    pub id: i64,
    /// The agent whose parameters are tuned.
    pub agent: String,
    /// `clop` or `spsa`.
    pub method: String,
    /// The parameters and their ranges.
    pub space: String,
    /// The game.
    pub game: String,
    /// The opponents, separated by blanks.
    pub opponents: String,
    /// SPSA's parameter lines.
    pub lines: String,
    /// The seed.
    pub seed: String,
    /// The number of games wanted when it was last run.
    pub games: u32,
    /// The number of finished samples.
    pub samples: u32,
}

/// A finished sample.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSample {
    /// Its number.
    pub number: u32,
    /// The values that were played: one point, or SPSA's two sides.
    pub points: Vec<Vec<f64>>,
    /// Results by point: games won, drawn, lost.
    pub results: Vec<[u32; 3]>,
}

const LETTERS: [char; 3] = ['W', 'D', 'L'];

impl StoredSample {
    fn texts(&self) -> (String, String) {
        let point = |values: &Vec<f64>| {
            let words: Vec<String> = values.iter().map(f64::to_string).collect();
            words.join(" ")
        };
        let points: Vec<String> = self.points.iter().map(point).collect();
        let letters = |counts: &[u32; 3]| -> String {
            let each = LETTERS.iter().zip(counts);
            each.map(|(letter, count)| letter.to_string().repeat(*count as usize))
                .collect()
        };
        let results: Vec<String> = self.results.iter().map(letters).collect();
        (points.join("/"), results.join("/"))
    }

    fn of_texts(number: u32, points: &str, results: &str) -> Option<Self> {
        let point = |text: &str| -> Option<Vec<f64>> {
            text.split(' ').map(|word| word.parse().ok()).collect()
        };
        let count = |text: &str| LETTERS.map(|letter| text.matches(letter).count() as u32);
        let sample = StoredSample {
            number,
            points: points.split('/').map(point).collect::<Option<_>>()?,
            results: results.split('/').map(count).collect(),
        };
        Some(sample)
    }
}

impl TuneStore {
    /// Opens a store. Creates the file if it does not exist.
    pub fn open(file: &Path) -> Result<Self, TuneError> {
        Self::of(KIND.open(file), file)
    }

    /// Opens an existing store for reading. It need not be writable.
    pub fn open_existing(file: &Path) -> Result<Self, TuneError> {
        Self::of(KIND.open_existing(file), file)
    }

    fn of(opened: Result<Connection, FileProblem>, file: &Path) -> Result<Self, TuneError> {
        let file = file.display().to_string();
        match opened {
            Ok(connection) => Ok(TuneStore { connection, file }),
            Err(problem) => Err(TuneError::Store { file, problem }),
        }
    }

    fn trouble(&self, problem: impl Into<FileProblem>) -> TuneError {
        TuneError::Store {
            file: self.file.clone(),
            problem: problem.into(),
        }
    }

    /// Finds the run to continue, or begins a new one. Returns its number and a note for the user, if there is one. A run of the
    /// same spec with another identity is left alone, unless `mix` asks to continue the latest of those.
    pub fn enter(
        &mut self,
        spec: &TuneSpec,
        identity: &Identity,
        mix: bool,
    ) -> Result<(i64, Option<String>), TuneError> {
        self.try_enter(spec, identity, mix)
            .map_err(|e| self.trouble(e))
    }

    fn try_enter(
        &mut self,
        spec: &TuneSpec,
        identity: &Identity,
        mix: bool,
    ) -> rusqlite::Result<(i64, Option<String>)> {
        let transaction = self.connection.transaction()?;
        let key = spec.key();
        let (kept, note) = resume(&transaction, ("runs", "run"), &key, identity, mix)?;
        let words = |list: Vec<String>, between: &str| list.join(between);
        let opponents = words(
            spec.opponents.iter().map(ToString::to_string).collect(),
            " ",
        );
        let lines = words(spec.lines.iter().map(ToString::to_string).collect(), "\n");
        let id = match kept {
            Some(id) => id,
            None => {
                transaction.execute(
                    "INSERT INTO runs (key, agent, method, space, game, opponents, lines, seed, games, created, spec, identity, made_by)
                     VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    params![
                        identity.key_with(&key),
                        spec.agent.to_string(),
                        spec.method.name(),
                        spec.space.to_string(),
                        spec.game.to_string(),
                        opponents,
                        lines,
                        spec.rng_seed.to_string(),
                        spec.games,
                        now(),
                        key,
                        identity.text(),
                        Program::maker(),

                    ],
                )?;
                transaction.last_insert_rowid()
            }
        };
        let update = "UPDATE runs SET games = ? WHERE id = ?";
        transaction.execute(update, params![spec.games, id])?;
        transaction.commit()?;
        Ok((id, note))
    }

    /// Adds a sample at a place, which counts the samples in order. If the place is taken, another process is working on the same
    /// run, which is an error.
    pub fn add(&mut self, run: i64, place: u32, sample: &StoredSample) -> Result<(), TuneError> {
        let (points, results) = sample.texts();
        let sum = checksum(&[&run, &place, &sample.number, &points, &results]);
        let row = params![run, place, sample.number, points, results, sum];
        let add = "INSERT INTO samples VALUES (?,?,?,?,?,?)";
        match self.connection.execute(add, row) {
            Ok(_) => Ok(()),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                let file = self.file.clone();
                Err(TuneError::Twice { file, run })
            }
            Err(error) => Err(self.trouble(error)),
        }
    }

    /// The samples of a run in the order in which they were finished.
    pub fn samples(&self, run: i64) -> Result<Vec<StoredSample>, TuneError> {
        let read = || -> Result<Vec<(u32, String, String)>, FileProblem> {
            let query = "SELECT place, number, points, results, checksum FROM samples WHERE run = ? ORDER BY place";
            let mut query = self.connection.prepare(query)?;
            let mut rows = query.query([run])?;
            let mut samples = Vec::new();
            while let Some(row) = rows.next()? {
                let (place, number): (u32, u32) = (row.get(0)?, row.get(1)?);
                let (points, results): (String, String) = (row.get(2)?, row.get(3)?);
                let name = format!("sample {number} of run {run}");
                let values: [&dyn Display; 5] = [&run, &place, &number, &points, &results];
                check_row(row.get(4)?, &values, name)?;
                samples.push((number, points, results));
            }
            Ok(samples)
        };
        let rows = read().map_err(|e| self.trouble(e))?;
        rows.into_iter()
            .map(|(number, points, results)| {
                StoredSample::of_texts(number, &points, &results).ok_or_else(|| TuneError::Sample {
                    file: self.file.clone(),
                    run,
                    number,
                })
            })
            .collect()
    }

    /// All runs, the oldest first.
    pub fn runs(&self) -> Result<Vec<StoredRun>, TuneError> {
        self.try_runs().map_err(|e| self.trouble(e))
    }

    fn try_runs(&self) -> rusqlite::Result<Vec<StoredRun>> {
        let query = "SELECT id, agent, method, space, game, opponents, lines, seed, games,
             (SELECT count(*) FROM samples WHERE run = runs.id) FROM runs ORDER BY id";
        let mut query = self.connection.prepare(query)?;
        let rows = query.query_map([], |row| {
            Ok(StoredRun {
                id: row.get(0)?,
                agent: row.get(1)?,
                method: row.get(2)?,
                space: row.get(3)?,
                game: row.get(4)?,
                opponents: row.get(5)?,
                lines: row.get(6)?,
                seed: row.get(7)?,
                games: row.get(8)?,
                samples: row.get(9)?,
            })
        })?;
        rows.collect()
    }
}
