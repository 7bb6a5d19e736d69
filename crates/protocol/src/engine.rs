//! External engines: starts a program, asks it for moves and ends it.

use crate::process::{Letter, Process, Scratch, Setting, from_anywhere};
use crate::ugi::{Answer, Command, Go, Info, Start};
use std::io;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long a program may take to start: to be loaded, to introduce itself and to say that it is ready. On a busy machine this
/// can take long through no fault of the program.
const START: Duration = Duration::from_secs(60);

/// A program that has used this much processor time and has not started is given up early.
const START_WORK: Duration = Duration::from_secs(10);

/// How often the processor time of a starting program is checked.
const LOOK_AT_WORK: Duration = Duration::from_millis(500);

/// How long a program that has started may take to say that it is ready.
const READY: Duration = Duration::from_secs(10);

/// How late an answer may be, and how long it may take after `stop`.
const GRACE: Duration = Duration::from_millis(500);

/// How often to check for a request to stop.
const LOOK: Duration = Duration::from_millis(4);

/// How to talk to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The universal game interface.
    Ugi,
    /// The program reads one position per line and writes one move per line. Lines that are not moves are ignored.
    Lines,
}

/// The memory limit of a program that reads lines, in bytes. Programs that speak the interface have none.
const MEMORY_OF_LINES: u64 = 4 << 30;

/// The environment variable that tells a program that reads lines which game is played.
const GAME_VARIABLE: &str = "KALAHARI_GAME";

/// Why an engine gave no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The program could not be started.
    #[error("cannot start '{program}': {reason}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It did not introduce itself in time, or was not ready in time after that.
    #[error("it did not start in {:.0} s{}", .after.as_secs_f64().ceil(), said(.junk))]
    NotStarted {
        /// The expected answer.
        awaited: &'static str,
        /// How long we waited.
        after: Duration,
        /// The last line that was not an answer.
        junk: Option<String>,
    },
    /// It had started, but was not ready in time for a later move.
    #[error("it did not get ready for the next move in {:.0} s{}", .after.as_secs_f64().ceil(), said(.junk))]
    NotReady {
        /// The expected answer.
        awaited: &'static str,
        /// How long we waited.
        after: Duration,
        /// The last line that was not an answer.
        junk: Option<String>,
    },
    /// The caller asked to stop before it was ready.
    #[error("stopped before it was ready")]
    Stopped,
    /// It did not answer in time.
    #[error("no move within {:.3} s{}", .after.as_secs_f64(), said(.junk))]
    Late {
        /// How long we waited.
        after: Duration,
        /// The last line that was not an answer.
        junk: Option<String>,
    },
    /// It ended, or closed its output.
    #[error("{how}")]
    Crashed {
        /// How it ended, and the last line that it wrote to standard error.
        how: String,
    },
    /// It printed too much.
    #[error("it printed more than 16 MiB")]
    Flooded,
    /// It does not read its input.
    #[error("it does not read its input")]
    Deaf,
}

fn said(junk: &Option<String>) -> String {
    junk.as_ref()
        .map_or_else(String::new, |junk| format!("; it said \"{junk}\""))
}

/// A question to an engine.
pub struct Question<'a> {
    /// The position, as the game writes it.
    pub position: &'a str,
    /// The limits of the search.
    pub go: Go,
    /// How long an answer may take before the engine is given up. A grace period is added.
    pub patience: Duration,
    /// Returns whether the answer is wanted at once.
    pub wants_stop: &'a dyn Fn() -> bool,
    /// Returns whether a word looks like a move. It is used for programs that may print other words, too.
    pub is_move: &'a dyn Fn(&str) -> bool,
    /// Called with every `info` that the engine sends while it thinks.
    pub progress: &'a mut dyn FnMut(&Info),
}

/// An engine's answer. It has not been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The move.
    pub mv: String,
    /// The time from `go` to the answer.
    pub elapsed: Duration,
}

/// Waiting for a program to get ready.
struct Wait<'a> {
    begin: Instant,
    /// Whether it is still starting; then it gets more time.
    starts: bool,
    /// Returns whether the caller wants to stop waiting.
    wants_stop: &'a dyn Fn() -> bool,
}

fn not_started(command: &[String], error: &io::Error) -> EngineError {
    EngineError::Start {
        program: command.first().cloned().unwrap_or_default(),
        reason: error.to_string(),
    }
}

/// An external engine for one game. If its process is found dead, it is restarted, at most once per
/// question. Dropping the engine ends the process and all its children.
pub struct Engine {
    command: Vec<String>,
    game: String,
    dialect: Dialect,
    start: Duration,
    ready: Duration,
    grace: Duration,
    process: Option<Process>,
    /// The directory in which a program that reads lines runs. It is dropped after the process.
    scratch: Option<Scratch>,
    /// Whether the process has introduced itself and knows the game.
    introduced: bool,
    begins_game: bool,
    /// Why the beginning of the game failed; it is the answer to the next question.
    failed: Option<EngineError>,
}

