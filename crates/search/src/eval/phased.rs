//! `phased`: a course's evaluation in two phases, as `book/src/players/rules.md` states it.

use super::registry::Named;
use super::{EvalError, Evaluation, Scale};
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};
use kalahari_games::{GameSpec, Player};

/// First toward the centre; later room around the piece, the centre, and central steps.
#[derive(Clone, Copy, Debug)]
pub struct Phased;

impl<B: Bits> Evaluation<Isolation<B>> for Phased {
    fn evaluate(&self, game: &Isolation<B>, position: &IsolationPosition<B>, _: bool) -> i32 {
        let mover = position.player();
        score(game, position, mover) - score(game, position, !mover)
    }

    fn scale(&self) -> Scale {
        // Five free cells more in a room of ten.
        Scale::points(40_000)
    }
}

impl Named for Phased {
    fn of_game(_: GameSpec) -> Result<Self, EvalError> {
        Ok(Phased)
    }
}

/// A player's score; 0 before the piece is placed.
fn score<B: Bits>(game: &Isolation<B>, position: &IsolationPosition<B>, player: Player) -> i32 {
    let Some(at) = position.piece(player) else {
        return 0;
    };
    let spec = game.isolation_spec();
    let (rows, cols) = (spec.rows(), spec.cols());
    let (middle_row, middle_col) = (rows / 2, cols / 2);
    let distance = |row: usize, col: usize| row.abs_diff(middle_row) + col.abs_diff(middle_col);
    // The centre is never nearer to the last row or column than to the first: a first corner is farthest.
    let farthest = distance(0, 0);
    let closeness = |cell: usize| (farthest - distance(cell / cols, cell % cols)) as i32;

    let own = closeness(at);
    let free = position.free();
    if 8 * free.count() as usize > 7 * spec.cells() {
        return own.pow(4);
    }
    let window =
        |at: usize, reach: usize, size: usize| at.saturating_sub(reach)..(at + reach + 1).min(size);
    let room = window(at / cols, rows / 4, rows)
        .flat_map(|row| window(at % cols, cols / 4, cols).map(move |col| row * cols + col))
        .filter(|&cell| free.has(cell))
        .count() as i32;
    let steps = game.destinations(position, player);
    let central_steps: i32 = steps.ones().map(closeness).sum();
    // The last term of `book/src/players/rules.md`, 5 minus the steps both pieces share, is the same for both players
    // and drops out of the difference.
    room.pow(4) + own.pow(2) + central_steps
}
