//! A host: it listens, lets clients in, and asks them for moves.
//!
//! Connections live on a runtime of the host's own; whoever asks is an ordinary thread. Lines to a client wait in a queue of
//! bounded length that nobody waits for: a client that does not read is dropped.

mod connection;
mod guest;

pub use guest::{Answer, Asked, Gone, Guest};

use kalahari_protocol::Doors;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// What clients may do.
#[derive(Clone, Copy, Debug)]
pub struct HostLimits {
    /// The most connections in all.
    pub connections: usize,
    /// The most connections of one address. A whole class may share one.
    pub connections_per_address: usize,
    /// Lines a second of one connection that are read, in the long run; ten times as many may come at once.
    pub lines_per_second: u32,
    /// So many lines that make no sense, and the connection is closed.
    pub nonsense: u32,
    /// How long a client may take to say what it has come for, and to show that it is still there.
    pub patience: Duration,
}

impl Default for HostLimits {
    fn default() -> Self {
        HostLimits {
            connections: 512,
            connections_per_address: 256,
            lines_per_second: 500,
            nonsense: 50,
            patience: Duration::from_secs(20),
        }
    }
}

/// Decides who comes in.
pub trait Gatekeeper: Send + Sync {
    /// Whether a client may have a name: `true` if it has shown that the name is its own, so that an older connection with
    /// that name is its own, too, and ends. It may read files and take its time.
    fn admit(&self, name: &str, token: Option<&str>) -> Result<bool, Refusal>;

    /// Whether a name is somebody's, so that nobody else is called so.
    fn is_owned(&self, name: &str) -> bool;
}

/// Why a client does not come in, in words for the client.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// Lets everybody in. Whoever comes with a name that is taken takes it over.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everybody;

impl Gatekeeper for Everybody {
    fn admit(&self, _: &str, _: Option<&str>) -> Result<bool, Refusal> {
        Ok(true)
    }

    fn is_owned(&self, _: &str) -> bool {
        false
    }
}

/// How a host is set up.
pub struct HostOptions {
    /// Where it listens; port 0 is any free one.
    pub listen: SocketAddr,
    /// What clients may do.
    pub limits: HostLimits,
    /// Who comes in.
    pub gatekeeper: Box<dyn Gatekeeper>,
}

/// A host that listens. Plain TCP and WebSockets come in by the same port. Dropping it ends all connections.
pub struct Host {
    shared: Arc<Shared>,
    address: SocketAddr,
    runtime: Option<Runtime>,
    ending: watch::Sender<bool>,
    games: AtomicU64,
}

/// What all connections share.
struct Shared {
    limits: HostLimits,
    gatekeeper: Box<dyn Gatekeeper>,
    doors: Doors,
    lobby: Mutex<Lobby>,
    changed: Condvar,
}

/// Who is here and wants to play.
#[derive(Default)]
struct Lobby {
    guests: Vec<Guest>,
    changes: u64,
}

impl Shared {
    fn lobby(&self) -> MutexGuard<'_, Lobby> {
        self.lobby.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client comes in and gets its name, with a number behind it if somebody else has it.
    fn enter(&self, guest: &Guest, name: &str, owner: bool) {
        let mut lobby = self.lobby();
        let taken =
            |lobby: &Lobby, name: &str| lobby.guests.iter().position(|other| other.name() == name);
        let mut own = name.to_owned();
        if owner && let Some(place) = taken(&lobby, name) {
            lobby.guests.remove(place).dismiss();
        }
        for number in 2.. {
            // A number must not make it a name that is somebody else's.
            if taken(&lobby, &own).is_none() && (own == name || !self.gatekeeper.is_owned(&own)) {
                break;
            }
            own = format!("{name}-{number}");
        }
        guest.name_it(own, owner);
        lobby.guests.push(guest.clone());
        lobby.changes += 1;
        drop(lobby);
        self.changed.notify_all();
    }

    fn leave(&self, guest: &Guest) {
        let mut lobby = self.lobby();
        lobby.guests.retain(|other| !other.is_same(guest));
        lobby.changes += 1;
        drop(lobby);
        self.changed.notify_all();
    }
}

