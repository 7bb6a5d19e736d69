//! Pasted texts: a position or moves, in any of their forms. Records are read by `record`.

use crate::line::{MOST_MOVES, game};
use crate::{Problem, WireResult};
use kalahari_games::isolation::{
    CellState, IsolationMove, IsolationRule, IsolationSetup, IsolationSpec,
};
use kalahari_games::kalah::{CaptureRule, KalahSetup, KalahSpec, MAX_SEEDS};
use kalahari_games::{GameSpec, Player};
use kalahari_study::{Line, Played};

/// Reads a pasted text. `shown` is the game on the screen, which is the best guess if the text names none.
pub(crate) fn read(text: &str, shown: Option<GameSpec>) -> WireResult<Played> {
    let text = text.trim();
    if text.is_empty() {
        return Err(wrong(
            "nothing was pasted; paste a position, a list of moves or a game record",
        ));
    }
    let (named, rest) = match text.split_once(char::is_whitespace) {
        _ if !text.starts_with("kalah") && !text.starts_with("isolation") => (None, text),
        Some((name, rest)) => (Some(game(name)?), rest.trim()),
        None => (Some(game(text)?), ""),
    };
    let (position, moves) = match rest.split_once("moves") {
        Some((position, moves)) => (position.trim(), Some(moves.trim())),
        None => (rest, None),
    };
    let known = named.or(shown);
    let line = match (known, position, moves) {
        (Some(game), "", moves) => Line {
            game,
            start: None,
            moves: words(moves.unwrap_or_default()),
        },
        // Without the word "moves" a list of numbers or cells may be either.
        (Some(game), list, None) if !is_position(game, list) && named_moves(list) => Line {
            game,
            start: None,
            moves: words(list),
        },
        (_, position, moves) => {
            let game = game_of_position(position, known, named.is_some())?;
            let moves = words(moves.unwrap_or_default());
            Line {
                game,
                start: Some(position.to_owned()),
                moves,
            }
        }
    };
    if line.moves.len() > MOST_MOVES {
        return Err(wrong(format!("more than {MOST_MOVES} moves")));
    }
    Ok(line.play()?)
}

fn wrong(message: impl Into<String>) -> Problem {
    Problem::new("bad_text", message).at("text")
}

fn words(text: &str) -> Vec<String> {
    text.split([' ', ',', ';', '\t', '\r', '\n'])
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a text is a position for a board of this game's size.
fn is_position(game: GameSpec, text: &str) -> bool {
    match game.kalah() {
        Some(spec) => text
            .parse::<KalahSetup>()
            .is_ok_and(|setup| setup.pits() == spec.pits()),
        None => text.parse::<IsolationSetup>().is_ok(),
    }
}

/// Whether a text could be a list of moves: pits, cells, passes.
fn named_moves(text: &str) -> bool {
    words(text).iter().all(|word| {
        word == "pass" || word.parse::<u8>().is_ok() || word.parse::<IsolationMove>().is_ok()
    })
}

/// The game of a position: the known one if it fits, otherwise one of the position's size.
fn game_of_position(text: &str, known: Option<GameSpec>, for_sure: bool) -> WireResult<GameSpec> {
    if let Some(game) = known
        && (for_sure || is_position(game, text))
    {
        return match (game.isolation(), text.parse::<IsolationSetup>()) {
            // A board of another size than the one on the screen.
            (Some(spec), Ok(setup)) if !for_sure => isolation_of(&setup, spec.rule()),
            _ => Ok(game),
        };
    }
    let isolation = text.parse::<IsolationSetup>();
    if let Ok(setup) = &isolation {
        let rule = match pieces(setup) {
            [true, true] => IsolationRule::Trail,
            _ => IsolationRule::Queen,
        };
        return isolation_of(setup, rule);
    }
    match text.parse::<KalahSetup>() {
        Ok(setup) => {
            let pits = setup.pits();
            let known = known.and_then(GameSpec::kalah);
            let rule = known.map_or(CaptureRule::Standard, |spec| spec.rule());
            let seeds = (setup.total() / (2 * pits as u32)).clamp(1, MAX_SEEDS);
            KalahSpec::new(pits, seeds, rule)
                .map(GameSpec::Kalah)
                .ok_or_else(|| wrong("there is no board of this size"))
        }
        Err(error) if text.contains('/') => Err(wrong(
            isolation
                .err()
                .map_or_else(|| error.to_string(), |isolation| isolation.to_string()),
        )),
        Err(error) => Err(wrong(format!(
            "{error}. A position, a list of moves or a game record can be pasted"
        ))),
    }
}

fn pieces(setup: &IsolationSetup) -> [bool; 2] {
    Player::BOTH.map(|player| {
        setup
            .rows
            .iter()
            .flatten()
            .any(|cell| *cell == CellState::Piece(player))
    })
}

fn isolation_of(setup: &IsolationSetup, rule: IsolationRule) -> WireResult<GameSpec> {
    let cols = setup.rows.first().map_or(0, Vec::len);
    IsolationSpec::new(setup.rows.len(), cols, rule)
        .map(GameSpec::Isolation)
        .ok_or_else(|| wrong("there is no board of this size"))
}
