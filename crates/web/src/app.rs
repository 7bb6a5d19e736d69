//! What all requests share.

use crate::access::Access;
use crate::arena::Arena;
use crate::guard::Rates;
use crate::page::Page;
use crate::rooms::Hall;
use crate::socket::Desk;
use kalahari_arena::Live;
use kalahari_protocol::Doors;
use kalahari_wire::opponents::OwnAgents;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// What clients may ask for.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest body or frame, in bytes.
    pub body_bytes: usize,
    /// The longest that a request may take.
    pub request: Duration,
    /// The most connections of one address.
    pub connections_per_address: usize,
    /// The most connections in all.
    pub connections: usize,
    /// Requests a second of one address, in the long run; eight times as many may come at once.
    pub requests_per_second: u32,
    /// Frames a second of one connection, in the long run; four times as many may come at once.
    pub frames_per_second: u32,
    /// The longest analysis of one position.
    pub analysis: Duration,
    /// The longest a review may think about one move.
    pub review_per_move: Duration,
    /// How long a client may leave an answer unread.
    pub unread: Duration,
    /// How often a connection is pinged; it has the same time to answer.
    pub ping: Duration,
    /// What invited people may ask for.
    pub guests: GuestLimits,
}

/// What invited people may ask for, where the server can be reached from elsewhere. The rest is for the owner.
#[derive(Clone, Debug)]
pub struct GuestLimits {
    /// The most connections from elsewhere of one address.
    pub connections_per_address: usize,
    /// The most connections from elsewhere in all.
    pub connections: usize,
    /// The most searches of one address, running or waiting.
    pub searches_per_address: usize,
    /// The most searches of all of them, running or waiting.
    pub searches: usize,
    /// The longest analysis of one position.
    pub analysis: Duration,
    /// The longest a review may think about one move.
    pub review_per_move: Duration,
}

impl Default for GuestLimits {
    fn default() -> Self {
        GuestLimits {
            connections_per_address: 128,
            connections: 400,
            searches_per_address: 16,
            searches: 48,
            analysis: Duration::from_secs(60),
            review_per_move: Duration::from_millis(500),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 64 << 10,
            request: Duration::from_secs(10),
            connections_per_address: 256,
            connections: 512,
            requests_per_second: 100,
            frames_per_second: 20,
            analysis: Duration::from_secs(600),
            review_per_move: Duration::from_secs(2),
            unread: Duration::from_secs(10),
            ping: Duration::from_secs(20),
            guests: GuestLimits::default(),
        }
    }
}

/// What all requests share.
pub(crate) struct App {
    pub(crate) limits: Limits,
    /// Who may use the server, if it can be reached from elsewhere; without it, everyone on this machine may.
    pub(crate) access: Option<Access>,
    /// The rooms of people, where there are any.
    pub(crate) hall: Option<Arc<Hall>>,
    /// The sockets of invited people, counted by where they come from.
    pub(crate) guest_sockets: Doors,
    /// Counts the searches of invited people.
    pub(crate) guest_searches: Doors,
    /// The hosts that a server for this machine only answers for, such as `localhost:8080`.
    pub(crate) hosts: Vec<String>,
    pub(crate) rates: Rates,
    /// The operator's store of matches.
    pub(crate) arena: Option<Arc<Arena>>,
    /// Programs of the owner.
    pub(crate) own: OwnAgents,
    /// Games that are played now, if this program plays any.
    pub(crate) live: Option<Live>,
    /// The files of the page.
    pub(crate) page: Page,
    /// Where searches are made.
    pub(crate) desk: Desk,
    /// True when the server ends.
    pub(crate) end: watch::Receiver<bool>,
}

/// The shared one.
pub(crate) type Shared = Arc<App>;

/// Waits until the server ends.
pub(crate) async fn ended(end: &mut watch::Receiver<bool>) {
    // A sender that was dropped means the same.
    let _ = end.wait_for(|ending| *ending).await.map(|ending| *ending);
}
