//! The server as a browser, and as somebody with bad intentions, sees it.

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
