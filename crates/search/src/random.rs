//! The player that does not think.

use crate::{Agent, Report, Rng, Task};
use kalahari_games::Game;
use kalahari_terms::{Failure, Score};
use std::time::Duration;

/// Plays any legal move, all equally likely.
#[derive(Clone, Debug)]
pub struct Random<G> {
    game: G,
    rng: Rng,
}

impl<G: Game> Random<G> {
    /// A player whose choices come from `rng_seed`.
    pub fn new(game: G, rng_seed: u64) -> Self {
        Random {
            game,
            rng: Rng::new(rng_seed),
        }
    }
}

impl<G: Game> Agent<G> for Random<G> {
    fn think(&mut self, task: Task<'_, G>) -> Result<Report<G::Move>, Failure> {
        let position = &task.position;
        if let Some(report) = Report::of_finished(&self.game, position) {
            return Ok(report);
        }
        let score = Score::unknown(self.game.to_move(position));
        let count = self.game.count_moves(position) as usize;
        let best = self.game.moves(position).nth(self.rng.below(count));
        Ok(Report {
            best,
            score,
            line: best.into_iter().collect(),
            moves: match task.all_moves {
                true => self.game.moves(position).map(|mv| (mv, score)).collect(),
                false => Vec::new(),
            },
            depth: 0,
            nodes: 1,
            // Reading a clock would take longer than the choice.
            elapsed: Duration::ZERO,
            outlook: None,
        })
    }

    fn forget(&mut self, rng_seed: u64) {
        self.rng = Rng::new(rng_seed);
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}
