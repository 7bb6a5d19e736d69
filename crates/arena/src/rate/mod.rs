//! The strength of an agent on a known scale: the agent plays against a [`Ladder`] of players with known ratings.
//!
//! The next opponent is one about as strong as the agent seems to be, since such games carry the most information. The rating
//! ends when the error is small. Every meeting is a match in pairs from the ladder's openings, so a store can continue it at any
//! point.

mod ladder;
mod make;

pub use ladder::{Ladder, LadderError, Likeness, Rung};
pub use make::{LadderProgress, LadderSpec, MadeLadder, make_ladder};

use crate::error::MatchProblem;
use crate::results::{Counter, Forfeits};
use crate::run::{MatchNews, Progress, Stopped, play_match, run_match};
use crate::spec::{MatchSpec, Rules};
use crate::stats::{Rating, Tally};
use crate::{ArenaError, TournamentRun};
use kalahari_agents::NamedAgent;
use kalahari_games::GameSpec;
use serde::{Deserialize, Serialize};

/// Which agent is rated, and how precisely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateSpec {
    /// The agent.
    pub agent: NamedAgent,
    /// The game.
    pub game: GameSpec,
    /// Its limits per move, unless its own spec sets limits, and when it is late. Players of the ladder have their own
    /// limits.
    #[serde(default)]
    pub rules: Rules,
    /// It ends when half the width of the 95% interval is this small, in points of the scale.
    #[serde(default = "RateSpec::usual_error")]
    pub error: f64,
    /// It ends after this many games in any case.
    #[serde(default = "RateSpec::usual_games")]
    pub games: u32,
}

impl RateSpec {
    /// The default for the error that is small enough.
    pub const fn usual_error() -> f64 {
        40.0
    }

    /// The default for the most games.
    pub const fn usual_games() -> u32 {
        600
    }
}

/// Why a rating ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingEnded {
    /// The error is small enough.
    Precise,
    /// All games are played.
    Games,
    /// The agent has forfeited every game so far.
    Forfeits,
    /// It was asked to stop.
    Interrupted,
}

impl RatingEnded {
    /// The name of the reason.
    pub const fn name(self) -> &'static str {
        match self {
            RatingEnded::Precise => "precise",
            RatingEnded::Games => "games",
            RatingEnded::Forfeits => "forfeits",
            RatingEnded::Interrupted => "interrupted",
        }
    }
}

/// The agent's games with one player of the ladder.
#[derive(Clone, Debug)]
pub struct RungMet {
    /// The player's index on the ladder.
    pub rung: usize,
    /// The match's id in the store.
    pub match_id: String,
    /// The count, from the agent's side.
    pub counter: Counter,
}

/// An agent that has been rated.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The agent, with the name that its program reports unless it was given another.
    pub agent: NamedAgent,
    /// Its rating on the ladder's scale.
    pub rating: Rating,
    /// The player of the ladder that it is most like.
    pub like: Likeness,
    /// The players that it has met, the weakest first.
    pub met: Vec<RungMet>,
    /// Why it ended.
    pub ended: RatingEnded,
    /// Games that earlier runs had played.
    pub resumed: u32,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Rated {
    /// The number of games counted.
    pub fn games(&self) -> u64 {
        let games = self.met.iter().map(|met| met.counter.tally().games());
        games.sum()
    }

    /// The uncertainty of the opponents' own ratings, as half the width of a 95% interval: the mean of their errors, weighted by
    /// games. The rating's own error is relative to the ladder and does not include it.
    pub fn ladder_error(&self, ladder: &Ladder) -> f64 {
        let weighted = self.met.iter().map(|met| {
            let error = ladder.rungs.get(met.rung).map_or(0.0, |rung| rung.error);
            error * met.counter.tally().games() as f64
        });
        weighted.sum::<f64>() / (self.games() as f64).max(1.0)
    }

    /// The games the agent forfeited, and the first reason.
    pub fn forfeits(&self) -> (Forfeits, Option<&str>) {
        let mut sum = Forfeits::default();
        for met in &self.met {
            let [own, _] = met.counter.forfeits();
            sum.time += own.time;
            sum.illegal += own.illegal;
            sum.crash += own.crash;
        }
        let mut reasons = self.met.iter();
        (sum, reasons.find_map(|met| met.counter.first_reason(0)))
    }
}

