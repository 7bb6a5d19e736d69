//! How programs that play games talk to each other.
//!
//! [`ugi`] is the universal game interface as pure text and values: every command a runner may send and
//! every answer an engine may give is read by `FromStr` and written by `Display`, in both directions.
//! [`Engine`] is a thin adapter to a child process that speaks it, and trusts it with nothing: neither
//! with answering, nor with stopping, nor with our memory. [`Lines`] reads lines of bounded length, and [`Doors`] count
//! the connections of strangers.
//!
//! [`kgp`] is the Kalah Game Protocol in the same way; what travels over the network with it is a crate of its own.
//!
//! Moves and positions are plain text here; what they mean is for the rules of the game to say.

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

/// Splits a command like a shell does: at blanks, with quotes and backslashes. `None` if a quote is
/// never closed or nothing is left.
///
/// ```
/// let words = kalahari_protocol::split_command("python3 'my agent.py' --level 3");
/// assert_eq!(words.unwrap(), ["python3", "my agent.py", "--level", "3"]);
/// ```
pub fn split_command(text: &str) -> Option<Vec<String>> {
    shlex::split(text).filter(|words| words.first().is_some_and(|program| !program.is_empty()))
}
