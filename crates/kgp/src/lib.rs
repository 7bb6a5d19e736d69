//! The Kalah Game Protocol over the network.
//!
//! A [`Host`] accepts clients and asks them for moves. It does not trust them: they may fail to answer or to read, and they
//! cannot use up our memory. [`call`] is the other direction: it connects to another host. Lines are sent over plain TCP
//! or as the text frames of a WebSocket; their meaning is defined in `kalahari_protocol::kgp`. Nothing here knows the rules of a game.

#![forbid(unsafe_code)]

mod address;
mod call;
mod host;
mod rate;
mod wire;

pub use address::{Address, AddressError, Transport};
pub use call::{CallError, call};
pub use host::{
    Answer, Asked, Everybody, Gatekeeper, Gone, Guest, Host, HostLimits, HostOptions, Refusal,
};
pub use wire::{Heard, LineReader, LineWriter};
