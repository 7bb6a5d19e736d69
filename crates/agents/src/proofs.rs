//! What is proven without a search, as the engine asks for it.

use kalahari_exact::Effort;
use kalahari_exact::book::ProvenBounds;
use kalahari_exact::prover::{KnownValues, PartProofs, ProverError, Sources, proven_bounds};
use kalahari_games::isolation::{Bits, Isolation};
use kalahari_games::kalah::{Board, Kalah, Pit};
use kalahari_search::{Aim, ExactSource, ProofSource, Searchable, ToProve};
use kalahari_storage::data_home;
use kalahari_terms::Bounds;
use std::sync::Arc;

/// A game of which something may be known without a search.
pub(crate) trait Known: Searchable {
    /// What a search of this game can ask for on this machine.
    fn known(&self, sources: Sources) -> Result<Option<Arc<dyn ExactSource<Self>>>, ProverError>;

    /// Who proves values of this game for a search on this machine, with a table of so many bytes and so many threads.
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
            // Final margins are others there.
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

    /// Searches prove as much as the solver does.
    fn proofs(
        &self,
        _: Sources,
        _: u64,
        _: usize,
    ) -> Result<Option<Arc<dyn ProofSource<Self>>>, ProverError> {
        Ok(None)
    }
}

/// Shorter pieces of a proof are left to one thread: threads that wait for each other lose more than they gain, above all
/// where others use the machine. (With two of them 100 ms a move proved 52% of a sample instead of 68% on a busy machine, and no
/// more on a quiet one.)
const WORTH_SHARING: u64 = 1_000_000;

/// A solver as a search asks it.
#[derive(Debug)]
struct Solving<B: Board> {
    proofs: PartProofs<B>,
    /// What long proofs have shown.
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

/// A tablebase as a search asks it.
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

/// All that is known, as a search asks it.
#[derive(Debug)]
struct Everything {
    all: KnownValues,
    tablebase: TablebaseOnly,
}

impl<B: Board> ExactSource<Kalah<B>> for Everything {
    fn margin(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        self.all.margin(game, position)
    }

    /// Where the book knows every move, a search is soon done. Elsewhere it would be asked in vain.
    fn for_root(&self, game: &Kalah<B>, root: &B) -> Option<&dyn ExactSource<Kalah<B>>> {
        if self.all.knows_below(game, root) {
            return Some(self);
        }
        self.tablebase.for_root(game, root)
    }
}
