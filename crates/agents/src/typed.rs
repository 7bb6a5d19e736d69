//! An agent of a typed game as a player of any game.

use kalahari_games::{AnyGame, AnyMove, Typed};
use kalahari_search::{Agent, Report, Task};
use kalahari_terms::Failure;
use std::marker::PhantomData;

/// Erases the board type of an agent. It must be asked only about positions of the game that it was made for.
pub(crate) struct Erased<G, A> {
    agent: A,
    game: PhantomData<fn(G)>,
}

impl<G: Typed, A: Agent<G>> Erased<G, A> {
    pub(crate) fn new(agent: A) -> Self {
        Erased {
            agent,
            game: PhantomData,
        }
    }
}

impl<G: Typed, A: Agent<G>> Agent<AnyGame> for Erased<G, A> {
    fn think(&mut self, task: Task<'_, AnyGame>) -> Result<Report<AnyMove>, Failure> {
        let Some(position) = G::typed_position(&task.position) else {
            let problem = format!("{:?} belongs to another game", task.position);
            return Err(Failure::Crashed(problem));
        };
        let progress = task.progress;
        let report = self.agent.think(Task {
            position,
            limits: task.limits,
            stop: task.stop,
            all_moves: task.all_moves,
            progress: &mut |report| progress(&report.clone().map(G::erase_move)),
        })?;
        Ok(report.map(G::erase_move))
    }

    fn forget(&mut self, rng_seed: u64) {
        self.agent.forget(rng_seed);
    }

    fn is_deterministic(&self) -> bool {
        self.agent.is_deterministic()
    }
}
