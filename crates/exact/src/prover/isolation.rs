//! Proofs of Isolation positions: by the solver.

use super::{
    Listener, News, Plan, Proof, ProverError, ProverOptions, Proves, Source, Wanted, erased, typed,
};
use crate::isolation::IsolationSolver;
use crate::kalah::SavedTableError;
use crate::{Bounds, Effort};
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition};
use kalahari_games::{AnyPosition, Game, Typed};
use kalahari_terms::Stop;
use std::ops::ControlFlow;
use std::path::Path;

/// The most memory of a table, which grows as needed.
const MEMORY: u64 = 1 << 30;

pub(super) struct IsolationProver<B: Bits> {
    game: Isolation<B>,
    memory: u64,
    listener: Option<Listener>,
    solver: Option<IsolationSolver<B>>,
}

impl<B: Bits> IsolationProver<B> {
    pub(super) fn new(game: &Isolation<B>, options: ProverOptions) -> Self {
        IsolationProver {
            game: game.clone(),
            memory: options.memory.bytes(MEMORY),
            listener: None,
            solver: None,
        }
    }
}

impl<B: Bits> Proves for IsolationProver<B>
where
    Isolation<B>: Typed<Position = IsolationPosition<B>, Move = IsolationMove>,
{
    fn listen(&mut self, listener: Listener) {
        self.listener = Some(listener);
    }

    fn plan(&mut self, positions: &[AnyPosition], _: &Wanted) -> Result<Plan, ProverError> {
        let mut goes_on = false;
        for position in positions {
            goes_on |= !self.game.is_over(&typed(&self.game, position)?);
        }
        Ok(Plan {
            seeds: 0,
            tablebase_seeds: 0,
            memory: if goes_on { self.memory } else { 0 },
        })
    }

    fn ready(&mut self, _: &Plan, _: &Stop) -> Result<(), ProverError> {
        // Nothing to prepare: the table is small at first and grows.
        Ok(())
    }

    fn prove(
        &mut self,
        position: &AnyPosition,
        wanted: &Wanted,
        effort: &Effort,
    ) -> Result<Proof, ProverError> {
        let game = &self.game;
        let position = typed(game, position)?;
        if let Some(proof) = Proof::of_finished(game, &position) {
            return Ok(proof);
        }
        let (memory, listener) = (self.memory, &self.listener);
        let tell = |news: &News<'_>| {
            if let Some(listener) = listener {
                listener(news);
            }
        };
        let solver = self
            .solver
            .get_or_insert_with(|| IsolationSolver::new(game, memory));
        let bounds = solver.value(&position, effort, &mut |bounds| {
            let nodes = effort.nodes();
            tell(&News::Value { bounds, nodes });
        });
        let mut proof = Proof::of_value(
            position.player(),
            bounds,
            game.has_margins(),
            Source::Solver,
        );
        if let Some(value) = bounds.exact() {
            let line = solver.line(&position, value, wanted.plies, effort);
            proof.line = erased::<Isolation<B>>(line);
            if wanted.moves {
                let mut done = |mv, bounds: Bounds| {
                    let (mv, nodes) = (Isolation::<B>::erase_move(mv), effort.nodes());
                    tell(&News::Move { mv, bounds, nodes });
                };
                let moves = solver.moves(&position, effort, &mut done).into_iter();
                let erase = |(mv, bounds)| (Isolation::<B>::erase_move(mv), bounds);
                proof.moves = moves.map(erase).collect();
            }
        }
        proof.nodes = effort.nodes();
        Ok(proof)
    }

    fn prove_all(
        &mut self,
        positions: &[AnyPosition],
        _: usize,
        wanted: &Wanted,
        stop: &Stop,
        each: &mut dyn FnMut(usize, Proof) -> ControlFlow<()>,
    ) -> Result<(), ProverError> {
        for (place, position) in positions.iter().enumerate() {
            if stop.is_requested() {
                break;
            }
            let proof = self.prove(position, wanted, &Effort::new(&wanted.limits, stop))?;
            if each(place, proof).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn reaches(
        &mut self,
        position: &AnyPosition,
        value: i32,
        effort: &Effort,
    ) -> Result<Option<bool>, ProverError> {
        let Bounds { lower, upper } = self.prove(position, &Wanted::VALUE, effort)?.bounds;
        Ok(match value {
            _ if lower >= value => Some(true),
            _ if upper < value => Some(false),
            _ => None,
        })
    }

    fn guess(&mut self, position: &AnyPosition) -> Result<i32, ProverError> {
        typed(&self.game, position)?;
        Ok(0)
    }

    fn tablebase_seeds(&self) -> usize {
        0
    }

    fn save(&mut self, _: &Path) -> Result<(), ProverError> {
        Err(SavedTableError::Unsupported.into())
    }

    fn resume(&mut self, _: &Path) -> Result<(), ProverError> {
        Err(SavedTableError::Unsupported.into())
    }
}
