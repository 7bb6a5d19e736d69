//! Tournaments: many agents, one table, one set of ratings.

use crate::audition::{LeftOut, rehearse};
use crate::error::MatchProblem;
use crate::results::{Counter, Forfeits};
use crate::run::{
    MatchListener, MatchNews, MatchResult, Planned, Run, Stopped, default_openings,
    games_that_count, plan_settled, play_match, settle_all,
};
use crate::schedule::{Schedule, first_rounds, swiss_round};
use crate::spec::{MatchSpec, Rules};
use crate::stats::{Encounter, Fit, Tally, fit_ratings};
use crate::store::Store;
use crate::{ArenaError, Hands, Openings};
use kalahari_agents::NamedAgent;
use kalahari_games::GameSpec;
use kalahari_terms::Stop;
use std::path::PathBuf;
use std::sync::Arc;

/// The definition of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentSpec {
    /// The agents.
    pub agents: Vec<NamedAgent>,
    /// The game.
    pub game: GameSpec,
    /// Where games begin; `None` for each pairing's default.
    pub openings: Option<Openings>,
    /// The seed of all random choices. All pairings play the same openings.
    pub rng_seed: u64,
    /// When and how games end.
    pub rules: Rules,
    /// How players are paired.
    pub schedule: Schedule,
    /// Games per meeting.
    pub games: u32,
    /// Rounds of a Swiss tournament; 0 for as many as it takes to find a winner.
    pub rounds: u32,
}

/// How a tournament is run; none of this changes how its games go.
#[derive(Debug)]
pub struct TournamentRun<'a> {
    /// How many games are played at once.
    pub concurrency: usize,
    /// The store for finished games.
    pub store: Option<&'a mut Store>,
    /// Whether to continue matches of the store even if another program or other files have played them.
    pub mix: bool,
    /// The folder in which verdicts on balanced openings are cached.
    pub cache: Option<PathBuf>,
    /// The request to stop.
    pub stop: &'a Stop,
}

impl TournamentRun<'_> {
    /// How one of its matches is run.
    pub(crate) fn of_match(&mut self, games: u32) -> Run<'_> {
        Run {
            games,
            concurrency: self.concurrency,
            sprt: None,
            store: self.store.as_deref_mut(),
            mix: self.mix,
            cache: self.cache.clone(),
            stop: self.stop,
        }
    }
}

/// The games of two agents of a tournament.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The number of the agent from whose point of view games are counted.
    pub first: usize,
    /// The number of the other agent.
    pub second: usize,
    /// The count.
    pub counter: Counter,
    /// The match's id in the store.
    pub match_id: String,
}

/// An agent's line in the standings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The agent's number.
    pub agent: usize,
    /// All its games.
    pub tally: Tally,
    /// Points, including those for a round without an opponent.
    pub points: f64,
    /// Its rating relative to the average of its group, usually all agents.
    pub elo: f64,
    /// Half the width of the rating's 95% interval.
    pub error: f64,
    /// Its average margin.
    pub margin: Option<f64>,
}

/// A tournament that has been played, or a part of it.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The agents that played, with their names.
    pub agents: Vec<NamedAgent>,
    /// Those that did not, because they gave no move when asked for one.
    pub left_out: Vec<LeftOut>,
    /// The meetings, in order.
    pub meetings: Vec<Meeting>,
    /// The standings, best first: by points per game, or by points in a Swiss tournament, then by rating.
    pub standings: Vec<Standing>,
    /// Whether ratings needed half a win and half a loss more for every two agents that met to be finite.
    pub padded: bool,
    /// Into how many groups the agents with games fall that have not met; ratings of different groups cannot be compared.
    pub groups: usize,
    /// Whether it was interrupted by a request to stop.
    pub interrupted: bool,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Tournament {
    /// The games an agent forfeited in all meetings, and the first reason; `None` if there are none.
    pub fn forfeits(&self, agent: usize) -> Option<(Forfeits, &str)> {
        let (mut sum, mut first) = (Forfeits::default(), None);
        for meeting in &self.meetings {
            let sides = [meeting.first, meeting.second];
            let Some(side) = sides.iter().position(|player| *player == agent) else {
                continue;
            };
            let here = meeting.counter.forfeits()[side];
            sum.time += here.time;
            sum.illegal += here.illegal;
            sum.crash += here.crash;
            first = first.or_else(|| meeting.counter.first_reason(side));
        }
        (sum.total() > 0).then(|| (sum, first.unwrap_or_default()))
    }

    /// The results and average margin of agent `one` against agent `two`, over all rounds; `None` if they never met.
    pub fn head_to_head(&self, one: usize, two: usize) -> Option<(Tally, Option<f64>)> {
        let mut found = None;
        for meeting in &self.meetings {
            let (tally, sign) = if (meeting.first, meeting.second) == (one, two) {
                (*meeting.counter.tally(), 1.0)
            } else if (meeting.second, meeting.first) == (one, two) {
                (meeting.counter.tally().opposite(), -1.0)
            } else {
                continue;
            };
            let margin = meeting.counter.average_margin().map(|margin| sign * margin);
            let (sum, margins) = found.get_or_insert((Tally::default(), Vec::new()));
            add(sum, &tally);
            margins.extend(margin.map(|margin| (margin, tally.games() as f64)));
        }
        found.map(|(tally, margins)| (tally, average(&margins)))
    }
}

