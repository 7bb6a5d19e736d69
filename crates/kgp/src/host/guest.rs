//! A connected client, and the questions it is asked.

use kalahari_protocol::kgp::{Argument, Board, Said, ServerCommand, Setting};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::sync::{Notify, mpsc};

/// The most lines that may be queued for a client.
const OUTBOX: usize = 512;

/// A connected client. Clones refer to the same client.
#[derive(Clone)]
pub struct Guest(Arc<Inner>);

struct Inner {
    name: OnceLock<Name>,
    outbox: mpsc::Sender<Outgoing>,
    last_id: AtomicU64,
    gone: AtomicBool,
    dismissed: Notify,
    talk: Mutex<Talk>,
}

/// The name of a client.
struct Name {
    text: String,
    /// Whether the client has proven that it owns the name.
    proven: bool,
}

/// An item of the queue to a client.
pub(super) enum Outgoing {
    Line(String),
    Close,
}

/// The open questions, and the time and the game that the client was told last.
#[derive(Default)]
struct Talk {
    open: HashMap<u64, Arc<Pending>>,
    time: Option<Duration>,
    game: Option<u64>,
}

/// The client has disconnected or was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the client has left")]
pub struct Gone;

/// A question to which a client may still send moves.
#[derive(Default)]
struct Pending {
    heard: Mutex<Moves>,
    news: Condvar,
}

#[derive(Clone, Copy, Default)]
struct Moves {
    last: Option<u32>,
    yielded: bool,
    gone: bool,
}

impl Pending {
    fn change(&self, change: impl FnOnce(&mut Moves)) {
        change(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner));
        self.news.notify_all();
    }
}

/// How a question ended. The moves are the numbers that the client sent: pits are counted from 1, and nothing has been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The client has said that it will find no better move.
    Yielded(Option<u32>),
    /// The time is over.
    TimeUp(Option<u32>),
    /// The client has left.
    Gone(Option<u32>),
    /// The caller has given up.
    Stopped,
}

impl Guest {
    pub(super) fn new() -> (Guest, mpsc::Receiver<Outgoing>) {
        let (outbox, lines) = mpsc::channel(OUTBOX);
        let guest = Guest(Arc::new(Inner {
            name: OnceLock::new(),
            outbox,
            last_id: AtomicU64::new(0),
            gone: AtomicBool::new(false),
            dismissed: Notify::new(),
            talk: Mutex::default(),
        }));
        (guest, lines)
    }

    /// Its name, which no other client of the host has.
    pub fn name(&self) -> &str {
        self.0.name.get().map_or("", |name| name.text.as_str())
    }

    /// Whether it has proven that it owns its name; see [`Gatekeeper`](super::Gatekeeper). Only then is it recognised when
    /// it connects again.
    pub fn is_proven(&self) -> bool {
        self.0.name.get().is_some_and(|name| name.proven)
    }

    pub(super) fn name_it(&self, text: String, proven: bool) {
        let _ = self.0.name.set(Name { text, proven });
    }

    /// Whether it is the same connection.
    pub fn is_same(&self, other: &Guest) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether it is still connected.
    pub fn is_here(&self) -> bool {
        !self.0.gone.load(Ordering::Acquire)
    }

    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.0.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a command without waiting. A client whose queue is full is dropped. Returns the line's number.
    pub(super) fn say(&self, reference: Option<u64>, command: ServerCommand) -> u64 {
        let id = self.number();
        self.say_numbered(id, reference, command);
        id
    }

    fn number(&self) -> u64 {
        self.0.last_id.fetch_add(2, Ordering::Relaxed) + 2
    }

    fn say_numbered(&self, id: u64, reference: Option<u64>, command: ServerCommand) {
        let line = Said {
            id: Some(id),
            reference,
            command,
        };
        self.put(Outgoing::Line(line.to_string()));
    }

    /// Puts something into the queue.
    pub(super) fn put(&self, what: Outgoing) {
        if self.0.outbox.try_send(what).is_err() {
            self.dismiss();
        }
    }

    /// Ends the connection.
    pub fn dismiss(&self) {
        self.0.gone.store(true, Ordering::Release);
        // The connection's task does the rest, because the caller may hold a lock that the rest needs.
        self.0.dismissed.notify_one();
    }

