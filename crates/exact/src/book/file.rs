//! Book files.
//!
//! ```text
//!    header    magic, version, plies, positions of the frontier, length of the game's name, the name, CRC-32
//!    values    one byte for every position of the frontier, in the order of the walk
//!    CRC-32    of the values
//! ```
//!
//! Numbers are little-endian words of 32 bits. A value's byte is half the sum of the future margin and the seeds in play,
//! which have the same parity. Files are written whole or not at all.

use super::lookup::Book;
use super::walk::Walk;
use kalahari_games::kalah::KalahSpec;
use kalahari_storage::{Damage, FileError, FileKind, Foreign};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"KALAHBK\n";
const VERSION: u32 = 1;
/// The longest sensible name of a game.
const LONGEST_NAME: usize = 64;

/// How errors describe these files.
pub(super) static KIND: FileKind = FileKind {
    name: "book",
    if_missing: "build it first",
    if_bad: "delete the file or build it again",
};

/// What a book file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookInfo {
    /// The game.
    pub game: KalahSpec,
    /// Every position within this many plies is known.
    pub plies: u32,
    /// How many positions are stored.
    pub frontier: u32,
    /// The CRC-32 of the stored values.
    pub checksum: u32,
    /// The size of the file in bytes.
    pub size: u64,
}

/// The file of a book under a home directory. There is one for each game.
pub fn book_path(home: &Path, game: KalahSpec) -> PathBuf {
    let (pits, seeds, rule) = (game.pits(), game.seeds(), game.rule());
    let name = format!("kalah-{pits}x{seeds}-{rule}.book");
    home.join("books").join(name)
}

impl Book {
    /// Reads a book from a file.
    pub fn open(path: &Path, wanted: Option<KalahSpec>) -> Result<Self, FileError> {
        Self::read(path, &KIND.read(path)?, wanted)
    }

    /// Reads a book from the content of a file. The path is used only in errors.
    pub fn read(path: &Path, bytes: &[u8], wanted: Option<KalahSpec>) -> Result<Self, FileError> {
        let (info, values) = parse(path, bytes)?;
        if let Some(wanted) = wanted.map(|wanted| wanted.with_majority(false))
            && wanted != info.game
        {
            let subject = Foreign::Subject {
                found: info.game.to_string(),
                wanted: wanted.to_string(),
            };
            return Err(KIND.error(path, subject));
        }
        let walk = Walk::of(info.game, info.plies);
        let walk = walk.map_err(|error| damaged(path, &error.to_string()))?;
        let book = Book::of_bytes(&walk, values.to_vec());
        book.ok_or_else(|| damaged(path, "the values do not match the game"))
    }

    /// Reads a book file's header, and compares its checksums.
    pub fn file_info(path: &Path) -> Result<BookInfo, FileError> {
        Ok(parse(path, &KIND.read(path)?)?.0)
    }

    /// The content of the book's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let name = self.game().to_string();
        let mut bytes = MAGIC.to_vec();
        for number in [
            VERSION,
            self.plies(),
            self.frontier().len() as u32,
            name.len() as u32,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(name.as_bytes());
        let own = crc32fast::hash(&bytes);
        bytes.extend(own.to_le_bytes());
        bytes.extend(self.frontier());
        bytes.extend(crc32fast::hash(self.frontier()).to_le_bytes());
        bytes
    }

    /// Writes the book to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        KIND.write(path, &self.to_bytes())
    }
}

/// The error for a book whose values or header make no sense.
pub(super) fn damaged(path: &Path, what: &str) -> FileError {
    KIND.error(path, Damage::nonsense(what))
}

/// Takes a word off the front.
fn word(bytes: &mut &[u8]) -> Option<u32> {
    let (word, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*word))
}

/// The header and the values of a file whose checksums are right.
fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<(BookInfo, &'a [u8]), FileError> {
    let size = bytes.len() as u64;
    let truncated = |expected: usize| {
        let expected = expected as u64;
        let length = Damage::Length {
            expected,
            found: size,
        };
        KIND.error(path, length)
    };
    let bad_checksum = |part: &str| KIND.error(path, Damage::checksum(part));
    if !bytes.starts_with(&MAGIC) {
        return Err(match MAGIC.starts_with(bytes) {
            true => truncated(MAGIC.len() + 20),
            false => KIND.error(path, Foreign::Kind),
        });
    }
    let short = || truncated(MAGIC.len() + 20);
    let mut rest = &bytes[MAGIC.len()..];
    let version = word(&mut rest).ok_or_else(short)?;
    let plies = word(&mut rest).ok_or_else(short)?;
    let frontier = word(&mut rest).ok_or_else(short)?;
    let length = word(&mut rest).ok_or_else(short)? as usize;
    if length > LONGEST_NAME {
        return Err(damaged(path, "the header makes no sense"));
    }
    let start = bytes.len() - rest.len() + length;
    if bytes.len() < start + 4 {
        return Err(truncated(start + 4));
    }
    let (name, mut rest) = rest.split_at(length);
    if word(&mut rest) != Some(crc32fast::hash(&bytes[..start])) {
        return Err(bad_checksum("the header"));
    }
    if version != VERSION {
        let version = Foreign::Version {
            found: version,
            known: VERSION,
        };
        return Err(KIND.error(path, version));
    }
    let game = std::str::from_utf8(name).ok().and_then(|n| n.parse().ok());
    let game: KalahSpec = game.ok_or_else(|| damaged(path, "the header names no game"))?;
    let expected = start + 4 + frontier as usize + 4;
    if bytes.len() != expected {
        return Err(truncated(expected));
    }
    let (values, mut end) = rest.split_at(frontier as usize);
    let checksum = crc32fast::hash(values);
    if word(&mut end) != Some(checksum) {
        return Err(bad_checksum("the values"));
    }
    let info = BookInfo {
        game,
        plies,
        frontier,
        checksum,
        size,
    };
    Ok((info, values))
}
