//! The commands of servers and clients.

use super::{Argument, Board, LineError, Message};
use std::fmt;
use std::str::FromStr;

/// A command with its own number and the number of the line that it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Said<C> {
    /// The line's own number.
    pub id: Option<u64>,
    /// The number of the line it answers.
    pub reference: Option<u64>,
    /// The command.
    pub command: C,
}

impl<C> Said<C> {
    /// A command without numbers.
    pub const fn plain(command: C) -> Self {
        Said {
            id: None,
            reference: None,
            command,
        }
    }
}

/// `set option value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The option, such as `info:name`.
    pub option: String,
    /// Its value.
    pub value: Argument,
}

impl Setting {
    /// An option that is a text.
    pub fn text(option: &str, value: impl Into<String>) -> Self {
        Setting {
            option: option.to_owned(),
            value: Argument::text(value),
        }
    }
}

/// A command of a server.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerCommand {
    /// `kgp 1 0 1`: the greeting, with the version.
    Kgp([u32; 3]),
    /// `state <board>`: asks for a move on this board.
    State(Board),
    /// `stop`: no more answers to this question are wanted.
    Stop,
    /// `ping`, perhaps with something that the answer repeats.
    Ping(Option<Argument>),
    /// `ok`: the request has been carried out. A text may follow.
    Ok(Option<String>),
    /// `error "..."`: a line was not accepted.
    Error(String),
    /// `goodbye`: the connection ends.
    Goodbye,
    /// `set option value`.
    Set(Setting),
}

/// A command of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientCommand {
    /// `mode freeplay`: what the client wants to do.
    Mode(String),
    /// `move k`: the pit to sow, counted from 1. A later `move` replaces an earlier one.
    Move(u32),
    /// `yield`: there will be no better move.
    Yield,
    /// `pong`, the answer to `ping`.
    Pong(Option<Argument>),
    /// `ok`, in case a server expects it.
    Ok(Option<String>),
    /// `error "..."`.
    Error(String),
    /// `goodbye`: the client leaves.
    Goodbye,
    /// `set option value`.
    Set(Setting),
}

/// The commands of one side, converted from and to the words of a line.
pub trait Speech: Sized {
    /// The command with this name and these arguments, or what is wrong with it.
    fn read(name: &str, arguments: Vec<Argument>) -> Result<Self, &'static str>;

    /// Its name and arguments.
    fn write(&self) -> (&'static str, Vec<Argument>);
}

const UNKNOWN: &str = "unknown command";

fn nothing<T>(arguments: &[Argument], command: T) -> Result<T, &'static str> {
    match arguments.is_empty() {
        true => Ok(command),
        false => Err("this command has no arguments"),
    }
}

fn at_most_one(arguments: Vec<Argument>) -> Result<Option<Argument>, &'static str> {
    match arguments.len() {
        0 | 1 => Ok(arguments.into_iter().next()),
        _ => Err("this command has at most one argument"),
    }
}

/// The text of `ok` and `error`. Servers write one text, or a text and more arguments.
fn words(arguments: &[Argument]) -> String {
    let words: Vec<String> = arguments.iter().map(Argument::plain).collect();
    words.join(" ")
}

fn some_words(arguments: &[Argument]) -> Option<String> {
    (!arguments.is_empty()).then(|| words(arguments))
}

fn setting(arguments: Vec<Argument>) -> Result<Setting, &'static str> {
    match <[Argument; 2]>::try_from(arguments) {
        Ok([option @ (Argument::Word(_) | Argument::Text(_)), value]) => Ok(Setting {
            option: option.plain(),
            value,
        }),
        _ => Err("set is followed by an option and a value"),
    }
}

/// Writes something that may be a word or a text as a word if possible.
fn word_or_text(text: &str) -> Argument {
    match Argument::read_all(text).as_deref() {
        Ok([word @ Argument::Word(content)]) if content == text => word.clone(),
        _ => Argument::text(text),
    }
}

fn written(setting: &Setting) -> Vec<Argument> {
    vec![word_or_text(&setting.option), setting.value.clone()]
}

fn text_of(words: &Option<String>) -> Vec<Argument> {
    words.iter().map(Argument::text).collect()
}

