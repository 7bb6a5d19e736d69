//! Games between connected clients, each in its own thread.

use kalahari_agents::{AgentKind, AgentSpec, Player, Remote};
use kalahari_arena::{ArenaError, Ending, GameRecord, Live, MatchSpec, play_game_with};
use kalahari_games::{AnyGame, Game, Verdict};
use kalahari_kgp::{Guest, Host};
use kalahari_terms::Stop;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// What is needed to play: the host with its clients, and the list of live games for spectators.
#[derive(Clone, Debug)]
pub struct Club {
    /// The host to which clients connect.
    pub host: Arc<Host>,
    /// The live games that can be watched.
    pub live: Live,
    /// How long a game of a tournament waits for a client that has disconnected.
    pub wait: Duration,
    /// The most games of one client at the same time.
    pub games_per_client: usize,
}

/// An event at a club.
#[derive(Clone, Debug)]
pub enum ClubEvent {
    /// A game begins between these players; the first of them moves first.
    Began([AgentSpec; 2]),
    /// A game has ended.
    Ended(Box<GameRecord>),
    /// A stage of a tournament begins.
    Stage(String),
}

/// The agent spec of the client with this name.
pub fn client(name: &str) -> AgentSpec {
    AgentSpec::plain(AgentKind::Kgp).with_arguments(name)
}

/// The name of the client, if an agent is one.
pub(crate) fn client_name(agent: &AgentSpec) -> Option<&str> {
    (agent.kind() == AgentKind::Kgp).then(|| agent.arguments())
}

/// A game of a match.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) spec: MatchSpec,
    pub(crate) match_id: String,
    pub(crate) number: u32,
}

impl Job {
    /// The clients that play it.
    pub(crate) fn clients(&self) -> impl Iterator<Item = &str> {
        let agents = self.spec.agents.iter();
        agents.filter_map(|agent| client_name(&agent.spec))
    }
}

/// Which clients play, and what happens to a game if one leaves before its own first move.
#[derive(Clone, Debug)]
pub(crate) enum Clients {
    /// All connected clients. A game does not wait for a client that has left, and is abandoned.
    Here,
    /// The clients that have entered a tournament. A game waits for them, and a client that does not return loses.
    Entered(Arc<HashMap<String, Guest>>),
}

/// A game and its record; `None` if it was stopped or abandoned.
pub(crate) type Done = (Job, Result<Option<GameRecord>, ArenaError>);

/// The games in progress, and how many games each client is playing.
pub(crate) struct Tables {
    club: Club,
    clients: Clients,
    stop: Stop,
    busy: HashMap<String, usize>,
    under_way: usize,
    finished: (Sender<Done>, Receiver<Done>),
}

impl Tables {
    pub(crate) fn new(club: &Club, clients: Clients, stop: &Stop) -> Self {
        Tables {
            club: club.clone(),
            clients,
            stop: stop.child(),
            busy: HashMap::new(),
            under_way: 0,
            finished: channel(),
        }
    }

    pub(crate) fn under_way(&self) -> usize {
        self.under_way
    }

    /// Whether a client could play another game now.
    pub(crate) fn is_free(&self, name: &str) -> bool {
        self.busy.get(name).copied().unwrap_or(0) < self.club.games_per_client
    }

    /// Whether all clients of a game are free.
    pub(crate) fn can_play(&self, job: &Job) -> bool {
        job.clients().all(|name| self.is_free(name))
    }

    /// Begins a game; false if no thread can be started for it.
    pub(crate) fn begin(&mut self, job: Job) -> bool {
        for name in job.clients() {
            *self.busy.entry(name.to_owned()).or_default() += 1;
        }
        self.under_way += 1;
        let (club, clients, stop, sender) = (
            self.club.clone(),
            self.clients.clone(),
            self.stop.clone(),
            self.finished.0.clone(),
        );
        let begun = job.clone();
        let thread = std::thread::Builder::new().name("game".to_owned());
        let thread = thread.spawn(move || {
            let played = play(&club, &clients, &job, &stop);
            // This fails if the club has closed.
            let _ = sender.send((job, played));
        });
        if thread.is_err() {
            self.free(&begun);
        }
        thread.is_ok()
    }

