//! `kalahari doctor`: what this machine has, where our files are, and how to get rid of them.

use crate::arguments::threads;
use crate::commands::rate::RATINGS;
use crate::commands::tablebase::families;
use crate::failure::CheckFailed;
use crate::output;
use clap::Args;
use kalahari_exact::book::shipped_books;
use kalahari_exact::tablebase::{Tablebase, table_path};
use kalahari_net::shipped_nets;
use kalahari_storage::{cache_home, data_home, spare_memory};
use kalahari_terms::Program;
use serde::{Serialize, Serializer};
use std::ffi::OsString;
use std::fmt::Write;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs};

/// How long the doctor waits for Python to say its version.
const PYTHON_PATIENCE: Duration = Duration::from_secs(5);

/// A disk with less space than this is full: not even a small store of games fits.
const LEAST_FREE: u64 = 1 << 20;

/// Say what this machine has, where files are kept, how large they are, and how to free the space
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari doctor
  kalahari doctor --json

Exit status: 1 if something is found that will not work")]
pub(crate) struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Serialize)]
struct Findings {
    version: &'static str,
    commit: Option<&'static str>,
    target: String,
    optimised: bool,
    cores: usize,
    /// The memory that a table may still have; missing where the system does not say.
    spare_bytes: Option<u64>,
    books: Vec<String>,
    nets: Vec<String>,
    /// The endgame tables on disk.
    tables: Vec<Table>,
    /// The Python that plays `py:` agents: what it says its version is.
    python: Option<String>,
    data: Option<Folder>,
    cache: Option<Folder>,
    problems: Vec<String>,
}

/// An endgame table on disk.
#[derive(Serialize)]
struct Table {
    table: String,
    seeds: usize,
}

/// A folder of ours.
#[derive(Serialize)]
struct Folder {
    #[serde(serialize_with = "as_text")]
    path: PathBuf,
    /// The environment variable that moves it.
    variable: &'static str,
    bytes: u64,
    /// What is left on its disk; missing where the system does not say.
    free_bytes: Option<u64>,
    parts: Vec<Part>,
}

/// A file or folder directly inside it.
#[derive(Serialize)]
struct Part {
    name: String,
    bytes: u64,
}

impl Doctor {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let findings = Findings::gather();
        match self.json {
            true => output::print_json(&findings)?,
            false => output::print(&findings.text())?,
        }
        match findings.problems.is_empty() {
            true => Ok(()),
            false => Err(CheckFailed(findings.problems.join("; ")).into()),
        }
    }
}

impl Findings {
    fn gather() -> Self {
        let program = Program::this();
        let mut problems = Vec::new();
        let data = Folder::look(data_home(), "KALAHARI_HOME", &mut problems);
        let cache = Folder::look(cache_home(), "KALAHARI_CACHE", &mut problems);
        if data.is_none() {
            problems.push("there is no place for files: set KALAHARI_HOME to a folder".to_owned());
        }
        Findings {
            version: program.version,
            commit: program.commit,
            target: format!("{}-{}", env::consts::ARCH, env::consts::OS),
            optimised: !cfg!(debug_assertions),
            cores: threads(None),
            spare_bytes: spare_memory(),
            books: shipped_books().map(|game| game.to_string()).collect(),
            nets: shipped_nets()
                .map(|shape| format!("kalah:{}:{}", shape.pits(), shape.rule()))
                .collect(),
            tables: data.as_ref().map_or(Vec::new(), |data| tables(&data.path)),
            python: python(),
            data,
            cache,
            problems,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<11}{value}");
        };
        line("program", Program::maker());
        let build = match self.optimised {
            true => "an optimised build",
            false => {
                "a build with checks, several times slower (cargo build --release makes the quick one)"
            }
        };
        line("build", format!("{}, {build}", self.target));
        line("cores", self.cores.to_string());
        let memory = self.spare_bytes.map(size);
        line(
            "memory",
            memory.map_or("unknown".to_owned(), |free| format!("{free} available")),
        );
        line("books", self.books.join(", "));
        line("nets", self.nets.join(", "));
        let tables = self.tables.iter();
        let tables: Vec<String> = tables
            .map(|Table { table, seeds }| format!("{table} ({seeds} seeds)"))
            .collect();
        let no_tables = "none yet; they are built when they are needed";
        line(
            "tables",
            match tables.is_empty() {
                true => no_tables.to_owned(),
                false => tables.join(", "),
            },
        );
        let python = "none: py: agents need python3, or KALAHARI_PYTHON";
        line("python", self.python.clone().unwrap_or(python.to_owned()));
        for (name, folder) in [("data", &self.data), ("cache", &self.cache)] {
            let Some(folder) = folder else {
                continue;
            };
            let place = folder.path.display();
            let used = size(folder.bytes);
            let free = folder.free_bytes.map(size);
            let free = free.map_or(String::new(), |free| format!(", {free} free on its disk"));
            line(
                name,
                format!("{place}, {used}{free} (set {} to move it)", folder.variable),
            );
            for part in &folder.parts {
                line("", format!("  {:<24} {}", part.name, size(part.bytes)));
            }
        }
        text += "\nTo free space:\n";
        if !tables.is_empty() {
            text += "  kalahari tablebase delete --all   deletes the endgame tables; they are built again when needed\n";
        }
        text += "  --no-tables, KALAHARI_NO_TABLES=1 builds and uses none\n";
        for (name, why) in [
            ("book", "./scripts/book builds the book again"),
            (
                RATINGS,
                "it keeps the games of `kalahari rate`, which then plays them again",
            ),
        ] {
            let is_there = |data: &&Folder| data.parts.iter().any(|part| part.name == name);
            if let Some(data) = self.data.as_ref().filter(is_there) {
                let place = data.path.join(name);
                let _ = writeln!(text, "  {} can be deleted: {why}", place.display());
            }
        }
        if let Some(cache) = &self.cache {
            let place = cache.path.display();
            let _ = writeln!(
                text,
                "  everything in {place} can be deleted: it is worked out again when needed"
            );
        }
        for problem in &self.problems {
            let _ = writeln!(text, "\nPROBLEM: {problem}");
        }
        text
    }
}

