//! What a build has solved so far, on disk.
//!
//! ```text
//!    head      magic, version, plies, positions of the frontier, length of the game's name, the name
//!    records   number of a frontier's position (4 bytes), byte of its value, CRC-32 of the two and of the head
//! ```
//!
//! The file only grows: a record is appended as soon as it is known. Each has its own checksum, so whatever a crash leaves
//! behind, good records are used and others skipped; an incomplete one at the end is removed.

use super::walk::Walk;
use kalahari_games::kalah::KalahSpec;
use kalahari_storage::{FileError, FileKind, Foreign, open_alone};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const MAGIC: [u8; 8] = *b"KALAHBJ\n";
const VERSION: u32 = 1;
const RECORD: usize = 9;

/// How errors describe these files.
static KIND: FileKind = FileKind {
    name: "progress file",
    if_missing: "begin the build again",
    if_bad: "delete it to start over",
};

/// How often records are synced to disk.
const SYNC: Duration = Duration::from_secs(2);

/// The journal of a build, open for more records and closed to other builds.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    head: Vec<u8>,
    synced: Instant,
}

/// What a journal contained when it was opened.
pub(super) struct Recovered {
    /// Bytes by position of the frontier.
    pub(super) values: Vec<Option<u8>>,
    /// The number of damaged records.
    pub(super) damaged: usize,
}

fn head(walk: &Walk) -> Vec<u8> {
    let name = walk.game().kalah_spec().to_string();
    let mut head = MAGIC.to_vec();
    let (frontier, length) = (walk.frontier().len() as u32, name.len() as u32);
    for number in [VERSION, walk.plies(), frontier, length] {
        head.extend(number.to_le_bytes());
    }
    head.extend(name.as_bytes());
    head
}

fn record(head: &[u8], number: u32, value: u8) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..4].copy_from_slice(&number.to_le_bytes());
    record[4] = value;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(&record[..5]);
    record[5..].copy_from_slice(&hasher.finalize().to_le_bytes());
    record
}

impl Journal {
    /// The name of a book's journal.
    pub(super) fn path_of(book: &Path) -> PathBuf {
        let mut name = book.as_os_str().to_owned();
        name.push(".progress");
        name.into()
    }

    /// Opens the journal of a walk, or begins one. A journal of another game or depth is refused.
    pub(super) fn open(path: &Path, walk: &Walk) -> Result<(Self, Recovered), FileError> {
        let failed = |error| KIND.unwritable(path, error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        let mut file = open_alone(path, &options).map_err(|error| {
            failed(match error.kind() {
                io::ErrorKind::ResourceBusy => {
                    io::Error::new(error.kind(), "another build is writing this file")
                }
                _ => error,
            })
        })?;
        let mut found = Vec::new();
        file.read_to_end(&mut found).map_err(failed)?;
        let head = head(walk);
        let mut known = Recovered {
            values: vec![None; walk.frontier().len()],
            damaged: 0,
        };
        if found.len() < head.len() && head.starts_with(&found) {
            // New, or cut off within the head.
            file.write_all(&head[found.len()..]).map_err(failed)?;
        } else if let Some(records) = found.strip_prefix(&head[..]) {
            recover(records, &head, &mut known);
            let whole = records.len() / RECORD * RECORD;
            file.set_len((head.len() + whole) as u64).map_err(failed)?;
        } else {
            return Err(KIND.error(path, foreign(&found, walk)));
        }
        let journal = Journal {
            path: path.to_owned(),
            file,
            head,
            synced: Instant::now(),
        };
        Ok((journal, known))
    }

    /// Adds a value.
    pub(super) fn add(&mut self, number: u32, value: u8) -> Result<(), FileError> {
        let record = record(&self.head, number, value);
        let written = self.file.write_all(&record).and_then(|()| {
            if self.synced.elapsed() < SYNC {
                return Ok(());
            }
            self.synced = Instant::now();
            self.file.sync_data()
        });
        written.map_err(|source| KIND.unwritable(&self.path, source))
    }

    /// Deletes the journal: the book is safe.
    pub(super) fn remove(self) -> Result<(), FileError> {
        fs::remove_file(&self.path).map_err(|source| KIND.unwritable(&self.path, source))
    }
}

/// What kind of file has a head that is not the one of this walk.
fn foreign(found: &[u8], walk: &Walk) -> Foreign {
    let subject = |game: KalahSpec, plies: u32| format!("{game} with {plies} plies");
    let numbers = found.strip_prefix(&MAGIC).and_then(|rest| {
        let (numbers, name) = rest.split_first_chunk::<16>()?;
        let number = |i: usize| Some(u32::from_le_bytes(*numbers[4 * i..].first_chunk()?));
        let name = name.get(..number(3)? as usize)?;
        let game = std::str::from_utf8(name).ok()?.parse().ok()?;
        Some((number(0)?, number(1)?, game))
    });
    match numbers {
        None => Foreign::Kind,
        Some((VERSION, plies, game)) => Foreign::Subject {
            found: subject(game, plies),
            wanted: subject(walk.game().kalah_spec(), walk.plies()),
        },
        Some((version, ..)) => Foreign::Version {
            found: version,
            known: VERSION,
        },
    }
}

/// Takes the good records.
fn recover(records: &[u8], head: &[u8], known: &mut Recovered) {
    for found in records.chunks(RECORD) {
        let good = found.first_chunk::<4>().and_then(|number| {
            let number = u32::from_le_bytes(*number);
            let value = *found.get(4)?;
            let whole = found == record(head, number, value);
            whole.then_some((number, value))
        });
        match good.and_then(|(number, value)| Some((known.values.get_mut(number as usize)?, value)))
        {
            Some((slot, value)) => *slot = Some(value),
            None => known.damaged += 1,
        }
    }
}
