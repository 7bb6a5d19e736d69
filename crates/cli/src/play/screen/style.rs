//! The look of things. Named colours only: they are those of the user's own theme.

use kalahari_games::Player;
use ratatui::style::{Color, Modifier, Style};

/// A player's colour.
pub(crate) fn colour(player: Player) -> Color {
    match player {
        Player::First => Color::Cyan,
        Player::Second => Color::Yellow,
    }
}

pub(crate) fn player(player: Player) -> Style {
    Style::new().fg(colour(player))
}

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const DIM: Style = Style::new().fg(Color::DarkGray);
pub(crate) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
/// The best move, and things that went well.
pub(crate) const GOOD: Style = Style::new().fg(Color::Green).add_modifier(Modifier::BOLD);
/// Things that need attention.
pub(crate) const ALERT: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
/// The place the keys are at.
pub(crate) const CURSOR: Style = Style::new().add_modifier(Modifier::REVERSED);
pub(crate) const BAR: Style = Style::new().fg(Color::White).bg(Color::Blue);
