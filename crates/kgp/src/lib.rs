//! The Kalah Game Protocol over the network.
//!
//! A [`Host`] listens, lets clients in and asks them for moves; it trusts them with nothing: neither with answering, nor with
//! reading, nor with our memory. [`call`] goes the other way: it connects to somebody else's host. Lines travel over plain TCP
//! or as the text frames of a WebSocket; what they mean is in `kalahari_protocol::kgp`. Nothing here knows the rules of a game.

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
