//! Recipes: everything that decides what the rows of a dataset are.

use crate::error::RecipeError;
use crate::format::Format;
use crate::manifest::Entry;
use crate::shard::file_name;
use kalahari_agents::{AgentSpec, OptionKey, Player};
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_terms::Limits;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The most rows of a shard. A shard is made and read in memory.
pub const MOST_ROWS: u64 = 5_000_000;

/// Everything that decides what the rows of a dataset are. Shard number 7 of a recipe is the same wherever and whenever it is made.
/// The number of shards is not part of the recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The game.
    pub game: GameSpec,
    /// Where positions come from.
    pub source: Source,
    /// What labels them.
    pub labels: Labels,
    /// Only positions with this much left: seeds in the pits or free cells.
    pub left: Range,
    /// The number of rows of a full shard.
    pub rows_per_shard: u64,
    /// The seed of all random choices.
    #[serde(rename = "seed")]
    pub rng_seed: u64,
    /// The format of the files.
    pub format: Format,
}

/// Where positions come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// Games that an agent plays against itself.
    SelfPlay {
        /// The agent.
        player: AgentSpec,
        /// The share of moves that are random.
        random: Share,
        /// This many moves at the beginning are all random.
        opening: u32,
    },
    /// Uniformly random positions, equally many for each number of seeds or cells left.
    Random,
    /// The games of a store.
    Store {
        /// The name of its file.
        file: String,
        /// How many of its records are of this game.
        games: u64,
        /// A hash of the records, as 16 hex digits.
        digest: String,
    },
}

/// What labels positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Labels {
    /// Proofs, for every move.
    Exact {
        /// The seeds of the tablebase: rows of positions with at most this many seeds are labelled `tablebase`, all others `solver`.
        /// The tablebase is built unless the one on disk has as many seeds; 0 to build none.
        tablebase: usize,
    },
    /// A search.
    Search {
        /// The agent that searches.
        agent: AgentSpec,
        /// Whether it evaluates every move.
        moves: bool,
    },
}

impl Recipe {
    /// Whether an entry can belong to the file of this number in a dataset of this many rows: checks its name and its counts of rows.
    pub fn has(&self, entry: &Entry, number: u64, rows: u64) -> bool {
        let before = number.saturating_mul(self.rows_per_shard);
        let wanted = rows.saturating_sub(before).min(self.rows_per_shard);
        let labelled = entry.labels.values().copied();
        u64::from(entry.number) == number
            && entry.file == file_name(entry.number, self.format)
            && entry.wanted == wanted
            && entry.rows <= wanted
            && labelled.fold(0, u64::saturating_add) == entry.rows
    }

    /// Checks that the recipe can be made.
    pub fn check(&self) -> Result<(), RecipeError> {
        if !(1..=MOST_ROWS).contains(&self.rows_per_shard) {
            return Err(RecipeError::Rows(self.rows_per_shard));
        }
        let all = Range::of_game(self.game);
        if self.left.most > all.most || self.left.least < all.least {
            return Err(RecipeError::OutOfRange {
                game: self.game,
                things: things(self.game),
                least: all.least,
                most: all.most,
                range: self.left.to_string(),
            });
        }
        Ok(())
    }

    /// The agents that search for it: the player and the labeller.
    pub(crate) fn searchers(&self) -> impl Iterator<Item = &AgentSpec> {
        let player = match &self.source {
            Source::SelfPlay { player, .. } => Some(player),
            Source::Random | Source::Store { .. } => None,
        };
        let labeller = match &self.labels {
            Labels::Search { agent, .. } => Some(agent),
            Labels::Exact { .. } => None,
        };
        player.into_iter().chain(labeller)
    }

    /// The agents whose files the rows depend on. Exact labels are the same with any tablebase and book.
    pub(crate) fn agents(&self) -> Vec<AgentSpec> {
        self.searchers().cloned().collect()
    }
}

/// What is counted as left in positions of a game.
pub fn things(game: GameSpec) -> &'static str {
    match game {
        GameSpec::Kalah(_) => "seeds in the pits",
        GameSpec::Isolation(_) => "free cells",
    }
}

/// Checks that an agent's answers are reproducible: it is not limited by time, and uses one thread.
pub(crate) fn check_agent(spec: &AgentSpec, player: &Player) -> Result<(), RecipeError> {
    if player.limits(Limits::NONE).move_time().is_some() {
        return Err(RecipeError::Clock(spec.clone()));
    }
    match spec.option(OptionKey::Threads) {
        Some(count) if count != "1" => Err(RecipeError::Threads(spec.clone())),
        _ => Ok(()),
    }
}

/// A range of numbers, both ends included. As text: `10..30`, or `20` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Range {
    /// The first.
    pub least: u32,
    /// The last.
    pub most: u32,
}

impl Range {
    /// How much can be left in positions of a game that is not over. In Kalah neither side is empty then, so there are at least two seeds.
    pub fn of_game(game: GameSpec) -> Self {
        match game {
            GameSpec::Kalah(spec) => Range {
                least: 2,
                most: 2 * spec.pits() as u32 * spec.seeds(),
            },
            GameSpec::Isolation(_) => {
                let game = AnyGame::new(game);
                Range {
                    least: 1,
                    most: crate::row::left(&game, &game.start()),
                }
            }
        }
    }

    /// Whether a number is in the range.
    pub fn contains(&self, number: u32) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// How many numbers the range has.
    pub fn count(&self) -> u32 {
        self.most - self.least + 1
    }
}

impl FromStr for Range {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let wrong = || RecipeError::Range(text.chars().take(80).collect());
        let number = |word: &str| word.parse().map_err(|_| wrong());
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let most = most.strip_prefix('=').unwrap_or(most);
        let (least, most) = (number(least)?, number(most)?);
        match 1 <= least && least <= most {
            true => Ok(Range { least, most }),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}

/// A share of something, from 0 to 1. As text also in percent: `25%`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Share(f64);

impl Share {
    /// From 0 to 1.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl FromStr for Share {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let (digits, unit) = match text.strip_suffix('%') {
            Some(digits) => (digits, 100.0),
            None => (text, 1.0),
        };
        let share = digits.parse().map(|number: f64| number / unit);
        match share {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Share(share)),
            _ => Err(RecipeError::Share(text.chars().take(80).collect())),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! as_text {
    ($($of:ty),*) => {$(
        impl TryFrom<String> for $of {
            type Error = RecipeError;
            fn try_from(text: String) -> Result<Self, RecipeError> {
                text.parse()
            }
        }

        impl From<$of> for String {
            fn from(value: $of) -> Self {
                value.to_string()
            }
        }
    )*};
}

as_text!(Range, Share);
