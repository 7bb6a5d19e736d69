//! The file of a piece: the plan and the place, the machine that made it, and the results.
//!
//! ```text
//! kalahari-shard 2
//! {"plan":{"tasks":[...]},"place":{"shards":1000,"shard":17},"source":{...},"program":"0.2.0",...,"machine":{...},"games":200,"found":1,"rows":[]}
//! {"task":1,"part":170,"finding":{"claim":{"holds":true,"nodes":4711,"seconds":0.02,"tablebase":18}}}
//! kalahari-record 1
//! ...
//! sha256 0f3c...
//! ```
//!
//! The second line is JSON. Then comes a line for every part that has a finding, and the records of its games, if it has any, all in the
//! order of their tasks and numbers. The last line is the checksum of everything before it. Rows are in separate files beside it; the
//! second line names them with their checksums.

use crate::checked::{Frame, check, read_checked, write_checked};
use crate::error::PLACE_FILE;
use crate::found::Found;
use crate::machine::Machine;
use crate::place::Place;
use crate::plan::{Plan, Task};
use crate::plan_file::Source;
use kalahari_arena::{GameRecord, RecordError, Referee};
use kalahari_dataset::Entry;
use kalahari_storage::{Damage, FileError, Trouble};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The format of the file.
const FRAME: Frame = Frame {
    kind: &PLACE_FILE,
    magic: "kalahari-shard ",
    version: 2,
};
/// The extension of the file's name.
pub(crate) const EXTENSION: &str = "shard";

/// The name of a place's file.
pub fn file_name(place: Place) -> String {
    format!("{:06}-of-{:06}.{EXTENSION}", place.shard(), place.shards())
}

/// The folder of a task's rows, beside the files of places.
pub(crate) fn rows_folder(folder: &Path, task: usize) -> PathBuf {
    folder.join(format!("rows-{task}"))
}

/// A file of rows that belongs to a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsFile {
    /// The number of its task in the plan.
    pub task: usize,
    /// The file.
    pub entry: Entry,
}

impl RowsFile {
    /// Where it is, beside the files of places.
    pub fn path(&self, folder: &Path) -> PathBuf {
        rows_folder(folder, self.task).join(&self.entry.file)
    }
}

/// The results of a piece, besides files of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// Its games.
    pub games: Vec<GameRecord>,
    /// Its findings.
    pub found: Vec<Found>,
}

/// The second line of the file of a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceFile {
    /// The plan that it is a piece of.
    pub plan: Plan,
    /// Which piece.
    pub place: Place,
    /// The file of the experiment.
    pub source: Source,
    /// The version of the program that made it.
    pub program: String,
    /// The commit that program was built from, if that is known.
    pub commit: Option<String>,
    /// The machine that made it.
    pub machine: Machine,
    /// When it was made, in seconds since 1970.
    pub made: u64,
    /// How many games are in it.
    pub games: u64,
    /// How many findings are in it.
    pub found: u64,
    /// The files of rows beside it.
    pub rows: Vec<RowsFile>,
}

