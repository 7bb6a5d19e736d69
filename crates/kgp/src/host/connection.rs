//! One connection of a client, from beginning to end.

use super::guest::{Guest, Outgoing};
use super::{HostLimits, Shared, ended};
use crate::rate::Allowance;
use crate::wire::{Heard, LineReader, LineWriter, frame_limits, frames, plain};
use kalahari_protocol::kgp::{
    ClientCommand, Message, SOCKET_PATH, Said, ServerCommand, Setting, VERSION,
};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio_tungstenite::accept_hdr_async_with_config;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};

/// A client that has sent nothing for this long is treated as one that speaks plain TCP, not HTTP.
const SNIFF: Duration = Duration::from_millis(300);
/// How long a WebSocket handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long it may take to send a line.
const SEND: Duration = Duration::from_secs(10);
/// How long it may take to send the last lines.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often timeouts are checked.
const TICK: Duration = Duration::from_millis(250);

/// Serves a client until the client leaves, the host closes or the client is dismissed.
pub(super) async fn serve(stream: TcpStream, shared: Arc<Shared>, mut end: watch::Receiver<bool>) {
    let Some((mut reader, writer)) = transport(stream).await else {
        return;
    };
    let (guest, lines) = Guest::new();
    let mut writing = tokio::spawn(write(lines, writer, guest.clone()));
    guest.say(None, ServerCommand::Kgp(VERSION));
    let mut visit = Visit::new(guest, shared);
    let mut tick = tokio::time::interval(TICK);
    let ended: Option<&str> = loop {
        // Lines of a client that sends too many are read more slowly.
        let may_speak = visit.allowance.has_one(Instant::now());
        let going_on = tokio::select! {
            () = ended(&mut end) => break None,
            () = visit.guest.dismissed() => break None,
            heard = reader.next(), if may_speak => match heard {
                Ok(Heard::End) | Err(_) => break None,
                Ok(heard) => visit.hear(heard).await,
            },
            _ = tick.tick() => visit.look_at_clock(),
        };
        if let Err(reason) = going_on {
            break reason;
        }
    };
    visit.shared.leave(&visit.guest);
    visit.guest.mark_gone();
    if let Some(reason) = ended {
        let error = ServerCommand::Error(reason.to_owned());
        visit.guest.say(None, error);
    }
    visit.guest.say(None, ServerCommand::Goodbye);
    visit.guest.put(Outgoing::Close);
    if tokio::time::timeout(FAREWELL, &mut writing).await.is_err() {
        writing.abort();
    }
}

/// Finds out whether a client speaks plain TCP or uses a WebSocket.
async fn transport(stream: TcpStream) -> Option<(LineReader, LineWriter)> {
    stream.set_nodelay(true).ok()?;
    let mut first = [0; 4];
    let sniffed = tokio::time::timeout(SNIFF, stream.peek(&mut first)).await;
    match sniffed {
        Ok(Err(_) | Ok(0)) => return None,
        Ok(Ok(count)) if b"GET ".starts_with(&first[..count]) => {}
        Ok(Ok(_)) | Err(_) => return Some(plain(Box::new(stream))),
    }
    #[expect(clippy::result_large_err, reason = "the library's own type")]
    let at_path = |request: &Request, response: Response| {
        if request.uri().path() == SOCKET_PATH {
            return Ok(response);
        }
        let mut refusal = ErrorResponse::new(Some(format!("the WebSocket is at {SOCKET_PATH}\n")));
        *refusal.status_mut() = tokio_tungstenite::tungstenite::http::StatusCode::NOT_FOUND;
        Err(refusal)
    };
    let stream: crate::wire::AnyBytes = Box::new(stream);
    let socket = accept_hdr_async_with_config(stream, at_path, Some(frame_limits()));
    match tokio::time::timeout(HANDSHAKE, socket).await {
        Ok(Ok(socket)) => Some(frames(socket)),
        _ => None,
    }
}

/// Sends the lines in the queue. A client that does not receive a line in time is dropped.
async fn write(mut lines: mpsc::Receiver<Outgoing>, mut writer: LineWriter, guest: Guest) {
    while let Some(Outgoing::Line(line)) = lines.recv().await {
        let sent = tokio::time::timeout(SEND, writer.line(&line)).await;
        if !matches!(sent, Ok(Ok(()))) {
            guest.dismiss();
            return;
        }
    }
    let _ = tokio::time::timeout(FAREWELL, writer.close()).await;
}

/// The state of a client's connection.
struct Visit {
    guest: Guest,
    shared: Arc<Shared>,
    name: String,
    token: Option<String>,
    /// Whether it has chosen a mode and was admitted.
    inside: bool,
    begin: Instant,
    heard: Instant,
    pinged: bool,
    allowance: Allowance,
    nonsense: u32,
}

/// Why a connection ends: the text of an `error` before `goodbye`, if any.
type Goodbye = Option<&'static str>;

impl Visit {
    fn new(guest: Guest, shared: Arc<Shared>) -> Self {
        let now = Instant::now();
        Visit {
            guest,
            allowance: Allowance::new(shared.limits.lines_per_second, now),
            shared,
            name: String::new(),
            token: None,
            inside: false,
            begin: now,
            heard: now,
            pinged: false,
            nonsense: 0,
        }
    }

