//! The server as a browser sees it, and as an attacker does.

mod arena;
mod common;
mod hosted;
mod hostile;
mod http;
mod live;
mod load;
mod others;
mod puzzles;
mod rooms;
mod socket;
