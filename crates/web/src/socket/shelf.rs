//! Players that are kept for the next move: those that were expensive to make, for any client that needs the same again;
//! the others, with what is in their tables, for the same client.

use kalahari_agents::{AgentSpec, Player};
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
    /// The number of clients.
    clients: usize,
    /// The number of the newest client.
    last: u64,
    /// Players that prove, for any client; the oldest first.
    proving: Vec<(Place, Player)>,
    /// How many of these are in use.
    lent: usize,
    /// Players of clients; the oldest first.
    own: Vec<(Owner, Player)>,
}

/// What a player was made for: a rule set, and the kind of board, which depends on the seeds that are on it.
type Place = (GameSpec, Discriminant<AnyGame>);

/// Whose player it is, and what it was made for.
type Owner = (Client, AgentSpec, Place);

/// A client's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client(u64);

/// The most players that prove at once, in use or kept.
const MOST_PROVING: usize = 2;
/// The most players that are kept for clients.
const MOST_OWN: usize = 8;

fn place(game: &AnyGame) -> Place {
    (game.spec(), discriminant(game))
}

impl Shelf {
    /// The right to use a player that proves; `None` if there are too many in use.
    pub(crate) fn lend(&self, game: &AnyGame) -> Option<Lent<'_>> {
        let mut players = self.lock();
        if players.lent >= MOST_PROVING {
            return None;
        }
        players.lent += 1;
        let place = place(game);
        let found = players.proving.iter().position(|(key, _)| *key == place);
        let player = found.map(|found| players.proving.remove(found).1);
        // Another one is about to be made.
        let room = MOST_PROVING - players.lent;
        let excess = players.proving.len().saturating_sub(room);
        players.proving.drain(..excess);
        Some(Lent {
            shelf: self,
            place,
            player,
        })
    }

    /// The player that a client has used before.
    pub(crate) fn take(&self, client: Client, agent: &AgentSpec, game: &AnyGame) -> Option<Player> {
        let mut players = self.lock();
        let wanted = (client, agent.clone(), place(game));
        let found = players.own.iter().position(|(key, _)| *key == wanted);
        found.map(|found| players.own.remove(found).1)
    }

    /// Keeps a player for a client's next move.
    pub(crate) fn keep(&self, client: Client, agent: &AgentSpec, game: &AnyGame, player: Player) {
        let mut players = self.lock();
        if players.clients == 0 {
            return;
        }
        // A client plays one game at a time.
        players.own.retain(|((owner, ..), _)| *owner != client);
        let excess = (players.own.len() + 1).saturating_sub(MOST_OWN);
        players.own.drain(..excess);
        let owner = (client, agent.clone(), place(game));
        players.own.push((owner, player));
    }

    /// One more client. Nothing is kept when there are none.
    pub(crate) fn enter(&self) -> Client {
        let mut players = self.lock();
        players.clients += 1;
        players.last += 1;
        Client(players.last)
    }

    /// One client fewer.
    pub(crate) fn leave(&self, client: Client) {
        let mut players = self.lock();
        players.clients -= 1;
        players.own.retain(|((owner, ..), _)| *owner != client);
        if players.clients == 0 {
            players.proving.clear();
            players.own.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Players> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A player that proves, in use.
pub(crate) struct Lent<'a> {
    shelf: &'a Shelf,
    place: Place,
    /// One that was kept.
    pub(crate) player: Option<Player>,
}

impl Lent<'_> {
    /// Keeps a player for the next time. One that has failed is not given back but made again.
    pub(crate) fn give_back(self, player: Player) {
        let mut players = self.shelf.lock();
        if players.clients > 0 {
            players.proving.push((self.place, player));
        }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.shelf.lock().lent -= 1;
    }
}
