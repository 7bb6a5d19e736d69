//! The prover that checks share.

use kalahari_exact::prover::{Prover, ProverOptions, TableMemory};
use kalahari_games::{AnyGame, Game, GameKind, GameSpec};

/// What checks need and pass on to the next one. No book and no file is used, so that this program computes all answers
/// itself.
#[derive(Debug)]
pub struct Tools {
    threads: usize,
    /// The prover of the last game.
    prover: Option<Prover>,
}

/// The memory for Isolation boards, all of which are small.
const ISOLATION_MEMORY: u64 = 64 << 20;

impl Tools {
    /// Tools that use this many threads.
    pub fn new(threads: usize) -> Self {
        Tools {
            threads,
            prover: None,
        }
    }

    /// A prover of positions of a game, with any number of seeds.
    pub(crate) fn prover(&mut self, game: GameSpec) -> &mut Prover {
        // The old one is dropped first: two at once might not fit in memory.
        let old = self.prover.take();
        let old = old.filter(|prover| prover.game().spec() == game);
        let prover = old.unwrap_or_else(|| {
            let options = ProverOptions {
                threads: self.threads,
                memory: match game.kind() {
                    GameKind::Kalah => TableMemory::Suited,
                    GameKind::Isolation => TableMemory::AtMost(ISOLATION_MEMORY),
                },
                ..ProverOptions::without_files()
            };
            Prover::new(&AnyGame::with_any_total(game, 0), options)
        });
        self.prover.insert(prover)
    }
}
