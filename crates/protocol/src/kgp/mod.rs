//! The Kalah Game Protocol as text and values.
//!
//! Server and client exchange lines `[id][@ref] name arguments`. A line from a server is a [`Said`] with a [`ServerCommand`],
//! a line from a client one with a [`ClientCommand`]. Both are read by `FromStr` and written by `Display`, without the line end.
//! Both are built on [`Message`]: any line of this form, with any command name. Nothing here knows the rules of Kalah: a
//! [`Board`] is a list of numbers, and a move is a number from 1.

mod argument;
mod board;
mod command;
mod message;

pub use crate::ugi::LineError;
pub use argument::Argument;
pub use board::Board;
pub use command::{ClientCommand, Said, ServerCommand, Setting, Speech};
pub use message::Message;

/// The longest line in bytes, including its end.
pub const LONGEST_LINE: usize = 16_384;

/// The port of servers that speak plain TCP.
pub const PORT: u16 = 2671;

/// The path of a server's WebSocket.
pub const SOCKET_PATH: &str = "/socket";

/// The version of the protocol that is implemented here.
pub const VERSION: [u32; 3] = [1, 0, 1];
