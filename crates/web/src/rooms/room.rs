//! One room: two seats, the game between them, and what they may do. It knows no connection and no file.

use crate::rooms::clock::GameClock;
use crate::rooms::name::shown_name;
use crate::token::Token;
use kalahari_games::{AnyGame, Game, GameSpec, Player};
use kalahari_study::Played;
use kalahari_wire::line::{MOST_MOVES, WireLine};
use kalahari_wire::room::{ClockSetting, EndKind, Offer, OfferKind, RoomEnd, RoomView, SeatView};
use kalahari_wire::{Problem, WireResult, show};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A room. Times are those of a [`kalahari_terms::Clock`].
#[derive(Clone, Debug)]
pub(crate) struct Room {
    pub(crate) name: String,
    pub(crate) version: u64,
    pub(crate) round: u32,
    pub(crate) played: Played,
    pub(crate) seats: [Option<Seat>; 2],
    pub(crate) clock: Option<GameClock>,
    pub(crate) offer: Option<(OfferKind, Player)>,
    pub(crate) end: Option<(EndKind, Option<Player>)>,
    /// When the room was last used.
    pub(crate) touched: Duration,
}

/// A player's seat.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) token: Token,
    pub(crate) name: String,
    pub(crate) won: u32,
}

/// What a player may do besides moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Resign,
    Offer(OfferKind),
    Accept,
    Decline,
}

impl Seat {
    /// A seat for a person of this name.
    pub(crate) fn new(token: Token, name: &str) -> Self {
        Seat {
            token,
            name: shown_name(name),
            won: 0,
        }
    }
}

impl Room {
    /// A room with two free seats.
    pub(crate) fn new(
        name: String,
        game: GameSpec,
        clock: Option<ClockSetting>,
        now: Duration,
    ) -> Self {
        Room {
            name,
            version: first_version(),
            round: 1,
            played: at_start(game),
            seats: [None, None],
            clock: clock.map(GameClock::new),
            offer: None,
            end: None,
            touched: now,
        }
    }

    /// The player whose seat has this token.
    pub(crate) fn player(&self, token: &str) -> Option<Player> {
        let own = |player: &Player| {
            let seat = self.seats[player.index()].as_ref();
            seat.is_some_and(|seat| seat.token.is(token))
        };
        Player::BOTH.into_iter().find(own)
    }

    /// Sits down on a seat, or on whichever is free.
    pub(crate) fn sit(
        &mut self,
        wanted: Option<Player>,
        seat: Seat,
        now: Duration,
    ) -> WireResult<Player> {
        let free = |player: &Player| {
            self.seats[player.index()].is_none() && wanted.is_none_or(|wanted| wanted == *player)
        };
        let Some(player) = Player::BOTH.into_iter().find(free) else {
            return Err(Problem::new("taken", "both seats of this room are taken"));
        };
        self.seats[player.index()] = Some(seat);
        self.let_clock_run(now, now);
        Ok(player)
    }

    /// Whether both seats are taken and the game is not over.
    pub(crate) fn is_going_on(&self) -> bool {
        self.end.is_none() && self.seats.iter().all(Option::is_some)
    }

    /// Who is to move.
    pub(crate) fn mover(&self) -> Player {
        self.played.game.to_move(&self.played.last())
    }

    /// Starts the clock of the player to move at a moment, if the game is not over.
    pub(crate) fn let_clock_run(&mut self, now: Duration, from: Duration) {
        let (going_on, mover) = (self.is_going_on(), self.mover());
        if let Some(clock) = &mut self.clock {
            match going_on {
                true => clock.run(mover, now, from),
                false => clock.stop(now),
            }
        }
    }

    /// Plays a move. `ply` is how many moves the player knew of: a player who repeats a move because the answer was lost
    /// is not refused. False if nothing changed.
    pub(crate) fn play(
        &mut self,
        token: &str,
        at: (u32, usize),
        text: &str,
        now: Duration,
    ) -> WireResult<bool> {
        let player = self.seated(token)?;
        let (round, ply) = at;
        let game = &self.played.game;
        let mv = game.parse_move(text).map_err(|error| {
            Problem::new("bad_move", error.to_string())
                .at("move")
                .of(text.chars().take(40).collect::<String>())
        })?;
        let known = self.played.moves.get(ply);
        if round == self.round
            && known == Some(&mv)
            && game.to_move(&self.played.positions[ply]) == player
        {
            return Ok(false);
        }
        self.check_late(now);
        if round != self.round || ply != self.played.moves.len() {
            return Err(Problem::new(
                "stale",
                "the game has moved on in the meantime",
            ));
        }
        if !self.is_going_on() {
            return Err(self.not_going_on());
        }
        if self.mover() != player {
            return Err(Problem::new(
                "not_your_turn",
                "it is the other player's turn",
            ));
        }
        if self.played.moves.len() >= MOST_MOVES {
            return Err(Problem::new(
                "too_long",
                format!("more than {MOST_MOVES} moves"),
            ));
        }
        self.played.play(mv).map_err(|error| {
            Problem::new("bad_move", error.to_string())
                .at("move")
                .of(mv.to_string())
        })?;
        self.offer = None;
        if let Some(clock) = &mut self.clock {
            clock.moved(now);
        }
        if let Some(outcome) = self.played.game.outcome(&self.played.last()) {
            self.finish(EndKind::Rules, outcome.winner(), now);
        }
        self.let_clock_run(now, now);
        Ok(true)
    }

