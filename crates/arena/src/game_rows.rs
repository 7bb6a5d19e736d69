//! Games as a store writes them. The slow part, replaying the games and writing their moves as text, is done beforehand, in any
//! thread.

use crate::ArenaError;
use crate::game_row::GameRow;
use kalahari_games::Game;
use kalahari_record::{GameRecord, words};

/// A row with its checksum, and the opening that it begins with.
#[derive(Clone, Debug)]
pub(crate) struct ReadyRow {
    pub(crate) row: GameRow,
    pub(crate) checksum: u32,
    /// The game, the opening's moves as text, and the position after them.
    pub(crate) game: String,
    pub(crate) opening: String,
    pub(crate) position: String,
}

/// Finished games, ready to be written.
#[derive(Clone, Debug, Default)]
pub struct GameRows(pub(crate) Vec<ReadyRow>);

impl GameRows {
    /// The rows of finished games. An unfinished game is an error, since every game of a store counts.
    pub fn new(records: &[GameRecord]) -> Result<Self, ArenaError> {
        let ready = |record: &GameRecord| {
            let verdict = record.verdict(record.seat_of_a());
            let verdict = verdict.ok_or(ArenaError::Unfinished)?;
            let (game, positions) = record.replay()?;
            let position = positions[record.opening().len()];
            let row = GameRow::new(record, verdict);
            Ok(ReadyRow {
                checksum: row.checksum(),
                row,
                game: record.game.to_string(),
                opening: words(record.opening(), |mv| Some(mv.mv)),
                position: game.position_text(&position),
            })
        };
        let rows = records.iter().map(ready);
        Ok(GameRows(rows.collect::<Result<_, ArenaError>>()?))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
