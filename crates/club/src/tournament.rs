//! A tournament of clients: sanity games, then a round robin or a Swiss tournament on every board.

use crate::ledger::Ledger;
use crate::practice::match_of;
use crate::tables::{Clients, Club, ClubEvent, Job, Tables, client};
use kalahari_agents::{AgentKind, AgentSpec};
use kalahari_arena::stats::{self, Rating, Tally, fit_ratings};
use kalahari_arena::{ArenaError, GameRecord, MatchSpec, Schedule, swiss_round};
use kalahari_games::kalah::KalahSpec;
use kalahari_games::{GameSpec, Player, Verdict};
use kalahari_kgp::Guest;
use kalahari_terms::Stop;
use serde::Serialize;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The options of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentSetup {
    /// The boards, one stage each.
    pub boards: Vec<KalahSpec>,
    /// The time for a move.
    pub time: Duration,
    /// How long clients may enter before it begins.
    pub registration: Duration,
    /// It begins earlier if this many clients are connected.
    pub players: Option<usize>,
    /// The number of games on 6x6 against a random player; a client must win all of them to take part.
    pub sanity: u32,
    /// If there are more players than this, stages are Swiss tournaments.
    pub swiss_above: usize,
    /// Rounds of a Swiss stage; 0 for as many as are needed to find a winner.
    pub rounds: u32,
    /// The seed of all random choices.
    pub rng_seed: u64,
}

/// The result of a tournament, which may have been interrupted.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentResult {
    /// The players, the best first.
    pub standings: Vec<Placed>,
    /// The stages, one per board.
    pub stages: Vec<Stage>,
    /// The clients that did not win all their sanity games.
    pub disqualified: Vec<Disqualified>,
    /// Whether the tournament was stopped early.
    pub interrupted: bool,
    /// Whether ratings needed half a win and half a loss more for every two players who met to be finite.
    pub padded: bool,
    /// Into how many groups the players with games fall that have not met; ratings of different groups cannot be compared.
    pub groups: usize,
}

/// A client's place in the standings.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// Its name.
    pub name: String,
    /// 2 for a win, 1 for a draw, and 2 for each of the two games of a bye.
    pub points: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Its rating relative to the average of its group, usually all players; null if there is none.
    pub elo: Option<f64>,
    /// Half the width of the rating's 95% interval.
    pub elo_error: Option<f64>,
    /// Games lost by forfeit, such as an illegal move or leaving.
    pub forfeits: u64,
}

/// The games on one board.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// The game.
    pub game: GameSpec,
    /// How players were paired.
    pub schedule: Schedule,
    /// The meetings.
    pub meetings: Vec<Encounter>,
}

/// A meeting of two clients on one board, counted from the first client's point of view.
#[derive(Clone, Debug, Serialize)]
pub struct Encounter {
    /// The two clients.
    pub players: [String; 2],
    /// Games that the first client won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
}

/// A client that may not take part.
#[derive(Clone, Debug, Serialize)]
pub struct Disqualified {
    /// Its name.
    pub name: String,
    /// Sanity games it won.
    pub won: u64,
    /// Sanity games it played.
    pub games: u64,
}

/// The points of a game, as the course counts them.
const WIN: u64 = 2;
const DRAW: u64 = 1;

/// The board of sanity games; the first player, which is the client, can win there.
const SANITY: (usize, u32) = (6, 6);

/// Waits for clients and holds a tournament with those that have come.
pub fn hold_tournament(
    club: &Club,
    setup: &TournamentSetup,
    ledger: &mut Ledger,
    stop: &Stop,
    tell: &mut dyn FnMut(ClubEvent),
) -> Result<TournamentResult, ArenaError> {
    let mut hall = Hall {
        club,
        setup,
        ledger,
        stop,
        tell,
        clients: Clients::Here,
    };
    let entered = hall.register();
    // Pairings do not depend on who came first, so that a tournament that is continued finds its games.
    let mut entrants: Vec<String> = entered.keys().cloned().collect();
    entrants.sort();
    hall.clients = Clients::Entered(Arc::new(entered));
    let mut disqualified = Vec::new();
    if setup.sanity > 0 && !stop.look() {
        disqualified = hall.sanity(&entrants)?;
        entrants.retain(|name| disqualified.iter().all(|out| out.name != *name));
    }
    let mut table = Table::new(entrants);
    let mut stages = Vec::new();
    if table.names.len() > 1 {
        for &board in &setup.boards {
            if stop.look() {
                break;
            }
            stages.push(hall.stage(&mut table, board)?);
        }
    }
    let fit = fit_ratings(table.names.len(), &table.encounters);
    Ok(TournamentResult {
        standings: table.standings(&fit.ratings),
        stages,
        disqualified,
        interrupted: stop.look(),
        padded: fit.padded,
        groups: fit.groups,
    })
}

/// A tournament in progress.
struct Hall<'a> {
    club: &'a Club,
    setup: &'a TournamentSetup,
    ledger: &'a mut Ledger,
    stop: &'a Stop,
    tell: &'a mut dyn FnMut(ClubEvent),
    clients: Clients,
}

