//! `kalahari eval`: what an evaluation says of every move.

use crate::arguments::Place;
use crate::{output, values};
use clap::Args;
use kalahari_games::{AnyMove, Game, GameSpec, with_position};
use kalahari_search::Searchable;
use kalahari_search::eval::{EvalError, Evaluation, Registry};
use kalahari_terms::Score;
use serde_json::json;

/// Evaluate the position after every legal move, for the player who moves now
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari eval kalah --eval again
  kalahari eval isolation --eval phased --json

Values are in seeds or cells; where a move ends the game they are the final margin or result. With --json, scores has
the unit of each and whether it is proven, and raw has the evaluation's own numbers.")]
pub(crate) struct Eval {
    #[command(flatten)]
    place: Place,

    /// The evaluation (see `kalahari agents`)
    #[arg(long, value_name = "E")]
    eval: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (game, position) = self.place.open()?;
        let judged = with_position!(&game, &position, (game, position) => judge(game, position, &self.eval))?;
        let spec = game.spec();
        if self.json {
            return output::print_json(&json!({
                "game": spec,
                "eval": self.eval,
                "moves": values::moves(spec, &judged, |worth| values::amount(worth.score)),
                "scores": values::moves(spec, &judged, |worth| values::score(worth.score)),
                "raw": values::moves(spec, &judged, |worth| json!(worth.raw)),
            }));
        }
        let text = match spec {
            // One value per pit, in the short form of the course that this command comes from.
            GameSpec::Kalah(kalah) => {
                let mut words = vec!["-".to_owned(); kalah.pits()];
                for (mv, worth) in &judged {
                    if let AnyMove::Kalah(pit) = mv {
                        words[pit.index()] = values::amount(worth.score).to_string();
                    }
                }
                words.join(" ") + "\n"
            }
            GameSpec::Isolation(_) => {
                let line = |(mv, worth): &(AnyMove, Judged)| {
                    let over = match worth.score.is_proven() {
                        true => " (over)",
                        false => "",
                    };
                    format!("{mv} {}{over}\n", values::amount(worth.score))
                };
                judged.iter().map(line).collect()
            }
        };
        output::print(&text)
    }
}

/// What a move is worth to the player who makes it.
#[derive(Clone, Copy)]
struct Judged {
    score: Score,
    /// In the evaluation's own numbers.
    raw: i32,
}

/// What every legal move is worth.
fn judge<G: Searchable>(
    game: &G,
    position: &G::Position,
    name: &str,
) -> Result<Vec<(AnyMove, Judged)>, EvalError> {
    let eval = G::Eval::new(name, game, &[])?;
    let scale = eval.scale();
    let mover = game.to_move(position);
    let judged = game.moves(position).map(|mv| {
        let child = game.play_unchecked(position, mv);
        let player = game.to_move(&child);
        let outcome = game.outcome(&child);
        let value = match outcome {
            Some(outcome) => scale.finished(outcome.margin(player)),
            None => eval.evaluate(game, &child, player == mover),
        };
        let score = scale.score(value, outcome.is_some(), player, game.has_margins());
        let judged = Judged {
            score: score.seen_by(mover),
            raw: if player == mover { value } else { -value },
        };
        (G::erase_move(mv), judged)
    });
    Ok(judged.collect())
}
