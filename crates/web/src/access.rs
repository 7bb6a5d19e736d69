//! Who may use a server that can be reached from elsewhere: its owner, and people who have the invitation.

use crate::guard::Rates;
use crate::token::Token;
use axum::http::header::{self, HeaderMap};
use kalahari_protocol::Pass;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visitor {
    /// Whether it is the person who runs the server; all others are invited.
    pub(crate) owner: bool,
    /// Where they come from, as far as that can be known.
    pub(crate) address: IpAddr,
}

/// The address of this machine that a connection came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CameTo(pub(crate) SocketAddr);

/// A connection from elsewhere over which no admitted person has asked yet. It is counted until one has.
#[derive(Debug)]
pub(crate) struct Newcomer(Mutex<Option<Pass>>);

impl Newcomer {
    /// A connection that is counted; without a pass, one that needs no counting.
    pub(crate) fn new(counted: Option<Pass>) -> Self {
        Newcomer(Mutex::new(counted))
    }

    /// An admitted person has asked.
    pub(crate) fn admit(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether no admitted person has asked yet.
    pub(crate) fn is_strange(&self) -> bool {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.is_some()
    }
}

/// A name that the server has elsewhere, such as `https://kalah.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicName {
    secure: bool,
    host: String,
}

/// Not a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a name of a host, such as kalah.example.org or http://school.local:8080")]
pub struct NotAName(String);

impl FromStr for PublicName {
    type Err = NotAName;

    /// `[https://]HOST[:PORT]`; `http://` is for networks without certificates.
    fn from_str(text: &str) -> Result<Self, NotAName> {
        let (secure, host) = match text.strip_prefix("http://") {
            Some(host) => (false, host),
            None => (true, text.strip_prefix("https://").unwrap_or(text)),
        };
        let host = host.trim_end_matches('/').to_ascii_lowercase();
        let letters = host
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || ".-:[]_".contains(c));
        match letters && !host.is_empty() && host.len() <= 253 {
            true => Ok(PublicName { secure, host }),
            false => Err(NotAName(text.to_owned())),
        }
    }
}

impl PublicName {
    /// The address of the page, without a slash at its end.
    pub(crate) fn base(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}", self.host)
    }
}

/// Who may use the server.
#[derive(Debug)]
pub(crate) struct Access {
    /// Where it listens for invited people.
    pub(crate) listens: SocketAddr,
    /// The names that it has elsewhere. If there are any, a proxy may be between us and the clients.
    pub(crate) names: Vec<PublicName>,
    pub(crate) invitation: Token,
    pub(crate) owner: Token,
    /// How often people without a good token may ask.
    strangers: Rates,
}

/// How many requests of strangers get an answer with an explanation, per second and address; eight times as many may come at once.
const STRANGERS: u32 = 2;
/// How long a browser keeps its token: a month.
const KEEP: u64 = 30 * 24 * 3_600;

impl Access {
    pub(crate) fn new(listens: SocketAddr, names: Vec<PublicName>, tokens: [Token; 2]) -> Self {
        let [invitation, owner] = tokens;
        Access {
            listens,
            names,
            invitation,
            owner,
            strangers: Rates::new(STRANGERS),
        }
    }

    /// Where invited people find the page, without a slash at its end.
    pub(crate) fn base(&self) -> String {
        match self.names.first() {
            Some(name) => name.base(),
            None => format!("http://{}", reachable(self.listens)),
        }
    }

    /// The link of the invitation.
    pub(crate) fn link(&self) -> String {
        format!("{}/invite/{}", self.base(), self.invitation.text())
    }

    /// Whether a request that came to `local` may be meant for this host.
    pub(crate) fn is_own_host(&self, host: &str, local: SocketAddr) -> bool {
        let named = self
            .names
            .iter()
            .any(|name| name.host.eq_ignore_ascii_case(host));
        named || is_address(host, local)
    }

    /// Whether an origin is one of our pages, for a request that came to `local`.
    pub(crate) fn is_own_origin(&self, origin: &str, local: SocketAddr) -> bool {
        let named = self
            .names
            .iter()
            .any(|name| name.base().eq_ignore_ascii_case(origin));
        named
            || origin
                .strip_prefix("http://")
                .is_some_and(|host| is_address(host, local))
    }

