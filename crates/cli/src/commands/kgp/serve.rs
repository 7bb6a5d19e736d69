//! `kalahari kgp serve`: a practice or tournament server.

use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use kalahari_agents::{AgentKind, AgentSpec, Player};
use kalahari_arena::pictures::write_pictures;
use kalahari_arena::stats::rating_notes;
use kalahari_arena::{Live, Store};
use kalahari_club::{
    Club, ClubEvent, Ledger, Names, Practice, TournamentResult, TournamentSetup, hold_tournament,
    practise,
};
use kalahari_games::kalah::KalahSpec;
use kalahari_games::{AnyGame, GameSpec};
use kalahari_kgp::{Host, HostLimits, HostOptions};
use kalahari_terms::{Stop, parse_duration};
use kalahari_web::{Limits, ServeOptions, Server};
use serde_json::json;
use std::collections::HashSet;
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Let programs play Kalah here: practice, or a tournament
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari kgp serve
  kalahari kgp serve --listen 0.0.0.0:2671 --board 8x8 --time 5s --db games.db --page 8080
  kalahari kgp serve --tournament --players 12 --board 6x6,8x8,10x10,12x12 --db cup.db --names names.json --out report

Clients connect by TCP or by a WebSocket at /socket, both on the same port. Practice pairs clients that wait; one that waits
alone plays an agent of ours. A tournament begins when enough players are there or the time for registration is over: sanity games,
then every two players meet twice on every board, or Swiss rounds if there are many; 2 points for a win, 1 for a draw. With
--db a tournament that was interrupted continues where it stopped. See docs/kgp.md for TLS and for the limits.")]
pub(crate) struct Serve {
    /// Where clients connect; other machines need 0.0.0.0:2671
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:2671")]
    listen: SocketAddr,

    /// Boards, pits x seeds [default: 6x6, and in a tournament 6x6,8x8,10x10,12x12]
    #[arg(long, value_name = "PxS", value_delimiter = ',', value_parser = board)]
    board: Vec<KalahSpec>,

    /// The time for a move
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "5s")]
    time: Duration,

    /// Keep every finished game in this SQLite file
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Keep names and the hashes of their tokens in this file
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,

    /// Refuse clients without a token
    #[arg(long)]
    strict: bool,

    /// Serve the page on this port of this machine: games can be watched as they are played
    #[arg(long, value_name = "PORT")]
    page: Option<u16>,

    /// The most games of one client at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    games_per_client: u8,

    /// The most connections
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    connections: u16,

    /// Tournament: how long the next game waits for a client that has left
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    wait: Duration,

    /// Practice: agents that play, in turn, when no other client waits
    #[arg(
        long,
        value_name = "AGENT",
        value_delimiter = ';',
        default_value = "level:1;level:2;level:3;level:4;level:5;level:6"
    )]
    opponents: Vec<AgentSpec>,

    /// Practice: how long a client waits for another one
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "2s")]
    alone: Duration,

    /// Hold a tournament
    #[arg(long)]
    tournament: bool,

    /// Tournament: begin when this many players are there
    #[arg(long, value_name = "N", requires = "tournament")]
    players: Option<usize>,

    /// Tournament: how long clients may register
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "5m")]
    registration: Duration,

    /// Tournament: games against random that have to be won first
    #[arg(long, value_name = "N", default_value_t = 1)]
    sanity: u32,

    /// Tournament: play Swiss rounds if there are more players than this
    #[arg(long, value_name = "N", default_value_t = 16)]
    swiss_above: usize,

    /// Tournament: rounds of a Swiss stage [default: enough to find a winner]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    rounds: u32,

    /// Tournament: write the report of all games of --db into this directory
    #[arg(long, value_name = "DIR", requires = "db")]
    out: Option<PathBuf>,

    /// The seed of all random choices
    #[arg(long = "seed", value_name = "S", default_value_t = 1)]
    rng_seed: u64,

    /// Print one line of JSON for every game, and the result of a tournament
    #[arg(long)]
    json: bool,
}

/// Reads a size such as 8x8.
fn board(text: &str) -> Result<KalahSpec, kalahari_games::SpecError> {
    format!("kalah:{text}:standard").parse()
}

