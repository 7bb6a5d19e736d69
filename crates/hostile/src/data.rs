//! Readers of datasets, training states and pieces of experiments, and of the text files of engines, matches and servers.

use crate::files::{file, put};
use kalahari_arena::Openings;
use kalahari_club::Names;
use kalahari_dataset::{Manifest, Shard};
use kalahari_games::AnyGame;
use kalahari_games::kalah::CaptureRule;
use kalahari_net::Shape;
use kalahari_search::eval::Kalahari;
use kalahari_shards::{PlaceFile, PlanFile};
use kalahari_train::{Settings, Training};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::OnceLock;

/// Shards of datasets as Parquet files: the bytes as they are, then with the checksum corrected.
pub(crate) fn shard(bytes: &[u8]) {
    let path = Path::new("a shard.parquet");
    let _ = Shard::of_parquet(path, bytes.to_vec());
    if let Some(bytes) = with_shard_sum(bytes) {
        let _ = Shard::of_parquet(path, bytes);
    }
}

/// A shard's bytes with the right checksum: eight digits after the last mark, computed with zeros in their place.
fn with_shard_sum(bytes: &[u8]) -> Option<Vec<u8>> {
    const MARK: &[u8] = b"kalahari-crc32:";
    let mark = bytes.windows(MARK.len()).rposition(|at| at == MARK)?;
    let digits = mark + MARK.len()..mark + MARK.len() + 8;
    let mut bytes = bytes.to_vec();
    bytes.get_mut(digits.clone())?.fill(b'0');
    let sum = format!("{:08x}", crc32fast::hash(&bytes));
    bytes[digits].copy_from_slice(sum.as_bytes());
    Some(bytes)
}

/// Shards of datasets as CSV files, of two games.
pub(crate) fn shard_csv(bytes: &[u8]) {
    static GAMES: OnceLock<[AnyGame; 2]> = OnceLock::new();
    let text = String::from_utf8_lossy(bytes);
    let games = GAMES.get_or_init(|| {
        ["kalah:2x2", "isolation:3x3"].map(|name| AnyGame::new(name.parse().unwrap_or_default()))
    });
    for game in games {
        let _ = Shard::rows_of_csv(Path::new("a shard.csv"), game, &text);
    }
}

/// Manifests of datasets.
pub(crate) fn manifest(bytes: &[u8]) {
    let path = Path::new("_manifest.json");
    if let Ok(manifest) = Manifest::of_text(path, &String::from_utf8_lossy(bytes)) {
        let written = serde_json::to_string(&manifest).unwrap_or_default();
        assert_eq!(Manifest::of_text(path, &written).ok(), Some(manifest));
    }
}

/// Training states: the bytes as they are, then with the checksum corrected.
pub(crate) fn training(bytes: &[u8]) {
    let _ = Training::from_bytes(bytes);
    let mut bytes = bytes.to_vec();
    let Some(end) = bytes.len().checked_sub(4) else {
        return;
    };
    let sum = crc32fast::hash(&bytes[..end]);
    put(&mut bytes, end, sum);
    if let Ok((training, samples)) = Training::from_bytes(&bytes) {
        assert_eq!(training.to_bytes(samples), bytes);
    }
}

/// The state of a training of the smallest net that has not started yet.
pub(crate) fn trainings() -> Vec<Vec<u8>> {
    let settings = Settings {
        rounds: 2,
        batch: 8,
        rate: 0.001,
        rng_seed: 1,
    };
    let shape = Shape::new(1, CaptureRule::Standard, 4, 1);
    let training = shape.map(|shape| Training::new(shape, settings).to_bytes(7));
    training.into_iter().collect()
}

/// The files of an experiment in pieces, plans and pieces: the bytes as they are, then with the checksum corrected.
pub(crate) fn pieces(bytes: &[u8]) {
    let path = Path::new("a piece");
    for bytes in [bytes.to_vec(), with_piece_sum(bytes)] {
        let _ = PlaceFile::of_bytes(path, bytes.clone());
        let _ = PlanFile::of_bytes(path, bytes);
    }
}

/// A text with the right last line: the checksum of everything before it.
fn with_piece_sum(bytes: &[u8]) -> Vec<u8> {
    const LAST: &[u8] = b"\nsha256 ";
    let end = bytes.windows(LAST.len()).rposition(|at| at == LAST);
    let mut bytes = bytes[..end.unwrap_or(bytes.len())].to_vec();
    bytes.push(b'\n');
    let sum = Sha256::digest(&bytes);
    let digits: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.extend(format!("sha256 {digits}\n").bytes());
    bytes
}

/// The file of names that a server of the Kalah Game Protocol has assigned to its clients.
pub(crate) fn names(bytes: &[u8]) {
    let _ = Names::of_bytes(Path::new("names.json"), bytes, true);
}

/// Files of openings, and openings as JSON, as stores keep them.
pub(crate) fn openings(bytes: &[u8]) {
    let Some(path) = file("openings", bytes) else {
        return;
    };
    let _ = Openings::parse(&path.to_string_lossy());
    if let Ok(openings) = serde_json::from_slice::<Openings>(bytes) {
        let again = serde_json::to_vec(&openings).map(|text| serde_json::from_slice(&text).ok());
        assert_eq!(again.ok().flatten(), Some(openings));
    }
}

/// Weights of an evaluation.
pub(crate) fn weights(bytes: &[u8]) {
    if let Some(path) = file("weights", bytes) {
        let _ = Kalahari::from_file(&path.to_string_lossy());
    }
}
