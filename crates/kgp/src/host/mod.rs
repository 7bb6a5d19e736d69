//! A host: it listens, accepts clients, and asks them for moves.
//!
//! Connections are handled by the host's own runtime; questions are asked from ordinary threads. Lines to a client are put into a
//! bounded queue without waiting: a client that does not read is dropped.

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

/// The limits of a host's clients.
#[derive(Clone, Copy, Debug)]
pub struct HostLimits {
    /// The most connections in all.
    pub connections: usize,
    /// The most connections from one address. A whole class may share one address.
    pub connections_per_address: usize,
    /// How many lines per second are read from a connection in the long run. Ten times as many may come at once.
    pub lines_per_second: u32,
    /// How many lines that make no sense a client may send; after one more, the connection is closed.
    pub nonsense: u32,
    /// How long a client may take to choose a mode, and how long it may be silent before it gets a `ping`. The answer may take as long
    /// again.
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

/// Decides which clients are accepted.
pub trait Gatekeeper: Send + Sync {
    /// Decides whether a client may use a name. `true` means that the client has proven that it owns the name; then an older connection
    /// with that name is closed. This may read files and may block.
    fn admit(&self, name: &str, token: Option<&str>) -> Result<bool, Refusal>;

    /// Whether a name has an owner, so that it must not be given to another client.
    fn is_owned(&self, name: &str) -> bool;
}

/// Why a client is refused, as a message to the client.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// Accepts every client. A new client takes over a name that is in use.
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

/// The options of a host.
pub struct HostOptions {
    /// The address to listen on; port 0 means any free port.
    pub listen: SocketAddr,
    /// The limits of its clients.
    pub limits: HostLimits,
    /// Decides which clients are accepted.
    pub gatekeeper: Box<dyn Gatekeeper>,
}

/// A host that listens. Plain TCP and WebSockets use the same port. Dropping it ends all connections.
pub struct Host {
    shared: Arc<Shared>,
    address: SocketAddr,
    runtime: Option<Runtime>,
    ending: watch::Sender<bool>,
    games: AtomicU64,
}

/// State that all connections share.
struct Shared {
    limits: HostLimits,
    gatekeeper: Box<dyn Gatekeeper>,
    doors: Doors,
    lobby: Mutex<Lobby>,
    changed: Condvar,
}

/// The clients that have been accepted.
#[derive(Default)]
struct Lobby {
    guests: Vec<Guest>,
    changes: u64,
}

impl Shared {
    fn lobby(&self) -> MutexGuard<'_, Lobby> {
        self.lobby.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a client and gives it its name, with a number appended if another client has that name.
    fn enter(&self, guest: &Guest, name: &str, owner: bool) {
        let mut lobby = self.lobby();
        let taken =
            |lobby: &Lobby, name: &str| lobby.guests.iter().position(|other| other.name() == name);
        let mut own = name.to_owned();
        if owner && let Some(place) = taken(&lobby, name) {
            lobby.guests.remove(place).dismiss();
        }
        for number in 2.. {
            // A name with a number must not be one that another client owns.
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
    /// Opens a host and begins to listen.
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

    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A new number for a game; no other game of this host has it.
    pub fn number_game(&self) -> u64 {
        self.games.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The connected clients, in the order in which they came.
    pub fn guests(&self) -> Vec<Guest> {
        let lobby = self.shared.lobby();
        lobby
            .guests
            .iter()
            .filter(|guest| guest.is_here())
            .cloned()
            .collect()
    }

    /// The client with this name, if it is connected.
    pub fn find(&self, name: &str) -> Option<Guest> {
        let lobby = self.shared.lobby();
        let mut guests = lobby.guests.iter();
        guests
            .find(|guest| guest.name() == name && guest.is_here())
            .cloned()
    }

    /// A client, if it is connected: by its known connection or, if it has proven that it owns its name, by a new connection.
    pub fn find_again(&self, guest: &Guest) -> Option<Guest> {
        if guest.is_here() {
            return Some(guest.clone());
        }
        let another = guest.is_proven().then(|| self.find(guest.name())).flatten();
        another.filter(Guest::is_proven)
    }

    /// Waits for the client with this name. `look` is called regularly; it returns whether to give up.
    pub fn wait_for(&self, name: &str, wait: Duration, look: &dyn Fn() -> bool) -> Option<Guest> {
        self.wait_until(&|| self.find(name), wait, look)
    }

    /// Waits for a client that may have disconnected. Does not wait for a client that could not be recognised.
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

    /// Waits until a client connects or disconnects, or the time is over.
    pub fn wait_for_change(&self, most: Duration) {
        let lobby = self.shared.lobby();
        let before = lobby.changes;
        let waited = self
            .shared
            .changed
            .wait_timeout_while(lobby, most, |lobby| lobby.changes == before);
        drop(waited);
    }

    /// Says goodbye to all clients and stops listening.
    pub fn close(&mut self) {
        self.ending.send_replace(true);
        if let Some(runtime) = self.runtime.take() {
            runtime.block_on(async {
                // Every task that has something to finish holds a receiver. Tasks that take too long are cut off.
                let _ = tokio::time::timeout(FAREWELL, self.ending.closed()).await;
            });
            runtime.shutdown_background();
        }
    }
}

/// How often a waiting thread checks whether to give up, and the pause after a failed `accept`.
const TICK: Duration = Duration::from_millis(50);
/// How long connections may take to end when the host closes.
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
    // If the sender has been dropped, the host has ended, too.
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
            // Most likely there are no file handles left: wait until some connections end.
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
