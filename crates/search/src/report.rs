//! What a search found.

use crate::Outlook;
use kalahari_games::Game;
use kalahari_terms::{Score, Worth};
use std::time::Duration;

/// What a search has found so far. Scores are as the player to move at the root sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The best move; `None` only when the game is over.
    pub best: Option<M>,
    /// What the position is worth.
    pub score: Score,
    /// The line of best play, beginning with `best`; at least that move.
    pub line: Vec<M>,
    /// The score of every legal move, if the search was asked for them; otherwise empty. Each says whether it is proven.
    pub moves: Vec<(M, Score)>,
    /// The last depth that was finished, in plies.
    pub depth: u32,
    /// Nodes searched or playouts made.
    pub nodes: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// How far a proof of the position has come, if one is in progress.
    pub outlook: Option<Outlook<M>>,
}

impl<M> Report<M> {
    /// The report of a finished game: its result. `None` if the game is not over.
    pub fn of_finished<G: Game<Move = M>>(game: &G, position: &G::Position) -> Option<Self> {
        let player = game.to_move(position);
        let margin = game.outcome(position)?.margin(player);
        Some(Report {
            best: None,
            score: Score::proven(player, Worth::of_end(margin, game.has_margins())),
            line: Vec::new(),
            moves: Vec::new(),
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            outlook: None,
        })
    }

    /// The same report with another type of moves, such as erased ones.
    pub fn map<N>(self, f: impl Fn(M) -> N) -> Report<N> {
        Report {
            best: self.best.map(&f),
            score: self.score,
            line: self.line.into_iter().map(&f).collect(),
            moves: self
                .moves
                .into_iter()
                .map(|(mv, score)| (f(mv), score))
                .collect(),
            depth: self.depth,
            nodes: self.nodes,
            elapsed: self.elapsed,
            outlook: self.outlook.map(|outlook| Outlook {
                value: outlook.value,
                moves: outlook
                    .moves
                    .into_iter()
                    .map(|(mv, bounds)| (f(mv), bounds))
                    .collect(),
                work: outlook.work,
                table: outlook.table,
            }),
        }
    }

    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_games::{AnyGame, Player, Verdict};

    fn finished(spec: &str, position: &str) -> Option<Score> {
        let (game, position) = AnyGame::at(spec.parse().expect("a game"), position).expect("one");
        let report = Report::of_finished(&game, &position)?;
        assert!(report.best.is_none() && report.line.is_empty() && report.moves.is_empty());
        assert_eq!(report.score.player(), game.to_move(&position));
        Some(report.score)
    }

    #[test]
    fn a_finished_game_has_its_result() {
        let kalah = finished("kalah:2x2", "0 0 3 0 0 5 1").expect("over");
        assert_eq!(kalah, Score::proven(Player::Second, Worth::Margin(2)));
        let queen = finished("isolation:1x3:queen", "1#2 0").expect("over");
        let lost = Worth::Result(Verdict::Loss);
        assert_eq!(queen, Score::proven(Player::First, lost));
        assert_eq!(finished("kalah:2x2", "2 2 0 2 2 0 0"), None);
    }

    #[test]
    fn other_moves_are_all_that_a_map_changes() {
        let score = |share| Score::estimate(Player::First, Worth::Share(share));
        let report = Report {
            best: Some(1),
            score: score(0.75),
            line: vec![1, 2],
            moves: vec![(1, score(0.75)), (3, score(0.5))],
            depth: 2,
            nodes: 30,
            elapsed: Duration::from_millis(10),
            outlook: None,
        };
        assert_eq!(report.speed().round(), 3_000.0);
        let words = report.clone().map(|mv: i32| mv.to_string());
        assert_eq!(words.best.as_deref(), Some("1"));
        assert_eq!(words.line, ["1", "2"]);
        assert_eq!(words.moves[1], ("3".to_owned(), score(0.5)));
        let back = words.map(|word| word.parse::<i32>().expect("a number"));
        assert_eq!(back, report);
    }
}
