//! One page with everything in it, and every picture as a file.

use super::canvas::{Picture, Trouble, error_text, png, signed, svg};
use super::csv;
use super::data::{GameData, gather};
use super::games;
use super::heat::Heat;
use super::histogram::Histogram;
use super::made::made;
use super::openings::Openings;
use super::ratings::Ratings;
use super::strength::{Strength, time_text};
use super::versions::Versions;
use crate::ArenaError;
use crate::results::Forfeits;
use crate::stats::rating_notes;
use crate::store::Store;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes the pictures of a store into a directory, which is created if needed. For every game these are `ratings`, `meetings`,
/// `versions`, `openings`, `lengths`, `margins` and `strength`, as far as there is something to show, each as SVG and PNG, with its
/// data as CSV. The page `index.html` has games to click through and needs none of the other files. Returns the names of the
/// files; there are none if no game is finished.
pub fn write_pictures(store: &Store, directory: &Path) -> Result<Vec<PathBuf>, ArenaError> {
    let games = gather(store)?;
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let mut files = Files {
        directory,
        written: Vec::new(),
    };
    match files.write_all(&games, &made(store)?) {
        Ok(()) => Ok(files.written),
        Err(problem) => Err(ArenaError::Pictures {
            directory: directory.display().to_string(),
            problem,
        }),
    }
}

struct Files<'a> {
    directory: &'a Path,
    written: Vec<PathBuf>,
}

impl Files<'_> {
    fn write_all(&mut self, games: &[GameData], made: &str) -> Result<(), Trouble> {
        std::fs::create_dir_all(self.directory)?;
        let page = page(games, made, self)?;
        Ok(self.write("index.html", page.as_bytes())?)
    }

    fn write(&mut self, name: &str, content: &[u8]) -> std::io::Result<()> {
        let file = self.directory.join(name);
        kalahari_storage::write_whole(&file, content)?;
        self.written.push(file);
        Ok(())
    }

    /// Writes a picture and its data as CSV, and returns the SVG.
    fn draw(&mut self, name: &str, picture: &impl Picture, csv: &str) -> Result<String, Trouble> {
        let text = svg(picture)?;
        self.write(&format!("{name}.csv"), csv.as_bytes())?;
        self.write(&format!("{name}.svg"), text.as_bytes())?;
        self.write(&format!("{name}.png"), &png(picture)?)?;
        Ok(text)
    }
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>Kalahari report</title>
<style>
body { font: 16px/1.5 sans-serif; color: #262626; max-width: 1000px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child, td.name, th.name { text-align: left; white-space: normal; overflow-wrap: anywhere; }
figure { margin: 1.5em 0; }
svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
.viewer select { width: 100%; font: inherit; }
.viewer .stage { min-height: 160px; margin: 0.8em 0; }
.viewer button { font: inherit; }
</style>
</head>
<body>
<h1>Kalahari report</h1>
";

fn page(games: &[GameData], made: &str, files: &mut Files<'_>) -> Result<String, Trouble> {
    let mut page = String::from(HEAD);
    for data in games {
        let slug = slug(data);
        writeln!(page, "<h2>{}</h2>", escaped(&data.game))?;
        let forfeits = match data.forfeits {
            0 => String::new(),
            count => format!(", {count} of them forfeited"),
        };
        let plural = |count: usize, word: &str| match count {
            1 => format!("1 {word}"),
            _ => format!("{count} {word}s"),
        };
        writeln!(
            page,
            "<p>{}{forfeits}, by {}, from {}.</p>",
            plural(data.games as usize, "game"),
            plural(data.players.len(), "player"),
            plural(data.openings.len(), "opening"),
        )?;
        if data.repeats > 0 {
            writeln!(
                page,
                "<p>{} more repeated an earlier one move for move and {} not counted.</p>",
                plural(data.repeats as usize, "game"),
                if data.repeats == 1 { "is" } else { "are" },
            )?;
        }
        ratings_table(&mut page, data)?;
        forfeit_lines(&mut page, data)?;
        crosstable(&mut page, data)?;
        let (lengths, margins) = (lengths(data), margins(data));
        let name = |what: &str| format!("{slug}-{what}");
        let players = csv::players(data);
        let mut pictures = vec![files.draw(&name("ratings"), &Ratings(data), &players)?];
        if has_heat(data) {
            let csv = csv::meetings(data);
            pictures.push(files.draw(&name("meetings"), &Heat(data), &csv)?);
        }
        if has_versions(data) {
            let csv = csv::versions(data);
            pictures.push(files.draw(&name("versions"), &Versions(data), &csv)?);
        }
        pictures.extend([
            files.draw(&name("strength"), &Strength(data), &players)?,
            files.draw(
                &name("margins"),
                &margins,
                &csv::values("margin", &data.margins),
            )?,
            files.draw(
                &name("lengths"),
                &lengths,
                &csv::values("moves", &data.lengths),
            )?,
            files.draw(&name("openings"), &Openings(data), &csv::openings(data))?,
        ]);
        for picture in pictures {
            writeln!(page, "<figure>\n{picture}</figure>")?;
        }
        games::viewer(&mut page, data)?;
    }
    page.push_str(made);
    writeln!(page, "<script>\n{}</script>", games::SCRIPT)?;
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

/// A game's name as a part of file names.
fn slug(data: &GameData) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    data.game.chars().map(kept).collect()
}

/// Whether there is a heat map. With two players the table of ratings is enough.
fn has_heat(data: &GameData) -> bool {
    data.players.len() > 2
}

fn has_versions(data: &GameData) -> bool {
    !Versions(data).lines().is_empty()
}

/// One line for each player that forfeited a game.
fn forfeit_lines(page: &mut String, data: &GameData) -> std::fmt::Result {
    for player in data.players.iter().filter(|p| p.forfeits.total() > 0) {
        let Forfeits {
            time,
            illegal,
            crash,
        } = player.forfeits;
        writeln!(
            page,
            "<p>{} forfeited {} games: {time} on time, {illegal} by illegal moves, {crash} by crashes. The first was {}.</p>",
            escaped(&player.name),
            player.forfeits.total(),
            escaped(player.first_forfeit.as_deref().unwrap_or_default()),
        )?;
    }
    Ok(())
}

fn lengths(data: &GameData) -> Histogram<'_> {
    Histogram {
        title: titled("Length of games", &data.game, &data.lengths),
        axis: "moves in a game, its opening included",
        values: &data.lengths,
    }
}

