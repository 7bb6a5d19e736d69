//! `/api/v1/puzzles`: puzzles to solve.

use crate::body::Body;
use crate::error::{ApiError, ApiResult, Refusal};
use crate::show;
use crate::wire::line::MOST_MOVES;
use crate::wire::puzzle::{
    ProvenMove, PuzzleAnswer, PuzzleEntry, PuzzleList, TryAnswer, TryQuery, TryRequest,
};
use crate::wire::refusals::{Always, OfBodies};
use crate::wire::state::State;
use crate::words::Shown;
use axum::Json;
use axum::extract::{Path, Query};
use kalahari_games::{AnyGame, Game, Player};
use kalahari_study::Line;
use kalahari_study::puzzle::{Known, Puzzle, TryError, Verdict, puzzles};
use kalahari_terms::{Score, Worth};

/// All puzzles, from easy to hard.
#[utoipa::path(get, path = "/api/v1/puzzles", responses((status = 200, body = PuzzleList), Always))]
pub(crate) async fn list() -> Json<PuzzleList> {
    let entry = |puzzle: &'static Puzzle| PuzzleEntry {
        id: &puzzle.id,
        game: puzzle.game.to_string(),
        level: puzzle.level,
        moves: puzzle.steps.len(),
    };
    Json(PuzzleList {
        puzzles: puzzles().iter().map(entry).collect(),
    })
}

/// One puzzle.
#[utoipa::path(
    get,
    path = "/api/v1/puzzles/{id}",
    params(("id" = String, Path, description = "The puzzle's name")),
    responses((status = 200, body = PuzzleAnswer), (status = 404, body = Refusal), Always)
)]
pub(crate) async fn one(Path(id): Path<String>) -> ApiResult<Json<PuzzleAnswer>> {
    let (place, puzzle) = find(&id)?;
    let mut states = states(&puzzle.line())?;
    let state = states
        .pop()
        .ok_or_else(|| ApiError::internal("the puzzle has no position"))?;
    Ok(Json(PuzzleAnswer {
        id: &puzzle.id,
        game: puzzle.game.to_string(),
        level: puzzle.level,
        moves: puzzle.steps.len(),
        start: &puzzle.start,
        goal: format!(
            "Player {} to move and win. Only one move wins.",
            state.to_move
        ),
        state,
        next: puzzles().get(place + 1).map(|next| next.id.as_str()),
    }))
}

/// Try to solve a puzzle.
#[utoipa::path(
    post,
    path = "/api/v1/puzzles/{id}/try",
    params(("id" = String, Path, description = "The puzzle's name"), TryQuery),
    request_body = TryRequest,
    responses(
        (status = 200, body = TryAnswer),
        (status = 404, body = Refusal),
        OfBodies
    )
)]
pub(crate) async fn attempt(
    Path(id): Path<String>,
    query: Result<Query<TryQuery>, axum::extract::rejection::QueryRejection>,
    Body(request): Body<TryRequest>,
) -> ApiResult<Json<TryAnswer>> {
    let Query(query) = query
        .map_err(|_| ApiError::bad("bad_request", "solution is true or false").at("solution"))?;
    judged(find(&id)?.1, query, request).map(Json)
}

/// What a try is worth.
pub(crate) fn judged(
    puzzle: &Puzzle,
    query: TryQuery,
    request: TryRequest,
) -> ApiResult<TryAnswer> {
    if request.moves.len() > MOST_MOVES {
        return Err(ApiError::bad("too_long", "too many moves").at("moves"));
    }
    let solution = query.solution.then(|| puzzle.solution());
    if request.moves.is_empty() && query.solution {
        return shown(puzzle);
    }
    let attempt = puzzle.attempt(&request.moves).map_err(refused)?;
    let tried = &attempt.step.moves[attempt.tried];
    let words = match attempt.verdict {
        Verdict::Right => "Right: the only winning move. Now find the next one.".to_owned(),
        Verdict::Solved => format!("Solved: {} {}.", tried.mv, of_value(puzzle, tried.value)),
        Verdict::Wrong => format!(
            "{} {}. Another move wins.",
            tried.mv,
            of_value(puzzle, tried.value)
        ),
    };
    let told: &[Known] = match attempt.verdict == Verdict::Solved || query.solution {
        true => &attempt.step.moves,
        false => std::slice::from_ref(tried),
    };
    let values = told.iter().map(|known| proven(puzzle, known)).collect();
    let mut moves = request.moves;
    moves.extend(attempt.replies.iter().cloned());
    let states = states(&Line {
        moves: moves.clone(),
        ..puzzle.line()
    })?;
    Ok(TryAnswer {
        verdict: match attempt.verdict {
            Verdict::Right => "right",
            Verdict::Solved => "solved",
            Verdict::Wrong => "wrong",
        },
        words,
        moves,
        reply: attempt.replies,
        solution,
        values,
        states,
    })
}

/// The answer for who gives up before the first try.
fn shown(puzzle: &Puzzle) -> ApiResult<TryAnswer> {
    let solution = puzzle.solution();
    let states = states(&Line {
        moves: solution.clone(),
        ..puzzle.line()
    })?;
    let first = &puzzle.steps[0];
    let values = first.moves.iter().map(|known| proven(puzzle, known));
    Ok(TryAnswer {
        verdict: "shown",
        words: format!(
            "{} {}.",
            first.solution().mv,
            of_value(puzzle, first.solution().value)
        ),
        moves: solution.clone(),
        reply: Vec::new(),
        solution: Some(solution),
        values: values.collect(),
        states,
    })
}

fn find(id: &str) -> ApiResult<(usize, &'static Puzzle)> {
    let mut all = puzzles().iter().enumerate();
    all.find(|(_, puzzle)| puzzle.id == id)
        .ok_or_else(|| ApiError::not_found("there is no such puzzle"))
}

fn refused(error: TryError) -> ApiError {
    let refusal = ApiError::bad("bad_move", error.to_string());
    match error {
        TryError::Strayed { index, .. } | TryError::Illegal { index, .. } => {
            refusal.at(format!("moves[{index}]"))
        }
        TryError::Nothing | TryError::Over { .. } => refusal.at("moves"),
    }
}

/// What a move is proven to be worth to the solver, in words.
fn of_value(puzzle: &Puzzle, value: i32) -> String {
    let has_margins = AnyGame::new(puzzle.game).has_margins();
    let score = Score::proven(Player::First, Worth::of_end(value, has_margins));
    Shown::new(score, puzzle.game.kind()).of_move()
}

fn proven(puzzle: &Puzzle, known: &Known) -> ProvenMove {
    ProvenMove {
        mv: known.mv.clone(),
        value: known.value,
        proven: true,
        words: of_value(puzzle, known.value),
    }
}

/// All positions of a line.
fn states(line: &Line) -> ApiResult<Vec<State>> {
    Ok(show::states(&line.play()?))
}
