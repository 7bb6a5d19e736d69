//! The Isolation board drawn: a floor of cells, row 1 on top.

use super::animation::Mark;
use super::input::{Hits, Target};
use super::style;
use super::view::Scene;
use crate::play::score_text;
use kalahari_games::isolation::{Cell, CellState, IsolationMove, IsolationSetup, IsolationSpec};
use kalahari_games::{AnyMove, Player};
use kalahari_terms::Score;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use std::collections::HashMap;

/// The smallest cell: a sign with room for brackets.
const CELL: (u16, u16) = (3, 1);
/// The largest cell that still looks like one.
const CELL_MAX: (u16, u16) = (6, 3);
/// Row numbers on the left, column letters above.
const LABELS: (u16, u16) = (3, 1);

/// The least columns and rows a board needs.
pub(crate) fn least_size(spec: IsolationSpec) -> (u16, u16) {
    (
        LABELS.0 + spec.cols() as u16 * CELL.0,
        LABELS.1 + spec.rows() as u16 * CELL.1,
    )
}

/// Draws the board.
pub(crate) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    scene: &Scene<'_>,
    setup: &IsolationSetup,
    hits: &mut Hits,
) {
    let (rows, cols) = (setup.rows.len() as u16, setup.rows[0].len() as u16);
    let height = (area.height.saturating_sub(LABELS.1) / rows).clamp(CELL.1, CELL_MAX.1);
    let width = (area.width.saturating_sub(LABELS.0) / cols)
        .clamp(CELL.0, CELL_MAX.0)
        // Cells are about square where a column is half as wide as a row is high.
        .min((2 * height + 2).max(CELL.0 + 1));
    let whole = (LABELS.0 + cols * width, LABELS.1 + rows * height);
    let left = area.x + area.width.saturating_sub(whole.0) / 2 + LABELS.0;
    let top = area.y + area.height.saturating_sub(whole.1) / 2 + LABELS.1;
    let upside_down = scene.table.bottom == Player::Second;
    let place = |row: u16, col: u16| {
        let (row, col) = match upside_down {
            true => (rows - 1 - row, cols - 1 - col),
            false => (row, col),
        };
        Rect::new(left + col * width, top + row * height, width, height)
    };
    let allowed = match scene.choosing {
        true => {
            let session = &scene.table.session;
            scene.table.choice.cells(&session.game, session.now())
        }
        false => Vec::new(),
    };
    let scores = scores(scene);
    let best = scores.values().copied().reduce(better);
    let buffer = frame.buffer_mut();
    for col in 0..cols {
        let area = place(0, col);
        let letter = ((b'a' + col as u8) as char).to_string();
        buffer.set_string(area.x + (width - 1) / 2, top - 1, letter, style::DIM);
    }
    for row in 0..rows {
        let area = place(row, 0);
        let number = format!("{:>2}", row + 1);
        buffer.set_string(
            left - LABELS.0,
            area.y + (height - 1) / 2,
            number,
            style::DIM,
        );
        for col in 0..cols {
            let area = place(row, col);
            hits.add(area, Target::Cell(row.into(), col.into()));
            let cell = Cell::new(row.into(), col.into());
            let state = setup.rows[usize::from(row)][usize::from(col)];
            let (sign, mut look) = appearance(state, (row + col) % 2 == 0);
            let mut sign = sign.to_owned();
            if allowed.contains(&cell) {
                (sign, look) = (" ○ ".to_owned(), look.patch(style::GOOD));
            }
            if scene.table.choice.step == Some(cell) && scene.choosing {
                let mover = scene.table.session.mover();
                sign = format!("({})", mover.index() + 1);
                look = look.patch(style::player(mover)).patch(style::BOLD);
            }
            match scene.mark(usize::from(row * cols + col)) {
                Some(Mark::Taken) => (sign, look) = (" ✗ ".to_owned(), style::ALERT),
                Some(Mark::Left) => look = look.patch(style::DIM),
                Some(_) => look = look.patch(style::BOLD),
                None => {}
            }
            let score = scores.get(&cell).copied();
            if scene.choosing && scene.table.choice.cell == (row.into(), col.into()) {
                let middle = sign.chars().nth(1).unwrap_or(' ');
                sign = format!("[{middle}]");
                // A piece keeps its colour, by which it is known.
                if !matches!(state, CellState::Piece(_)) {
                    look = look.patch(style::CURSOR);
                }
            }
            if is_hinted(scene, cell) {
                look = look.patch(style::GOOD).add_modifier(Modifier::UNDERLINED);
            }
            draw_cell(buffer, area, &sign, look);
            if let Some(score) = score {
                let look = match best.is_none_or(|best| score.compare(best).is_ge()) {
                    true => look.patch(style::GOOD),
                    false => look.fg(Color::Reset),
                };
                draw_score(buffer, area, score, look);
            }
        }
    }
}

