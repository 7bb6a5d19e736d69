//! Seconds a move by depth.

use super::{numbers, table};
use kalahari_agents::{AgentSpec, Player};
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Limits, Stop};
use serde_json::Value;
use std::time::Instant;

/// The seconds of the first player's moves in a game of an agent against itself; a turn of several moves
/// counts move by move.
fn move_seconds(agent: &str, most: usize, stop: &Stop) -> anyhow::Result<Vec<f64>> {
    let game = AnyGame::new("kalah:6x6:standard+majority".parse()?);
    let spec: AgentSpec = agent.parse()?;
    let mut player = Player::new(&spec, &game, 1)?;
    let mut position = game.start();
    let mut seconds = Vec::new();
    while !game.is_over(&position) && seconds.len() < most {
        let first = game.to_move(&position).index() == 0;
        let begin = Instant::now();
        let report = player.choose(&position, Limits::NONE, stop)?;
        if first {
            seconds.push(begin.elapsed().as_secs_f64());
        }
        let Some(mv) = report.best else { break };
        position = game.play(&position, mv)?;
        anyhow::ensure!(!stop.is_requested(), "interrupted");
    }
    Ok(seconds)
}

pub(super) fn tables(published: &Value, quick: bool, stop: &Stop) -> anyhow::Result<String> {
    let mut text = String::from("\n## Seconds a move (course projects 000 and 004)\n\n");
    text += "`alphabeta` with `weighted`, longest and shortest move of a game on `kalah:6x6:standard+majority`:\n\n";
    let theirs = &published["seed_000_seconds_longest_shortest_move"];
    let mut rows = Vec::new();
    for depth in [4, 6, 8] {
        let ours = move_seconds(
            &format!("alphabeta:depth={depth},eval=weighted"),
            usize::MAX,
            stop,
        )?;
        let longest = ours.iter().copied().fold(0.0, f64::max);
        let shortest = ours.iter().copied().fold(f64::MAX, f64::min);
        let published = numbers(&theirs[depth.to_string()]);
        let shown = |i: usize| published.get(i).copied().flatten().unwrap_or(f64::NAN);
        rows.push(vec![
            depth.to_string(),
            format!("{} / {}", shown(0), shown(1)),
            format!("{longest:.6} / {shortest:.6}"),
            format!("{:.0} times faster", shown(0) / longest),
        ]);
    }
    text += &table(&["depth", "published", "here", "longest move"], &rows);

    text += "\n`alphabeta` with `again`, the first five moves:\n\n";
    let theirs = &published["seed_004_seconds_for_the_first_five_moves"];
    let mut rows = Vec::new();
    for depth in [5, 7, 9, 11, 13] {
        if quick && depth > 11 {
            continue;
        }
        let ours = move_seconds(&format!("alphabeta:depth={depth},eval=again"), 5, stop)?;
        let published: Vec<f64> = numbers(&theirs[depth.to_string()])
            .into_iter()
            .flatten()
            .collect();
        let list = |seconds: &[f64]| -> String {
            let words: Vec<String> = seconds.iter().map(|s| format!("{s:.5}")).collect();
            words.join(" ")
        };
        let ratio = published.iter().sum::<f64>() / ours.iter().sum::<f64>();
        rows.push(vec![
            depth.to_string(),
            list(&published),
            list(&ours),
            format!("{ratio:.0} times faster"),
        ]);
    }
    text += &table(&["depth", "published", "here", "together"], &rows);
    Ok(text)
}
