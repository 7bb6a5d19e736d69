//! A review as one page that needs no other file.

use super::text::LINE;
use super::{Judged, line};
use crate::play::score_text;
use kalahari_arena::pictures::{Mark, Marked, board, escaped};
use kalahari_games::Game;
use kalahari_study::{Blunder, Figures, Judgement, Phase, PlayerReview};
use kalahari_terms::Program;
use std::fmt::Write;

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>Kalahari review</title>
<style>
body { font: 16px/1.5 sans-serif; color: #262626; max-width: 1000px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; }
tr.part td:first-child { padding-left: 2em; }
tr.whole td { font-weight: bold; }
.wide { overflow-x: auto; }
.worst { display: grid; grid-template-columns: repeat(auto-fill, minmax(440px, 1fr)); gap: 1.2em; padding: 0; list-style: none; }
.worst li { border: 1px solid #ddd; border-radius: 8px; padding: 0.8em 1em; min-width: 0; overflow-wrap: anywhere; }
.worst p { margin: 0.3em 0; }
.board { max-width: 100%; height: auto; }
.played { color: #b1540f; font-weight: bold; }
.better { color: #1d7038; font-weight: bold; }
.small { color: #595959; font-size: 14px; }
@media (max-width: 520px) { .worst { grid-template-columns: 1fr; } }
</style>
</head>
<body>
<h1>Kalahari review</h1>
";

pub(super) fn page(judged: &Judged) -> String {
    let mut page = String::from(HEAD);
    let mut games: Vec<String> = judged.records.iter().map(|r| r.game.to_string()).collect();
    games.sort();
    games.dedup();
    let _ = writeln!(
        page,
        "<p>{} of {} games of {} judged by the engine of Kalahari {} with {} nodes a position. The moves of the given opening are not judged, because no agent chose them.</p>",
        judged.reviewed.len(),
        judged.games.len(),
        escaped(&games.join(", ")),
        judged.identity.program,
        judged.spec.nodes
    );
    for (file, checksum) in judged.identity.files.files() {
        let _ = writeln!(
            page,
            "<p>With {}: {}.</p>",
            escaped(file),
            escaped(checksum)
        );
    }
    table(&mut page, judged);
    let _ = writeln!(
        page,
        "<p>{} \"Proven\" is the share of moves for which it is certain what they gave away; the others are estimates. The opening lasts while more than two thirds of the seeds are in pits, or of the cells are free; the end begins when at most one third is.{}</p>",
        Figures::ACCURACY,
        judged.about_pits()
    );
    for player in &judged.players {
        worst(&mut page, judged, player);
    }
    let _ = writeln!(page, "<p class=\"small\">Made by {}</p>", Program::maker());
    page + "</body>\n</html>\n"
}

fn table(page: &mut String, judged: &Judged) {
    let unit = if judged.counts_seeds() {
        "seeds"
    } else {
        "result"
    };
    let _ = writeln!(
        page,
        "<div class=\"wide\"><table>\n<tr><th>agent</th><th>accuracy</th><th>{unit} a move</th><th>moves</th><th>proven</th>\
         <th>best</th><th>inaccuracies</th><th>mistakes</th><th>blunders</th></tr>"
    );
    for player in &judged.players {
        row(page, judged, "whole", &player.name, &player.all);
        for phase in Phase::ALL {
            let figures = &player.phases[phase as usize];
            row(page, judged, "part", phase.name(), figures);
        }
        for (opponent, figures) in &player.opponents {
            row(
                page,
                judged,
                "part",
                &format!("against {opponent}"),
                figures,
            );
        }
    }
    page.push_str("</table></div>\n");
}

fn row(page: &mut String, judged: &Judged, class: &str, name: &str, figures: &Figures) {
    let percent = |part: Option<f64>| part.map_or("-".to_owned(), |p| format!("{:.1}%", 100.0 * p));
    let given = match judged.counts_seeds() {
        true => {
            let seeds = figures.seeds_a_move();
            seeds.map_or("-".to_owned(), |seeds| format!("{seeds:.2}"))
        }
        false => percent(figures.results_a_move()),
    };
    let _ = write!(
        page,
        "<tr class=\"{class}\"><td>{}</td><td>{}</td><td>{given}</td><td>{}</td><td>{:.0}%</td>",
        escaped(name),
        percent(figures.accuracy()),
        figures.moves,
        100.0 * figures.proven as f64 / figures.moves.max(1) as f64,
    );
    for judgement in Judgement::ALL {
        let _ = write!(page, "<td>{}</td>", figures.count(judgement));
    }
    page.push_str("</tr>\n");
}

fn worst(page: &mut String, judged: &Judged, player: &PlayerReview) {
    let shown = player.blunders.len().min(judged.worst);
    let name = escaped(&player.name);
    if shown == 0 {
        let _ = writeln!(page, "<h2>{name}</h2>\n<p>No mistakes and no blunders.</p>");
        return;
    }
    let _ = writeln!(
        page,
        "<h2>The worst moves of {name}</h2>\n<p>{shown} of {} mistakes and blunders, the worst first. \
         <span class=\"played\">Orange</span> was played, <span class=\"better\">green</span> was better.</p>\n<ol class=\"worst\">",
        player.blunders.len()
    );
    for (number, blunder) in (1..).zip(player.blunders.iter().take(shown)) {
        let Blunder { game, judged: mv } = blunder;
        let played = &judged.games[*game].played;
        let position = &played.positions[mv.ply];
        let marks = [
            Marked {
                mv: mv.played,
                how: Mark::Played,
            },
            Marked {
                mv: mv.best,
                how: Mark::Better,
            },
        ];
        let opponent = &judged.games[*game].players[1 - mv.player.index()];
        let _ = writeln!(
            page,
            "<li><p><b>{number}.</b> <span class=\"played\">{}</span> gives away {}. <span class=\"better\">{}</span> was better: {}.</p>\n{}\n\
             <p>Better play: {}</p>\n<p class=\"small\">{}, move {}, as player {} against {}<br>{}</p></li>",
            judged.pits_from.words(mv.played),
            judged.given_away(mv),
            judged.pits_from.words(mv.best),
            score_text::words(mv.best_score),
            board(
                &played.game.view(position),
                &marks,
                judged.pits_from.first()
            ),
            line(&mv.line[..mv.line.len().min(LINE)], judged.pits_from),
            escaped(&judged.game_name(*game)),
            mv.ply + 1,
            mv.player,
            escaped(opponent),
            escaped(&played.game.position_text(position)),
        );
    }
    page.push_str("</ol>\n");
}
