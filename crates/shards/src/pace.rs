//! Fair clocks on machines of different speeds: a slower one gets proportionally more time.

use crate::plan::Games;
use kalahari_agents::{AgentSpec, OptionKey};
use kalahari_arena::{ArenaError, GameRecord, Hands, MatchSpec, play_games, who};
use kalahari_terms::{format_duration, parse_duration};
use std::ops::Range;
use std::time::Duration;

/// The factor by which the times of an experiment are multiplied on a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace(f64);

impl Pace {
    /// The times are those of the experiment.
    pub(crate) const EQUAL: Pace = Pace(1.0);

    /// The pace of a machine of this speed if the times are meant for one of the reference speed, both in nodes a second. It is at most 100
    /// and at least 1/100: a larger difference means that a measurement is wrong.
    pub(crate) fn of(speed: u64, reference: u64) -> Self {
        Pace((reference.max(1) as f64 / speed.max(1) as f64).clamp(0.01, 100.0))
    }

    fn time(self, time: Duration) -> Duration {
        // The text form of times has whole microseconds.
        let micros = (time.as_secs_f64() * self.0 * 1e6).round().max(1.0);
        Duration::from_micros(micros as u64)
    }

    fn agent(self, agent: &AgentSpec) -> AgentSpec {
        match own_time(agent) {
            Some(time) => agent.with(OptionKey::Time, format_duration(self.time(time))),
            None => agent.clone(),
        }
    }

    /// The match with this machine's times.
    fn spec(self, spec: &MatchSpec) -> MatchSpec {
        let mut paced = spec.clone();
        for agent in &mut paced.agents {
            agent.spec = self.agent(&agent.spec);
        }
        let rules = &mut paced.rules;
        rules.limits.time = rules.limits.time.map(|time| self.time(time));
        if let Some(clock) = &mut rules.limits.clock {
            clock.remaining = self.time(clock.remaining);
            clock.increment = self.time(clock.increment);
        }
        if let Some(clock) = &mut rules.clock {
            clock.base = self.time(clock.base);
            clock.increment = self.time(clock.increment);
        }
        rules.grace = self.time(rules.grace);
        paced
    }

    /// Plays games of a match. The records name the original match and agents; only the times are this machine's.
    pub(crate) fn play(
        self,
        games: &Games,
        numbers: Range<u32>,
        hands: &Hands<'_>,
        sink: &mut dyn FnMut(GameRecord) -> Result<(), ArenaError>,
    ) -> Result<(), ArenaError> {
        if self == Pace::EQUAL || !has_clock(&games.spec) {
            return play_games(&games.spec, numbers, hands, sink);
        }
        let id = games.id();
        let names = games.spec.agents.each_ref().map(who);
        play_games(
            &self.spec(&games.spec),
            numbers,
            hands,
            &mut |mut record| {
                let first = record.seat_of_a().index();
                record.players = [first, 1 - first].map(|side| names[side].clone());
                record.match_id.clone_from(&id);
                sink(record)
            },
        )
    }
}

/// The time that an agent's own spec allows for a move.
fn own_time(agent: &AgentSpec) -> Option<Duration> {
    parse_duration(agent.option(OptionKey::Time)?).ok()
}

/// Whether games of a match depend on the speed of the machine.
pub(crate) fn has_clock(spec: &MatchSpec) -> bool {
    let rules = &spec.rules;
    let by_rules =
        rules.limits.time.is_some() || rules.limits.clock.is_some() || rules.clock.is_some();
    // The limits of the rules apply only to agents without their own limits.
    let needs_rules = |agent: &AgentSpec| !agent.has_own_limits();
    let specs = spec.specs();
    rules.clock.is_some()
        || specs.iter().any(|agent| own_time(agent).is_some())
        || (by_rules && specs.iter().any(needs_rules))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_arena::{Openings, Rules};
    use kalahari_terms::Limits;

    fn spec(agents: [&str; 2], time: Option<u64>) -> MatchSpec {
        MatchSpec {
            agents: agents.map(|agent| agent.parse().expect("an agent")),
            game: "kalah:4x3".parse().expect("a game"),
            openings: Openings::Start,
            rng_seed: 1,
            rules: Rules {
                limits: Limits {
                    time: time.map(Duration::from_millis),
                    ..Limits::NONE
                },
                ..Rules::default()
            },
        }
    }

    #[test]
    fn a_machine_of_half_the_speed_has_twice_the_time() {
        let pace = Pace::of(500_000, 1_000_000);
        let paced = pace.spec(&spec(["engine:time=30ms,hash=1", "mcts"], Some(20)));
        assert_eq!(paced.rules.limits.time, Some(Duration::from_millis(40)));
        assert_eq!(paced.rules.grace, 2 * Rules::GRACE);
        let own = paced.agents[0].spec.option(OptionKey::Time);
        assert_eq!(own.map(parse_duration), Some(Ok(Duration::from_millis(60))));
        assert_eq!(paced.agents[1].spec.to_string(), "mcts");
        assert_eq!(Pace::of(7, 7), Pace::EQUAL);
        assert_eq!(Pace::of(0, u64::MAX), Pace(100.0));
    }

    #[test]
    fn nodes_need_no_clock() {
        assert!(!has_clock(&spec(["engine:nodes=100", "level:1"], None)));
        assert!(has_clock(&spec(["engine:time=10ms", "level:1"], None)));
        assert!(has_clock(&spec(["mcts", "level:1"], Some(10))));
    }
}
