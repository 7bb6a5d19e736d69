//! Games between whoever is connected, each in a thread of its own.

use kalahari_agents::{AgentKind, AgentSpec, Player, Remote};
use kalahari_arena::{ArenaError, Ending, GameRecord, Live, MatchSpec, play_game_with};
use kalahari_games::{AnyGame, Game, Verdict};
use kalahari_kgp::{Guest, Host};
use kalahari_terms::Stop;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// What is needed to play: the host with its clients, and the board on which games are watched.
#[derive(Clone, Debug)]
pub struct Club {
    /// Where clients connect.
    pub host: Arc<Host>,
    /// Where games are watched.
    pub live: Live,
    /// How long the next game of a tournament waits for a client that has left.
    pub wait: Duration,
    /// The most games of one client at the same time.
    pub games_per_client: usize,
}

/// What happens at a club.
#[derive(Clone, Debug)]
pub enum ClubEvent {
    /// A game begins between these, the one who moves first first.
    Began([AgentSpec; 2]),
    /// A game has ended.
    Ended(Box<GameRecord>),
    /// A stage of a tournament begins.
    Stage(String),
}

/// The agent that a client of a name is.
pub fn client(name: &str) -> AgentSpec {
    AgentSpec::plain(AgentKind::Kgp).with_arguments(name)
}

/// The client behind an agent, if it is one.
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

/// Who the clients of games are, and what becomes of a game that one leaves before its own first move.
#[derive(Clone, Debug)]
pub(crate) enum Clients {
    /// Whoever is here. Nobody is waited for, and the game comes to nothing.
    Here,
    /// Those who have entered. They are waited for, and who does not come back loses.
    Entered(Arc<HashMap<String, Guest>>),
}

/// What became of a game; `None` if it was stopped or came to nothing.
pub(crate) type Done = (Job, Result<Option<GameRecord>, ArenaError>);

/// The games under way, and who is busy with them.
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

    /// Begins a game; false if there is no thread for it.
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
            // Nobody listens any more if the club has closed.
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

    /// A game that is over, if there is one soon.
    pub(crate) fn next_done(&mut self, wait: Duration) -> Option<Done> {
        let done = self.finished.1.recv_timeout(wait).ok()?;
        self.free(&done.0);
        Some(done)
    }

    /// Ends all games. None of them counts.
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

/// Whether a client lost a game by leaving before it had moved. The clients are those of the match's agents.
fn never_began(record: &GameRecord, guests: &[Option<Guest>; 2]) -> bool {
    if record.ending != Ending::Crash {
        return false;
    }
    let Ok((game, mut positions)) = record.replay() else {
        return false;
    };
    // The one who was to move is the one who failed.
    let Some(last) = positions.pop() else {
        return false;
    };
    let loser = game.to_move(&last);
    let place = usize::from(loser != record.seat_of_a());
    let mut earlier = positions.iter();
    guests[place].is_some() && earlier.all(|position| game.to_move(position) != loser)
}

/// What the end of a game is called; see `game:result`.
fn result_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "won",
        Verdict::Draw => "drawn",
        Verdict::Loss => "lost",
    }
}
