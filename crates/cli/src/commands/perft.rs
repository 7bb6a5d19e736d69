//! `kalahari perft`: counts move sequences.

use crate::arguments::Place;
use crate::{interrupt, output};
use clap::Args;
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec};
use kalahari_terms::Stop;
use serde::Serialize;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

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
        let (game, position) = self.place.open()?;
        let stop = interrupt::stop();
        if !self.json {
            output::print(&format!(
                "{}\ndepth              count     seconds   million/s\n",
                game.spec()
            ))?;
        }
        let mut counts = Vec::new();
        for depth in 1..=self.depth {
            let begin = Instant::now();
            // If there is no sequence of one length, there is none of any greater length.
            let count = match counts.last() {
                Some(0) => Some(0),
                _ => Counting::of(&game, &counts, stop).count(&position, depth),
            };
            let Some(count) = count else {
                eprintln!("kalahari: stopped at depth {depth} of {}", self.depth);
                break;
            };
            let seconds = begin.elapsed().as_secs_f64();
            counts.push(count);
            let speed = count as f64 / 1e6 / seconds.max(1e-9);
            if !self.json {
                output::print(&format!(
                    "{depth:>5} {count:>18} {seconds:>11.3} {speed:>11.1}\n"
                ))?;
            }
        }
        if self.json {
            output::print_json(&Report {
                game: game.spec(),
                perft: counts,
            })?;
        }
        Ok(())
    }
}

/// A count that shows its progress and can be stopped at any time.
struct Counting<'a> {
    game: &'a AnyGame,
    stop: &'a Stop,
    /// Subtrees of at most this many plies are counted in one go, at the full speed of the rules.
    in_one_go: u32,
    depth: u32,
    so_far: u64,
    begin: Instant,
    shown: Instant,
    on_terminal: bool,
}

/// How often progress is shown.
const EVERY: Duration = Duration::from_millis(500);

impl<'a> Counting<'a> {
    /// `counts` are those of all smaller depths.
    fn of(game: &'a AnyGame, counts: &[u64], stop: &'a Stop) -> Self {
        /// Moves that are counted within a few hundredths of a second.
        const QUICK: u64 = 2_000_000;
        let depth = counts.len() as u32 + 1;
        // The expected count grows by the same factor as between the last two depths.
        let counts =
            || std::iter::once(1).chain(counts.iter().map(|count| count.max(&1).to_owned()));
        let (all, before) = (counts().last(), counts().rev().nth(1));
        let (all, before) = (all.unwrap_or(1), before.unwrap_or(1));
        let expected = u128::from(all) * u128::from(all) / u128::from(before);
        // The first ply whose positions have few enough sequences below them on average.
        let few = counts().position(|count| expected / u128::from(count) <= u128::from(QUICK));
        Counting {
            game,
            stop,
            in_one_go: few.map_or(1, |ply| depth - ply as u32).max(1),
            depth,
            so_far: 0,
            begin: Instant::now(),
            shown: Instant::now(),
            on_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// The number of move sequences; `None` if it was stopped.
    fn count(&mut self, position: &AnyPosition, depth: u32) -> Option<u64> {
        let sum = self.walk(position, depth);
        if self.on_terminal {
            eprint!("\r\x1b[K");
        }
        sum.map(|()| self.so_far)
    }

    fn walk(&mut self, position: &AnyPosition, depth: u32) -> Option<()> {
        if self.stop.look() {
            return None;
        }
        if depth <= self.in_one_go {
            self.so_far += self.game.perft(position, depth);
            self.show();
            return Some(());
        }
        for mv in self.game.moves(position) {
            self.walk(&self.game.play_unchecked(position, mv), depth - 1)?;
        }
        Some(())
    }

    fn show(&mut self) {
        if self.on_terminal && self.shown.elapsed() > EVERY {
            self.shown = Instant::now();
            let (seconds, count) = (self.begin.elapsed().as_secs(), self.so_far);
            eprint!("\r\x1b[Kdepth {}: {count} so far, {seconds} s", self.depth);
        }
    }
}