impl Hall<'_> {
    fn register(&mut self) -> HashMap<String, Guest> {
        (self.tell)(ClubEvent::Stage("registration".to_owned()));
        let until = Instant::now() + self.setup.registration;
        loop {
            let guests = self.club.host.guests();
            let enough = self
                .setup
                .players
                .is_some_and(|players| guests.len() >= players);
            if enough || Instant::now() >= until || self.stop.look() {
                let named = guests.into_iter();
                let named = named.map(|guest| (guest.name().to_owned(), guest));
                return named.collect();
            }
            self.club.host.wait_for_change(Duration::from_millis(50));
        }
    }

    fn sanity(&mut self, entrants: &[String]) -> Result<Vec<Disqualified>, ArenaError> {
        (self.tell)(ClubEvent::Stage("sanity games".to_owned()));
        let (pits, seeds) = SANITY;
        let Some(board) = KalahSpec::new(pits, seeds, Default::default()) else {
            return Ok(Vec::new());
        };
        let random = AgentSpec::plain(AgentKind::Random);
        let mut games = Vec::new();
        for name in entrants {
            let agents = [client(name), random.clone()];
            let spec = match_of(agents, board, self.setup.time, self.setup.rng_seed);
            // In games with even numbers, the client moves first.
            games.extend((0..self.setup.sanity).map(|game| (spec.clone(), 2 * game)));
        }
        let mut won: HashMap<String, [u64; 2]> = HashMap::new();
        for record in self.play_all(games)? {
            let name = client_name_of(&record.players[0].agent);
            let [wins, games] = won.entry(name).or_default();
            *wins += u64::from(record.verdict(Player::First) == Some(Verdict::Win));
            *games += 1;
        }
        let failed = entrants.iter().filter_map(|name| {
            let [won, games] = won.get(name).copied().unwrap_or_default();
            (won < u64::from(self.setup.sanity)).then(|| Disqualified {
                name: name.clone(),
                won,
                games,
            })
        });
        Ok(failed.collect())
    }

    fn stage(&mut self, table: &mut Table, board: KalahSpec) -> Result<Stage, ArenaError> {
        let players = table.names.len();
        let schedule = match players > self.setup.swiss_above {
            true => Schedule::Swiss,
            false => Schedule::RoundRobin,
        };
        (self.tell)(ClubEvent::Stage(format!(
            "{board}, {schedule}, {players} players"
        )));
        let rounds = match (schedule, self.setup.rounds) {
            (Schedule::Swiss, 0) => players.next_power_of_two().trailing_zeros(),
            (Schedule::Swiss, rounds) => rounds,
            _ => 1,
        };
        let mut meetings = Vec::new();
        let mut points = vec![0.0; players];
        let mut byes = vec![0; players];
        let mut met = vec![vec![0; players]; players];
        for round in 0..rounds {
            if self.stop.look() {
                break;
            }
            let pairs = match schedule {
                Schedule::Swiss => {
                    let paired = swiss_round(&points, &met, &byes);
                    if let Some(bye) = paired.bye {
                        byes[bye] += 1;
                        points[bye] += 2.0;
                        table.points[bye] += 2 * WIN;
                    }
                    paired.pairs
                }
                _ => in_rounds(players),
            };
            let mut games = Vec::new();
            for &(a, b) in &pairs {
                met[a][b] += 1;
                met[b][a] += 1;
                let agents = [client(&table.names[a]), client(&table.names[b])];
                let seed = self.setup.rng_seed.wrapping_add(u64::from(round));
                let spec = match_of(agents, board, self.setup.time, seed);
                games.extend([(spec.clone(), 0), (spec, 1)]);
            }
            let mut records = self.play_all(games)?;
            records.sort_by_key(|record| record.number);
            for &(a, b) in &pairs {
                let names = [&table.names[a], &table.names[b]].map(Clone::clone);
                let own = records.iter().filter(|record| {
                    let seat = record.seat_of_a().index();
                    let players = record.players.each_ref();
                    let players = players.map(|player| client_name_of(&player.agent));
                    [&players[seat], &players[1 - seat]] == [&names[0], &names[1]]
                });
                let mut tally = Tally::default();
                for record in own {
                    if let Some(verdict) = record.verdict(record.seat_of_a()) {
                        tally.add(verdict);
                        table.enter((a, b), verdict, record);
                    }
                }
                points[a] += tally.points();
                points[b] += tally.opposite().points();
                meetings.push(Encounter {
                    players: names,
                    wins: tally.wins,
                    draws: tally.draws,
                    losses: tally.losses,
                });
            }
        }
        Ok(Stage {
            game: GameSpec::Kalah(board.with_majority(true)),
            schedule,
            meetings,
        })
    }

    /// Plays games, as many at once as the clients can play. Games in the store are not played again. After a stop, returns only
    /// the games that were finished before it.
    fn play_all(&mut self, games: Vec<(MatchSpec, u32)>) -> Result<Vec<GameRecord>, ArenaError> {
        let mut records = Vec::with_capacity(games.len());
        let mut waiting = VecDeque::new();
        for (spec, number) in games {
            match self.ledger.game(&spec, number)? {
                (_, Some(record)) => records.push(record),
                (match_id, None) => waiting.push_back(Job {
                    spec,
                    match_id,
                    number,
                }),
            }
        }
        let mut tables = Tables::new(self.club, self.clients.clone(), self.stop);
        let mut result = Ok(());
        while result.is_ok() && !self.stop.look() && (!waiting.is_empty() || tables.under_way() > 0)
        {
            while let Some(place) = waiting.iter().position(|job| tables.can_play(job)) {
                let Some(job) = waiting.remove(place) else {
                    break;
                };
                let mut players = job.spec.specs();
                players.rotate_left((job.number % 2) as usize);
                if !tables.begin(job.clone()) {
                    waiting.push_front(job);
                    break;
                }
                (self.tell)(ClubEvent::Began(players));
            }
            if let Some((_, played)) = tables.next_done(Duration::from_millis(50)) {
                result = played.and_then(|record| {
                    if let Some(record) = record {
                        self.ledger.add(&record)?;
                        (self.tell)(ClubEvent::Ended(Box::new(record.clone())));
                        records.push(record);
                    }
                    Ok(())
                });
            }
        }
        tables.clear();
        result.map(|()| records)
    }
}

