//! Where finished games go: numbers for them, and the arena's store.

use kalahari_arena::{ArenaError, GameRecord, MatchSpec, Store};
use std::collections::{BTreeMap, HashMap};

/// Numbers the games of matches and keeps the finished ones.
#[derive(Debug, Default)]
pub struct Ledger {
    store: Option<Store>,
    matches: HashMap<String, Entered>,
}

/// A match that has been entered.
#[derive(Debug)]
struct Entered {
    id: String,
    /// The numbers that are taken, and the games that were finished before. Practice takes numbers for as long as it goes on, so
    /// they are small.
    games: BTreeMap<u32, Option<Box<GameRecord>>>,
}

impl Ledger {
    /// A ledger over a store; without one, games are numbered and forgotten when the program ends.
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

    /// The match's name and the smallest number of it that is free; with a seating, of that seating. It is taken then.
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

    /// The match's name, and its game of a number if that is finished.
    pub fn game(
        &mut self,
        spec: &MatchSpec,
        number: u32,
    ) -> Result<(String, Option<GameRecord>), ArenaError> {
        let entered = self.enter(spec)?;
        let game = entered.games.get(&number).cloned().flatten();
        Ok((entered.id.clone(), game.map(|game| *game)))
    }

    /// Keeps a finished game.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ArenaError> {
        match &mut self.store {
            Some(store) => store.add(record),
            None => Ok(()),
        }
    }

    /// A game that came to nothing: its number is free again.
    pub(crate) fn give_back(&mut self, spec: &MatchSpec, number: u32) {
        if let Some(entered) = self.matches.get_mut(&spec.key()) {
            entered.games.remove(&number);
        }
    }
}
