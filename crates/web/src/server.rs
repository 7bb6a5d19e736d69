//! The server: it listens on this machine only, answers, and ends when it is told to.

use crate::app::{App, Limits, Shared, ended};
use crate::error::ApiError;
use crate::guard::{Rates, guard, own_hosts};
use crate::page::{Given, Page};
use crate::patient::Patient;
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
use kalahari_wire::opponents::OwnAgents;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
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
    /// Agents of your own, such as `py:agent.py`, that can be played against.
    pub agents: Vec<AgentSpec>,
    /// What clients may ask for.
    pub limits: Limits,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port cannot be had.
    #[error("cannot listen on 127.0.0.1:{port}: {problem}; another port can be named with --port")]
    Listen {
        /// The port.
        port: u16,
        /// What the system says.
        problem: std::io::Error,
    },
    /// The system refused something else.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: ServeOptions,
}

impl Server {
    /// Begins to listen on 127.0.0.1.
    pub async fn bind(options: ServeOptions) -> Result<Self, ServeError> {
        // Searches come and go for as long as it runs.
        kalahari_storage::keep_little();
        // Files are the operator's business, and their paths are not the clients'.
        kalahari_agents::listen_to_notices(|notice| {
            if notice.is_warning() {
                eprintln!("kalahari: {notice}");
            }
        });
        let port = options.port;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .map_err(|problem| ServeError::Listen { port, problem })?;
        let address = listener.local_addr()?;
        Ok(Server {
            listener,
            address,
            options,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `until` is done; then ends all connections and searches.
    pub async fn run(self, until: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server {
            listener,
            address,
            options,
        } = self;
        let port = address.port();
        let (ending, end) = watch::channel(false);
        let arena = routes::arena::open(options.store);
        let own = OwnAgents::new(options.agents);
        let meta = routes::meta::about(
            &options.limits,
            &own,
            arena.is_some(),
            options.live.is_some(),
        );
        let app = Arc::new(App {
            page: Page::new(&Given::new(meta)),
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
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(_) => {
                        // No file handles left, most likely: let some connections end.
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
            };
            if let Some(pass) = doors.enter(peer.ip()) {
                let _ = stream.set_nodelay(true);
                let stream = Patient::new(stream, unread);
                answer(stream, pass, router.clone(), end.clone());
            }
        }
        drop((listener, router, app, end));
        // Everybody who has something to finish holds a receiver. Whoever takes too long is cut off.
        ending.send_replace(true);
        let _ = tokio::time::timeout(FAREWELL, ending.closed()).await;
        Ok(())
    }
}

/// The longest a client may take to say what it wants, or stay idle.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How often memory is given back while there are searches, and once after the last.
const TIDY: Duration = Duration::from_secs(3);
/// The longest that connections may take to end with the server.
const FAREWELL: Duration = Duration::from_secs(2);
/// The longest head of a request.
const HEAD_BYTES: usize = 16 << 10;

/// Answers the requests of a connection in a task of its own.
fn answer(stream: Patient<TcpStream>, pass: Pass, router: Router, mut end: watch::Receiver<bool>) {
    // A socket keeps its pass when the connection has been handed over to it.
    let pass = Arc::new(pass);
    let carried = Arc::clone(&pass);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&carried));
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
        // A connection that breaks is the client's business.
        tokio::select! {
            _ = &mut connection => {}
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
        .route("/api/v1/openapi.json", get(openapi::openapi))
        .route("/api/v1/ws", get(socket::connect))
        .route("/", get(page::file))
        .route("/{*path}", get(page::file))
        .method_not_allowed_fallback(|| async {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            ApiError::new(status, "method", "this address has other methods")
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
