//! Games that an agent plays against itself, with a share of random moves.

use super::{Candidate, Collection, first_game};
use crate::error::DatasetError;
use crate::in_order::in_order;
use crate::label::Searcher;
use crate::recipe::{Range, Share};
use crate::row::Label;
use kalahari_agents::AgentSpec;
use kalahari_arena::rng_seeds;
use kalahari_games::{AnyGame, Game};
use kalahari_search::Rng;
use kalahari_terms::Stop;
use std::ops::ControlFlow;

/// After this many games in a row without a new position, we assume that there are no more.
const PATIENCE: u32 = 1_000;

/// How games of self-play are played.
pub(crate) struct SelfPlay<'a> {
    pub(crate) game: &'a AnyGame,
    pub(crate) player: &'a AgentSpec,
    pub(crate) random: Share,
    pub(crate) opening: u32,
    pub(crate) range: Range,
    pub(crate) rng_seed: u64,
    /// `Some` if the player's own searches are the labels; then whether they evaluate every move.
    pub(crate) labels: Option<bool>,
}

impl SelfPlay<'_> {
    /// The positions of a shard; `None` if it was stopped. `found` gets the number of positions so far.
    pub(crate) fn shard(
        &self,
        shard: u32,
        wanted: u64,
        threads: usize,
        stop: &Stop,
        found: &dyn Fn(usize),
    ) -> Result<Option<Vec<Candidate>>, DatasetError> {
        let mut collection = Collection::new(wanted);
        let mut patience = PATIENCE;
        let take = |game: Vec<Candidate>| {
            patience -= 1;
            for candidate in game {
                if collection.add(candidate) {
                    patience = PATIENCE;
                }
            }
            found(collection.candidates.len());
            match collection.is_full() || patience == 0 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let worker = || Searcher::new(self.game, self.player);
        let work = |searcher: &mut Searcher, number: u64, stop: &Stop| {
            self.play(searcher, first_game(shard) + number, stop)
        };
        // The range of game numbers that a shard has. It is never used up in practice.
        let end = first_game(1);
        in_order(threads, end, stop, worker, work, take)?;
        Ok((!stop.is_requested()).then_some(collection.candidates))
    }

    /// The positions of a game; `None` if it was stopped. They depend only on the settings and the number of the game.
    fn play(
        &self,
        searcher: &mut Searcher,
        number: u64,
        stop: &Stop,
    ) -> Result<Option<Vec<Candidate>>, DatasetError> {
        let mut rng = Rng::new(rng_seeds::mix([self.rng_seed, number]));
        searcher.begin(rng.next_u64(), stop);
        let mut positions = Vec::new();
        let mut position = self.game.start();
        for ply in 0.. {
            let count = self.game.count_moves(&position) as usize;
            if count == 0 {
                break;
            }
            let chance = (rng.unit(), rng.below(count));
            let is_random = ply < self.opening || chance.0 < self.random.value();
            let candidate = Candidate::new(self.game, self.range, number, ply, position);
            let is_labelled = self.labels.is_some() && candidate.is_some();
            let report = match is_labelled || !is_random {
                true => {
                    let all_moves = is_labelled && self.labels == Some(true);
                    Some(searcher.think(&position, all_moves, stop)?)
                }
                false => None,
            };
            if stop.is_requested() {
                return Ok(None);
            }
            let best = report.as_ref().and_then(|report| report.best);
            if let Some(mut candidate) = candidate {
                let label = report.as_ref().and_then(Label::of_report);
                candidate.label = label.filter(|_| is_labelled);
                positions.push(candidate);
            }
            let mv = best.filter(|_| !is_random);
            let Some(mv) = mv.or_else(|| self.game.moves(&position).nth(chance.1)) else {
                break;
            };
            position = self.game.play_unchecked(&position, mv);
        }
        Ok(Some(positions))
    }
}