    /// Waits until [`dismiss`](Guest::dismiss) is called.
    pub(super) async fn dismissed(&self) {
        self.0.dismissed.notified().await;
    }

    /// Marks the client as disconnected and wakes the threads that wait for its answers.
    pub(super) fn mark_gone(&self) {
        self.0.gone.store(true, Ordering::Release);
        for pending in self.talk().open.values() {
            pending.change(|moves| moves.gone = true);
        }
    }

    /// Whether a line with this number has been sent.
    pub(super) fn has_sent(&self, id: u64) -> bool {
        id.is_multiple_of(2) && id <= self.0.last_id.load(Ordering::Relaxed)
    }

    /// Asks for a move in a position of a game. Sends the time for a move first if it has changed. Dropping the returned value
    /// sends `stop`.
    pub fn ask(&self, game: u64, board: &Board, time: Duration) -> Result<Asked, Gone> {
        if !self.is_here() {
            return Err(Gone);
        }
        let pending = Arc::new(Pending::default());
        let mut talk = self.talk();
        if talk.time.replace(time) != Some(time) {
            self.set(Setting::text("time:mode", "relative"));
            // The protocol has only whole seconds, and 0 would mean no time at all.
            if let Ok(seconds) = i64::try_from(time.as_secs().max(1)) {
                self.set(Setting {
                    option: "time:clock".to_owned(),
                    value: Argument::Integer(seconds),
                });
            }
        }
        self.set_game(&mut talk, game);
        // The client may answer before this thread runs again, so the entry is made before the line is sent.
        let id = self.number();
        talk.open.insert(id, Arc::clone(&pending));
        self.say_numbered(id, None, ServerCommand::State(board.clone()));
        drop(talk);
        if !self.is_here() {
            pending.change(|moves| moves.gone = true);
        }
        Ok(Asked {
            guest: self.clone(),
            id,
            pending,
        })
    }

    /// Tells the client how a game has ended: `won`, `lost` or `drawn`. The protocol has no command for this, but clients ignore
    /// options that they do not know.
    pub fn tell_result(&self, game: u64, result: &str) {
        let mut talk = self.talk();
        self.set_game(&mut talk, game);
        self.set(Setting::text("game:result", result));
    }

    fn set(&self, setting: Setting) {
        self.say(None, ServerCommand::Set(setting));
    }

    fn set_game(&self, talk: &mut Talk, game: u64) {
        if talk.game.replace(game) != Some(game) {
            self.set(Setting::text("game:id", game.to_string()));
        }
    }

    /// Records the client's answer to the question with this number, or to the only open question if there is no number. False if there
    /// is no such question.
    pub(super) fn answered(&self, reference: Option<u64>, mv: Option<u32>) -> bool {
        let talk = self.talk();
        let pending = match reference {
            Some(id) => talk.open.get(&id),
            None => talk.open.values().next().filter(|_| talk.open.len() == 1),
        };
        let Some(pending) = pending else {
            return false;
        };
        pending.change(|moves| match mv {
            _ if moves.yielded => {}
            Some(_) => moves.last = mv,
            None => moves.yielded = true,
        });
        true
    }
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guest({})", self.name())
    }
}

/// An open question.
#[derive(Debug)]
pub struct Asked {
    guest: Guest,
    id: u64,
    pending: Arc<Pending>,
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pending")
    }
}

/// How often a thread that waits for a move checks whether to give up.
const TICK: Duration = Duration::from_millis(50);

impl Asked {
    /// Waits until the client yields or the time is over. `look` is called regularly; it returns whether to give up.
    pub fn wait(&self, until: Instant, look: &dyn Fn() -> bool) -> Answer {
        let mut heard = self
            .pending
            .heard
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        loop {
            if heard.yielded {
                return Answer::Yielded(heard.last);
            }
            if heard.gone {
                return Answer::Gone(heard.last);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Answer::TimeUp(heard.last);
            }
            if look() {
                return Answer::Stopped;
            }
            let waited = self.pending.news.wait_timeout(heard, left.min(TICK));
            heard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.guest.talk().open.remove(&self.id);
        self.guest.say(Some(self.id), ServerCommand::Stop);
    }
}
