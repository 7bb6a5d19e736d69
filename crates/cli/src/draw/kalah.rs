//! The Kalah board: player 1 on top, sown right to left, as in `book/src/players/rules.md`.

use kalahari_games::Player;
use kalahari_games::kalah::KalahSetup;

/// Draws the houses with their numbers in board order; player 1's own pit numbers stand beside them.
pub(super) fn kalah(setup: &KalahSetup) -> String {
    let pits = setup.pits();
    let numbers = |houses: &mut dyn Iterator<Item = usize>| -> String {
        houses.map(|house| format!("{house:>5}")).collect()
    };
    let seeds = |houses: &mut dyn Iterator<Item = usize>| -> String {
        houses
            .map(|house| format!("|{:>4}", setup.houses[house]))
            .collect()
    };
    let turn = |player| {
        if setup.player == player {
            "  <- to move"
        } else {
            ""
        }
    };
    let upper = || (pits + 1..=2 * pits).rev();
    let edge = format!("     +----{}+----+", "+----".repeat(pits));
    let (left, right) = (setup.houses[2 * pits + 1], setup.houses[pits]);
    [
        format!(
            "          {}   player 1's pits{}",
            numbers(&mut (0..pits).rev()),
            turn(Player::Second)
        ),
        format!("          {}   house numbers", numbers(&mut upper())),
        edge.clone(),
        format!("     |    {}|    |", seeds(&mut upper())),
        format!(
            "{:>4} |{left:>4}{}+{right:>4}| {pits}",
            2 * pits + 1,
            "+----".repeat(pits)
        ),
        format!("     |    {}|    |", seeds(&mut (0..pits))),
        edge,
        format!(
            "          {}   player 0's pits{}",
            numbers(&mut (0..pits)),
            turn(Player::First)
        ),
    ]
    .map(|line| line.trim_end().to_owned() + "\n")
    .concat()
}
