//! A client of the Kalah Game Protocol as a player: `kgp:NAME`.

use crate::options::Options;
use crate::{AgentError, AgentProblem, AgentSpec, AnyReport, OptionKey};
use kalahari_games::kalah::{CaptureRule, KalahSetup, Pit};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Player, View};
use kalahari_kgp::{Answer, Everybody, Guest, Host, HostLimits, HostOptions};
use kalahari_protocol::kgp::{Board, PORT};
use kalahari_search::{Agent, Report, Rng, Task};
use kalahari_terms::{Failure, Limits, Score, Stop, parse_duration};
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long a client may take to connect, unless the spec says otherwise.
const WAIT: Duration = Duration::from_secs(60);

/// A position as the protocol shows it to the player to move, who is always south.
pub fn board_of(setup: &KalahSetup) -> Option<Board> {
    let pits = setup.pits();
    let sides = setup.houses.split_at_checked(pits + 1)?;
    let (south, north) = match setup.player {
        Player::First => sides,
        Player::Second => (sides.1, sides.0),
    };
    let numbers = |side: &[u16]| side.iter().map(|&seeds| seeds.into()).collect::<Vec<u32>>();
    let (mut south, mut north) = (numbers(south), numbers(north));
    let stores = [south.pop()?, north.pop()?];
    Board::new(stores, south, north)
}

/// The position on a board of the protocol. South is `player`, who is to move. `None` if a pit or store has too many seeds for our games.
pub fn setup_of(board: &Board, player: Player) -> Option<KalahSetup> {
    let side = |pits: &[u32], store: u32| -> Option<Vec<u16>> {
        let houses = pits.iter().chain([&store]);
        houses.map(|&seeds| u16::try_from(seeds).ok()).collect()
    };
    let south = side(board.south(), board.stores[0])?;
    let north = side(board.north(), board.stores[1])?;
    let houses = match player {
        Player::First => [south, north].concat(),
        Player::Second => [north, south].concat(),
    };
    Some(KalahSetup { houses, player })
}

/// The agent of a spec `kgp:NAME[,listen=ADDRESS:PORT][,wait=TIME]`.
pub(crate) fn of_spec(
    spec: &AgentSpec,
    options: &mut Options<'_>,
    game: &AnyGame,
    rng_seed: u64,
) -> Result<Remote, AgentError> {
    let name = options.text(OptionKey::Bare).unwrap_or_default();
    if name.is_empty() {
        return Err(spec.error(AgentProblem::NoClientName));
    }
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
    let listen = options.take(OptionKey::Listen)?.unwrap_or(here);
    let wait = options
        .text(OptionKey::Wait)
        .map(parse_duration)
        .transpose();
    let wait = wait.map_err(|error| spec.error(error))?.unwrap_or(WAIT);
    match game.spec() {
        GameSpec::Kalah(kalah) if kalah.rule() == CaptureRule::Standard => {}
        other => return Err(spec.error(AgentProblem::NotStandard(other))),
    }
    let host = host_at(listen);
    let host = host.map_err(|source| spec.error(AgentProblem::Listen { listen, source }))?;
    Ok(Remote::new(
        host,
        name.to_owned(),
        game.clone(),
        wait,
        rng_seed,
    ))
}

/// This program's host at an address. It stays open, because a client connects once and plays many games.
fn host_at(listen: SocketAddr) -> std::io::Result<Arc<Host>> {
    static HOSTS: OnceLock<Mutex<HashMap<SocketAddr, Arc<Host>>>> = OnceLock::new();
    let hosts = HOSTS.get_or_init(Mutex::default).lock();
    let mut hosts = hosts.unwrap_or_else(PoisonError::into_inner);
    if let Some(host) = hosts.get(&listen) {
        return Ok(Arc::clone(host));
    }
    let host = Arc::new(Host::open(HostOptions {
        listen,
        limits: HostLimits::default(),
        gatekeeper: Box::new(Everybody),
    })?);
    hosts.insert(listen, Arc::clone(&host));
    Ok(host)
}

/// The client that is connected to a host under a name. This side enforces the rules: forced moves are not asked for, an illegal
/// move loses, and if a client names no move in time, a random move is played, as the protocol demands.
pub struct Remote {
    host: Arc<Host>,
    name: String,
    game: AnyGame,
    wait: Duration,
    rng: Rng,
    number: u64,
    guest: Option<Guest>,
    /// The client, if only this one will do and not any client of its name.
    known: Option<Guest>,
    /// Whether the client has answered, or run out of time, in this game.
    began: bool,
}

impl Remote {
    /// The client with this name. A new game waits for it if it is not connected.
    pub fn new(
        host: Arc<Host>,
        name: String,
        game: AnyGame,
        wait: Duration,
        rng_seed: u64,
    ) -> Self {
        let number = host.number_game();
        Remote {
            host,
            name,
            game,
            wait,
            rng: Rng::new(rng_seed),
            number,
            guest: None,
            known: None,
            began: false,
        }
    }

