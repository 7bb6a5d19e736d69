//! A board as a small SVG for web pages: Kalah with player 0 at the bottom, sowing to the right; Isolation with row 1 at the top.

use kalahari_games::isolation::{Cell, CellState, IsolationMove, IsolationSetup};
use kalahari_games::kalah::KalahSetup;
use kalahari_games::{AnyMove, Player, View};
use std::fmt::Write;

/// A move that a board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The move, of the player to move.
    pub mv: AnyMove,
    /// How it is shown.
    pub how: Mark,
}

/// How a move is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As the move that was played: orange.
    Played,
    /// As the better move: green.
    Better,
}

impl Mark {
    const fn colour(self) -> &'static str {
        match self {
            Mark::Played => "#cd6923",
            Mark::Better => "#2a8a4a",
        }
    }
}

/// Draws a board and marks moves on it. If two marks are in one place, the last one is shown. `first_pit` is the number of the
/// first pit.
pub fn board(view: &View, marks: &[Marked], first_pit: usize) -> String {
    match view {
        View::Kalah(setup) => kalah(setup, marks, first_pit),
        View::Isolation(setup) => isolation(setup, marks),
    }
}

/// The space for a pit, in pixels.
const PIT: usize = 54;

fn kalah(setup: &KalahSetup, marks: &[Marked], first_pit: usize) -> String {
    let pits = setup.pits();
    let (width, height) = (PIT * (pits + 2), 2 * PIT + 44);
    let mut svg = open(width, height);
    let _ = write!(
        svg,
        "<rect x=\"1\" y=\"22\" width=\"{}\" height=\"{}\" rx=\"18\" fill=\"#e9d8bd\" stroke=\"#8a6d46\"/>",
        width - 2,
        2 * PIT
    );
    let stores = [
        (Player::First, PIT * (pits + 1) + PIT / 2),
        (Player::Second, PIT / 2),
    ];
    for (player, x) in stores {
        let place = player.index() * (pits + 1) + pits;
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"34\" width=\"{}\" height=\"{}\" rx=\"16\" fill=\"#f8f1e4\" stroke=\"#8a6d46\"/>",
            x - PIT / 2 + 8,
            PIT - 16,
            2 * PIT - 24
        );
        label(
            &mut svg,
            (x, 22 + PIT),
            20,
            &setup.houses[place].to_string(),
        );
    }
    for player in Player::BOTH {
        for pit in 0..pits {
            // Player 1's pits run from right to left.
            let (column, y) = match player {
                Player::First => (pit, 22 + PIT + PIT / 2),
                Player::Second => (pits - 1 - pit, 22 + PIT / 2),
            };
            let x = PIT * (column + 1) + PIT / 2;
            let own = |marked: &&Marked| match marked.mv {
                AnyMove::Kalah(mv) => player == setup.player && mv.index() == pit,
                AnyMove::Isolation(_) => false,
            };
            let mark = marks.iter().rfind(own).map(|marked| marked.how);
            let (colour, wide) = mark.map_or(("#8a6d46", 1), |mark| (mark.colour(), 5));
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"21\" fill=\"#f8f1e4\" stroke=\"{colour}\" stroke-width=\"{wide}\"/>"
            );
            let seeds = setup.houses[player.index() * (pits + 1) + pit];
            label(&mut svg, (x, y), 18, &seeds.to_string());
            let y = if player == Player::First {
                height - 10
            } else {
                12
            };
            label(&mut svg, (x, y), 12, &(pit + first_pit).to_string());
        }
    }
    let (x, y) = match setup.player {
        Player::First => (PIT * (pits + 1) + PIT / 2, height - 10),
        Player::Second => (PIT / 2, 12),
    };
    label(&mut svg, (x, y), 12, "to move");
    svg + "</svg>"
}

/// The size of a cell, in pixels.
const CELL: usize = 30;

