//! Judged games in one file, which `kalahari review --judged FILE` shows.
//!
//! ```text
//! kalahari-judged 1
//! {"games":{"db":"games.db",...},"count":200,"checksum":"0f3c...","nodes":50000,...}
//! {"game":0,"moves":[...]}
//! ...
//! sha256 0f3c...
//! ```

use crate::checked::{Frame, read_checked, write_checked};
use crate::error::JUDGED_FILE;
use crate::judged::KeptGame;
use crate::reviews::Reviews;
use kalahari_storage::{Damage, FileError, Foreign};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

const FRAME: Frame = Frame {
    kind: &JUDGED_FILE,
    magic: "kalahari-judged ",
    version: 1,
};

/// Judged games of a review.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgements {
    /// What was to be judged, and how.
    pub reviews: Reviews,
    /// The judged games, by their number.
    pub games: BTreeMap<u64, KeptGame>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    game: u64,
    moves: KeptGame,
}

impl Judgements {
    /// The judged games of this review in a file; none if there is no file yet. A file of another review is refused.
    pub fn open(path: &Path, reviews: &Reviews) -> Result<Self, FileError> {
        let read = match Self::read(path) {
            Err(error) if error.is_missing() => {
                return Ok(Judgements {
                    reviews: reviews.clone(),
                    games: BTreeMap::new(),
                });
            }
            read => read?,
        };
        match read.reviews == *reviews {
            true => Ok(read),
            false => {
                let name = |reviews: &Reviews| {
                    format!(
                        "{} games ({}) with {} nodes a position",
                        reviews.count, reviews.checksum, reviews.nodes
                    )
                };
                let (found, wanted) = (name(&read.reviews), name(reviews));
                Err(JUDGED_FILE.error(path, Foreign::Subject { found, wanted }))
            }
        }
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let nonsense =
            |error: serde_json::Error| JUDGED_FILE.error(path, Damage::nonsense(error.to_string()));
        let text = read_checked(&FRAME, path)?;
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let reviews = serde_json::from_str(first).map_err(nonsense)?;
        let mut games = BTreeMap::new();
        for line in lines {
            let Line { game, moves } = serde_json::from_str(line).map_err(nonsense)?;
            games.insert(game, moves);
        }
        Ok(Judgements { reviews, games })
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let unwritable = |error: serde_json::Error| JUDGED_FILE.unwritable(path, error.into());
        let mut text = serde_json::to_string(&self.reviews).map_err(unwritable)? + "\n";
        for (&game, moves) in &self.games {
            let moves = moves.clone();
            text += &serde_json::to_string(&Line { game, moves }).map_err(unwritable)?;
            text.push('\n');
        }
        write_checked(&FRAME, path, &text)
    }
}
