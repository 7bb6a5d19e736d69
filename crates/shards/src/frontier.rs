//! The positions that an opening book is made of. Each part is one position of the frontier.

use crate::error::ShardError;
use crate::found::Finding;
use crate::tables::prover_options;
use kalahari_arena::{Hands, Identity};
use kalahari_exact::book::{Walk, solve_frontier};
use kalahari_exact::prover::{
    Prover, ProverOptions, TableMemory, TablePolicy, TablebasePolicy, Wanted, table_policy,
};
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use kalahari_games::{AnyGame, GameSpec, Typed};
use serde::{Deserialize, Serialize};
use std::ops::{ControlFlow, Range};

/// The positions to be solved for a book of a given number of plies. Values are proven, so they are the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frontier {
    /// The game, without the end by majority.
    pub game: KalahSpec,
    /// The depth of the book, in plies.
    pub plies: u32,
    /// How many positions are to be solved.
    pub positions: u64,
    /// The bytes of the table of proven bounds; if left out, a size that suits the positions.
    pub memory: Option<u64>,
    /// The seeds of the tablebase below all positions.
    pub tablebase: usize,
    /// The program.
    pub identity: Identity,
}

impl Frontier {
    /// The positions of a walk. The policy decides how large the tablebase is.
    pub fn planned(
        walk: &Walk,
        memory: Option<u64>,
        tablebase: TablebasePolicy,
        hands: &Hands<'_>,
    ) -> Result<Self, ShardError> {
        let game = walk.game().kalah_spec();
        let options = ProverOptions {
            threads: hands.threads,
            book: false,
            tablebase: match table_policy() {
                TablePolicy::Never => TablebasePolicy::None,
                _ => tablebase,
            },
            ..ProverOptions::default()
        };
        let mut prover = Prover::new(&AnyGame::new(game.into()), options);
        let positions = walk.frontier().iter();
        let positions: Vec<_> = positions
            .map(|&position| Kalah::<Packed>::erase_position(position))
            .collect();
        prover.prepare(&positions, &Wanted::VALUE, hands.stop)?;
        Ok(Frontier {
            game,
            plies: walk.plies(),
            positions: positions.len() as u64,
            memory,
            tablebase: prover.tablebase_seeds(),
            identity: Identity::of(&[], game.into())?,
        })
    }

    /// The walk, if it is the one that the plan was made for.
    pub(crate) fn walk(&self) -> Result<Walk, ShardError> {
        let walk = Walk::of(self.game, self.plies)?;
        let here = walk.frontier().len() as u64;
        match here == self.positions {
            true => Ok(walk),
            false => Err(ShardError::OtherIdentity {
                changes: format!(
                    "{here} positions of {} after {} plies instead of {}",
                    self.game, self.plies, self.positions
                ),
            }),
        }
    }

    pub(crate) fn identity_here(&self) -> Result<Identity, ShardError> {
        // A proven value does not depend on files; the tablebase is made as large as the plan says.
        Ok(Identity::of(&[], self.game.into())?)
    }

    /// Solves some positions and passes each finding to `each` as soon as it is there.
    pub(crate) fn find(
        &self,
        parts: &Range<u64>,
        hands: &Hands<'_>,
        each: &mut dyn FnMut(u64, Finding),
    ) -> Result<(), ShardError> {
        let walk = self.walk()?;
        let memory = self.memory.map_or(TableMemory::Suited, TableMemory::Bytes);
        let options = prover_options(GameSpec::Kalah(self.game), self.tablebase, memory, hands)?;
        let mut prover = Prover::new(&AnyGame::new(self.game.into()), options);
        let numbers: Vec<usize> = (parts.start..parts.end)
            .map_while(|part| usize::try_from(part).ok())
            .collect();
        let mut left = numbers.len();
        let mut hear = |number: usize, margin: i32| {
            left -= 1;
            each(number as u64, Finding::Margin(margin));
            ControlFlow::Continue(())
        };
        let threads = hands.threads.max(1);
        solve_frontier(&walk, &numbers, &mut prover, threads, hands.stop, &mut hear)?;
        match left {
            0 => Ok(()),
            _ => Err(ShardError::Stopped),
        }
    }
}
