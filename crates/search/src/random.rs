//! The player that does not think.

use crate::{Agent, Report, Rng, Searchable, Task, Unit};
use std::time::Instant;

/// Plays any legal move, all equally likely.
#[derive(Clone, Debug)]
pub struct Random<G> {
    game: G,
    rng: Rng,
}

impl<G: Searchable> Random<G> {
    /// A player whose choices come from `seed`.
    pub fn new(game: G, seed: u64) -> Self {
        Random {
            game,
            rng: Rng::new(seed),
        }
    }
}

impl<G: Searchable> Agent<G> for Random<G> {
    fn think(&mut self, task: Task<'_, G>) -> Report<G::Move> {
        let begin = Instant::now();
        let position = &task.position;
        if let Some(report) = Report::of_finished(&self.game, position) {
            return report;
        }
        let count = self.game.count_moves(position) as usize;
        let best = self.game.moves(position).nth(self.rng.below(count));
        Report {
            best,
            value: 0.5,
            unit: Unit::WinShare,
            line: best.into_iter().collect(),
            moves: match task.all_moves {
                true => self.game.moves(position).map(|mv| (mv, 0.5)).collect(),
                false => Vec::new(),
            },
            depth: 0,
            nodes: 1,
            elapsed: begin.elapsed(),
            proven: false,
        }
    }

    fn forget(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}
