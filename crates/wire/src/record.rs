//! Records of games, pasted and exported.

use crate::line::{self, LineAnswer};
use crate::{Problem, WireResult};
use kalahari_games::{Game, Player};
use kalahari_record::{Ending, GameRecord, RecordedMove};
use kalahari_study::Played;

/// Whether a pasted text is meant to be a record.
pub(crate) fn is_meant(text: &str) -> bool {
    text.trim_start().starts_with("kalahari-record")
}

/// The first game of a pasted text.
pub(crate) fn read(text: &str, ahead: bool) -> WireResult<LineAnswer> {
    let wrong = |message: String| Problem::new("bad_text", message).at("text");
    let records = GameRecord::read_all(text).map_err(|error| wrong(error.to_string()))?;
    let record = records.into_iter().next();
    let record = record.ok_or_else(|| wrong("there is no game in it".to_owned()))?;
    let (game, positions) = record.replay().map_err(|error| wrong(error.to_string()))?;
    let played = Played {
        game,
        positions,
        moves: record.moves.iter().map(|mv| mv.mv).collect(),
    };
    let opening = record.book;
    let players = Some(record.players.map(|player| player.name));
    let mut answer = line::answer(&played, players.clone(), ahead);
    answer.record = write(&played, players);
    answer.opening = opening;
    Ok(answer)
}

/// The record of a finished game.
pub(crate) fn write(played: &Played, players: Option<[String; 2]>) -> Option<String> {
    let outcome = played.game.outcome(&played.last())?;
    let moves = played.moves.iter().copied().map(RecordedMove::book);
    let record = GameRecord {
        game: played.game.spec(),
        players: match players {
            Some(players) => players.map(Into::into),
            None => ["First", "Second"].map(Into::into),
        },
        start: line::own_start(played),
        book: 0,
        moves: moves.collect(),
        winner: outcome.winner(),
        margin: Some(outcome.margin(Player::First)),
        ending: Ending::Rules,
        detail: String::new(),
        match_id: String::new(),
        number: 0,
        rng_seed: 0,
    };
    Some(record.to_string())
}
