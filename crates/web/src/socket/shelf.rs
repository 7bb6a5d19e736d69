//! Players that were expensive to make, kept for whoever needs the same again.

use kalahari_agents::Player;
use kalahari_games::{AnyGame, Game, GameSpec};
use std::mem::{Discriminant, discriminant};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A few players that are kept from one move to the next.
#[derive(Default)]
pub(crate) struct Shelf {
    players: Mutex<Players>,
}

#[derive(Default)]
struct Players {
    /// How many clients there are who may want one.
    clients: usize,
    /// The oldest first.
    kept: Vec<(Place, Player)>,
    /// How many are in use.
    lent: usize,
}

/// What a player was made for: a rule set, and the kind of board, which depends on the seeds that are on it.
type Place = (GameSpec, Discriminant<AnyGame>);

/// The most players that exist at once, in use or kept.
const MOST: usize = 2;

impl Shelf {
    /// The right to use a player of this game; `None` if there are too many in use.
    pub(crate) fn lend(&self, game: &AnyGame) -> Option<Lent<'_>> {
        let mut players = self.lock();
        if players.lent >= MOST {
            return None;
        }
        players.lent += 1;
        let place = (game.spec(), discriminant(game));
        let found = players.kept.iter().position(|(key, _)| *key == place);
        let player = found.map(|found| players.kept.remove(found).1);
        // Another one is about to be made.
        let room = MOST - players.lent;
        let excess = players.kept.len().saturating_sub(room);
        players.kept.drain(..excess);
        Some(Lent {
            shelf: self,
            place,
            player,
        })
    }

    /// One client more. Nothing is kept when there is none.
    pub(crate) fn enter(&self) {
        self.lock().clients += 1;
    }

    /// One client less.
    pub(crate) fn leave(&self) {
        let mut players = self.lock();
        players.clients -= 1;
        if players.clients == 0 {
            players.kept.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Players> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A player in use.
pub(crate) struct Lent<'a> {
    shelf: &'a Shelf,
    place: Place,
    /// One that was kept.
    pub(crate) player: Option<Player>,
}

impl Lent<'_> {
    /// Keeps a player for the next time. One that has failed is better made anew.
    pub(crate) fn give_back(self, player: Player) {
        let mut players = self.shelf.lock();
        if players.clients > 0 {
            players.kept.push((self.place, player));
        }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.shelf.lock().lent -= 1;
    }
}
