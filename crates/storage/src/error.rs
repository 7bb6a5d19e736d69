//! What is wrong with a file.

use crate::regular::{read_file, refuse_non_files};
use crate::replace::write_whole;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A kind of file, as errors speak of it.
#[derive(Debug, PartialEq, Eq)]
pub struct FileKind {
    /// What it is called, in one or two words: `tablebase`.
    pub name: &'static str,
    /// What to do if there is none: `build it first`.
    pub if_missing: &'static str,
    /// What to do with one that cannot be used: `delete the file or build it again`.
    pub if_bad: &'static str,
}

/// Why a file cannot be used or written. Its text says which file it is, what is wrong, and what to do.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What it should have been.
    pub kind: &'static FileKind,
    /// What is wrong.
    pub trouble: Trouble,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Trouble {
    /// There is no such file.
    Missing,
    /// The file is not what was wanted.
    Foreign(Foreign),
    /// The file is of the wanted kind, but has changed since it was written.
    Damaged(Damage),
    /// The file is sound, but it and another one cannot both be right.
    Contradicts(Box<Contradiction>),
    /// The system refused to read or write.
    Io(io::Error),
}

/// Two files that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The other one.
    pub other: PathBuf,
    /// What each of them says.
    pub what: String,
}

/// What a file is instead of what is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// A file of another kind.
    Kind,
    /// One of another version of the program.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this program knows.
        known: u32,
    },
    /// The right kind, but about something else.
    Subject {
        /// What it is about.
        found: String,
        /// What it should be about.
        wanted: String,
    },
}

/// How a file shows that it has changed since it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It is shorter or longer than its header says.
    Length {
        /// The bytes that its header promises.
        expected: u64,
        /// The bytes that there are.
        found: u64,
    },
    /// It ends too early.
    TooShort,
    /// Something follows what should be its end.
    TooLong,
    /// A checksum does not match.
    Checksum {
        /// What it is the checksum of.
        part: String,
    },
    /// All checksums match, but the content makes no sense.
    Nonsense {
        /// What makes no sense.
        what: String,
    },
}

impl FileKind {
    /// An error about a file of this kind.
    pub fn error(&'static self, path: &Path, trouble: impl Into<Trouble>) -> FileError {
        FileError {
            path: path.to_owned(),
            kind: self,
            trouble: trouble.into(),
        }
    }

    /// The error of a failed attempt to read.
    pub fn unreadable(&'static self, path: &Path, error: io::Error) -> FileError {
        let trouble = match error.kind() {
            io::ErrorKind::NotFound => Trouble::Missing,
            io::ErrorKind::UnexpectedEof => Damage::TooShort.into(),
            _ => Trouble::Io(error),
        };
        self.error(path, trouble)
    }

    /// Reads a file; a pipe, a device or a folder in its place is refused.
    pub fn read(&'static self, path: &Path) -> Result<Vec<u8>, FileError> {
        read_file(path).map_err(|error| self.unreadable(path, error))
    }

    /// Writes a file, whole or not at all; a pipe, a device or a folder in its place is refused.
    pub fn write(&'static self, path: &Path, content: &[u8]) -> Result<(), FileError> {
        refuse_non_files(path)
            .and_then(|()| write_whole(path, content))
            .map_err(|error| self.unwritable(path, error))
    }

    /// The error of a failed attempt to write.
    pub fn unwritable(&'static self, path: &Path, error: io::Error) -> FileError {
        self.error(path, Trouble::Io(error))
    }
}

impl FileError {
    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self.trouble, Trouble::Missing)
    }
}

impl From<Foreign> for Trouble {
    fn from(foreign: Foreign) -> Self {
        Trouble::Foreign(foreign)
    }
}

impl From<Contradiction> for Trouble {
    fn from(both: Contradiction) -> Self {
        Trouble::Contradicts(Box::new(both))
    }
}

impl From<Damage> for Trouble {
    fn from(damage: Damage) -> Self {
        Trouble::Damaged(damage)
    }
}

impl Damage {
    /// A checksum of some part does not match.
    pub fn checksum(part: impl Into<String>) -> Self {
        Damage::Checksum { part: part.into() }
    }

    /// Something makes no sense.
    pub fn nonsense(what: impl Into<String>) -> Self {
        Damage::Nonsense { what: what.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileKind {
            name,
            if_missing,
            if_bad,
        } = self.kind;
        write!(f, "{}: ", self.path.display())?;
        match &self.trouble {
            Trouble::Missing => write!(f, "no such {name}; {if_missing}"),
            Trouble::Foreign(Foreign::Kind) => write!(f, "not a {name}; {if_bad}"),
            Trouble::Foreign(Foreign::Version { found, known }) => write!(
                f,
                "a {name} of version {found}, but this program knows version {known}; {if_bad}"
            ),
            Trouble::Foreign(Foreign::Subject { found, wanted }) => {
                write!(f, "a {name} of {found}, not of {wanted}; {if_bad}")
            }
            Trouble::Damaged(damage) => write!(f, "{damage}; {if_bad}"),
            Trouble::Contradicts(both) => {
                let Contradiction { other, what } = &**both;
                write!(f, "contradicts {}: {what}; {if_bad}", other.display())
            }
            Trouble::Io(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Length { expected, found } => {
                write!(
                    f,
                    "truncated or lengthened: {found} bytes instead of {expected}"
                )
            }
            Damage::TooShort => f.write_str("damaged: the file ends too early"),
            Damage::TooLong => f.write_str("damaged: there is extra data after the end"),
            Damage::Checksum { part } => {
                write!(f, "damaged: the checksum of {part} does not match")
            }
            Damage::Nonsense { what } => write!(f, "damaged: {what}"),
        }
    }
}

/// The text says everything, so there is no further source.
impl Error for FileError {}

#[cfg(test)]
mod tests {
    use super::*;

    static KIND: FileKind = FileKind {
        name: "tablebase",
        if_missing: "build it first",
        if_bad: "delete the file or build it again",
    };

    #[test]
    fn the_text_says_which_file_what_is_wrong_and_what_to_do() {
        let text = |trouble: Trouble| KIND.error(Path::new("x/y"), trouble).to_string();
        assert_eq!(
            text(Trouble::Missing),
            "x/y: no such tablebase; build it first"
        );
        let subject = Foreign::Subject {
            found: "kalah:3".to_owned(),
            wanted: "kalah:4".to_owned(),
        };
        assert_eq!(
            text(subject.into()),
            "x/y: a tablebase of kalah:3, not of kalah:4; delete the file or build it again"
        );
        for trouble in [
            Foreign::Kind.into(),
            Foreign::Version { found: 2, known: 1 }.into(),
            Damage::TooShort.into(),
            Damage::TooLong.into(),
            Damage::checksum("the header").into(),
            Damage::nonsense("too many seeds").into(),
            Damage::Length {
                expected: 2,
                found: 1,
            }
            .into(),
        ] {
            let text = text(trouble);
            assert!(text.starts_with("x/y: "), "{text}");
            assert!(
                text.ends_with("; delete the file or build it again"),
                "{text}"
            );
        }
        let full = KIND.unwritable(Path::new("x/y"), io::ErrorKind::StorageFull.into());
        assert_eq!(full.to_string(), "x/y: no storage space");
        assert!(
            KIND.unreadable(Path::new("x"), io::ErrorKind::NotFound.into())
                .is_missing()
        );
    }
}