fn add(sum: &mut Tally, tally: &Tally) {
    sum.wins += tally.wins;
    sum.draws += tally.draws;
    sum.losses += tally.losses;
    for (sum, count) in sum.pentanomial.iter_mut().zip(tally.pentanomial) {
        *sum += count;
    }
}

/// The weighted average of pairs of value and weight.
fn average(values: &[(f64, f64)]) -> Option<f64> {
    let weight: f64 = values.iter().map(|(_, weight)| weight).sum();
    let sum: f64 = values.iter().map(|(value, weight)| value * weight).sum();
    (weight > 0.0).then(|| sum / weight)
}

/// A callback that gets the two agents of a meeting and the news of their match.
pub type MeetingProgress<'a> = &'a mut dyn FnMut([&NamedAgent; 2], &MatchNews<'_>);

/// Plays a tournament, meeting by meeting. An external program is asked for a move first, and left out if it gives none.
pub fn run_tournament(
    spec: &TournamentSpec,
    mut run: TournamentRun<'_>,
    progress: MeetingProgress<'_>,
) -> Result<Tournament, ArenaError> {
    check_entries(&spec.agents)?;
    let (spec, left_out) = heard(spec, &run)?;
    let (spec, players) = (&spec, spec.agents.len());
    let mut table = Table::new(players);
    let swiss = spec.schedule == Schedule::Swiss;
    let rounds = spec.schedule.rounds(players, spec.rounds);
    let mut notes: Vec<String> = Vec::new();
    let mut interrupted = false;
    'rounds: for round in 0..rounds {
        let pairings = match swiss {
            false => first_rounds(spec.schedule, players),
            true => {
                let pairing = swiss_round(&table.points, &table.met, &table.byes);
                if let Some(bye) = pairing.bye {
                    table.byes[bye] += 1;
                    table.points[bye] += f64::from(spec.games);
                    notes.push(format!(
                        "round {}: {} has no opponent and gets the points",
                        round + 1,
                        spec.agents[bye].label()
                    ));
                }
                pairing.pairs
            }
        };
        for (first, second) in pairings {
            let agents = [&spec.agents[first], &spec.agents[second]];
            let result = meet(spec, &mut run, agents, round, &mut |p| {
                progress(agents, p);
            })?;
            let [one, two] = agents.map(NamedAgent::label);
            for note in &result.notes {
                notes.push(format!("{one} vs {two}: {note}"));
            }
            interrupted = result.stopped == Stopped::Interrupted;
            table.enter(first, second, result);
            if interrupted {
                break 'rounds;
            }
        }
    }
    let Fit {
        ratings,
        padded,
        groups,
        ..
    } = fit_ratings(players, &table.encounters());
    let mut standings: Vec<Standing> = (0..players)
        .map(|agent| Standing {
            agent,
            tally: table.tally(agent),
            points: table.points[agent],
            elo: ratings[agent].elo,
            error: ratings[agent].error,
            margin: table.margin(agent),
        })
        .collect();
    standings.sort_by(|a, b| {
        let key = |standing: &Standing| match swiss {
            true => standing.points,
            false => standing.tally.score(),
        };
        key(b).total_cmp(&key(a)).then(b.elo.total_cmp(&a.elo))
    });
    Ok(Tournament {
        agents: spec.agents.clone(),
        left_out,
        meetings: table.meetings,
        standings,
        padded,
        groups,
        interrupted,
        notes,
    })
}

/// What [`run_tournament`] would play, meeting by meeting. Here no agent is left out: a program that gives no move is an error,
/// since all machines that play a part of the games have to agree on the players. A Swiss tournament has no such plan.
pub fn plan_tournament(
    spec: &TournamentSpec,
    hands: &Hands<'_>,
) -> Result<Vec<Planned>, ArenaError> {
    check_entries(&spec.agents)?;
    if spec.schedule == Schedule::Swiss {
        return Err(MatchProblem::SwissPlan.into());
    }
    let mut spec = spec.clone();
    settle_all(&mut spec.agents, spec.game, &spec.rules, hands)?;
    let meetings = meetings(&spec).into_iter();
    let planned = meetings.map(|meeting| plan_settled(meeting, spec.games, hands));
    planned.collect()
}

/// All meetings of a tournament that is not a Swiss one.
fn meetings(spec: &TournamentSpec) -> Vec<MatchSpec> {
    let players = spec.agents.len();
    let mut meetings = Vec::new();
    for round in 0..spec.schedule.rounds(players, spec.rounds) {
        for (first, second) in first_rounds(spec.schedule, players) {
            let agents = [&spec.agents[first], &spec.agents[second]];
            meetings.push(meeting_spec(spec, agents, round));
        }
    }
    meetings
}

