//! Labels positions by a search or by a proof.

use crate::error::DatasetError;
use crate::in_order::in_order;
use crate::recipe::check_agent;
use crate::row::{Label, LabelSource, left};
use kalahari_agents::{AgentSpec, AnyReport, Player};
use kalahari_arena::rng_seeds;
use kalahari_exact::prover::{Proof, Prover, Wanted};
use kalahari_exact::tablebase::TableSpec;
use kalahari_games::{AnyGame, AnyPosition, Game};
use kalahari_terms::{Limits, Score, Stop, Unit, Worth};
use std::ops::ControlFlow;

/// An agent that searches positions.
pub(crate) struct Searcher {
    spec: AgentSpec,
    player: Player,
}

impl Searcher {
    pub(crate) fn new(game: &AnyGame, spec: &AgentSpec) -> Result<Self, DatasetError> {
        let player = Player::new(spec, game, 0)?;
        check_agent(spec, &player)?;
        Ok(Searcher {
            spec: spec.clone(),
            player,
        })
    }

    /// Clears the agent's state, so that the next answers do not depend on earlier ones.
    pub(crate) fn begin(&mut self, rng_seed: u64, stop: &Stop) {
        self.player.begin_game(rng_seed, stop);
    }

    pub(crate) fn think(
        &mut self,
        position: &AnyPosition,
        all_moves: bool,
        stop: &Stop,
    ) -> Result<AnyReport, DatasetError> {
        let report = self
            .player
            .think(position, Limits::NONE, stop, all_moves, &mut |_| {});
        report.map_err(|failure| DatasetError::Failed {
            agent: Box::new(self.spec.clone()),
            failure,
        })
    }
}

/// How many consecutive positions share the state of a search, such as its transposition table. Changing this number changes the labels.
const BATCH: usize = 64;

/// Labels positions by a search; the labels are in the order of the positions. `None` if it was stopped. `done` gets the number of labels
/// so far.
pub(crate) fn by_search(
    game: &AnyGame,
    (agent, all_moves): (&AgentSpec, bool),
    positions: &[AnyPosition],
    rng_seed: u64,
    threads: usize,
    stop: &Stop,
    done: &dyn Fn(usize),
) -> Result<Option<Vec<Label>>, DatasetError> {
    let batches: Vec<&[AnyPosition]> = positions.chunks(BATCH).collect();
    let work = |searcher: &mut Searcher, number: u64, stop: &Stop| {
        searcher.begin(rng_seeds::mix([rng_seed, number]), stop);
        let mut labels = Vec::with_capacity(BATCH);
        for position in batches[number as usize] {
            let report = searcher.think(position, all_moves, stop)?;
            if stop.is_requested() {
                return Ok(None);
            }
            labels.extend(Label::of_report(&report));
        }
        Ok(Some(labels))
    };
    let mut labels = Vec::with_capacity(positions.len());
    let take = |batch: Vec<Label>| {
        labels.extend(batch);
        done(labels.len());
        ControlFlow::Continue(())
    };
    let worker = || Searcher::new(game, agent);
    in_order(threads, batches.len() as u64, stop, worker, work, take)?;
    Ok((labels.len() == positions.len()).then_some(labels))
}

/// Labels positions by proofs; the labels are in the order of the positions. `None` if it was stopped. `done` gets the number of labels
/// so far.
pub(crate) fn by_proof(
    prover: &mut Prover,
    source: &dyn Fn(&AnyPosition) -> LabelSource,
    positions: &[AnyPosition],
    threads: usize,
    stop: &Stop,
    done: &dyn Fn(usize),
) -> Result<Option<Vec<Label>>, DatasetError> {
    let wanted = Wanted {
        moves: true,
        ..Wanted::VALUE
    };
    let mut labels: Vec<Option<Label>> = vec![None; positions.len()];
    let mut count = 0;
    let mut each = |place: usize, proof: Proof| {
        labels[place] = exact(&proof, source(&positions[place]));
        count += 1;
        done(count);
        ControlFlow::Continue(())
    };
    prover.prove_all(positions, threads, &wanted, stop, &mut each)?;
    Ok(labels.into_iter().collect())
}

/// The source that an exact label names, for a recipe with a tablebase of this many seeds. It does not depend on the tablebases and books
/// of this machine, which only save work: the same recipe gives the same rows everywhere.
pub(crate) fn exact_source(
    game: &AnyGame,
    tablebase: usize,
    position: &AnyPosition,
) -> LabelSource {
    let family = game.spec().kalah().and_then(TableSpec::of_game);
    match family.is_some() && left(game, position) as usize <= tablebase {
        true => LabelSource::Tablebase,
        false => LabelSource::Solver,
    }
}

/// The label from a proof; `None` if the proof is not complete.
fn exact(proof: &Proof, source: LabelSource) -> Option<Label> {
    let worth = proof.score.map(Score::worth)?;
    // If the rules count no points, only the sign of a margin has a meaning.
    let value = |margin: i32| match worth {
        Worth::Margin(_) => margin as f32,
        _ => margin.signum() as f32,
    };
    let moves = proof.exact_moves()?;
    let best = moves.iter().map(|&(_, margin)| margin).max()?;
    let (mv, _) = moves.iter().find(|&&(_, margin)| margin == best)?;
    Some(Label {
        value: worth.amount() as f32,
        unit: match worth {
            Worth::Margin(_) => Unit::Margin,
            _ => Unit::Result,
        },
        proven: true,
        best: *mv,
        moves: moves
            .iter()
            .map(|&(mv, margin)| (mv, value(margin)))
            .collect(),
        source,
        nodes: None,
    })
}
