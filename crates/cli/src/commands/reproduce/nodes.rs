//! Node counts with and without pruning.

use super::numbers;
use anyhow::Context;
use kalahari_games::Player;
use kalahari_games::kalah::{Kalah, KalahSetup, KalahSpec, Packed};
use kalahari_search::plain::count_nodes;
use kalahari_terms::Stop;
use serde_json::Value;

fn rows(published: &Value, quick: bool, stop: &Stop) -> anyhow::Result<Vec<Vec<String>>> {
    let counts = &published["seed_003_nodes"];
    let spec: KalahSpec = counts["rule"].as_str().context("a rule")?.parse()?;
    let game = Kalah::<Packed>::new(spec)?;
    let mut rows = Vec::new();
    for row in counts["rows"].as_array().context("rows")? {
        let houses = numbers(&row["houses"]);
        let setup = KalahSetup {
            houses: houses.iter().flatten().map(|&n| n as u16).collect(),
            player: Player::BOTH[usize::from(row["player"] == 1)],
        };
        let position = game.position(&setup)?;
        let (minimax, alphabeta) = (numbers(&row["minimax"]), numbers(&row["alphabeta"]));
        for (i, cutoff) in numbers(&counts["cutoffs"])
            .into_iter()
            .flatten()
            .enumerate()
        {
            let slow = quick && cutoff > 10.0;
            let with_minimax = minimax[i].is_some() && !slow;
            let found = count_nodes(&game, &position, cutoff as u32, with_minimax, stop)
                .context("interrupted")?;
            let compare = |ours: Option<u64>, theirs: Option<f64>| match (ours, theirs) {
                (Some(ours), Some(theirs)) if ours as f64 == theirs => format!("{ours} (exact)"),
                (Some(ours), Some(theirs)) => format!("{ours} ({:+})", ours as f64 - theirs),
                (None, Some(theirs)) => format!("{theirs} published, not counted here"),
                _ => "-".to_owned(),
            };
            rows.push(vec![
                setup.to_string(),
                cutoff.to_string(),
                compare(found.minimax, minimax[i]),
                compare(Some(found.alphabeta), alphabeta[i]),
            ]);
        }
    }
    Ok(rows)
}

pub(super) fn table(published: &Value, quick: bool, stop: &Stop) -> anyhow::Result<String> {
    let rows = rows(published, quick, stop)?;
    Ok(format!(
        "\n## Nodes with and without pruning (course project 003)\n\nRule `pre-move-empty`; an extra turn costs 2 plies.\n\n{}",
        super::table(&["position", "cutoff", "minimax", "alpha-beta"], &rows)
    ))
}
