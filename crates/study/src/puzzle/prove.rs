//! Proofs for puzzles: the solvers prove the value of every move.

use super::{Known, Puzzle, Step};
use crate::line::Line;
use kalahari_exact::prover::{Prover, ProverOptions, TableMemory, TablebasePolicy, Wanted};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, PositionError};
use kalahari_terms::Stop;
use thiserror::Error;

/// The longest chain of moves that a puzzle asks for.
const MOST_STEPS: usize = 5;
/// The size of a solver's table in bytes. Puzzles are small, so this is enough.
const MEMORY: u64 = 32 << 20;
/// The number of seeds in the Kalah solver's tablebase, which is filled in a fraction of a second.
const TABLE_SEEDS: usize = 10;

/// The value of every move.
const MOVES: Wanted = Wanted {
    moves: true,
    ..Wanted::VALUE
};

/// A prover with the options for puzzles.
pub(super) fn prover(game: &AnyGame) -> Prover {
    let options = ProverOptions {
        memory: TableMemory::Bytes(MEMORY),
        tablebase: TablebasePolicy::Seeds(TABLE_SEEDS),
        ..ProverOptions::without_files()
    };
    Prover::new(game, options)
}

/// The first of the best moves in the game's order, independent of the order in which the solver finds them, so that the same
/// seed makes the same puzzles with every solver. Puzzles are small enough to be solved completely.
fn best(prover: &mut Prover, position: &AnyPosition) -> Option<AnyMove> {
    let proof = prover.prove(position, &MOVES, &Stop::new()).ok()?;
    let moves = proof.exact_moves()?;
    let most = moves.iter().map(|(_, value)| *value).max()?;
    let first = moves.into_iter().find(|(_, value)| *value == most)?;
    Some(first.0)
}

/// The proven values of all moves of a position, with the opponent's best answers.
fn known_moves(
    game: &AnyGame,
    prover: &mut Prover,
    position: &AnyPosition,
) -> Option<Vec<(AnyMove, Known)>> {
    let mover = game.to_move(position);
    let proof = prover.prove(position, &MOVES, &Stop::new()).ok()?;
    let known = |(mv, value): (AnyMove, i32)| {
        let after = game.play_unchecked(position, mv);
        let answer = match game.to_move(&after) == mover {
            true => None,
            false => best(prover, &after),
        };
        let known = Known {
            mv: mv.to_string(),
            value,
            answer: answer.map(|answer| answer.to_string()),
        };
        (mv, known)
    };
    Some(proof.exact_moves()?.into_iter().map(known).collect())
}

/// The steps of a puzzle that begins with a position; empty if not exactly one move wins. `None` if a proof fails.
pub(super) fn steps(game: &AnyGame, prover: &mut Prover, start: &AnyPosition) -> Option<Vec<Step>> {
    let solver = game.to_move(start);
    let mut position = *start;
    let mut steps: Vec<Step> = Vec::new();
    while steps.len() < MOST_STEPS {
        let moves = known_moves(game, prover, &position)?;
        let mut winning = (0..moves.len()).filter(|&place| moves[place].1.value > 0);
        let (Some(solution), None) = (winning.next(), winning.next()) else {
            break;
        };
        if moves.len() < 2 {
            break;
        }
        position = game.play_unchecked(&position, moves[solution].0);
        let mut replies = Vec::new();
        while game.to_move(&position) != solver && !game.is_over(&position) {
            let reply = best(prover, &position)?;
            replies.push(reply.to_string());
            position = game.play_unchecked(&position, reply);
        }
        steps.push(Step {
            solution,
            moves: moves.into_iter().map(|(_, known)| known).collect(),
            replies,
        });
        if game.is_over(&position) {
            break;
        }
    }
    if let Some(last) = steps.last_mut() {
        last.replies.clear();
    }
    Some(steps)
}

