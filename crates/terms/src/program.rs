//! Which program this is: stores, reports, pictures and JSON name it as their maker.

use std::fmt;
use std::sync::OnceLock;

/// The version of this workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// A version and, where it is known, the commit it was compiled from.
///
/// ```
/// use kalahari_terms::Program;
/// let program = Program { version: "0.2.0", commit: Some("0123456789ab") };
/// assert_eq!(program.to_string(), "0.2.0 (0123456789ab)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// The version, as in `0.2.0`.
    pub version: &'static str,
    /// The first digits of the commit, followed by a `+` if files were changed since. `None` where it is not known: in a
    /// source archive without git, and in libraries whose program has not set it.
    pub commit: Option<&'static str>,
}

impl Program {
    /// The program that is running.
    pub fn this() -> Program {
        Program {
            version: VERSION,
            commit: COMMIT.get().copied(),
        }
    }

    /// The program that is running, in the words by which everything that it writes names its maker.
    ///
    /// ```
    /// use kalahari_terms::{Program, VERSION};
    /// // This example has set no commit.
    /// assert_eq!(Program::maker(), format!("kalahari {VERSION}"));
    /// ```
    pub fn maker() -> String {
        format!("kalahari {}", Program::this())
    }

    /// Sets the commit, once, at the start; an empty text is ignored. Libraries do not have it built in: they would have
    /// to be compiled again after every commit.
    pub fn set_commit(commit: &'static str) {
        if !commit.is_empty() {
            // The first call wins.
            let _ = COMMIT.set(commit);
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.commit {
            Some(commit) => write!(f, "{} ({commit})", self.version),
            None => f.write_str(self.version),
        }
    }
}
