//! Joins the pieces of an experiment.

use crate::file::{PlaceFile, rows_folder};
use crate::plan::{Plan, Task};
use crate::survey::{Refused, Survey};
use kalahari_arena::{ArenaError, Origin, Store};
use kalahari_dataset::{Collection, DatasetError};
use kalahari_storage::FileError;
use kalahari_terms::Stop;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where everything goes.
#[derive(Debug)]
pub struct Targets<'a> {
    /// The store of games.
    pub store: Option<&'a mut Store>,
    /// The folder of rows; if there is more than one dataset, each has a folder inside.
    pub rows: Option<&'a Path>,
}

/// What was joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Pieces that were joined.
    pub shards: usize,
    /// Games of these pieces.
    pub games: u64,
    /// Games that the target did not have before.
    pub new_games: u64,
    /// Files of rows of these pieces.
    pub files: u64,
    /// Rows of these files.
    pub rows: u64,
}

/// Why nothing can be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// No file is sound.
    #[error("there is no sound shard of an experiment")]
    Nothing,
    /// There are games, and no store.
    #[error("the experiment has games: --db FILE says where they go")]
    NoStore,
    /// There are rows, and no folder.
    #[error("the experiment has rows of a dataset: --out FOLDER says where they go")]
    NoFolder,
    /// The store refuses.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The dataset refuses.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

/// Joins all pieces of a survey, one after the other: what was joined stays if it is stopped. Pieces that turn out not to be sound
/// are added to those that the survey refuses. `progress` hears how many pieces are joined.
pub fn merge(
    survey: &mut Survey,
    mut targets: Targets<'_>,
    stop: &Stop,
    progress: &mut dyn FnMut(usize),
) -> Result<Merged, MergeError> {
    let plan = survey.plan.clone().ok_or(MergeError::Nothing)?;
    let mut collections = enter(&plan, &mut targets)?;
    let mut merged = Merged::default();
    let files = std::mem::take(&mut survey.files);
    for (path, file) in files {
        if stop.is_requested() {
            break;
        }
        match join(&path, &file, targets.store.as_deref_mut(), &mut collections)? {
            Ok(more) => {
                merged.shards += 1;
                merged.games += more.games;
                merged.new_games += more.new_games;
                merged.files += more.files;
                merged.rows += more.rows;
                progress(merged.shards);
                survey.files.push((path, file));
            }
            Err(why) => {
                survey.missing.push(file.place);
                survey.refused.push(Refused { why });
            }
        }
    }
    survey.missing.sort();
    if let Some(store) = targets.store.as_deref_mut() {
        credit(&plan, &survey.files, store)?;
    }
    for collection in collections.into_iter().flatten() {
        collection.finish()?;
    }
    Ok(merged)
}

/// Enters the matches into the store and opens a dataset for every task that has rows.
fn enter(plan: &Plan, targets: &mut Targets<'_>) -> Result<Vec<Option<Collection>>, MergeError> {
    let datasets = plan
        .tasks()
        .iter()
        .filter(|task| matches!(task, Task::Rows(_)));
    let many = datasets.count() > 1;
    let mut collections = Vec::new();
    for (number, task) in plan.tasks().iter().enumerate() {
        collections.push(match task {
            Task::Games(games) => {
                let store = targets.store.as_deref_mut().ok_or(MergeError::NoStore)?;
                store.begin(&games.spec, &games.identity)?;
                None
            }
            Task::Rows(rows) => {
                let folder = targets.rows.ok_or(MergeError::NoFolder)?;
                let folder = match many {
                    true => folder.join(format!("dataset-{number}")),
                    false => folder.to_owned(),
                };
                Some(Collection::begin(&folder, &rows.recipe, &rows.identity)?)
            }
        });
    }
    Ok(collections)
}

/// Writes down which machines have played.
fn credit(
    plan: &Plan,
    files: &[(PathBuf, PlaceFile)],
    store: &mut Store,
) -> Result<(), ArenaError> {
    let mut origins: BTreeMap<String, (Origin, BTreeSet<String>)> = BTreeMap::new();
    for (_, file) in files.iter().filter(|(_, file)| file.games > 0) {
        let origin = Origin {
            program: file.program.clone(),
            commit: file.commit.clone(),
            machine: file.machine.to_string(),
            command: match file.source.file.is_empty() {
                true => String::new(),
                false => format!("kalahari run {}", file.source.file),
            },
            experiment: Some(file.source.text.clone()).filter(|text| !text.is_empty()),
        };
        let tasks = plan.at(file.place).into_iter();
        let matches = tasks.filter_map(|(task, _)| match &plan.tasks()[task] {
            Task::Games(games) => Some(games.id()),
            Task::Rows(_) => None,
        });
        let key = format!("{} {} {:?}", origin.machine, origin.program, origin.commit);
        let entry = origins.entry(key);
        let (_, all) = entry.or_insert_with(|| (origin, BTreeSet::new()));
        all.extend(matches);
    }
    for (origin, matches) in origins.into_values() {
        store.credit(&origin, &matches.into_iter().collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Joins one piece, or says why it is not sound.
fn join(
    path: &Path,
    file: &PlaceFile,
    store: Option<&mut Store>,
    collections: &mut [Option<Collection>],
) -> Result<Result<Merged, FileError>, MergeError> {
    let mut merged = Merged::default();
    if file.games > 0 {
        let games = match PlaceFile::read_games(path) {
            Ok((_, games)) => games,
            Err(why) => return Ok(Err(why)),
        };
        let store = store.ok_or(MergeError::NoStore)?;
        merged.games = games.len() as u64;
        merged.new_games = store.add_all(&games)?;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    for rows in &file.rows {
        let Some(Some(collection)) = collections.get_mut(rows.task) else {
            continue;
        };
        match collection.add(&rows.entry, &rows_folder(folder, rows.task)) {
            Ok(()) => {
                merged.files += 1;
                merged.rows += rows.entry.rows;
            }
            Err(DatasetError::File(why)) => return Ok(Err(why)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Ok(merged))
}