/// All pairs, in an order in which successive games have different players: the circle method.
fn in_rounds(players: usize) -> Vec<(usize, usize)> {
    let seats = players + players % 2;
    let mut pairs = Vec::new();
    for round in 0..seats.saturating_sub(1) {
        let at = |seat: usize| match seat {
            0 => 0,
            _ => (seat - 1 + round) % (seats - 1) + 1,
        };
        let round = (0..seats / 2).map(|seat| (at(seat), at(seats - 1 - seat)));
        // A player without an opponent has a bye.
        let round = round.filter(|&(a, b)| a < players && b < players);
        pairs.extend(round.map(|(a, b)| (a.min(b), a.max(b))));
    }
    pairs
}

fn client_name_of(spec: &str) -> String {
    let name = spec.split_once(':').map_or(spec, |(_, name)| name);
    name.to_owned()
}

/// The results of all stages so far.
struct Table {
    names: Vec<String>,
    points: Vec<u64>,
    tallies: Vec<Tally>,
    forfeits: Vec<u64>,
    encounters: Vec<stats::Encounter>,
}

impl Table {
    fn new(names: Vec<String>) -> Self {
        let players = names.len();
        Table {
            names,
            points: vec![0; players],
            tallies: vec![Tally::default(); players],
            forfeits: vec![0; players],
            encounters: Vec::new(),
        }
    }

    fn enter(&mut self, (a, b): (usize, usize), verdict: Verdict, record: &GameRecord) {
        for (player, verdict) in [(a, verdict), (b, verdict.turned())] {
            self.tallies[player].add(verdict);
            self.points[player] += match verdict {
                Verdict::Win => WIN,
                Verdict::Draw => DRAW,
                Verdict::Loss => 0,
            };
            if verdict == Verdict::Loss && record.ending.is_forfeit() {
                self.forfeits[player] += 1;
            }
        }
        let is = |wanted| u64::from(verdict == wanted);
        self.encounters.push(stats::Encounter {
            first: a,
            second: b,
            wins: is(Verdict::Win),
            draws: is(Verdict::Draw),
            losses: is(Verdict::Loss),
        });
    }

    fn standings(&self, ratings: &[Rating]) -> Vec<Placed> {
        let mut placed: Vec<Placed> = (0..self.names.len())
            .map(|player| Placed {
                name: self.names[player].clone(),
                points: self.points[player],
                wins: self.tallies[player].wins,
                draws: self.tallies[player].draws,
                losses: self.tallies[player].losses,
                elo: Some(ratings[player].elo).filter(|elo| elo.is_finite()),
                elo_error: Some(ratings[player].error).filter(|error| error.is_finite()),
                forfeits: self.forfeits[player],
            })
            .collect();
        placed.sort_by(|a, b| {
            let elo = |placed: &Placed| placed.elo.unwrap_or(f64::NEG_INFINITY);
            b.points.cmp(&a.points).then(elo(b).total_cmp(&elo(a)))
        });
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::in_rounds;

    #[test]
    fn all_players_meet_once_in_rounds_without_conflicts() {
        for players in 0..9 {
            let mut pairs = in_rounds(players);
            let per_round = players / 2;
            for round in pairs.chunks(per_round.max(1)) {
                let mut busy: Vec<usize> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
                busy.sort_unstable();
                busy.dedup();
                assert_eq!(busy.len(), 2 * round.len(), "{players}");
            }
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), players * players.saturating_sub(1) / 2);
        }
    }
}
