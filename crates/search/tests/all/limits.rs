//! Searches keep their limits, and under any limits the answer is a legal move.

use kalahari_games::{AnyGame, Game, GameSpec, with_game};
use kalahari_search::engine::{Engine, EngineOptions};
use kalahari_search::eval::Registry;
use kalahari_search::mcts::{Mcts, MctsOptions};
use kalahari_search::plain::{Plain, Pruning};
use kalahari_search::{Agent, Random, Rng, Searchable, Task};
use kalahari_terms::{GameClock, Limits, Stop};
use proptest::prelude::*;
use std::time::Duration;

const GAMES: &[&str] = &[
    "kalah:6x6",
    "kalah:1x1",
    "kalah:3x3:pre-move-empty+majority",
    "kalah:12x20:empty-capture",
    "isolation:8x8:trail",
    "isolation:4x4:classic",
    "isolation:16x16:classic",
    "isolation:7x7:queen",
    "isolation:16x16:queen",
    "isolation:9x11:knight",
];

fn all_agents<G: Searchable>(game: &G) -> Vec<(&'static str, Box<dyn Agent<G>>)> {
    let eval = G::Eval::of_choice(game);
    let engine = |threads| {
        let options = EngineOptions {
            threads,
            hash: 1,
            ..EngineOptions::of_game(game)
        };
        Box::new(Engine::new(game.clone(), options))
    };
    vec![
        ("random", Box::new(Random::new(game.clone(), 1))),
        (
            "minimax",
            Box::new(Plain::new(game.clone(), eval.clone(), Pruning::None, 1)),
        ),
        (
            "alphabeta",
            Box::new(Plain::new(game.clone(), eval, Pruning::AlphaBeta, 2)),
        ),
        (
            "mcts",
            Box::new(Mcts::new(
                game.clone(),
                MctsOptions {
                    hash: 1,
                    ..MctsOptions::of_game(game)
                },
                1,
            )),
        ),
        ("engine", engine(1)),
        ("engine of two", engine(2)),
    ]
}

/// Thinks at every position of a random playout with hardly any budget.
struct Hurried<'a> {
    choices: &'a [u16],
    limits: Limits,
    stopped: bool,
}

impl Hurried<'_> {
    fn think<G: Searchable>(self, game: &G) {
        let mut agents = all_agents(game);
        let stop = Stop::new();
        if self.stopped {
            stop.request();
        }
        let mut position = game.start();
        for &choice in self.choices {
            let count = game.count_moves(&position) as usize;
            for (name, agent) in &mut agents {
                let report = agent.think(Task {
                    position,
                    limits: self.limits,
                    stop: &stop,
                    all_moves: choice % 2 == 0,
                    progress: &mut |_| {},
                });
                let report = report.expect("our own agents never fail");
                match report.best {
                    Some(mv) => assert!(game.is_legal(&position, mv), "{name}"),
                    None => assert_eq!(count, 0, "{name}"),
                }
                let mut after = position;
                for mv in report.line {
                    after = game.play(&after, mv).expect("lines are legal");
                }
                if let Some(nodes) = self.limits.nodes
                    && *name != "engine of two"
                {
                    assert!(
                        report.nodes <= nodes.max(1),
                        "{name} took {} nodes of {nodes}",
                        report.nodes
                    );
                }
            }
            let Some(mv) = game
                .moves(&position)
                .nth(usize::from(choice) % count.max(1))
            else {
                break;
            };
            position = game.play_unchecked(&position, mv);
        }
    }
}