    /// Where a client comes from; behind a proxy, what the proxy says.
    pub(crate) fn address(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        if self.names.is_empty() || !peer.is_loopback() {
            return peer;
        }
        let said = headers.get_all("x-forwarded-for").iter().next_back();
        let said =
            said.and_then(|said| said.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        said.unwrap_or(peer)
    }

    /// Who asks; `None` if they have no good token. The owner needs none on this machine, unless there may be a
    /// proxy: then anyone's connection may come from this machine.
    pub(crate) fn who(&self, headers: &HeaderMap, peer: IpAddr, local: SocketAddr) -> Option<bool> {
        let local = local.ip().to_canonical();
        let hosted = self.listens.ip().to_canonical();
        let forwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
        if self.names.is_empty()
            && peer.is_loopback()
            && local.is_loopback()
            && local != hosted
            && !forwarded.iter().any(|name| headers.contains_key(*name))
        {
            return Some(true);
        }
        // If there are two, the owner's is used.
        self.tokens(headers)
            .filter_map(|token| self.token(token))
            .max()
    }

    /// Whose token it is: the owner's (true) or that of invited people (false); `None` if it is neither.
    pub(crate) fn token(&self, text: &str) -> Option<bool> {
        match (self.owner.is(text), self.invitation.is(text)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// The tokens of a request: in a cookie, or `Authorization: Bearer`.
    fn tokens<'a>(&'a self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let cookies = cookies
            .flat_map(|value| value.split(';'))
            .filter_map(move |one| {
                let (own, token) = one.trim().split_once('=')?;
                (own == name).then_some(token)
            });
        let bearer = headers.get_all(header::AUTHORIZATION).iter();
        let bearer = bearer.filter_map(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        cookies.chain(bearer).take(8)
    }

    /// Cookies are shared by all ports: without this, servers on one machine would overwrite each other's.
    fn cookie_name(&self) -> String {
        format!("kalahari_{}", self.listens.port())
    }

    /// The cookie that keeps a token. No script can read it, and no other site can use it to ask for anything.
    /// `host` is what the request was meant for: if that host has a certificate, the cookie is sent over encrypted connections only.
    pub(crate) fn cookie(&self, token: &str, host: &str) -> String {
        let name = self.cookie_name();
        let encrypted = |name: &PublicName| name.secure && name.host.eq_ignore_ascii_case(host);
        let secure = match self.names.iter().any(encrypted) {
            true => "; Secure",
            false => "",
        };
        format!("{name}={token}; Path=/; Max-Age={KEEP}; HttpOnly; SameSite=Lax{secure}")
    }

    /// Whether a stranger still gets an explanation; false if it has asked too often.
    pub(crate) fn answers_stranger(&self, address: IpAddr) -> bool {
        self.strangers.take(address, 1.0)
    }
}

/// Whether a host is the address of this machine that a connection came to.
fn is_address(host: &str, local: SocketAddr) -> bool {
    const USUAL: u16 = 80;
    let own = SocketAddr::new(local.ip().to_canonical(), local.port());
    let bare = |address: IpAddr| match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    };
    let is_localhost = [
        IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::LOCALHOST),
    ]
    .contains(&own.ip());
    let mut hosts = vec![own.to_string()];
    if is_localhost {
        hosts.push(format!("localhost:{}", own.port()));
    }
    if own.port() == USUAL {
        hosts.push(bare(own.ip()));
        if is_localhost {
            hosts.push("localhost".to_owned());
        }
    }
    hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
}

/// An address that others can use: instead of one that means all addresses of this machine, the one by which it reaches the network.
fn reachable(listens: SocketAddr) -> SocketAddr {
    if !listens.ip().is_unspecified() {
        return listens;
    }
    // Nothing is sent: the system only says which way it would go. The addresses are reserved for documentation.
    let towards = match listens {
        SocketAddr::V4(_) => "192.0.2.1:9",
        SocketAddr::V6(_) => "[2001:db8::1]:9",
    };
    let any = SocketAddr::new(listens.ip(), 0);
    let found = std::net::UdpSocket::bind(any).and_then(|socket| {
        socket.connect(towards)?;
        socket.local_addr()
    });
    match found {
        Ok(found) => SocketAddr::new(found.ip(), listens.port()),
        Err(_) => listens,
    }
}
