//! Tablebase files.
//!
//! ```text
//!    0       header      64 bytes: magic, version, pits, rule, seeds, positions, checksums
//!    4096    positions   one byte each, in the order of the layout
//!    then    checksums   CRC-32 of every block of 1 MiB of positions, 4 bytes each
//! ```
//!
//! A file is always whole: it is written beside its name and moved there when it is safe on the disk. A build
//! that is interrupted leaves a file with fewer seeds, which the next build goes on from.

use crate::safe_file;
use crate::tablebase::layout::Layout;
use crate::tablebase::lookup::Bytes;
use crate::tablebase::numbering::Numbering;
use crate::tablebase::{MAX_TABLE_SEEDS, TableSpec, Tablebase, position_count};
use kalahari_games::kalah::CaptureRule;
use memmap2::Mmap;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"KALAHTB\n";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const START: usize = 4096;
const BLOCK: usize = 1 << 20;

/// Why a tablebase file cannot be used or written. Every reason names the file.
#[derive(Debug, Error)]
pub enum TableFileError {
    /// There is no such file.
    #[error("{}: no such tablebase", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else than what is wanted.
    #[error("{}: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is and what was wanted.
        reason: String,
    },
    /// The file is shorter or longer than its header says.
    #[error("{}: truncated or lengthened: {found} bytes instead of {expected}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The bytes that its header promises.
        expected: u64,
        /// The bytes that there are.
        found: u64,
    },
    /// A checksum does not fit.
    #[error("{}: damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part.
        what: String,
    },
    /// The system refused to read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What the header of a tablebase file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// The family of positions.
    pub spec: TableSpec,
    /// The most seeds of a position.
    pub seeds: usize,
    /// How many positions there are.
    pub positions: u64,
    /// The size of the whole file in bytes.
    pub size: u64,
    /// The CRC-32 of the list of checksums: one number that stands for the content.
    pub checksum: u32,
}

impl Tablebase {
    /// Maps a tablebase file into memory after checking all of it.
    pub fn open(path: &Path, wanted: Option<TableSpec>) -> Result<Self, TableFileError> {
        let (info, map) = map(path, wanted)?;
        check_blocks(path, &info, &map)?;
        let numbering = Numbering::new(info.spec.pits(), info.seeds);
        let layout = Layout::new(&numbering);
        Ok(Tablebase {
            spec: info.spec,
            seeds: info.seeds,
            numbering,
            layout,
            bytes: Bytes::File { map, start: START },
        })
    }

    /// Reads the header of a tablebase file and compares its size; the content is not looked at.
    pub fn file_info(path: &Path) -> Result<FileInfo, TableFileError> {
        Ok(map(path, None)?.0)
    }

    /// Writes all levels to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), TableFileError> {
        let bytes = self.bytes();
        let checksums: Vec<u8> = bytes
            .par_chunks(BLOCK)
            .map(|block| crc32fast::hash(block).to_le_bytes())
            .flatten_iter()
            .collect();
        let header = header(
            self.spec,
            self.seeds,
            bytes.len() as u64,
            crc32fast::hash(&checksums),
        );
        let write = |file: &mut File| {
            file.write_all(&header)?;
            file.seek(SeekFrom::Start(START as u64))?;
            file.write_all(bytes)?;
            file.write_all(&checksums)
        };
        safe_file::replace(path, write).map_err(|source| TableFileError::Io {
            path: path.to_owned(),
            source,
        })
    }
}

fn rule_code(rule: CaptureRule) -> u8 {
    match rule {
        CaptureRule::Standard => 0,
        CaptureRule::EmptyCapture => 1,
        CaptureRule::PreMoveEmpty => 2,
    }
}

fn header(spec: TableSpec, seeds: usize, positions: u64, checksum: u32) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12] = spec.pits() as u8;
    header[13] = rule_code(spec.rule());
    header[14..16].copy_from_slice(&(seeds as u16).to_le_bytes());
    header[16..24].copy_from_slice(&positions.to_le_bytes());
    header[24..28].copy_from_slice(&(BLOCK as u32).to_le_bytes());
    header[28..32].copy_from_slice(&checksum.to_le_bytes());
    let own = crc32fast::hash(&header[..HEADER - 4]);
    header[HEADER - 4..].copy_from_slice(&own.to_le_bytes());
    header
}

