//! Plans: the work of an experiment, in numbered parts.

use crate::claims::Claims;
use crate::error::ShardError;
use crate::found::Finding;
use crate::frontier::Frontier;
use crate::place::Place;
use crate::reviews::Reviews;
use crate::tables::Need;
use kalahari_arena::{ArenaError, Hands, Identity, MatchSpec, Planned};
use kalahari_dataset::Recipe;
use kalahari_games::GameSpec;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::Range;
use thiserror::Error;

/// The games of a match. Each part is a pair of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// The match.
    #[serde(rename = "match")]
    pub spec: MatchSpec,
    /// What its games depend on besides the match: the program and its files.
    pub identity: Identity,
    /// How many games are wanted.
    pub games: u32,
}

impl Games {
    /// The games of a planned match, with the program and the files of this machine.
    pub fn planned(planned: Planned) -> Result<Self, ArenaError> {
        Ok(Games {
            identity: planned.spec.identity()?,
            spec: planned.spec,
            games: planned.games,
        })
    }

    /// The id of the match.
    pub fn id(&self) -> String {
        self.spec.id(&self.identity)
    }

    /// The numbers of the games of some pairs.
    pub fn numbers(&self, pairs: &Range<u64>) -> Range<u32> {
        let number = |pair: u64| {
            let game = u32::try_from(pair.saturating_mul(2)).unwrap_or(u32::MAX);
            game.min(self.games)
        };
        number(pairs.start)..number(pairs.end)
    }
}

/// The rows of a dataset. Each part is one of its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// The dataset.
    pub recipe: Recipe,
    /// What its rows depend on besides the recipe: the program and its files.
    pub identity: Identity,
    /// How many rows are wanted.
    pub rows: u64,
}

/// Work in numbered parts. The result of a part depends only on the task and the part's number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Games of a match.
    Games(Games),
    /// Rows of a dataset.
    Rows(Rows),
    /// Jobs of a proof.
    Claims(Claims),
    /// Games to be judged.
    Reviews(Reviews),
    /// Positions of an opening book.
    Frontier(Frontier),
}

impl From<Games> for Task {
    fn from(games: Games) -> Self {
        Task::Games(games)
    }
}

impl Task {
    /// How many parts it has.
    pub fn parts(&self) -> u64 {
        match self {
            Task::Games(games) => u64::from(games.games.div_ceil(2)),
            Task::Rows(rows) => rows.rows.div_ceil(rows.recipe.rows_per_shard.max(1)),
            Task::Claims(claims) => claims.claims.len() as u64,
            Task::Reviews(reviews) => reviews.count,
            Task::Frontier(frontier) => frontier.positions,
        }
    }

    /// The program and files that it depends on, as they are on this machine now.
    pub fn identity_here(&self) -> Result<Identity, ShardError> {
        Ok(match self {
            Task::Games(games) => games.spec.identity()?,
            Task::Rows(rows) => kalahari_dataset::identity(&rows.recipe)?,
            Task::Claims(claims) => claims.identity_here()?,
            Task::Reviews(reviews) => reviews.identity_here()?,
            Task::Frontier(frontier) => frontier.identity_here()?,
        })
    }

    /// Whether every part of it has one finding; games and rows are stored differently.
    pub(crate) fn has_findings(&self) -> bool {
        match self {
            Task::Games(_) | Task::Rows(_) => false,
            Task::Claims(_) | Task::Reviews(_) | Task::Frontier(_) => true,
        }
    }

    /// Does some parts of a task with findings, and passes each finding to `each`.
    pub(crate) fn find(
        &self,
        parts: &Range<u64>,
        hands: &Hands<'_>,
        each: &mut dyn FnMut(u64, Finding),
    ) -> Result<(), ShardError> {
        match self {
            Task::Games(_) | Task::Rows(_) => Ok(()),
            Task::Claims(claims) => claims.find(parts, hands, each),
            Task::Reviews(reviews) => reviews.find(parts, hands, each),
            Task::Frontier(frontier) => frontier.find(parts, hands, each),
        }
    }

    /// Whether a finding is of the kind that this task has.
    pub(crate) fn is_finding(&self, finding: &Finding) -> bool {
        matches!(
            (self, finding),
            (Task::Claims(_), Finding::Claim(_))
                | (Task::Reviews(_), Finding::Game(_))
                | (Task::Frontier(_), Finding::Margin(_))
        )
    }

    /// The game whose tables its agents use, if it has agents.
    fn game_of_agents(&self) -> Option<GameSpec> {
        match self {
            Task::Games(games) => Some(games.spec.game),
            Task::Rows(rows) => Some(rows.recipe.game),
            Task::Claims(_) | Task::Reviews(_) | Task::Frontier(_) => None,
        }
    }