/// The progress of a rating.
#[derive(Clone, Copy, Debug)]
pub struct RateProgress<'a> {
    /// The rating from the games before this meeting.
    pub rating: Rating,
    /// Games counted before this meeting.
    pub games: u64,
    /// The player of the ladder that the agent meets now.
    pub opponent: &'a Rung,
}

/// Games of one meeting before another opponent may be chosen: few at first, to find the approximate rating, then more.
const BATCHES: [u32; 3] = [4, 4, 8];
/// With fewer games the rating is not trusted, whatever its computed error.
const FEWEST: u64 = 24;
/// Opponents whose games carry at least this fraction of the information of the best opponent's games take turns: a rating
/// against a single player would depend on that player's style.
const TELLING: f64 = 0.85;

/// Rates an agent. `progress` is called when a meeting begins, during the search for openings, and after every finished game.
pub fn rate(
    spec: &RateSpec,
    ladder: &Ladder,
    mut run: TournamentRun<'_>,
    progress: &mut dyn FnMut(&RateProgress<'_>, Option<&Progress<'_>>),
) -> Result<Rated, ArenaError> {
    if ladder.game != spec.game {
        return Err(MatchProblem::OtherLadder {
            ladder: ladder.game,
            game: spec.game,
        }
        .into());
    }
    let mut table = Table::new(ladder);
    let mut notes: Vec<String> = Vec::new();
    let mut resumed = 0;
    let mut batch = 0;
    let mut is_heard = false;
    let mut agent = spec.agent.clone();
    let mut kept: Option<Vec<u32>> = None;
    let mut to_count: Vec<(usize, u32)> = Vec::new();
    let ended = loop {
        let rating = table.rating();
        let games = table.games();
        let (rung, wanted) = match to_count.pop() {
            Some(next) => next,
            None => {
                let left = u64::from(spec.games).saturating_sub(games) as u32;
                let next = table.next(rating.elo).filter(|_| left > 0);
                let more = BATCHES[batch.min(BATCHES.len() - 1)].min(left.next_multiple_of(2));
                let next = next.map(|rung| (rung, table.rungs[rung].wanted + more));
                let step = if games >= FEWEST && rating.error <= spec.error {
                    Err(RatingEnded::Precise)
                } else if games >= 4 && table.forfeited_all() {
                    Err(RatingEnded::Forfeits)
                } else {
                    next.ok_or(RatingEnded::Games)
                };
                // Before the rating ends or plays new games, count all games that the store already has, such as those of
                // shards. By then the agent has its name.
                if batch > 0 && kept.is_none() {
                    kept = Some(kept_games(
                        &run,
                        |rung| match_of(spec, ladder, &agent, rung),
                        ladder.rungs.len(),
                    )?);
                }
                if let Some(there) = &kept
                    && !step.is_ok_and(|(rung, wanted)| wanted <= there[rung])
                {
                    // Games against the next opponent are counted when that match is continued.
                    let now = step.ok().map(|(rung, _)| rung);
                    let more = there.iter().copied().enumerate();
                    let more = more.filter(|(rung, _)| Some(*rung) != now);
                    to_count = more
                        .filter(|(rung, games)| *games > table.rungs[*rung].wanted)
                        .collect();
                    if !to_count.is_empty() {
                        continue;
                    }
                }
                batch += 1;
                match step {
                    Ok(next) => next,
                    Err(ended) => break ended,
                }
            }
        };
        let news = RateProgress {
            rating,
            games,
            opponent: &ladder.rungs[rung],
        };
        progress(&news, None);
        let match_spec = match_of(spec, ladder, &agent, rung);
        let match_run = run.of_match(wanted);
        let mut heard = |of_match: &MatchNews<'_>| progress(&news, of_match.game());
        // A program is auditioned with a first move only once.
        let result = match is_heard {
            false => run_match(match_spec, match_run, &mut heard)?,
            true => play_match(match_spec, match_run, &mut heard)?,
        };
        is_heard = true;
        agent = result.spec.agents[0].clone();
        let interrupted = result.stopped == Stopped::Interrupted;
        let before = table.rungs[rung].played;
        resumed += result.resumed.saturating_sub(before);
        let played = result.resumed + result.played;
        let only_repeats = result.counter.repeats() > 0
            && result.counter.tally().games() == table.rungs[rung].tally().games();
        for note in result.notes {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        table.rungs[rung] = RungState {
            wanted,
            played,
            // Two deterministic players run out of openings.
            exhausted: !interrupted && (played < wanted || only_repeats),
            met: Some((result.id, result.counter)),
        };
        if interrupted {
            break RatingEnded::Interrupted;
        }
    };
    let rating = table.rating();
    Ok(Rated {
        agent,
        rating,
        like: ladder.like(rating.elo),
        met: table.into_met(),
        ended,
        resumed,
        notes,
    })
}

/// The match of an agent with a player of the ladder.
fn match_of(spec: &RateSpec, ladder: &Ladder, agent: &NamedAgent, rung: usize) -> MatchSpec {
    MatchSpec {
        agents: [agent.clone(), ladder.rungs[rung].agent.clone().into()],
        game: spec.game,
        openings: ladder.openings.clone(),
        rng_seed: ladder.rng_seed,
        rules: spec.rules,
    }
}

/// For every player of the ladder: how many games of the match with it the store has, counted in pairs from the first game to
/// the first gap.
fn kept_games(
    run: &TournamentRun<'_>,
    match_of: impl Fn(usize) -> MatchSpec,
    rungs: usize,
) -> Result<Vec<u32>, ArenaError> {
    let Some(store) = run.store.as_deref() else {
        return Ok(vec![0; rungs]);
    };
    let count = |rung: usize| {
        let spec = match_of(rung);
        let games = store.games(&spec.id(&spec.identity()?))?;
        let in_order = games.iter().zip(0_u32..);
        let in_order = in_order.take_while(|(game, number)| game.number == *number);
        Ok(in_order.count() as u32 / 2 * 2)
    };
    (0..rungs).map(count).collect()
}

/// The state of the meetings with one player of the ladder.
#[derive(Clone, Debug, Default)]
struct RungState {
    wanted: u32,
    played: u32,
    exhausted: bool,
    met: Option<(String, Counter)>,
}

impl RungState {
    fn tally(&self) -> Tally {
        let met = self.met.as_ref();
        met.map_or(Tally::default(), |(_, counter)| *counter.tally())
    }
}

struct Table<'a> {
    ladder: &'a Ladder,
    rungs: Vec<RungState>,
}

