//! The options of a step: those of its command.

use super::{ExperimentError, StepKind, string};
use crate::Cli;
use clap::{Arg, ArgAction, Command, CommandFactory};
use toml::{Table, Value};

/// Options that `run` itself decides.
const RESERVED: [&str; 5] = ["csv", "json", "help", "dry-run", "no-tables"];

/// Who plays, in every command that has agents.
const AGENTS: &str = "agents";

/// Two games.
const PAIRS: &str = "pairs";
const GAMES: &str = "games";

/// The options that a step can have.
pub(super) struct Options {
    kind: StepKind,
    command: Command,
}

/// How an option is written on a command line.
enum Place {
    /// `--key=VALUE`.
    Flag,
    /// `--key`.
    Switch,
    /// A word without a key.
    Word,
}

impl Options {
    pub(super) fn of(kind: StepKind) -> Self {
        let mut command = Cli::command();
        for word in kind.command() {
            let inner = command.find_subcommand(word).cloned();
            // Steps have the names of commands; a test checks that.
            command = inner.unwrap_or_default();
        }
        Options { kind, command }
    }

    fn place(&self, key: &str) -> Option<Place> {
        if RESERVED.contains(&key) {
            return None;
        }
        let argument = |found: &&Arg| name(found) == key;
        let argument = self.command.get_arguments().find(argument)?;
        Some(match argument.get_action() {
            ArgAction::SetTrue => Place::Switch,
            _ if argument.is_positional() => Place::Word,
            _ => Place::Flag,
        })
    }

    /// Whether there is such a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.place(key).is_some() || self.is_ours(key)
    }

    /// Whether a key is our own and stands for options of the command.
    fn is_ours(&self, key: &str) -> bool {
        (key == AGENTS || key == PAIRS) && self.kind.plays_games()
    }

    /// All keys there are, in words.
    fn known(&self) -> String {
        let mut known: Vec<String> = Vec::new();
        if self.kind.plays_games() {
            known.extend([AGENTS, PAIRS].map(str::to_owned));
        }
        let arguments = self.command.get_arguments();
        for name in arguments.map(name).filter(|name| self.has(name)) {
            let is_player = self.kind == StepKind::Match && ["first", "second"].contains(&&*name);
            if !known.contains(&name) && !is_player {
                known.push(name);
            }
        }
        known.join(", ")
    }

    /// The command line of a step: options that all steps share, its own options, and then words without a key.
    pub(super) fn arguments(
        &self,
        names: &Table,
        shared: &Table,
        own: Table,
    ) -> Result<Vec<String>, ExperimentError> {
        let step = self.kind.name();
        if let Some(key) = own.keys().find(|key| !self.has(key)) {
            return Err(ExperimentError::NoSuchKey {
                step,
                key: key.clone(),
                known: self.known(),
            });
        }
        if own.contains_key(GAMES) && own.contains_key(PAIRS) {
            return Err(ExperimentError::GamesAndPairs(step));
        }
        let mut all = Table::new();
        for (key, value) in shared.iter().filter(|(key, _)| self.has(key)) {
            let is_games = key == GAMES || key == PAIRS;
            if !(is_games && (own.contains_key(GAMES) || own.contains_key(PAIRS))) {
                all.insert(key.clone(), value.clone());
            }
        }
        all.extend(own);
        if self.kind == StepKind::Tournament && !all.contains_key(AGENTS) {
            let everybody = names.keys().cloned().map(Value::String);
            all.insert(AGENTS.to_owned(), Value::Array(everybody.collect()));
        }
        let mut line: Vec<String> = self
            .kind
            .command()
            .iter()
            .map(|word| (*word).to_owned())
            .collect();
        let mut words = Vec::new();
        let makes_ladder = all.contains_key("make-ladder");
        for (key, value) in all {
            let (key, value) = match (key.as_str(), value) {
                (PAIRS, Value::Integer(pairs)) => {
                    (GAMES.to_owned(), Value::Integer(pairs.saturating_mul(2)))
                }
                (PAIRS, _) => return Err(ExperimentError::value(&key, "a whole number")),
                (_, value) => (key, value),
            };
            let place = self.place(&key);
            match (&place, &value) {
                (Some(Place::Switch), Value::Boolean(on)) => {
                    line.extend(on.then(|| format!("--{key}")));
                    continue;
                }
                (Some(Place::Switch), _) => {
                    let wanted = "true or false, without quotes";
                    return Err(ExperimentError::value(&key, wanted));
                }
                (Some(Place::Flag), Value::Array(list)) if list.is_empty() => {
                    let wanted = "an empty list, which says nothing; leave the line out";
                    return Err(ExperimentError::value(&key, wanted));
                }
                _ => {}
            }
            let mut texts = texts(&key, value)?;
            for text in &mut texts {
                // A review looks for the names themselves.
                let spec = names.get(text.as_str());
                if let Some(spec) = spec.filter(|_| self.kind != StepKind::Review) {
                    let spec = string(text, spec.clone())?;
                    *text = match self.kind.takes_names() {
                        true => format!("{text}={spec}"),
                        false => spec,
                    };
                }
            }
            match place {
                Some(Place::Flag) => {
                    line.extend(texts.iter().map(|text| format!("--{key}={text}")))
                }
                _ => words.extend(texts),
            }
        }
        let wanted = match self.kind {
            StepKind::Match if words.len() != 2 => {
                Some("two agents, such as agents = [\"mybot.py\", \"level:2\"]")
            }
            StepKind::Tournament if words.is_empty() => {
                Some("agents, such as agents = [\"bots\", \"level:2\"], or a table [agents]")
            }
            StepKind::Rate if words.is_empty() && !makes_ladder => {
                Some("an agent, such as agent = \"mybot.py\"")
            }
            _ => None,
        };
        if let Some(wanted) = wanted {
            return Err(ExperimentError::Missing { step, wanted });
        }
        if !words.is_empty() {
            line.push("--".to_owned());
            line.extend(words);
        }
        Ok(line)
    }
}

/// What an argument is called in a file: its flag, or its own name if it has none.
fn name(argument: &Arg) -> String {
    match argument.get_long() {
        Some(long) => long.to_owned(),
        None => argument.get_id().as_str().to_owned(),
    }
}

/// The texts of a value; a list has several.
fn texts(key: &str, value: Value) -> Result<Vec<String>, ExperimentError> {
    Ok(match value {
        Value::String(text) => vec![text],
        Value::Integer(number) => vec![number.to_string()],
        Value::Float(number) => vec![number.to_string()],
        Value::Boolean(on) => vec![on.to_string()],
        Value::Array(list) => {
            let mut all = Vec::new();
            for value in list {
                all.push(string(key, value)?);
            }
            all
        }
        Value::Datetime(_) | Value::Table(_) => {
            let wanted = "a text, a number, true or false, or a list of texts";
            return Err(ExperimentError::value(key, wanted));
        }
    })
}
