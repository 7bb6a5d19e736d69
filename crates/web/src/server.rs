//! The server: it listens (on this machine only, unless hosting is set up), answers requests, and ends on request.

use crate::access::{Access, CameTo, Newcomer, PublicName};
use crate::app::{App, Limits, Shared, ended};
use crate::error::ApiError;
use crate::guard::{Rates, guard, own_hosts};
use crate::page::{Given, Page};
use crate::patient::Patient;
use crate::rooms::{Hall, Keep, KeepError, Kept};
use crate::socket::Desk;
use crate::{openapi, page, routes, socket};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Request, StatusCode};
use axum::routing::{get, post};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use kalahari_agents::AgentSpec;
use kalahari_arena::Live;
use kalahari_protocol::{Doors, Pass};
use kalahari_terms::{Clock, SystemClock};
use kalahari_wire::meta::Extras;
use kalahari_wire::opponents::OwnAgents;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt;
use tower_http::compression::CompressionLayer;

/// How a server is set up.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// The port; 0 is any free one.
    pub port: u16,
    /// A store of matches that may be looked at.
    pub store: Option<PathBuf>,
    /// Games that are played now and may be watched.
    pub live: Option<Live>,
    /// Additional agents to play against, such as `py:agent.py`.
    pub agents: Vec<AgentSpec>,
    /// What clients may ask for.
    pub limits: Limits,
    /// Whether people elsewhere may be invited.
    pub hosting: Option<Hosting>,
}

/// How a server can be reached from elsewhere. People there need the token of an invitation.
#[derive(Clone, Debug)]
pub struct Hosting {
    /// The address of this machine to listen on.
    pub host: IpAddr,
    /// What the server is called elsewhere, for example by a proxy; the first one is in the invitations. With any, the owner needs
    /// a link, too.
    pub names: Vec<PublicName>,
    /// The file that keeps the invitation and the games of people.
    pub keep: PathBuf,
    /// Whether a new invitation takes the place of the old one.
    pub renew: bool,
}

/// Why a server cannot start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port cannot be used.
    #[error("cannot listen on {address}: {problem}; another port can be named with --port")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        problem: std::io::Error,
    },
    /// Invitations and rooms cannot be kept.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// The system refused something else.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    /// The last one is the owner's.
    listeners: Vec<TcpListener>,
    address: SocketAddr,
    options: ServeOptions,
    hosted: Option<(Access, Hall)>,
}

impl Server {
    /// Begins to listen, on 127.0.0.1 and, for invited people, on the address that is named.
    pub async fn bind(options: ServeOptions) -> Result<Self, ServeError> {
        // Searches come and go as long as the server runs, so memory is given back early.
        kalahari_storage::keep_little();
        // Notices about files go to the operator; clients do not learn their paths.
        kalahari_agents::listen_to_notices(|notice| {
            if notice.is_warning() {
                eprintln!("kalahari: {notice}");
            }
        });
        let host = options.hosting.as_ref().map(|hosting| hosting.host);
        let listeners = listen(host, options.port).await?;
        let first = listeners.first().map(TcpListener::local_addr).transpose()?;
        let mut address = listeners
            .last()
            .map_or(Ok(none()), TcpListener::local_addr)?;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        let hosted = match &options.hosting {
            Some(hosting) => {
                let opened = Keep::open(&hosting.keep, hosting.renew, SystemClock.now())?;
                let (
                    keep,
                    Kept {
                        invitation,
                        owner,
                        rooms,
                    },
                ) = opened;
                let tokens = [invitation, owner];
                let names = hosting.names.clone();
                let access = Access::new(first.unwrap_or(address), names, tokens);
                Some((access, Hall::new(keep, tokens, rooms)))
            }
            None => None,
        };
        Ok(Server {
            listeners,
            address,
            options,
            hosted,
        })
    }

    /// Where its owner finds it.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens for invited people.
    pub fn hosted(&self) -> Option<SocketAddr> {
        self.hosted.as_ref().map(|(access, _)| access.listens)
    }

    /// The link of the invitation for people elsewhere.
    pub fn invitation(&self) -> Option<String> {
        self.hosted.as_ref().map(|(access, _)| access.link())
    }

    /// The link for the owner of the server. It holds a token only where one is needed.
    pub fn owner_link(&self) -> String {
        let page = format!("http://{}/", self.address);
        match &self.hosted {
            Some((access, _)) if !access.names.is_empty() || access.listens == self.address => {
                format!("{page}invite/{}", access.owner.text())
            }
            _ => page,
        }
    }

