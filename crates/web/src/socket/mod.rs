//! The socket: a client asks, and gets news as it is found.

mod desk;
mod minds;
mod outbox;
mod players;
mod shelf;

use crate::access::Visitor;
use crate::app::{Shared, ended};
use crate::error::{ApiError, ApiResult};
use crate::guard::Bucket;
use crate::rooms::Watching;
use crate::routes::rooms::hall;
use crate::wire::refusals::Always;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
pub(crate) use desk::Desk;
use desk::{Guest, Job};
use futures_util::SinkExt;
use kalahari_protocol::Pass;
use kalahari_wire::frames::{Ask, AskKind, Reason, Say};
use kalahari_wire::opponents::OwnAgents;
use kalahari_wire::work::{Most, Order, Place};
pub(crate) use outbox::Outbox;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a connection looks whether its client is still there.
const TICK: Duration = Duration::from_millis(250);
/// The longest that sending one frame may take.
const SEND: Duration = Duration::from_secs(10);
/// The longest that a client may take to hang up.
const LEAVE: Duration = Duration::from_secs(1);
/// After this many invalid frames in a row, the connection is closed.
const MOST_NONSENSE: u32 = 100;

/// Analysis, moves, hints and reviews, as frames of JSON; see `API.md`.
#[utoipa::path(
    get,
    path = "/api/v1/ws",
    operation_id = "think",
    responses(
        (status = 101, description = "Frames `Ask` from the client, `Say` from the server"),
        Always
    )
)]
pub(crate) async fn connect(
    State(app): State<Shared>,
    Extension(pass): Extension<Arc<Pass>>,
    Extension(visitor): Extension<Visitor>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    // The connections of a proxy belong to many people: the visitors behind it are counted here.
    let counted = match visitor.owner {
        true => None,
        false => match app.guest_sockets.enter(visitor.address) {
            Some(counted) => Some(counted),
            None => {
                let message = "too many connections: close some windows of this page";
                return ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
                    .into_response();
            }
        },
    };
    match upgrade {
        Ok(upgrade) => upgrade
            .max_message_size(app.limits.body_bytes)
            .max_frame_size(app.limits.body_bytes)
            .on_upgrade(move |socket| async move {
                Connection::new(app, visitor).serve(socket).await;
                drop((pass, counted));
            }),
        Err(_) => ApiError::new(
            StatusCode::BAD_REQUEST,
            "bad_request",
            "this address is for a WebSocket",
        )
        .into_response(),
    }
}

/// A client's connection: at most one move and one other thought are in progress.
struct Connection {
    app: Shared,
    visitor: Visitor,
    /// A room that is watched.
    watching: Option<Watching>,
    outbox: Arc<Outbox>,
    reply: Option<Job>,
    thought: Option<Job>,
    frames: Bucket,
    nonsense: u32,
    heard: Instant,
    pinged: Instant,
    /// Dropped after the searches.
    guest: Guest,
}