    /// Does something else. False if nothing changed.
    pub(crate) fn act(
        &mut self,
        token: &str,
        round: u32,
        deed: Deed,
        now: Duration,
    ) -> WireResult<bool> {
        let player = self.seated(token)?;
        self.check_late(now);
        if round != self.round {
            return Err(Problem::new(
                "stale",
                "another game has begun in the meantime",
            ));
        }
        let refused = || Err(Problem::new("no_offer", "there is no such offer now"));
        match deed {
            Deed::Resign => {
                if !self.is_going_on() {
                    return Err(self.not_going_on());
                }
                self.finish(EndKind::Resigned, Some(!player), now);
            }
            // If both offer the same, they agree.
            Deed::Offer(kind) if self.offer == Some((kind, !player)) => {
                self.accept(kind, !player, now);
            }
            Deed::Offer(kind) => {
                let possible = match kind {
                    OfferKind::Takeback => self.is_going_on() && self.last_own(player).is_some(),
                    OfferKind::Rematch => {
                        self.end.is_some() && self.seats.iter().all(Option::is_some)
                    }
                };
                if !possible {
                    return Err(Problem::new("no_offer", "that cannot be offered now"));
                }
                if self.offer == Some((kind, player)) {
                    return Ok(false);
                }
                self.offer = Some((kind, player));
            }
            Deed::Accept => match self.offer {
                Some((kind, by)) if by != player => self.accept(kind, by, now),
                _ => return refused(),
            },
            // The player who made an offer may withdraw it.
            Deed::Decline => match self.offer.take() {
                Some(_) => {}
                None => return refused(),
            },
        }
        Ok(true)
    }

    fn accept(&mut self, kind: OfferKind, by: Player, now: Duration) {
        self.offer = None;
        match kind {
            OfferKind::Takeback => {
                if let Some(ply) = self.last_own(by) {
                    self.played.moves.truncate(ply);
                    self.played.positions.truncate(ply + 1);
                }
            }
            OfferKind::Rematch => {
                self.round = self.round.saturating_add(1);
                self.seats.swap(0, 1);
                self.played = at_start(self.played.game.spec());
                self.end = None;
                self.clock = self
                    .clock
                    .as_ref()
                    .map(|clock| GameClock::new(clock.setting()));
            }
        }
        self.let_clock_run(now, now);
    }

    /// The place of a player's last move.
    fn last_own(&self, player: Player) -> Option<usize> {
        let Played {
            game,
            positions,
            moves,
        } = &self.played;
        (0..moves.len())
            .rev()
            .find(|ply| game.to_move(&positions[*ply]) == player)
    }

    /// Ends the game if a player's time is up; true if it is.
    pub(crate) fn check_late(&mut self, now: Duration) -> bool {
        let late = self.clock.as_ref().and_then(|clock| clock.late(now));
        match late {
            Some(late) if self.end.is_none() => {
                self.finish(EndKind::Time, Some(!late), now);
                true
            }
            _ => false,
        }
    }

    fn finish(&mut self, kind: EndKind, winner: Option<Player>, now: Duration) {
        self.end = Some((kind, winner));
        self.offer = None;
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
        if let Some(seat) = winner.and_then(|winner| self.seats[winner.index()].as_mut()) {
            seat.won = seat.won.saturating_add(1);
        }
    }

    fn seated(&self, token: &str) -> WireResult<Player> {
        let player = self.player(token);
        player.ok_or_else(|| Problem::new("not_yours", "this is not your seat").at("seat"))
    }

    fn not_going_on(&self) -> Problem {
        match self.end {
            Some(_) => Problem::new("game_over", "the game is over"),
            None => Problem::new("alone", "the other player is not there yet"),
        }
    }

    /// What the holder of a seat's token, or of none, sees; `here` says who is connected, and `watching` how many people watch.
    pub(crate) fn view(
        &self,
        token: Option<&str>,
        here: [bool; 2],
        watching: usize,
        now: Duration,
    ) -> RoomView {
        let seat = |player: Player| {
            let seat = self.seats[player.index()].as_ref();
            SeatView {
                taken: seat.is_some(),
                name: seat.map(|seat| seat.name.clone()).unwrap_or_default(),
                here: here[player.index()],
                won: seat.map_or(0, |seat| seat.won),
            }
        };
        let played = &self.played;
        RoomView {
            room: self.name.clone(),
            version: self.version,
            round: self.round,
            line: WireLine {
                game: played.game.spec().to_string(),
                start: None,
                moves: played.moves.iter().map(ToString::to_string).collect(),
            },
            state: show::state(played, played.moves.len()),
            seats: Player::BOTH.map(seat),
            you: token.and_then(|token| self.player(token)).map(Into::into),
            clock: self.clock.as_ref().map(|clock| clock.view(now)),
            offer: self.offer.map(|(kind, by)| Offer {
                kind,
                by: by.into(),
            }),
            end: self.end.map(|(kind, winner)| RoomEnd {
                kind,
                winner: winner.map(Into::into),
            }),
            watching,
        }
    }
}

/// The version that a new room begins with; a later room of the same name begins with a higher one.
pub(crate) fn first_version() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |time| time.as_millis() as u64)
}

fn at_start(game: GameSpec) -> Played {
    let game = AnyGame::new(game);
    let start = game.start();
    Played::new(game, start)
}
