//! How programs that play games talk to each other.
//!
//! [`ugi`] is the universal game interface as text and values, without input and output: every command a runner may send and
//! every answer an engine may give is read by `FromStr` and written by `Display`.
//! [`Engine`] is a thin adapter to a child process that speaks it. It does not rely on the process to answer, to stop or
//! to be moderate in what it prints. [`Lines`] reads lines of bounded length, and [`Doors`] limits the number of
//! connections to a server.
//!
//! [`kgp`] is the Kalah Game Protocol in the same form; its network side is in another crate, `kalahari-kgp`.
//!
//! Moves and positions are plain text here; the rules of the game are implemented elsewhere.

pub mod kgp;
pub mod ugi;

mod doors;
mod engine;
mod lines;
mod process;

pub use doors::{Doors, Pass};
pub use engine::{Answered, Dialect, Engine, EngineError, Question};
pub use lines::{Line, Lines, MAX_LINE};
pub use process::end_all;

/// Splits a command into words as a shell does: at blanks, with quotes and backslashes. `None` if a quote is
/// not closed or the first word is missing or empty.
///
/// ```
/// let words = kalahari_protocol::split_command("python3 'my agent.py' --level 3");
/// assert_eq!(words.unwrap(), ["python3", "my agent.py", "--level", "3"]);
/// ```
pub fn split_command(text: &str) -> Option<Vec<String>> {
    shlex::split(text).filter(|words| words.first().is_some_and(|program| !program.is_empty()))
}