/// Why a connection ends: the close code and a text.
type Goodbye = (u16, &'static str);

impl Connection {
    fn new(app: Shared, visitor: Visitor) -> Self {
        let rate = app.limits.frames_per_second;
        Connection {
            guest: app.desk.enter(),
            app,
            visitor,
            watching: None,
            outbox: Arc::default(),
            reply: None,
            thought: None,
            frames: Bucket::new(rate, rate.saturating_mul(4)),
            nonsense: 0,
            heard: Instant::now(),
            pinged: Instant::now(),
        }
    }

    /// Answers until one side ends it. Dropping the connection stops its searches.
    async fn serve(mut self, mut socket: WebSocket) {
        let mut end = self.app.end.clone();
        let mut tick = tokio::time::interval(TICK);
        let outbox = Arc::clone(&self.outbox);
        let goodbye: Option<Goodbye> = loop {
            tokio::select! {
                () = ended(&mut end) => break Some((close_code::AWAY, "the server ends")),
                frame = socket.recv() => match frame {
                    Some(Ok(message)) => if let Err(goodbye) = self.hear(message) {
                        break goodbye;
                    },
                    Some(Err(_)) => break Some((close_code::SIZE, "a frame was too long or broken")),
                    None => break None,
                },
                frame = outbox.next() => match frame {
                    Ok(frame) => {
                        self.let_go();
                        if !send(&mut socket, as_text(&frame)).await {
                            break None;
                        }
                    }
                    Err(_) => break Some((close_code::POLICY, "too many answers were not read")),
                },
                _ = tick.tick() => {
                    let ping = self.app.limits.ping;
                    if self.heard.elapsed() >= 2 * ping {
                        break Some((close_code::AWAY, "no answer to a ping"));
                    }
                    if self.pinged.elapsed() >= ping {
                        self.pinged = Instant::now();
                        if !send(&mut socket, Message::Ping(Default::default())).await {
                            break None;
                        }
                    }
                }
            }
        };
        let close = goodbye.map(|(code, reason)| CloseFrame {
            code,
            reason: reason.into(),
        });
        drop(self);
        take_leave(socket, close).await;
    }

    /// Handles a message; an error ends the connection.
    fn hear(&mut self, message: Message) -> Result<(), Option<Goodbye>> {
        self.heard = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return Err(None),
            Message::Ping(_) | Message::Pong(_) => {
                return match self.frames.take(1.0) {
                    true => Ok(()),
                    false => Err(Some((close_code::POLICY, "too many frames"))),
                };
            }
            Message::Binary(_) => {
                return Err(Some((close_code::UNSUPPORTED, "only text is understood")));
            }
        };
        if !self.frames.take(1.0) {
            return Err(Some((close_code::POLICY, "too many frames")));
        }
        match serde_json::from_str::<Ask>(&text) {
            Ok(ask) => {
                let id = ask.id;
                match self.answer(ask) {
                    Ok(()) => self.nonsense = 0,
                    Err(error) => self.refuse(Some(id), error)?,
                }
            }
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(&text);
                let id = id.ok().and_then(|ask| ask.get("id")?.as_u64());
                self.refuse(id, ApiError::bad("bad_json", error.to_string()))?;
            }
        }
        Ok(())
    }

    fn refuse(&mut self, id: Option<u64>, error: ApiError) -> Result<(), Option<Goodbye>> {
        self.nonsense += 1;
        self.outbox.put(Say::refusal(id, error.problem));
        match self.nonsense >= MOST_NONSENSE {
            true => Err(Some((close_code::POLICY, "too many frames make no sense"))),
            false => Ok(()),
        }
    }

    /// Begins what a client asks for.
    fn answer(&mut self, ask: Ask) -> ApiResult<()> {
        if ask.kind == AskKind::Watch {
            return self.watch(ask);
        }
        let limits = &self.app.limits;
        let (nobody, guests) = (OwnAgents::default(), &limits.guests);
        // Invited people start no programs, and get less time to think.
        let (own, analysis, review_per_move) = match self.visitor.owner {
            true => (&self.app.own, limits.analysis, limits.review_per_move),
            false => (&nobody, guests.analysis, guests.review_per_move),
        };
        let most = Most {
            analysis,
            review_per_move,
        };
        let task = match Order::read(ask, own, &most)? {
            Order::Stop(target) => {
                self.stop(target);
                return Ok(());
            }
            Order::Think(task) => *task,
        };
        let slot = match task.work.place() {
            Place::Move => &mut self.reply,
            Place::Thought => &mut self.thought,
        };
        if let Some(old) = slot.take() {
            old.stop(Reason::Replaced);
        }
        let counted = match self.visitor.owner {
            true => None,
            false => Some(
                self.app
                    .guest_searches
                    .enter(self.visitor.address)
                    .ok_or_else(|| {
                        let message =
                            "invited people have too many searches running: try again soon";
                        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
                    })?,
            ),
        };
        let asker = (&self.guest, &self.outbox);
        *slot = Some(self.app.desk.begin(task, asker, counted)?);
        Ok(())
    }

    /// Watches a room for the client, in place of the one watched before.
    fn watch(&mut self, ask: Ask) -> ApiResult<()> {
        let room = ask.room.unwrap_or_default();
        let hall = hall(&self.app)?;
        if let Some(watching) = &mut self.watching {
            let old = watching.id;
            if hall.watch_again(watching, &room, ask.seat.as_deref(), ask.id) {
                if old != ask.id {
                    self.outbox.put(Say::done(old, Reason::Replaced));
                }
                return Ok(());
            }
        }
        let watching = hall.watch(&room, ask.seat, ask.id, &self.outbox)?;
        if let Some(old) = self.watching.replace(watching) {
            self.outbox.put(Say::done(old.id, Reason::Replaced));
        }
        Ok(())
    }

    /// Drops searches that have sent all their frames, and their tables.
    fn let_go(&mut self) {
        for slot in [&mut self.reply, &mut self.thought] {
            slot.take_if(|job| job.is_done());
        }
    }

    /// Stops what has an id, or everything.
    fn stop(&mut self, target: Option<u64>) {
        for slot in [&mut self.reply, &mut self.thought] {
            if let Some(job) = slot.take_if(|job| target.is_none_or(|id| id == job.id)) {
                job.stop(Reason::Stopped);
            }
        }
        let watching = self
            .watching
            .take_if(|one| target.is_none_or(|id| id == one.id));
        if let Some(watching) = watching {
            self.outbox.put(Say::done(watching.id, Reason::Stopped));
        }
    }
}

/// Sends a close frame, or answers the client's, and lets the client close: if we closed while frames are unread, the
/// last frames would be lost.
async fn take_leave(mut socket: WebSocket, close: Option<CloseFrame>) {
    let leaving = async {
        let said = match close {
            Some(close) => socket.send(Message::Close(Some(close))).await,
            // The answer to a close frame is ready; it has to be sent.
            None => socket.flush().await,
        };
        if said.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    };
    let _ = tokio::time::timeout(LEAVE, leaving).await;
}

fn as_text(frame: &Say) -> Message {
    let text = serde_json::to_string(frame);
    Message::Text(text.unwrap_or_default().into())
}

/// Sends a message; false if it could not be sent in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(
        tokio::time::timeout(SEND, socket.send(message)).await,
        Ok(Ok(()))
    )
}
