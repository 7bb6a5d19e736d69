//! Playing at the terminal: a full screen, or lines.
//!
//! `session` is a game in progress, `brain` a thinker, `words` and `score_text` tell what happens; none of them
//! knows how it is shown. `plain` shows it in lines (`waiting` while an agent thinks), `screen` on the whole terminal.

mod brain;
mod file;
mod pace;
mod pits;
mod plain;
pub(crate) mod score_text;
mod screen;
mod seat;
mod session;
mod stream;
mod waiting;
mod words;

pub(crate) use file::load;
pub(crate) use pace::{Pace, Speed};
pub(crate) use pits::PitsFrom;
pub(crate) use plain::Plain;
pub(crate) use screen::{App, Menu, run};
pub(crate) use seat::Seat;
pub(crate) use session::Session;
pub(crate) use stream::stream;

use brain::Brain;
use kalahari_agents::AgentError;
use kalahari_games::{AnyGame, GameSpec, Player};
use kalahari_study::Analysis;
use std::time::Duration;

/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);

/// MiB of the adviser's table.
const HASH: usize = 64;

/// The agent of a seat, if there is one.
fn agent_of(session: &Session, player: Player) -> Option<Brain> {
    let spec = session.seats[player.index()].agent()?.for_a_person();
    let game = session.game.clone();
    // The two seats of one agent must not throw the same dice.
    let rng_seed = session.rng_seed.wrapping_add(player.index() as u64);
    Some(Brain::new(Box::new(move || {
        let player = kalahari_agents::Player::new(&spec, &game, rng_seed)?;
        Ok(Box::new(player))
    })))
}

/// Who gives hints and values.
fn adviser(game: &AnyGame) -> Brain {
    let game = game.clone();
    Brain::new(Box::new(move || Ok(Box::new(Analysis::new(&game, HASH)?))))
}

/// Says what is wrong with an agent before the game begins.
pub(crate) fn check_seats(session: &Session) -> Result<(), AgentError> {
    for spec in session.seats.iter().filter_map(Seat::agent) {
        kalahari_agents::Player::new(spec, &session.game, 0)?;
    }
    Ok(())
}

/// What is printed when the user leaves an unsaved game.
fn parting_words(session: &Session) -> String {
    if !session.is_unsaved() || session.end().is_some() {
        return String::new();
    }
    let plies = session.plies().iter();
    let moves: Vec<String> = plies.map(|ply| ply.mv.to_string()).collect();
    let position = session
        .set_up_start()
        .map_or(String::new(), |text| format!(" --position \"{text}\""));
    let counted = match session.spec() {
        GameSpec::Kalah(_) => " (in it pits are counted from 0)",
        GameSpec::Isolation(_) => "",
    };
    format!(
        " The game was not over. This command shows it again{counted}:\nkalahari show {}{position} --moves \"{}\"",
        session.spec(),
        moves.join(" ")
    )
}
