//! Saves a training to a file and resumes it.
//!
//! ```text
//!    magic, version, pits, rule, seeds, hidden units
//!    rounds, batch, rate, fingerprint of the samples, number of finished rounds
//!    random seed (64 bits), steps (64 bits)
//!    four errors of each finished round
//!    the net's numbers, the running means and the running squares
//!    CRC-32 of everything before
//! ```
//!
//! The header has little-endian words of 32 bits, unless noted; the rate, the errors and all numbers after them are 32-bit floats.

use crate::training::{Errors, Round, Settings, Training};
use crate::{FloatNet, Samples};
use kalahari_games::kalah::CaptureRule;
use kalahari_net::Shape;
use kalahari_storage::{Damage, FileError, FileKind, Foreign, Trouble, write_whole};
use std::fs;
use std::path::Path;

const MAGIC: [u8; 8] = *b"KALAHTR\n";
const VERSION: u32 = 1;

/// The kind of these files, for errors.
pub static STATE_KIND: FileKind = FileKind {
    name: "saved training",
    if_missing: "start a new one",
    if_bad: "delete the file to start again",
};

impl Samples {
    /// A checksum of the samples.
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for sample in self.seen.iter().chain(&self.held_out) {
            hasher.update(&sample.pits);
            hasher.update(&sample.seeds.to_le_bytes());
            hasher.update(&sample.target.to_le_bytes());
        }
        hasher.update(&(self.seen.len() as u64).to_le_bytes());
        hasher.finalize()
    }
}

impl Training {
    /// Writes the training to a file, whole or not at all. `samples` is the fingerprint of the samples that it learns from.
    pub fn save(&self, path: &Path, samples: u32) -> Result<(), FileError> {
        write_whole(path, &self.to_bytes(samples))
            .map_err(|error| STATE_KIND.unwritable(path, error))
    }

    /// Resumes a training from a file; `None` if there is no such file. A training of another shape, other settings or other samples is
    /// refused.
    pub fn resume(
        path: &Path,
        shape: Shape,
        settings: Settings,
        samples: u32,
    ) -> Result<Option<Self>, FileError> {
        if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(STATE_KIND.error(path, Foreign::Kind));
        }
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(STATE_KIND.unreadable(path, error)),
        };
        let fail = |trouble| STATE_KIND.error(path, trouble);
        let (training, found) = Training::from_bytes(&bytes).map_err(fail)?;
        let subject = |found: String, wanted: String| {
            let subject = Foreign::Subject { found, wanted };
            Err(STATE_KIND.error(path, subject))
        };
        if training.net.shape() != shape {
            let name = |shape: Shape| format!("{shape}, {} hidden units", shape.hidden());
            return subject(name(training.net.shape()), name(shape));
        }
        if training.settings != settings {
            let name = |settings: Settings| {
                let Settings {
                    rounds,
                    batch,
                    rate,
                    rng_seed,
                } = settings;
                format!("{rounds} rounds, batch {batch}, rate {rate}, seed {rng_seed}")
            };
            return subject(name(training.settings), name(settings));
        }
        if found != samples {
            return subject("other samples".to_owned(), "these".to_owned());
        }
        Ok(Some(training))
    }

    /// The content of its file.
    pub fn to_bytes(&self, samples: u32) -> Vec<u8> {
        let shape = self.net.shape();
        let rule = CaptureRule::ALL
            .iter()
            .position(|&rule| rule == shape.rule());
        let Settings {
            rounds,
            batch,
            rate,
            rng_seed,
        } = self.settings;
        let mut bytes = MAGIC.to_vec();
        for word in [
            VERSION,
            shape.pits() as u32,
            rule.unwrap_or(0) as u32,
            shape.seeds(),
            shape.hidden() as u32,
            rounds,
            batch,
            rate.to_bits(),
            samples,
            self.history.len() as u32,
        ] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(rng_seed.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        let errors = self.history.iter().flat_map(|round| {
            let Round { seen, held_out, .. } = round;
            [
                seen.mean,
                seen.root_square,
                held_out.mean,
                held_out.root_square,
            ]
        });
        let numbers = self.net.numbers.iter().chain(&self.means);
        let numbers = numbers.chain(&self.squares).copied();
        errors
            .chain(numbers)
            .for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a training from a file's content. Also returns the fingerprint of its samples.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, u32), Trouble> {
        read(bytes)
    }
}

fn read(bytes: &[u8]) -> Result<(Training, u32), Trouble> {
    let Some(rest) = bytes.strip_prefix(&MAGIC) else {
        return Err(match MAGIC.starts_with(bytes) {
            true => Damage::TooShort.into(),
            false => Foreign::Kind.into(),
        });
    };
    let mut rest = rest;
    let mut words = [0; 14];
    for word in &mut words {
        let (chunk, after) = rest.split_first_chunk::<4>().ok_or(Damage::TooShort)?;
        *word = u32::from_le_bytes(*chunk);
        rest = after;
    }
    let [
        version,
        pits,
        rule,
        seeds,
        hidden,
        rounds,
        batch,
        rate,
        samples,
        finished,
        ..,
    ] = words;
    let long = |place: usize| u64::from(words[place]) | u64::from(words[place + 1]) << 32;
    if version != VERSION {
        let known = VERSION;
        let found = version;
        return Err(Foreign::Version { found, known }.into());
    }
    let (content, sum) = bytes.split_at(bytes.len() - 4);
    if sum != crc32fast::hash(content).to_le_bytes() {
        return Err(Damage::checksum("the training").into());
    }
    let senseless = || Damage::nonsense("its numbers make no sense");
    let rule = CaptureRule::ALL.get(rule as usize).ok_or_else(senseless)?;
    let shape = Shape::new(pits as usize, *rule, seeds, hidden as usize).ok_or_else(senseless)?;
    let numbers = rest[..rest.len().saturating_sub(4)].chunks_exact(4);
    // There must be no bytes left over after the numbers.
    if !numbers.remainder().is_empty() {
        return Err(senseless().into());
    }
    let numbers: Vec<f32> = numbers
        .map(|chunk| f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]))
        .collect();
    let errors = (4 * finished as usize).min(numbers.len());
    let (errors, numbers) = numbers.split_at(errors);
    let [net, means, squares]: [&[f32]; 3] = numbers
        .chunks((numbers.len() / 3).max(1))
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| senseless())?;
    let history = errors
        .chunks_exact(4)
        .zip(1..)
        .map(|(errors, number)| Round {
            number,
            seen: Errors {
                mean: errors[0],
                root_square: errors[1],
            },
            held_out: Errors {
                mean: errors[2],
                root_square: errors[3],
            },
        });
    let training = Training {
        settings: Settings {
            rounds,
            batch,
            rate: f32::from_bits(rate),
            rng_seed: long(10),
        },
        net: FloatNet::from_numbers(shape, net.to_vec()).ok_or_else(senseless)?,
        means: means.to_vec(),
        squares: squares.to_vec(),
        steps: long(12),
        history: history.collect(),
    };
    let same_length = means.len() == net.len() && squares.len() == net.len();
    match same_length && training.history.len() == finished as usize {
        true => Ok((training, samples)),
        false => Err(senseless().into()),
    }
}
