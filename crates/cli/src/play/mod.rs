//! Playing at the terminal: a full screen, or lines.
//!
//! `session` is a game under way, `thinker` an agent in a thread, `words` tells what happens; none of them
//! knows how it is shown. `plain` shows it in lines, `screen` on the whole terminal.

mod analyst;
mod file;
mod pace;
mod plain;
mod rulebook;
mod screen;
mod seat;
mod session;
mod stream;
mod thinker;
mod words;
mod worth;

pub(crate) use file::load;
pub(crate) use pace::{Pace, Speed};
pub(crate) use plain::Plain;
pub(crate) use screen::{App, Menu, run};
pub(crate) use seat::Seat;
pub(crate) use session::Session;
pub(crate) use stream::stream;

use kalahari_agents::{AgentError, AgentSpec};
use kalahari_games::{GameSpec, Player, Totals};
use kalahari_search::{SearchVisitor, Searchable};
use std::sync::LazyLock;
use std::time::Duration;
use thinker::Thinker;

/// Who gives hints and values.
static ANALYST: LazyLock<AgentSpec> =
    LazyLock::new(|| "engine".parse().expect("the engine is an agent"));

/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(1);

/// How long a level may think, though its name sets a depth only: on large boards that has no end.
const PATIENCE: &str = "10s";

/// The agent of a seat in its thread, if there is one.
fn thinker_of(session: &Session, player: Player) -> Option<Thinker> {
    let spec = session.seats[player.index()].agent()?;
    let patient = match spec.name() {
        "level" if spec.options().all(|(key, _)| key != "time") => {
            spec.with_option("time", PATIENCE)
        }
        _ => spec.clone(),
    };
    // The two seats of one agent must not throw the same dice.
    let seed = session.seed.wrapping_add(player.index() as u64);
    Some(Thinker::new(patient, session.rules, seed))
}

/// Says what is wrong with an agent before anybody sits down.
pub(crate) fn check_agent(spec: &AgentSpec, game: GameSpec) -> Result<(), AgentError> {
    struct Check<'a>(&'a AgentSpec);
    impl SearchVisitor for Check<'_> {
        type Output = Result<(), AgentError>;
        fn visit<G: Searchable>(self, game: G) -> Self::Output {
            kalahari_agents::Player::new(self.0, &game, 0).map(drop)
        }
    }
    kalahari_search::visit(game, Totals::Exact, Check(spec))
}

/// What is said about a game nobody has saved when its board is left.
fn parting_words(session: &Session) -> String {
    if !session.is_unsaved() || session.end().is_some() {
        return String::new();
    }
    let moves: Vec<&str> = session.plies().iter().map(|ply| ply.mv.as_str()).collect();
    let position = session
        .set_up_start()
        .map_or(String::new(), |text| format!(" --position \"{text}\""));
    format!(
        " The game was not over; its moves are kept in this line:\nkalahari show {}{position} --moves \"{}\"",
        session.rules.spec(),
        moves.join(" ")
    )
}
