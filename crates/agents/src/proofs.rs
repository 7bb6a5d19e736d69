//! Books, tablebases and the solver as sources of proven values for the engine.

use kalahari_exact::Effort;
use kalahari_exact::book::ProvenBounds;
use kalahari_exact::prover::{KnownValues, PartProofs, ProverError, Sources, proven_bounds};
use kalahari_games::isolation::{Bits, Isolation};
use kalahari_games::kalah::{Board, Kalah, Pit};
use kalahari_search::{Aim, ExactSource, ProofSource, Searchable, ToProve};
use kalahari_storage::data_home;
use kalahari_terms::Bounds;
use std::sync::Arc;

/// A game for which proven values may be available.
pub(crate) trait Known: Searchable {
    /// The proven values that a search of this game can look up on this machine.
    fn known(&self, sources: Sources) -> Result<Option<Arc<dyn ExactSource<Self>>>, ProverError>;

    /// The solver that proves values of this game for a search, with a table of `memory` bytes and this many threads.
    fn proofs(
        &self,
        sources: Sources,
        memory: u64,
        threads: usize,
    ) -> Result<Option<Arc<dyn ProofSource<Self>>>, ProverError>;
}

impl<B: Board> Known for Kalah<B>
where
    Kalah<B>: Searchable<Position = B, Move = Pit>,
{
    fn known(&self, sources: Sources) -> Result<Option<Arc<dyn ExactSource<Self>>>, ProverError> {
        let home = data_home();
        let known = KnownValues::open(self.kalah_spec(), sources, home.as_deref())?;
        Ok(known.map(|all| -> Arc<dyn ExactSource<Self>> {
            let tablebase = TablebaseOnly(all.without_book());
            Arc::new(Everything { all, tablebase })
        }))
    }

    fn proofs(
        &self,
        sources: Sources,
        memory: u64,
        threads: usize,
    ) -> Result<Option<Arc<dyn ProofSource<Self>>>, ProverError> {
        let spec = self.kalah_spec();
        if spec.majority() {
            // With the end by majority, final margins differ from those that the solver proves.
            return Ok(None);
        }
        let home = data_home();
        let bounds = match sources.book {
            true => proven_bounds(spec, home.as_deref())?,
            false => None,
        };
        let sources = Sources {
            book: false,
            ..sources
        };
        let known = KnownValues::open(spec, sources, home.as_deref())?;
        let tablebase = known.map_or_else(Default::default, |known| known.tablebase().clone());
        let proofs = PartProofs::new(self, tablebase, memory);
        Ok(Some(Arc::new(Solving {
            proofs,
            bounds,
            threads,
        })))
    }
}

impl<B: Bits> Known for Isolation<B>
where
    Isolation<B>: Searchable,
{
    fn known(&self, _: Sources) -> Result<Option<Arc<dyn ExactSource<Self>>>, ProverError> {
        Ok(None)
    }

    /// `None`: the engine's search proves as much as the solver does.
    fn proofs(
        &self,
        _: Sources,
        _: u64,
        _: usize,
    ) -> Result<Option<Arc<dyn ProofSource<Self>>>, ProverError> {
        Ok(None)
    }
}

/// Parts of a proof with fewer nodes than this are left to one thread: threads that wait for each other lose more than they gain,
/// above all on a busy machine. (On a busy machine, 100 ms a move proved 52% of a sample with two threads and 68% with one; on a
/// quiet machine, two threads proved no more than one.)
const WORTH_SHARING: u64 = 1_000_000;

/// The solver as a source of proofs for a search.
#[derive(Debug)]
struct Solving<B: Board> {
    proofs: PartProofs<B>,
    /// Bounds from long proofs, stored in files.
    bounds: Option<Arc<ProvenBounds>>,
    threads: usize,
}

impl<B: Board> ProofSource<Kalah<B>> for Solving<B>
where
    Kalah<B>: Searchable<Position = B, Move = Pit>,
{
    fn likely_cost(&self, _: &Kalah<B>, root: &B) -> Option<u64> {
        Some(self.proofs.likely_cost(root))
    }

    fn recall(&self, game: &Kalah<B>, root: &B, moves: &mut [(Pit, Bounds)]) {
        let Some(known) = &self.bounds else {
            return;
        };
        let of_root = known.of(game, root);
        for (pit, bounds) in moves {
            let mut both = bounds.and(known.of_move(game, root, *pit));
            if let Some(of_root) = of_root {
                // No move is worth more than the position.
                both.upper = both.upper.min(of_root.upper);
            }
            if both.lower <= both.upper {
                *bounds = both;
            }
        }
    }

    fn narrow(&self, question: &ToProve<'_, Kalah<B>>, moves: &mut [(Pit, Bounds)]) -> u64 {
        let effort = Effort::new(&question.limits, question.stop);
        let is_short = question
            .limits
            .nodes
            .is_some_and(|nodes| nodes < WORTH_SHARING);
        let threads = match question.repeats || is_short {
            true => 1,
            false => self.threads,
        };
        let effort = effort.with_threads(threads);
        let every_move = question.aim == Aim::EveryMove;
        self.proofs
            .narrow(question.root, question.guess, every_move, moves, &effort);
        effort.nodes()
    }

    fn line(&self, question: &ToProve<'_, Kalah<B>>) -> (Vec<Pit>, u64) {
        let effort = Effort::new(&question.limits, question.stop);
        let line = self.proofs.line(question.root, question.guess, &effort);
        (line, effort.nodes())
    }

    fn forget(&self) {
        self.proofs.forget();
    }
}

/// A tablebase as a source of exact values for a search.
#[derive(Debug)]
struct TablebaseOnly(KnownValues);

impl<B: Board> ExactSource<Kalah<B>> for TablebaseOnly {
    #[inline]
    fn margin(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        self.0.margin(game, position)
    }

    fn for_root(&self, _: &Kalah<B>, _: &B) -> Option<&dyn ExactSource<Kalah<B>>> {
        self.0.tablebase().get().is_some().then_some(self as _)
    }
}

/// The book and the tablebase as a source of exact values for a search.
#[derive(Debug)]
struct Everything {
    all: KnownValues,
    tablebase: TablebaseOnly,
}

impl<B: Board> ExactSource<Kalah<B>> for Everything {
    fn margin(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        self.all.margin(game, position)
    }

    /// If the book knows every move of the root, a search that uses it is soon done. Otherwise the book would not help, and only
    /// the tablebase is used.
    fn for_root(&self, game: &Kalah<B>, root: &B) -> Option<&dyn ExactSource<Kalah<B>>> {
        if self.all.knows_below(game, root) {
            return Some(self);
        }
        self.tablebase.for_root(game, root)
    }
}
