//! One of our agents as a client of another host.
//!
//! `session.rs` handles one connection, `tracker.rs` reconstructs the games from the single questions that a host asks, and
//! `minds.rs` thinks. Hosts may be faulty: see `session.rs` for what is done about it.

mod minds;
mod session;
mod tracker;

pub use tracker::{Ended, Turn};

use crate::practice::match_of;
use kalahari_agents::AgentSpec;
use kalahari_arena::MatchSpec;
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_kgp::{Address, CallError, call};
use kalahari_terms::Stop;
use minds::Minds;
use session::{Parting, Session};
use std::mem::discriminant;
use std::time::{Duration, Instant};

/// The options of a visit.
#[derive(Clone, Debug)]
pub struct VisitOptions {
    /// The address of the host.
    pub address: Address,
    /// The agent that plays.
    pub agent: AgentSpec,
    /// The name to play under.
    pub name: Option<String>,
    /// The token that proves that the name is ours.
    pub token: Option<String>,
    /// Whether to think while the opponent thinks.
    pub ponder: bool,
    /// Connect again if the host has asked nothing for this long: some hosts forget a client that waits.
    pub quiet: Duration,
    /// Do not connect again when the connection has ended.
    pub once: bool,
}

/// An event of a visit.
#[derive(Debug)]
pub enum VisitEvent {
    /// The host has greeted us.
    Connected,
    /// There is no connection; the next attempt follows after a pause.
    Away {
        /// Why there is no connection.
        reason: String,
        /// How long the pause is; `None` if there is no next attempt.
        pause: Option<Duration>,
    },
    /// The host has sent an error, or our agent has failed.
    Complaint(String),
    /// We have moved.
    Moved(Box<Turn>),
    /// A game is over.
    Ended(Box<Ended>),
}

/// The first and the longest pause before a new connection.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];

/// The match that games of a visit belong to: our agent against an opponent, or against the host if the opponent's name is empty.
/// `None` if the game is not Kalah.
pub fn guest_match(options: &VisitOptions, game: GameSpec, opponent: &str) -> Option<MatchSpec> {
    let opponent = match opponent.is_empty() {
        true => &options.address.host,
        false => opponent,
    };
    let agents = [options.agent.clone(), crate::client(opponent)];
    let mut spec = match_of(agents, game.kalah()?, Duration::ZERO, 0);
    spec.game = game;
    spec.rules = Default::default();
    Some(spec)
}

/// Whether positions of one game are positions of the other. The same rules are not enough: a host may show more seeds than the rules have, and many
/// seeds need another kind of board.
fn share_positions(one: &AnyGame, other: &AnyGame) -> bool {
    one.spec() == other.spec() && discriminant(one) == discriminant(other)
}

/// Plays at a host until a stop is requested. `tell` is called with every event. After an error there is no further attempt to
/// connect.
pub fn visit(
    options: &VisitOptions,
    stop: &Stop,
    tell: &mut dyn FnMut(VisitEvent),
) -> Result<(), CallError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|source| CallError::Connect {
        address: options.address.clone(),
        source,
    })?;
    runtime.block_on(stay(options, stop, tell))
}

async fn stay(
    options: &VisitOptions,
    stop: &Stop,
    tell: &mut dyn FnMut(VisitEvent),
) -> Result<(), CallError> {
    let mut minds = Minds::new(options.agent.clone());
    let mut pause = PAUSES[0];
    while !stop.look() {
        let reason = match call(&options.address).await {
            Err(error) if options.once => return Err(error),
            Err(error) => error.to_string(),
            Ok((reader, writer)) => {
                let session = Session::new(options, &mut minds, writer, tell);
                let Parting { reason, played } = session.run(reader, stop).await;
                if played {
                    pause = PAUSES[0];
                }
                reason
            }
        };
        if stop.look() {
            break;
        }
        let next = (!options.once).then_some(pause);
        tell(VisitEvent::Away {
            reason,
            pause: next,
        });
        let Some(now) = next else {
            break;
        };
        let until = Instant::now() + now;
        while Instant::now() < until && !stop.look() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        pause = (pause * 2).min(PAUSES[1]);
    }
    Ok(())
}
