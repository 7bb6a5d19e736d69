//! A store as pictures and a page: who is how strong, and what the games looked like.

pub mod canvas;
mod data;
mod histogram;
mod made;
mod openings;
mod page;
mod png;
mod ratings;
mod strength;

pub use data::{GameData, OpeningData, PlayerData, gather};
pub use page::{Drawing, draw, write_pictures};