    /// This client, and no other with the same name. After it has disconnected, it is recognised only if it proves
    /// again that it owns the name.
    pub fn of_guest(host: Arc<Host>, guest: Guest, game: AnyGame, wait: Duration) -> Self {
        let name = guest.name().to_owned();
        Remote {
            known: Some(guest),
            ..Remote::new(host, name, game, wait, 0)
        }
    }

    /// The number by which the client knows the game; see [`Guest::tell_result`].
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Sets the number of this player's games. Call it before the first of them begins.
    pub fn with_number(mut self, number: u64) -> Self {
        self.number = number;
        self
    }

    /// The connection of the client. If it has been closed, waits for the client to connect again.
    fn guest(&mut self, wait: Duration, stop: &Stop) -> Result<Guest, Failure> {
        if let Some(guest) = self.guest.take_if(|guest| guest.is_here()) {
            return Ok(self.guest.insert(guest).clone());
        }
        let look = || stop.look();
        let found = match &self.known {
            Some(known) => self.host.wait_for_return(known, wait, &look),
            None => self.host.wait_for(&self.name, wait, &look),
        };
        let none = || {
            let address = self.host.address();
            Failure::Crashed(format!(
                "no client '{}' is connected to {address}",
                self.name
            ))
        };
        Ok(self.guest.insert(found.ok_or_else(none)?).clone())
    }

    /// A random legal move.
    fn any_move(&mut self, position: &AnyPosition) -> Option<AnyMove> {
        let count = self.game.count_moves(position).max(1);
        let place = self.rng.next_u64() % count;
        self.game.moves(position).nth(place as usize)
    }

    /// Reads a client's move and checks that it is legal. Errors use the protocol's pit numbers, which the client's author
    /// knows.
    fn checked(&self, position: &AnyPosition, pit: u32) -> Result<AnyMove, Failure> {
        let number = pit.checked_sub(1).and_then(|pit| u8::try_from(pit).ok());
        let mv = number.map(|number| AnyMove::Kalah(Pit(number)));
        if let Some(mv) = mv.filter(|&mv| self.game.is_legal(position, mv)) {
            return Ok(mv);
        }
        let why = match self.game.spec() {
            GameSpec::Kalah(kalah) if !(1..=kalah.pits()).contains(&(pit as usize)) => {
                format!("pits are numbered 1 to {}", kalah.pits())
            }
            _ => "that pit is empty".to_owned(),
        };
        Err(Failure::Illegal(format!("move {pit} is illegal: {why}")))
    }
}

/// How long a client may think. If only nodes or depth are limited, which the protocol cannot express, this is the default time.
fn time_for(limits: &Limits) -> Duration {
    let default = crate::AgentKind::Kgp.default_limits().move_time();
    let time = limits.move_time().or(default);
    time.unwrap_or(WAIT)
}

impl Agent<AnyGame> for Remote {
    fn think(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        let begin = Instant::now();
        let position = &task.position;
        if let Some(report) = Report::of_finished(&self.game, position) {
            return Ok(report);
        }
        let only = match self.game.count_moves(position) {
            1 => self.game.moves(position).next(),
            _ => None,
        };
        let best = match only {
            Some(only) => only,
            None => {
                let time = time_for(&task.limits);
                let View::Kalah(setup) = self.game.view(position) else {
                    return Err(Failure::Crashed("this is not Kalah".to_owned()));
                };
                let board = board_of(&setup);
                let board = board.ok_or_else(|| Failure::Crashed("no board".to_owned()))?;
                let until = begin + time;
                let left = || until.saturating_duration_since(Instant::now());
                let answer = loop {
                    // Before its first answer, wait for the client no longer than before a game.
                    let wait = match self.began {
                        true => left(),
                        false => left().min(self.wait),
                    };
                    let guest = self.guest(wait, task.stop)?;
                    let Ok(asked) = guest.ask(self.number, &board, time) else {
                        continue;
                    };
                    match asked.wait(until, &|| task.stop.look()) {
                        // It may connect again; then it is asked again.
                        Answer::Gone(None) => {}
                        Answer::Gone(pit) | Answer::Yielded(pit) | Answer::TimeUp(pit) => {
                            break pit;
                        }
                        Answer::Stopped => break None,
                    }
                };
                self.began = true;
                match answer {
                    Some(pit) => self.checked(position, pit)?,
                    None => {
                        let any = self.any_move(position);
                        any.ok_or_else(|| Failure::Crashed("no move".to_owned()))?
                    }
                }
            }
        };
        let score = Score::unknown(self.game.to_move(position));
        Ok(Report {
            best: Some(best),
            score,
            line: vec![best],
            moves: match task.all_moves {
                true => vec![(best, score)],
                false => Vec::new(),
            },
            depth: 0,
            nodes: 0,
            elapsed: begin.elapsed(),
            outlook: None,
        })
    }

    fn forget(&mut self, rng_seed: u64) {
        self.rng = Rng::new(rng_seed);
    }

    /// Waits for the client to connect.
    fn get_ready(&mut self, stop: &Stop) {
        self.began = false;
        // A client that has not connected by then will fail at the first move.
        let _ = self.guest(self.wait, stop);
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}
