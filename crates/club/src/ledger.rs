//! Numbers games and stores the finished ones in the arena's store.

use kalahari_arena::{ArenaError, GameRecord, MatchSpec, Store};
use std::collections::{BTreeMap, HashMap};

/// Numbers the games of matches and stores the finished ones.
#[derive(Debug, Default)]
pub struct Ledger {
    store: Option<Store>,
    matches: HashMap<String, Entered>,
}

/// A match that the ledger knows.
#[derive(Debug)]
struct Entered {
    id: String,
    /// The numbers that are taken, and the games that were finished in earlier runs. Practice takes numbers for as long as it runs,
    /// so entries without a game must be small.
    games: BTreeMap<u32, Option<Box<GameRecord>>>,
}

impl Ledger {
    /// A ledger for a store. Without a store, games are numbered but not kept.
    pub fn new(store: Option<Store>) -> Self {
        Ledger {
            store,
            matches: HashMap::new(),
        }
    }

    /// The store, for reports.
    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    fn enter(&mut self, spec: &MatchSpec) -> Result<&mut Entered, ArenaError> {
        let key = spec.key();
        if !self.matches.contains_key(&key) {
            let identity = spec.identity()?;
            let (id, games) = match &mut self.store {
                Some(store) => {
                    let kept = store.resume(spec, &identity, false)?;
                    (kept.id, kept.games)
                }
                None => (spec.id(&identity), Vec::new()),
            };
            let games = games
                .into_iter()
                .map(|game| (game.number, Some(Box::new(game))));
            let entered = Entered {
                id,
                games: games.collect(),
            };
            self.matches.insert(key.clone(), entered);
        }
        Ok(self.matches.entry(key).or_insert_with(|| Entered {
            id: String::new(),
            games: BTreeMap::new(),
        }))
    }

    /// Takes the smallest free game number of a match; with a seating, the smallest of that parity. Returns the match's id and the
    /// number.
    pub fn next(
        &mut self,
        spec: &MatchSpec,
        seating: Option<u32>,
    ) -> Result<(String, u32), ArenaError> {
        let entered = self.enter(spec)?;
        let fits = |number: &u32| seating.is_none_or(|seating| number % 2 == seating % 2);
        let mut free = (0..u32::MAX)
            .filter(fits)
            .filter(|number| !entered.games.contains_key(number));
        let number = free.next().unwrap_or(u32::MAX);
        entered.games.insert(number, None);
        Ok((entered.id.clone(), number))
    }

    /// The match's id, and its game with this number if an earlier run has finished it.
    pub fn game(
        &mut self,
        spec: &MatchSpec,
        number: u32,
    ) -> Result<(String, Option<GameRecord>), ArenaError> {
        let entered = self.enter(spec)?;
        let game = entered.games.get(&number).cloned().flatten();
        Ok((entered.id.clone(), game.map(|game| *game)))
    }

    /// Stores a finished game.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ArenaError> {
        match &mut self.store {
            Some(store) => store.add(record),
            None => Ok(()),
        }
    }

    /// Frees the number of a game that was abandoned.
    pub(crate) fn give_back(&mut self, spec: &MatchSpec, number: u32) {
        if let Some(entered) = self.matches.get_mut(&spec.key()) {
            entered.games.remove(&number);
        }
    }
}
