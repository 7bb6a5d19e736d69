//! What a search found.

use kalahari_games::Game;
use kalahari_terms::{Bounds, Score, Worth, format_duration};
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
    /// What every legal move is worth, where the search was asked for them; otherwise empty. Each has a proof of its own.
    pub moves: Vec<(M, Score)>,
    /// The last depth that was finished, in plies.
    pub depth: u32,
    /// Nodes searched or playouts made.
    pub nodes: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// How far a proof of the position is, where one is under way.
    pub outlook: Option<Outlook<M>>,
}

/// How far the proof of a position is.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook<M> {
    /// What is proven of the final margin of the position, as the player to move sees it.
    pub value: Bounds,
    /// The same of every legal move; empty if the proof does not tell them apart.
    pub moves: Vec<(M, Bounds)>,
    /// About how many nodes the whole proof takes: half of all positions like this one take no more.
    pub likely_nodes: u64,
}

impl<M> Report<M> {
    /// The report of a finished game: its result. `None` while the game goes on.
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

    /// The same report in other moves, such as erased ones.
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
                likely_nodes: outlook.likely_nodes,
            }),
        }
    }

    /// Says how far a proof is. What the search has proven by itself is part of it.
    pub fn set_outlook(&mut self, outlook: Option<Outlook<M>>)
    where
        M: PartialEq,
    {
        self.outlook = outlook.map(|mut outlook| {
            if let Some(margin) = self.score.proven_margin() {
                outlook.value = Bounds::of(margin);
            }
            for (mv, bounds) in &mut outlook.moves {
                let searched = self.moves.iter().find(|(other, _)| other == mv);
                if let Some(margin) = searched.and_then(|(_, score)| score.proven_margin()) {
                    *bounds = Bounds::of(margin);
                }
            }
            outlook
        });
    }

    /// How much longer the proof under way is likely to take; `None` if there is none, or it has already taken longer than
    /// most.
    pub fn time_left(&self) -> Option<Duration> {
        let outlook = self.outlook.as_ref().filter(|_| !self.score.is_proven())?;
        let left = outlook.likely_nodes.checked_sub(self.nodes)?;
        Duration::try_from_secs_f64(left as f64 / self.speed().max(1.0)).ok()
    }

    /// How far the proof under way is, in a few words; `None` if there is none.
    pub fn outlook_words(&self) -> Option<String> {
        /// Proofs that are likely to take longer than this are not waited for.
        const FAR_OFF: Duration = Duration::from_secs(86_400);
        let outlook = self.outlook.as_ref().filter(|_| !self.score.is_proven())?;
        let Bounds { lower, upper } = outlook.value;
        let done = outlook
            .moves
            .iter()
            .filter(|(_, bounds)| bounds.exact().is_some());
        let moves = match outlook.moves.len() {
            0 => String::new(),
            all => format!(", {} of {all} moves", done.count()),
        };
        let rest = match self.time_left() {
            Some(left) if left < Duration::from_secs(2) => "any moment".to_owned(),
            Some(left) if left < FAR_OFF => {
                let seconds = Duration::from_secs(left.as_secs());
                format!("in about {}", format_duration(seconds))
            }
            Some(_) => "not today".to_owned(),
            None => "later than most".to_owned(),
        };
        Some(format!(
            "proven {lower:+} to {upper:+}{moves}; the rest {rest}"
        ))
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
    fn what_is_proven_has_no_loose_bounds_beside_it() {
        let margin = |margin| Score::proven(Player::First, Worth::Margin(margin));
        let guess = Score::estimate(Player::First, Worth::Seeds(2.0));
        let loose = Bounds {
            lower: -8,
            upper: 8,
        };
        let mut report = Report {
            best: Some(1),
            score: margin(2),
            line: vec![1],
            moves: vec![(1, margin(2)), (2, guess)],
            depth: 3,
            nodes: 10,
            elapsed: Duration::ZERO,
            outlook: None,
        };
        let outlook = Outlook {
            value: loose,
            moves: vec![(1, loose), (2, loose), (3, loose)],
            likely_nodes: 100,
        };
        report.set_outlook(Some(outlook.clone()));
        let told = report.outlook.clone().expect("an outlook");
        assert_eq!(told.value, Bounds::of(2));
        assert_eq!(told.moves, [(1, Bounds::of(2)), (2, loose), (3, loose)]);
        report.score = guess;
        report.set_outlook(Some(outlook));
        assert_eq!(report.outlook.map(|told| told.value), Some(loose));
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