impl Folder {
    /// Looks at a folder, which need not be there yet, and makes sure that something could be written.
    fn look(
        path: Option<PathBuf>,
        variable: &'static str,
        problems: &mut Vec<String>,
    ) -> Option<Self> {
        let path = path?;
        // If the folder is not there yet, it has to be possible to make it. Looking does not make it. A link that leads nowhere is there.
        let path = std::path::absolute(&path).unwrap_or(path);
        let is_missing = |folder: &Path| {
            fs::symlink_metadata(folder).is_err_and(|error| error.kind() == ErrorKind::NotFound)
        };
        let there = path.ancestors().find(|folder| !is_missing(folder));
        let there = there.unwrap_or(&path);
        let free_bytes = free_bytes(there);
        let place = path.display();
        if let Err(problem) = kalahari_storage::check_place(&there.join("doctor")) {
            problems.push(format!(
                "nothing can be written in {place} ({problem}): set {variable} to another folder"
            ));
        } else if let Some(free) = free_bytes.filter(|free| *free < LEAST_FREE) {
            // Empty files can be made even on a full disk.
            problems.push(format!(
                "the disk of {place} is full ({} left): free some space, or set {variable} to a folder elsewhere",
                size(free)
            ));
        }
        let mut parts: Vec<Part> = fs::read_dir(&path)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| Part {
                name: printable(&entry.file_name().to_string_lossy()),
                bytes: bytes_of(&entry.path(), 8),
            })
            .collect();
        parts.sort_by(|one, other| one.name.cmp(&other.name));
        Some(Folder {
            bytes: parts.iter().map(|part| part.bytes).sum(),
            free_bytes,
            path,
            variable,
            parts,
        })
    }
}

/// The endgame tables in the data directory that can be read.
fn tables(home: &Path) -> Vec<Table> {
    let found = families().filter_map(|family| {
        let info = Tablebase::file_info(&table_path(home, family)).ok()?;
        Some(Table {
            table: family.to_string(),
            seeds: info.seeds,
        })
    });
    found.collect()
}

/// The bytes that a user may still write on the disk of a folder.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    // A file system without a size does not say how much of it is free.
    if disk.f_blocks == 0 {
        return None;
    }
    disk.f_bavail.checked_mul(disk.f_frsize)
}

/// This system is not asked.
#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// The bytes of a file, or of everything in a folder. Links are not followed, and folders only down to `depth`.
fn bytes_of(path: &Path, depth: usize) -> u64 {
    let Ok(about) = fs::symlink_metadata(path) else {
        return 0;
    };
    if !about.is_dir() || depth == 0 {
        return about.len();
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .map(|entry| bytes_of(&entry.path(), depth - 1))
        .sum()
}

/// The version that the Python for `py:` agents reports. A program that says nothing for some seconds is none.
fn python() -> Option<String> {
    let named = env::var_os("KALAHARI_PYTHON").filter(|name| !name.is_empty());
    let name = named.unwrap_or_else(|| OsString::from("python3"));
    let mut command = Command::new(&name);
    let mut child = command
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let said = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        // A version is short; there may be no end of anything else.
        let read = said.take(200).read_to_end(&mut text);
        // This fails if nobody waits any more.
        let _ = sender.send(read.map(|_| text));
    });
    let text = receiver.recv_timeout(PYTHON_PATIENCE);
    // A program that has said its version has ended or is about to.
    let is_good = text.is_ok()
        && (0..50).any(|_| match child.try_wait() {
            Ok(None) => {
                std::thread::sleep(Duration::from_millis(20));
                false
            }
            ended => ended.is_ok_and(|status| status.is_some_and(|status| status.success())),
        });
    // Both fail if it has ended.
    let _ = child.kill();
    let _ = child.wait();
    let text = text.ok()?.ok()?;
    let version = printable(String::from_utf8_lossy(&text).trim());
    let name = printable(&name.to_string_lossy());
    is_good.then(|| format!("{version} ({name})"))
}

/// A text without control characters, which would garble the terminal.
fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control(), "?")
}

/// A path as text; what is not Unicode in it is replaced.
fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Bytes in words.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KiB", bytes >> 10),
        1_048_576..1_073_741_824 => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64),
    }
}
