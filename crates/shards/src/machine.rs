//! Who did the work.

use serde::{Deserialize, Serialize};
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
        }
    }
}
