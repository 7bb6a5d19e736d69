//! `kalahari show`: draws a position.

use crate::arguments::{place, play_text};
use crate::{draw, output};
use anyhow::Context;
use clap::Args;
use kalahari_arena::GameRecord;
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Outcome, Player, View};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Draw a board, say whose turn it is and list the legal moves, or say who won
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari show kalah:6x4
  kalahari show kalah:6x4 --moves \"2 5\"
  kalahari show isolation:5x5 --position \"1x.../.xo../..o../...o./....2 0\"
  kalahari show kalah:6x4 --moves 2 --kgp
  kalahari show --record game.txt --ply 12
  kalahari show --record games.txt --game-number 3")]
pub(crate) struct Show {
    /// The game, such as kalah:6x4:empty-capture or isolation:queen (see `kalahari games`)
    #[arg(required_unless_present = "record")]
    game: Option<GameSpec>,

    /// The position instead of the start: house numbers and player, a <...> literal, or rows and player
    #[arg(long, value_name = "POS", allow_hyphen_values = true)]
    position: Option<String>,

    /// Accept a Kalah position with more or fewer seeds than the game begins with
    #[arg(long)]
    any_total: bool,

    /// Replay the record of a game (see `kalahari records`); - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "position", "moves"])]
    record: Option<PathBuf>,

    /// Show only the game at this place in the file, from 1
    #[arg(long, value_name = "N", requires = "record", value_parser = clap::value_parser!(u64).range(1..))]
    game_number: Option<u64>,

    /// Show the record's position after this many moves only
    #[arg(long, value_name = "N", requires = "record")]
    ply: Option<usize>,

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
    moves: Vec<AnyMove>,
    over: bool,
    /// The winner of a finished game; null for a draw or an unfinished game.
    winner: Option<usize>,
    /// Player 0's margin in a finished game.
    margin: Option<i32>,
}

impl Show {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(file) = &self.record {
            return self.replay(file);
        }
        let spec = self.game.context("a game is missing")?;
        let (game, start) = place(spec, self.position.as_deref(), self.any_total)?;
        self.print(&game, &play_text(&game, start, &self.moves)?)
    }

    fn print(&self, game: &AnyGame, position: &AnyPosition) -> anyhow::Result<()> {
        if self.json {
            return output::print_json(&report(game, position));
        }
        if !self.kgp {
            return output::print(&drawing(game, position));
        }
        match game.view(position) {
            View::Kalah(setup) => output::print(&(setup.protocol_literal() + "\n")),
            View::Isolation(_) => anyhow::bail!("--kgp is for Kalah only"),
        }
    }

    /// Shows a position of every record of a file, or all of them; with a number, of one record only.
    fn replay(&self, file: &Path) -> anyhow::Result<()> {
        let text = match file == Path::new("-") {
            true => std::io::read_to_string(std::io::stdin()),
            false => std::fs::read_to_string(file),
        };
        let text = text.with_context(|| format!("cannot read {}", file.display()))?;
        let mut records = GameRecord::read_all(&text)?;
        if let Some(number) = self.game_number {
            let count = records.len();
            let games = if count == 1 { "game" } else { "games" };
            let place = usize::try_from(number - 1).unwrap_or(usize::MAX);
            let chosen = records.into_iter().nth(place);
            records = vec![chosen.with_context(|| {
                format!("{} has {count} {games}, not {number}", file.display())
            })?];
        }
        for record in records {
            let (game, positions) = record.replay()?;
            let plies = match self.ply {
                None => 0..positions.len(),
                Some(ply) if ply < positions.len() => ply..ply + 1,
                Some(ply) => anyhow::bail!("the game has {} moves, not {ply}", record.moves.len()),
            };
            let plain = !self.json && !self.kgp;
            if plain {
                let [first, second] = &record.players;
                output::print(&format!(
                    "{first} (player 0) vs {second} (player 1): {} ({})\n",
                    record.result_text(),
                    record.ending.name()
                ))?;
            }
            for ply in plies {
                if plain {
                    output::print(&move_line(&record, ply))?;
                }
                self.print(&game, &positions[ply])?;
            }
        }
        Ok(())
    }
}

/// The move that led to a position of a record.
fn move_line(record: &GameRecord, ply: usize) -> String {
    let Some(mv) = ply.checked_sub(1).and_then(|last| record.moves.get(last)) else {
        return "\n-- the beginning\n".to_owned();
    };
    let book = if ply <= record.book { ", opening" } else { "" };
    let time = mv.micros.map_or(String::new(), |micros| {
        format!(", {:.3} ms", micros as f64 / 1e3)
    });
    let score = mv.score.map_or(String::new(), |score| {
        let proven = if score.is_proven() { " (proven)" } else { "" };
        let unit = score.worth().unit().name();
        format!(", {unit} {}{proven}", score.amount())
    });
    format!("\n-- move {ply}: {}{book}{time}{score}\n", mv.mv)
}

fn report(game: &AnyGame, position: &AnyPosition) -> Report {
    let outcome = game.outcome(position);
    Report {
        game: game.spec(),
        position: game.position_text(position),
        player: game.to_move(position).index(),
        moves: game.moves(position).collect(),
        over: game.is_over(position),
        winner: outcome.and_then(Outcome::winner).map(Player::index),
        margin: outcome.map(|outcome| outcome.margin(Player::First)),
    }
}

fn drawing(game: &AnyGame, position: &AnyPosition) -> String {
    let state = match game.outcome(position) {
        Some(outcome) => {
            let margin = outcome.margin(Player::First).abs();
            match outcome.winner() {
                None => "Game over: a draw.".to_owned(),
                Some(player) if margin > 1 => {
                    format!("Game over: player {player} wins by {margin}.")
                }
                Some(player) => format!("Game over: player {player} wins."),
            }
        }
        None => {
            let mover = game.to_move(position);
            let (moves, more) = draw::legal_moves(game, position, |mv| mv.to_string());
            let more = match more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("Player {mover} to move. Legal moves: {moves}{more}")
        }
    };
    let view = game.view(position);
    format!(
        "{}\n\n{}\n{state}\nPosition: {view}\n",
        game.spec(),
        draw::board(&view)
    )
}
