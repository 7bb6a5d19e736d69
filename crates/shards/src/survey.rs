//! The state of an experiment: which pieces are valid, which are refused, and which are missing.

use crate::error::PLACE_FILE;
use crate::file::{EXTENSION, PlaceFile};
use crate::inspector::Inspector;
use crate::make::other_experiment;
use crate::place::Place;
use crate::plan::Plan;
use kalahari_storage::FileError;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A file that is not used.
#[derive(Debug)]
pub struct Refused {
    /// The reason, which names the file.
    pub why: FileError,
}

/// The pieces of an experiment that were found.
#[derive(Debug)]
pub struct Survey {
    /// The plan of the experiment: the wanted one, or the one that most files belong to.
    pub plan: Option<Plan>,
    /// Its pieces, each once, in the order of their places. Their files of rows have been checked. Their content is checked by
    /// [`merge`](crate::merge()) and [`inspect`](crate::inspect()); it has been checked already where a piece was found more than once.
    pub files: Vec<(PathBuf, PlaceFile)>,
    /// How many valid files are extra copies of a piece.
    pub doubled: usize,
    /// The files that are not used, and why.
    pub refused: Vec<Refused>,
    /// The pieces that are missing, if there are as many as most files say.
    pub missing: Vec<Place>,
    /// Checks the pieces, once there are any.
    pub(crate) inspector: Option<Arc<Inspector>>,
}

impl Survey {
    /// How many pieces there should be, as most files say, or, without files, as the missing places say.
    pub fn shards(&self) -> Option<u32> {
        most(self.files.iter().map(shards_of)).or(self.missing.first().map(|place| place.shards()))
    }

    /// How many valid files belong to a split into this many pieces, and how many to other splits.
    pub fn counted(&self, shards: u32) -> (usize, usize) {
        let files = self.files.iter();
        let alike = files.filter(|(_, file)| file.place.shards() == shards);
        let alike = alike.count();
        (alike, self.files.len() - alike)
    }

    /// Whether judgements of reviews are compared with the games. They are not if the games cannot be read on this machine.
    pub fn has_games_of_reviews(&self) -> bool {
        let inspector = self.inspector.as_ref();
        inspector.is_none_or(|inspector| inspector.has_games_of_reviews())
    }

    /// Finds out which pieces are missing if there should be this many.
    pub(crate) fn look_for_missing(&mut self, shards: Option<u32>) {
        let there = self.files.iter().map(|(_, file)| file.place);
        self.missing = match (&self.plan, shards) {
            (Some(plan), Some(shards)) => missing(plan, shards, there),
            _ => Vec::new(),
        };
    }
}

/// Looks at these files, and at all pieces in these folders.
pub fn survey(paths: &[PathBuf]) -> Result<Survey, FileError> {
    survey_of(paths, None)
}

/// Like [`survey()`] for a known experiment. Pieces of any other are refused, however many there are.
pub fn survey_of(paths: &[PathBuf], wanted: Option<&Plan>) -> Result<Survey, FileError> {
    look(paths, wanted, None)
}

/// Like [`survey_of`] for callers that look repeatedly: what the inspector has computed is reused.
pub fn survey_with(paths: &[PathBuf], inspector: &Arc<Inspector>) -> Result<Survey, FileError> {
    look(paths, Some(inspector.plan()), Some(inspector))
}