impl PlaceFile {
    /// The header of a piece that this process has just made.
    pub(crate) fn new(
        (plan, source): (&Plan, &Source),
        place: Place,
        machine: &Machine,
        content: &Content,
        rows: Vec<RowsFile>,
    ) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        PlaceFile {
            plan: plan.clone(),
            place,
            source: source.clone(),
            program: kalahari_terms::VERSION.to_owned(),
            commit: kalahari_terms::Program::this().commit.map(str::to_owned),
            machine: machine.clone(),
            made: now.map_or(0, |now| now.as_secs()),
            games: content.games.len() as u64,
            found: content.found.len() as u64,
            rows,
        }
    }

    /// Writes it with its content, whole or not at all.
    pub(crate) fn write(&self, path: &Path, content: &Content) -> Result<(), FileError> {
        let unwritable = |error: serde_json::Error| PLACE_FILE.unwritable(path, error.into());
        let mut text = serde_json::to_string(self).map_err(unwritable)? + "\n";
        for found in &content.found {
            text += &serde_json::to_string(found).map_err(unwritable)?;
            text.push('\n');
        }
        for game in &content.games {
            text.push_str(&game.to_string());
        }
        write_checked(&FRAME, path, &text)
    }

    /// Reads the header of a file. Checks the file's checksum, and that the header counts as many games, findings and files of rows as the
    /// place should have; does not look at games and findings.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = read_checked(&FRAME, path)?;
        let (header, _) = parts(path, &text)?;
        header.check_counts(path)?;
        Ok(header)
    }

    /// Reads a file with its content, and checks that it is all that belongs to its place, in order. An [inspector](crate::Inspector)
    /// checks more.
    pub fn read_content(path: &Path) -> Result<(Self, Content), FileError> {
        Self::of_text(path, &read_checked(&FRAME, path)?)
    }

    /// The same as [`PlaceFile::read_content`] for the bytes of a file. The path is used in errors only.
    pub fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<(Self, Content), FileError> {
        Self::of_text(path, &check(&FRAME, path, bytes)?)
    }

    fn of_text(path: &Path, text: &str) -> Result<(Self, Content), FileError> {
        let (header, mut records) = parts(path, text)?;
        header.check_counts(path)?;
        let mut content = Content::default();
        for _ in 0..header.found {
            let (line, rest) = records.split_once('\n').unwrap_or_default();
            let found = serde_json::from_str(line);
            let found = found
                .map_err(|error| PLACE_FILE.error(path, Damage::nonsense(error.to_string())))?;
            content.found.push(found);
            records = rest;
        }
        if !records.is_empty() {
            let games = GameRecord::read_all(records);
            content.games = games.map_err(|error| senseless(path, &error))?;
        }
        header.check_games(path, &content.games)?;
        header.check_found(path, &content.found)?;
        Ok((header, content))
    }

    /// Makes sure that the files of rows beside it exist and are undamaged.
    pub fn check_rows(&self, path: &Path) -> Result<(), FileError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        for rows in &self.rows {
            let checked = rows.entry.check_file(&rows_folder(folder, rows.task));
            checked.map_err(|why| rows_trouble(path, &why))?;
        }
        Ok(())
    }

    /// Makes sure that the header counts as many games and findings as the place should have, and names the files of its rows.
    fn check_counts(&self, path: &Path) -> Result<(), FileError> {
        let (mut games, mut found) = (0_u64, 0_u64);
        let mut files = self.rows.iter();
        let mut are_own = true;
        for (number, parts) in self.plan.at(self.place) {
            let count = parts.end - parts.start;
            match &self.plan.tasks()[number] {
                Task::Games(task) => games += task.numbers(&parts).len() as u64,
                Task::Claims(_) | Task::Reviews(_) | Task::Frontier(_) => {
                    found = found.saturating_add(count);
                }
                Task::Rows(task) => {
                    // First their number: a forged plan may want far too many files to loop over.
                    are_own &= count <= files.len() as u64;
                    are_own = are_own
                        && parts.zip(files.by_ref()).all(|(part, file)| {
                            file.task == number && task.recipe.has(&file.entry, part, task.rows)
                        });
                }
            }
        }
        let nonsense = |what: String| Err(PLACE_FILE.error(path, Damage::nonsense(what)));
        let place = self.place;
        if games != self.games {
            let here = self.games;
            return nonsense(format!("{here} games, but {place} has {games}"));
        }
        if found != self.found {
            let here = self.found;
            return nonsense(format!("{here} findings, but {place} has {found}"));
        }
        match are_own && files.next().is_none() {
            true => Ok(()),
            false => nonsense(format!("its files of rows are not those of {place}")),
        }
    }

    /// Makes sure that the findings are those of the place, each once.
    fn check_found(&self, path: &Path, found: &[Found]) -> Result<(), FileError> {
        let tasks = self.plan.tasks();
        let portions = self.plan.at(self.place).into_iter();
        let portions = portions.filter(|(task, _)| tasks[*task].has_findings());
        let mut found = found.iter();
        let mut is_sound = true;
        for (task, parts) in portions {
            for part in parts {
                is_sound &= found.next().is_some_and(|one| {
                    (one.task, one.part) == (task, part) && tasks[task].is_finding(&one.finding)
                });
                if !is_sound {
                    break;
                }
            }
        }
        match is_sound && found.next().is_none() {
            true => Ok(()),
            false => {
                let what = format!("its findings are not those of {}", self.place);
                Err(PLACE_FILE.error(path, Damage::nonsense(what)))
            }
        }
    }

    /// Makes sure that the games are those of the place, each once, and follow the rules of their match. Their openings are checked by the
    /// [inspector](crate::Inspector).
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
        // First their number: a forged plan may want more games than fit in memory.
        let count: u64 = portions
            .clone()
            .map(|(_, numbers)| numbers.len() as u64)
            .sum();
        if count != games.len() as u64 {
            return others();
        }
        let mut wanted = BTreeMap::new();
        for (task, numbers) in portions {
            let (id, referee) = (task.id(), Rc::new(Referee::new(&task.spec)));
            wanted.extend(numbers.map(|number| ((id.clone(), number), referee.clone())));
        }
        for game in games {
            // Each once: a game that was found is removed from the list.
            let Some(referee) = wanted.remove(&(game.match_id.clone(), game.number)) else {
                return others();
            };
            referee.check(game).map_err(|why| {
                let (number, id) = (u64::from(game.number) + 1, &game.match_id);
                let what = format!("game {number} of match {id}: {why}");
                PLACE_FILE.error(path, Damage::nonsense(what))
            })?;
        }
        Ok(())
    }
}

/// The error for a piece whose file of rows is missing or damaged.
pub(crate) fn rows_trouble(path: &Path, why: &FileError) -> FileError {
    let what = match &why.trouble {
        Trouble::Missing => "it is missing".to_owned(),
        Trouble::Damaged(damage) => damage.to_string(),
        _ => return PLACE_FILE.error(path, Damage::nonsense(format!("its rows: {why}"))),
    };
    let what = format!("its file of rows {}: {what}", why.path.display());
    PLACE_FILE.error(path, Damage::nonsense(what))
}

fn senseless(path: &Path, error: &RecordError) -> FileError {
    PLACE_FILE.error(path, Damage::nonsense(error.to_string()))
}

/// The header, and the findings and records after it.
fn parts<'a>(path: &Path, text: &'a str) -> Result<(PlaceFile, &'a str), FileError> {
    let (header, records) = text.split_once('\n').unwrap_or_default();
    let header = serde_json::from_str(header);
    let header =
        header.map_err(|error| PLACE_FILE.error(path, Damage::nonsense(error.to_string())))?;
    Ok((header, records))
}
