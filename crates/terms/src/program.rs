//! Which program this is: what stores, reports, pictures and JSON say of who made them.

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
    /// The first digits of the commit, with a `+` behind them if files were changed since. `None` where nobody knows: in a
    /// source archive without git, and in libraries whose program has not said it.
    pub commit: Option<&'static str>,
}

impl Program {
    /// This one.
    pub fn this() -> Program {
        Program {
            version: VERSION,
            commit: COMMIT.get().copied(),
        }
    }

    /// Says which commit this is, once, at the start; an empty text says nothing. Libraries do not know it by themselves:
    /// they would have to be compiled anew after every commit.
    pub fn set_commit(commit: &'static str) {
        if !commit.is_empty() {
            // Whoever was first is right.
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