impl Speech for ServerCommand {
    fn read(name: &str, arguments: Vec<Argument>) -> Result<Self, &'static str> {
        match name {
            "kgp" => {
                let numbers = arguments.iter().map(|argument| match argument {
                    Argument::Integer(number) => u32::try_from(*number).ok(),
                    _ => None,
                });
                let numbers: Option<Vec<u32>> = numbers.collect();
                let version = numbers.and_then(|numbers| numbers.try_into().ok());
                let version = version.ok_or("kgp is followed by the three numbers of a version")?;
                Ok(ServerCommand::Kgp(version))
            }
            "state" => match <[Argument; 1]>::try_from(arguments) {
                Ok([Argument::Board(board)]) => Ok(ServerCommand::State(board)),
                _ => Err("state is followed by a board"),
            },
            "stop" => nothing(&arguments, ServerCommand::Stop),
            "ping" => Ok(ServerCommand::Ping(at_most_one(arguments)?)),
            "ok" => Ok(ServerCommand::Ok(some_words(&arguments))),
            "error" => Ok(ServerCommand::Error(words(&arguments))),
            "goodbye" => nothing(&arguments, ServerCommand::Goodbye),
            "set" => Ok(ServerCommand::Set(setting(arguments)?)),
            _ => Err(UNKNOWN),
        }
    }

    fn write(&self) -> (&'static str, Vec<Argument>) {
        match self {
            ServerCommand::Kgp(version) => {
                let numbers = version.map(|number| Argument::Integer(number.into()));
                ("kgp", numbers.to_vec())
            }
            ServerCommand::State(board) => ("state", vec![Argument::Board(board.clone())]),
            ServerCommand::Stop => ("stop", Vec::new()),
            ServerCommand::Ping(what) => ("ping", what.iter().cloned().collect()),
            ServerCommand::Ok(words) => ("ok", text_of(words)),
            ServerCommand::Error(words) => ("error", vec![Argument::text(words)]),
            ServerCommand::Goodbye => ("goodbye", Vec::new()),
            ServerCommand::Set(setting) => ("set", written(setting)),
        }
    }
}

impl Speech for ClientCommand {
    fn read(name: &str, arguments: Vec<Argument>) -> Result<Self, &'static str> {
        match name {
            "mode" => match <[Argument; 1]>::try_from(arguments) {
                Ok([mode @ (Argument::Word(_) | Argument::Text(_))]) => {
                    Ok(ClientCommand::Mode(mode.plain()))
                }
                _ => Err("mode is followed by its name"),
            },
            "move" => {
                let pit = match arguments.as_slice() {
                    [Argument::Integer(pit)] => u32::try_from(*pit).ok(),
                    _ => None,
                };
                let pit = pit.ok_or("move is followed by the number of a pit, from 1")?;
                Ok(ClientCommand::Move(pit))
            }
            "yield" => nothing(&arguments, ClientCommand::Yield),
            "pong" => Ok(ClientCommand::Pong(at_most_one(arguments)?)),
            "ok" => Ok(ClientCommand::Ok(some_words(&arguments))),
            "error" => Ok(ClientCommand::Error(words(&arguments))),
            "goodbye" => nothing(&arguments, ClientCommand::Goodbye),
            "set" => Ok(ClientCommand::Set(setting(arguments)?)),
            _ => Err(UNKNOWN),
        }
    }

    fn write(&self) -> (&'static str, Vec<Argument>) {
        match self {
            ClientCommand::Mode(mode) => ("mode", vec![word_or_text(mode)]),
            ClientCommand::Move(pit) => ("move", vec![Argument::Integer((*pit).into())]),
            ClientCommand::Yield => ("yield", Vec::new()),
            ClientCommand::Pong(what) => ("pong", what.iter().cloned().collect()),
            ClientCommand::Ok(words) => ("ok", text_of(words)),
            ClientCommand::Error(words) => ("error", vec![Argument::text(words)]),
            ClientCommand::Goodbye => ("goodbye", Vec::new()),
            ClientCommand::Set(setting) => ("set", written(setting)),
        }
    }
}

impl<C: Speech> TryFrom<Message> for Said<C> {
    type Error = LineError;

    fn try_from(message: Message) -> Result<Self, LineError> {
        let name = message.name;
        let command = C::read(&name, message.arguments);
        Ok(Said {
            id: message.id,
            reference: message.reference,
            command: command.map_err(|problem| LineError::new(&name, problem))?,
        })
    }
}

impl<C: Speech> FromStr for Said<C> {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        line.parse::<Message>()?.try_into()
    }
}

impl<C: Speech> fmt::Display for Said<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, arguments) = self.command.write();
        let message = Message {
            id: self.id,
            reference: self.reference,
            name: name.to_owned(),
            arguments,
        };
        message.fmt(f)
    }
}
