//! Tables of proven bounds on disk, so that a long solve survives a restart.
//!
//! ```text
//!    header    magic, version, length of the name, name of the game, pits, seeds, key and bucket bits, CRC-32
//!    blocks    1 MiB of entries and their CRC-32 (4 bytes), again and again
//! ```

use crate::kalah::word_table::WordTable;
use kalahari_storage::{Damage, FileError, FileKind, Foreign, Trouble, refuse_non_files, replace};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"KALAHST\n";
const VERSION: u32 = 1;
/// Entries a block.
const BLOCK: usize = 1 << 17;
/// The longest sensible name of a game.
const LONGEST_NAME: usize = 64;

/// How errors describe these files.
static KIND: FileKind = FileKind {
    name: "saved table",
    if_missing: "save one first",
    if_bad: "solve without it, or name another file",
};

/// Why a table was not saved or resumed.
#[derive(Debug, Error)]
pub enum SavedTableError {
    /// Something is wrong with the file.
    #[error(transparent)]
    File(#[from] FileError),
    /// Tables of boards this large are not saved.
    #[error("tables of boards this large cannot be saved")]
    Unsupported,
}

/// What the bounds are about; it must be the same when they are used again.
fn header(game: &str, shape: [u32; 4]) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend((game.len() as u32).to_le_bytes());
    header.extend(game.as_bytes());
    for number in shape {
        header.extend(number.to_le_bytes());
    }
    let own = crc32fast::hash(&header);
    header.extend(own.to_le_bytes());
    header
}

/// Game, seeds and size of a table, as a user knows them.
fn subject(game: &str, [_, seeds, _, bucket_bits]: [u32; 4]) -> String {
    let buckets = 1_u64.checked_shl(bucket_bits).unwrap_or(u64::MAX);
    let game = game.escape_debug();
    format!("{game}, {seeds} seeds, {} KiB", buckets / 32)
}

/// Reads the header and compares it with the one of this table.
fn check_header(
    file: &mut impl Read,
    game: &str,
    table: &WordTable,
) -> io::Result<Option<Trouble>> {
    let mut found = vec![0; MAGIC.len() + 8];
    file.read_exact(&mut found[..MAGIC.len()])?;
    if !found.starts_with(&MAGIC) {
        return Ok(Some(Foreign::Kind.into()));
    }
    file.read_exact(&mut found[MAGIC.len()..])?;
    let number = |bytes: &[u8]| word(bytes) as u32;
    let (version, length) = (number(&found[8..12]), number(&found[12..16]) as usize);
    if version != VERSION {
        return Ok(Some(Trouble::Foreign(Foreign::Version {
            found: version,
            known: VERSION,
        })));
    }
    if length > LONGEST_NAME {
        return Ok(Some(Damage::nonsense("the header makes no sense").into()));
    }
    let start = found.len();
    found.resize(start + length + 4 * 5, 0);
    file.read_exact(&mut found[start..])?;
    let (name, numbers) = found[start..].split_at(length);
    let name = String::from_utf8_lossy(name);
    let shape = std::array::from_fn(|i| number(&numbers[4 * i..][..4]));
    if found != header(&name, shape) {
        return Ok(Some(Damage::checksum("the header").into()));
    }
    let differs = (&*name, shape) != (game, table.shape());
    Ok(differs.then(|| {
        Trouble::Foreign(Foreign::Subject {
            found: subject(&name, shape),
            wanted: subject(game, table.shape()),
        })
    }))
}

/// The number of up to eight bytes, lowest first.
fn word(bytes: &[u8]) -> u64 {
    let higher_first = bytes.iter().rev();
    higher_first.fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Writes the table, whole or not at all. Other threads may continue to use it.
pub(crate) fn save(path: &Path, game: &str, table: &WordTable) -> Result<(), FileError> {
    let write = |file: &mut File| {
        let mut out = BufWriter::new(file);
        out.write_all(&header(game, table.shape()))?;
        let mut block = Vec::with_capacity(8 * BLOCK);
        for start in (0..table.len()).step_by(BLOCK) {
            block.clear();
            for entry in table.read(start..(start + BLOCK).min(table.len())) {
                block.extend(entry.to_le_bytes());
            }
            out.write_all(&block)?;
            out.write_all(&crc32fast::hash(&block).to_le_bytes())?;
        }
        out.flush()
    };
    replace(path, write).map_err(|error| KIND.unwritable(path, error))
}

/// Reads a table that [`save`] wrote for the same game and size.
///
/// After an error the table holds only entries whose checksum was right.
pub(crate) fn load(path: &Path, game: &str, table: &WordTable) -> Result<(), FileError> {
    let unreadable = |error: io::Error| KIND.unreadable(path, error);
    refuse_non_files(path).map_err(unreadable)?;
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    if let Some(trouble) = check_header(&mut file, game, table).map_err(unreadable)? {
        return Err(KIND.error(path, trouble));
    }
    for start in (0..table.len()).step_by(BLOCK) {
        let count = BLOCK.min(table.len() - start);
        let mut block = vec![0; 8 * count + 4];
        file.read_exact(&mut block).map_err(unreadable)?;
        let (entries, checksum) = block.split_at(8 * count);
        if crc32fast::hash(entries).to_le_bytes() != *checksum {
            let part = format!("block {}", start / BLOCK);
            return Err(KIND.error(path, Damage::checksum(part)));
        }
        table.write(start, entries.chunks_exact(8).map(word));
    }
    if file.read(&mut [0]).map_err(unreadable)? != 0 {
        return Err(KIND.error(path, Damage::TooLong));
    }
    Ok(())
}
