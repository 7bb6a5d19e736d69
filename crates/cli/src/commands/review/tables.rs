//! A review as CSV and JSON.

use super::{Judged, line};
use crate::csv::csv_line;
use crate::play::PitsFrom;
use crate::values;
use kalahari_games::Game;
use kalahari_study::{Blunder, Figures, JudgedMove, Judgement, Loss, Phase};
use serde_json::{Map, Value, json};

const HEADER: [&str; 19] = [
    "match",
    "game",
    "ply",
    "agent",
    "opponent",
    "phase",
    "forced",
    "move",
    "best",
    "judgement",
    "seeds",
    "result",
    "accuracy",
    "proven",
    "value_played",
    "value_best",
    "unit",
    "line",
    "position",
];

/// Every judged move. `seeds` is what was given away, empty where seeds or cells are not counted; `result` is the same as a
/// part of the result, 0 to 1.
pub(super) fn csv(judged: &Judged) -> String {
    let mut text = csv_line(&HEADER);
    for game in &judged.reviewed {
        let record = &judged.records[game.game];
        let played = &judged.games[game.game].played;
        for mv in &game.moves {
            let who = mv.player.index();
            let seeds = match mv.loss {
                Loss::Margin(seeds) => rounded(seeds).to_string(),
                Loss::Points(_) | Loss::Result(_) => String::new(),
            };
            text += &csv_line(&[
                record.match_id.clone(),
                (u64::from(record.number) + 1).to_string(),
                (mv.ply + 1).to_string(),
                judged.games[game.game].players[who].clone(),
                judged.games[game.game].players[1 - who].clone(),
                mv.phase.name().to_owned(),
                u8::from(mv.is_forced).to_string(),
                mv.played.to_string(),
                mv.best.to_string(),
                mv.judgement.name().to_owned(),
                seeds,
                rounded(mv.swing() / 2.0).to_string(),
                rounded(mv.accuracy()).to_string(),
                u8::from(mv.is_proven()).to_string(),
                rounded(mv.played_score.amount()).to_string(),
                rounded(mv.best_score.amount()).to_string(),
                mv.best_score.worth().unit().name().to_owned(),
                line(&mv.line, PitsFrom::Zero),
                played.game.position_text(&played.positions[mv.ply]),
            ]);
        }
    }
    text
}

pub(super) fn json(judged: &Judged) -> Value {
    let players: Vec<Value> = judged
        .players
        .iter()
        .map(|player| {
            let phases = Phase::ALL.iter();
            let phases = phases.map(|&phase| {
                let of_phase = figures(&player.phases[phase as usize]);
                (phase.name().to_owned(), of_phase)
            });
            let opponents = player.opponents.iter();
            let opponents = opponents.map(|(name, against)| (name.clone(), figures(against)));
            let blunders = player.blunders.iter();
            json!({
                "agent": player.name,
                "games": player.games,
                "all": figures(&player.all),
                "phases": phases.collect::<Map<_, _>>(),
                "opponents": opponents.collect::<Map<_, _>>(),
                "blunders": blunders.map(|one| blunder(judged, one)).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "nodes": judged.spec.nodes,
        "tables": judged.spec.tables,
        "identity": judged.identity,
        "games": judged.games.len(),
        "judged": judged.reviewed.len(),
        "accuracy": Figures::ACCURACY,
        "agents": players,
    })
}

fn figures(figures: &Figures) -> Value {
    let judgements = Judgement::ALL.iter();
    let judgements = judgements.map(|&one| (one.name().to_owned(), json!(figures.count(one))));
    json!({
        "moves": figures.moves,
        "proven": figures.proven,
        "accuracy": figures.accuracy().map(rounded),
        "seeds_a_move": figures.seeds_a_move().map(rounded),
        "results_a_move": figures.results_a_move().map(rounded),
        "judgements": judgements.collect::<Map<_, _>>(),
    })
}

fn blunder(judged: &Judged, Blunder { game, judged: mv }: &Blunder) -> Value {
    let record = &judged.records[*game];
    let played = &judged.games[*game].played;
    let JudgedMove { loss, .. } = mv;
    let seeds = match loss {
        Loss::Margin(seeds) => Some(rounded(*seeds)),
        Loss::Points(_) | Loss::Result(_) => None,
    };
    json!({
        "match": record.match_id,
        "game": u64::from(record.number) + 1,
        "ply": mv.ply + 1,
        "player": mv.player.index(),
        "position": played.game.position_text(&played.positions[mv.ply]),
        "move": values::mv(mv.played),
        "best": values::mv(mv.best),
        "line": mv.line.iter().map(|&mv| values::mv(mv)).collect::<Vec<_>>(),
        "judgement": mv.judgement.name(),
        "seeds": seeds,
        "result": rounded(mv.swing() / 2.0),
        "proven": mv.is_proven(),
        "played_score": values::score(mv.played_score),
        "best_score": values::score(mv.best_score),
    })
}

/// A figure without digits that mean nothing.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
