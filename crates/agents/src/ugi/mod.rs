//! The universal game interface: external programs as players here, and built-in agents as engines for other runners.

mod player;
mod server;
mod session;

pub(crate) use player::UgiAgent;
pub use server::serve;
