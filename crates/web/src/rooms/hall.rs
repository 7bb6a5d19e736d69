//! All rooms: who may open one, who gets news of it, and when it is removed.

use crate::error::{ApiError, ApiResult};
use crate::rooms::keep::{self, Keep};
use crate::rooms::room::{Deed, Room, Seat};
use crate::socket::Outbox;
use crate::token::{NoChance, Token, letters};
use crate::wire::rooms::{NewRoom, Seated, Side};
use axum::http::StatusCode;
use kalahari_games::Player;
use kalahari_terms::{Clock, SystemClock};
use kalahari_wire::room::RoomView;
use kalahari_wire::{Problem, WireResult, line};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// The most rooms.
const MOST_ROOMS: usize = 200;
/// The most rooms that were opened from one address.
const MOST_OF_ADDRESS: usize = 20;
/// The most connections that watch one room.
const MOST_WATCHERS: usize = 200;
/// An empty room whose game has not begun or is over is removed after this time.
const IDLE: Duration = Duration::from_secs(3_600);
/// An empty room whose game has begun and is not over is removed after this time.
const IDLE_GAME: Duration = Duration::from_secs(48 * 3_600);
/// A room of another address whose game is over may be removed to make room for a new one after this time.
const QUIET: Duration = Duration::from_secs(5 * 60);
/// How often watchers get news of a room in which nothing happens, so that they know that they are still connected.
const EVERY: Duration = Duration::from_secs(4);
/// Arrivals and departures are reported no more often than this, however often people come and go.
const COMING: Duration = Duration::from_millis(200);
/// When changes could not be written, how long until that is tried again.
const RETRY: Duration = Duration::from_secs(3);
/// After a restart, how long a clock waits for its player to come back.
const GRACE: Duration = Duration::from_secs(30);

/// All rooms of a server.
#[derive(Debug)]
pub(crate) struct Hall {
    inside: Mutex<Inside>,
    clock: SystemClock,
    keep: Keep,
    tokens: [Token; 2],
    /// Notified when something has to be written.
    changed: Notify,
    /// The number of the last change that has been written.
    written: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Inside {
    rooms: HashMap<String, Entry>,
    /// Counts the changes that are worth writing.
    changes: u64,
    last_watcher: u64,
}

#[derive(Debug)]
struct Entry {
    room: Room,
    /// The address of the invited person who opened it; `None` for the owner, and after a restart.
    by: Option<IpAddr>,
    watchers: Vec<Watcher>,
    /// When news last went to all watchers.
    told: Duration,
    /// When news last went to the watchers that were owed some.
    paid: Duration,
    /// Whether a watcher has come or gone since then.
    came_or_went: bool,
}

#[derive(Debug)]
struct Watcher {
    number: u64,
    /// The id of the request.
    id: u64,
    /// The secret of a seat.
    seat: Option<String>,
    outbox: Arc<Outbox>,
    /// Whether it has to get the present state of the room.
    owed: bool,
}

/// A watcher of a room; dropping it ends the watching.
#[derive(Debug)]
pub(crate) struct Watching {
    pub(crate) id: u64,
    hall: Arc<Hall>,
    room: String,
    number: u64,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut inside = self.hall.lock();
        let now = self.hall.clock.now();
        if let Some(entry) = inside.rooms.get_mut(&self.room) {
            entry.watchers.retain(|one| one.number != self.number);
            entry.owe_everybody(now);
        }
    }
}

impl Entry {
    /// A room without watchers.
    fn new(room: Room, by: Option<IpAddr>, now: Duration) -> Self {
        Entry {
            room,
            by,
            watchers: Vec::new(),
            told: now,
            paid: Duration::ZERO,
            came_or_went: false,
        }
    }

    fn here(&self) -> [bool; 2] {
        Player::BOTH.map(|player| {
            let seat = self.room.seats[player.index()].as_ref();
            let is = |one: &Watcher| {
                one.seat
                    .as_deref()
                    .is_some_and(|text| seat.is_some_and(|seat| seat.token.is(text)))
            };
            self.watchers.iter().any(is)
        })
    }

