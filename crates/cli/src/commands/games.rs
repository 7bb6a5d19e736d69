//! `kalahari games`: what can be played.

use crate::output;
use clap::Args;
use kalahari_games::isolation::{IsolationRule, IsolationSpec};
use kalahari_games::kalah::{CaptureRule, KalahSpec};
use serde::Serialize;

/// List every game and rule
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari games
  kalahari games --json")]
pub(crate) struct Games {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    game: String,
    summary: String,
}

impl Games {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let lines = lines();
        if self.json {
            return output::print_json_list(&lines);
        }
        let width = lines.iter().map(|line| line.game.len()).max().unwrap_or(0);
        let mut text = String::new();
        for Line { game, summary } in &lines {
            text += &format!("{game:<width$}  {summary}\n");
        }
        text += "\nKalah: 1x1 to 12x20 (pits x seeds). Isolation: 1x2 to 16x16 (rows x columns), classic from 2 rows.\n\
                 Short forms: kalah, kalah:6x4, kalah:empty-capture, isolation, isolation:queen, isolation:5x5.\n";
        output::print(&text)
    }
}

fn lines() -> Vec<Line> {
    let standard = KalahSpec::default();
    let kalah = CaptureRule::ALL.into_iter().map(|rule| Line {
        game: format!("kalah:{}x{}:{rule}", standard.pits(), standard.seeds()),
        summary: rule.summary().to_owned(),
    });
    let majority = Line {
        game: standard.with_majority(true).to_string(),
        summary: "any Kalah rule; the game is also over as soon as a store holds more than half of all seeds"
            .to_owned(),
    };
    let isolation = IsolationRule::ALL.into_iter().map(|rule| Line {
        game: IsolationSpec::from(rule).to_string(),
        summary: rule.summary().to_owned(),
    });
    kalah.chain([majority]).chain(isolation).collect()
}
