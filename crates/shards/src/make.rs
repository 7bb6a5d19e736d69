//! Does the work of a place.

use crate::error::{MISNAMED_FILE, OTHER_PLACE_FILE, PLACE_FILE, ShardError};
use crate::file::{Content, PlaceFile, RowsFile, file_name, rows_folder};
use crate::found::Found;
use crate::inspector::Inspector;
use crate::machine::Machine;
use crate::pace::Pace;
use crate::place::Place;
use crate::plan::{Plan, Rows, Task};
use crate::plan_file::Source;
use kalahari_agents::tables_before_play;
use kalahari_arena::{GameRecord, Hands};
use kalahari_dataset::{Build, Entry, build_files};
use kalahari_storage::{FileError, Foreign, Trouble, check_place};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The work of a place, where its files go, and the machine and threads that do it.
#[derive(Debug)]
pub struct Work<'a> {
    /// The inspector of the experiment's plan.
    pub inspector: &'a Inspector,
    /// The file that the experiment came from.
    pub source: &'a Source,
    /// The machine that does the work.
    pub machine: &'a Machine,
    /// Which piece of the experiment.
    pub place: Place,
    /// The folder for the file of the piece and its files of rows.
    pub folder: &'a Path,
    /// Threads, cache and stop request; none of this changes the results.
    pub hands: &'a Hands<'a>,
}

/// Progress of the work.
#[derive(Debug)]
#[non_exhaustive]
pub enum News<'a> {
    /// The file exists but is damaged; the work is done again.
    Damaged(&'a FileError),
    /// A game has been played.
    Played {
        /// How many games of the piece are finished.
        finished: u64,
        /// How many games the piece has.
        games: u64,
    },
    /// A job is done, a game judged, or a position solved.
    Found {
        /// How many findings the piece has so far.
        finished: usize,
    },
    /// Files of rows have been made.
    Rows {
        /// How many.
        files: usize,
    },
}

/// A finished piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Its file.
    pub path: PathBuf,
    /// The header of the file.
    pub file: PlaceFile,
    /// Whether it already existed, so that nothing was done.
    pub was_there: bool,
}

/// Does the work of a place and writes its file, unless a valid file exists. When `hands.stop` is requested, no file is written.
pub fn make(work: &Work<'_>, news: &mut dyn FnMut(&News<'_>)) -> Result<Made, ShardError> {
    let Work {
        inspector,
        source,
        machine,
        place,
        folder,
        hands,
    } = *work;
    let plan = inspector.plan();
    let path = folder.join(file_name(place));
    match there(inspector, place, &path) {
        Ok(Some(file)) => {
            let was_there = true;
            return Ok(Made {
                path,
                file,
                was_there,
            });
        }
        Ok(None) => {}
        Err(error) if !is_ours(&error) => return Err(error.into()),
        Err(error) => news(&News::Damaged(&error)),
    }
    let known = match PlaceFile::read(&path) {
        Ok(file) if file.plan == *plan => file.rows,
        _ => Vec::new(),
    };
    check_place(&path).map_err(|error| PLACE_FILE.unwritable(&path, error))?;
    let portions = plan.at(place);
    let wanted = portions
        .iter()
        .map(|(task, parts)| match &plan.tasks()[*task] {
            Task::Games(games) => games.numbers(parts).len() as u64,
            _ => 0,
        });
    let wanted: u64 = wanted.sum();
    let (mut content, mut rows) = (Content::default(), Vec::new());
    let pace = match (plan.reference(), machine.speed) {
        (Some(reference), Some(speed)) => Pace::of(speed, reference),
        _ => Pace::EQUAL,
    };
    plan.provide(hands)?;
    for (number, parts) in portions {
        let task = &plan.tasks()[number];
        if let Task::Games(games) = task {
            // Tables that the program builds automatically must exist before the identity below is computed: games depend on them.
            tables_before_play(&games.spec.specs(), games.spec.game, hands.stop);
        }
        let here = task.identity_here()?;
        if here != *task.identity() {
            let changes = here.changes(task.identity()).join(", ");
            return Err(ShardError::OtherIdentity { changes });
        }
        match task {
            Task::Games(task) => {
                let mut played: Vec<GameRecord> = Vec::new();
                let before = content.games.len();
                pace.play(task, task.numbers(&parts), hands, &mut |record| {
                    played.push(record);
                    let finished = (before + played.len()) as u64;
                    news(&News::Played {
                        finished,
                        games: wanted,
                    });
                    Ok(())
                })?;
                played.sort_by_key(|record| record.number);
                content.games.extend(played);
            }
            Task::Claims(_) | Task::Reviews(_) | Task::Frontier(_) => {
                let mut found: Vec<Found> = Vec::new();
                let before = content.found.len();
                task.find(&parts, hands, &mut |part, finding| {
                    let task = number;
                    found.push(Found {
                        task,
                        part,
                        finding,
                    });
                    let finished = before + found.len();
                    news(&News::Found { finished });
                })?;
                found.sort_by_key(|found| found.part);
                content.found.extend(found);
            }
            Task::Rows(task) => {
                let known = known.iter().filter(|known| known.task == number);
                let known = known.map(|known| known.entry.clone()).collect();
                let folder = rows_folder(folder, number);
                let files = make_rows(task, &parts, known, &folder, hands)?;
                news(&News::Rows { files: files.len() });
                rows.extend(files.into_iter().map(|entry| RowsFile {
                    task: number,
                    entry,
                }));
            }
        }
        if hands.stop.is_requested() {
            return Err(ShardError::Stopped);
        }
    }
    let file = PlaceFile::new((plan, source), place, machine, &content, rows);
    file.write(&path, &content)?;
    let was_there = false;
    Ok(Made {
        path,
        file,
        was_there,
    })
}