    fn view(&self, seat: Option<&str>, now: Duration) -> RoomView {
        let looks_on = |one: &&Watcher| {
            one.seat
                .as_deref()
                .and_then(|seat| self.room.player(seat))
                .is_none()
        };
        let watching = self.watchers.iter().filter(looks_on).count();
        self.room.view(seat, self.here(), watching, now)
    }

    /// Sends the present state to all watchers.
    fn tell(&mut self, now: Duration) {
        self.told = now;
        self.watchers.iter_mut().for_each(|one| one.owed = true);
        self.pay(now);
    }

    /// A watcher has come or gone: all watchers get news of it soon.
    fn owe_everybody(&mut self, now: Duration) {
        self.watchers.iter_mut().for_each(|one| one.owed = true);
        self.came_or_went = true;
        self.pay_in_time(now);
    }

    /// Sends the news that is owed, unless news was sent a moment ago: then the next tick does it.
    fn pay_in_time(&mut self, now: Duration) {
        let owed = self.watchers.iter().any(|one| one.owed);
        if owed && now.saturating_sub(self.paid) >= COMING {
            self.room.version = self.room.version.saturating_add(self.came_or_went.into());
            self.pay(now);
        }
    }

    /// Sends the present state to all watchers that are owed it. The frames are made once.
    fn pay(&mut self, now: Duration) {
        (self.paid, self.came_or_went) = (now, false);
        if self.watchers.is_empty() {
            return;
        }
        let looks_on = Arc::new(self.view(None, now));
        let plays = Player::BOTH.map(|player| {
            let mut view = RoomView::clone(&looks_on);
            view.you = Some(player.into());
            Arc::new(view)
        });
        let room = &self.room;
        for one in self.watchers.iter_mut().filter(|one| one.owed) {
            one.owed = false;
            let player = one.seat.as_deref().and_then(|seat| room.player(seat));
            let view = player.map_or(&looks_on, |player| &plays[player.index()]);
            one.outbox.put_room(one.id, Arc::clone(view));
        }
    }
}

