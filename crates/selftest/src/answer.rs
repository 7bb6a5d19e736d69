//! Finds again what is known.

use crate::{Check, ExactRow, Question, Tools, Value, Verdict};
use kalahari_exact::isolation::IsolationSolver;
use kalahari_exact::kalah::{Bounds, Solver};
use kalahari_exact::tablebase::{Progress, TableSpec, Tablebase};
use kalahari_games::isolation::{Isolation, IsolationSpec};
use kalahari_games::kalah::{CaptureRule, KalahSetup, KalahSpec, Packed, Pit};
use kalahari_games::{Game, GameSpec, GameVisitor, Player, Totals, perft};
use kalahari_search::bench;
use std::sync::atomic::{AtomicBool, Ordering};

impl Check {
    /// Compares what this program finds with what is known. `stop` ends it early.
    pub fn run(&self, tools: &mut Tools, stop: &AtomicBool) -> Verdict {
        let found = match &self.question {
            Question::Perft { game, counts } => count(*game, counts),
            Question::Positions { pits, rule, rows } => positions(*pits, *rule, rows, tools, stop),
            Question::Kalah { game, moves, value } => kalah(*game, moves, *value, tools, stop),
            Question::Isolation { game, value } => isolation(*game, *value, stop),
            Question::Tablebase { table, seeds } => tablebase(*table, *seeds, stop),
            Question::Signature { nodes } => signature(*nodes),
        };
        match found {
            _ if stop.load(Ordering::Relaxed) => Verdict::Stopped,
            Ok(()) => Verdict::Right,
            Err(difference) => Verdict::Wrong(difference),
        }
    }
}

/// Nothing, or what is different, in a line.
type Found = Result<(), String>;

fn compare<T: PartialEq + std::fmt::Debug>(what: &str, found: T, known: T) -> Found {
    match found == known {
        true => Ok(()),
        false => Err(format!("{what}: {found:?} instead of {known:?}")),
    }
}

fn count(game: GameSpec, counts: &[u64]) -> Found {
    struct Counts(u32);
    impl GameVisitor for Counts {
        type Output = Vec<u64>;

        fn visit<G: Game>(self, game: G) -> Vec<u64> {
            let count = |depth| perft(&game, &game.start(), depth);
            (1..=self.0).map(count).collect()
        }
    }
    let found = game.visit(Totals::Exact, Counts(counts.len() as u32));
    compare("sequences of moves", found, counts.to_vec())
}

/// The most seeds in the pits of a known position.
const POSITION_SEEDS: u32 = 72;

fn positions(
    pits: usize,
    rule: CaptureRule,
    rows: &[ExactRow],
    tools: &mut Tools,
    stop: &AtomicBool,
) -> Found {
    let game = KalahSpec::new(pits, 4, rule).ok_or("no such game")?;
    let most = rows.iter().map(|row| {
        let seeds = row.houses.iter().map(|&seeds| u32::from(seeds));
        seeds.sum::<u32>() - u32::from(row.houses[pits]) - u32::from(row.houses[2 * pits + 1])
    });
    let most = most.max().unwrap_or(0).min(POSITION_SEEDS);
    let solver = tools.solver(game, most)?;
    for row in rows {
        let setup = KalahSetup {
            houses: row.houses.clone(),
            player: Player::BOTH[row.player % 2],
        };
        let position = solver.game().position(&setup);
        let position = position.map_err(|error| error.to_string())?;
        let value = proven(solver.margin(&position, stop, &mut |_| ()))?;
        compare(&setup.to_string(), value, row.value)?;
        let moves = solver.moves(&position, value, stop, &mut |_, _| ());
        let moves: Vec<Option<i32>> = moves
            .into_iter()
            .map(|b| b.and_then(Bounds::exact))
            .collect();
        compare(&format!("moves of {setup}"), moves, row.moves.clone())?;
        check_line(solver, &position, value, stop)?;
    }
    Ok(())
}

fn proven(bounds: Bounds) -> Result<i32, String> {
    bounds.exact().ok_or_else(|| "stopped".to_owned())
}

/// The line has to end the game with the margin.
fn check_line(solver: &Solver<Packed>, position: &Packed, margin: i32, stop: &AtomicBool) -> Found {
    let mut end = *position;
    for pit in solver.line(position, margin, stop) {
        let after = solver.game().play(&end, pit);
        end = after.map_err(|error| error.to_string())?;
    }
    let game = solver.game();
    let outcome = game.outcome(&end).ok_or("the line ends before the game")?;
    let mover = game.to_move(position);
    compare("the end of the line", outcome.margin(mover), margin)
}

fn kalah(
    game: KalahSpec,
    moves: &[Pit],
    value: Value,
    tools: &mut Tools,
    stop: &AtomicBool,
) -> Found {
    let solver = tools.solver(game, game.total())?;
    let mut position = solver.game().start();
    for &pit in moves {
        let after = solver.game().play(&position, pit);
        position = after.map_err(|error| error.to_string())?;
    }
    let found = proven(solver.margin(&position, stop, &mut |_| ()))?;
    let found = match solver.game().to_move(&position) {
        Player::First => found,
        Player::Second => -found,
    };
    value_fits(value, found)
}

fn value_fits(value: Value, found: i32) -> Found {
    match value.fits(found) {
        true => Ok(()),
        false => Err(format!("the value is {found:+}, not {value:?}")),
    }
}

fn isolation(game: IsolationSpec, value: Value, stop: &AtomicBool) -> Found {
    let game = Isolation::<u64>::new(game).ok_or("the board is too large")?;
    let mut solver = IsolationSolver::new(&game, 64 << 20);
    let start = game.start();
    let found = solver.value(&start, stop).exact().ok_or("stopped")?;
    value_fits(value, found)?;
    let mut end = start;
    for mv in solver.line(&start, found, stop) {
        end = game.play(&end, mv).map_err(|error| error.to_string())?;
    }
    let outcome = game.outcome(&end).ok_or("the line ends before the game")?;
    compare("the end of the line", outcome.margin(start.player()), found)
}

fn tablebase(table: TableSpec, seeds: usize, stop: &AtomicBool) -> Found {
    let built = Tablebase::build(table, seeds, &Progress::default());
    let built = built.map_err(|error| error.to_string())?;
    let checked = built.verify(&Default::default(), stop);
    let checked = checked.map_err(|error| error.to_string())?;
    compare("positions", checked.positions, built.positions())
}

fn signature(known: u64) -> Found {
    let mut nodes = 0;
    bench::run(&mut |row| nodes += row.nodes);
    compare("nodes of the engine", nodes, known)
}
