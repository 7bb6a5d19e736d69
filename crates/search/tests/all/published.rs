//! Figures that others published.

use kalahari_games::kalah::{CaptureRule, Kalah, KalahSetup, KalahSpec, Packed};
use kalahari_games::{Game, Player};
use kalahari_search::eval::{Evaluation, KalahEval, Registry};
use kalahari_search::plain::count_nodes;
use kalahari_terms::Stop;
use serde_json::Value;

fn published() -> Value {
    serde_json::from_str(include_str!("../data/published.json")).expect("JSON")
}

fn integers(value: &Value) -> Vec<Option<u64>> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(Value::as_u64)
        .collect()
}

#[test]
fn node_counts_equal_the_published_ones_exactly() {
    let table = &published()["seed_003_nodes"];
    let spec: KalahSpec = table["rule"]
        .as_str()
        .expect("a rule")
        .parse()
        .expect("a spec");
    let game = Kalah::<Packed>::new(spec).expect("small");
    let cutoffs = integers(&table["cutoffs"]);
    let mut compared = 0;
    for row in table["rows"].as_array().expect("rows") {
        let setup = KalahSetup {
            houses: integers(&row["houses"])
                .into_iter()
                .flatten()
                .map(|n| n as u16)
                .collect(),
            player: Player::BOTH[row["player"].as_u64().expect("a player") as usize],
        };
        let position = game.position(&setup).expect("a position");
        for (i, &cutoff) in cutoffs.iter().enumerate() {
            let cutoff = cutoff.expect("a cutoff") as u32;
            let minimax = integers(&row["minimax"])[i];
            let counts = count_nodes(&game, &position, cutoff, minimax.is_some(), &Stop::new());
            let counts = counts.expect("not stopped");
            assert_eq!(counts.minimax, minimax, "minimax {cutoff} {row}");
            assert_eq!(
                Some(counts.alphabeta),
                integers(&row["alphabeta"])[i],
                "alphabeta {cutoff} {row}"
            );
            compared += 1 + u32::from(minimax.is_some());
        }
    }
    assert_eq!(compared, 28);
}

fn judge(spec: &str, eval: &str, position: &str) -> Vec<i32> {
    let game = Kalah::<Packed>::new(spec.parse().expect("a spec"))
        .expect("small")
        .with_any_total();
    let eval = KalahEval::new(eval, &game, &[]).expect("an evaluation");
    let position = game.parse_position(position).expect("a position");
    game.moves(&position)
        .map(|mv| {
            let child = game.play_unchecked(&position, mv);
            let again = game.to_move(&child) == game.to_move(&position);
            let value = eval.evaluate(&game, &child, again);
            if again { value } else { -value }
        })
        .collect()
}

#[test]
fn first_move_scores_equal_the_published_ones() {
    let start = "6 6 6 6 6 6 0 6 6 6 6 6 6 0 0";
    assert_eq!(judge("kalah:6x6", "again", start), [7, 1, 1, 1, 1, 1]);
    assert_eq!(judge("kalah:6x6", "stores", start), [1; 6]);
    assert_eq!(CaptureRule::ALL.len(), 3);
}

#[test]
fn weighted_counts_stores_and_rows() {
    let values = judge("kalah:6x6", "weighted", "6 5 3 2 0 0 8 4 0 13 12 12 3 5 0");
    assert_eq!(values.len(), 4);
    // Pit 3 (2 seeds) ends in the empty pit 5 and takes the 4 opposite: stores 13 and 5, rows 15 and 40.
    assert_eq!(values[3], 18 * (13 - 5) + 15 - 40);
}
