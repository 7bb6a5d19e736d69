//! `kalahari show`: draws a position.

use crate::arguments::{Place, PlaceVisitor, play_text};
use crate::{draw, output};
use anyhow::Context;
use clap::Args;
use kalahari_games::kalah::KalahSetup;
use kalahari_games::{GameSpec, Outcome, Player};
use kalahari_search::Searchable;
use serde::Serialize;

/// Draw a board, say whose turn it is and list the legal moves, or say who won
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari show kalah:6x4
  kalahari show kalah:6x4 --moves \"2 5\"
  kalahari show isolation:5x5 --position \"1x.../.xo../..o../...o./....2 0\"
  kalahari show kalah:6x4 --moves 2 --kgp")]
pub(crate) struct Show {
    #[command(flatten)]
    place: Place,

    /// Moves to play first, separated by blanks or commas
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    moves: String,

    /// Print only the Kalah Game Protocol literal, with the player to move as south
    #[arg(long, conflicts_with = "json")]
    kgp: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    game: GameSpec,
    position: String,
    player: usize,
    moves: Vec<String>,
    over: bool,
    /// The winner of a finished game; null for a draw or a game that goes on.
    winner: Option<usize>,
    /// Player 0's margin in a finished game.
    margin: Option<i32>,
}

impl Show {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let report = self.place.visit(Look { moves: &self.moves })?;
        if self.json {
            return output::print_json(&report);
        }
        if self.kgp {
            anyhow::ensure!(
                matches!(report.game, GameSpec::Kalah(_)),
                "--kgp is for Kalah only"
            );
            let setup: KalahSetup = report.position.parse()?;
            return output::print(&(setup.protocol_literal() + "\n"));
        }
        output::print(&drawing(&report)?)
    }
}

struct Look<'a> {
    moves: &'a str,
}

impl PlaceVisitor for Look<'_> {
    type Output = Report;

    fn visit<G: Searchable>(self, game: G, position: G::Position) -> anyhow::Result<Report> {
        let (position, _) = play_text(&game, position, self.moves)?;
        let outcome = game.outcome(&position);
        Ok(Report {
            game: game.spec(),
            position: game.position_text(&position),
            player: game.to_move(&position).index(),
            moves: game.moves(&position).map(|mv| mv.to_string()).collect(),
            over: game.is_over(&position),
            winner: outcome.and_then(Outcome::winner).map(Player::index),
            margin: outcome.map(|outcome| outcome.margin(Player::First)),
        })
    }
}

/// At most this many legal moves are listed; `classic` Isolation has hundreds.
const LISTED: usize = 40;

fn drawing(report: &Report) -> anyhow::Result<String> {
    let board = match report.game {
        GameSpec::Kalah(_) => draw::kalah(&report.position.parse()?),
        GameSpec::Isolation(_) => draw::isolation(&report.position.parse()?),
    };
    let state = if report.over {
        let margin = report.margin.context("a finished game has a margin")?.abs();
        match report.winner {
            None => "Game over: a draw.".to_owned(),
            Some(player) if margin > 1 => format!("Game over: player {player} wins by {margin}."),
            Some(player) => format!("Game over: player {player} wins."),
        }
    } else {
        let count = report.moves.len();
        let shown = report.moves[..count.min(LISTED)].join(" ");
        let more = match count.saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "Player {} to move. Legal moves: {shown}{more}",
            report.player
        )
    };
    let Report { game, position, .. } = report;
    Ok(format!(
        "{game}\n\n{board}\n{state}\nPosition: {position}\n"
    ))
}