fn word(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// Maps the file and checks its header and its size.
fn map(path: &Path, wanted: Option<TableSpec>) -> Result<(FileInfo, Mmap), TableFileError> {
    let path_buf = || path.to_owned();
    let io_error = |source| TableFileError::Io {
        path: path_buf(),
        source,
    };
    let foreign = |reason: String| TableFileError::Foreign {
        path: path_buf(),
        reason,
    };
    let damaged = |what: &str| TableFileError::Damaged {
        path: path_buf(),
        what: what.to_owned(),
    };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(TableFileError::Missing { path: path_buf() });
        }
        Err(error) => return Err(io_error(error)),
    };
    let size = file.metadata().map_err(io_error)?.len();
    if size < START as u64 {
        return Err(TableFileError::Truncated {
            path: path_buf(),
            expected: START as u64,
            found: size,
        });
    }
    // SAFETY: tablebase files are never changed in place, only replaced by renaming; the map keeps the old file.
    let map = unsafe { Mmap::map(&file) }.map_err(io_error)?;
    let header = &map[..HEADER];
    if header[..8] != MAGIC {
        return Err(foreign("not a tablebase".to_owned()));
    }
    if word(&header[HEADER - 4..]) != crc32fast::hash(&header[..HEADER - 4]) {
        return Err(damaged("the header's checksum does not fit"));
    }
    let version = word(&header[8..12]);
    if version != VERSION {
        return Err(foreign(format!(
            "a tablebase of version {version}, but this program knows version {VERSION}"
        )));
    }
    let rule = CaptureRule::ALL
        .into_iter()
        .find(|&rule| rule_code(rule) == header[13]);
    let seeds = word(&header[14..16]) as usize;
    let spec = rule
        .and_then(|rule| TableSpec::new(header[12].into(), rule))
        .filter(|_| seeds <= MAX_TABLE_SEEDS && word(&header[24..28]) == BLOCK as u32)
        .ok_or_else(|| damaged("the header makes no sense"))?;
    if let Some(wanted) = wanted
        && wanted != spec
    {
        return Err(foreign(format!("a tablebase of {spec}, not of {wanted}")));
    }
    let positions = position_count(spec.pits(), seeds)
        .filter(|&count| {
            u64::from(word(&header[16..20])) | u64::from(word(&header[20..24])) << 32 == count
        })
        .ok_or_else(|| damaged("the header's number of positions does not fit"))?;
    let expected = START as u64 + positions + 4 * positions.div_ceil(BLOCK as u64);
    if size != expected {
        return Err(TableFileError::Truncated {
            path: path_buf(),
            expected,
            found: size,
        });
    }
    let info = FileInfo {
        spec,
        seeds,
        positions,
        size,
        checksum: word(&header[28..32]),
    };
    Ok((info, map))
}

fn check_blocks(path: &Path, info: &FileInfo, map: &Mmap) -> Result<(), TableFileError> {
    let damaged = |what: String| TableFileError::Damaged {
        path: path.to_owned(),
        what,
    };
    let end = START + info.positions as usize;
    let checksums = &map[end..];
    if crc32fast::hash(checksums) != info.checksum {
        return Err(damaged(
            "the list of checksums does not fit the header".to_owned(),
        ));
    }
    let bad = map[START..end]
        .par_chunks(BLOCK)
        .zip(checksums.par_chunks(4))
        .position_first(|(block, checksum)| crc32fast::hash(block) != word(checksum));
    match bad {
        Some(block) => {
            let from = START + block * BLOCK;
            let to = (from + BLOCK).min(end) - 1;
            Err(damaged(format!(
                "the checksum of bytes {from} to {to} does not fit"
            )))
        }
        None => Ok(()),
    }
}
