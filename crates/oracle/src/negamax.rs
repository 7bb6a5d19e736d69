//! The search that every search is checked against.

use kalahari_games::Game;

/// A plain negamax: no pruning, no table, nothing else.
pub struct Negamax<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// What a position looks worth to its mover; the flag says that the mover also made the last move.
    pub eval: &'a dyn Fn(&G::Position, bool) -> i32,
    /// What a final margin is worth.
    pub finished: &'a dyn Fn(i32) -> i32,
    /// What an extra turn costs in depth.
    pub extra: i32,
}

impl<G: Game> Negamax<'_, G> {
    /// The value for the player to move, searched `depth` plies deep.
    pub fn value(&self, position: &G::Position, depth: i32, again: bool) -> i32 {
        let mover = self.game.to_move(position);
        if let Some(outcome) = self.game.outcome(position) {
            return (self.finished)(outcome.margin(mover));
        }
        if depth <= 0 {
            return (self.eval)(position, again);
        }
        self.game
            .moves(position)
            .map(|mv| self.move_value(position, mv, depth))
            .max()
            .expect("a game that goes on has moves")
    }

    /// The value of a move for the player who makes it.
    pub fn move_value(&self, position: &G::Position, mv: G::Move, depth: i32) -> i32 {
        let child = self.game.play_unchecked(position, mv);
        match self.game.to_move(&child) == self.game.to_move(position) {
            true => self.value(&child, depth - self.extra, true),
            false => -self.value(&child, depth - 1, false),
        }
    }
}

/// Whether the whole tree below a position has fewer than `nodes` nodes, so that negamax can run to its end.
pub fn is_small<G: Game>(game: &G, position: &G::Position, nodes: u32) -> bool {
    fn count<G: Game>(game: &G, position: &G::Position, left: &mut u32) -> bool {
        *left = left.saturating_sub(1);
        *left > 0
            && game
                .moves(position)
                .all(|mv| count(game, &game.play_unchecked(position, mv), left))
    }
    count(game, position, &mut { nodes })
}
