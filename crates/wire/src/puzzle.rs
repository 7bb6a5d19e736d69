//! Puzzles as the page shows them.

use crate::line::MOST_MOVES;
use crate::state::State;
use crate::{Figure, Problem, WireResult, show};
use kalahari_games::{AnyGame, Game, Player};
use kalahari_study::Line;
use kalahari_study::puzzle::{Known, Puzzle, TryError, Verdict, puzzles};
use kalahari_terms::{Score, Worth};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// All puzzles.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PuzzleList {
    /// From easy to hard.
    pub puzzles: Vec<PuzzleEntry>,
}

/// A puzzle in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PuzzleEntry {
    /// The puzzle's name.
    #[schema(example = "k001")]
    pub id: &'static str,
    /// Its game.
    pub game: String,
    /// From 1, easy, to 5.
    pub level: u8,
    /// How many of the solver's own moves have to be found.
    pub moves: usize,
}

/// A puzzle to solve.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PuzzleAnswer {
    /// The puzzle's name.
    pub id: &'static str,
    /// Its game.
    pub game: String,
    /// From 1, easy, to 5.
    pub level: u8,
    /// How many of the solver's own moves have to be found.
    pub moves: usize,
    /// The position's text.
    pub start: &'static str,
    /// The position. The player to move wins, with one move only.
    pub state: State,
    /// The puzzle after this one.
    pub next: Option<&'static str>,
}

/// Moves that a solver tries.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TryRequest {
    /// Everything played from the puzzle's start, the server's replies included; the last one is the try.
    pub moves: Vec<String>,
}

/// Whether the solution is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TryQuery {
    /// Tell the solution.
    #[serde(default)]
    pub solution: bool,
}

/// How a try went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tried {
    /// The only winning move; there is another one to find.
    Right,
    /// The last move to find.
    Solved,
    /// A legal move that does not win.
    Wrong,
    /// The solution was asked for without a try.
    Shown,
}

/// What became of a try.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TryAnswer {
    /// How it went.
    pub verdict: Tried,
    /// The move that was tried, or the first of the solution.
    pub tried: ProvenMove,
    /// What was played, the opponent's reply included.
    pub moves: Vec<String>,
    /// The opponent's proven reply; after a wrong move, its refutation.
    pub reply: Vec<String>,
    /// Only if it was asked for.
    pub solution: Option<Vec<String>>,
    /// What is proven of the moves; of the tried one only, until the puzzle is solved.
    pub values: Vec<ProvenMove>,
    /// The positions of `moves`, the start included.
    pub states: Vec<State>,
}

/// A move and its proven value for the solver.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProvenMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    #[serde(flatten)]
    pub value: Figure,
}

/// All puzzles.
pub fn list() -> PuzzleList {
    let entry = |puzzle: &'static Puzzle| PuzzleEntry {
        id: &puzzle.id,
        game: puzzle.game.to_string(),
        level: puzzle.level,
        moves: puzzle.steps.len(),
    };
    PuzzleList {
        puzzles: puzzles().iter().map(entry).collect(),
    }
}

/// One puzzle.
pub fn one(id: &str) -> WireResult<PuzzleAnswer> {
    let (place, puzzle) = find(id)?;
    let mut states = states(&puzzle.line())?;
    let state = states
        .pop()
        .ok_or_else(|| Problem::new("internal", "the puzzle has no position"))?;
    Ok(PuzzleAnswer {
        id: &puzzle.id,
        game: puzzle.game.to_string(),
        level: puzzle.level,
        moves: puzzle.steps.len(),
        start: &puzzle.start,
        state,
        next: puzzles().get(place + 1).map(|next| next.id.as_str()),
    })
}

/// What a try of a puzzle is worth.
pub fn attempt(id: &str, query: TryQuery, request: TryRequest) -> WireResult<TryAnswer> {
    let (_, puzzle) = find(id)?;
    if request.moves.len() > MOST_MOVES {
        return Err(Problem::new("too_long", "too many moves").at("moves"));
    }
    if request.moves.is_empty() && query.solution {
        return shown(puzzle);
    }
    let attempt = puzzle.attempt(&request.moves).map_err(refused)?;
    let tried = &attempt.step.moves[attempt.tried];
    let told: &[Known] = match attempt.verdict == Verdict::Solved || query.solution {
        true => &attempt.step.moves,
        false => std::slice::from_ref(tried),
    };
    let mut moves = request.moves;
    moves.extend(attempt.replies.iter().cloned());
    let states = states(&Line {
        moves: moves.clone(),
        ..puzzle.line()
    })?;
    Ok(TryAnswer {
        verdict: match attempt.verdict {
            Verdict::Right => Tried::Right,
            Verdict::Solved => Tried::Solved,
            Verdict::Wrong => Tried::Wrong,
        },
        tried: proven(puzzle, tried),
        moves,
        reply: attempt.replies,
        solution: query.solution.then(|| puzzle.solution()),
        values: told.iter().map(|known| proven(puzzle, known)).collect(),
        states,
    })
}

/// The answer for a person who gives up before the first try.
fn shown(puzzle: &Puzzle) -> WireResult<TryAnswer> {
    let solution = puzzle.solution();
    let states = states(&Line {
        moves: solution.clone(),
        ..puzzle.line()
    })?;
    let first = &puzzle.steps[0];
    let values = first.moves.iter().map(|known| proven(puzzle, known));
    Ok(TryAnswer {
        verdict: Tried::Shown,
        tried: proven(puzzle, first.solution()),
        moves: solution.clone(),
        reply: Vec::new(),
        solution: Some(solution),
        values: values.collect(),
        states,
    })
}

fn find(id: &str) -> WireResult<(usize, &'static Puzzle)> {
    let mut all = puzzles().iter().enumerate();
    all.find(|(_, puzzle)| puzzle.id == id)
        .ok_or_else(|| Problem::new("not_found", "there is no such puzzle"))
}

fn refused(error: TryError) -> Problem {
    let refusal = Problem::new("bad_move", error.to_string());
    match error {
        TryError::Strayed { index, .. } => refusal.at(format!("moves[{index}]")),
        TryError::Illegal { index, mv } => refusal.at(format!("moves[{index}]")).of(mv),
        TryError::Nothing | TryError::Over { .. } => refusal.at("moves"),
    }
}

fn proven(puzzle: &Puzzle, known: &Known) -> ProvenMove {
    let has_margins = AnyGame::new(puzzle.game).has_margins();
    let score = Score::proven(Player::First, Worth::of_end(known.value, has_margins));
    ProvenMove {
        mv: known.mv.clone(),
        value: Figure::new(score, puzzle.game.kind()),
    }
}

/// All positions of a line.
fn states(line: &Line) -> WireResult<Vec<State>> {
    Ok(show::states(&line.play()?))
}
