//! The Isolation board as a grid, row 1 on top.

use kalahari_games::isolation::IsolationSetup;

/// Draws the cells with column letters and row numbers, and says what the marks mean.
pub(super) fn isolation(setup: &IsolationSetup) -> String {
    let cols = setup.rows.first().map_or(0, Vec::len);
    let letters: String = ('a'..)
        .take(cols)
        .map(|letter| format!(" {letter}"))
        .collect();
    let mut text = format!("    {letters}\n");
    for (number, row) in (1..).zip(&setup.rows) {
        let cells: String = row
            .iter()
            .map(|cell| format!(" {}", cell.symbol()))
            .collect();
        text += &format!("{number:>4}{cells}\n");
    }
    text += "\n1 is player 0, 2 is player 1; x and o are cells they left, # is removed\n";
    text
}