/// Why a puzzle is not proven.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{id}: {fault}")]
pub struct ProofError {
    /// The puzzle's name.
    pub id: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a puzzle. Steps count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// There is not enough memory for the solver's tables.
    #[error("there is not enough memory for the solver")]
    Memory,
    /// Its position cannot be read.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The solver gave up.
    #[error("step {step} cannot be proven")]
    Unproven {
        /// The step.
        step: usize,
    },
    /// At a step it is not the solver's turn, or the game is over.
    #[error("step {step} has no move to find")]
    NoTurn {
        /// The step.
        step: usize,
    },
    /// The moves of a step are not the legal ones, or have other values.
    #[error("step {step} does not have the proven moves and values")]
    Values {
        /// The step.
        step: usize,
    },
    /// The solution is not the only move that wins.
    #[error("step {step} does not have exactly one winning move, or it has another solution")]
    Solution {
        /// The step.
        step: usize,
    },
    /// The opponent's answer to a move is not one of the best.
    #[error("step {step}: the answer to {mv} is not one of the best")]
    Answer {
        /// The step.
        step: usize,
        /// The move that is answered.
        mv: String,
    },
    /// A reply to the solution is not one of the best.
    #[error("step {step}: the reply {reply} is not one of the best")]
    Reply {
        /// The step.
        step: usize,
        /// The reply.
        reply: String,
    },
}

impl Puzzle {
    /// Proves the puzzle again, along its own replies: at every step exactly one move wins, every value is right, and
    /// every answer and every reply is one of the best.
    pub fn prove(&self) -> Result<(), ProofError> {
        let named = |fault| ProofError {
            id: self.id.clone(),
            fault,
        };
        let (game, start) = AnyGame::at(self.game, &self.start).map_err(|e| named(e.into()))?;
        check(&game, &mut prover(&game), &start, &self.steps).map_err(named)
    }

    /// The puzzle's position as a line without moves.
    pub fn line(&self) -> Line {
        Line {
            game: self.game,
            start: Some(self.start.clone()),
            moves: Vec::new(),
        }
    }
}

/// Proves each of the claimed steps.
fn check(
    game: &AnyGame,
    prover: &mut Prover,
    start: &AnyPosition,
    steps: &[Step],
) -> Result<(), Fault> {
    let solver = game.to_move(start);
    let mut position = *start;
    for (step, claimed) in (1..).zip(steps) {
        if game.to_move(&position) != solver || game.is_over(&position) {
            return Err(Fault::NoTurn { step });
        }
        let proof = prover.prove(&position, &MOVES, &Stop::new());
        let proof = proof.map_err(|_| Fault::Memory)?;
        let proven = proof.exact_moves().ok_or(Fault::Unproven { step })?;
        let texts = proven.iter().map(|(mv, value)| (mv.to_string(), *value));
        let claims = claimed.moves.iter();
        if !texts.eq(claims.map(|known| (known.mv.clone(), known.value))) {
            return Err(Fault::Values { step });
        }
        let winning = (0..proven.len()).filter(|&place| proven[place].1 > 0);
        if !winning.eq([claimed.solution]) {
            return Err(Fault::Solution { step });
        }
        for ((mv, value), known) in proven.iter().zip(&claimed.moves) {
            let after = game.play_unchecked(&position, *mv);
            let right = match &known.answer {
                None => game.to_move(&after) == solver || game.is_over(&after),
                Some(answer) => {
                    game.to_move(&after) != solver
                        && after_reply(game, prover, &after, answer, *value).is_some()
                }
            };
            if !right {
                let mv = known.mv.clone();
                return Err(Fault::Answer { step, mv });
            }
        }
        let (solution, value) = proven[claimed.solution];
        position = game.play_unchecked(&position, solution);
        for reply in &claimed.replies {
            let after = match game.to_move(&position) == solver {
                true => None,
                false => after_reply(game, prover, &position, reply, value),
            };
            position = after.ok_or_else(|| Fault::Reply {
                step,
                reply: reply.clone(),
            })?;
        }
    }
    Ok(())
}

/// The position after a reply of the opponent that leaves the solver of the puzzle no more than `value`; `None` if the
/// reply is illegal or is not one of the best.
fn after_reply(
    game: &AnyGame,
    prover: &mut Prover,
    position: &AnyPosition,
    reply: &str,
    value: i32,
) -> Option<AnyPosition> {
    let after = game.play(position, game.parse_move(reply).ok()?).ok()?;
    let proof = prover.prove(&after, &Wanted::VALUE, &Stop::new()).ok()?;
    let found = proof.bounds.exact()?;
    let same_player = game.to_move(&after) == game.to_move(position);
    let for_solver = if same_player { -found } else { found };
    (for_solver == value).then_some(after)
}
