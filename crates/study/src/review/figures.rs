//! Summaries of many judged moves: figures of a player, by phase and by opponent, and the worst moves.

use super::judgement::{JudgedMove, Judgement, Loss};
use std::collections::BTreeMap;

/// A summary of judged moves. Forced moves do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The number of moves.
    pub moves: u64,
    /// The number of moves whose loss is proven.
    pub proven: u64,
    /// The number of moves whose loss is counted in seeds, or cells.
    pub counted: u64,
    /// The seeds, or cells, that those gave away in total.
    pub seeds: f64,
    /// How much all moves together worsened the player's prospects, in results: from a win to a loss is 1.
    pub results: f64,
    /// How many moves got each judgement, in the order of [`Judgement::ALL`].
    pub judgements: [u64; 4],
    /// The sum of [`JudgedMove::accuracy`] over the moves.
    accuracy: f64,
}

impl Figures {
    /// A sentence for reports that explains [`accuracy`](Figures::accuracy).
    pub const ACCURACY: &'static str = "Accuracy is the average over all moves where there was a choice: a move that gives nothing away counts 100%, and every 4 seeds given away halve that (in games without seeds, every quarter of a win).";

    /// Counts a move.
    pub fn add(&mut self, judged: &JudgedMove) {
        if judged.is_forced {
            return;
        }
        self.moves += 1;
        self.proven += u64::from(judged.is_proven());
        if let Loss::Margin(seeds) = judged.loss {
            self.counted += 1;
            self.seeds += seeds;
        }
        self.results += judged.swing() / 2.0;
        self.judgements[judged.judgement as usize] += 1;
        self.accuracy += judged.accuracy();
    }

    /// The figures of many moves.
    pub fn of<'a>(moves: impl IntoIterator<Item = &'a JudgedMove>) -> Self {
        let mut figures = Figures::default();
        for judged in moves {
            figures.add(judged);
        }
        figures
    }

    /// How many moves got this judgement.
    pub const fn count(&self, judgement: Judgement) -> u64 {
        self.judgements[judgement as usize]
    }

    /// Seeds, or cells, given away per move; `None` if no move is counted in them.
    pub fn seeds_a_move(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.seeds / self.counted as f64)
    }

    /// The part of the result that was given away per move; `None` if there is no move.
    pub fn results_a_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.results / self.moves as f64)
    }

    /// How good the moves were, 0 to 1, on average: see [`JudgedMove::accuracy`]. `None` if there is no move.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / self.moves as f64)
    }
}

/// A move that gave much away.
#[derive(Clone, Debug, PartialEq)]
pub struct Blunder {
    /// The game's index among the reviewed games.
    pub game: usize,
    /// The move.
    pub judged: JudgedMove,
}

/// The review of one player over many games.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerReview {
    /// The player's name.
    pub name: String,
    /// Games in which this player had a choice at least once.
    pub games: u64,
    /// All moves.
    pub all: Figures,
    /// The figures by phase, in the order of [`Phase::ALL`](super::Phase::ALL).
    pub phases: [Figures; 3],
    /// The figures by the opponent's name.
    pub opponents: BTreeMap<String, Figures>,
    /// Mistakes and blunders, the worst first.
    pub blunders: Vec<Blunder>,
}

/// Sums up games, each given by its index, its players (the first player first) and its judged moves. An agent that plays against itself is reviewed as
/// one player. The most accurate player comes first.
pub fn player_reviews<'a>(
    games: impl IntoIterator<Item = (usize, &'a [String; 2], &'a [JudgedMove])>,
) -> Vec<PlayerReview> {
    let mut players: BTreeMap<&str, PlayerReview> = BTreeMap::new();
    for (game, names, moves) in games {
        for player in kalahari_games::Player::BOTH {
            let own = || moves.iter().filter(|judged| judged.player == player);
            let figures = Figures::of(own());
            if figures.moves == 0 {
                continue;
            }
            let [name, opponent] = [&names[player.index()], &names[1 - player.index()]];
            let review = players.entry(name).or_insert_with(|| PlayerReview {
                name: name.clone(),
                games: 0,
                all: Figures::default(),
                phases: Default::default(),
                opponents: BTreeMap::new(),
                blunders: Vec::new(),
            });
            review.games += 1;
            let against = review.opponents.entry(opponent.clone()).or_default();
            for judged in own() {
                review.all.add(judged);
                review.phases[judged.phase as usize].add(judged);
                against.add(judged);
                if judged.judgement >= Judgement::Mistake {
                    let judged = judged.clone();
                    review.blunders.push(Blunder { game, judged });
                }
            }
        }
    }
    let mut reviews: Vec<PlayerReview> = players.into_values().collect();
    for review in &mut reviews {
        // The sort is stable: equal moves stay in the order of the games.
        review.blunders.sort_by(|a, b| worse(&a.judged, &b.judged));
    }
    let accuracy = |review: &PlayerReview| review.all.accuracy().unwrap_or(0.0);
    reviews.sort_by(|a, b| accuracy(b).total_cmp(&accuracy(a)));
    reviews
}

/// Orders the worse of two moves first: by accuracy, then by the change in prospects.
fn worse(a: &JudgedMove, b: &JudgedMove) -> std::cmp::Ordering {
    let accuracy = a.accuracy().total_cmp(&b.accuracy());
    accuracy.then(b.swing().total_cmp(&a.swing()))
}
