//! `kalahari play`: a game at the terminal.

use crate::interrupt;
use crate::play::{self, App, Menu, Pace, PitsFrom, Seat, Session, Speed};
use clap::{Args, ValueEnum};
use kalahari_agents::LEVELS;
use kalahari_games::GameSpec;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Play a game against an agent or another person
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari play
  kalahari play kalah:6x4 --level 5
  kalahari play isolation:classic --vs engine:time=500ms --side second
  kalahari play kalah --vs human
  kalahari play --load game.txt
  printf '3\\n6\\n' | kalahari play kalah:6x4

On a terminal the board fills the screen and ? shows the keys; without arguments a menu comes first. In a pipe, or
with --plain, moves are read and boards printed line by line: type help there.")]
pub(crate) struct Play {
    /// The game, such as kalah:6x4 or isolation:queen (see `kalahari games`) [default: kalah:6x6:standard]
    game: Option<GameSpec>,

    /// The opponent: an agent (see `kalahari agents`), or human for two people at one terminal
    /// [default: level:3]
    #[arg(long, value_name = "AGENT", conflicts_with = "level")]
    vs: Option<Seat>,

    /// The opponent is this level; --level 5 is --vs level:5
    #[arg(long, value_name = "0..12", value_parser = clap::value_parser!(u32).range(0..=i64::from(LEVELS)))]
    level: Option<u32>,

    /// Whether you move first or second
    #[arg(long, value_enum)]
    side: Option<Side>,

    /// Continue a saved game
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    load: Option<PathBuf>,

    #[command(flatten)]
    show: ShowFlags,
}

/// How a game is shown.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShowFlags {
    /// Lines instead of a full screen, for scripts and screen readers
    #[arg(long)]
    plain: bool,

    /// Show moves at once instead of seed by seed
    #[arg(long)]
    no_animation: bool,

    /// How fast moves are shown
    #[arg(long, value_enum, default_value = "normal")]
    speed: Speed,

    /// The number of the first pit on the screen (moves in arguments and records always count from 0)
    #[arg(long, value_enum, value_name = "0|1", default_value = "1")]
    pits_from: PitsFrom,

    /// The seed of all random choices [default: the clock]
    #[arg(long = "seed", value_name = "S")]
    rng_seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    First,
    Second,
}

impl ShowFlags {
    /// Whether the game is shown in lines: because the user wants it, or because there is no terminal.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain || !io::stdin().is_terminal() || !io::stdout().is_terminal()
    }

    pub(crate) fn rng_seed(&self) -> u64 {
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH);
        self.rng_seed
            .unwrap_or_else(|| clock().map_or(1, |time| time.as_micros() as u64))
    }

    /// How pits are numbered for people.
    pub(crate) fn pits_from(&self) -> PitsFrom {
        self.pits_from
    }

    pub(crate) fn pace(&self) -> Pace {
        Pace {
            speed: self.speed,
            animate: !self.no_animation,
        }
    }

    /// Plays a game in lines. There are pauses only if people watch two agents.
    pub(crate) fn run_plain(&self, session: Session) -> anyhow::Result<()> {
        interrupt::end_at_once();
        let (input, output) = (io::stdin().lock(), io::stdout().lock());
        let still = Pace {
            animate: false,
            ..self.pace()
        };
        let looking_on = io::stdout().is_terminal() && !session.seats.contains(&Seat::Person);
        play::Plain::new(session, still.pause(looking_on), input, output).run()
    }
}

impl Play {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let pace = self.show.pace();
        if self.show.is_plain() {
            return self.show.run_plain(self.session()?);
        }
        let nothing_asked = self.game.is_none()
            && self.vs.is_none()
            && self.level.is_none()
            && self.side.is_none()
            && self.load.is_none();
        play::run(match nothing_asked {
            true => {
                let menu = Menu::new(GameSpec::default(), &[Seat::Person, self.opponent()?]);
                App::with_menu(menu, pace, self.show.rng_seed()).counting(self.show.pits_from)
            }
            false => App::with_session(self.session()?, pace),
        })
    }

    /// The opponent that was asked for, or the usual one.
    fn opponent(&self) -> anyhow::Result<Seat> {
        Ok(match (&self.vs, self.level) {
            (Some(seat), _) => seat.clone(),
            (None, level) => format!("level:{}", level.unwrap_or(3)).parse()?,
        })
    }

    fn session(&self) -> anyhow::Result<Session> {
        let opponent = self.opponent()?;
        let mut seats = [Seat::Person, opponent];
        if self.side == Some(Side::Second) {
            seats.reverse();
        }
        let mut session = match &self.load {
            Some(file) => {
                let mut session = play::load(file, &seats)?;
                if self.vs.is_some() || self.level.is_some() || self.side.is_some() {
                    session.seats = seats;
                }
                session
            }
            None => Session::at_start(self.game.unwrap_or_default(), seats, self.show.rng_seed()),
        };
        session.pits_from = self.show.pits_from;
        play::check_seats(&session)?;
        Ok(session)
    }
}
