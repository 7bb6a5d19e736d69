//! The Kalah Game Protocol as text and values.
//!
//! Server and client exchange lines `[id][@ref] name arguments`. What a server says is a [`Said`] of a [`ServerCommand`],
//! what a client says one of a [`ClientCommand`]; both are read by `FromStr` and written by `Display`, without the line end.
//! Below them is a [`Message`]: any line that has the form, whatever its name. Nothing here knows the rules of Kalah: a
//! [`Board`] is numbers, a move is a number from 1.

mod argument;
mod board;
mod command;
mod message;

pub use crate::ugi::LineError;
pub use argument::Argument;
pub use board::Board;
pub use command::{ClientCommand, Said, ServerCommand, Setting, Speech};
pub use message::Message;

/// The longest line, its end included.
pub const LONGEST_LINE: usize = 16_384;

/// The port of servers that speak plain TCP.
pub const PORT: u16 = 2671;

/// Where a server's WebSocket is found.
pub const SOCKET_PATH: &str = "/socket";

/// The version of the protocol that is spoken here.
pub const VERSION: [u32; 3] = [1, 0, 1];
