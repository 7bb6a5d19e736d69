//! `kalahari perft`: counts move sequences.

use crate::arguments::{Place, PlaceVisitor};
use crate::output;
use clap::Args;
use kalahari_games::{GameSpec, perft};
use kalahari_search::Searchable;
use serde::Serialize;
use std::io::IsTerminal;
use std::time::Instant;

/// Count the move sequences of each length, to check the rules and their speed
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari perft kalah:6x4 --depth 10
  kalahari perft isolation:queen --depth 4 --json
  kalahari perft kalah:2x2 --position \"0 3 1 1 1 2 0\" --depth 5")]
pub(crate) struct Perft {
    #[command(flatten)]
    place: Place,

    /// Count sequences of 1 to this many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: GameSpec,
    perft: Vec<u64>,
}

impl Perft {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (depth, json) = (self.depth, self.json);
        self.place.visit(Count { depth, json })
    }
}

struct Count {
    depth: u32,
    json: bool,
}

impl PlaceVisitor for Count {
    type Output = ();

    fn visit<G: Searchable>(self, game: G, position: G::Position) -> anyhow::Result<()> {
        if !self.json {
            output::print(&format!(
                "{}\ndepth              count     seconds   million/s\n",
                game.spec()
            ))?;
        }
        let mut counts = Vec::new();
        for depth in 1..=self.depth {
            let begin = Instant::now();
            // Once there is no sequence of some length, there is no longer one either.
            let count = match counts.last() {
                Some(0) => 0,
                _ => perft(&game, &position, depth),
            };
            let seconds = begin.elapsed().as_secs_f64();
            counts.push(count);
            let speed = count as f64 / 1e6 / seconds.max(1e-9);
            if !self.json {
                output::print(&format!(
                    "{depth:>5} {count:>18} {seconds:>11.3} {speed:>11.1}\n"
                ))?;
            } else if seconds > 1.0 && std::io::stderr().is_terminal() {
                eprintln!("depth {depth} of {}: {count} in {seconds:.1} s", self.depth);
            }
        }
        if self.json {
            let game = game.spec();
            let perft = counts;
            output::print_json(&Report { game, perft })?;
        }
        Ok(())
    }
}
