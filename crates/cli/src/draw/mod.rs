//! Boards drawn in plain text.

mod isolation;
mod kalah;

use kalahari_games::{AnyGame, AnyPosition, Game, View};

/// Draws a board.
pub(crate) fn board(view: &View) -> String {
    match view {
        View::Kalah(setup) => kalah::kalah(setup),
        View::Isolation(setup) => isolation::isolation(setup),
    }
}

/// At most this many legal moves are listed; `classic` Isolation has hundreds.
const LISTED: usize = 40;

/// The legal moves, and how many more there are than listed.
pub(crate) fn legal_moves(game: &AnyGame, position: &AnyPosition) -> (String, u64) {
    let moves = game.moves(position).take(LISTED);
    let words: Vec<String> = moves.map(|mv| mv.to_string()).collect();
    let more = game.count_moves(position).saturating_sub(LISTED as u64);
    (words.join(" "), more)
}
