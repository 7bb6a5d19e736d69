//! The machine that did the work, and its speed.

use crate::plan::Plan;
use kalahari_search::bench;
use kalahari_storage::{open_alone, read_file, write_whole};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::str::FromStr;

/// The machine that made a file. It is information only: files are not compared by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Its host name.
    pub name: String,
    /// Its processor.
    pub processor: String,
    /// How many threads it runs at once.
    pub threads: usize,
    /// The nodes a second of `kalahari bench` on it, if that has been measured.
    #[serde(default)]
    pub speed: Option<u64>,
}

/// The words after the number of threads, and after the speed.
const THREADS: &str = " threads";
const SPEED: &str = " nodes a second";

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine {
            name,
            processor,
            threads,
            speed,
        } = self;
        write!(f, "{name}: {processor}, {threads}{THREADS}")?;
        match speed {
            Some(speed) => write!(f, ", {speed}{SPEED}"),
            None => Ok(()),
        }
    }
}

/// A text does not describe a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a description of a machine as shards write it")]
pub struct NotAMachine;

impl FromStr for Machine {
    type Err = NotAMachine;

    /// Reads what `Display` writes, which is how stores keep machines.
    fn from_str(text: &str) -> Result<Self, NotAMachine> {
        let (name, rest) = text.split_once(": ").ok_or(NotAMachine)?;
        let (rest, speed) = match rest.strip_suffix(SPEED) {
            Some(rest) => {
                let (rest, speed) = rest.rsplit_once(", ").ok_or(NotAMachine)?;
                (rest, Some(speed.parse().map_err(|_| NotAMachine)?))
            }
            None => (rest, None),
        };
        let rest = rest.strip_suffix(THREADS).ok_or(NotAMachine)?;
        let (processor, threads) = rest.rsplit_once(", ").ok_or(NotAMachine)?;
        Ok(Machine {
            name: name.to_owned(),
            processor: processor.to_owned(),
            threads: threads.parse().map_err(|_| NotAMachine)?,
            speed,
        })
    }
}

impl Machine {
    /// This machine, with its speed if that was measured before.
    pub fn this(home: Option<&Path>) -> Self {
        let mut machine = Self::unmeasured();
        machine.speed = home.and_then(|home| kept(home).get(&machine.key()).copied());
        machine
    }

    /// This machine, with its speed. Measuring takes some seconds and happens once per processor model and version of the program, unless the
    /// result cannot be saved: then it is measured again the next time.
    pub fn measured(home: Option<&Path>) -> Self {
        let known = Self::this(home);
        if known.speed.is_some() {
            return known;
        }
        // One process at a time: two measurements would slow each other down.
        let lock = home.and_then(|home| {
            fs::create_dir_all(home).ok()?;
            let mut options = OpenOptions::new();
            let options = options.create(true).truncate(false).write(true);
            let file = home.join(LOCK);
            // A measurement takes seconds. The many attempts are for a busy machine.
            (0..60).find_map(|_| open_alone(&file, options).ok())
        });
        let mut machine = Self::this(home);
        if machine.speed.is_none() {
            let (mut nodes, mut seconds) = (0, 0.0);
            bench::run(&mut |row| {
                nodes += row.nodes;
                seconds += row.seconds;
            });
            let speed = (nodes as f64 / f64::max(seconds, 1e-9)).round() as u64;
            machine.speed = Some(speed);
            if let (Some(home), Some(_)) = (home, &lock) {
                let mut all = kept(home);
                all.insert(machine.key(), speed);
                let text = serde_json::to_string_pretty(&all).unwrap_or_default() + "\n";
                let _ = write_whole(&home.join(SPEEDS), text.as_bytes());
            }
        }
        machine
    }

    /// This machine, measured if the plan has games with time limits.
    pub fn of_plan(plan: &Plan, home: Option<&Path>) -> Self {
        match plan.has_clocks() {
            true => Self::measured(home),
            false => Self::this(home),
        }
    }

    fn unmeasured() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let name = match read("/proc/sys/kernel/hostname").trim() {
            "" => std::env::var("HOSTNAME").unwrap_or_default(),
            name => name.to_owned(),
        };
        let processors = read("/proc/cpuinfo");
        let model = processors
            .lines()
            .find(|line| line.starts_with("model name"));
        let model = model.and_then(|line| line.split_once(':'));
        Machine {
            name,
            processor: model.map_or("", |(_, model)| model.trim()).to_owned(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            speed: None,
        }
    }

    /// The key of its speed in the file of speeds. Machines of different kinds may share a data directory.
    fn key(&self) -> String {
        let program = kalahari_terms::Program::this();
        let commit = program.commit.unwrap_or_default();
        let version = kalahari_terms::VERSION;
        let build = if cfg!(debug_assertions) {
            " with assertions"
        } else {
            ""
        };
        format!("{}, kalahari {version} {commit}{build}", self.processor)
    }
}

/// The file of measured speeds in the data directory, and the lock of the process that measures.
const SPEEDS: &str = "speeds.json";
const LOCK: &str = "speeds.lock";

/// The speeds that were measured. A damaged file counts as empty.
fn kept(home: &Path) -> BTreeMap<String, u64> {
    let text = read_file(&home.join(SPEEDS)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// A warning if the fastest machine is more than a fifth faster than the slowest: games with time limits were not played under equal conditions.
pub fn unfair<'a>(machines: impl IntoIterator<Item = &'a Machine>) -> Option<String> {
    let speeds = machines
        .into_iter()
        .filter_map(|machine| Some((machine.speed?, &machine.name)));
    let speeds: Vec<(u64, &String)> = speeds.collect();
    let (slow, fast) = (speeds.iter().min()?, speeds.iter().max()?);
    (fast.0 as f64 > 1.2 * slow.0 as f64).then(|| {
        format!(
            "games had time limits, and {} is {:.0}% faster than {}: conditions were not equal everywhere (--scale-time gives slower machines more time; node limits are better)",
            fast.1,
            100.0 * (fast.0 as f64 / slow.0.max(1) as f64 - 1.0),
            slow.1
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(name: &str, speed: Option<u64>) -> Machine {
        Machine {
            name: name.to_owned(),
            processor: "Some(R) CPU, 2.0 GHz: fast".to_owned(),
            threads: 4,
            speed,
        }
    }

    #[test]
    fn machines_are_read_as_they_are_written() {
        for speed in [None, Some(1_234_567)] {
            let one = machine("node7", speed);
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        assert!("somewhere".parse::<Machine>().is_err());
    }

    #[test]
    fn a_fifth_is_too_much() {
        let (a, b) = (machine("a", Some(100)), machine("b", Some(119)));
        assert_eq!(unfair([&a, &b]), None);
        let c = machine("c", Some(130));
        let text = unfair([&a, &b, &c, &machine("d", None)]).expect("too different");
        assert!(text.contains("c is 30% faster than a"), "{text}");
        assert_eq!(unfair([&machine("d", None)]), None);
    }

    #[test]
    fn a_speed_is_kept() {
        let home = tempfile::tempdir().expect("a folder");
        let this = Machine::this(Some(home.path()));
        assert_eq!(this.speed, None);
        let all = BTreeMap::from([(this.key(), 77)]);
        let text = serde_json::to_string(&all).expect("written");
        fs::write(home.path().join(SPEEDS), text).expect("written");
        assert_eq!(Machine::measured(Some(home.path())).speed, Some(77));
        fs::write(home.path().join(SPEEDS), "{").expect("written");
        assert_eq!(Machine::this(Some(home.path())).speed, None);
    }
}
