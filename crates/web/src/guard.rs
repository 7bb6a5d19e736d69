//! What every request has to pass: the right host, no other site behind it, not too many at once, and, from elsewhere, an
//! invitation.

use crate::access::{Access, CameTo, Newcomer, Visitor};
use crate::app::Shared;
use crate::error::ApiError;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use kalahari_protocol::Pass;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Accepts or refuses a request, and adds the headers that protect the page from other sites.
pub(crate) async fn guard(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = match admit(&app, &mut request, api) {
        Err(refusal) => *refusal,
        Ok(()) => match tokio::time::timeout(app.limits.request, next.run(request)).await {
            Ok(response) => response,
            Err(_) => ApiError::new(
                StatusCode::REQUEST_TIMEOUT,
                "timeout",
                "the request took too long",
            )
            .into_response(),
        },
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if api && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Finds out who asks, or why they are refused.
fn admit(app: &Shared, request: &mut Request, api: bool) -> Result<(), Box<Response>> {
    let extensions = request.extensions();
    let peer = extensions.get::<Arc<Pass>>().map(|pass| pass.address());
    let peer = peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into());
    let local = extensions.get().map(|CameTo(local)| *local);
    let local = local.unwrap_or((Ipv4Addr::UNSPECIFIED, 0).into());
    let headers = request.headers();
    let refuse = |error: ApiError| Box::new(error.into_response());
    check_site(app, headers, local, api).map_err(refuse)?;
    let access = app.access.as_ref();
    let address = access.map_or(peer, |access| access.address(headers, peer));
    check_rate(app, address, api).map_err(refuse)?;
    let owner = match access {
        None => true,
        Some(access) => match access.who(headers, peer, local) {
            Some(owner) => {
                if let Some(newcomer) = extensions.get::<Arc<Newcomer>>() {
                    newcomer.admit();
                }
                owner
            }
            // The address of invitations checks the token itself.
            None if is_way_in(request.uri().path()) => false,
            None => return Err(Box::new(stranger(access, address, api))),
        },
    };
    if api && !owner && !is_for_guests(request.uri().path()) {
        let refusal = ApiError::new(
            StatusCode::FORBIDDEN,
            "owner_only",
            "this is for the owner of the server",
        );
        return Err(refuse(refusal));
    }
    request.extensions_mut().insert(Visitor { owner, address });
    Ok(())
}

fn is_way_in(path: &str) -> bool {
    let token = path.strip_prefix("/invite/");
    token.is_some_and(|token| !token.contains('/'))
}

/// What invited people may ask for. Everything else is for the owner.
fn is_for_guests(path: &str) -> bool {
    const ALLOWED: [&str; 8] = [
        "meta",
        "line",
        "setup",
        "puzzles",
        "rooms",
        "invitation",
        "openapi.json",
        "ws",
    ];
    let rest = path.strip_prefix("/api/v1/").unwrap_or_default();
    let subject = rest.split('/').next().unwrap_or_default();
    ALLOWED.contains(&subject)
}

/// The answer to a visitor without an invitation.
pub(crate) fn stranger(access: &Access, address: IpAddr, api: bool) -> Response {
    if !access.answers_stranger(address) {
        return too_many().into_response();
    }
    if api {
        let message =
            "an invitation is needed: open its link, or send its token as Authorization: Bearer";
        return ApiError::new(StatusCode::UNAUTHORIZED, "no_invitation", message).into_response();
    }
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    (StatusCode::UNAUTHORIZED, kind, NO_INVITATION).into_response()
}

/// The page for people without an invitation. Their language is not known.
const NO_INVITATION: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Kalahari</title>\
    <main><h1>Kalahari</h1>\
    <p>You need an invitation: open the link, or scan the code, that you were given. Old links may have been replaced.</p>\
    <p lang=\"zh-Hant\">需要邀請：請開啟你收到的連結或掃描條碼。舊的連結可能已經失效。</p>\
    <p lang=\"de\">Du brauchst eine Einladung: öffne den Link oder scanne den Code, den du bekommen hast. Alte Links können ersetzt worden sein.</p>\
    </main></html>\n";

/// Headers of every answer.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), microphone=(), geolocation=()",
    ),
];

