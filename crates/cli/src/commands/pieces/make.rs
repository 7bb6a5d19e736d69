//! `kalahari run EXPERIMENT --shards N --shard K --out DIR`: some pieces of an experiment.

use super::plan::{Opened, Planning, absolute};
use super::{counted, run_command};
use crate::arguments::{self, threads};
use crate::{interrupt, output, progress};
use clap::Args;
use kalahari_arena::Hands;
use kalahari_shards::{Inspector, Machine, Made, News, Place, PlanFile, Task, Work, make};
use kalahari_storage::data_home;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

/// Which pieces of an experiment are done here.
#[derive(Clone, Debug, Args)]
pub(crate) struct PieceFlags {
    /// Cut the experiment into this many shards, for many machines; --shard says which to do here
    #[arg(long, value_name = "N", requires = "shard", requires = "out", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shards: Option<u32>,

    /// Which shards to do, numbered from 0: 17, or 3,7-9
    #[arg(long, value_name = "K", requires = "shards")]
    shard: Option<Numbers>,

    /// The folder for the files of shards; a complete file that is already there is not made again
    #[arg(long, value_name = "DIR", requires = "shards")]
    out: Option<PathBuf>,

    /// Shards: give slower machines more time, and faster ones less, as `kalahari bench` measures them; the machine of
    /// the first shard gets the time set in the experiment
    #[arg(long, requires = "shards")]
    scale_time: bool,

    /// Shards: threads to use; all cores if left out
    #[arg(long, value_name = "N", requires = "shards", value_parser = arguments::thread_count)]
    threads: Option<usize>,
}

/// Numbers such as `3,7-9`, as job arrays write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers(Vec<std::ops::RangeInclusive<u32>>);

/// Why a text is not a list of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad shard '{0}': numbers from 0, such as 17 or 3,7-9")]
pub(crate) struct NumbersError(String);

impl FromStr for Numbers {
    type Err = NumbersError;

    fn from_str(text: &str) -> Result<Self, NumbersError> {
        let bad = || NumbersError(text.to_owned());
        let mut ranges = Vec::new();
        for word in text.split(',') {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            let number = |word: &str| word.trim().parse::<u32>().map_err(|_| bad());
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(bad());
            }
            ranges.push(first..=last);
        }
        Ok(Numbers(ranges))
    }
}

impl Numbers {
    /// The pieces with these numbers, out of `shards`.
    fn places(&self, shards: u32) -> anyhow::Result<Vec<Place>> {
        let mut places = Vec::new();
        for range in &self.0 {
            // Checked first, so that a wrong range does not become a long list.
            Place::new(*range.end(), shards)?;
            for shard in range.clone() {
                places.push(Place::new(shard, shards)?);
            }
        }
        Ok(places)
    }
}

impl PieceFlags {
    /// What is asked for: pieces and their folder. `None` if the experiment is not done in pieces.
    pub(crate) fn asked(&self) -> anyhow::Result<Option<Pieces>> {
        let (Some(shards), Some(numbers), Some(out)) = (self.shards, &self.shard, &self.out) else {
            return Ok(None);
        };
        Ok(Some(Pieces {
            places: numbers.places(shards)?,
            folder: absolute(out)?,
            shown: out.clone(),
            threads: threads(self.threads),
            scale_time: self.scale_time,
        }))
    }
}

/// Pieces to be done.
pub(crate) struct Pieces {
    places: Vec<Place>,
    folder: PathBuf,
    /// The folder as it was named.
    shown: PathBuf,
    threads: usize,
    scale_time: bool,
}

impl Pieces {
    /// Does them, one after the other.
    pub(crate) fn run(&self, file: &Path, json: bool) -> anyhow::Result<()> {
        let opened = Opened::open(file)?;
        let hands = Hands {
            threads: self.threads,
            cache: Some(PlanFile::openings_folder(&self.folder)),
            stop: interrupt::stop(),
        };
        let planning = Planning::new();
        let planned = opened.plan(Some(&self.folder), &hands, self.scale_time)?;
        drop(planning);
        let machine = Machine::of_plan(&planned.plan, data_home().as_deref());
        let inspector = Inspector::new(&planned.plan, [self.folder.as_path()]);
        for (done, place) in self.places.iter().enumerate() {
            let work = Work {
                inspector: &inspector,
                source: &planned.source,
                machine: &machine,
                place: *place,
                folder: &self.folder,
                hands: &hands,
            };
            let mut ticker = progress::Ticker::new();
            let made = make(&work, &mut |news| match news {
                News::Damaged(error) => eprintln!("kalahari: {error} (it is made again now)"),
                News::Played { finished, games } => {
                    ticker.show(|| format!("{place}: {finished} of {games} games"));
                }
                News::Found { finished } => {
                    ticker.show(|| format!("{place}: {}", counted(*finished as u64, "part")));
                }
                News::Rows { files } => {
                    ticker.show(|| format!("{place}: {}", counted(*files as u64, "file")));
                }
                _ => {}
            });
            ticker.clear();
            self.tell(&made?, json)?;
            if interrupt::was_requested() {
                let left = &self.places[done + 1..];
                if !left.is_empty() {
                    let name = file.display().to_string();
                    let left = run_command(&name, left, &self.shown);
                    eprintln!("kalahari: stopped; the rest: {left}");
                }
                break;
            }
        }
        Ok(())
    }

    fn tell(&self, made: &Made, json: bool) -> anyhow::Result<()> {
        let Made {
            path,
            file,
            was_there,
        } = made;
        let rows: u64 = file.rows.iter().map(|rows| rows.entry.rows).sum();
        let shown = self.shown.join(path.file_name().unwrap_or_default());
        if json {
            return output::print_json(&json!({
                "shard": file.place.shard(), "shards": file.place.shards(), "file": shown.display().to_string(),
                "games": file.games, "rows": rows, "found": file.found, "was_there": was_there, "experiment": file.plan.id(),
            }));
        }
        let mut what = Vec::new();
        if file.games > 0 {
            what.push(counted(file.games, "game"));
        }
        let tasks = file.plan.tasks();
        for (task, parts) in file.plan.at(file.place) {
            let noun = match tasks.get(task) {
                Some(Task::Claims(_)) => "job",
                Some(Task::Reviews(_)) => "judged game",
                Some(Task::Frontier(_)) => "position",
                Some(Task::Games(_) | Task::Rows(_)) | None => continue,
            };
            what.push(counted(parts.end - parts.start, noun));
        }
        if !file.rows.is_empty() {
            what.push(counted(rows, "row"));
        }
        if what.is_empty() {
            what.push("nothing to do, since there are more shards than parts".to_owned());
        }
        let there = match was_there {
            true => " (it was already there and is sound)",
            false => "",
        };
        output::print(&format!(
            "{}: {}, {}{there}\n",
            shown.display(),
            file.place,
            what.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_shards() {
        let shards = |text: &str| {
            let numbers: Numbers = text.parse().expect(text);
            let places = numbers.places(12).map_err(|error| error.to_string())?;
            Ok::<_, String>(places.iter().map(|place| place.shard()).collect::<Vec<_>>())
        };
        assert_eq!(shards("3,7-9"), Ok(vec![3, 7, 8, 9]));
        assert_eq!(shards("0"), Ok(vec![0]));
        assert!(
            shards("3-12")
                .expect_err("too many")
                .contains("no shard 12 of 12")
        );
        assert!(shards("0-4294967295").is_err());
        for bad in ["", "x", "3-", "9-3", "-1", "1,,2"] {
            assert!(bad.parse::<Numbers>().is_err(), "{bad}");
        }
    }
}
