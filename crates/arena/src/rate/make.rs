//! Makes a ladder from scratch: its players meet their neighbours, round after round, and are rated by all games together.

use super::ladder::{Ladder, Rung};
use crate::error::MatchProblem;
use crate::openings::Openings;
use crate::run::{Progress, Stopped, run_match};
use crate::spec::{MatchSpec, Rules};
use crate::stats::{Encounter, Fit, Tally, fit_ratings, rating_notes};
use crate::{ArenaError, TournamentRun};
use kalahari_agents::{AgentSpec, LEVELS, Player};
use kalahari_games::{AnyGame, GameSpec};
use kalahari_search::bench::SIGNATURE;
use kalahari_search::engine::PROVING;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a ladder is made. The same spec makes the same ladder on every machine if all players are limited by nodes or depth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderSpec {
    /// The game.
    pub game: GameSpec,
    /// The players, roughly from weakest to strongest. The first one's rating becomes 0.
    pub agents: Vec<AgentSpec>,
    /// Where games begin.
    pub openings: Openings,
    /// The seed of all random choices.
    #[serde(rename = "seed")]
    pub rng_seed: u64,
    /// Games between two neighbours in every round.
    pub games: u32,
    /// How many rounds there are. Before each, players are put in order by all games so far.
    pub rounds: u32,
    /// How many places apart two neighbours may be.
    pub reach: usize,
}

impl LadderSpec {
    /// The default ladder of a game: levels 0 to 12, the course players that play it, and the engine at a few limits. None of
    /// them uses a clock or a file, so that they play the same on every machine.
    pub fn usual(game: GameSpec) -> Self {
        let levels = (0..=LEVELS).map(AgentSpec::of_level);
        let others = [
            "seed003",
            "seed000",
            "seed001:playouts=1000",
            "seed004",
            "seed002:nodes=10000",
            "engine:nodes=300,tablebase=0,book=0,hash=4",
            "engine:nodes=3000,tablebase=0,book=0,hash=4",
            "engine:nodes=30000,tablebase=0,book=0,hash=4",
        ];
        let others = others.iter().filter_map(|text| text.parse().ok());
        let board = AnyGame::new(game);
        // A course player's evaluation may support only one of the games.
        let plays = |agent: &AgentSpec| Player::new(agent, &board, 0).is_ok();
        LadderSpec {
            game,
            agents: levels.chain(others).filter(plays).collect(),
            openings: Openings::Balanced(6),
            rng_seed: 1,
            games: 20,
            rounds: 4,
            reach: 3,
        }
    }
}

