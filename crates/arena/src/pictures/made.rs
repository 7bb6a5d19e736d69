//! How the games of a store were made: matches, programs, machines, experiments.

use super::page::escaped;
use crate::ArenaError;
use crate::origin::date_text;
use crate::store::Store;

/// The part of the page that says how its games were made.
pub(super) fn made(store: &Store) -> Result<String, ArenaError> {
    let mut page = "<h2>How it was made</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"name\">Match</th><th>Game</th><th>Limits</th><th>Openings</th><th>Seed</th><th>Games</th><th>Begun</th></tr>\n".to_owned();
    for entry in store.matches()? {
        let [a, b] = entry.names.each_ref().map(|name| escaped(name));
        page += &format!(
            "<tr><td class=\"name\">{a} – {b}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(&entry.game.to_string()),
            escaped(&entry.limits),
            escaped(&entry.openings),
            entry.rng_seed,
            entry.games,
            date_text(entry.created)
        );
    }
    page += "</table></div>\n";
    let runs = store.runs()?;
    if runs.is_empty() {
        return Ok(page);
    }
    page += "<ul>\n";
    let mut experiments: Vec<&str> = Vec::new();
    for run in &runs {
        page += &format!(
            "<li>{} to {}: {}<br><code>{}</code></li>\n",
            date_text(run.began),
            date_text(run.ended),
            escaped(&run.origin.to_string()),
            escaped(&run.origin.command)
        );
        if let Some(text) = &run.origin.experiment
            && !experiments.contains(&text.as_str())
        {
            experiments.push(text);
        }
    }
    page += "</ul>\n";
    for text in experiments {
        let text = escaped(text);
        page +=
            &format!("<details><summary>The experiment</summary>\n<pre>{text}</pre></details>\n");
    }
    Ok(page)
}
