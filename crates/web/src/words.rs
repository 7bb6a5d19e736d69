//! Scores and lines of moves as clients hear of them: numbers with their units, and words.

use kalahari_games::{Game, GameKind, Player};
use kalahari_study::{Loss, Played};
use kalahari_terms::{Score, Worth};

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Kalah: seeds of the final margin.
    Seeds,
    /// `trail` Isolation: cells of the final margin.
    Cells,
    /// Who wins: 1, 0 or -1.
    Result,
    /// An evaluation, which says little about the margin.
    Points,
    /// A share of wins, from 0 to 1.
    WinShare,
}

impl Unit {
    /// Its name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Unit::Seeds => "seeds",
            Unit::Cells => "cells",
            Unit::Result => "result",
            Unit::Points => "points",
            Unit::WinShare => "winshare",
        }
    }

    /// What a final margin counts.
    const fn of_margin(game: GameKind) -> Self {
        match game {
            GameKind::Kalah => Unit::Seeds,
            GameKind::Isolation => Unit::Cells,
        }
    }
}

/// A score as a client hears of it, for one of the players. Here, and nowhere else, scores become numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shown {
    /// Without needless digits: `3`, `3.5`.
    pub(crate) value: f64,
    pub(crate) unit: Unit,
    pub(crate) proven: bool,
}

impl Shown {
    pub(crate) fn new(score: Score, game: GameKind) -> Self {
        let unit = match score.worth() {
            Worth::Margin(_) => Unit::of_margin(game),
            Worth::Result(_) => Unit::Result,
            Worth::Seeds(_) => Unit::Seeds,
            Worth::Cells(_) | Worth::Points(_) => Unit::Points,
            Worth::Share(_) => Unit::WinShare,
        };
        Shown {
            value: match unit {
                Unit::WinShare => (score.amount() * 1e3).round() / 1e3,
                _ => rounded(score.amount()),
            },
            unit,
            proven: score.is_proven(),
        }
    }

    /// What a move gave away.
    pub(crate) fn of_loss(loss: Loss, proven: bool, game: GameKind) -> Self {
        Shown {
            value: rounded(loss.amount()),
            unit: match loss {
                Loss::Margin(_) => Unit::of_margin(game),
                Loss::Points(_) => Unit::Points,
                Loss::Result(_) => Unit::Result,
            },
            proven,
        }
    }

    /// How much, without its sign: "3 seeds".
    pub(crate) fn counted(self) -> String {
        let number = self.value.abs();
        let plural = if number == 1.0 { "" } else { "s" };
        match self.unit {
            Unit::Seeds => format!("{number} seed{plural}"),
            Unit::Cells => format!("{number} cell{plural}"),
            Unit::Result | Unit::Points => format!("{number} point{plural}"),
            Unit::WinShare => format!("{:.0}%", 100.0 * number),
        }
    }

    /// What a move is worth to who makes it: "wins by 3 seeds", "about 2.5 seeds ahead".
    pub(crate) fn of_move(self) -> String {
        let by = match self.unit {
            Unit::Result => String::new(),
            _ => format!(" by {}", self.counted()),
        };
        match (self.proven || self.unit == Unit::Result, self.value) {
            _ if self.unit == Unit::WinShare => format!("wins {} of games", self.counted()),
            (true, 0.0) => "draws".to_owned(),
            (true, value) if value > 0.0 => format!("wins{by}"),
            (true, _) => format!("loses{by}"),
            (false, 0.0) => "about even".to_owned(),
            (false, value) if value > 0.0 => format!("about {} ahead", self.counted()),
            (false, _) => format!("about {} behind", self.counted()),
        }
    }
}

/// A number without needless digits: `3`, `3.5`.
pub(crate) fn rounded(number: f64) -> f64 {
    // Adding a zero takes the minus off a zero.
    (number * 10.0).round() / 10.0 + 0.0
}

/// Player 0's prospects, from -1 to 1.
pub(crate) fn bar(score: Score) -> f64 {
    score.seen_by(Player::First).prospect() + 0.0
}

/// What a position is worth: "Player 0 wins by 3 seeds (proven)".
pub(crate) fn of_position(score: Score, game: GameKind) -> String {
    let better = match score.prospect() < 0.0 {
        true => !score.player(),
        false => score.player(),
    };
    let shown = Shown::new(score.seen_by(better), game);
    let words = shown.of_move();
    match shown.proven {
        true if shown.value == 0.0 => "A draw (proven)".to_owned(),
        true => format!("Player {better} {words} (proven)"),
        false if shown.value == 0.0 => "About even".to_owned(),
        false if shown.unit == Unit::Result => format!("Player {better} {words}, most likely"),
        false => format!("Player {better} is {words}"),
    }
}

/// A line of moves from a line's last position, with whose they are: "player 0: 2 5, player 1: 3".
pub(crate) fn of_line(played: &Played, line: &[kalahari_games::AnyMove]) -> String {
    let game = &played.game;
    let mut position = played.last();
    let mut words = String::new();
    let mut last = None;
    for &mv in line {
        let mover = game.to_move(&position);
        let Ok(next) = game.play(&position, mv) else {
            break;
        };
        if last == Some(mover) {
            words += &format!(" {mv}");
        } else {
            let comma = if last.is_some() { ", " } else { "" };
            words += &format!("{comma}player {mover}: {mv}");
        }
        last = Some(mover);
        position = next;
    }
    words
}

/// A sentence of words.
pub(crate) fn capital(words: &str) -> String {
    let mut words = words.to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}