/// The file of a place, if it exists; an error if it is not valid.
fn there(inspector: &Inspector, place: Place, path: &Path) -> Result<Option<PlaceFile>, FileError> {
    let (file, _) = match inspector.read(path) {
        Err(error) if error.is_missing() => return Ok(None),
        read => read?,
    };
    if file.plan != *inspector.plan() {
        return Err(other_experiment(path, inspector.plan(), &file));
    }
    if file.place != place {
        let (found, wanted) = (file.place.to_string(), place.to_string());
        return Err(MISNAMED_FILE.error(path, Foreign::Subject { found, wanted }));
    }
    file.check_rows(path)?;
    Ok(Some(file))
}

/// The error for a file of another experiment.
pub(crate) fn other_experiment(path: &Path, wanted: &Plan, file: &PlaceFile) -> FileError {
    let of = match file.source.file.as_str() {
        "" => String::new(),
        name => format!(" of {name}"),
    };
    let differences = wanted.differences(&file.plan);
    let found = format!("experiment {}{of} ({differences})", file.plan.id());
    let wanted = format!("experiment {}", wanted.id());
    OTHER_PLACE_FILE.error(path, Foreign::Subject { found, wanted })
}

/// Whether the file is a damaged piece, which is made again. Files of other experiments, unreadable files and non-files such as pipes are left
/// alone.
fn is_ours(error: &FileError) -> bool {
    matches!(error.trouble, Trouble::Damaged(_))
}

fn make_rows(
    task: &Rows,
    parts: &Range<u64>,
    known: Vec<Entry>,
    folder: &Path,
    hands: &Hands<'_>,
) -> Result<Vec<Entry>, ShardError> {
    let build = Build {
        recipe: task.recipe.clone(),
        folder,
        rows: Some(task.rows),
        store: None,
        threads: hands.threads,
        mix: false,
    };
    let number = |part: u64| u32::try_from(part).unwrap_or(u32::MAX);
    let numbers = number(parts.start)..number(parts.end);
    let made = build_files(&build, numbers, known, hands.stop, Arc::new(|_| ()))?;
    made.ok_or(ShardError::Stopped)
}
