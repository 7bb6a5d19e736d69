//! `kalahari nodes`: node counts with and without pruning, as one of the courses counted them.

use crate::arguments::each_line;
use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use kalahari_games::kalah::{KalahSetup, KalahSpec};
use kalahari_games::{AnyGame, GameSpec, View, with_position};
use kalahari_search::plain::{NodeCounts, count_nodes};
use kalahari_terms::Stop;
use serde_json::json;
use std::path::Path;

/// Count the nodes of minimax and alpha-beta on a Kalah position (an extra turn costs 2 plies)
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari nodes \"0 2 3 2 1 13 17 11 0 2 9 0 0 12 0\" --depth 8
  kalahari nodes --depth 10 --no-minimax --json < positions.txt")]
pub(crate) struct Nodes {
    /// The houses in board order and the player to move; without it, positions are read from standard input, one per line
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,

    /// The cutoff
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(0..=200))]
    depth: u32,

    /// The capture rule
    #[arg(long, value_name = "RULE", default_value = "pre-move-empty")]
    rule: String,

    /// Leave out the slow count without pruning
    #[arg(long)]
    no_minimax: bool,

    /// Print a JSON object per position
    #[arg(long)]
    json: bool,
}

impl Nodes {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        // Any size will do to check the rule's name; positions bring their own.
        let rule: KalahSpec = format!("kalah:{}", self.rule).parse()?;
        let stop = interrupt::stop();
        match &self.position {
            Some(position) if position != "-" => self.count(position, rule, stop),
            _ => each_line(Path::new("-"), |line| self.count(line, rule, stop)),
        }
    }

    fn count(&self, text: &str, rule: KalahSpec, stop: &Stop) -> anyhow::Result<()> {
        let setup: KalahSetup = text.parse()?;
        let spec = KalahSpec::new(setup.pits(), rule.seeds(), rule.rule())
            .context("no game has this many pits")?
            .with_majority(rule.majority());
        let game = AnyGame::with_any_total(GameSpec::Kalah(spec), setup.total());
        let position = game.position(&View::Kalah(setup))?;
        let (depth, with_minimax) = (self.depth, !self.no_minimax);
        let counts = with_position!(&game, &position,
            kalah (game, position) => count_nodes(game, position, depth, with_minimax, stop),
            isolation (_game, _position) => None,
        );
        let NodeCounts {
            minimax,
            alphabeta,
            value,
        } = counts.context("interrupted before the count was finished")?;
        if self.json {
            return output::print_json(&json!({
                "minimax": minimax, "alphabeta": alphabeta, "value": value,
            }));
        }
        let minimax = minimax.map_or("-".to_owned(), |nodes| nodes.to_string());
        output::print(&format!(
            "minimax {minimax}  alphabeta {alphabeta}  value {value}\n"
        ))
    }
}