impl Engine {
    /// The engine that a command starts, for the game with this name. It is started at once, so that a
    /// command that does not exist is noticed. Nothing is sent to it yet.
    pub fn start(
        command: Vec<String>,
        game: impl Into<String>,
        dialect: Dialect,
    ) -> Result<Self, EngineError> {
        let (command, scratch) = match dialect {
            Dialect::Ugi => (command, None),
            Dialect::Lines => {
                let scratch = Scratch::beside(&command);
                let scratch = scratch.map_err(|error| not_started(&command, &error))?;
                (from_anywhere(command), Some(scratch))
            }
        };
        let mut engine = Engine {
            command,
            game: game.into(),
            dialect,
            start: START,
            ready: READY,
            grace: GRACE,
            process: None,
            scratch,
            introduced: false,
            begins_game: true,
            failed: None,
        };
        engine.launch()?;
        Ok(engine)
    }

    /// Changes how long it may take to start and to get ready, and how late an answer may be.
    pub fn with_patience(mut self, handshake: Duration, grace: Duration) -> Self {
        self.start = handshake;
        self.ready = handshake;
        self.grace = grace;
        self
    }

    /// What the program calls itself, once it has introduced itself.
    pub fn name(&self) -> Option<String> {
        self.process.as_ref()?.mail().name()
    }

    /// The peak memory of the program and its children, in bytes; `None` if it is not known.
    pub fn memory(&self) -> Option<u64> {
        self.process.as_ref()?.memory()
    }

    /// Declares that the next question belongs to a new game.
    pub fn new_game(&mut self) {
        self.begins_game = true;
        self.failed = None;
    }

    /// Begins a new game: restarts the engine if necessary, tells it about the new game, and waits until it is ready or `wants_stop`
    /// returns true. So none of this takes time from its first move. A failure is returned by the next question.
    pub fn begin_game(&mut self, wants_stop: &dyn Fn() -> bool) {
        self.new_game();
        self.failed = self.prepare(None, wants_stop).err();
    }

    /// Asks for a move. After an error the process has been ended; the next question starts it again.
    pub fn ask(&mut self, mut question: Question<'_>) -> Result<Answered, EngineError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let fresh = !self.introduced;
        self.prepare(Some(question.position), question.wants_stop)?;
        let mut answer = self.think(&mut question);
        let ended = matches!(answer, Err(EngineError::Crashed { .. }));
        if ended && self.dialect == Dialect::Lines && !fresh {
            // It may be a program that answers once and exits, and it had not exited yet when we checked.
            self.prepare(Some(question.position), question.wants_stop)?;
            answer = self.think(&mut question);
        }
        if answer.is_err() {
            self.process = None;
        }
        answer
    }

    fn launch(&mut self) -> Result<(), EngineError> {
        self.introduced = false;
        self.process = None;
        // Otherwise Python programs would buffer what they print.
        let variables = [
            (GAME_VARIABLE, self.game.as_str()),
            ("PYTHONUNBUFFERED", "1"),
        ];
        let process = match self.dialect {
            Dialect::Ugi => Process::start(&self.command, self.dialect, &Setting::default()),
            Dialect::Lines => {
                let setting = Setting {
                    variables: &variables,
                    memory: Some(MEMORY_OF_LINES),
                    folder: self.scratch.as_ref().map(Scratch::path),
                };
                Process::start(&self.command, self.dialect, &setting)
            }
        };
        let process = process.map_err(|error| not_started(&self.command, &error))?;
        self.process = Some(process);
        Ok(())
    }

    /// Makes sure that the engine is running, introduced and ready, and knows the position. An engine that is
    /// found dead is restarted once.
    fn prepare(
        &mut self,
        position: Option<&str>,
        wants_stop: &dyn Fn() -> bool,
    ) -> Result<(), EngineError> {
        let runs = self.process.as_ref().is_some_and(Process::is_alive);
        let mut fresh = !runs;
        if fresh {
            self.launch()?;
        }
        loop {
            // A process that has not been introduced yet counts as fresh: if it crashes, it is not restarted.
            fresh |= !self.introduced;
            match self.make_ready(position, wants_stop) {
                Ok(()) => return Ok(()),
                Err(EngineError::Crashed { .. }) if !fresh => {
                    self.launch()?;
                    fresh = true;
                }
                Err(error) => {
                    self.process = None;
                    return Err(error);
                }
            }
        }
    }

    fn make_ready(
        &mut self,
        position: Option<&str>,
        wants_stop: &dyn Fn() -> bool,
    ) -> Result<(), EngineError> {
        if self.dialect == Dialect::Lines {
            // There is no introduction in this dialect.
            self.introduced = true;
            return Ok(());
        }
        let wait = Wait {
            begin: Instant::now(),
            starts: !self.introduced,
            wants_stop,
        };
        if !self.introduced {
            self.say(&Command::Ugi)?;
            self.hear("ugiok", &Answer::UgiOk, &wait)?;
            self.say(&Command::SetOption {
                name: "game".to_owned(),
                value: Some(self.game.clone()),
            })?;
            self.introduced = true;
            self.begins_game = true;
        }
        if self.begins_game {
            self.say(&Command::NewGame)?;
            self.begins_game = false;
        }
        if let Some(position) = position {
            self.say(&Command::Position {
                start: Start::Fen(position.to_owned()),
                moves: Vec::new(),
            })?;
        }
        self.say(&Command::IsReady)?;
        self.hear("readyok", &Answer::ReadyOk, &wait)
    }

