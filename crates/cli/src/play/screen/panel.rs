//! Beside the board: the list of moves, and what the analyst thinks.

use super::input::{Hits, Target};
use super::style;
use super::table::Table;
use crate::play::{score_text, words};
use kalahari_games::AnyMove;
use kalahari_games::{Game, Player};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::Color;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Borders, Paragraph, Wrap};

/// The lines the analysis takes with its frame.
const ANALYSIS: u16 = 7;

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, table: &Table, hits: &mut Hits) {
    let analysis = if table.adviser.analysis && area.height > ANALYSIS + 4 {
        ANALYSIS
    } else {
        0
    };
    let [moves, below] =
        Layout::vertical([Constraint::Min(3), Constraint::Length(analysis)]).areas(area);
    draw_moves(frame, moves, table, hits);
    if analysis > 0 {
        draw_analysis(frame, below, table);
    }
}

fn framed(title: String) -> Block<'static> {
    Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(style::DIM)
        .title(Line::styled(title, style::BOLD.fg(Color::Reset)))
}

/// The latest moves, or those around the one looked at; each can be clicked.
fn draw_moves(frame: &mut Frame<'_>, area: Rect, table: &Table, hits: &mut Hits) {
    let mut block = framed(" Moves ".to_owned());
    if let Some([first, second]) = words::points(&table.session.game, table.shown()) {
        let score = Line::from(vec![
            Span::styled(format!(" {first} "), style::player(Player::First)),
            Span::styled(":", style::DIM),
            Span::styled(format!(" {second} "), style::player(Player::Second)),
        ]);
        block = block.title_bottom(score.alignment(Alignment::Right));
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let plies = table.session.plies();
    let height = usize::from(inner.height);
    let first = plies
        .len()
        .saturating_sub(height)
        .min(table.shown_plies().saturating_sub(1));
    for (line, (at, ply)) in plies
        .iter()
        .enumerate()
        .skip(first)
        .take(height)
        .enumerate()
    {
        let note = words::note(&ply.story);
        let mut spans = vec![
            Span::styled(format!("{:>3} ", at + 1), style::DIM),
            Span::styled(
                format!("{}: {:<6}", ply.mover, table.session.pits_from.name(ply.mv)),
                style::player(ply.mover),
            ),
            Span::styled(note, style::PLAIN),
        ];
        if table.shown_plies() == at + 1 {
            for span in &mut spans {
                span.style = span.style.patch(style::BOLD);
            }
            spans[0].style = style::CURSOR;
        }
        let row = Rect {
            y: inner.y + line as u16,
            height: 1,
            ..inner
        };
        frame.render_widget(Paragraph::new(Line::from(spans)), row);
        hits.add(row, Target::Ply(at + 1));
    }
}

fn draw_analysis(frame: &mut Frame<'_>, area: Rect, table: &Table) {
    let block = framed(" Analysis ".to_owned());
    let is_over = table.session.game.is_over(table.shown());
    let lines = match &table.adviser.report {
        None if is_over => vec![Line::from("the game is over")],
        None => vec![Line::from("thinking...")],
        Some(report) => {
            let nodes = match report.nodes {
                0..10_000 => report.nodes.to_string(),
                nodes => format!("{:.1}M", nodes as f64 / 1e6),
            };
            let depth = format!(
                "depth {}, {nodes}, {:.1} s",
                report.depth,
                report.elapsed.as_secs_f64()
            );
            let name = |mv: &AnyMove| table.session.pits_from.name(*mv);
            let line: Vec<String> = report.line.iter().map(name).collect();
            let outlook = report.outlook_words().map(Line::from);
            let mut lines = vec![
                Line::styled(score_text::words(report.score), style::BOLD),
                Line::styled(depth, style::DIM),
            ];
            lines.extend(outlook);
            lines.push(Line::from(format!("best: {}", line.join(" "))));
            lines
        }
    };
    let words = Paragraph::new(lines).wrap(Wrap { trim: true }).block(block);
    frame.render_widget(words, area);
}
