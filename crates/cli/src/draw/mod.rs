//! Boards drawn in plain text.

mod isolation;
mod kalah;

use crate::play::PitsFrom;
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, View};

/// Draws a board.
pub(crate) fn board(view: &View) -> String {
    board_for(view, PitsFrom::Zero)
}

/// Draws a board with its pits numbered in this way.
pub(crate) fn board_for(view: &View, pits_from: PitsFrom) -> String {
    match view {
        View::Kalah(setup) => kalah::kalah(setup, pits_from),
        View::Isolation(setup) => isolation::isolation(setup),
    }
}

/// At most this many legal moves are listed; `classic` Isolation has hundreds.
const LISTED: usize = 40;

/// The legal moves, and how many more there are than listed.
pub(crate) fn legal_moves(
    game: &AnyGame,
    position: &AnyPosition,
    name: impl Fn(AnyMove) -> String,
) -> (String, u64) {
    let moves = game.moves(position).take(LISTED);
    let words: Vec<String> = moves.map(name).collect();
    let more = game.count_moves(position).saturating_sub(LISTED as u64);
    (words.join(" "), more)
}
