//! The universal game interface: programs of others as our players, and our players for other runners.

mod player;
mod server;
mod session;

pub(crate) use player::UgiAgent;
pub use server::serve;
