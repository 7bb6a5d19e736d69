//! `kalahari eval`: what an evaluation says of every move.

use crate::arguments::{Place, PlaceVisitor};
use crate::{output, values};
use clap::Args;
use kalahari_games::GameSpec;
use kalahari_search::Searchable;
use kalahari_search::eval::Evaluation;
use serde_json::json;

/// Evaluate the position after every legal move, for the player who moves now
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari eval kalah --eval again
  kalahari eval isolation --eval phased --json")]
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
        let (eval, json) = (self.eval.as_str(), self.json);
        self.place.visit(Judge { eval, json })
    }
}

struct Judge<'a> {
    eval: &'a str,
    json: bool,
}

impl PlaceVisitor for Judge<'_> {
    type Output = ();

    fn visit<G: Searchable>(self, game: G, position: G::Position) -> anyhow::Result<()> {
        let eval = G::Eval::by_name(self.eval).ok_or_else(|| {
            let known: Vec<_> = G::Eval::list().iter().map(|(name, _)| *name).collect();
            anyhow::anyhow!(
                "no evaluation '{}' for this game; there are {}",
                self.eval,
                known.join(", ")
            )
        })?;
        let eval = eval.suited_to(&game);
        let mover = game.to_move(&position);
        let judged: Vec<(G::Move, f64)> = game
            .moves(&position)
            .map(|mv| {
                let child = game.play_unchecked(&position, mv);
                let again = game.to_move(&child) == mover;
                let value = match game.outcome(&child) {
                    Some(outcome) => eval.finished(outcome.margin(game.to_move(&child))),
                    None => eval.evaluate(&game, &child, again),
                };
                (mv, f64::from(if again { value } else { -value }))
            })
            .collect();
        let moves = values::moves(game.spec(), &judged);
        if self.json {
            return output::print_json(&json!({
                "game": game.spec(),
                "eval": self.eval,
                "moves": moves,
            }));
        }
        match game.spec() {
            // One value a pit, as short as the course that began this wrote it.
            GameSpec::Kalah(_) => {
                let pits = moves.as_array().map_or(&[][..], Vec::as_slice);
                let word = |value: &serde_json::Value| match value.is_null() {
                    true => "-".to_owned(),
                    false => value.to_string(),
                };
                let words: Vec<String> = pits.iter().map(word).collect();
                output::print(&(words.join(" ") + "\n"))
            }
            GameSpec::Isolation(_) => {
                let lines = judged.iter().map(|(mv, value)| format!("{mv} {value}\n"));
                output::print(&lines.collect::<String>())
            }
        }
    }
}
