//! Writing results to standard output and to files. A reader that closes the pipe early causes no panic.

use crate::origin::origin;
use anyhow::Context;
use kalahari_arena::date_text;
use kalahari_arena::sqlite::now;
use kalahari_games::kalah::KalahSpec;
use kalahari_terms::Program;
use serde::Serialize;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes a text and makes sure that it is out.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a value as one line of JSON. An object also says which program made it.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&(signed_json(value)? + "\n"))
}

/// Writes a list as one line of JSON. Every object in it says which program made it.
pub(crate) fn print_json_list(values: &[impl Serialize]) -> anyhow::Result<()> {
    let signed: Vec<String> = values.iter().map(signed_json).collect::<Result<_, _>>()?;
    print(&format!("[{}]\n", signed.join(",")))
}

/// A value as JSON. An object also says which program made it.
pub(crate) fn signed_json(value: &impl Serialize) -> anyhow::Result<String> {
    let mut text = serde_json::to_string(value)?;
    // The members stay in the order in which they were written, which a map would not keep.
    if text.starts_with('{') && text.ends_with('}') && text.len() > 2 {
        text.pop();
        text += &format!(",\"made_by\":\"{}\"}}", Program::maker());
    }
    Ok(text)
}

/// Where the results of an experiment's step are kept: a path without an extension.
static KEPT: Mutex<Option<PathBuf>> = Mutex::new(None);

fn kept() -> MutexGuard<'static, Option<PathBuf>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on results are also kept in files that begin like this.
pub(crate) fn keep(stem: PathBuf) {
    *kept() = Some(stem);
}

/// From now on results are only shown.
pub(crate) fn keep_nothing() {
    *kept() = None;
}

/// Shows a result as text or as JSON. If an experiment wants them, keeps both, with their origin.
pub(crate) fn show(json: bool, text: &str, value: &impl Serialize) -> anyhow::Result<()> {
    if let Some(stem) = &*kept() {
        let (origin, date) = (origin(), date_text(now()));
        let head = format!("{text}\n{origin}, {date}\n{}\n", origin.command);
        let file = origin.experiment.as_deref().unwrap_or_default();
        let text = format!("{head}\n{file}");
        write_whole(&stem.with_extension("txt"), text.as_bytes())?;
        let all = json!({"origin": origin, "date": date, "result": value});
        let all = serde_json::to_string_pretty(&all)? + "\n";
        write_whole(&stem.with_extension("json"), all.as_bytes())?;
    }
    match json {
        true => print_json(value),
        false => print(text),
    }
}

/// Says to a person at a terminal what they may do next. Scripts and experiments know that already.
pub(crate) fn hint(text: &str) {
    if io::stderr().is_terminal() && origin().experiment.is_none() {
        eprint!("{text}");
    }
}

/// Keeps rows of CSV if an experiment wants them.
pub(crate) fn keep_rows(rows: &str) -> anyhow::Result<()> {
    match &*kept() {
        Some(stem) => write_whole(&stem.with_extension("csv"), rows.as_bytes()),
        None => Ok(()),
    }
}

/// Says that proofs are about another rule than the one that was named. Who wins is the same, the margin is not.
pub(crate) fn say_base_rule(spec: KalahSpec) {
    eprintln!("kalahari: {spec} is solved as its base rule");
}

/// Writes a file whole or not at all.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    kalahari_storage::write_whole(path, content)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Makes sure that a file can be written, before the work is done whose result it is to keep.
pub(crate) fn check_place(path: &Path) -> anyhow::Result<()> {
    kalahari_storage::check_place(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses to write over the file that is being read: the output is something else, and less.
pub(crate) fn not_over(input: &Path, output: &Path) -> anyhow::Result<()> {
    let same = match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output,
        // A file that does not exist cannot be the input.
        _ => false,
    };
    let name = output.display();
    anyhow::ensure!(!same, "{name} would overwrite itself; name another file");
    Ok(())
}

/// Writes a text that took long to make; to standard output if the file cannot be written after all.
pub(crate) fn write_or_print(path: &Path, text: &str) -> anyhow::Result<()> {
    let written = write_whole(path, text.as_bytes());
    if written.is_err() {
        print(text)?;
    }
    written
}

/// Whether an error only says that the reader has closed the pipe, as `head` does.
pub(crate) fn reader_is_gone(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
