//! Tablebase files.
//!
//! ```text
//!    0       header      64 bytes: magic, version, pits, rule, seeds, positions, checksums
//!            zeros       up to the next part
//!    4096    positions   one byte each, in the order of the layout
//!    then    checksums   CRC-32 of every block of 1 MiB of positions, 4 bytes each
//! ```
//!
//! A file is always whole: it is written under another name and renamed once it is safely on disk. A build
//! that is interrupted leaves a file with fewer seeds, from which the next build continues.

use crate::tablebase::layout::Layout;
use crate::tablebase::lookup::Bytes;
use crate::tablebase::numbering::Numbering;
use crate::tablebase::{MAX_TABLE_SEEDS, TableSpec, Tablebase, position_count};
use kalahari_games::kalah::CaptureRule;
use kalahari_storage::{Damage, FileBytes, FileError, FileKind, Foreign, replace};
use rayon::prelude::*;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const MAGIC: [u8; 8] = *b"KALAHTB\n";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const START: usize = 4096;
const BLOCK: usize = 1 << 20;

/// How errors describe these files.
static KIND: FileKind = FileKind {
    name: "tablebase",
    if_missing: "build it first",
    if_bad: "delete it and build it again",
};

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

/// The size of a file for this many seeds, in bytes; `None` if there are far too many positions.
pub fn file_size(spec: TableSpec, seeds: usize) -> Option<u64> {
    position_count(spec.pits(), seeds).map(size)
}

fn size(positions: u64) -> u64 {
    START as u64 + positions + 4 * positions.div_ceil(BLOCK as u64)
}

/// The file of a tablebase under a home directory. There is one for each family.
pub fn table_path(home: &Path, spec: TableSpec) -> PathBuf {
    let name = format!("kalah-{}-{}.tablebase", spec.pits(), spec.rule());
    home.join("tablebases").join(name)
}

impl Tablebase {
    /// Maps a tablebase file into memory after checking all of it.
    pub fn open(path: &Path, wanted: Option<TableSpec>) -> Result<Self, FileError> {
        let (info, file) = open(path, wanted)?;
        check_blocks(path, &info, &file)?;
        let numbering = Numbering::new(info.spec.pits(), info.seeds);
        let layout = Layout::new(&numbering);
        Ok(Tablebase {
            spec: info.spec,
            seeds: info.seeds,
            numbering,
            layout,
            bytes: Bytes::File { file, start: START },
            halved: OnceLock::new(),
        })
    }

    /// Reads the header of a tablebase file and checks the file's size; the content is not checked.
    pub fn file_info(path: &Path) -> Result<FileInfo, FileError> {
        Ok(open(path, None)?.0)
    }

    /// Writes all levels to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let bytes = self.bytes();
        let checksums = checksums(bytes);
        let header = header(
            self.spec,
            self.seeds,
            bytes.len() as u64,
            crc32fast::hash(&checksums),
        );
        let write = |file: &mut File| {
            file.write_all(&header)?;
            file.write_all(&[0; START - HEADER])?;
            file.write_all(bytes)?;
            file.write_all(&checksums)
        };
        replace(path, write).map_err(|error| KIND.unwritable(path, error))
    }
}

impl Tablebase {
    /// One number that stands for the content, the same as in the [`FileInfo`] of its file.
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(&checksums(self.bytes()))
    }
}

/// The checksums of all blocks.
fn checksums(bytes: &[u8]) -> Vec<u8> {
    let blocks = bytes.par_chunks(BLOCK);
    blocks
        .flat_map_iter(|block| crc32fast::hash(block).to_le_bytes())
        .collect()
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

/// Opens the file and checks its header and its size.
fn open(path: &Path, wanted: Option<TableSpec>) -> Result<(FileInfo, FileBytes), FileError> {
    let foreign = |foreign: Foreign| KIND.error(path, foreign);
    let damaged = |damage: Damage| KIND.error(path, damage);
    let file = FileBytes::open(path).map_err(|error| KIND.unreadable(path, error))?;
    let found = file.len() as u64;
    let length = |expected| damaged(Damage::Length { expected, found });
    // A file that ends within the magic may once have been a tablebase.
    if !MAGIC
        .iter()
        .zip(&file[..])
        .all(|(known, byte)| known == byte)
    {
        return Err(foreign(Foreign::Kind));
    }
    if file.len() < START {
        return Err(length(START as u64));
    }
    let header = &file[..HEADER];
    if word(&header[HEADER - 4..]) != crc32fast::hash(&header[..HEADER - 4]) {
        return Err(damaged(Damage::checksum("the header")));
    }
    if file[HEADER..START].iter().any(|&byte| byte != 0) {
        return Err(damaged(Damage::checksum("the rest of the header's page")));
    }
    let version = word(&header[8..12]);
    if version != VERSION {
        return Err(foreign(Foreign::Version {
            found: version,
            known: VERSION,
        }));
    }
    let rule = CaptureRule::ALL
        .into_iter()
        .find(|&rule| rule_code(rule) == header[13]);
    let seeds = word(&header[14..16]) as usize;
    let spec = rule
        .and_then(|rule| TableSpec::new(header[12].into(), rule))
        .filter(|_| seeds <= MAX_TABLE_SEEDS && word(&header[24..28]) == BLOCK as u32)
        .ok_or_else(|| damaged(Damage::nonsense("the header makes no sense")))?;
    if let Some(wanted) = wanted
        && wanted != spec
    {
        return Err(foreign(Foreign::Subject {
            found: spec.to_string(),
            wanted: wanted.to_string(),
        }));
    }
    let positions = position_count(spec.pits(), seeds)
        .filter(|&count| {
            u64::from(word(&header[16..20])) | u64::from(word(&header[20..24])) << 32 == count
        })
        .ok_or_else(|| {
            damaged(Damage::nonsense(
                "the header's number of positions is wrong",
            ))
        })?;
    let expected = size(positions);
    if found != expected {
        return Err(length(expected));
    }
    let info = FileInfo {
        spec,
        seeds,
        positions,
        size: found,
        checksum: word(&header[28..32]),
    };
    Ok((info, file))
}

fn check_blocks(path: &Path, info: &FileInfo, file: &FileBytes) -> Result<(), FileError> {
    let damaged = |part: String| KIND.error(path, Damage::checksum(part));
    let end = START + info.positions as usize;
    let checksums = &file[end..];
    if crc32fast::hash(checksums) != info.checksum {
        return Err(damaged("the list of checksums".to_owned()));
    }
    let bad = file[START..end]
        .par_chunks(BLOCK)
        .zip(checksums.par_chunks(4))
        .position_first(|(block, checksum)| crc32fast::hash(block) != word(checksum));
    match bad {
        Some(block) => {
            let from = START + block * BLOCK;
            let to = (from + BLOCK).min(end) - 1;
            Err(damaged(format!("bytes {from} to {to}")))
        }
        None => Ok(()),
    }
}