/// The sign of a cell, three characters wide, and its colours.
fn appearance(state: CellState, even: bool) -> (&'static str, Style) {
    let floor = match even {
        true => Color::Indexed(236),
        false => Color::Indexed(238),
    };
    let on_floor = Style::new().fg(Color::Gray).bg(floor);
    match state {
        CellState::Free => (" · ", on_floor),
        CellState::Piece(player) => {
            let sign = ["(1)", "(2)"][player.index()];
            let look = Style::new().fg(Color::Black).bg(style::colour(player));
            (sign, look.add_modifier(Modifier::BOLD))
        }
        CellState::Left(player) => ([" x ", " o "][player.index()], style::player(player)),
        CellState::Blocked => (" # ", style::DIM),
    }
}

fn draw_cell(buffer: &mut Buffer, area: Rect, sign: &str, look: Style) {
    buffer.set_style(area, look);
    for y in area.y..area.bottom() {
        buffer.set_string(area.x, y, " ".repeat(area.width.into()), look);
    }
    let x = area.x + (area.width - 3) / 2;
    buffer.set_string(x, area.y + (area.height - 1) / 2, sign, look);
}

/// A value in the cell's last line; in a low cell instead of its sign.
fn draw_score(buffer: &mut Buffer, area: Rect, score: Score, look: Style) {
    let mut text = score_text::within(score, area.width);
    if score.is_proven() && text.len() < area.width.into() {
        text.push('✓');
    }
    let text: String = text.chars().take(area.width.into()).collect();
    let left = (area.width - text.chars().count() as u16) / 2;
    let y = match area.height {
        1 => area.y,
        height => area.y + (height - 1) / 2 + 1,
    };
    buffer.set_string(area.x + left, y, &text, look);
}

/// What each cell that can be chosen is worth: the best move through it.
fn scores(scene: &Scene<'_>) -> HashMap<Cell, Score> {
    let mut scores: HashMap<Cell, Score> = HashMap::new();
    let table = scene.table;
    let Some(report) = table.adviser.values() else {
        return scores;
    };
    if table.animation.is_some() {
        return scores;
    }
    for &(mv, score) in &report.moves {
        if let Some(cell) = table.choice.next_cell(mv) {
            let known = scores.entry(cell).or_insert(score);
            *known = better(*known, score);
        }
    }
    scores
}

/// The better of two scores.
fn better(one: Score, other: Score) -> Score {
    match other.compare(one).is_gt() {
        true => other,
        false => one,
    }
}

/// Whether a hint is about this cell.
fn is_hinted(scene: &Scene<'_>, cell: Cell) -> bool {
    match scene.table.adviser.hint {
        Some(AnyMove::Isolation(IsolationMove::To(to))) => to == cell,
        Some(AnyMove::Isolation(IsolationMove::ToRemoving(to, removed))) => {
            to == cell || removed == cell
        }
        _ => false,
    }
}
