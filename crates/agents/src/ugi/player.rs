//! External programs as players: those that speak the universal game interface, and those that read positions and print moves.

use crate::{AgentError, AgentKind, AgentProblem, AgentSpec, AnyReport};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameKind, Player};
use kalahari_protocol::ugi::{self, Go, Info};
use kalahari_protocol::{Answered, Dialect, Engine, EngineError, Question, split_command};
use kalahari_search::{Agent, Report, Task};
use kalahari_terms::{Failure, Limits, Score, Stop, Worth};
use std::time::Duration;

/// How long a program may think when no time limit is set at all, only a depth or nodes.
const PATIENCE: Duration = Duration::from_secs(60);

/// An external program. Its moves are checked against the rules, and nothing that it claims counts as proven.
pub(crate) struct UgiAgent {
    kind: AgentKind,
    game: AnyGame,
    engine: Engine,
}

impl UgiAgent {
    /// The program of a spec `ugi:COMMAND` or `exe:COMMAND`. It is started at once, but not asked anything yet.
    pub(crate) fn new(
        spec: &AgentSpec,
        game: &AnyGame,
        dialect: Dialect,
    ) -> Result<Self, AgentError> {
        let command =
            split_command(spec.arguments()).ok_or_else(|| spec.error(AgentProblem::NoCommand))?;
        UgiAgent::of_command(spec, command, game, dialect)
    }

    /// The program that a command starts, for a spec.
    pub(crate) fn of_command(
        spec: &AgentSpec,
        command: Vec<String>,
        game: &AnyGame,
        dialect: Dialect,
    ) -> Result<Self, AgentError> {
        let engine = Engine::start(command, game.spec().to_string(), dialect);
        let engine = engine.map_err(|error| spec.error(error))?;
        Ok(UgiAgent {
            kind: spec.kind(),
            game: game.clone(),
            engine,
        })
    }
}

/// The arguments of `go` for these limits, and how long an answer may take. The opponent's clock is not
/// known here; the mover's clock is sent for both.
fn go(limits: &Limits, mover: Player) -> (Go, Duration) {
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
        // If the mover's time has run out, the opponent is still given a millisecond.
        let other = (!mover).index();
        go.time[other] = go.time[other].map(|time| time.max(1));
    }
    let patience = match limits.latest() {
        Some(time) => time,
        None if go.infinite => Duration::MAX,
        None => PATIENCE,
    };
    (go, patience)
}

/// Whole milliseconds, at least 1 unless the time is 0.
fn millis(time: Duration) -> u64 {
    let whole = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    whole.max(u64::from(!time.is_zero()))
}

/// Converts an engine's score: hundredths of a seed or a cell, a share of wins, or points. It never counts as proven.
fn score(said: ugi::WireScore, kind: GameKind, mover: Player) -> Score {
    let worth = match (said, kind) {
        (ugi::WireScore::Points(points), _) => Worth::Points(points as f64),
        (ugi::WireScore::PerMille(share), _) => Worth::Share(f64::from(share.min(1000)) / 1000.0),
        (ugi::WireScore::Centi(score), GameKind::Kalah) => Worth::Seeds(score as f64 / 100.0),
        (ugi::WireScore::Centi(score), GameKind::Isolation) => Worth::Cells(score as f64 / 100.0),
    };
    Score::estimate(mover, worth)
}

/// Copies an engine's `info` into a report, as far as it makes sense.
fn note(game: &AnyGame, position: &AnyPosition, info: &Info, report: &mut AnyReport) {
    if let Some(said) = info.score {
        report.score = score(said, game.spec().kind(), game.to_move(position));
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

/// The moves of a line before the first illegal one.
fn legal_line(game: &AnyGame, start: &AnyPosition, words: &[String]) -> Vec<AnyMove> {
    let mut position = *start;
    let mut line = Vec::new();
    for word in words {
        let Ok(mv) = game.parse_move(word) else {
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

/// Turns an engine's error into a player's failure. An engine that does not start or no longer responds has crashed; it is not
/// merely late, because more time for a move would not help.
fn failure(error: &EngineError, kind: AgentKind) -> Failure {
    let detail = error.to_string();
    match error {
        EngineError::NotStarted { awaited, .. } => {
            let word = match kind {
                AgentKind::Ugi => format!(" (waited for '{awaited}')"),
                _ => String::new(),
            };
            Failure::Crashed(format!("{detail}{word}; {SLOW_START}"))
        }
        EngineError::Stopped | EngineError::Late { .. } => Failure::TimedOut(detail),
        EngineError::NotReady { .. }
        | EngineError::Deaf
        | EngineError::Start { .. }
        | EngineError::Crashed { .. }
        | EngineError::Flooded => Failure::Crashed(detail),
    }
}

/// Advice for the author of a program that does not start.
const SLOW_START: &str =
    "let it do less before its first move, or try again when the machine is less busy";

impl UgiAgent {
    /// The move of an answer, if it is legal.
    fn checked(&self, position: &AnyPosition, answered: &Answered) -> Result<AnyMove, Failure> {
        let mv = self
            .game
            .parse_move(&answered.mv)
            .map_err(|error| Failure::Illegal(error.to_string()))?;
        match self.game.is_legal(position, mv) {
            true => Ok(mv),
            false => {
                let why = self.game.why_illegal(position, mv);
                Err(Failure::Illegal(why.to_string()))
            }
        }
    }
}

impl Agent<AnyGame> for UgiAgent {
    fn think(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        let position = &task.position;
        if let Some(report) = Report::of_finished(&self.game, position) {
            return Ok(report);
        }
        let mover = self.game.to_move(position);
        let mut report = Report {
            best: None,
            score: Score::unknown(mover),
            line: Vec::new(),
            moves: Vec::new(),
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            outlook: None,
        };
        let (go, patience) = go(&task.limits, mover);
        let game = &self.game;
        let progress = task.progress;
        let answered = self.engine.ask(Question {
            position: &game.position_text(position),
            go,
            patience,
            wants_stop: &|| task.stop.look(),
            is_move: &|word| game.parse_move(word).is_ok(),
            progress: &mut |info| {
                note(game, position, info, &mut report);
                if info.depth.is_some() && report.best.is_some() {
                    progress(&report);
                }
            },
        });
        let answered = answered.map_err(|error| failure(&error, self.kind))?;
        report.elapsed = answered.elapsed;
        let best = self.checked(position, &answered)?;
        if report.line.first() != Some(&best) {
            report.line = vec![best];
        }
        report.best = Some(best);
        if task.all_moves {
            report.moves = vec![(best, report.score)];
        }
        Ok(report)
    }

    fn forget(&mut self, _: u64) {
        self.engine.new_game();
    }

    fn get_ready(&mut self, stop: &Stop) {
        self.engine.begin_game(&|| stop.look());
    }

    fn own_name(&self) -> Option<String> {
        self.engine.name()
    }

    fn memory(&self) -> Option<u64> {
        self.engine.memory()
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}