fn margins(data: &GameData) -> Histogram<'_> {
    let what = format!("Margin of {}", data.margin_of);
    Histogram {
        title: titled(&what, &data.game, &data.margins),
        axis: "margin at the end",
        values: &data.margins,
    }
}

/// A picture in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Its name, which is also the name of its file in a report, such as `kalah-6x4-standard-ratings`.
    pub name: String,
    /// What it shows.
    pub title: &'static str,
    /// The picture as SVG.
    pub svg: String,
}

/// The pictures of one game, as [`write_pictures`] writes them.
pub fn draw(data: &GameData) -> Result<Vec<Drawing>, ArenaError> {
    let slug = slug(data);
    let drawing = |name: &str, title, svg: Result<String, Trouble>| -> Result<_, ArenaError> {
        let svg = svg.map_err(|error| ArenaError::Pictures {
            directory: "memory".to_owned(),
            problem: error,
        })?;
        let name = format!("{slug}-{name}");
        Ok(Drawing { name, title, svg })
    };
    let mut drawings = vec![drawing("ratings", "Ratings", svg(&Ratings(data)))?];
    if has_heat(data) {
        let title = "Scores against each opponent";
        drawings.push(drawing("meetings", title, svg(&Heat(data)))?);
    }
    if has_versions(data) {
        drawings.push(drawing(
            "versions",
            "Rating by version",
            svg(&Versions(data)),
        )?);
    }
    drawings.extend([
        drawing("strength", "Strength and time", svg(&Strength(data)))?,
        drawing("margins", "Margins", svg(&margins(data)))?,
        drawing("lengths", "Lengths of games", svg(&lengths(data)))?,
        drawing("openings", "Openings", svg(&Openings(data)))?,
    ]);
    Ok(drawings)
}

fn titled(what: &str, game: &str, values: &[i64]) -> String {
    let mean = values.iter().map(|value| *value as f64).sum::<f64>() / values.len() as f64;
    match values.is_empty() {
        true => format!("{what} in {game}: none"),
        false => format!("{what} in {game}: mean {mean:.1}"),
    }
}

fn ratings_table(page: &mut String, data: &GameData) -> std::fmt::Result {
    page.push_str(
        "<div class=\"wide\"><table>\n<tr><th>#</th><th class=\"name\">player</th><th>Elo</th><th>±</th>\
         <th>games</th><th>won</th><th>drawn</th><th>lost</th><th>score</th><th>time per move</th></tr>\n",
    );
    for (number, player) in (1..).zip(&data.players) {
        let [wins, draws, losses] = player.results;
        let games = wins + draws + losses;
        let score = (wins as f64 + draws as f64 / 2.0) / games.max(1) as f64;
        writeln!(
            page,
            "<tr><td>{number}</td><td class=\"name\">{}</td><td>{}</td><td>{}</td><td>{games}</td>\
             <td>{wins}</td><td>{draws}</td><td>{losses}</td><td>{:.1}%</td><td>{}</td></tr>",
            escaped(&player.name),
            signed(player.elo),
            error_text(player.error),
            score * 100.0,
            player.millis.map_or("-".to_owned(), time_text),
        )?;
    }
    page.push_str("</table></div>\n");
    for note in rating_notes(data.padded, data.groups) {
        writeln!(page, "<p>Note: {note}.</p>")?;
    }
    Ok(())
}

/// The score of each row's player against each column's player.
fn crosstable(page: &mut String, data: &GameData) -> std::fmt::Result {
    let players = data.players.len();
    if players < 3 {
        return Ok(());
    }
    page.push_str("<div class=\"wide\"><table>\n<tr><th class=\"name\">score against</th>");
    for number in 1..=players {
        write!(page, "<th>{number}</th>")?;
    }
    page.push_str("</tr>\n");
    for (row, player) in data.players.iter().enumerate() {
        write!(page, "<tr><td>{} {}</td>", row + 1, escaped(&player.name))?;
        for column in 0..players {
            let cell = data.meeting(row, column).map(|[wins, draws, losses]| {
                let points = wins as f64 + draws as f64 / 2.0;
                format!("{points} of {}", wins + draws + losses)
            });
            let cell = cell.unwrap_or_default();
            write!(page, "<td>{cell}</td>")?;
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
    Ok(())
}

/// A text with the special characters of HTML escaped.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