fn look(
    paths: &[PathBuf],
    wanted: Option<&Plan>,
    inspector: Option<&Arc<Inspector>>,
) -> Result<Survey, FileError> {
    let mut sound: Vec<(PathBuf, PlaceFile)> = Vec::new();
    let mut refused = Vec::new();
    let paths = piece_files(paths)?;
    let read: Vec<_> = paths.par_iter().map(|path| PlaceFile::read(path)).collect();
    for (path, read) in paths.into_iter().zip(read) {
        match read {
            Ok(file) => sound.push((path, file)),
            Err(why) => refused.push(Refused { why }),
        }
    }
    let ids: Vec<String> = sound.iter().map(|(_, file)| file.plan.id()).collect();
    let id = most(ids.iter().cloned());
    let plan = wanted.cloned().or_else(|| {
        let found = sound
            .iter()
            .zip(&ids)
            .find(|(_, one)| Some(*one) == id.as_ref());
        found.map(|((_, file), _)| file.plan.clone())
    });
    let mut candidates: BTreeMap<Place, Vec<(PathBuf, PlaceFile)>> = BTreeMap::new();
    for (path, file) in sound {
        match &plan {
            Some(plan) if file.plan == *plan => {
                candidates.entry(file.place).or_default().push((path, file));
            }
            Some(plan) => refused.push(Refused {
                why: other_experiment(&path, plan, &file),
            }),
            None => {}
        }
    }
    let named = most(candidates.values().flatten().map(shards_of));
    let folders = candidates.values().flatten();
    let folders = folders.filter_map(|(path, _)| path.parent());
    let inspector = inspector.cloned().or_else(|| {
        let plan = plan.as_ref()?;
        Some(Arc::new(Inspector::new(plan, folders)))
    });
    let mut files = Vec::new();
    let mut doubled = 0;
    for same in candidates.into_values() {
        let mut chosen = None;
        // Content is usually read when pieces are joined; if a piece exists more than once, it is read now, to choose a valid copy.
        let is_alone = same.len() == 1;
        for (path, file) in same {
            let checked = match &inspector {
                Some(inspector) if !is_alone => {
                    let read = inspector.read(&path);
                    read.and_then(|(file, _)| file.check_rows(&path))
                }
                _ => file.check_rows(&path),
            };
            match checked {
                Ok(()) if chosen.is_none() => chosen = Some((path, file)),
                Ok(()) => doubled += 1,
                Err(why) => refused.push(Refused { why }),
            }
        }
        files.extend(chosen);
    }
    let shards = most(files.iter().map(shards_of)).or(named);
    let mut survey = Survey {
        plan,
        files,
        doubled,
        refused,
        missing: Vec::new(),
        inspector,
    };
    survey.look_for_missing(shards);
    Ok(survey)
}

/// The number of pieces that a file's experiment was split into.
fn shards_of((_, file): &(PathBuf, PlaceFile)) -> u32 {
    file.place.shards()
}

/// The named files, and the files of pieces in the named folders, in order.
fn piece_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error| PLACE_FILE.unreadable(path, error);
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.extension().is_some_and(|end| end == EXTENSION) {
                inside.push(file);
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// Numbers as batch schedulers write them: `0,3-7,9`.
pub fn numbers_text(places: &[Place]) -> String {
    let ranges = places.iter().map(|place| u64::from(place.shard()));
    let ranges = joined(ranges.map(|number| number..number + 1));
    let words = ranges.iter().map(|range| match range.end - range.start {
        1 => range.start.to_string(),
        _ => format!("{}-{}", range.start, range.end - 1),
    });
    words.collect::<Vec<_>>().join(",")
}

/// The most frequent value; of several the smallest.
fn most<T: Ord>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut counts = BTreeMap::new();
    for one in all {
        *counts.entry(one).or_insert(0_usize) += 1;
    }
    let best = counts.values().copied().max()?;
    counts
        .into_iter()
        .find(|(_, count)| *count == best)
        .map(|(one, _)| one)
}

/// The places, if there are this many, with parts that no file has.
fn missing(plan: &Plan, shards: u32, there: impl Iterator<Item = Place>) -> Vec<Place> {
    let parts = plan.parts();
    let covered = joined(there.map(|place| place.range(parts)));
    let is_covered = |range: Range<u64>| {
        let after = covered.partition_point(|one| one.start <= range.start);
        let before = covered[..after].last();
        range.is_empty() || before.is_some_and(|one| range.end <= one.end)
    };
    let places = Place::all(shards);
    places
        .filter(|place| !is_covered(place.range(parts)))
        .collect()
}

/// The same numbers in as few ranges as possible, in order.
fn joined(ranges: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut ranges: Vec<_> = ranges.filter(|range| !range.is_empty()).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_most_often_there() {
        assert_eq!(most([3, 1, 2, 1].into_iter()), Some(1));
        assert_eq!(most([2, 1].into_iter()), Some(1));
        assert_eq!(most(std::iter::empty::<u32>()), None);
    }

    #[test]
    fn ranges_are_joined() {
        let places = [9, 1, 2, 3].map(|shard| Place::new(shard, 10).expect("a place"));
        assert_eq!(numbers_text(&places), "1-3,9");
        let ranges = [5..7, 0..2, 2..3, 9..9, 6..8, 10..11];
        assert_eq!(joined(ranges.into_iter()), [0..3, 5..8, 10..11]);
    }
}
