//! The file of a place: what it is a piece of, who made it, and what came out.
//!
//! ```text
//! kalahari-shard 1
//! {"plan":{"tasks":[...]},"place":{"shards":1000,"shard":17},"program":"0.1.0","machine":{...},"made":1790000000,"games":200,"rows":[]}
//! kalahari-record 1
//! ...
//! sha256 0f3c...
//! ```
//!
//! The second line is JSON. Then come the records of its games, if it has any, in the order of their tasks and numbers. The last
//! line is the checksum of everything before it. Rows are in files of their own beside it, which it names with their checksums.

use crate::error::PLACE_FILE;
use crate::machine::Machine;
use crate::place::Place;
use crate::plan::{Plan, Task};
use kalahari_arena::{ArenaError, GameRecord};
use kalahari_dataset::Entry;
use kalahari_storage::{Damage, FileError, Foreign, replace};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How files begin; the version follows.
const MAGIC: &str = "kalahari-shard ";
const VERSION: u32 = 1;
/// How the last line begins.
const CHECKSUM: &str = "sha256 ";
/// What files end with.
pub(crate) const EXTENSION: &str = "shard";

/// The name of a place's file.
pub fn file_name(place: Place) -> String {
    format!("{:06}-of-{:06}.{EXTENSION}", place.shard(), place.shards())
}

/// The folder of a task's rows, beside the files of places.
pub(crate) fn rows_folder(folder: &Path, task: usize) -> PathBuf {
    folder.join(format!("rows-{task}"))
}

/// A file of rows that a place has made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsFile {
    /// Which task of the plan.
    pub task: usize,
    /// The file.
    pub entry: Entry,
}

/// What stands in the second line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceFile {
    /// What it is a piece of.
    pub plan: Plan,
    /// Which piece.
    pub place: Place,
    /// The version of the program that made it.
    pub program: String,
    /// The machine that made it.
    pub machine: Machine,
    /// When it was made, in seconds since 1970.
    pub made: u64,
    /// How many games are in it.
    pub games: u64,
    /// The files of rows beside it.
    pub rows: Vec<RowsFile>,
}

impl PlaceFile {
    /// That of a piece that has just been made here.
    pub(crate) fn new(
        plan: &Plan,
        place: Place,
        games: &[GameRecord],
        rows: Vec<RowsFile>,
    ) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        PlaceFile {
            plan: plan.clone(),
            place,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            machine: Machine::this(),
            made: now.map_or(0, |now| now.as_secs()),
            games: games.len() as u64,
            rows,
        }
    }

    /// Writes it with its games, whole or not at all.
    pub(crate) fn write(&self, path: &Path, games: &[GameRecord]) -> Result<(), FileError> {
        let header = serde_json::to_string(self);
        let header = header.map_err(|error| PLACE_FILE.unwritable(path, error.into()))?;
        let mut text = format!("{MAGIC}{VERSION}\n{header}\n");
        for game in games {
            text.push_str(&game.to_string());
        }
        let checksum = checksum(text.as_bytes());
        replace(path, |file| {
            file.write_all(text.as_bytes())?;
            writeln!(file, "{CHECKSUM}{checksum}")
        })
        .map_err(|error| PLACE_FILE.unwritable(path, error))
    }

    /// Reads what a file says of itself. It is as it was written; its games are not looked at.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = read_checked(path)?;
        let (header, _) = parts(path, &text)?;
        Ok(header)
    }

    /// Reads a file with its games: all that belong to its place, in order.
    pub fn read_games(path: &Path) -> Result<(Self, Vec<GameRecord>), FileError> {
        let text = read_checked(path)?;
        let (header, records) = parts(path, &text)?;
        let games = match header.games {
            0 => Vec::new(),
            _ => GameRecord::read_all(records).map_err(|error| senseless(path, &error))?,
        };
        header.check_games(path, &games)?;
        Ok((header, games))
    }

    /// Makes sure that the games are those of the place, each once.
    fn check_games(&self, path: &Path, games: &[GameRecord]) -> Result<(), FileError> {
        let others = || {
            let what = format!("its games are not those of {}", self.place);
            Err(PLACE_FILE.error(path, Damage::nonsense(what)))
        };
        let portions = self.plan.at(self.place);
        let portions = portions.iter().filter_map(|(task, parts)| {
            let Task::Games(task) = &self.plan.tasks()[*task] else {
                return None;
            };
            Some((task, task.numbers(parts)))
        });
        // First their number: a plan may want more games than there is memory.
        let count: u64 = portions
            .clone()
            .map(|(_, numbers)| numbers.len() as u64)
            .sum();
        if count != games.len() as u64 {
            return others();
        }
        let mut wanted = BTreeSet::new();
        for (task, numbers) in portions {
            let id = task.id();
            wanted.extend(numbers.map(|number| (id.clone(), number)));
        }
        let there: BTreeSet<_> = games
            .iter()
            .map(|game| (game.match_id.clone(), game.number))
            .collect();
        match there == wanted {
            true => Ok(()),
            false => others(),
        }
    }
}

fn senseless(path: &Path, error: &ArenaError) -> FileError {
    PLACE_FILE.error(path, Damage::nonsense(error.to_string()))
}

fn checksum(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a file without its last line, which has been compared.
fn read_checked(path: &Path) -> Result<String, FileError> {
    let bytes = fs::read(path).map_err(|error| PLACE_FILE.unreadable(path, error))?;
    if !bytes.starts_with(MAGIC.as_bytes()) {
        let is_short = MAGIC.as_bytes().starts_with(&bytes);
        return Err(match is_short {
            true => PLACE_FILE.error(path, Damage::TooShort),
            false => PLACE_FILE.error(path, Foreign::Kind),
        });
    }
    let damaged = || PLACE_FILE.error(path, Damage::checksum("the file"));
    let mut text = String::from_utf8(bytes).map_err(|_| damaged())?;
    let version = text.lines().next().unwrap_or_default();
    match version[MAGIC.len()..].parse() {
        Ok(VERSION) => {}
        Ok(found) => {
            let known = VERSION;
            return Err(PLACE_FILE.error(path, Foreign::Version { found, known }));
        }
        Err(_) => return Err(damaged()),
    }
    let Some(whole) = text.strip_suffix('\n') else {
        return Err(PLACE_FILE.error(path, Damage::TooShort));
    };
    let end = whole.rfind('\n').map_or(0, |end| end + 1);
    let Some(kept) = whole[end..].strip_prefix(CHECKSUM) else {
        return Err(PLACE_FILE.error(path, Damage::TooShort));
    };
    match kept == checksum(&text.as_bytes()[..end]) {
        true => {
            text.truncate(end);
            Ok(text)
        }
        false => Err(damaged()),
    }
}

/// The header, and the records behind it.
fn parts<'a>(path: &Path, text: &'a str) -> Result<(PlaceFile, &'a str), FileError> {
    let (_, rest) = text.split_once('\n').unwrap_or_default();
    let (header, records) = rest.split_once('\n').unwrap_or_default();
    let header = serde_json::from_str(header);
    let header =
        header.map_err(|error| PLACE_FILE.error(path, Damage::nonsense(error.to_string())))?;
    Ok((header, records))
}