impl Hall {
    /// A hall with the rooms that were kept. Clocks wait a little for their players.
    pub(crate) fn new(keep: Keep, tokens: [Token; 2], kept: Vec<Room>) -> Self {
        let clock = SystemClock;
        let now = clock.now();
        let entries = kept.into_iter().map(|mut room| {
            room.let_clock_run(now, now + GRACE);
            let entry = Entry::new(room, None, now);
            (entry.room.name.clone(), entry)
        });
        let inside = Inside {
            rooms: entries.collect(),
            ..Inside::default()
        };
        Hall {
            inside: Mutex::new(inside),
            clock,
            keep,
            tokens,
            changed: Notify::new(),
            written: watch::Sender::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a room and takes a seat in it; `by` is the address of an invited person.
    pub(crate) async fn open(&self, by: Option<IpAddr>, wanted: NewRoom) -> ApiResult<Seated> {
        let game = line::game(&wanted.game)?;
        if let Some(clock) = wanted.clock
            && !((1..=180).contains(&clock.minutes) && clock.increment <= 60)
        {
            let problem = Problem::new(
                "bad_request",
                "a clock has 1 to 180 minutes and adds at most 60 seconds",
            );
            return Err(problem.at("clock").into());
        }
        let name = letters::<12>().map_err(no_chance)?;
        let name = String::from_utf8_lossy(&name).into_owned();
        let lot = letters::<1>().map_err(no_chance)?[0] % 2;
        let first = match wanted.side {
            Side::First => true,
            Side::Second => false,
            Side::Either => lot == 0,
        };
        let player = if first { Player::First } else { Player::Second };
        let token = Token::new().map_err(no_chance)?;
        let (view, change) = {
            let mut inside = self.lock();
            let now = self.clock.now();
            inside.make_room(by, now)?;
            let mut room = Room::new(name.clone(), game, wanted.clock, now);
            room.sit(Some(player), Seat::new(token, &wanted.name), now)?;
            let entry = Entry::new(room, by, now);
            let view = entry.view(Some(token.text()), now);
            inside.rooms.insert(name, entry);
            inside.changes += 1;
            (view, inside.changes)
        };
        self.keep_change(change).await;
        Ok(Seated {
            seat: token.text().to_owned(),
            view,
        })
    }

    /// Takes the free seat of a room.
    pub(crate) async fn sit(&self, room: &str, name: &str) -> ApiResult<Seated> {
        let token = Token::new().map_err(no_chance)?;
        let seat = Seat::new(token, name);
        let view = self
            .change(room, Some(token.text()), |room, now| {
                room.sit(None, seat, now).map(|_| true)
            })
            .await?;
        Ok(Seated {
            seat: token.text().to_owned(),
            view,
        })
    }

    /// Plays a move for the owner of a seat.
    pub(crate) async fn play(
        &self,
        room: &str,
        seat: &str,
        at: (u32, usize),
        mv: &str,
    ) -> ApiResult<RoomView> {
        self.change(room, Some(seat), |room, now| room.play(seat, at, mv, now))
            .await
    }

    /// Does something else for the owner of a seat.
    pub(crate) async fn act(
        &self,
        room: &str,
        seat: &str,
        round: u32,
        deed: Deed,
    ) -> ApiResult<RoomView> {
        self.change(room, Some(seat), |room, now| {
            room.act(seat, round, deed, now)
        })
        .await
    }

    /// A room as a person who only watches sees it.
    pub(crate) fn look(&self, room: &str) -> ApiResult<RoomView> {
        let inside = self.lock();
        let entry = inside.rooms.get(room).ok_or_else(no_room)?;
        Ok(entry.view(None, self.clock.now()))
    }

    /// Begins to watch a room; the first news is its present state.
    pub(crate) fn watch(
        self: &Arc<Self>,
        room: &str,
        seat: Option<String>,
        id: u64,
        outbox: &Arc<Outbox>,
    ) -> ApiResult<Watching> {
        let mut inside = self.lock();
        let now = self.clock.now();
        inside.last_watcher += 1;
        let number = inside.last_watcher;
        let entry = inside.rooms.get_mut(room).ok_or_else(no_room)?;
        if entry.watchers.len() >= MOST_WATCHERS {
            return Err(ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "too many people are watching",
            ));
        }
        let player = seat.as_deref().and_then(|seat| entry.room.player(seat));
        if let (Some(player), Some(clock)) = (player, &mut entry.room.clock) {
            clock.wait_no_longer(player, now);
        }
        let outbox = Arc::clone(outbox);
        entry.watchers.push(Watcher {
            number,
            id,
            seat,
            outbox,
            owed: true,
        });
        entry.room.touched = now;
        entry.owe_everybody(now);
        Ok(Watching {
            id,
            hall: Arc::clone(self),
            room: room.to_owned(),
            number,
        })
    }

    /// Continues to watch a room, with a seat or without, under another request's id; false if it was
    /// another room or seat, or the room is gone. Other watchers get no news of it.
    pub(crate) fn watch_again(
        &self,
        watching: &mut Watching,
        room: &str,
        seat: Option<&str>,
        id: u64,
    ) -> bool {
        let mut inside = self.lock();
        let now = self.clock.now();
        let Some(entry) = inside.rooms.get_mut(room) else {
            return false;
        };
        let mut watchers = entry.watchers.iter_mut();
        let own = watchers.find(|one| one.number == watching.number && one.seat.as_deref() == seat);
        let Some(own) = own else {
            return false;
        };
        (own.id, own.owed) = (id, true);
        watching.id = id;
        entry.room.touched = now;
        entry.pay_in_time(now);
        true
    }

    /// Changes a room, sends the news to all watchers, and waits until the change is written.
    async fn change(
        &self,
        name: &str,
        seat: Option<&str>,
        change: impl FnOnce(&mut Room, Duration) -> WireResult<bool>,
    ) -> ApiResult<RoomView> {
        let (view, change) = {
            let mut inside = self.lock();
            let now = self.clock.now();
            let entry = inside.rooms.get_mut(name).ok_or_else(no_room)?;
            let was_over = entry.room.end.is_some();
            let changed = change(&mut entry.room, now);
            // A refused move may still have found that the time is up.
            let ended = !was_over && entry.room.end.is_some();
            let worth_writing = ended || matches!(changed, Ok(true));
            if worth_writing {
                entry.room.touched = now;
                entry.room.version = entry.room.version.saturating_add(1);
                entry.tell(now);
            }
            let view = changed.map(|_| entry.view(seat, now));
            inside.changes += u64::from(worth_writing);
            // A repeated request may not be written yet: the answer waits for that, too.
            let answered = worth_writing || view.is_ok();
            (view, answered.then_some(inside.changes))
        };
        if let Some(change) = change {
            self.keep_change(change).await;
        }
        Ok(view?)
    }

    /// Checks all clocks, sends news to watchers that have got none for a while, and removes idle rooms.
    pub(crate) fn tick(&self) {
        let mut inside = self.lock();
        let now = self.clock.now();
        let mut changes = 0;
        inside.rooms.retain(|_, entry| {
            if entry.room.check_late(now) {
                changes += 1;
                entry.room.version = entry.room.version.saturating_add(1);
                entry.tell(now);
            } else if !entry.watchers.is_empty() && now.saturating_sub(entry.told) >= EVERY {
                entry.tell(now);
            } else {
                entry.pay_in_time(now);
            }
            let stays = !entry.is_idle(now);
            changes += u64::from(!stays);
            stays
        });
        if changes > 0 {
            inside.changes += changes;
            self.changed.notify_one();
        }
    }

    /// Waits until a change is written, with all that came before it.
    async fn keep_change(&self, change: u64) {
        let mut written = self.written.subscribe();
        if *written.borrow() < change {
            self.changed.notify_one();
        }
        let _ = written
            .wait_for(|written| *written >= change)
            .await
            .map(|written| *written);
    }

    /// Writes what has changed, again and again, until it is dropped. Changes that come while the file is written are written together.
    /// What could not be written is tried again after a while.
    pub(crate) async fn keep_changes(self: Arc<Self>) {
        let mut unwritten = false;
        loop {
            let changed = self.changed.notified();
            match unwritten {
                true => drop(tokio::time::timeout(RETRY, changed).await),
                false => changed.await,
            }
            let hall = Arc::clone(&self);
            let written = tokio::task::spawn_blocking(move || hall.write()).await;
            let written = written.unwrap_or(false);
            if unwritten && written {
                eprintln!("kalahari: the games of people can be saved again");
            }
            unwritten = !written;
        }
    }

    /// Writes everything as it is now; false if that failed.
    pub(crate) fn write(&self) -> bool {
        let (text, changes) = {
            let inside = self.lock();
            let rooms = inside.rooms.values().map(|entry| &entry.room);
            (
                keep::content(&self.tokens, rooms, self.clock.now()),
                inside.changes,
            )
        };
        let written = self.keep.write(&text);
        if let Err(error) = &written {
            // The games continue; only a restart would lose them.
            eprintln!("kalahari: the games of people cannot be saved: {error}");
        }
        self.written.send_replace(changes);
        written.is_ok()
    }
}

impl Entry {
    fn is_idle(&self, now: Duration) -> bool {
        let bound = match self.room.is_going_on() && !self.room.played.moves.is_empty() {
            true => IDLE_GAME,
            false => IDLE,
        };
        self.watchers.is_empty() && now.saturating_sub(self.room.touched) > bound
    }
}

impl Inside {
    /// Makes sure that one more room may be opened. An empty room whose game is over is removed for it: one from the same
    /// address, or one from another address if nothing has happened in it for a while.
    fn make_room(&mut self, by: Option<IpAddr>, now: Duration) -> ApiResult<()> {
        let busy = |message: &str| {
            Err(ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                message,
            ))
        };
        let own = |entry: &Entry| entry.by == by;
        let quiet = |entry: &Entry| now.saturating_sub(entry.room.touched) >= QUIET;
        let of_address = self.rooms.values().filter(|entry| own(entry)).count();
        if by.is_some() && of_address >= MOST_OF_ADDRESS {
            return match self.give_up(own) {
                true => Ok(()),
                false => busy("you have opened too many rooms: end some games first"),
            };
        }
        let place = self.rooms.len() < MOST_ROOMS || self.give_up(own) || self.give_up(quiet);
        match place {
            true => Ok(()),
            false => busy("all rooms are taken: try again later"),
        }
    }

