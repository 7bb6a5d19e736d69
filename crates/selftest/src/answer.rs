//! Runs the checks.

use crate::{Check, Difference, ExactRow, Question, Tools, Value, Verdict};
use kalahari_exact::Watch;
use kalahari_exact::prover::{Proof, Wanted};
use kalahari_exact::tablebase::{TableSpec, Tablebase};
use kalahari_games::kalah::{CaptureRule, KalahSetup, KalahSpec, Pit};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Player, View};
use kalahari_search::bench;
use kalahari_terms::Stop;

impl Check {
    /// Compares what this program finds with what is known. `stop` ends it early.
    pub fn run(&self, tools: &mut Tools, stop: &Stop) -> Verdict {
        let found = match &self.question {
            Question::Perft { game, counts } => count(*game, counts),
            Question::Positions { pits, rule, rows } => positions(*pits, *rule, rows, tools, stop),
            Question::Game { game, moves, value } => game_value(*game, moves, *value, tools, stop),
            Question::Tablebase { table, seeds } => tablebase(*table, *seeds, stop),
            Question::Signature { nodes } => signature(*nodes),
        };
        match found {
            _ if stop.is_requested() => Verdict::Stopped,
            Ok(()) => Verdict::Right,
            Err(difference) => Verdict::Wrong(difference),
        }
    }
}

/// Nothing, or the difference from what is known.
type Found = Result<(), Difference>;

fn count(game: GameSpec, counts: &[u64]) -> Found {
    let game = AnyGame::new(game);
    let depths = 1..=counts.len() as u32;
    let found: Vec<u64> = depths
        .map(|depth| game.perft(&game.start(), depth))
        .collect();
    Difference::between("sequences of moves", found.as_slice(), counts)
}

fn positions(
    pits: usize,
    rule: CaptureRule,
    rows: &[ExactRow],
    tools: &mut Tools,
    stop: &Stop,
) -> Found {
    let Some(spec) = KalahSpec::new(pits, 4, rule) else {
        return Difference::between("pits of a game", None, Some(pits));
    };
    let prover = tools.prover(spec.into());
    let game = prover.game().clone();
    let position = |row: &ExactRow| {
        game.position(&View::Kalah(KalahSetup {
            houses: row.houses.clone(),
            player: Player::BOTH[row.player % 2],
        }))
    };
    let positions = rows.iter().map(position).collect::<Result<Vec<_>, _>>()?;
    prover.prepare(&positions, &Wanted::ALL, stop)?;
    for (row, position) in rows.iter().zip(&positions) {
        let text = game.position_text(position);
        let proof = prover.prove(position, &Wanted::ALL, stop)?;
        Difference::between(&text, proof.bounds.exact(), Some(row.value))?;
        let mut moves = vec![None; pits];
        for (mv, bounds) in &proof.moves {
            if let AnyMove::Kalah(pit) = mv {
                moves[pit.index()] = bounds.exact();
            }
        }
        Difference::between(format!("moves of {text}"), &moves, &row.moves)?;
        check_line(&game, position, &proof)?;
    }
    Ok(())
}

/// The line has to end the game with the value.
fn check_line(game: &AnyGame, position: &AnyPosition, proof: &Proof) -> Found {
    let mut end = *position;
    for &mv in &proof.line {
        end = game.play(&end, mv)?;
    }
    let mover = game.to_move(position);
    let margin = game.outcome(&end).map(|outcome| outcome.margin(mover));
    Difference::between("the end of the line", margin, proof.bounds.exact())
}

fn game_value(
    game: GameSpec,
    moves: &[Pit],
    value: Value,
    tools: &mut Tools,
    stop: &Stop,
) -> Found {
    let prover = tools.prover(game);
    let game = prover.game().clone();
    let mut position = game.start();
    for &pit in moves {
        position = game.play(&position, AnyMove::Kalah(pit))?;
    }
    let wanted = match game {
        AnyGame::KalahPacked(_) | AnyGame::KalahWide(_) => Wanted::VALUE,
        _ => Wanted::LINE,
    };
    let proof = prover.prove(&position, &wanted, stop)?;
    let found = proof
        .bounds
        .exact()
        .map(|value| match game.to_move(&position) {
            Player::First => value,
            Player::Second => -value,
        });
    match value {
        Value::Margin(margin) => Difference::between("the value", found, Some(margin))?,
        Value::Sign(sign) => {
            let found = found.map(i32::signum);
            Difference::between("the sign of the value", found, Some(sign))?;
        }
    }
    match wanted.plies {
        0 => Ok(()),
        _ => check_line(&game, &position, &proof),
    }
}

fn tablebase(table: TableSpec, seeds: usize, stop: &Stop) -> Found {
    let built = Tablebase::build(table, seeds, stop)?;
    let checked = built.verify(Watch::silent(stop))?;
    Difference::between("positions", checked.positions, built.positions())
}

fn signature(known: u64) -> Found {
    let mut nodes = 0;
    bench::run(&mut |row| nodes += row.nodes);
    Difference::between("nodes of the engine", nodes, known)
}