fn isolation(setup: &IsolationSetup, marks: &[Marked]) -> String {
    let cols = setup.rows.first().map_or(0, Vec::len);
    let (width, height) = (CELL * (cols + 1), CELL * (setup.rows.len() + 1));
    let mut svg = open(width, height);
    for col in 0..cols {
        let letter = char::from(b'a' + (col % 26) as u8).to_string();
        label(
            &mut svg,
            (CELL * (col + 1) + CELL / 2, CELL / 2),
            12,
            &letter,
        );
    }
    let targets: Vec<(Cell, Mark)> = marks.iter().flat_map(targets).collect();
    for (row, cells) in setup.rows.iter().enumerate() {
        let y = CELL * (row + 1);
        let number = (row + 1).to_string();
        label(&mut svg, (CELL / 2, y + CELL / 2), 12, &number);
        for (col, cell) in cells.iter().enumerate() {
            let x = CELL * (col + 1);
            let fill = match cell {
                CellState::Free | CellState::Piece(_) => "#f8f1e4",
                CellState::Left(_) | CellState::Blocked => "#6f6a63",
            };
            let here = |(at, _): &&(Cell, Mark)| (at.row(), at.col()) == (row, col);
            let mark = targets.iter().rfind(here).map(|(_, mark)| *mark);
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" stroke=\"#b9ad9a\"/>"
            );
            let middle = (x + CELL / 2, y + CELL / 2);
            if let CellState::Piece(player) = cell {
                let fill = ["#236eaa", "#a03c3c"][player.index()];
                let ring = if *player == setup.player { 3 } else { 0 };
                let _ = write!(
                    svg,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"11\" fill=\"{fill}\" stroke=\"#262626\" stroke-width=\"{ring}\"/>",
                    middle.0, middle.1
                );
                label_in(&mut svg, middle, 13, "#fff", &player.to_string());
            }
            if let Some(mark) = mark {
                let _ = write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"4\"/>",
                    x + 3,
                    y + 3,
                    CELL - 6,
                    CELL - 6,
                    mark.colour()
                );
            }
        }
    }
    svg + "</svg>"
}

/// The cells of a move: the one it goes to and the one it removes.
fn targets(marked: &Marked) -> Vec<(Cell, Mark)> {
    let cells = match marked.mv {
        AnyMove::Isolation(IsolationMove::To(to)) => vec![to],
        AnyMove::Isolation(IsolationMove::ToRemoving(to, removed)) => vec![to, removed],
        AnyMove::Isolation(IsolationMove::Pass) | AnyMove::Kalah(_) => Vec::new(),
    };
    cells.into_iter().map(|cell| (cell, marked.how)).collect()
}

fn open(width: usize, height: usize) -> String {
    format!(
        "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">"
    )
}

fn label(svg: &mut String, place: (usize, usize), size: usize, text: &str) {
    label_in(svg, place, size, "#262626", text);
}

fn label_in(svg: &mut String, (x, y): (usize, usize), size: usize, colour: &str, text: &str) {
    let _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"middle\" dominant-baseline=\"central\">{text}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_games::{AnyGame, Game};

    fn drawn(game: &str, moves: &[(&str, Mark)]) -> String {
        let game = AnyGame::new(game.parse().expect("a game"));
        let marks: Vec<Marked> = moves
            .iter()
            .map(|&(text, how)| Marked {
                mv: game.parse_move(text).expect("a move"),
                how,
            })
            .collect();
        board(&game.view(&game.start()), &marks, 0)
    }

    #[test]
    fn pits_and_cells_are_marked() {
        let svg = drawn("kalah:6x4", &[("2", Mark::Played), ("5", Mark::Better)]);
        assert_eq!(svg.matches("<circle").count(), 12);
        assert_eq!(svg.matches("#cd6923").count(), 1);
        assert_eq!(svg.matches("#2a8a4a").count(), 1);
        let svg = drawn("isolation:5x6:queen", &[("b3", Mark::Better)]);
        assert_eq!(svg.matches("<rect").count(), 31);
        assert!(svg.ends_with("</svg>"));
        let svg = drawn("isolation:4x4:classic", &[("a2/c3", Mark::Played)]);
        assert_eq!(svg.matches("#cd6923").count(), 2);
    }
}
