//! Checks pieces against their plan. All callers that check pieces do it here.

use crate::error::{PLACE_FILE, ShardError};
use crate::file::{Content, PlaceFile};
use crate::found::{Finding, Found};
use crate::plan::{Games, Plan, Task};
use crate::plan_file::PlanFile;
use crate::reviews::Reviews;
use kalahari_arena::{GameRecord, Hands, OpeningList, Unruly};
use kalahari_exact::book::Walk;
use kalahari_storage::{Damage, FileError, cache_home};
use kalahari_study::GameToReview;
use kalahari_terms::Stop;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Checks pieces of a plan. Whatever it has to compute for that, such as openings, it computes once.
#[derive(Debug)]
pub struct Inspector {
    plan: Plan,
    /// Where verdicts on balanced openings are kept.
    cache: Option<PathBuf>,
    known: Vec<OnceLock<Known>>,
}

/// What was computed from a task.
#[derive(Debug)]
enum Known {
    /// How its games begin.
    Openings(Mutex<OpeningList>),
    /// The games to be judged, if they can be read on this machine.
    Games(Option<Vec<GameToReview>>),
    /// The positions of the book.
    Walk(Walk),
    /// There is nothing to compute.
    Nothing,
    /// The task makes no sense; the text says why.
    Senseless(String),
}

