//! Who did the work.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;

/// The machine that made a file. Nothing that is compared depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// What it is called.
    pub name: String,
    /// Its processor.
    pub processor: String,
    /// How many threads it runs at once.
    pub threads: usize,
    /// The nodes a second of its `kalahari bench`, if somebody has measured them.
    #[serde(default)]
    pub speed: Option<u64>,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine {
            name,
            processor,
            threads,
            speed,
        } = self;
        write!(f, "{name}: {processor}, {threads} threads")?;
        match speed {
            Some(speed) => write!(f, ", {speed} nodes a second"),
            None => Ok(()),
        }
    }
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
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
}
