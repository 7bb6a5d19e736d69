//! Compares the nodes that proofs take with their estimated cost: `proof_cost FILE [STEP]`.
//!
//! The file has solved positions as `solved_sample` writes them. For every `STEP`th position, one thread proves first its value and
//! then every move, with the tablebase in `KALAHARI_HOME` if there is one. Printed are the deciles of the nodes as a multiple of the
//! estimate. `search/src/engine/proving.rs` uses the first and the ninth.

use kalahari_exact::prover::{
    PartProofs, Prover, ProverOptions, TablebasePolicy, Wanted, table_for_play,
};
use kalahari_exact::tablebase::TableSpec;
use kalahari_games::kalah::{Kalah, Packed};
use kalahari_games::{AnyGame, Game, GameSpec, Typed};
use kalahari_storage::data_home;
use kalahari_terms::Stop;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let file = words.first().ok_or("proof_cost FILE [STEP]")?;
    let step: usize = words.get(1).map_or(Ok(1), |step| step.parse())?;
    let text = std::fs::read_to_string(file)?;
    let (mut values, mut all_moves) = (Vec::new(), Vec::new());
    for line in text.lines().step_by(step) {
        let mut parts = line.split(';').map(str::trim);
        let mut part = || parts.next().ok_or("too few parts");
        let (game, position) = AnyGame::at(part()?.parse()?, part()?)?;
        let GameSpec::Kalah(spec) = game.spec() else {
            return Err("Kalah only".into());
        };
        let typed = Kalah::<Packed>::new(spec)?;
        let place = <Kalah<Packed> as Typed>::typed_position(&position).ok_or("too large")?;
        let family = TableSpec::of_game(spec).ok_or("too many pits")?;
        let table = table_for_play(data_home().as_deref(), family);
        let likely = PartProofs::new(&typed, table, 0).likely_cost(&place).max(1);
        let nodes = |wanted: &Wanted| {
            let options = ProverOptions {
                book: false,
                tablebase: TablebasePolicy::OnDisk,
                ..ProverOptions::default()
            };
            let proof = Prover::new(&game, options).prove(&position, wanted, &Stop::new());
            proof.map(|proof| proof.nodes as f64 / likely as f64)
        };
        values.push(nodes(&Wanted::VALUE)?);
        all_moves.push(nodes(&Wanted::ALL)?);
    }
    for (name, mut shares) in [("value", values), ("every move", all_moves)] {
        shares.sort_by(f64::total_cmp);
        let tenth = |n: usize| shares[(shares.len() - 1) * n / 10];
        let told: Vec<String> = (0..=10).map(|n| format!("{:.2}", tenth(n))).collect();
        println!("{name}: {}", told.join(" "));
    }
    Ok(())
}
