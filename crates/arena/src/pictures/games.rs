//! Games to click through on a page.

use super::data::{GameData, ShownGame};
use super::page::escaped;
use std::fmt::Write;

/// The script for the viewers of a page. It appears once, after all of them.
pub(super) const SCRIPT: &str = include_str!("games.js");

/// The games of a page as a list, a board and buttons.
pub(super) fn viewer(page: &mut String, data: &GameData) -> std::fmt::Result {
    if data.shown.is_empty() {
        return Ok(());
    }
    page.push_str("<h3>Games</h3>\n");
    if (data.shown.len() as u64) < data.games {
        writeln!(
            page,
            "<p>The last {} of {} games; <code>kalahari records export</code> has all of them.</p>",
            data.shown.len(),
            data.games
        )?;
    }
    page.push_str("<div class=\"viewer\">\n<select size=\"8\" aria-label=\"Games\">\n");
    for (place, game) in data.shown.iter().enumerate() {
        let chosen = if place == 0 { " selected" } else { "" };
        writeln!(page, "<option{chosen}>{}</option>", escaped(&title(game)))?;
    }
    page.push_str(
        "</select>\n<div class=\"stage\"></div>\n<p class=\"words\" aria-live=\"polite\"></p>\n<p class=\"steps\">\
         <button type=\"button\" name=\"first\">Start</button> <button type=\"button\" name=\"back\">Back</button> \
         <button type=\"button\" name=\"forward\">Forward</button> <button type=\"button\" name=\"last\">End</button> \
         The arrow keys also work.</p>\n",
    );
    let json = serde_json::to_string(&data.shown).unwrap_or_default();
    // Without `<` nothing in the data can end the script element.
    let json = json.replace('<', "\\u003c");
    writeln!(
        page,
        "<script type=\"application/json\">{json}</script>\n</div>"
    )
}

fn title(game: &ShownGame) -> String {
    format!(
        "{} game {}: {} – {}, {}{}",
        game.match_id.get(..8).unwrap_or(&game.match_id),
        game.number,
        game.first,
        game.second,
        game.result,
        match game.ending {
            "rules" => String::new(),
            ending => format!(" ({ending})"),
        }
    )
}