impl Host {
    /// Begins to listen.
    pub fn open(options: HostOptions) -> io::Result<Host> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("kgp")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(options.listen))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            doors: Doors::new(
                options.limits.connections,
                options.limits.connections_per_address,
            ),
            limits: options.limits,
            gatekeeper: options.gatekeeper,
            lobby: Mutex::default(),
            changed: Condvar::new(),
        });
        let (ending, end) = watch::channel(false);
        runtime.spawn(listen(listener, Arc::clone(&shared), end));
        Ok(Host {
            shared,
            address,
            runtime: Some(runtime),
            ending,
            games: AtomicU64::new(0),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A number for a game that no other game of this host has.
    pub fn number_game(&self) -> u64 {
        self.games.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Who is here, in the order they came.
    pub fn guests(&self) -> Vec<Guest> {
        let lobby = self.shared.lobby();
        lobby
            .guests
            .iter()
            .filter(|guest| guest.is_here())
            .cloned()
            .collect()
    }

    /// The client of a name, if it is here.
    pub fn find(&self, name: &str) -> Option<Guest> {
        let lobby = self.shared.lobby();
        let mut guests = lobby.guests.iter();
        guests
            .find(|guest| guest.name() == name && guest.is_here())
            .cloned()
    }

    /// A client, if it is here: by the connection that we know or, if it has shown that its name is its own, by another one.
    pub fn find_again(&self, guest: &Guest) -> Option<Guest> {
        if guest.is_here() {
            return Some(guest.clone());
        }
        let another = guest.is_proven().then(|| self.find(guest.name())).flatten();
        another.filter(Guest::is_proven)
    }

    /// Waits for the client of a name. `look` is asked now and then whether to give up.
    pub fn wait_for(&self, name: &str, wait: Duration, look: &dyn Fn() -> bool) -> Option<Guest> {
        self.wait_until(&|| self.find(name), wait, look)
    }

    /// Waits for a client that may have left. Nobody waits for one that would not be known again.
    pub fn wait_for_return(
        &self,
        guest: &Guest,
        wait: Duration,
        look: &dyn Fn() -> bool,
    ) -> Option<Guest> {
        let wait = match guest.is_proven() {
            true => wait,
            false => Duration::ZERO,
        };
        self.wait_until(&|| self.find_again(guest), wait, look)
    }

    fn wait_until(
        &self,
        found: &dyn Fn() -> Option<Guest>,
        wait: Duration,
        look: &dyn Fn() -> bool,
    ) -> Option<Guest> {
        let until = Instant::now().checked_add(wait);
        loop {
            if let Some(guest) = found() {
                return Some(guest);
            }
            let left = until.map_or(TICK, |until| {
                until.saturating_duration_since(Instant::now())
            });
            if left.is_zero() || look() {
                return None;
            }
            self.wait_for_change(left.min(TICK));
        }
    }

    /// Waits until somebody comes or goes, or the time is over.
    pub fn wait_for_change(&self, most: Duration) {
        let lobby = self.shared.lobby();
        let before = lobby.changes;
        let waited = self
            .shared
            .changed
            .wait_timeout_while(lobby, most, |lobby| lobby.changes == before);
        drop(waited);
    }

    /// Says goodbye to everybody and listens no more.
    pub fn close(&mut self) {
        self.ending.send_replace(true);
        if let Some(runtime) = self.runtime.take() {
            runtime.block_on(async {
                // Everybody who has something to finish holds a receiver. Whoever takes too long is cut off.
                let _ = tokio::time::timeout(FAREWELL, self.ending.closed()).await;
            });
            runtime.shutdown_background();
        }
    }
}

/// How often somebody who waits looks up.
const TICK: Duration = Duration::from_millis(50);
/// The longest that connections may take to end with the host.
const FAREWELL: Duration = Duration::from_secs(2);

impl Drop for Host {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Host({})", self.address)
    }
}

/// Waits until the host ends.
async fn ended(end: &mut watch::Receiver<bool>) {
    // A sender that is gone means the same.
    let _ = end.wait_for(|ending| *ending).await.map(|ending| *ending);
}

/// Accepts connections until the host ends.
async fn listen(listener: TcpListener, shared: Arc<Shared>, mut end: watch::Receiver<bool>) {
    loop {
        let accepted = tokio::select! {
            () = ended(&mut end) => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            // No file handles left, most likely: let some connections end.
            tokio::time::sleep(TICK).await;
            continue;
        };
        if let Some(pass) = shared.doors.enter(peer.ip()) {
            let (shared, end) = (Arc::clone(&shared), end.clone());
            tokio::spawn(async move {
                connection::serve(stream, shared, end).await;
                drop(pass);
            });
        }
    }
}
