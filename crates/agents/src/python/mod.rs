//! A Python file as a player, without a wrapper.
//!
//! [`BRIDGE`] is a small program that speaks the universal game interface and calls the file's function or class. So a Python file
//! is an engine like any other: the same deadlines apply, and it is stopped in the same way.

mod files;

pub(crate) use files::companions;

use crate::options::Options;
use crate::{AgentError, AgentProblem, AgentSpec, OptionKey};
use std::env;
use std::path::Path;

/// The program that `python3` runs. It is passed as an argument, so that no file has to be written.
const BRIDGE: &str = include_str!("bridge.py");

/// The memory limit of an agent in MiB, unless its spec names one.
const MEMORY: u32 = 2048;

/// The environment variable that names an interpreter other than `python3`.
const INTERPRETER: &str = "KALAHARI_PYTHON";

/// The interpreter's name.
pub(crate) fn interpreter() -> String {
    let named = env::var(INTERPRETER).ok().filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "python3".to_owned())
}

/// The file of a spec `py:FILE`.
pub(crate) fn file(spec: &AgentSpec) -> Option<&str> {
    spec.option(OptionKey::Bare)
}

/// The command that starts the player of a spec `py:FILE`.
pub(crate) fn command(
    spec: &AgentSpec,
    options: &mut Options<'_>,
) -> Result<Vec<String>, AgentError> {
    let file = options.text(OptionKey::Bare).unwrap_or_default();
    let memory = options
        .number(OptionKey::Memory, 64, 1 << 20)?
        .unwrap_or(MEMORY);
    if file.is_empty() {
        return Err(spec.error(AgentProblem::NoPythonFile));
    }
    if !Path::new(file).is_file() {
        let full = std::path::absolute(file).unwrap_or_else(|_| file.into());
        return Err(spec.error(AgentProblem::MissingFile(full)));
    }
    Ok(vec![
        interpreter(),
        "-c".to_owned(),
        BRIDGE.to_owned(),
        file.to_owned(),
        memory.to_string(),
    ])
}