    fn free(&mut self, job: &Job) {
        self.under_way -= 1;
        for name in job.clients() {
            if let Some(count) = self.busy.get_mut(name) {
                *count -= 1;
                if *count == 0 {
                    self.busy.remove(name);
                }
            }
        }
    }

    /// The next game that is over, if one ends within this time.
    pub(crate) fn next_done(&mut self, wait: Duration) -> Option<Done> {
        let done = self.finished.1.recv_timeout(wait).ok()?;
        self.free(&done.0);
        Some(done)
    }

    /// Stops all games. None of them counts.
    pub(crate) fn clear(mut self) {
        self.stop.request();
        while self.under_way > 0 && self.next_done(Duration::from_secs(5)).is_some() {}
    }
}

/// Plays a game and tells its clients how it has ended.
fn play(
    club: &Club,
    clients: &Clients,
    job: &Job,
    stop: &Stop,
) -> Result<Option<GameRecord>, ArenaError> {
    let Job {
        spec,
        match_id,
        number,
    } = job;
    let game = AnyGame::new(spec.game);
    let id = club.host.number_game();
    let guest = |name: &str| match clients {
        Clients::Here => club.host.find(name),
        Clients::Entered(entered) => entered.get(name).cloned(),
    };
    let guests = spec
        .specs()
        .map(|agent| client_name(&agent).and_then(guest));
    let mut players = Vec::with_capacity(2);
    for (agent, guest) in spec.specs().iter().zip(&guests) {
        players.push(match (client_name(agent), guest) {
            (None, _) => Player::new(agent, &game, 0)?,
            (Some(_), Some(guest)) => {
                let wait = match clients {
                    Clients::Here => Duration::ZERO,
                    Clients::Entered(_) => club.wait,
                };
                let host = Arc::clone(&club.host);
                let remote = Remote::of_guest(host, guest.clone(), game.clone(), wait);
                Player::with_agent(agent.clone(), Box::new(remote.with_number(id)))
            }
            // It has left since it was seated.
            (Some(_), None) => return Ok(None),
        });
    }
    let Ok(players) = <[Player; 2]>::try_from(players) else {
        return Ok(None);
    };
    let (players, seated) = club
        .live
        .sit_down(spec.game, players, (number % 2) as usize);
    let record = play_game_with(spec, (match_id, *number), players, stop)?;
    let Some(record) = record else {
        return Ok(None);
    };
    if matches!(clients, Clients::Here) && never_began(&record, &guests) {
        return Ok(None);
    }
    seated.end(&record);
    for (place, guest) in guests.iter().enumerate() {
        let seat = record.seat_of_a();
        let verdict = record.verdict(if place == 0 { seat } else { !seat });
        let guest = guest.as_ref().and_then(|guest| club.host.find_again(guest));
        if let (Some(guest), Some(verdict)) = (guest, verdict) {
            guest.tell_result(id, result_word(verdict));
        }
    }
    Ok(Some(record))
}

/// Whether a client lost a game by leaving before its first move. `guests` has the clients in the order of the match's agents.
fn never_began(record: &GameRecord, guests: &[Option<Guest>; 2]) -> bool {
    if record.ending != Ending::Crash {
        return false;
    }
    let Ok((game, mut positions)) = record.replay() else {
        return false;
    };
    // The player to move is the one that failed.
    let Some(last) = positions.pop() else {
        return false;
    };
    let loser = game.to_move(&last);
    let place = usize::from(loser != record.seat_of_a());
    let mut earlier = positions.iter();
    guests[place].is_some() && earlier.all(|position| game.to_move(position) != loser)
}

/// The word for the result of a game; see `game:result`.
fn result_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "won",
        Verdict::Draw => "drawn",
        Verdict::Loss => "lost",
    }
}
