//! Values and lines of moves in words.

use kalahari_games::{Game, Player};
use kalahari_study::{Measure, Value};

/// An amount without needless digits: `3`, `3.5`.
pub(crate) fn amount(value: f64) -> f64 {
    let rounded = (value * 10.0).round() / 10.0;
    // No minus before a zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Player 0's prospects, from -1 to 1, where `player` has this value.
pub(crate) fn bar(value: Value, player: Player) -> f64 {
    // Adding a zero takes the minus off a zero.
    value.prospect() * f64::from(player.sign()) + 0.0
}

fn counted(value: f64, measure: Measure) -> String {
    let number = amount(value.abs());
    let plural = if number == 1.0 { "" } else { "s" };
    match measure {
        Measure::Seeds => format!("{number} seed{plural}"),
        Measure::Cells => format!("{number} cell{plural}"),
        Measure::Result | Measure::Points => format!("{number} point{plural}"),
    }
}

/// What a move is worth to who makes it: "wins by 3 seeds", "about 2.5 seeds ahead".
pub(crate) fn of_move(value: Value) -> String {
    let Value {
        amount: value_amount,
        measure,
        proven,
    } = value;
    let by = match measure {
        Measure::Result => String::new(),
        _ => format!(" by {}", counted(value_amount, measure)),
    };
    let shown = amount(value_amount);
    match (proven || measure == Measure::Result, shown) {
        (true, 0.0) => "draws".to_owned(),
        (true, shown) if shown > 0.0 => format!("wins{by}"),
        (true, _) => format!("loses{by}"),
        (false, 0.0) => "about even".to_owned(),
        (false, shown) if shown > 0.0 => format!("about {} ahead", counted(shown, measure)),
        (false, shown) => format!("about {} behind", counted(shown, measure)),
    }
}

/// What a position is worth: "Player 0 wins by 3 seeds (proven)".
pub(crate) fn of_position(value: Value, to_move: Player) -> String {
    let better = match value.amount < 0.0 {
        true => !to_move,
        false => to_move,
    };
    let ahead = match value.amount < 0.0 {
        true => value.turned(),
        false => value,
    };
    let words = of_move(ahead);
    match value.proven {
        true if amount(value.amount) == 0.0 => "A draw (proven)".to_owned(),
        true => format!("Player {better} {words} (proven)"),
        false if amount(value.amount) == 0.0 => "About even".to_owned(),
        false if value.measure == Measure::Result => {
            format!("Player {better} {words}, most likely")
        }
        false => format!("Player {better} is {words}"),
    }
}

/// A line of moves with whose they are: "0: 2 5, 1: 3, 0: 1".
pub(crate) fn of_line<G: Game>(game: &G, position: &G::Position, line: &[G::Move]) -> String {
    let mut position = *position;
    let mut words = String::new();
    let mut last = None;
    for &mv in line {
        if !game.is_legal(&position, mv) {
            break;
        }
        let mover = game.to_move(&position);
        if last == Some(mover) {
            words += &format!(" {mv}");
        } else {
            let comma = if last.is_some() { ", " } else { "" };
            words += &format!("{comma}player {mover}: {mv}");
        }
        last = Some(mover);
        position = game.play_unchecked(&position, mv);
    }
    words
}