impl<'a> Table<'a> {
    fn new(ladder: &'a Ladder) -> Self {
        Table {
            ladder,
            rungs: vec![RungState::default(); ladder.rungs.len()],
        }
    }

    fn games(&self) -> u64 {
        self.rungs.iter().map(|rung| rung.tally().games()).sum()
    }

    fn forfeited_all(&self) -> bool {
        let counters = self.rungs.iter().filter_map(|rung| rung.met.as_ref());
        let own = counters.map(|(_, counter)| counter.forfeits()[0].total());
        own.sum::<u64>() == self.games()
    }

    /// The rating from all games. The ladder is the scale, so the opponents' ratings count as exact here.
    fn rating(&self) -> Rating {
        let rungs = self.ladder.rungs.iter().zip(&self.rungs);
        let results: Vec<(f64, Tally)> = rungs
            .filter(|(_, state)| state.met.is_some())
            .map(|(rung, state)| (rung.rating, state.tally()))
            .collect();
        self.ladder.scale().place(&results)
    }

    /// The player to meet next: among those whose games carry much information, the one met least, then the most informative.
    /// `None` if all openings are played.
    fn next(&self, rating: f64) -> Option<usize> {
        let scale = self.ladder.scale();
        let telling = |rung: usize| scale.telling(rating, self.ladder.rungs[rung].rating);
        let open = || (0..self.rungs.len()).filter(|&rung| !self.rungs[rung].exhausted);
        let most = open().map(telling).fold(0.0, f64::max);
        open()
            .filter(|&rung| telling(rung) >= TELLING * most)
            .min_by(|&a, &b| {
                let wanted = self.rungs[a].wanted.cmp(&self.rungs[b].wanted);
                wanted.then(telling(b).total_cmp(&telling(a)))
            })
    }

    fn into_met(self) -> Vec<RungMet> {
        let met = self.rungs.into_iter().enumerate();
        met.filter_map(|(rung, state)| {
            let (match_id, counter) = state.met?;
            Some(RungMet {
                rung,
                match_id,
                counter,
            })
        })
        .collect()
    }
}