    fn think(&mut self, question: &mut Question<'_>) -> Result<Answered, EngineError> {
        if let Some(process) = &self.process {
            // Earlier unsolicited answers do not belong to this question.
            process.mail().clear();
        }
        match self.dialect {
            Dialect::Ugi => self.say(&Command::Go(question.go))?,
            Dialect::Lines => self.write(question.position)?,
        }
        let begin = Instant::now();
        let patience = question.patience.saturating_add(self.grace);
        let mut deadline = begin.checked_add(patience);
        let mut stopped = false;
        loop {
            if !stopped && (question.wants_stop)() {
                stopped = true;
                if self.dialect == Dialect::Ugi {
                    self.say(&Command::Stop)?;
                }
                let by = Instant::now() + self.grace;
                deadline = Some(deadline.map_or(by, |deadline| deadline.min(by)));
            }
            let now = Instant::now();
            let look = deadline.map_or(now + LOOK, |deadline| deadline.min(now + LOOK));
            match self.letter(look)? {
                Letter::Info(info) => (question.progress)(&info),
                Letter::Answer(Answer::BestMove(word))
                    if self.dialect == Dialect::Lines && !(question.is_move)(&word) =>
                {
                    if let Some(process) = &self.process {
                        process.mail().set_junk(word);
                    }
                }
                Letter::Answer(Answer::BestMove(mv)) => {
                    let elapsed = begin.elapsed();
                    return Ok(Answered { mv, elapsed });
                }
                Letter::Nothing if deadline.is_some_and(|deadline| now >= deadline) => {
                    return Err(EngineError::Late {
                        after: begin.elapsed(),
                        junk: self.junk(),
                    });
                }
                _ => {}
            }
            // An engine that keeps sending other lines is late, too.
            if deadline.is_some_and(|deadline| Instant::now() > deadline + self.grace) {
                return Err(EngineError::Late {
                    after: begin.elapsed(),
                    junk: self.junk(),
                });
            }
        }
    }

    /// Waits for an answer and ignores everything else.
    fn hear(
        &mut self,
        awaited: &'static str,
        answer: &Answer,
        wait: &Wait<'_>,
    ) -> Result<(), EngineError> {
        let patience = if wait.starts { self.start } else { self.ready };
        let mut deadline = wait.begin + patience;
        let mut look_at_work = wait.begin + self.ready;
        let mut stopped = false;
        loop {
            let now = Instant::now();
            if !stopped && (wait.wants_stop)() {
                // An engine that is nearly ready may still give a move at once.
                stopped = true;
                deadline = deadline.min(now + self.grace);
            }
            if now >= deadline {
                break;
            }
            if wait.starts && now >= look_at_work {
                look_at_work = now + LOOK_AT_WORK;
                let work = self.process.as_ref().and_then(Process::processor_time);
                if work.is_some_and(|work| work >= START_WORK) {
                    break;
                }
            }
            if matches!(self.letter(deadline.min(now + LOOK))?, Letter::Answer(heard) if heard == *answer)
            {
                return Ok(());
            }
        }
        let (after, junk) = (wait.begin.elapsed(), self.junk());
        Err(match (stopped, wait.starts) {
            (true, _) => EngineError::Stopped,
            (false, true) => EngineError::NotStarted {
                awaited,
                after,
                junk,
            },
            (false, false) => EngineError::NotReady {
                awaited,
                after,
                junk,
            },
        })
    }

    fn junk(&self) -> Option<String> {
        self.process.as_ref()?.mail().junk()
    }

    /// The next letter, or an error if the process has ended or printed too much.
    fn letter(&mut self, deadline: Instant) -> Result<Letter, EngineError> {
        let letter = self
            .process
            .as_ref()
            .map(|process| process.mail().take(deadline));
        match letter {
            None | Some(Letter::Closed) => Err(self.crashed()),
            Some(Letter::Flooded) => Err(EngineError::Flooded),
            Some(letter) => Ok(letter),
        }
    }

    fn say(&mut self, command: &Command) -> Result<(), EngineError> {
        self.write(&command.to_string())
    }

    fn write(&mut self, line: &str) -> Result<(), EngineError> {
        let Some(process) = &mut self.process else {
            return Err(self.crashed());
        };
        match process.write_line(line) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(EngineError::Deaf),
            // The pipe is broken. There may be an unread answer, but a dead engine has failed anyway.
            Err(_) => Err(self.crashed()),
        }
    }

    fn crashed(&mut self) -> EngineError {
        let how = self.process.take().map(Process::last_words);
        EngineError::Crashed {
            how: how.unwrap_or_else(|| "it is not running".to_owned()),
        }
    }
}
