//! Serves an agent as an engine for other runners.

use super::session::{Say, Session};
use crate::options::most_hash;
use crate::{AgentError, AgentSpec};
use kalahari_games::isolation::IsolationRule;
use kalahari_games::{GameSpec, SpecError};
use kalahari_protocol::ugi::{Answer, Command, Declaration, Info};
use kalahari_protocol::{Line, Lines, MAX_LINE};
use std::io::{Read, Write};
use std::num::ParseIntError;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// Why an option cannot be set.
#[derive(Debug, Error)]
enum BadOption {
    #[error(transparent)]
    Game(#[from] SpecError),
    #[error("{0}: {1}")]
    Number(&'static str, ParseIntError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error("unknown option '{0}'; the options are game, hash and threads")]
    Unknown(String),
}

/// Serves an agent over the universal game interface until `quit` or the end of the input.
///
/// Searches run in another thread, so that `stop`, `isready` and queries are answered while the agent
/// thinks. Input that makes no sense is answered by an `info string` and changes nothing. Returns an error
/// if the agent cannot be made; no input has been read then.
pub fn serve(
    agent: AgentSpec,
    input: impl Read,
    output: impl Write + Send + 'static,
) -> Result<(), AgentError> {
    let output = Mutex::new(output);
    let say: Say = Arc::new(move |answer: &Answer| {
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        // A runner that has stopped reading will soon close our input, too.
        let _ = writeln!(output, "{answer}").and_then(|()| output.flush());
    });
    let mut server = Server::new(agent, say)?;
    let mut lines = Lines::new(input);
    while let Ok(Some(line)) = lines.next_line() {
        match line {
            Line::TooLong => server.complain(&format!("a line is longer than {MAX_LINE} bytes")),
            Line::Text(text) if text.trim().is_empty() => {}
            Line::Text(text) => match text.parse() {
                Ok(Command::Quit) => break,
                Ok(command) => server.obey(&command),
                Err(error) => server.complain(&error.to_string()),
            },
        }
    }
    server.session.finish();
    Ok(())
}

struct Server {
    game: GameSpec,
    agent: AgentSpec,
    session: Session,
    say: Say,
}

impl Server {
    fn new(agent: AgentSpec, say: Say) -> Result<Self, AgentError> {
        let session = |game| Session::new(game, &agent, &say);
        // An agent that does not play the default game begins with one that it plays. The runner will set the game anyway.
        let (game, session) = match session(GameSpec::default()) {
            Ok(session) => (GameSpec::default(), session),
            Err(refused) => {
                let rules = IsolationRule::ALL.into_iter();
                let mut games = rules.map(|rule| GameSpec::Isolation(rule.into()));
                let found = games.find_map(|game| Some((game, session(game).ok()?)));
                found.ok_or(refused)?
            }
        };
        Ok(Server {
            game,
            session,
            agent,
            say,
        })
    }

    fn say(&self, answer: &Answer) {
        (self.say)(answer);
    }

    fn complain(&self, problem: &str) {
        self.say(&Answer::Info(Info::message(problem)));
    }

    fn obey(&mut self, command: &Command) {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => self.say(&Answer::ReadyOk),
            Command::NewGame => self.session.new_game(),
            Command::SetOption { name, value } => {
                if let Err(problem) = self.set(name, value.as_deref().unwrap_or_default()) {
                    self.complain(&problem.to_string());
                }
            }
            Command::Position { start, moves } => {
                if let Err(problem) = self.session.set_position(start, moves) {
                    self.complain(&format!("{problem}; the position stays as it was"));
                }
            }
            Command::Go(go) => self.session.go(go),
            Command::Stop => self.session.stop(),
            Command::Query(query) => {
                let response = self.session.query(*query);
                self.say(&Answer::Response(response.to_owned()));
            }
            Command::Quit => {}
        }
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.say(&Answer::Name(format!("Kalahari {version} {}", self.agent)));
        self.say(&Answer::Author("The Kalahari authors".to_owned()));
        for (name, kind) in [
            ("game", format!("string default {}", self.game)),
            ("hash", format!("spin default 32 min 1 max {}", most_hash())),
            ("threads", "spin default 1 min 1 max 64".to_owned()),
        ] {
            let name = name.to_owned();
            self.say(&Answer::Option(Declaration { name, kind }));
        }
        self.say(&Answer::UgiOk);
    }

    /// Sets an option. An error changes nothing.
    fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        let key = name.to_ascii_lowercase();
        let size = ["hash", "threads"].into_iter().find(|size| *size == key);
        let (game, agent) = match size.filter(|_| !self.agent.kind().is_foreign()) {
            // The agent checks the range of the number.
            Some(key) => {
                let number: u32 = value.parse().map_err(|e| BadOption::Number(key, e))?;
                (self.game, self.agent.with_option(key, &number.to_string()))
            }
            None if key == "game" => (value.parse()?, self.agent.clone()),
            None => return Err(BadOption::Unknown(name.to_owned())),
        };
        if (game, &agent) != (self.game, &self.agent) {
            let session = Session::new(game, &agent, &self.say)?;
            self.session.finish();
            (self.game, self.agent, self.session) = (game, agent, session);
        }
        Ok(())
    }
}
