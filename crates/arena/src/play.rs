//! One game: moves, clocks, forfeits and adjudication.

use crate::openings::Line;
use crate::record::{Ending, RecordedMove};
use crate::spec::{Adjudicate, Rules};
use kalahari_agents::Player as Agent;
use kalahari_games::{Outcome, Player};
use kalahari_search::{Clock, Limits, Report, Searchable, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How a game went.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    /// The moves after the opening.
    pub(crate) moves: Vec<RecordedMove>,
    pub(crate) winner: Option<Player>,
    /// The first player's margin, unless the game was forfeited.
    pub(crate) margin: Option<i32>,
    pub(crate) ending: Ending,
    pub(crate) detail: String,
}

/// Plays a game. `agents` are in the order of their seats. `None` if the request to stop came first: a game
/// whose thinking was cut short is no game.
pub(crate) fn play_game<G: Searchable>(
    game: &G,
    agents: [&mut Agent<G>; 2],
    line: &Line<G>,
    rules: &Rules,
    stop: &Stop,
) -> Option<Played> {
    let mut position = line.position;
    let mut clocks = [rules.clock.map(|clock| clock.base); 2];
    let mut proven: [Option<i32>; 2] = [None; 2];
    let mut moves = Vec::with_capacity(64);
    let over = |moves, outcome: Outcome, ending| Played {
        moves,
        winner: outcome.winner(),
        margin: Some(outcome.margin(Player::First)),
        ending,
        detail: String::new(),
    };
    loop {
        if let Some(outcome) = game.outcome(&position) {
            return Some(over(moves, outcome, Ending::Rules));
        }
        let mover = game.to_move(&position);
        if rules.adjudicate == Adjudicate::Majority {
            let (least, most) = game.reachable(&position);
            if least > 0 || most < 0 {
                // What is in play lies evenly on both sides of the lead there is now.
                let outcome = Outcome::from_margin(mover, (least + most) / 2);
                return Some(over(moves, outcome, Ending::Majority));
            }
        }

        let seat = mover.index();
        let agent = &mut *agents[seat];
        let asked = asked(rules, clocks[seat]);
        let allowed = agent.limits(asked);
        let begin = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| agent.choose(position, asked, stop)));
        let elapsed = begin.elapsed();
        if stop.is_requested() {
            return None;
        }
        let forfeit = |moves, ending, detail: String| {
            Some(Played {
                moves,
                winner: Some(!mover),
                margin: None,
                ending,
                detail: one_line(&detail),
            })
        };
        let Ok(report) = answer else {
            return forfeit(moves, Ending::Crash, "the agent panicked".to_owned());
        };
        if let Some(failure) = agent.failure() {
            return forfeit(moves, Ending::of_failure(&failure), failure);
        }
        if let Some(detail) = late(&allowed, elapsed, rules.grace) {
            return forfeit(moves, Ending::Time, detail);
        }
        if let (Some(left), Some(control)) = (&mut clocks[seat], rules.clock) {
            *left = left.saturating_sub(elapsed) + control.increment;
        }
        let Some(mv) = report.best else {
            return forfeit(moves, Ending::Illegal, "no move".to_owned());
        };
        let next = match game.play(&position, mv) {
            Ok(next) => next,
            Err(error) => return forfeit(moves, Ending::Illegal, error.to_string()),
        };
        moves.push(RecordedMove {
            mv: mv.to_string(),
            micros: Some(elapsed.as_micros() as u64),
            value: report
                .value
                .is_finite()
                .then_some((report.value, report.unit)),
        });
        position = next;

        if rules.adjudicate == Adjudicate::Proven && !game.is_over(&position) {
            proven[seat] = proven_margin(&report, mover);
            if let (Some(one), Some(two)) = (proven[0], proven[1])
                && one.signum() == two.signum()
            {
                let margin = proven[seat].unwrap_or(one);
                let outcome = Outcome::from_margin(Player::First, margin);
                return Some(over(moves, outcome, Ending::Proven));
            }
        }
    }
}

/// What a command asks of an agent whose clock shows this.
fn asked(rules: &Rules, clock: Option<Duration>) -> Limits {
    let clock = match (clock, rules.clock) {
        (Some(remaining), Some(control)) => Some(Clock {
            remaining,
            increment: control.increment,
        }),
        _ => None,
    };
    Limits {
        clock,
        ..rules.limits
    }
}