    /// Answers until `until` is done; then ends all connections and searches.
    pub async fn run(self, until: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server {
            listeners,
            address,
            options,
            hosted,
        } = self;
        let port = address.port();
        let (ending, end) = watch::channel(false);
        let arena = routes::arena::open(options.store);
        let own = OwnAgents::new(options.agents);
        let extras = Extras {
            arena: arena.is_some(),
            live: options.live.is_some(),
            rooms: hosted.is_some(),
        };
        let given = |owner| Given::new(routes::meta::about(&options.limits, &own, extras, owner));
        let page = match hosted {
            Some(_) => Page::new(&given(true), Some(&given(false))),
            None => Page::new(&given(true), None),
        };
        let (access, hall) = match hosted {
            Some((access, hall)) => (Some(access), Some(Arc::new(hall))),
            None => (None, None),
        };
        let keeping = hall.clone().map(|hall| tokio::spawn(hall.keep_changes()));
        let ticking = hall.clone().map(|hall| tokio::spawn(look_at_clocks(hall)));
        let listens = access.as_ref().map(|access| access.listens);
        let guests = &options.limits.guests;
        // The connections of a proxy belong to many people.
        let proxied = access
            .as_ref()
            .is_some_and(|access| !access.names.is_empty());
        let of_address = match proxied {
            true => guests.connections,
            false => guests.connections_per_address,
        };
        let outer_doors = Doors::new(guests.connections, of_address);
        let newcomers = Doors::new(
            guests.connections / 2,
            of_address.min(match proxied {
                true => guests.connections / 2,
                false => NEWCOMERS,
            }),
        );
        // Some places stay free for the owner, who may come the same way.
        let sockets = guests.connections - guests.connections / OWNER_PART;
        let guest_sockets = Doors::new(sockets, guests.connections_per_address);
        let app = Arc::new(App {
            page,
            access,
            hall: hall.clone(),
            guest_sockets,
            guest_searches: Doors::new(guests.searches, guests.searches_per_address),
            own,
            live: options.live,
            end: end.clone(),
            desk: Desk::default(),
            hosts: own_hosts(port),
            rates: Rates::new(options.limits.requests_per_second),
            arena,
            limits: options.limits,
        });
        let router = router(Arc::clone(&app));
        let doors = Doors::new(app.limits.connections, app.limits.connections_per_address);
        let unread = app.limits.unread;
        let mut tidying = tokio::time::interval(TIDY);
        tokio::pin!(until);
        loop {
            let (stream, peer) = tokio::select! {
                () = &mut until => break,
                _ = tidying.tick() => {
                    let app = Arc::clone(&app);
                    tokio::task::spawn_blocking(move || app.desk.tidy());
                    continue;
                }
                accepted = accept(&listeners) => match accepted {
                    Ok(accepted) => accepted,
                    Err(_) => {
                        // No file handles left, most likely: let some connections end.
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
            };
            let Ok(local) = stream.local_addr() else {
                continue;
            };
            let own = local.ip().to_canonical();
            let inside = listens.is_none_or(|listens| own.is_loopback() && own != listens.ip());
            let doors = if inside { &doors } else { &outer_doors };
            let peer = peer.ip().to_canonical();
            let newcomer = match inside {
                true => Newcomer::new(None),
                false => match newcomers.enter(peer) {
                    Some(counted) => Newcomer::new(Some(counted)),
                    None => continue,
                },
            };
            if let Some(pass) = doors.enter(peer) {
                let _ = stream.set_nodelay(true);
                let stream = Patient::new(stream, unread);
                let from = (pass, newcomer, local);
                answer(stream, from, router.clone(), end.clone());
            }
        }
        drop((listeners, router, app, end));
        // Every task that has something to finish holds a receiver. One that takes too long is cut off.
        ending.send_replace(true);
        let _ = tokio::time::timeout(FAREWELL, ending.closed()).await;
        for task in [keeping, ticking].into_iter().flatten() {
            task.abort();
        }
        if let Some(hall) = hall {
            let _ = tokio::task::spawn_blocking(move || hall.write()).await;
        }
        Ok(())
    }
}

/// Looks at the clocks of people's games, again and again, until it is dropped. New connections do not wait for it.
async fn look_at_clocks(hall: Arc<Hall>) {
    let mut ticking = tokio::time::interval(TICK);
    ticking.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticking.tick().await;
        hall.tick();
    }
}

const fn none() -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0)
}