/// How many games [`run_tournament`] would play, as far as that is known in advance: if both agents of a meeting are deterministic, no
/// more than two per opening. The agents must have been auditioned already.
pub fn tournament_games(spec: &TournamentSpec, hands: &Hands<'_>) -> Result<u64, ArenaError> {
    let players = spec.agents.len();
    if spec.schedule == Schedule::Swiss {
        let meetings = spec.schedule.meetings(players, spec.rounds) as u64;
        return Ok(meetings * u64::from(spec.games));
    }
    meetings(spec).into_iter().try_fold(0, |sum: u64, meeting| {
        let (games, _) = games_that_count(meeting, spec.games, hands)?;
        Ok(sum + u64::from(games))
    })
}

/// Checks that there are enough agents, and that they are distinct.
fn check_entries(agents: &[NamedAgent]) -> Result<(), MatchProblem> {
    if agents.len() < 2 {
        return Err(MatchProblem::FewAgents);
    }
    for (number, agent) in agents.iter().enumerate() {
        let mut before = agents[..number].iter();
        if before.any(|other| other.spec == agent.spec) {
            return Err(MatchProblem::Twice(agent.spec.clone()));
        }
    }
    Ok(())
}

/// The tournament of the agents that answer, with their names, and the agents that are left out.
fn heard(
    spec: &TournamentSpec,
    run: &TournamentRun<'_>,
) -> Result<(TournamentSpec, Vec<LeftOut>), ArenaError> {
    let hands = Hands {
        threads: run.concurrency,
        cache: None,
        stop: run.stop,
    };
    let (agents, left_out) = rehearse(&spec.agents, spec.game, &spec.rules, &hands)?;
    if agents.len() < 2 {
        // The error of the agent that was left out says why there is no game.
        let first = left_out.into_iter().next();
        let first = first.and_then(|left| Arc::into_inner(left.reason));
        return Err(first.map_or(MatchProblem::FewAgents.into(), ArenaError::from));
    }
    let spec = TournamentSpec {
        agents,
        ..spec.clone()
    };
    Ok((spec, left_out))
}

/// The match of one meeting. A second meeting of the same two is a match with another seed.
fn meeting_spec(spec: &TournamentSpec, agents: [&NamedAgent; 2], round: u32) -> MatchSpec {
    let agents = agents.map(NamedAgent::clone);
    let openings = match &spec.openings {
        Some(openings) => openings.clone(),
        None => default_openings(&agents.each_ref().map(|agent| agent.spec.clone())),
    };
    MatchSpec {
        agents,
        game: spec.game,
        openings,
        rng_seed: spec.rng_seed.wrapping_add(u64::from(round)),
        rules: spec.rules,
    }
}

/// Plays one meeting.
fn meet(
    spec: &TournamentSpec,
    run: &mut TournamentRun<'_>,
    agents: [&NamedAgent; 2],
    round: u32,
    listener: MatchListener<'_>,
) -> Result<MatchResult, ArenaError> {
    let spec_of_match = meeting_spec(spec, agents, round);
    play_match(spec_of_match, run.of_match(spec.games), listener)
}

/// The results so far.
struct Table {
    meetings: Vec<Meeting>,
    points: Vec<f64>,
    byes: Vec<u32>,
    /// How often each two players have met.
    met: Vec<Vec<u32>>,
}

impl Table {
    fn new(players: usize) -> Self {
        Table {
            meetings: Vec::new(),
            points: vec![0.0; players],
            byes: vec![0; players],
            met: vec![vec![0; players]; players],
        }
    }

    fn enter(&mut self, first: usize, second: usize, result: MatchResult) {
        let tally = result.tally();
        self.points[first] += tally.points();
        self.points[second] += tally.opposite().points();
        self.met[first][second] += 1;
        self.met[second][first] += 1;
        self.meetings.push(Meeting {
            first,
            second,
            match_id: result.id,
            counter: result.counter,
        });
    }

    fn encounters(&self) -> Vec<Encounter> {
        self.meetings
            .iter()
            .map(|meeting| {
                let tally = meeting.counter.tally();
                Encounter {
                    first: meeting.first,
                    second: meeting.second,
                    wins: tally.wins,
                    draws: tally.draws,
                    losses: tally.losses,
                }
            })
            .collect()
    }

    fn tally(&self, agent: usize) -> Tally {
        let mut sum = Tally::default();
        for meeting in &self.meetings {
            if meeting.first == agent {
                add(&mut sum, meeting.counter.tally());
            } else if meeting.second == agent {
                add(&mut sum, &meeting.counter.tally().opposite());
            }
        }
        sum
    }

    fn margin(&self, agent: usize) -> Option<f64> {
        let margins: Vec<(f64, f64)> = self
            .meetings
            .iter()
            .filter_map(|meeting| {
                let sign = match agent {
                    agent if agent == meeting.first => 1.0,
                    agent if agent == meeting.second => -1.0,
                    _ => return None,
                };
                let margin = meeting.counter.average_margin()?;
                Some((sign * margin, meeting.counter.tally().games() as f64))
            })
            .collect();
        average(&margins)
    }
}