fn small_limits() -> impl Strategy<Value = (Limits, bool)> {
    let nodes = |nodes| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let time = |micros| Limits {
        time: Some(Duration::from_micros(micros)),
        ..Limits::default()
    };
    let clock = Limits {
        clock: Some(GameClock {
            remaining: Duration::ZERO,
            increment: Duration::ZERO,
        }),
        ..Limits::default()
    };
    prop_oneof![
        Just((nodes(0), false)),
        Just((nodes(1), false)),
        (2..500_u64).prop_map(move |n| (nodes(n), false)),
        Just((time(0), false)),
        Just((time(300), false)),
        Just((clock, false)),
        Just((Limits::default(), true)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_hurried_search_still_answers_with_a_legal_move(
        game in 0..GAMES.len(),
        (limits, stopped) in small_limits(),
        choices in prop::collection::vec(any::<u16>(), 1..12),
    ) {
        let game = AnyGame::new(GAMES[game].parse().expect("a spec"));
        let hurried = Hurried { choices: &choices, limits, stopped };
        with_game!(&game, game => hurried.think(game));
    }
}

/// How late an agent may answer after its time is up or a stop is requested, in processor time: tests share the machine, and
/// an agent is not to blame for how long its thread waits for a core.
#[cfg(unix)]
const PROMISE: Duration = Duration::from_millis(10);
/// For how long an agent is watched.
#[cfg(unix)]
const WATCHED: Duration = Duration::from_millis(40);

/// Watches how often the thread that made it checks its limits, measured in processor time.
#[cfg(unix)]
#[derive(Debug)]
struct Looks {
    thread: std::thread::ThreadId,
    begin: Duration,
    /// The time of the last check, and the longest time between two checks.
    seen: std::sync::Mutex<(Duration, Duration)>,
}

#[cfg(unix)]
impl Looks {
    fn new() -> Self {
        let now = processor_time();
        Looks {
            thread: std::thread::current().id(),
            begin: now,
            seen: std::sync::Mutex::new((now, Duration::ZERO)),
        }
    }

    /// Notes a check of the clock; returns how long the thread has worked.
    fn look(&self) -> Duration {
        let now = processor_time();
        if std::thread::current().id() == self.thread {
            let (last, longest) = &mut *self.seen.lock().expect("whole");
            *longest = (*longest).max(now.saturating_sub(*last));
            *last = now;
        }
        now.saturating_sub(self.begin)
    }

    fn longest(&self) -> Duration {
        self.seen.lock().expect("whole").1
    }
}

/// An agent that checks whether its time is up asks for the time.
#[cfg(unix)]
impl kalahari_terms::Clock for Looks {
    fn now(&self) -> Duration {
        self.look()
    }
}

/// The processor time of this thread.
#[cfg(unix)]
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Checks that for no agent a stretch of work between two checks of the limits, or between the last check and the answer, is longer
/// than allowed.
#[cfg(unix)]
fn all_in_time<G: Searchable>(game: &G) {
    for (name, mut agent) in all_agents(game) {
        for by_stop in [false, true] {
            // If a check is missing, it is missing every time; a busy machine makes only some stretches of work longer.
            let mut tries = (0..3).map(|_| longest_stretch(game, agent.as_mut(), by_stop));
            let kept = tries.any(|longest| longest < PROMISE);
            assert!(
                kept,
                "{} {name} stop={by_stop}: too long without a check",
                game.spec()
            );
        }
    }
}

/// The longest stretch of an agent's work without a check of its time or, with `by_stop`, of the request to stop.
#[cfg(unix)]
fn longest_stretch<G: Searchable>(game: &G, agent: &mut dyn Agent<G>, by_stop: bool) -> Duration {
    use std::sync::{Arc, OnceLock};
    let looks = Arc::new(Looks::new());
    let stop = match by_stop {
        false => Stop::with_clock(looks.clone()),
        true => {
            let (watched, own) = (looks.clone(), Arc::new(OnceLock::<Stop>::new()));
            let asked = own.clone();
            let outer = Stop::with_pause(move || {
                if watched.look() > WATCHED
                    && let Some(stop) = asked.get()
                {
                    stop.request();
                }
            });
            own.get_or_init(|| outer.child()).clone()
        }
    };
    let limits = Limits {
        time: (!by_stop).then_some(WATCHED),
        // Without a limit, Monte Carlo tree search would end on its own.
        nodes: by_stop.then_some(u64::MAX),
        ..Limits::default()
    };
    let report = agent.think(Task {
        position: game.start(),
        limits,
        stop: &stop,
        all_moves: true,
        progress: &mut |_| {},
    });
    assert!(report.is_ok_and(|report| report.best.is_some()));
    looks.look();
    looks.longest()
}

#[cfg(unix)]
#[test]
fn searches_stop_in_time() {
    for game in GAMES {
        let spec: GameSpec = game.parse().expect("a spec");
        with_game!(&AnyGame::new(spec), game => all_in_time(game));
    }
}

#[test]
fn random_positions_of_a_reused_tree_are_answered() {
    let game = kalahari_games::kalah::Kalah::default();
    let mut rng = Rng::new(2);
    let mut mcts = Mcts::new(game.clone(), MctsOptions::of_game(&game), 2);
    let mut position = game.start();
    while !game.is_over(&position) {
        let report = mcts.think(Task {
            position,
            limits: Limits {
                nodes: Some(200),
                ..Limits::default()
            },
            stop: &Stop::new(),
            all_moves: false,
            progress: &mut |_| {},
        });
        let mv = report.expect("our own").best.expect("a move");
        position = game.play(&position, mv).expect("legal");
        if !game.is_over(&position) && rng.below(3) == 0 {
            let count = game.count_moves(&position) as usize;
            let mv = game.moves(&position).nth(rng.below(count)).expect("a move");
            position = game.play_unchecked(&position, mv);
        }
    }
}