    /// The program and files that it depends on, as they were when and where the plan was made.
    pub fn identity(&self) -> &Identity {
        match self {
            Task::Games(games) => &games.identity,
            Task::Rows(rows) => &rows.identity,
            Task::Claims(claims) => &claims.identity,
            Task::Reviews(reviews) => &reviews.identity,
            Task::Frontier(frontier) => &frontier.identity,
        }
    }
}

/// The work of an experiment, the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    tasks: Vec<Task>,
    /// Files that every machine must have, and can make.
    needs: Vec<Need>,
    /// The speed of the machine that time limits are meant for, in nodes a second: slower machines get more time, faster ones less.
    #[serde(default)]
    reference: Option<u64>,
}

/// Why a plan cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// There is nothing to do.
    #[error(
        "there is nothing to split into shards: no game to play or to judge, no row, no open job of a proof, no position of a book"
    )]
    Nothing,
}

impl Plan {
    /// The plan of these tasks. A match that occurs several times is played once, with the largest of the numbers of games.
    pub fn new(tasks: impl IntoIterator<Item = Task>) -> Result<Self, PlanError> {
        let mut all: Vec<Task> = Vec::new();
        for task in tasks {
            let same = all.iter_mut().find_map(|there| match (there, &task) {
                (Task::Games(one), Task::Games(other)) if one.id() == other.id() => {
                    Some((one, other.games))
                }
                _ => None,
            });
            match same {
                Some((there, games)) => there.games = there.games.max(games),
                None => all.push(task),
            }
        }
        match all.iter().any(|task| task.parts() > 0) {
            true => Ok(Plan {
                needs: needs_of(&all),
                tasks: all,
                reference: None,
            }),
            false => Err(PlanError::Nothing),
        }
    }

    /// The same plan for machines of different speeds: time limits are meant for a machine of this many nodes a second.
    #[must_use]
    pub fn scaled_to(mut self, reference: u64) -> Self {
        self.reference = Some(reference);
        self
    }

    /// The speed that time limits are meant for, if they are scaled to the speed of the machine.
    pub fn reference(&self) -> Option<u64> {
        self.reference
    }

    /// Whether any game depends on the speed of its machine.
    pub fn has_clocks(&self) -> bool {
        self.tasks.iter().any(|task| match task {
            Task::Games(games) => crate::pace::has_clock(&games.spec),
            _ => false,
        })
    }

    /// Makes sure that the needed files exist; builds those that are missing.
    pub(crate) fn provide(&self, hands: &Hands<'_>) -> Result<(), ShardError> {
        self.needs.iter().try_for_each(|need| need.provide(hands))
    }

    /// The tasks, in order.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// How many parts all tasks have.
    pub fn parts(&self) -> u64 {
        let parts = self.tasks.iter().map(Task::parts);
        // A forged file may claim any number of rows.
        parts.fold(0, u64::saturating_add)
    }

    /// The plan's id: 16 hexadecimal digits of a hash of its content.
    pub fn id(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let sum = Sha256::digest(text.as_bytes());
        sum.iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The work of a place: numbers of tasks, and a range of parts of each.
    pub fn at(&self, place: Place) -> Vec<(usize, Range<u64>)> {
        let here = place.range(self.parts());
        let mut before = 0;
        let mut portions = Vec::new();
        for (number, task) in self.tasks.iter().enumerate() {
            let end = task.parts().saturating_add(before);
            let (from, to) = (here.start.max(before), here.end.min(end));
            if from < to {
                portions.push((number, from - before..to - before));
            }
            before = end;
        }
        portions
    }

    /// How another plan differs from this one, in words.
    pub fn differences(&self, other: &Plan) -> String {
        if self.tasks.len() != other.tasks.len() {
            return format!(
                "{} tasks there, {} here",
                other.tasks.len(),
                self.tasks.len()
            );
        }
        let mut changes = Vec::new();
        for (here, there) in self.tasks.iter().zip(&other.tasks) {
            changes.extend(here.identity().changes(there.identity()));
        }
        changes.dedup();
        match changes.is_empty() {
            true => "its games or rows differ".to_owned(),
            false => changes.join(", "),
        }
    }
}

/// The files that agents of these tasks use on this machine, each once.
fn needs_of(tasks: &[Task]) -> Vec<Need> {
    let mut needs = Vec::new();
    for task in tasks {
        let Some(game) = task.game_of_agents() else {
            continue;
        };
        let files = task.identity().files.files().map(|(name, _)| name);
        let files: Vec<&str> = files.collect();
        for need in Need::of_game(game, &files) {
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
    }
    needs
}
