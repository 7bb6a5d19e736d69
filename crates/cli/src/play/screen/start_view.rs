//! The menu drawn.

use super::input::{Command, Hits, Target};
use super::start::Menu;
use super::style;
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph, Wrap};

/// The menu's width where there is room.
const WIDTH: u16 = 64;
/// The place of a line's choice, behind its name.
const CHOICE: u16 = 16;
/// The room a choice has.
const CHOICE_WIDTH: usize = 30;

pub(crate) fn draw(frame: &mut Frame<'_>, menu: &Menu, hits: &mut Hits) {
    let lines = menu.lines();
    let area = frame.area();
    // The frame, an empty line, the lines with one above the last, then what they are about and the command.
    let height = lines.len() as u16 + 9;
    if area.width < 40 || area.height < height {
        let text = format!(
            "The menu needs a terminal of 40 x {height}; this one is {} x {}. Enlarge it, or q to quit.",
            area.width, area.height
        );
        let words = Paragraph::new(text)
            .alignment(Alignment::Center)
            .wrap(Wrap { trim: true });
        return frame.render_widget(words, area);
    }
    let width = WIDTH.min(area.width);
    let outer = Rect {
        x: (area.width - width) / 2,
        y: (area.height - height) / 2,
        width,
        height,
    };
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(style::player(kalahari_games::Player::First))
        .title(Line::styled(" Kalahari ", style::BOLD).alignment(Alignment::Center));
    let inner = block.inner(outer);
    frame.render_widget(block, outer);
    let row = |y: u16| Rect {
        x: inner.x + 2,
        y: inner.y + y,
        width: inner.width.saturating_sub(3),
        height: 1,
    };
    let last = lines.len() - 1;
    for (at, (name, choice)) in lines.iter().enumerate() {
        let here = menu.line == at;
        let look = if here { style::CURSOR } else { style::PLAIN };
        if at == last {
            let area = row(at as u16 + 2);
            let button = Line::styled(format!("  {name}  "), look.patch(style::GOOD));
            hits.add(area, Target::Field(at, 0));
            frame.render_widget(Paragraph::new(button), area);
            continue;
        }
        let area = row(at as u16 + 1);
        let arrows = if here { style::BOLD } else { style::DIM };
        let shown: String = choice.chars().take(CHOICE_WIDTH).collect();
        let line = Line::from(vec![
            Span::styled(
                format!("{name:<width$}", width = CHOICE as usize - 2),
                style::PLAIN,
            ),
            Span::styled("◀ ", arrows),
            Span::styled(format!(" {shown} "), look),
            Span::styled(" ▶", arrows),
        ]);
        frame.render_widget(Paragraph::new(line), area);
        let left = Rect {
            width: CHOICE + 1,
            ..area
        };
        let right = Rect {
            x: area.x + CHOICE + 1,
            width: area.width.saturating_sub(CHOICE + 1),
            ..area
        };
        hits.add(left, Target::Field(at, -1));
        hits.add(right, Target::Field(at, 1));
    }
    let below = lines.len() as u16 + 3;
    let about = Rect {
        height: 2,
        ..row(below)
    };
    let words = Paragraph::new(menu.about())
        .style(style::DIM)
        .wrap(Wrap { trim: true });
    frame.render_widget(words, about);
    let command = Rect {
        height: 1,
        ..row(below + 2)
    };
    frame.render_widget(Paragraph::new(menu.as_command()).style(style::DIM), command);
    let keys = row(below + 3);
    let hint = "arrows choose, Enter plays, l loads a game, ? help, q quits";
    frame.render_widget(Paragraph::new(hint).style(style::DIM), keys);
    hits.add(keys, Target::Key(Command::Help));
}