impl Inspector {
    /// An inspector of this plan. It looks in these folders, beside the pieces, for balanced openings that were already found.
    pub fn new<'a>(plan: &Plan, folders: impl IntoIterator<Item = &'a Path>) -> Self {
        let beside = folders.into_iter().map(PlanFile::openings_folder);
        Inspector {
            cache: beside
                .into_iter()
                .find(|folder| folder.is_dir())
                .or_else(cache_home),
            known: plan.tasks().iter().map(|_| OnceLock::new()).collect(),
            plan: plan.clone(),
        }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Reads a piece and, if it belongs to this plan, checks all of it except its files of rows.
    pub fn read(&self, path: &Path) -> Result<(PlaceFile, Content), FileError> {
        let (file, content) = PlaceFile::read_content(path)?;
        if file.plan == self.plan {
            self.check(path, &file, &content)?;
        }
        Ok((file, content))
    }

    /// Makes sure that games have the right openings, and that findings are possible. Expects content that belongs to the place, in order.
    fn check(&self, path: &Path, file: &PlaceFile, content: &Content) -> Result<(), FileError> {
        let nonsense = |what: String| PLACE_FILE.error(path, Damage::nonsense(what));
        for (number, _) in self.plan.at(file.place) {
            let task = &self.plan.tasks()[number];
            let checked = match task {
                Task::Games(games) => self.check_games(number, games, &content.games),
                Task::Rows(_) => Ok(()),
                Task::Claims(_) | Task::Reviews(_) | Task::Frontier(_) => {
                    let mut own = content.found.iter().filter(|found| found.task == number);
                    own.try_for_each(|found| self.check_finding(task, found))
                }
            };
            checked.map_err(nonsense)?;
        }
        Ok(())
    }

    fn check_games(&self, task: usize, games: &Games, all: &[GameRecord]) -> Result<(), String> {
        let id = games.id();
        let mut own = all.iter().filter(|game| game.match_id == id).peekable();
        if own.peek().is_none() {
            return Ok(());
        }
        let list = match self.known(task) {
            Known::Openings(list) => list,
            Known::Senseless(why) => return Err(why.clone()),
            _ => return Ok(()),
        };
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last: Option<&GameRecord> = None;
        for game in own {
            let wrong = |what: &dyn std::fmt::Display| {
                format!("game {} of match {id}: {what}", u64::from(game.number) + 1)
            };
            list.check(game).map_err(|error: Unruly| wrong(&error))?;
            // Both games of a pair must have the same opening.
            let partner = last.filter(|last| last.number / 2 == game.number / 2);
            if partner.is_some_and(|partner| !begin_alike(partner, game)) {
                return Err(wrong(&"it does not begin like the other game of its pair"));
            }
            last = Some(game);
        }
        Ok(())
    }

    fn check_finding(&self, task: &Task, found: &Found) -> Result<(), String> {
        let part = found.part;
        match (task, &found.finding) {
            (Task::Claims(claims), Finding::Claim(decided)) => {
                let claim = claims.claims.get(part as usize);
                let claim = claim.ok_or_else(|| format!("there is no job {part}"))?;
                let known = claim.is_trivial();
                if decided.holds.is_some() && known.is_some() && decided.holds != known {
                    return Err(format!(
                        "'{claim}' is already decided by the number of seeds, with the opposite result"
                    ));
                }
                match decided.holds.is_none() && decided.nodes < claims.job_nodes {
                    true => Err(format!(
                        "'{claim}' was given up before its nodes were spent"
                    )),
                    false => Ok(()),
                }
            }
            (Task::Frontier(_), Finding::Margin(margin)) => match self.known(found.task) {
                Known::Walk(walk) if !walk.allows(part as usize, *margin) => Err(format!(
                    "{margin:+} is not a possible value of position {part} of the book"
                )),
                Known::Senseless(why) => Err(why.clone()),
                _ => Ok(()),
            },
            (Task::Reviews(_), Finding::Game(kept)) => {
                let game = match self.known(found.task) {
                    Known::Games(Some(games)) => games.get(part as usize),
                    _ => None,
                };
                let is_sound = match game {
                    Some(game) => kept.moves(game).is_ok(),
                    None => kept.is_plausible(),
                };
                match is_sound {
                    true => Ok(()),
                    false => Err(format!(
                        "its judgements of game {} do not fit that game",
                        part + 1
                    )),
                }
            }
            _ => Err(format!("part {part} has a finding of the wrong kind")),
        }
    }

    fn known(&self, number: usize) -> &Known {
        static NOTHING: Known = Known::Nothing;
        let (Some(cell), Some(task)) = (self.known.get(number), self.plan.tasks().get(number))
        else {
            return &NOTHING;
        };
        cell.get_or_init(|| match task {
            Task::Games(games) => {
                let (stop, cache) = (Stop::new(), self.cache.clone());
                let hands = Hands {
                    threads: 1,
                    cache,
                    stop: &stop,
                };
                match OpeningList::new(&games.spec, games.games.div_ceil(2), &hands) {
                    Ok(list) => Known::Openings(Mutex::new(list)),
                    Err(error) => Known::Senseless(error.to_string()),
                }
            }
            Task::Frontier(frontier) => match frontier.walk() {
                Ok(walk) => Known::Walk(walk),
                Err(error) => Known::Senseless(error.to_string()),
            },
            Task::Reviews(reviews) => Known::Games(games_here(reviews).ok()),
            Task::Rows(_) | Task::Claims(_) => Known::Nothing,
        })
    }

    /// Whether the games of all reviews can be read on this machine.
    pub(crate) fn has_games_of_reviews(&self) -> bool {
        let tasks = self.plan.tasks().iter().enumerate();
        let mut reviews = tasks.filter(|(_, task)| matches!(task, Task::Reviews(_)));
        reviews.all(|(number, _)| matches!(self.known(number), Known::Games(Some(_))))
    }
}

fn games_here(reviews: &Reviews) -> Result<Vec<GameToReview>, ShardError> {
    Ok(reviews.read()?.into_iter().map(|(_, game)| game).collect())
}

/// Whether two games have the same opening.
fn begin_alike(one: &GameRecord, other: &GameRecord) -> bool {
    let opening = |game: &GameRecord| {
        let moves = game.moves.iter().take(game.book);
        moves.map(|mv| mv.mv).collect::<Vec<_>>()
    };
    one.start == other.start && opening(one) == opening(other)
}