/// The result of making a ladder.
#[derive(Clone, Debug)]
pub struct MadeLadder {
    /// The ladder; `None` if it was stopped before every player had met every other one, at least through others.
    pub ladder: Option<Ladder>,
    /// Whether all games are played.
    pub whole: bool,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// The progress of making a ladder.
#[derive(Clone, Copy, Debug)]
pub struct LadderProgress<'a> {
    /// The round, from 0.
    pub round: u32,
    /// The meeting of this round, from 0, and how many there are.
    pub meeting: (usize, usize),
    /// The two players.
    pub agents: [&'a AgentSpec; 2],
}

/// Plays the games of a ladder and rates its players.
pub fn make_ladder(
    spec: &LadderSpec,
    mut run: TournamentRun<'_>,
    progress: &mut dyn FnMut(&LadderProgress<'_>, Option<&Progress<'_>>),
) -> Result<MadeLadder, ArenaError> {
    let players = spec.agents.len();
    if players < 2 {
        return Err(MatchProblem::FewAgents.into());
    }
    for (number, agent) in spec.agents.iter().enumerate() {
        if spec.agents[..number].contains(agent) {
            return Err(MatchProblem::Twice(agent.clone()).into());
        }
    }
    let mut met: BTreeMap<(usize, usize), (u32, Tally)> = BTreeMap::new();
    let mut notes = Vec::new();
    let mut whole = true;
    'rounds: for round in 0..spec.rounds.max(1) {
        let order = order(players, &met);
        let pairs = neighbours(&order, spec.reach.max(1));
        for (number, &pair) in pairs.iter().enumerate() {
            let agents = [pair.0, pair.1].map(|agent| &spec.agents[agent]);
            let at = LadderProgress {
                round,
                meeting: (number, pairs.len()),
                agents,
            };
            progress(&at, None);
            let (wanted, tally) = met.entry(pair).or_default();
            *wanted += spec.games.max(2);
            let match_spec = MatchSpec {
                agents: agents.map(|agent| agent.clone().into()),
                game: spec.game,
                openings: spec.openings.clone(),
                rng_seed: spec.rng_seed,
                rules: Rules::default(),
            };
            let result = run_match(match_spec, run.of_match(*wanted), &mut |news| {
                progress(&at, news.game());
            })?;
            *tally = *result.tally();
            if result.stopped == Stopped::Interrupted {
                whole = false;
                break 'rounds;
            }
        }
    }
    let Fit {
        ratings,
        padded,
        groups,
        draws,
    } = fit_ratings(players, &encounters(&met));
    notes.extend(rating_notes(padded, groups));
    let games = |agent: usize| -> u64 {
        let own = met.iter().filter(|((a, b), _)| agent == *a || agent == *b);
        own.map(|(_, (_, tally))| tally.games()).sum()
    };
    let mut rungs: Vec<Rung> = (0..players)
        .map(|agent| Rung {
            agent: spec.agents[agent].clone(),
            rating: tenths(ratings[agent].elo - ratings[0].elo),
            error: tenths(ratings[agent].error),
            games: games(agent),
        })
        .collect();
    rungs.sort_by(|a, b| a.rating.total_cmp(&b.rating));
    let all_play = groups == 1 && rungs.iter().all(|rung| rung.error.is_finite());
    Ok(MadeLadder {
        ladder: all_play.then(|| Ladder {
            form: Ladder::FORM.to_owned(),
            game: spec.game,
            openings: spec.openings.clone(),
            rng_seed: spec.rng_seed,
            draws: (draws * 1e4).round() / 1e4,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            search: SIGNATURE,
            proving: PROVING,
            rungs,
        }),
        whole,
        notes,
    })
}

/// Rounds to tenths of a point: more digits would mean nothing.
fn tenths(points: f64) -> f64 {
    (points * 10.0).round() / 10.0
}

/// Players from weakest to strongest by all games so far; in their given order before the first game.
fn order(players: usize, met: &BTreeMap<(usize, usize), (u32, Tally)>) -> Vec<usize> {
    let ratings = fit_ratings(players, &encounters(met)).ratings;
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|a, b| ratings[*a].elo.total_cmp(&ratings[*b].elo));
    order
}

/// Pairs every player with those up to `reach` places above it. The smaller index comes first.
fn neighbours(order: &[usize], reach: usize) -> Vec<(usize, usize)> {
    let pairs = order.iter().enumerate().flat_map(|(place, &one)| {
        let above = order[place + 1..].iter().take(reach);
        above.map(move |&two| (one.min(two), one.max(two)))
    });
    pairs.collect()
}

fn encounters(met: &BTreeMap<(usize, usize), (u32, Tally)>) -> Vec<Encounter> {
    let met = met.iter();
    met.map(|(&(first, second), (_, tally))| Encounter {
        first,
        second,
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_meet() {
        let pairs = neighbours(&[2, 0, 1], 1);
        assert_eq!(pairs, [(0, 2), (0, 1)]);
        assert_eq!(neighbours(&[0, 1, 2, 3], 2).len(), 5);
    }

    #[test]
    fn the_usual_ladder_knows_who_plays_what() {
        let names = |game: &str| -> Vec<String> {
            let game = game.parse().expect("a game");
            let agents = LadderSpec::usual(game).agents;
            agents.iter().map(ToString::to_string).collect()
        };
        let kalah = names("kalah:6x6");
        assert!(kalah.contains(&"seed004".to_owned()), "{kalah:?}");
        let isolation = names("isolation");
        assert!(isolation.contains(&"seed002:nodes=10000".to_owned()));
        assert!(!isolation.contains(&"seed000".to_owned()));
        for names in [kalah, isolation] {
            assert_eq!(
                names
                    .iter()
                    .filter(|name| name.starts_with("level:"))
                    .count(),
                13
            );
        }
    }
}
