//! Practice: a client that waits is paired with another waiting client, or with one of our own agents.

use crate::ledger::Ledger;
use crate::tables::{Clients, Club, ClubEvent, Job, Tables, client, client_name};
use kalahari_agents::AgentSpec;
use kalahari_arena::{ArenaError, MatchSpec, Openings, Rules};
use kalahari_games::GameSpec;
use kalahari_games::kalah::KalahSpec;
use kalahari_terms::{Limits, Stop};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The options of practice.
#[derive(Clone, Debug)]
pub struct Practice {
    /// The boards; successive games use them in turn.
    pub boards: Vec<KalahSpec>,
    /// The time for a move.
    pub time: Duration,
    /// The agents that play, in turn, against a client if no other client waits. It may be empty.
    pub opponents: Vec<AgentSpec>,
    /// How long a client waits for another client before it plays against an agent.
    pub alone: Duration,
    /// The most games at the same time.
    pub games: usize,
    /// The seed of all random choices.
    pub rng_seed: u64,
}

/// How long a client waits for an opponent other than its last one.
const CHANGE: Duration = Duration::from_secs(1);

/// How often waiting clients are checked.
const TICK: Duration = Duration::from_millis(10);

/// The rules of a game over the protocol. A move that comes too late is ignored, so no player loses on time.
pub(crate) fn rules(time: Duration) -> Rules {
    Rules {
        limits: Limits::time(time),
        grace: Duration::from_secs(60),
        ..Rules::default()
    }
}

/// A match over the protocol: from the starting position, and over when a store has more than half of the seeds.
pub(crate) fn match_of(
    agents: [AgentSpec; 2],
    board: KalahSpec,
    time: Duration,
    rng_seed: u64,
) -> MatchSpec {
    MatchSpec {
        agents: agents.map(Into::into),
        game: GameSpec::Kalah(board.with_majority(true)),
        openings: Openings::Start,
        rng_seed,
        rules: rules(time),
    }
}

/// Plays until a stop is requested.
pub fn practise(
    club: &Club,
    practice: &Practice,
    ledger: &mut Ledger,
    stop: &Stop,
    tell: &mut dyn FnMut(ClubEvent),
) -> Result<(), ArenaError> {
    let mut tables = Tables::new(club, Clients::Here, stop);
    let mut waiting = Waiting::default();
    let result = loop {
        if stop.look() {
            break Ok(());
        }
        let mut wait = TICK;
        let mut trouble = None;
        while let Some((job, played)) = tables.next_done(std::mem::take(&mut wait)) {
            match played.and_then(|record| match record {
                Some(record) => ledger.add(&record).map(|()| Some(record)),
                None => Ok(None),
            }) {
                Ok(Some(record)) => tell(ClubEvent::Ended(Box::new(record))),
                Ok(None) => {
                    ledger.give_back(&job.spec, job.number);
                    waiting.go_on(&job, practice.alone);
                }
                Err(error) => trouble = Some(error),
            }
        }
        if let Some(error) = trouble {
            break Err(error);
        }
        if let Err(error) = waiting.seat(club, practice, ledger, &mut tables, tell) {
            break Err(error);
        }
    };
    tables.clear();
    result
}

/// The clients that wait for a game, and since when.
#[derive(Default)]
struct Waiting {
    since: HashMap<String, Instant>,
    /// The last opponent of each client.
    last: HashMap<String, AgentSpec>,
    begun: usize,
    alone: usize,
}

impl Waiting {
    /// A game was abandoned: its clients need not wait again if they are still connected.
    fn go_on(&mut self, job: &Job, alone: Duration) {
        let now = Instant::now();
        let since = now.checked_sub(alone).unwrap_or(now);
        for name in job.clients() {
            self.since.insert(name.to_owned(), since);
        }
    }

    /// Begins all games that can begin now.
    fn seat(
        &mut self,
        club: &Club,
        practice: &Practice,
        ledger: &mut Ledger,
        tables: &mut Tables,
        tell: &mut dyn FnMut(ClubEvent),
    ) -> Result<(), ArenaError> {
        let now = Instant::now();
        let guests = club.host.guests();
        let here = |name: &str| guests.iter().any(|guest| guest.name() == name);
        self.since.retain(|name, _| here(name));
        self.last.retain(|name, _| here(name));
        let free = guests.iter().map(|guest| guest.name());
        let mut free: Vec<String> = free
            .filter(|name| tables.is_free(name))
            .map(str::to_owned)
            .collect();
        for name in &free {
            self.since.entry(name.clone()).or_insert(now);
        }
        free.sort_by_key(|name| self.since.get(name).copied());
        while tables.under_way() < practice.games && !free.is_empty() {
            let name = free.remove(0);
            let new_to = |other: &str| self.last.get(&name) != Some(&client(other));
            let waited = |time: Duration| {
                let since = self.since.get(&name);
                since.is_some_and(|since| since.elapsed() >= time)
            };
            let place = free.iter().position(|other| new_to(other));
            if place.is_none() && !free.is_empty() {
                // Another client that is playing now may soon be free.
                let mut others = guests.iter().map(|guest| guest.name());
                let hope = others.any(|other| other != name && new_to(other));
                if hope && !waited(practice.alone.min(CHANGE)) {
                    continue;
                }
            }
            let place = place.or((!free.is_empty()).then_some(0));
            let other = match place {
                Some(place) => client(&free.remove(place)),
                None => {
                    let opponents = practice.opponents.len();
                    if !waited(practice.alone) || opponents == 0 {
                        continue;
                    }
                    self.alone += 1;
                    practice.opponents[self.alone % opponents].clone()
                }
            };
            let mut agents = [client(&name), other];
            for place in 0..2 {
                if let Some(me) = client_name(&agents[place]) {
                    self.since.remove(me);
                    self.last.insert(me.to_owned(), agents[1 - place].clone());
                }
            }
            // The same two players always play the same match, whichever has waited longer.
            agents.sort();
            let board = practice.boards[self.begun % practice.boards.len()];
            self.begun += 1;
            let spec = match_of(agents, board, practice.time, practice.rng_seed);
            let (match_id, number) = ledger.next(&spec, None)?;
            let mut players = spec.specs();
            players.rotate_left((number % 2) as usize);
            let job = Job {
                spec,
                match_id,
                number,
            };
            if tables.begin(job.clone()) {
                tell(ClubEvent::Began(players));
            } else {
                ledger.give_back(&job.spec, job.number);
                break;
            }
        }
        Ok(())
    }
}