/// Listens on an address for invited people, and for the owner on this machine, unless the address includes that, too.
async fn listen(host: Option<IpAddr>, port: u16) -> Result<Vec<TcpListener>, ServeError> {
    let bind = async |address: SocketAddr| {
        let listener = TcpListener::bind(address).await;
        listener.map_err(|problem| ServeError::Listen { address, problem })
    };
    let own = IpAddr::from(Ipv4Addr::LOCALHOST);
    let Some(host) = host else {
        return Ok(vec![bind((own, port).into()).await?]);
    };
    /// Any free port has to be free on both addresses.
    const TRIES: usize = 20;
    let mut tries = 0;
    loop {
        tries += 1;
        let outer = bind((host, port).into()).await?;
        if host.is_unspecified() || host == own {
            return Ok(vec![outer]);
        }
        let found = outer.local_addr()?.port();
        match bind((own, found).into()).await {
            Ok(inner) => return Ok(vec![outer, inner]),
            Err(error) if port != 0 || tries >= TRIES => return Err(error),
            Err(_) => {}
        }
    }
}

/// The next connection to any of them.
async fn accept(listeners: &[TcpListener]) -> std::io::Result<(TcpStream, SocketAddr)> {
    match listeners {
        [outer, inner] => tokio::select! {
            accepted = outer.accept() => accepted,
            accepted = inner.accept() => accepted,
        },
        [only] => only.accept().await,
        _ => std::future::pending().await,
    }
}

/// The longest a client may take to say what it wants, or stay idle.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// The longest that a connection from elsewhere may take until an admitted person has asked over it.
const NEWCOMER_TIME: Duration = Duration::from_secs(5);
/// The most connections of one address over which no admitted person has asked yet.
const NEWCOMERS: usize = 32;
/// The sockets of invited people leave one place in this many free.
const OWNER_PART: usize = 20;
/// How often memory is given back while there are searches, and once after the last.
const TIDY: Duration = Duration::from_secs(3);
/// How often the clocks of people's games are looked at.
const TICK: Duration = Duration::from_millis(100);
/// The longest that connections may take to end with the server.
const FAREWELL: Duration = Duration::from_secs(2);
/// The longest head of a request.
const HEAD_BYTES: usize = 16 << 10;

/// Answers the requests of a connection in a separate task.
fn answer(
    stream: Patient<TcpStream>,
    (pass, newcomer, local): (Pass, Newcomer, SocketAddr),
    router: Router,
    mut end: watch::Receiver<bool>,
) {
    // A socket keeps its pass when the connection has been handed over to it.
    let pass = Arc::new(pass);
    let carried = Arc::clone(&pass);
    let newcomer = Arc::new(newcomer);
    let asking = Arc::clone(&newcomer);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&carried));
        request.extensions_mut().insert(Arc::clone(&asking));
        request.extensions_mut().insert(CameTo(local));
        router.clone().oneshot(request.map(axum::body::Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::spawn(async move {
        tokio::pin!(connection);
        let too_long = async {
            tokio::time::sleep(NEWCOMER_TIME).await;
            if !newcomer.is_strange() {
                std::future::pending::<()>().await;
            }
        };
        // A connection that breaks needs no message: only its client is affected.
        tokio::select! {
            _ = &mut connection => {}
            () = too_long => {}
            () = ended(&mut end) => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
        drop(pass);
    });
}

/// The way from a path to its handler.
fn router(app: Shared) -> Router {
    Router::new()
        .route("/api/v1/meta", get(routes::meta::meta))
        .route("/api/v1/line", post(routes::line::line))
        .route("/api/v1/setup", post(routes::setup::setup))
        .route("/api/v1/puzzles", get(routes::puzzles::list))
        .route("/api/v1/puzzles/{id}", get(routes::puzzles::one))
        .route("/api/v1/puzzles/{id}/try", post(routes::puzzles::attempt))
        .route("/api/v1/arena", get(routes::arena::overview))
        .route("/api/v1/arena/matches/{id}", get(routes::arena::games))
        .route("/api/v1/arena/plots/{name}", get(routes::arena::plot))
        .route("/api/v1/live", get(routes::live::games))
        .route("/api/v1/rooms", post(routes::rooms::open))
        .route("/api/v1/rooms/{id}", get(routes::rooms::one))
        .route("/api/v1/rooms/{id}/seat", post(routes::rooms::sit))
        .route("/api/v1/rooms/{id}/move", post(routes::rooms::play))
        .route("/api/v1/rooms/{id}/deed", post(routes::rooms::act))
        .route("/api/v1/invitation", get(routes::invite::invitation))
        .route("/invite/{token}", get(routes::invite::enter))
        .route("/api/v1/openapi.json", get(openapi::openapi))
        .route("/api/v1/ws", get(socket::connect))
        .route("/", get(page::file))
        .route("/{*path}", get(page::file))
        .method_not_allowed_fallback(|| async {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            ApiError::new(
                status,
                "method",
                "this method is not allowed at this address",
            )
        })
        .fallback(|| async { ApiError::not_found("there is nothing here") })
        .layer(DefaultBodyLimit::max(app.limits.body_bytes))
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(&app),
            guard,
        ))
        .layer(CompressionLayer::new())
        .with_state(app)
}
