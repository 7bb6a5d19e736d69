//! The Kalah board: player 1 on top, sown right to left, as in `book/src/players/rules.md`.

use crate::play::PitsFrom;
use kalahari_games::Player;
use kalahari_games::kalah::KalahSetup;

/// Draws the houses with the numbers of the pits; where these begin with 0, houses have their numbers in board order, too.
pub(super) fn kalah(setup: &KalahSetup, pits_from: PitsFrom) -> String {
    let pits = setup.pits();
    let houses_too = pits_from == PitsFrom::Zero;
    let house = |house: usize| match houses_too {
        true => house.to_string(),
        false => String::new(),
    };
    let own = || (0..pits).map(move |pit| pits_from.number(pit));
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
            numbers(&mut own().rev()),
            turn(Player::Second)
        ),
        match houses_too {
            true => format!("          {}   house numbers", numbers(&mut upper())),
            false => String::new(),
        },
        edge.clone(),
        format!("     |    {}|    |", seeds(&mut upper())),
        format!(
            "{:>4} |{left:>4}{}+{right:>4}| {}",
            house(2 * pits + 1),
            "+----".repeat(pits),
            house(pits)
        ),
        format!("     |    {}|    |", seeds(&mut (0..pits))),
        edge,
        format!(
            "          {}   player 0's pits{}",
            numbers(&mut own()),
            turn(Player::First)
        ),
    ]
    .into_iter()
    .filter(|line| !line.is_empty())
    .map(|line| line.trim_end().to_owned() + "\n")
    .collect()
}
