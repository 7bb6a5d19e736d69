//! Reviews many games with a fixed number of nodes: the same spec gives the same judgements, on any number of threads.

use super::{Effort, JudgedMove, review};
use crate::analysis::Analysis;
use crate::line::Played;
use kalahari_agents::Player as Agent;
use kalahari_agents::{AgentError, AgentKind, AgentSpec, Fingerprint, OptionKey, fingerprint};
use kalahari_games::{AnyGame, Game};
use kalahari_search::bench::SIGNATURE;
use kalahari_search::engine::PROVING;
use kalahari_terms::{Failure, Stop};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use thiserror::Error;

/// How games are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReviewSpec {
    /// The nodes to search for every position.
    pub nodes: u64,
    /// Whether the engine may use the endgame table and the book of this machine. Then the judgements depend on them, and
    /// the [identity](ReviewSpec::identity) names them.
    pub tables: bool,
}

impl Default for ReviewSpec {
    fn default() -> Self {
        ReviewSpec {
            nodes: 50_000,
            tables: false,
        }
    }
}

/// What judgements depend on besides the spec and the games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReviewIdentity {
    /// The version of the program.
    pub program: &'static str,
    /// The signature of its search.
    pub search: u64,
    /// The version of what the signature does not cover.
    pub proving: u32,
    /// Tables and books, with checksums.
    pub files: Fingerprint,
}

impl ReviewSpec {
    /// The size of the engine's transposition table in MiB: enough for the nodes of a game, and quick to clear.
    const HASH: usize = 8;

    /// The engine that judges.
    pub fn engine(&self) -> AgentSpec {
        let engine = AgentSpec::plain(AgentKind::Engine).with(OptionKey::Hash, Self::HASH);
        match self.tables {
            true => engine,
            false => engine
                .with(OptionKey::Tablebase, 0)
                .with(OptionKey::Book, 0),
        }
    }

    /// What judgements of these games depend on, as currently found on this machine.
    pub fn identity(&self, games: &[GameToReview]) -> Result<ReviewIdentity, AgentError> {
        let mut files = Fingerprint::default();
        let mut seen = Vec::new();
        for game in games.iter().map(|game| &game.played.game) {
            if !seen.contains(&game.spec()) {
                seen.push(game.spec());
                files.extend(fingerprint(&self.engine(), game)?);
            }
        }
        Ok(ReviewIdentity {
            program: env!("CARGO_PKG_VERSION"),
            search: SIGNATURE,
            proving: PROVING,
            files,
        })
    }
}

/// A game that is to be judged.
#[derive(Clone, Debug)]
pub struct GameToReview {
    /// The game and its moves.
    pub played: Played,
    /// How many moves belong to the opening, which the players did not choose.
    pub opening: usize,
    /// The players, the first player first.
    pub players: [String; 2],
}

/// A game that has been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedGame {
    /// Its index among the games that were to be judged.
    pub game: usize,
    /// The moves after the opening, in order.
    pub moves: Vec<JudgedMove>,
}

/// Why games could not be judged.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// The engine cannot be created.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The engine has failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// Judges games on this many threads. `progress` gets the number of games done. Games that were not done when a stop was requested
/// are left out; the others keep their order.
pub fn review_games(
    spec: &ReviewSpec,
    games: &[GameToReview],
    threads: usize,
    stop: &Stop,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<ReviewedGame>, ReviewError> {
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<ReviewError>> = Mutex::new(None);
    let mut reviewed: Vec<ReviewedGame> = thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        for _ in 0..threads.clamp(1, games.len().max(1)) {
            let (done, next, failure) = (done.clone(), &next, &failure);
            scope.spawn(move || {
                let mut judge = Judge {
                    spec,
                    stop,
                    analysis: None,
                };
                while !stop.is_requested() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(number) else { break };
                    match judge.judge(game) {
                        Ok(Some(moves)) => {
                            let _ = done.send(ReviewedGame {
                                game: number,
                                moves,
                            });
                        }
                        Ok(None) => break,
                        Err(error) => {
                            // The other threads need not take further games.
                            next.store(games.len(), Ordering::Relaxed);
                            let mut failure =
                                failure.lock().unwrap_or_else(PoisonError::into_inner);
                            failure.get_or_insert(error);
                            break;
                        }
                    }
                }
            });
        }
        drop(done);
        let mut reviewed = Vec::new();
        for game in results {
            reviewed.push(game);
            progress(reviewed.len());
        }
        reviewed
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    reviewed.sort_by_key(|game| game.game);
    Ok(reviewed)
}

/// One thread's engine, for the game that it judged last.
struct Judge<'a> {
    spec: &'a ReviewSpec,
    stop: &'a Stop,
    analysis: Option<(AnyGame, Analysis)>,
}

impl Judge<'_> {
    /// The judged moves of a game; `None` if it was stopped.
    fn judge(&mut self, game: &GameToReview) -> Result<Option<Vec<JudgedMove>>, ReviewError> {
        let GameToReview {
            played, opening, ..
        } = game;
        let mut analysis = match self.analysis.take() {
            Some((of, analysis)) if is_same(&of, &played.game) => analysis,
            _ => {
                let engine = Agent::new(&self.spec.engine(), &played.game, 1)?;
                Analysis::with_engine(&played.game, engine)
            }
        };
        // Nothing is kept from the last game: otherwise judgements would depend on which thread judges which game.
        analysis.forget(self.stop);
        let effort = Effort::Nodes(self.spec.nodes);
        let judged = review(
            &mut analysis,
            played,
            *opening,
            effort,
            self.stop,
            &mut |_| {},
        )?;
        self.analysis = Some((played.game.clone(), analysis));
        Ok(judged.map(|review| review.moves))
    }
}

/// Whether an engine for one game can play the other: the rules and the kind of board are the same.
fn is_same(one: &AnyGame, other: &AnyGame) -> bool {
    let boards = std::mem::discriminant(one) == std::mem::discriminant(other);
    boards && one.spec() == other.spec()
}
