//! A store as pictures and a page: how strong the players are, and what the games looked like.

mod board;
pub mod canvas;
mod csv;
mod data;
mod games;
mod heat;
mod histogram;
mod made;
mod openings;
mod page;
mod png;
mod ratings;
mod strength;
mod versions;

pub use board::{Mark, Marked, board};
pub use data::{GameData, OpeningData, PlayerData, ShownGame, gather};
pub use page::{Drawing, draw, escaped, write_pictures};
