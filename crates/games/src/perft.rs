//! Counting move sequences: the test every move generator has to pass.

use crate::Game;

/// The number of move sequences of exactly `depth` moves from `position`.
///
/// The moves of the last ply are counted, not played. A finished game has no sequences left, and
/// every position has exactly one of length 0.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count_moves(position),
        // Written out, since most calls would be of depth 1 and do next to nothing.
        2 => game
            .moves(position)
            .map(|mv| game.count_moves(&game.play_unchecked(position, mv)))
            .sum(),
        _ => game
            .moves(position)
            .map(|mv| perft(game, &game.play_unchecked(position, mv), depth - 1))
            .sum(),
    }
}
