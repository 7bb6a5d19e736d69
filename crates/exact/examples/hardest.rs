//! What the solver needs for hard middle games, on one thread: `hardest COUNT KEEP TABLEBASE_SEEDS whole|halved [FILE]`.
//!
//! Draws `COUNT` positions of `kalah:6x6` with 40 to 46 seeds in the pits from games with random moves, always the same ones,
//! proves the value of each, and sums up those `KEEP` that took most nodes. With a `FILE`, the hardest are written
//! there when it does not exist; when it does, its positions are solved and nothing is drawn. The tablebase is the one of
//! `KALAHARI_HOME` if that has as many seeds, otherwise it is built. Node counts are reproducible.

use kalahari_exact::Effort;
use kalahari_exact::kalah::{Solver, SolverOptions, Techniques};
use kalahari_exact::tablebase::{TableSpec, Tablebase, table_path};
use kalahari_games::Game;
use kalahari_games::kalah::{Board, Kalah, KalahSpec, Packed};
use kalahari_terms::{Limits, Stop};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes for the table of proven bounds.
const MEMORY: u64 = 128 << 20;

/// The processor time of this thread if the system tells it, otherwise the time by the clock.
fn worked(begin: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = text.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// Numbers that look random (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) % bound as u64) as usize
    }
}

/// A middle game after random moves; `None` if the game misses the wanted number of seeds.
fn middle_game(game: &Kalah<Packed>, dice: &mut Dice) -> Option<Packed> {
    let most = 40 + dice.below(7) as u32;
    let mut position = game.start();
    while position.seeds_in_play() > most {
        let moves: Vec<_> = game.moves(&position).collect();
        if moves.is_empty() {
            return None;
        }
        position = game.play_unchecked(&position, moves[dice.below(moves.len())]);
    }
    (position.seeds_in_play() >= 40).then_some(position)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [count, keep, seeds, size, rest @ ..] = words.as_slice() else {
        return Err("hardest COUNT KEEP TABLEBASE_SEEDS whole|halved [FILE]".into());
    };
    let (count, keep, seeds): (usize, usize, usize) =
        (count.parse()?, keep.parse()?, seeds.parse()?);
    let is_halved = match size.as_str() {
        "whole" => false,
        "halved" => true,
        _ => return Err("whole or halved?".into()),
    };
    let spec: KalahSpec = "kalah:6x6".parse()?;
    let game = Kalah::<Packed>::new(spec)?;
    let table = TableSpec::of_game(spec).ok_or("a tablebase")?;
    let on_disk = std::env::var_os("KALAHARI_HOME")
        .and_then(|home| Tablebase::open(&table_path(Path::new(&home), table), Some(table)).ok())
        .filter(|found| found.seeds() == seeds);
    let tablebase = match on_disk {
        Some(found) => found,
        None => Tablebase::build(table, seeds, &Stop::new())?,
    };
    if is_halved {
        tablebase.halve()?;
    }
    let tablebase = Arc::new(tablebase);
    let file = rest.first().map(Path::new);
    let positions: Vec<Packed> = match file.filter(|file| file.exists()) {
        Some(file) => {
            let text = std::fs::read_to_string(file)?;
            let lines = text.lines().take(count);
            let read = lines.map(|line| Ok(game.position(&line.parse()?)?));
            read.collect::<Result<_, Box<dyn Error>>>()?
        }
        None => {
            let mut dice = Dice(1);
            let games = std::iter::repeat_with(|| middle_game(&game, &mut dice));
            games.flatten().take(count).collect()
        }
    };
    let begin = Instant::now();
    let mut solved = Vec::new();
    for position in positions {
        let options = SolverOptions {
            memory: MEMORY,
            tablebase: Some(tablebase.clone()),
            techniques: Techniques::default(),
        };
        let solver = Solver::new(&game, position.seeds_in_play(), options)?;
        let effort = Effort::new(&Limits::NONE, &Stop::new());
        let before = worked(begin);
        let bounds = solver.margin(&position, &effort, &mut |_| ());
        let value = bounds.exact().ok_or("not proven")?;
        solved.push((effort.nodes(), worked(begin) - before, value, position));
    }
    solved.sort_by_key(|(nodes, ..)| std::cmp::Reverse(*nodes));
    solved.truncate(keep);
    let mut text = String::new();
    for (nodes, time, value, position) in &solved {
        let setup = game.setup(position);
        text += &format!("{setup}\n");
        println!(
            "{setup}: {value:+}, {nodes} nodes, {:.3} s",
            time.as_secs_f64()
        );
    }
    if let Some(file) = file.filter(|file| !file.exists()) {
        std::fs::write(file, text)?;
    }
    let nodes: u64 = solved.iter().map(|(nodes, ..)| nodes).sum();
    let time: Duration = solved.iter().map(|(_, time, ..)| *time).sum();
    println!(
        "{} positions, {nodes} nodes, {:.2} s, {:.0} ns a node",
        solved.len(),
        time.as_secs_f64(),
        time.as_nanos() as f64 / nodes.max(1) as f64
    );
    Ok(())
}
