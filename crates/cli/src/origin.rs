//! Which program, on which machine and for which experiment: what stores and reports say of a run.

use kalahari_arena::Origin;
use std::sync::OnceLock;

/// The experiment that this program runs, if it runs one.
static EXPERIMENT: OnceLock<String> = OnceLock::new();

/// From now on everything is done for an experiment; this is its file.
pub(crate) fn set_experiment(text: &str) {
    // A program runs one experiment.
    let _ = EXPERIMENT.set(text.to_owned());
}

/// Where results of this program come from.
pub(crate) fn origin() -> Origin {
    Origin {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        commit: Some(env!("KALAHARI_COMMIT").to_owned()).filter(|commit| !commit.is_empty()),
        machine: machine(),
        command: command_line(),
        experiment: EXPERIMENT.get().cloned(),
    }
}

/// The command line, as a user would type it again.
fn command_line() -> String {
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words
        .map(|word| crate::experiment::quote(&word.to_string_lossy()))
        .collect();
    format!("kalahari {}", words.join(" "))
}

/// The processor, its cores, the memory and the system, as far as they can be known.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut parts = Vec::new();
    parts.extend(proc_line("/proc/cpuinfo", "model name"));
    parts.push(match cores {
        1 => "1 core".to_owned(),
        cores => format!("{cores} cores"),
    });
    let memory = proc_line("/proc/meminfo", "MemTotal");
    let kibibytes = memory.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    parts.extend(kibibytes.map(|kibibytes| format!("{:.0} GiB", kibibytes as f64 / 1_048_576.0)));
    parts.push(format!(
        "{} {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    ));
    parts.join(", ")
}

/// The value behind a key in a file of the system.
fn proc_line(file: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    let value = line.split_once(':')?.1.trim();
    (!value.is_empty()).then(|| value.to_owned())
}