/// The host has to be one of ours (otherwise another site's name points to this machine), and a page that asks
/// has to be ours, too.
fn check_site(
    app: &Shared,
    headers: &HeaderMap,
    local: SocketAddr,
    api: bool,
) -> Result<(), ApiError> {
    let refuse = |message: &str| {
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            message.to_owned(),
        ))
    };
    let ours = |host: &str| match &app.access {
        Some(access) => access.is_own_host(host, local),
        None => app.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)),
    };
    let our_page = |origin: &str| match &app.access {
        Some(access) => access.is_own_origin(origin, local),
        None => origin.strip_prefix("http://").is_some_and(ours),
    };
    if !only(headers, header::HOST)?.is_some_and(ours) {
        return refuse("this server answers for its own address only: check the host");
    }
    if let Some(origin) = only(headers, header::ORIGIN)?
        && !our_page(origin)
    {
        return refuse("pages of other sites may not use this server");
    }
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if api && site.is_some_and(|site| site == b"cross-site" || site == b"same-site") {
        return refuse("pages of other sites may not use this server");
    }
    Ok(())
}

/// The only value of a header. If there were two, we might check one, and other code might use the other.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ApiError> {
    let mut values = headers.get_all(&name).iter();
    let value = values
        .next()
        .map(|value| value.to_str().unwrap_or_default());
    match values.next() {
        None => Ok(value),
        Some(_) => Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "bad_request",
            format!("the header {name} is there twice"),
        )),
    }
}

/// What browsers call a server of this machine that listens on a port. They leave the usual port out.
pub fn own_hosts(port: u16) -> Vec<String> {
    const USUAL: u16 = 80;
    let names = ["127.0.0.1", "localhost"];
    let mut hosts = names.map(|name| format!("{name}:{port}")).to_vec();
    if port == USUAL {
        hosts.extend(names.map(str::to_owned));
    }
    hosts
}

/// What a file of the page costs compared with a request: a browser asks for all files at once.
const FILE: f64 = 0.1;

fn check_rate(app: &Shared, address: IpAddr, api: bool) -> Result<(), ApiError> {
    let drops = if api { 1.0 } else { FILE };
    match app.rates.take(address, drops) {
        true => Ok(()),
        false => Err(too_many()),
    }
}

fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "too_many",
        "too many requests: try again in a second",
    )
}

/// A bucket that gains a number of drops every second; a request takes one.
#[derive(Debug)]
pub(crate) struct Bucket {
    drops: f64,
    most: f64,
    per_second: f64,
    filled: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn new(per_second: u32, most: u32) -> Self {
        Bucket {
            drops: most.into(),
            most: most.into(),
            per_second: per_second.into(),
            filled: Instant::now(),
        }
    }

    /// Takes this many drops, if they are there.
    pub(crate) fn take(&mut self, drops: f64) -> bool {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.drops = (self.drops + passed * self.per_second).min(self.most);
        self.filled = now;
        let enough = self.drops >= drops;
        if enough {
            self.drops -= drops;
        }
        enough
    }

    fn is_full(&self) -> bool {
        let passed = self.filled.elapsed().as_secs_f64();
        self.drops + passed * self.per_second >= self.most
    }
}

/// A bucket for every address that has asked lately.
#[derive(Debug)]
pub(crate) struct Rates {
    per_second: u32,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

/// The most addresses that are remembered before the quiet ones are forgotten.
const ADDRESSES: usize = 1_000;

impl Rates {
    pub(crate) fn new(per_second: u32) -> Self {
        Rates {
            per_second,
            buckets: Mutex::default(),
        }
    }

    pub(crate) fn take(&self, address: IpAddr, drops: f64) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= ADDRESSES && !buckets.contains_key(&address) {
            buckets.retain(|_, bucket| !bucket.is_full());
            if buckets.len() >= ADDRESSES {
                return false;
            }
        }
        let most = self.per_second.saturating_mul(8);
        buckets
            .entry(address)
            .or_insert_with(|| Bucket::new(self.per_second, most))
            .take(drops)
    }
}
