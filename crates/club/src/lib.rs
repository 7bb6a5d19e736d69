//! Games over the Kalah Game Protocol.
//!
//! As a host, [`practise`] and [`hold_tournament`] let connected clients play. The games are played by the arena, with clients
//! as players, and go into its store. As a client, [`visit`] lets one of our agents play at another host.

#![forbid(unsafe_code)]

mod ledger;
mod names;
mod practice;
mod tables;
mod tournament;
mod visit;

pub use ledger::Ledger;
pub use names::{Names, NamesError};
pub use practice::{Practice, practise};
pub use tables::{Club, ClubEvent, client};
pub use tournament::{
    Disqualified, Encounter, Placed, Stage, TournamentResult, TournamentSetup, hold_tournament,
};
pub use visit::{Ended, Turn, VisitEvent, VisitOptions, guest_match, visit};
