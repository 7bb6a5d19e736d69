//! Random against levels 1 and 5: random always begins, and a draw is a point for both.

use super::table;
use anyhow::Context;
use kalahari_agents::{AgentSpec, Player};
use kalahari_games::{AnyGame, Game};
use kalahari_search::Rng;
use kalahari_terms::{Limits, Stop};
use serde_json::Value;

/// The points of both sides over some games.
fn points(
    spec: &str,
    level: u32,
    games: u32,
    rng_seed: u64,
    stop: &Stop,
) -> anyhow::Result<[u32; 2]> {
    let game = AnyGame::new(spec.parse()?);
    let agent = |text: &str| -> anyhow::Result<Player> {
        let spec: AgentSpec = text.parse()?;
        Ok(Player::new(&spec, &game, rng_seed)?)
    };
    let mut players = [agent("random")?, agent(&format!("level:{level}"))?];
    let mut rng_seeds = Rng::new(rng_seed);
    let mut points = [0, 0];
    for _ in 0..games {
        players[0].begin_game(rng_seeds.next_u64(), stop);
        let mut position = game.start();
        while !game.is_over(&position) {
            let player = &mut players[game.to_move(&position).index()];
            let report = player.choose(&position, Limits::NONE, stop)?;
            position = game.play(
                &position,
                report.best.context("an unfinished game has moves")?,
            )?;
        }
        anyhow::ensure!(!stop.is_requested(), "interrupted");
        match game.outcome(&position).and_then(|outcome| outcome.winner()) {
            Some(winner) => points[winner.index()] += 1,
            None => points = points.map(|points| points + 1),
        }
    }
    Ok(points)
}

pub(super) fn table_text(
    published: &Value,
    quick: bool,
    rng_seed: u64,
    stop: &Stop,
) -> anyhow::Result<String> {
    let games = if quick { 200 } else { 1_000 };
    let mut rows = Vec::new();
    for (i, level) in [1, 5].into_iter().enumerate() {
        let theirs = &published["seed_003_matches_of_1000"][i]["points"];
        for size in ["6x4", "6x6"] {
            let spec = format!("kalah:{size}:pre-move-empty");
            let [random, ours] = points(&spec, level, games, rng_seed, stop)?;
            rows.push(vec![
                format!("random - level {level}"),
                size.to_owned(),
                format!("{} : {} of 1000", theirs[0], theirs[1]),
                format!("{random} : {ours} of {games}"),
            ]);
        }
    }
    let head = ["match", "board", "published", "here"];
    Ok(format!(
        "\n## Random against a search (course project 003)\n\nRandom always begins; a draw gives a point to both. The project does not say on which board it played; its pictures show 6x4.\n\n{}",
        table(&head, &rows)
    ))
}