/// What to say of an answer that came too late.
fn late(allowed: &Limits, elapsed: Duration, grace: Duration) -> Option<String> {
    let limits = [allowed.time, allowed.clock.map(|clock| clock.remaining)];
    let limit = limits.into_iter().flatten().min()?;
    (elapsed > limit.saturating_add(grace)).then(|| {
        let seconds = |time: Duration| time.as_secs_f64();
        format!(
            "{:.3} s for a move, {:.3} s were left",
            seconds(elapsed),
            seconds(limit)
        )
    })
}

/// The first player's margin that a report has proven.
fn proven_margin<M>(report: &Report<M>, mover: Player) -> Option<i32> {
    let known = report.proven && report.value.is_finite();
    known.then(|| report.value as i32 * mover.sign())
}

/// A text on one line that is not too long for a record.
fn one_line(text: &str) -> String {
    let clean: String = text
        .chars()
        .take(200)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    clean.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::TimeControl;
    use kalahari_agents::AgentSpec;
    use kalahari_games::Game;
    use kalahari_games::kalah::{Kalah, Packed, Pit};
    use kalahari_search::{Agent as Thinker, Task, Unit};

    type G = Kalah<Packed>;

    /// How an agent misbehaves.
    #[derive(Clone, Copy)]
    enum Vice {
        Illegal,
        Silent,
        Panics,
        Fails,
        Sleeps,
    }

    struct Hostile(Vice);

    impl Thinker<G> for Hostile {
        fn think(&mut self, task: Task<'_, G>) -> Report<Pit> {
            let best = match self.0 {
                Vice::Illegal => Some(Pit(11)),
                Vice::Silent => None,
                Vice::Panics => panic!("on purpose"),
                Vice::Fails => Some(Pit(0)),
                Vice::Sleeps => {
                    std::thread::sleep(Duration::from_millis(30));
                    G::default().moves(&task.position).next()
                }
            };
            Report {
                best,
                value: f64::NAN,
                unit: Unit::Eval,
                line: Vec::new(),
                moves: Vec::new(),
                depth: 0,
                nodes: 0,
                elapsed: Duration::ZERO,
                proven: true,
            }
        }

        fn forget(&mut self, _: u64) {}

        fn is_deterministic(&self) -> bool {
            false
        }

        fn failure(&mut self) -> Option<String> {
            matches!(self.0, Vice::Fails).then(|| "it\ndied".to_owned())
        }
    }

    fn against(vice: Vice, rules: &Rules, stop: &Stop) -> Option<Played> {
        let game = G::default();
        let spec: AgentSpec = "random".parse().expect("an agent");
        let mut hostile = Agent::with_agent(spec.clone(), Box::new(Hostile(vice)));
        let mut random = Agent::new(&spec, &game, 1).expect("an agent");
        let line = Line {
            start: None,
            moves: Vec::new(),
            position: game.start(),
        };
        play_game(&game, [&mut hostile, &mut random], &line, rules, stop)
    }

    #[test]
    fn hostile_agents_lose() {
        let tight = Rules {
            limits: Limits {
                time: Some(Duration::from_millis(1)),
                ..Limits::default()
            },
            grace: Duration::from_millis(1),
            ..Rules::default()
        };
        let clock = Rules {
            clock: Some(TimeControl {
                base: Duration::from_millis(5),
                increment: Duration::ZERO,
            }),
            grace: Duration::from_millis(1),
            ..Rules::default()
        };
        for (vice, rules, ending) in [
            (Vice::Illegal, Rules::default(), Ending::Illegal),
            (Vice::Silent, Rules::default(), Ending::Illegal),
            (Vice::Panics, Rules::default(), Ending::Crash),
            (Vice::Fails, Rules::default(), Ending::Crash),
            (Vice::Sleeps, tight, Ending::Time),
            (Vice::Sleeps, clock, Ending::Time),
        ] {
            let played = against(vice, &rules, &Stop::new()).expect("a game");
            assert_eq!(played.ending, ending);
            assert_eq!(played.winner, Some(Player::Second));
            assert_eq!(played.margin, None);
            assert!(!played.detail.contains('\n') && !played.detail.is_empty());
        }
    }

    #[test]
    fn a_stopped_game_is_no_game() {
        let stop = Stop::new();
        stop.request();
        assert!(against(Vice::Sleeps, &Rules::default(), &stop).is_none());
    }

    #[test]
    fn slow_but_within_grace_is_fine() {
        let played = against(Vice::Sleeps, &Rules::default(), &Stop::new()).expect("a game");
        assert_eq!(played.ending, Ending::Rules);
        assert!(
            played
                .moves
                .iter()
                .any(|mv| mv.micros.is_some_and(|micros| micros >= 30_000))
        );
        assert!(played.moves.iter().any(|mv| mv.value.is_none()));
    }
}
