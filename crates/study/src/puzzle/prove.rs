//! Proofs for puzzles: the value of every move by the solvers.

use super::{Known, Puzzle, Step};
use crate::line::Line;
use kalahari_exact::isolation::IsolationSolver;
use kalahari_exact::kalah::{Solver, SolverOptions, Techniques};
use kalahari_exact::tablebase::{Progress, TableSpec, Tablebase};
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah, Pit};
use kalahari_games::{Game, GameSpec, KindVisitor, Totals};
use kalahari_search::Searchable;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The longest chain of moves that a puzzle asks for.
const MOST_STEPS: usize = 5;
/// Bytes for a solver's table: positions of puzzles are small.
const MEMORY: u64 = 32 << 20;
/// Seeds of the tablebase that the Kalah solver gets: filled in a small part of a second.
const TABLE_SEEDS: usize = 10;

/// A solver, as puzzles need it.
pub(super) trait Prover<G: Game> {
    /// The value of every legal move for the player to move; `None` if it could not be proven.
    fn values(&mut self, position: &G::Position) -> Option<Vec<(G::Move, i32)>>;

    /// A move that keeps the value of the position.
    fn best(&mut self, position: &G::Position, value: i32) -> Option<G::Move>;
}

/// Never set: puzzles are small enough to be solved to the end.
static NEVER: AtomicBool = AtomicBool::new(false);

impl<B: Board> Prover<Kalah<B>> for Solver<B> {
    fn values(&mut self, position: &B) -> Option<Vec<(Pit, i32)>> {
        let value = self.margin(position, &NEVER, &mut |_| ()).exact()?;
        let bounds = self.moves(position, value, &NEVER, &mut |_, _| ());
        (0..)
            .map(Pit)
            .zip(bounds)
            .filter_map(|(pit, bounds)| Some((pit, bounds?)))
            .map(|(pit, bounds)| Some((pit, bounds.exact()?)))
            .collect()
    }

    fn best(&mut self, position: &B, value: i32) -> Option<Pit> {
        self.best_move(position, value, &NEVER)
    }
}

impl<B: Bits> Prover<Isolation<B>> for IsolationSolver<B> {
    fn values(&mut self, position: &IsolationPosition<B>) -> Option<Vec<(IsolationMove, i32)>> {
        let bounds = self.moves(position, &NEVER).into_iter();
        bounds
            .map(|(mv, bounds)| Some((mv, bounds.exact()?)))
            .collect()
    }

    fn best(&mut self, position: &IsolationPosition<B>, value: i32) -> Option<IsolationMove> {
        self.best_move(position, value, &NEVER)
    }
}

/// Work with a game and its prover.
pub(super) trait ProverVisitor {
    type Output;

    fn visit<G: Searchable, P: Prover<G>>(self, game: G, prover: P) -> Self::Output;
}

/// Hands a game and its prover to a visitor; `None` if there is no memory for the solver.
pub(super) fn visit<V: ProverVisitor>(
    game: GameSpec,
    totals: Totals,
    visitor: V,
) -> Option<V::Output> {
    struct Kinds<V>(V);
    impl<V: ProverVisitor> KindVisitor for Kinds<V> {
        type Output = Option<V::Output>;

        fn kalah<B: Board>(self, game: Kalah<B>) -> Self::Output {
            let tablebase = TableSpec::of_game(game.kalah_spec())
                .and_then(|spec| Tablebase::build(spec, TABLE_SEEDS, &Progress::default()).ok());
            let options = SolverOptions {
                memory: MEMORY,
                threads: 1,
                tablebase: tablebase.map(Arc::new),
                techniques: Techniques::default(),
            };
            let solver = Solver::new(&game, game.kalah_spec().total(), options).ok()?;
            Some(self.0.visit(game, solver))
        }

        fn isolation<B: Bits>(self, game: Isolation<B>) -> Self::Output {
            let solver = IsolationSolver::new(&game, MEMORY);
            Some(self.0.visit(game, solver))
        }
    }
    game.visit_kind(totals, Kinds(visitor))
}

/// The truth about every move of a position, with the opponent's best answers.
fn known_moves<G: Searchable>(
    game: &G,
    prover: &mut impl Prover<G>,
    position: &G::Position,
) -> Option<Vec<(G::Move, Known)>> {
    let mover = game.to_move(position);
    prover
        .values(position)?
        .into_iter()
        .map(|(mv, value)| {
            let after = game.play_unchecked(position, mv);
            let answer = match game.to_move(&after) == mover {
                true => None,
                false => prover.best(&after, -value),
            };
            let known = Known {
                mv: mv.to_string(),
                value,
                answer: answer.map(|answer| answer.to_string()),
            };
            Some((mv, known))
        })
        .collect()
}

/// The steps of a puzzle that begins with a position; empty if more or fewer than one move wins.
pub(super) fn steps<G: Searchable>(
    game: &G,
    prover: &mut impl Prover<G>,
    start: &G::Position,
) -> Option<Vec<Step>> {
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
        let value = moves[solution].1.value;
        position = game.play_unchecked(&position, moves[solution].0);
        let mut replies = Vec::new();
        while game.to_move(&position) != solver && !game.is_over(&position) {
            let reply = prover.best(&position, -value)?;
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

impl Puzzle {
    /// Proves the puzzle anew: at every step exactly one move wins, every value and every answer is right.
    pub fn prove(&self) -> Result<(), String> {
        struct Prove<'a>(&'a Puzzle);
        impl ProverVisitor for Prove<'_> {
            type Output = Result<(), String>;

            fn visit<G: Searchable, P: Prover<G>>(self, game: G, mut prover: P) -> Self::Output {
                let start = game.parse_position(&self.0.start);
                let start = start.map_err(|error| error.to_string())?;
                let proven = steps(&game, &mut prover, &start).ok_or("it cannot be proven")?;
                compare(&self.0.steps, &proven)
            }
        }
        let totals = Totals::any_for(&self.start);
        let named = |problem| format!("{}: {problem}", self.id);
        visit(self.game, totals, Prove(self))
            .unwrap_or_else(|| Err("there is no memory for the solver".to_owned()))
            .map_err(named)
    }

    /// The puzzle's position as the beginning of a line.
    pub fn line(&self) -> Line {
        Line {
            game: self.game,
            start: Some(self.start.clone()),
            moves: Vec::new(),
        }
    }
}

/// Compares what is claimed with what is proven. Answers may differ where several are best, and with them what
/// follows; values may not.
fn compare(claimed: &[Step], proven: &[Step]) -> Result<(), String> {
    for (number, (claimed, proven)) in (1..).zip(claimed.iter().zip(proven)) {
        let values = |step: &Step| -> Vec<(String, i32)> {
            let moves = step.moves.iter();
            moves.map(|known| (known.mv.clone(), known.value)).collect()
        };
        if values(claimed) != values(proven) || claimed.solution != proven.solution {
            return Err(format!("step {number} has other values"));
        }
        if claimed.replies != proven.replies {
            return Ok(());
        }
    }
    match claimed.len() <= proven.len() {
        true => Ok(()),
        false => Err("more steps are claimed than there are".to_owned()),
    }
}
