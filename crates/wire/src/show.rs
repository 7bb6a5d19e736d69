//! Positions and moves of any game as the page shows them.

use crate::state::{Board, GameResult, LastMove, Legal, State, Step};
use crate::{Problem, WireResult};
use kalahari_games::isolation::{Cell, CellState, IsolationMove, IsolationRule, IsolationSpec};
use kalahari_games::story::{self, seeds_of};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Player, View};
use kalahari_study::Played;

/// All positions of a line.
pub fn states(played: &Played) -> Vec<State> {
    (0..played.positions.len())
        .map(|ply| state(played, ply))
        .collect()
}

/// The positions after every legal move of a line's last one; none in `classic`, where there are hundreds.
pub fn ahead(played: &Played) -> Vec<State> {
    let (game, last) = (&played.game, played.last());
    if is_classic(game) {
        return Vec::new();
    }
    let after = |mv| {
        let after = Played {
            game: game.clone(),
            positions: vec![last, game.play_unchecked(&last, mv)],
            moves: vec![mv],
        };
        state(&after, 1)
    };
    game.moves(&last).map(after).collect()
}

/// Refuses a line whose game is over.
pub fn going_on(played: &Played) -> WireResult<()> {
    match played.game.is_over(&played.last()) {
        true => Err(Problem::new("game_over", "the game is over").at("line")),
        false => Ok(()),
    }
}

fn is_classic(game: &AnyGame) -> bool {
    let isolation = game.spec().isolation();
    isolation.is_some_and(|spec| spec.rule() == IsolationRule::Classic)
}

/// The position of a line after `ply` moves.
pub fn state(played: &Played, ply: usize) -> State {
    let (game, position) = (&played.game, &played.positions[ply]);
    let view = game.view(position);
    let board = board(game.spec(), &view);
    let (legal, removable) = legal(game, position);
    let result = game.outcome(position).map(|outcome| GameResult {
        winner: outcome.winner().map(Into::into),
        margin: outcome.margin(Player::First),
        counted: game.has_margins(),
    });
    let last = ply
        .checked_sub(1)
        .map(|before| last_move(game, &played.positions[before], played.moves[before]));
    State {
        ply,
        position: view.to_string(),
        to_move: view.player().into(),
        board,
        legal,
        removable,
        over: result.is_some(),
        result,
        last,
    }
}

fn board(game: GameSpec, view: &View) -> Board {
    match (view, game.isolation()) {
        (View::Kalah(setup), _) => {
            let pits = setup.pits();
            let (first, second) = setup.houses.split_at(pits + 1);
            Board::Kalah {
                pits: [first, second].map(|side| side[..pits].to_vec()),
                stores: [first, second].map(|side| side[pits]),
            }
        }
        (View::Isolation(setup), rule) => isolation_board(&setup.rows, rule),
    }
}

fn isolation_board(rows: &[Vec<CellState>], spec: Option<IsolationSpec>) -> Board {
    let find = |player| {
        rows.iter().enumerate().find_map(|(row, cells)| {
            let col = cells
                .iter()
                .position(|cell| *cell == CellState::Piece(player))?;
            Some(Cell::new(row, col).to_string())
        })
    };
    let visited = |player| {
        let own = [CellState::Piece(player), CellState::Left(player)];
        rows.iter()
            .flatten()
            .filter(|cell| own.contains(cell))
            .count()
    };
    Board::Isolation {
        rows: rows.len(),
        cols: rows.first().map_or(0, Vec::len),
        rule: spec.map_or("", |spec| spec.rule().name()),
        cells: rows.iter().flatten().map(|cell| cell.symbol()).collect(),
        pieces: Player::BOTH.map(find),
        visited: Player::BOTH.map(visited),
    }
}

/// The legal moves, and in `classic` the cells that may be removed.
fn legal(game: &AnyGame, position: &AnyPosition) -> (Vec<Legal>, Option<Vec<String>>) {
    if is_classic(game) {
        return classic_moves(game, position);
    }
    let moves = game.moves(position).map(|mv| one_move(game, position, mv));
    (moves.collect(), None)
}

fn one_move(game: &AnyGame, position: &AnyPosition, mv: AnyMove) -> Legal {
    let story = game.story(position, mv);
    let mut legal = Legal {
        mv: Some(mv.to_string()),
        pit: None,
        to: None,
        extra_turn: false,
        captures: 0,
    };
    for step in &story {
        match step {
            story::Step::Lift { pit, .. } => legal.pit = Some(*pit),
            story::Step::Go { to, .. } => legal.to = Some(to.to_string()),
            story::Step::Again { .. } => legal.extra_turn = true,
            story::Step::Capture { from, .. } => legal.captures = seeds_of(from),
            _ => {}
        }
    }
    legal
}

/// One entry per destination: with every removal there would be hundreds.
fn classic_moves(game: &AnyGame, position: &AnyPosition) -> (Vec<Legal>, Option<Vec<String>>) {
    let mut destinations = Vec::new();
    let mut removable = Vec::new();
    for mv in game.moves(position) {
        if let AnyMove::Isolation(IsolationMove::ToRemoving(to, removed)) = mv {
            if destinations.last() != Some(&to) {
                destinations.push(to);
            }
            removable.push(removed);
        }
    }
    removable.sort_unstable();
    removable.dedup();
    let legal = destinations.into_iter().map(|to| Legal {
        mv: None,
        pit: None,
        to: Some(to.to_string()),
        extra_turn: false,
        captures: 0,
    });
    let removable = removable.iter().map(ToString::to_string).collect();
    (legal.collect(), Some(removable))
}

fn last_move(game: &AnyGame, before: &AnyPosition, mv: AnyMove) -> LastMove {
    let story = game.story(before, mv);
    let captured = story.iter().map(|step| match step {
        story::Step::Capture { from, .. } => seeds_of(from),
        _ => 0,
    });
    LastMove {
        mv: mv.to_string(),
        player: game.to_move(before).into(),
        again: matches!(story.last(), Some(story::Step::Again { .. })),
        captured: captured.sum(),
        steps: story.iter().map(Step::from).collect(),
    }
}
