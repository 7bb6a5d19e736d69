//! Games over the Kalah Game Protocol.
//!
//! At home, [`practise`] and [`hold_tournament`] play whoever has connected to a host: games are the arena's own, with clients
//! as players, and go into its store. Abroad, [`visit`] takes one of our agents to somebody else's host.

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