impl Serve {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        anyhow::ensure!(
            !self.time.is_zero(),
            "--time 0s leaves no time for a move; try --time 5s"
        );
        if self.board.is_empty() {
            let sizes: &[&str] = match self.tournament {
                true => &["6x6", "8x8", "10x10", "12x12"],
                false => &["6x6"],
            };
            self.board = sizes
                .iter()
                .map(|size| board(size))
                .collect::<Result<_, _>>()?;
        }
        // A board that is named twice is one board.
        let mut boards = HashSet::new();
        self.board.retain(|board| boards.insert(*board));
        for opponent in &self.opponents {
            anyhow::ensure!(
                opponent.kind() != AgentKind::Kgp,
                "{opponent} is a client; name an agent of ours (see `kalahari agents`)"
            );
            for &board in &self.board {
                let game = AnyGame::new(GameSpec::Kalah(board.with_majority(true)));
                Player::new(opponent, &game, 0)?;
            }
        }
        let store = self.db.as_deref().map(Store::open).transpose()?;
        let page = self.out.as_ref().map(|out| out.join("index.html"));
        for file in self.names.iter().chain(&page) {
            output::check_place(file)?;
        }
        let names = Names::open(self.names.clone(), self.strict)?;
        let limits = HostLimits {
            connections: self.connections.into(),
            connections_per_address: self.connections.into(),
            ..HostLimits::default()
        };
        let host = Host::open(HostOptions {
            listen: self.listen,
            limits,
            gatekeeper: Box::new(names),
        });
        let host = host.with_context(|| format!("cannot listen on {}", self.listen))?;
        let address = host.address();
        let club = Club {
            host: Arc::new(host),
            live: Live::default(),
            wait: self.wait,
            games_per_client: self.games_per_client.into(),
        };
        let stop = match self.tournament {
            // A child: the end of the tournament must not count as an interruption.
            true => interrupt::stop().child(),
            false => interrupt::meant_to_end(),
        };
        if !self.json {
            output::print(&format!(
                "Clients connect to {address} or ws://{address}/socket\n"
            ))?;
        }
        let page = self
            .page
            .map(|port| self.show_page(port, &club.live, &stop))
            .transpose()?;
        let mut ledger = Ledger::new(store);
        let played = match self.tournament {
            true => self.hold(&club, &mut ledger, &stop),
            false => self.practise(&club, &mut ledger, &stop),
        };
        stop.request();
        if let Some(page) = page {
            let _ = page.join();
        }
        played
    }

    /// Serves the page in a separate thread.
    fn show_page(
        &self,
        port: u16,
        live: &Live,
        stop: &Stop,
    ) -> anyhow::Result<std::thread::JoinHandle<()>> {
        let options = ServeOptions {
            port,
            store: self.db.clone(),
            live: Some(live.clone()),
            agents: Vec::new(),
            limits: Limits::default(),
            hosting: None,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .context("cannot start")?;
        let server = runtime.block_on(Server::bind(options))?;
        if !self.json {
            output::print(&format!(
                "The page is at http://{}/#/arena\n",
                server.address()
            ))?;
        }
        let stop = stop.clone();
        Ok(std::thread::spawn(move || {
            let stopped = async {
                while !stop.is_requested() {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            };
            if let Err(error) = runtime.block_on(server.run(stopped)) {
                eprintln!("kalahari: the page: {error}");
            }
            runtime.shutdown_timeout(Duration::from_secs(2));
        }))
    }

    fn practise(&self, club: &Club, ledger: &mut Ledger, stop: &Stop) -> anyhow::Result<()> {
        let practice = Practice {
            boards: self.board.clone(),
            time: self.time,
            opponents: self.opponents.clone(),
            alone: self.alone,
            games: usize::from(self.connections) * usize::from(self.games_per_client),
            rng_seed: self.rng_seed,
        };
        let mut trouble = None;
        practise(club, &practice, ledger, stop, &mut |event| {
            self.tell(&event, stop, &mut trouble)
        })?;
        trouble.map_or(Ok(()), Err)
    }

    fn hold(&self, club: &Club, ledger: &mut Ledger, stop: &Stop) -> anyhow::Result<()> {
        let setup = TournamentSetup {
            boards: self.board.clone(),
            time: self.time,
            registration: self.registration,
            players: self.players,
            sanity: self.sanity,
            swiss_above: self.swiss_above,
            rounds: self.rounds,
            rng_seed: self.rng_seed,
        };
        let mut trouble = None;
        let result = hold_tournament(club, &setup, ledger, stop, &mut |event| {
            self.tell(&event, stop, &mut trouble);
        })?;
        match self.json {
            true => output::print_json(&result)?,
            false => output::print(&table(&result))?,
        }
        if let (Some(store), Some(out)) = (ledger.store(), &self.out) {
            write_pictures(store, out)?;
        }
        if let Some(error) = trouble {
            return Err(error);
        }
        anyhow::ensure!(
            result.interrupted || result.standings.len() > 1,
            "there were fewer than two players; give clients more time to come (--registration), or wait for some (--players)"
        );
        Ok(())
    }

    /// Shows what happens. An output that fails ends everything.
    fn tell(&self, event: &ClubEvent, stop: &Stop, trouble: &mut Option<anyhow::Error>) {
        let shown = match event {
            ClubEvent::Ended(record) if self.json => output::print_json(&json!({
                "match": record.match_id,
                "number": record.number + 1,
                "game": record.game,
                "players": record.players.each_ref().map(ToString::to_string),
                "result": record.result_text(),
                "margin": record.margin,
                "ending": record.ending.name(),
                "detail": record.detail,
                "plies": record.moves.len(),
                "seconds": record.seconds(),
            })),
            ClubEvent::Stage(_) | ClubEvent::Began(_) if self.json => Ok(()),
            ClubEvent::Stage(words) => output::print(&format!("== {words}\n")),
            ClubEvent::Began(_) => Ok(()),
            ClubEvent::Ended(record) => {
                let [first, second] = &record.players;
                let detail = match record.ending.is_forfeit() {
                    true => format!(", {}: {}", record.ending, record.detail),
                    false => String::new(),
                };
                let (result, game) = (record.result_text(), record.game);
                let (moves, seconds) = (record.moves.len(), record.seconds());
                output::print(&format!(
                    "{first} - {second}: {result} ({game}, {moves} moves, {seconds:.1} s{detail})\n"
                ))
            }
        };
        if let Err(error) = shown {
            trouble.get_or_insert(error);
            stop.request();
        }
    }
}

/// The final table of a tournament.
fn table(result: &TournamentResult) -> String {
    let names = result
        .standings
        .iter()
        .map(|placed| placed.name.chars().count());
    let wide = names.max().unwrap_or(0).max(6);
    let mut text = format!(
        "\n{:>3}  {:wide$}  {:>6}  {:>5} {:>5} {:>5}  {:>6} {:>6}  {:>8}\n",
        "", "player", "points", "won", "drawn", "lost", "Elo", "+/-", "forfeits"
    );
    for (place, placed) in (1..).zip(&result.standings) {
        let number =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.0}"));
        let _ = writeln!(
            text,
            "{place:>3}  {:wide$}  {:>6}  {:>5} {:>5} {:>5}  {:>6} {:>6}  {:>8}",
            placed.name,
            placed.points,
            placed.wins,
            placed.draws,
            placed.losses,
            number(placed.elo),
            number(placed.elo_error),
            placed.forfeits
        );
    }
    for stage in &result.stages {
        let _ = writeln!(text, "\n{}, {}", stage.game, stage.schedule);
        for meeting in &stage.meetings {
            let [a, b] = &meeting.players;
            let _ = writeln!(
                text,
                "  {a} - {b}: +{} ={} -{}",
                meeting.wins, meeting.draws, meeting.losses
            );
        }
    }
    for out in &result.disqualified {
        let _ = writeln!(
            text,
            "{} won {} of {} sanity games and took no part",
            out.name, out.won, out.games
        );
    }
    for note in rating_notes(result.padded, result.groups) {
        let _ = writeln!(text, "Note: {note}");
    }
    if result.interrupted {
        text += "interrupted\n";
    }
    text
}
