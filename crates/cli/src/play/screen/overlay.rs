//! What lies over the board: the keys, questions, and names of files.

use super::app::Overlay;
use super::style;
use super::table::Table;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Wrap};

const KEYS: &[(&str, &str)] = &[
    (
        "0 to 9, x, e",
        "sow this pit (x, e: the last two of twelve)",
    ),
    (
        "arrows, Enter",
        "choose a pit or a cell; a click does it, too",
    ),
    ("h", "a hint"),
    ("a", "analysis: what every move is worth; ✓ is proven"),
    ("u, Backspace", "take your last move back"),
    (
        "[  ]  Home End",
        "look at earlier positions; or click on a move",
    ),
    ("m", "make the opponent move now"),
    (
        "p  +  -  z",
        "pause (watching), faster, slower, step by step or not",
    ),
    ("f", "flip the board"),
    ("s  l", "save the game to a file, load one"),
    ("r", "resign"),
    ("n", "new game"),
    ("q, Ctrl-C", "quit; Ctrl-C at once"),
];

pub(crate) fn draw(frame: &mut Frame<'_>, overlay: &Overlay, table: Option<&Table>) {
    let key = |key: &'static str, what: &'static str| {
        vec![
            Span::styled(format!(" {key} "), style::CURSOR),
            Span::raw(format!(" {what}   ")),
        ]
    };
    let question = |text: &str, keys: Vec<Vec<Span<'static>>>| {
        vec![
            Line::from(text.to_owned()),
            Line::default(),
            Line::from(keys.concat()),
        ]
    };
    let (title, lines) = match overlay {
        Overlay::Help => (" Keys ", help(table)),
        Overlay::Quit => (
            " Quit? ",
            question(
                "This game is not over and not saved.",
                vec![
                    key("s", "save, then quit"),
                    key("q", "quit"),
                    key("Esc", "stay"),
                ],
            ),
        ),
        Overlay::New => (
            " New game? ",
            question(
                "This game is not over and not saved.",
                vec![
                    key("s", "save it"),
                    key("n", "new game"),
                    key("Esc", "stay"),
                ],
            ),
        ),
        Overlay::Resign => (
            " Resign? ",
            question(
                "The game is then lost.",
                vec![key("r", "resign"), key("Esc", "play on")],
            ),
        ),
        Overlay::File {
            saving,
            name,
            problem,
            ..
        } => (
            if *saving { " Save to " } else { " Load " },
            vec![
                Line::from(vec![Span::raw(format!("File: {name}")), "_".slow_blink()]),
                match problem {
                    Some(problem) => Line::styled(problem.clone(), style::ALERT),
                    None => Line::default(),
                },
                Line::from(
                    [
                        key("Enter", if *saving { "save" } else { "load" }),
                        key("Esc", "back"),
                    ]
                    .concat(),
                ),
            ],
        ),
    };
    let width = lines.iter().map(Line::width).max().unwrap_or(0).max(30) as u16 + 4;
    let wrapped = lines
        .iter()
        .filter(|line| line.width() as u16 + 4 > frame.area().width);
    let height = (lines.len() + wrapped.count()) as u16 + 2;
    let area = centred(frame.area(), width, height);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(style::BOLD)
        .title(Line::styled(title, style::BOLD))
        .padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, area);
    let words = Paragraph::new(lines)
        .wrap(Wrap { trim: false })
        .block(block);
    frame.render_widget(words, area);
}

fn help(table: Option<&Table>) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = KEYS
        .iter()
        .map(|(keys, what)| {
            Line::from(vec![
                Span::styled(format!("{keys:<15}"), style::BOLD),
                Span::raw(*what),
            ])
        })
        .collect();
    if let Some(table) = table {
        let summary = table.session.spec().summary();
        lines.push(Line::default());
        lines.push(Line::styled(summary, style::DIM));
    }
    lines
}

/// A rectangle in the middle, as large as there is room.
fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}
