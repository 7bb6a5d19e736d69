//! Any program that speaks the universal game interface, as a player.

use crate::{AgentError, AgentSpec};
use kalahari_games::Game;
use kalahari_protocol::ugi::{Go, Info, Score};
use kalahari_protocol::{Answered, Engine, Question, split_command};
use kalahari_search::{Agent, Limits, Report, Searchable, Task, Unit};
use std::time::Duration;

/// How long a program may think when no time limit is set at all, only a depth or nodes.
const PATIENCE: Duration = Duration::from_secs(60);

/// An external program. We keep the rules; its moves are checked and its word counts for nothing else.
pub(crate) struct UgiAgent<G> {
    game: G,
    engine: Engine,
    failure: Option<String>,
}

impl<G: Searchable> UgiAgent<G> {
    /// The program of a spec `ugi:COMMAND`. It is started at once and asked later.
    pub(crate) fn new(spec: &AgentSpec, game: &G) -> Result<Self, AgentError> {
        let command = split_command(spec.arguments()).ok_or_else(|| {
            spec.error("a command follows the colon, such as ugi:./my-agent; quotes are closed")
        })?;
        let engine = Engine::start(command, game.spec().to_string())
            .map_err(|error| spec.error(error.to_string()))?;
        Ok(UgiAgent {
            game: game.clone(),
            engine,
            failure: None,
        })
    }
}

/// The words behind `go` for these limits, and how long an answer may take. The opponent's clock is not
/// known here; it is given as our own.
fn go(limits: &Limits, mover: kalahari_games::Player) -> (Go, Duration) {
    let mut go = Go {
        movetime: limits.time.map(millis),
        depth: limits.depth,
        nodes: limits.nodes,
        infinite: limits.is_unlimited(),
        ..Go::default()
    };
    if let Some(clock) = limits.clock {
        go.time = [Some(millis(clock.remaining)); 2];
        go.increment = [Some(millis(clock.increment)); 2];
        // A clock that has run out cannot be lent to the opponent.
        let other = (!mover).index();
        go.time[other] = go.time[other].map(|time| time.max(1));
    }
    let clock = limits.clock.map(|clock| clock.remaining);
    let patience = match (limits.time, clock) {
        (Some(time), Some(clock)) => time.min(clock),
        (Some(time), None) | (None, Some(time)) => time,
        (None, None) if go.infinite => Duration::MAX,
        (None, None) => PATIENCE,
    };
    (go, patience)
}

/// Whole milliseconds, but a time that is not 0 stays so.
fn millis(time: Duration) -> u64 {
    let whole = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    whole.max(u64::from(!time.is_zero()))
}

/// Puts what an engine tells into a report, as far as it makes sense.
fn note<G: Searchable>(
    game: &G,
    position: &G::Position,
    info: &Info,
    report: &mut Report<G::Move>,
) {
    match info.score {
        Some(Score::Centi(score)) => {
            (report.value, report.unit) = (score as f64, Unit::Eval);
        }
        Some(Score::PerMille(share)) => {
            (report.value, report.unit) = (f64::from(share) / 1000.0, Unit::WinShare);
        }
        None => {}
    }
    report.depth = info.depth.unwrap_or(report.depth);
    report.nodes = info.nodes.unwrap_or(report.nodes);
    report.elapsed = info.elapsed().unwrap_or(report.elapsed);
    let line = legal_line(game, position, &info.line);
    if !line.is_empty() {
        report.best = line.first().copied();
        report.line = line;
    }
}

/// The moves of a line up to the first that may not be played.
fn legal_line<G: Game>(game: &G, start: &G::Position, words: &[String]) -> Vec<G::Move> {
    let mut position = *start;
    let mut line = Vec::new();
    for word in words {
        let Ok(mv) = word.parse::<G::Move>() else {
            break;
        };
        match game.play(&position, mv) {
            Ok(next) => position = next,
            Err(_) => break,
        }
        line.push(mv);
    }
    line
}

impl<G: Searchable> UgiAgent<G> {
    /// The move of an answer, if it is one that may be played.
    fn checked(&self, position: &G::Position, answered: &Answered) -> Result<G::Move, String> {
        let mv: G::Move = answered
            .mv
            .parse()
            .map_err(|error| format!("illegal: {error}"))?;
        match self.game.is_legal(position, mv) {
            true => Ok(mv),
            false => Err(format!("illegal: {}", self.game.why_illegal(position, mv))),
        }
    }
}

impl<G: Searchable> Agent<G> for UgiAgent<G> {
    fn think(&mut self, task: Task<'_, G>) -> Report<G::Move> {
        self.failure = None;
        let position = &task.position;
        if let Some(report) = Report::of_finished(&self.game, position) {
            return report;
        }
        let mut report = Report {
            best: None,
            value: 0.0,
            unit: Unit::Eval,
            line: Vec::new(),
            moves: Vec::new(),
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            proven: false,
        };
        let (go, patience) = go(&task.limits, self.game.to_move(position));
        let game = &self.game;
        let progress = task.progress;
        let answered = self.engine.ask(Question {
            position: &game.position_text(position),
            go,
            patience,
            wants_stop: &|| task.stop.is_requested(),
            progress: &mut |info| {
                note(game, position, info, &mut report);
                if info.depth.is_some() && report.best.is_some() {
                    progress(&report);
                }
            },
        });
        let answered = answered.map_err(|error| error.to_string());
        if let Ok(answered) = &answered {
            report.elapsed = answered.elapsed;
        }
        match answered.and_then(|answered| self.checked(position, &answered)) {
            Ok(best) => {
                if report.line.first() != Some(&best) {
                    report.line = vec![best];
                }
                report.best = Some(best);
                if task.all_moves {
                    report.moves = vec![(best, report.value)];
                }
            }
            Err(why) => {
                report.best = None;
                report.line.clear();
                self.failure = Some(why);
            }
        }
        report
    }

    fn forget(&mut self, _: u64) {
        self.failure = None;
        self.engine.begin_game();
    }

    fn is_deterministic(&self) -> bool {
        false
    }

    fn failure(&mut self) -> Option<String> {
        self.failure.take()
    }
}
