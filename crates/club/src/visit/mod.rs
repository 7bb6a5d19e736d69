//! One of our agents as a guest of somebody else's host.
//!
//! `session.rs` is one connection, `tracker.rs` finds the games in the single questions that a host asks, `minds.rs` thinks.
//! The host may be one that makes mistakes: see `session.rs` for what is done about them.

mod minds;
mod session;
mod tracker;

pub use tracker::{Ended, Turn};

use crate::practice::match_of;
use kalahari_agents::AgentSpec;
use kalahari_arena::MatchSpec;
use kalahari_games::GameSpec;
use kalahari_kgp::{Address, CallError, call};
use kalahari_terms::Stop;
use minds::Minds;
use session::{Parting, Session};
use std::time::{Duration, Instant};

/// Who visits whom, and how.
#[derive(Clone, Debug)]
pub struct VisitOptions {
    /// Where the host is.
    pub address: Address,
    /// Who plays.
    pub agent: AgentSpec,
    /// The name to play under.
    pub name: Option<String>,
    /// What shows that the name is ours.
    pub token: Option<String>,
    /// Think while the opponent does.
    pub ponder: bool,
    /// Connect again if the server has asked nothing for this long: some hosts forget a guest that waits.
    pub quiet: Duration,
    /// Do not come back when the connection has ended.
    pub once: bool,
}

/// What happens on a visit.
#[derive(Debug)]
pub enum VisitEvent {
    /// The host has greeted us.
    Connected,
    /// There is no connection; the next try comes after a pause.
    Away {
        /// Why.
        reason: String,
        /// How long; `None` if there is no next try.
        pause: Option<Duration>,
    },
    /// The host complains about something.
    Complaint(String),
    /// We have moved.
    Moved(Box<Turn>),
    /// A game is over.
    Ended(Box<Ended>),
}

/// The first pause before a new connection, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];

/// The match that games of a visit belong to: our agent against whoever the host sends.
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

/// Plays at a host until the request to stop. `tell` hears of everything as it happens. An error comes only if there is no
/// next try.
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