    /// Removes the oldest of some rooms that is empty and whose game is over; false if there is none.
    fn give_up(&mut self, which: impl Fn(&Entry) -> bool) -> bool {
        let over = self
            .rooms
            .values()
            .filter(|entry| entry.watchers.is_empty() && entry.room.end.is_some() && which(entry));
        let oldest = over
            .min_by_key(|entry| entry.room.touched)
            .map(|entry| entry.room.name.clone());
        oldest.is_some_and(|name| self.rooms.remove(&name).is_some())
    }
}

fn no_chance(error: NoChance) -> ApiError {
    ApiError::internal(error.to_string())
}

fn no_room() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "no_room",
        "there is no such room, or it has been closed",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_wire::room::EndKind;
    use std::pin::pin;

    /// A hall that writes only when the test tells it to.
    fn hall(folder: &tempfile::TempDir) -> Hall {
        let path = folder.path().join("hosting.json");
        let (keep, kept) = Keep::open(&path, false, SystemClock.now()).expect("a file");
        Hall::new(keep, [kept.invitation, kept.owner], kept.rooms)
    }

    /// Whether something waits until everything is written; what it gives then.
    async fn written<T>(hall: &Hall, work: impl Future<Output = T>) -> (bool, T) {
        let mut work = pin!(work);
        let soon = tokio::time::timeout(Duration::from_millis(20), &mut work);
        if let Ok(done) = soon.await {
            return (false, done);
        }
        hall.write();
        (true, work.await)
    }

    #[test]
    fn a_repeated_move_is_answered_when_the_first_one_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = hall(&folder);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.expect("a runtime").block_on(async {
            let wanted = r#"{"game": "kalah:6x4", "side": "first"}"#;
            let wanted = serde_json::from_str(wanted).expect("a wish");
            let (waited, opened) = written(&hall, hall.open(None, wanted)).await;
            let Ok(opened) = opened else {
                panic!("no room")
            };
            assert!(waited);
            let room = opened.view.room.as_str();
            assert!(written(&hall, hall.sit(room, "Bob")).await.1.is_ok());
            let play = || hall.play(room, &opened.seat, (1, 0), "2");
            let mut first = pin!(play());
            let soon = tokio::time::timeout(Duration::from_millis(20), &mut first);
            assert!(soon.await.is_err());
            let (waited, again) = written(&hall, play()).await;
            assert!(waited && again.is_ok());
            assert!(first.await.is_ok());
            // Now there is nothing to wait for.
            assert!(!written(&hall, play()).await.0);
        });
    }

    fn fill(inside: &mut Inside, by: u8, names: std::ops::Range<usize>, is_over: bool) {
        let game = line::game("kalah:6x4").expect("a game");
        for name in names {
            let touched = Duration::from_secs(name as u64);
            let mut room = Room::new(name.to_string(), game, None, touched);
            room.end = is_over.then_some((EndKind::Rules, None));
            let entry = Entry::new(room, Some([10, 0, 0, by].into()), touched);
            inside.rooms.insert(name.to_string(), entry);
        }
    }

    #[test]
    fn nobody_throws_away_other_peoples_rooms() {
        let address = |last: u8| Some(IpAddr::from([10, 0, 0, last]));
        let soon = Duration::from_secs(300);
        // Rooms that wait for their second player stay.
        let mut inside = Inside::default();
        fill(&mut inside, 1, 0..MOST_ROOMS, false);
        assert!(inside.make_room(address(2), soon).is_err());
        assert_eq!(inside.rooms.len(), MOST_ROOMS);
        // Others' games that have just ended stay, too, for a while.
        let mut inside = Inside::default();
        fill(&mut inside, 1, 100..100 + MOST_ROOMS, true);
        assert!(inside.make_room(address(2), soon).is_err());
        assert!(inside.make_room(address(2), soon + QUIET).is_ok());
        assert_eq!(inside.rooms.len(), MOST_ROOMS - 1);
        assert!(!inside.rooms.contains_key("100"));
        // An address's own rooms count until they are removed; those whose game is over are removed for new ones.
        let mut inside = Inside::default();
        fill(&mut inside, 1, 0..1, true);
        fill(&mut inside, 1, 1..MOST_OF_ADDRESS, false);
        assert!(inside.make_room(address(1), soon).is_ok());
        assert!(!inside.rooms.contains_key("0"));
        fill(&mut inside, 1, 0..1, false);
        assert!(inside.make_room(address(1), soon).is_err());
        assert!(inside.make_room(address(2), soon).is_ok());
        assert_eq!(inside.rooms.len(), MOST_OF_ADDRESS);
    }
}
