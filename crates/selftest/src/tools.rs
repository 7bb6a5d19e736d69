//! Solvers and tablebases that checks share.

use kalahari_exact::kalah::{
    Solver, SolverOptions, Techniques, suggested_memory, suggested_tablebase,
};
use kalahari_exact::tablebase::{Progress, TableSpec, Tablebase};
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use std::sync::Arc;

/// What checks need and the next one can go on with. Nothing on disk is used, so that the answers are this
/// program's own.
#[derive(Debug)]
pub struct Tools {
    threads: usize,
    /// The last solver, and the game and seeds it was made for.
    solver: Option<(KalahSpec, u32, Solver<Packed>)>,
}

impl Tools {
    /// Tools that use this many threads.
    pub fn new(threads: usize) -> Self {
        Tools {
            threads,
            solver: None,
        }
    }

    /// A solver for positions of a game with at most `seeds` seeds in the pits.
    pub(crate) fn solver(
        &mut self,
        game: KalahSpec,
        seeds: u32,
    ) -> Result<&Solver<Packed>, String> {
        let fits = |known: &(KalahSpec, u32, _)| known.0 == game && known.1 >= seeds;
        if !self.solver.as_ref().is_some_and(fits) {
            // The old one goes first: two at once might not fit the memory.
            self.solver = None;
            let pits = game.pits();
            let options = SolverOptions {
                memory: suggested_memory(pits, seeds),
                threads: self.threads,
                tablebase: tablebase(game, suggested_tablebase(pits, seeds))?,
                techniques: Techniques::default(),
            };
            let board = Kalah::<Packed>::new(game).map_err(|error| error.to_string())?;
            let board = board.with_any_total();
            let solver = Solver::new(&board, seeds, options).map_err(|error| error.to_string())?;
            self.solver = Some((game, seeds, solver));
        }
        match &self.solver {
            Some((_, _, solver)) => Ok(solver),
            None => Err("there is no solver".to_owned()),
        }
    }
}

/// A tablebase in memory for a game's family.
fn tablebase(game: KalahSpec, seeds: Option<usize>) -> Result<Option<Arc<Tablebase>>, String> {
    let (Some(table), Some(seeds)) = (TableSpec::of_game(game), seeds) else {
        return Ok(None);
    };
    let built = Tablebase::build(table, seeds, &Progress::default());
    let built = built.map_err(|error| error.to_string())?;
    Ok(Some(Arc::new(built)))
}
