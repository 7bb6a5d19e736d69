//! Tables of proven bounds on disk, so that a long solve survives a restart.
//!
//! ```text
//!    header    magic, version, length of the name, name of the game, seeds, key and bucket bits, CRC-32
//!    blocks    1 MiB of entries and their CRC-32 (4 bytes), again and again
//! ```

use crate::kalah::word_table::WordTable;
use crate::safe_file;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"KALAHST\n";
const VERSION: u32 = 1;
/// Entries a block.
const BLOCK: usize = 1 << 17;

/// Why a saved table cannot be written or used. Every reason names the file.
#[derive(Debug, Error)]
pub enum SavedTableError {
    /// The system refused to read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is something else than a table for this solve.
    #[error("{}: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is and what was wanted.
        reason: String,
    },
    /// The file ends too early or a checksum does not fit.
    #[error("{}: damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part.
        what: String,
    },
    /// Tables of boards this large are not saved.
    #[error("tables of boards this large cannot be saved")]
    Unsupported,
}

/// What the bounds are about; must be the same when they are used again.
fn header(game: &str, table: &WordTable) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend((game.len() as u32).to_le_bytes());
    header.extend(game.as_bytes());
    for number in table.shape() {
        header.extend(number.to_le_bytes());
    }
    let own = crc32fast::hash(&header);
    header.extend(own.to_le_bytes());
    header
}

/// Writes the table, whole or not at all. Other threads may go on using it.
pub(crate) fn save(path: &Path, game: &str, table: &WordTable) -> Result<(), SavedTableError> {
    let write = |file: &mut File| {
        let mut out = BufWriter::new(file);
        out.write_all(&header(game, table))?;
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
    safe_file::replace(path, write).map_err(|source| SavedTableError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Reads a table that [`save`] wrote for the same game and size.
///
/// After an error the table holds only entries whose checksum was right.
pub(crate) fn load(path: &Path, game: &str, table: &WordTable) -> Result<(), SavedTableError> {
    let io_error = |source: io::Error| match source.kind() {
        io::ErrorKind::UnexpectedEof => SavedTableError::Damaged {
            path: path.to_owned(),
            what: "the file ends too early".to_owned(),
        },
        _ => SavedTableError::Io {
            path: path.to_owned(),
            source,
        },
    };
    let mut file = BufReader::new(File::open(path).map_err(io_error)?);
    let expected = header(game, table);
    let mut found = vec![0; expected.len()];
    file.read_exact(&mut found).map_err(io_error)?;
    if found != expected {
        let reason = match found.starts_with(&MAGIC) {
            true => {
                format!("a saved table of another game, size or version than {game}, or damaged")
            }
            false => "not a saved table".to_owned(),
        };
        let path = path.to_owned();
        return Err(SavedTableError::Foreign { path, reason });
    }
    for start in (0..table.len()).step_by(BLOCK) {
        let count = BLOCK.min(table.len() - start);
        let mut block = vec![0; 8 * count + 4];
        file.read_exact(&mut block).map_err(io_error)?;
        let (entries, checksum) = block.split_at(8 * count);
        if crc32fast::hash(entries).to_le_bytes() != *checksum {
            return Err(SavedTableError::Damaged {
                path: path.to_owned(),
                what: format!("the checksum of block {} does not fit", start / BLOCK),
            });
        }
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        table.write(start, entries.chunks_exact(8).map(word));
    }
    if file.read(&mut [0]).map_err(io_error)? != 0 {
        return Err(SavedTableError::Damaged {
            path: path.to_owned(),
            what: "something follows the last block".to_owned(),
        });
    }
    Ok(())
}
