//! A review as text.

use super::{Judged, line};
use crate::arguments::place;
use crate::draw;
use crate::experiment::quote;
use crate::play::{PitsFrom, score_text};
use kalahari_games::Game;
use kalahari_games::GameKind;
use kalahari_study::{Blunder, Figures, Judgement, Phase};
use std::fmt::Write;
use std::path::Path;

/// The longest line of better play that is shown.
pub(super) const LINE: usize = 8;

pub(super) fn text(judged: &Judged) -> String {
    let mut text = format!(
        "{} of {} games judged, {} nodes a position\n",
        judged.reviewed.len(),
        judged.games.len(),
        judged.spec.nodes
    );
    for (file, checksum) in judged.identity.files.files() {
        let _ = writeln!(text, "with {file}: {checksum}");
    }
    let names = judged.players.iter().flat_map(|player| {
        let opponents = player.opponents.keys();
        opponents.map(|name| 10 + name.chars().count())
    });
    let wide = names
        .chain(judged.players.iter().map(|p| p.name.chars().count()))
        .max()
        .unwrap_or(0)
        .clamp(10, 60);
    let unit = if judged.counts_seeds() {
        "seeds"
    } else {
        "result"
    };
    let _ = writeln!(
        text,
        "\n{:wide$}  accuracy  {unit} a move  moves  proven   best  inacc.  mist.  blund.",
        ""
    );
    let row = |name: &str, figures: &Figures| {
        let percent =
            |part: Option<f64>| part.map_or("-".to_owned(), |p| format!("{:.1}%", 100.0 * p));
        let given = match judged.counts_seeds() {
            true => figures
                .seeds_a_move()
                .map_or("-".to_owned(), |seeds| format!("{seeds:.3}")),
            false => percent(figures.results_a_move()),
        };
        let [best, inaccuracies, mistakes, blunders] = Judgement::ALL.map(|j| figures.count(j));
        format!(
            "{name:<wide$}  {:>8}  {given:>gap$}  {:>5}  {:>5.0}%  {best:>5}  {inaccuracies:>6}  {mistakes:>5}  {blunders:>6}\n",
            percent(figures.accuracy()),
            figures.moves,
            100.0 * figures.proven as f64 / figures.moves.max(1) as f64,
            gap = unit.len() + 7,
        )
    };
    for player in &judged.players {
        text += &row(&player.name, &player.all);
        for phase in Phase::ALL {
            text += &row(
                &format!("  {}", phase.name()),
                &player.phases[phase as usize],
            );
        }
        for (opponent, figures) in &player.opponents {
            text += &row(&format!("  against {opponent}"), figures);
        }
    }
    for player in &judged.players {
        let shown = player.blunders.len().min(judged.worst);
        if shown == 0 {
            continue;
        }
        let _ = writeln!(
            text,
            "\nThe worst moves of {} ({shown} of {} mistakes and blunders):",
            player.name,
            player.blunders.len()
        );
        for (number, blunder) in (1..).zip(player.blunders.iter().take(shown)) {
            text += &one(judged, number, blunder);
        }
    }
    let _ = writeln!(text, "\n{}{}", Figures::ACCURACY, judged.about_pits());
    let first = judged
        .players
        .iter()
        .find_map(|player| player.blunders.first());
    if let Some(blunder) = first.filter(|_| judged.worst > 0) {
        text += &commands(judged, blunder);
    }
    text
}

/// The commands that show a bad move.
fn commands(judged: &Judged, blunder: &Blunder) -> String {
    let record = &judged.records[blunder.game];
    let played = &judged.games[blunder.game].played;
    let position = played
        .game
        .position_text(&played.positions[blunder.judged.ply]);
    let any_total = match place(record.game, Some(&position), false) {
        Ok(_) => "",
        Err(_) => " --any-total",
    };
    let pits = match (record.game.kind(), judged.pits_from) {
        (GameKind::Kalah, PitsFrom::One) => "; analyze and show number pits from 0",
        _ => "",
    };
    let mut text = format!(
        "\nTo look at the first of these moves ({}, move {}{pits}):\n  what every move is worth:  kalahari analyze {} --position {}{any_total}\n",
        judged.game_name(blunder.game),
        blunder.judged.ply + 1,
        record.game,
        quote(&position)
    );
    let source = &judged.source;
    if let Some(db) = &source.db {
        let Some(db) = named_again(db) else {
            return text;
        };
        let id = &record.match_id;
        let _ = writeln!(
            text,
            "  the game, move by move:    kalahari records show --db {db} --match {} --game {} | kalahari show --record -\n  \
             on the page, under Arena:  kalahari serve --db {db}",
            id.get(..8).unwrap_or(id),
            u64::from(record.number) + 1
        );
    } else if let [file] = &source.records[..]
        && let Some(file) = named_again(file)
    {
        let number = match judged.games.len() {
            1 => String::new(),
            _ => format!(" --game-number {}", blunder.game + 1),
        };
        let _ = writeln!(
            text,
            "  the game, move by move:    kalahari show --record {file}{number}"
        );
    }
    text
}

/// A file as the argument of another command; `None` if that could not read it again, such as a pipe, or if its name
/// cannot be written as text.
fn named_again(file: &Path) -> Option<String> {
    let name = file.to_str()?;
    // What is open in this process is closed when it has ended.
    let open = ["/dev", "/proc"].iter().any(|top| file.starts_with(top));
    if name == "-" || open || !file.is_file() || name.chars().any(char::is_control) {
        return None;
    }
    match name.starts_with('-') {
        true => Some(quote(&format!("./{name}"))),
        false => Some(quote(name)),
    }
}

/// One bad move; the worst one with its board.
fn one(judged: &Judged, number: usize, blunder: &Blunder) -> String {
    let Blunder { game, judged: mv } = blunder;
    let played = &judged.games[*game].played;
    let position = &played.positions[mv.ply];
    let mut text = format!(
        "{number:>3}. {}, move {}: {} gives away {}; {} was better, {}\n     line: {}\n     position: {}\n",
        judged.game_name(*game),
        mv.ply + 1,
        judged.pits_from.words(mv.played),
        judged.given_away(mv),
        judged.pits_from.words(mv.best),
        score_text::words(mv.best_score),
        line(&mv.line[..mv.line.len().min(LINE)], judged.pits_from),
        played.game.position_text(position),
    );
    if number == 1 {
        for line in draw::board_for(&played.game.view(position), judged.pits_from).lines() {
            let _ = writeln!(text, "     {line}");
        }
    }
    text
}