    fn limits(&self) -> &HostLimits {
        &self.shared.limits
    }

    /// Handles a line; an error ends the connection.
    async fn hear(&mut self, heard: Heard) -> Result<(), Goodbye> {
        let now = Instant::now();
        self.heard = now;
        self.pinged = false;
        self.allowance.spend();
        let line = match heard {
            Heard::Line(line) => line,
            _ => return self.complain(None, "the line is too long"),
        };
        if line.is_empty() {
            return Ok(());
        }
        match line.parse::<Said<ClientCommand>>() {
            Ok(said) => self.understand(said).await,
            Err(error) => {
                let id = line.parse::<Message>().ok().and_then(|message| message.id);
                self.complain(id, &error.problem)
            }
        }
    }

    /// Tells the client that a line makes no sense. If this happens too often, the connection ends.
    fn complain(&mut self, id: Option<u64>, problem: &str) -> Result<(), Goodbye> {
        self.nonsense += 1;
        if self.nonsense > self.limits().nonsense {
            return Err(Some("too many lines make no sense"));
        }
        self.guest.say(id, ServerCommand::Error(problem.to_owned()));
        Ok(())
    }

    async fn understand(&mut self, said: Said<ClientCommand>) -> Result<(), Goodbye> {
        let Said {
            id,
            reference,
            command,
        } = said;
        match command {
            ClientCommand::Mode(mode) => return self.begin(id, &mode).await,
            ClientCommand::Set(setting) => self.set(setting),
            ClientCommand::Move(_) | ClientCommand::Yield => {
                let mv = match command {
                    ClientCommand::Move(pit) => Some(pit),
                    _ => None,
                };
                let late =
                    |reference: Option<u64>| reference.is_some_and(|id| self.guest.has_sent(id));
                // A late answer is ignored without an error.
                if !self.guest.answered(reference, mv) && !late(reference) {
                    return self.complain(id, "No state associated with id");
                }
            }
            ClientCommand::Goodbye => return Err(None),
            ClientCommand::Pong(_) | ClientCommand::Ok(_) | ClientCommand::Error(_) => {}
        }
        Ok(())
    }

    /// Sets an option. Name and token can be set only before the mode; other options are ignored.
    fn set(&mut self, Setting { option, value }: Setting) {
        match option.as_str() {
            "info:name" if !self.inside => self.name = clean(&value.plain()),
            "auth:token" if !self.inside => {
                let token = value.plain();
                self.token = Some(token).filter(|token| !token.is_empty());
            }
            _ => {}
        }
    }

    async fn begin(&mut self, id: Option<u64>, mode: &str) -> Result<(), Goodbye> {
        if self.inside {
            return self.complain(id, "the mode has already been chosen");
        }
        if mode != "freeplay" {
            self.guest
                .say(id, ServerCommand::Error("Unsupported mode".to_owned()));
            return Err(None);
        }
        let name = match self.name.is_empty() {
            true => "anonymous".to_owned(),
            false => self.name.clone(),
        };
        let (shared, asked, token) = (Arc::clone(&self.shared), name.clone(), self.token.take());
        // This may read a file and compute a hash.
        let admitted =
            tokio::task::spawn_blocking(move || shared.gatekeeper.admit(&asked, token.as_deref()));
        match admitted.await {
            Ok(Ok(owner)) => {
                self.inside = true;
                self.guest.say(id, ServerCommand::Ok(None));
                self.shared.enter(&self.guest, &name, owner);
                Ok(())
            }
            Ok(Err(refusal)) => {
                self.guest.say(id, ServerCommand::Error(refusal.0));
                Err(None)
            }
            Err(_) => Err(Some("the server failed to check your name")),
        }
    }

    /// Pings a silent client, and fails if the client has been silent or without a mode for too long.
    fn look_at_clock(&mut self) -> Result<(), Goodbye> {
        let patience = self.limits().patience;
        if !self.inside && self.begin.elapsed() >= patience {
            return Err(Some("Requested no mode"));
        }
        let silent = self.heard.elapsed();
        if self.pinged && silent >= 2 * patience {
            return Err(Some("received no pong"));
        }
        if !self.pinged && silent >= patience {
            self.pinged = true;
            self.guest.say(None, ServerCommand::Ping(None));
        }
        Ok(())
    }
}

/// A name as it is stored: shortened, and characters that could garble a list, a spec or a page are replaced.
fn clean(name: &str) -> String {
    const LONGEST: usize = 40;
    let fits =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '+' | '(' | ')');
    let name: String = name.trim().chars().take(LONGEST).collect();
    let name: String = name
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn names_are_cleaned() {
        assert_eq!(clean(" Ada (v1.2) "), "Ada (v1.2)");
        assert_eq!(clean("a,b=c:d\n<script>"), "a_b_c_d__script_");
        assert_eq!(clean(&"x".repeat(100)).len(), 40);
        assert_eq!(clean("\n\t "), "");
    }
}
