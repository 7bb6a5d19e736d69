//! A game in progress: its moves so far, who sits at the board, and how it ends.

use super::pits::PitsFrom;
use super::seat::Seat;
use kalahari_games::story::Step;
use kalahari_games::{
    AnyGame, AnyMove, AnyPosition, Game, GameSpec, IllegalMove, Outcome, Player, View,
};
use kalahari_terms::Score;
use std::time::Duration;

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) game: AnyGame,
    pub(crate) seats: [Seat; 2],
    /// The seed of all random choices.
    pub(crate) rng_seed: u64,
    /// How pits are numbered for people.
    pub(crate) pits_from: PitsFrom,
    start: AnyPosition,
    plies: Vec<Ply>,
    resigned: Option<Player>,
    /// Whether something is not saved yet.
    unsaved: bool,
}

/// A move that was played.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    pub(crate) mover: Player,
    pub(crate) mv: AnyMove,
    /// The position after it.
    pub(crate) after: AnyPosition,
    /// How long its player thought.
    pub(crate) took: Duration,
    /// What its player thought the position before it was worth.
    pub(crate) score: Option<Score>,
    /// What it did, one thing after the other.
    pub(crate) story: Vec<Step>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// By its rules.
    Rules(Outcome),
    /// This player gave up.
    Resigned(Player),
}

impl Session {
    /// A game that begins in a position.
    pub(crate) fn new(
        game: AnyGame,
        start: AnyPosition,
        seats: [Seat; 2],
        rng_seed: u64,
    ) -> Session {
        Session {
            game,
            seats,
            rng_seed,
            pits_from: PitsFrom::default(),
            start,
            plies: Vec::new(),
            resigned: None,
            unsaved: false,
        }
    }

    /// A game at its own start.
    pub(crate) fn at_start(spec: GameSpec, seats: [Seat; 2], rng_seed: u64) -> Session {
        let game = AnyGame::new(spec);
        let start = game.start();
        Session::new(game, start, seats, rng_seed)
    }

    /// The position before the first move, if it is not the game's own start.
    pub(crate) fn set_up_start(&self) -> Option<View> {
        let set_up = self.start != self.game.start();
        set_up.then(|| self.game.view(&self.start))
    }

    pub(crate) fn spec(&self) -> GameSpec {
        self.game.spec()
    }

    pub(crate) fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The position after this many moves, or the last one.
    pub(crate) fn after(&self, plies: usize) -> &AnyPosition {
        match plies.min(self.plies.len()) {
            0 => &self.start,
            count => &self.plies[count - 1].after,
        }
    }

    /// The position on the board.
    pub(crate) fn now(&self) -> &AnyPosition {
        self.after(self.plies.len())
    }

    /// What lies on the board.
    pub(crate) fn view(&self) -> View {
        self.game.view(self.now())
    }

    /// Who is to move; in a finished game, who would be.
    pub(crate) fn mover(&self) -> Player {
        self.game.to_move(self.now())
    }

    /// Who sits on the side to move.
    pub(crate) fn seat_to_move(&self) -> &Seat {
        &self.seats[self.mover().index()]
    }

    /// Whether a person at this terminal has to move.
    pub(crate) fn is_persons_turn(&self) -> bool {
        self.end().is_none() && *self.seat_to_move() == Seat::Person
    }

    /// Whether an agent has to move.
    pub(crate) fn is_agents_turn(&self) -> bool {
        self.end().is_none() && *self.seat_to_move() != Seat::Person
    }

    /// The only person at the board, if there is exactly one.
    pub(crate) fn only_person(&self) -> Option<Player> {
        match &self.seats {
            [Seat::Person, Seat::Agent(_)] => Some(Player::First),
            [Seat::Agent(_), Seat::Person] => Some(Player::Second),
            _ => None,
        }
    }

    /// How the game ended, if it did.
    pub(crate) fn end(&self) -> Option<End> {
        match (self.game.outcome(self.now()), self.resigned) {
            (Some(outcome), _) => Some(End::Rules(outcome)),
            (None, Some(player)) => Some(End::Resigned(player)),
            (None, None) => None,
        }
    }

    /// Plays a move for the player whose turn it is, or says why it cannot be played and changes nothing.
    pub(crate) fn play(
        &mut self,
        mv: AnyMove,
        took: Duration,
        score: Option<Score>,
    ) -> Result<(), IllegalMove> {
        if self.resigned.is_some() {
            return Err(IllegalMove::GameOver { mv: mv.to_string() });
        }
        let before = *self.now();
        let after = self.game.play(&before, mv)?;
        self.plies.push(Ply {
            mover: self.game.to_move(&before),
            mv,
            after,
            took,
            score,
            story: self.game.story(&before, mv),
        });
        self.unsaved = true;
        Ok(())
    }

    /// Takes back a person's last move and all that came after it, or a resignation. Gives the number of moves
    /// taken back; `None` if no person has moved yet.
    pub(crate) fn take_back(&mut self) -> Option<usize> {
        if self.resigned.take().is_some() {
            self.unsaved = true;
            return Some(0);
        }
        let before = self.plies.len();
        let by_person = |ply: &Ply| self.seats[ply.mover.index()] == Seat::Person;
        let last = self.plies.iter().rposition(by_person)?;
        self.plies.truncate(last);
        self.unsaved = !self.plies.is_empty();
        Some(before - self.plies.len())
    }

    /// Ends the game as a loss of `player`, if it is not over.
    pub(crate) fn resign(&mut self, player: Player) {
        if self.end().is_none() {
            self.resigned = Some(player);
            self.unsaved = true;
        }
    }

    /// Whether quitting would lose something.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// A file has the whole game now.
    pub(crate) fn mark_saved(&mut self) {
        self.unsaved = false;
    }
}
