//! Net files.
//!
//! ```text
//!    magic, version
//!    pits, rule, seeds, hidden units, shift
//!    where it comes from: positions, rounds of training, held-out error in thousandths of a seed
//!    rows, bias, limits, outputs    16 bits a number, hidden units only
//!    direct, constants              32 bits a number
//!    CRC-32 of all that
//! ```
//!
//! Words of 32 bits unless said otherwise, little-endian. Files are written whole or not at all.

use crate::net::{Lanes, Net, Weights};
use crate::shape::{BUCKETS, CONTENTS, LANES, Shape};
use kalahari_games::kalah::CaptureRule;
use kalahari_storage::{Damage, FileError, FileKind, Foreign, write_whole};
use std::fs;
use std::path::Path;

const MAGIC: [u8; 8] = *b"KALAHNN\n";
const VERSION: u32 = 1;
/// Words between the magic and the numbers.
const WORDS: usize = 9;

/// More bytes than any net has.
const LARGEST: u64 = 64 << 20;

/// How errors speak of these files.
pub static KIND: FileKind = FileKind {
    name: "net",
    if_missing: "train one first",
    if_bad: "train it again or take another file",
};

/// What a net was made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Positions it was trained on.
    pub positions: u32,
    /// How often each of them was used in training.
    pub rounds: u32,
    /// Its mean error on positions it has not seen, in thousandths of a seed.
    pub error: u32,
}

/// A net, and what it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetFile {
    /// The net.
    pub net: Net,
    /// What it was made from.
    pub origin: Origin,
}

impl NetFile {
    /// Reads a net from a file.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let unreadable = |error| KIND.unreadable(path, error);
        let about = fs::metadata(path).map_err(unreadable)?;
        // A pipe might never end, and a device never does.
        if !about.is_file() || about.len() > LARGEST {
            return Err(KIND.error(path, Foreign::Kind));
        }
        let bytes = fs::read(path).map_err(unreadable)?;
        Self::read(path, &bytes)
    }

    /// Reads a net from the content of a file. The path is used only in errors.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        let short = || KIND.error(path, Damage::TooShort);
        let nonsense = |what: String| KIND.error(path, Damage::nonsense(what));
        let Some(rest) = bytes.strip_prefix(&MAGIC) else {
            return Err(match MAGIC.starts_with(bytes) {
                true => short(),
                false => KIND.error(path, Foreign::Kind),
            });
        };
        let mut reader = Reader(rest);
        let version = reader.word().ok_or_else(short)?;
        if version != VERSION {
            let known = VERSION;
            let found = version;
            return Err(KIND.error(path, Foreign::Version { found, known }));
        }
        let header = reader.words::<{ WORDS - 1 }>().ok_or_else(short)?;
        let [pits, rule, seeds, hidden, shift, positions, rounds, error] = header;
        let rule = CaptureRule::ALL.get(rule as usize);
        let shape = rule.and_then(|&rule| Shape::new(pits as usize, rule, seeds, hidden as usize));
        let shape = shape.ok_or_else(|| nonsense("its header makes no sense".to_owned()))?;
        let expected = MAGIC.len() + 4 * WORDS + content_bytes(shape) + 4;
        if bytes.len() != expected {
            let (expected, found) = (expected as u64, bytes.len() as u64);
            return Err(KIND.error(path, Damage::Length { expected, found }));
        }
        let (content, sum) = bytes.split_at(bytes.len() - 4);
        if sum != crc32fast::hash(content).to_le_bytes() {
            return Err(KIND.error(path, Damage::checksum("the net")));
        }
        let weights = reader.weights(shape, shift).ok_or_else(short)?;
        let net = Net::new(shape, weights).map_err(|unsound| nonsense(unsound.to_string()))?;
        let origin = Origin {
            positions,
            rounds,
            error,
        };
        Ok(NetFile { net, origin })
    }

    /// The content of the net's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let NetFile { net, origin } = self;
        let (shape, weights) = (net.shape(), net.weights());
        let rule = CaptureRule::ALL
            .iter()
            .position(|&rule| rule == shape.rule());
        let mut bytes = MAGIC.to_vec();
        for word in [
            VERSION,
            shape.pits() as u32,
            rule.unwrap_or(0) as u32,
            shape.seeds(),
            shape.hidden() as u32,
            weights.shift,
            origin.positions,
            origin.rounds,
            origin.error,
        ] {
            bytes.extend(word.to_le_bytes());
        }
        for input in 0..shape.inputs() {
            for content in 0..CONTENTS {
                let row = |group: usize| &weights.rows[group * shape.inputs() + input][content];
                write_units(&mut bytes, shape, row);
            }
        }
        write_units(&mut bytes, shape, |group| &weights.bias[group]);
        write_units(&mut bytes, shape, |group| &weights.limits[group]);
        for row in &weights.outputs {
            write_units(&mut bytes, shape, |group| &row[group]);
        }
        let numbers = weights.direct.iter().flatten().chain(&weights.constants);
        numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Writes the net to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        write_whole(path, &self.to_bytes()).map_err(|error| KIND.unwritable(path, error))
    }
}

/// The bytes that the numbers of a net take.
fn content_bytes(shape: Shape) -> usize {
    2 * shape.hidden() * (shape.rows() + 2 + BUCKETS) + 4 * (shape.rows() + BUCKETS)
}

/// Writes the numbers of all hidden units.
fn write_units<'a>(bytes: &mut Vec<u8>, shape: Shape, lanes: impl Fn(usize) -> &'a Lanes) {
    let all = (0..shape.groups()).flat_map(|group| lanes(group).0);
    all.take(shape.hidden())
        .for_each(|number| bytes.extend(number.to_le_bytes()));
}

/// Takes numbers off the front.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (chunk, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*chunk)
    }

    fn word(&mut self) -> Option<u32> {
        self.chunk().map(u32::from_le_bytes)
    }

    fn words<const N: usize>(&mut self) -> Option<[u32; N]> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.word()?;
        }
        Some(words)
    }

    fn integers<const N: usize>(&mut self) -> Option<[i32; N]> {
        self.words().map(|words| words.map(|word| word as i32))
    }

    /// The numbers of all hidden units, in groups.
    fn units(&mut self, shape: Shape) -> Option<Vec<Lanes>> {
        let mut groups = vec![Lanes::ZERO; shape.groups()];
        for unit in 0..shape.hidden() {
            groups[unit / LANES].0[unit % LANES] = self.chunk().map(i16::from_le_bytes)?;
        }
        Some(groups)
    }

    fn weights(&mut self, shape: Shape, shift: u32) -> Option<Weights> {
        let mut rows = vec![[Lanes::ZERO; CONTENTS]; shape.groups() * shape.inputs()];
        for input in 0..shape.inputs() {
            #[expect(clippy::needless_range_loop, reason = "a row of many groups")]
            for content in 0..CONTENTS {
                for (group, lanes) in self.units(shape)?.into_iter().enumerate() {
                    rows[group * shape.inputs() + input][content] = lanes;
                }
            }
        }
        let bias = self.units(shape)?;
        let limits = self.units(shape)?;
        let mut outputs = [const { Vec::new() }; BUCKETS];
        for row in &mut outputs {
            *row = self.units(shape)?;
        }
        let direct = (0..shape.inputs()).map(|_| self.integers());
        Some(Weights {
            rows,
            bias,
            limits,
            outputs,
            direct: direct.collect::<Option<_>>()?,
            constants: self.integers()?,
            shift,
        })
    }
}
