//! The exact value of an Isolation position, found by trying moves until one is good enough, each position once.

use crate::GridIsolation;
use crate::grid_isolation::Footing;
use std::collections::HashMap;

/// Proves bounds of values. Slow: it has no move ordering, uses no symmetry and knows nothing about separated pieces.
#[derive(Debug, Default)]
pub struct IsolationProof {
    /// Whether the mover gains at least this much from here on.
    seen: HashMap<(Footing, i32), bool>,
}

impl IsolationProof {
    /// Whether the player to move can get a final margin of at least `wanted`: in `trail` the visited cells of both are
    /// compared, in the other rules a win is +1 and a loss is -1.
    pub fn at_least(&mut self, position: &GridIsolation, wanted: i32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome.margin(position.player()) >= wanted;
        }
        let key = (position.footing(), wanted - position.lead());
        if let Some(&known) = self.seen.get(&key) {
            return known;
        }
        let good_enough = position.moves().into_iter().any(|mv| {
            let mut child = *position;
            child.play(mv);
            !self.at_least(&child, 1 - wanted)
        });
        self.seen.insert(key, good_enough);
        good_enough
    }
}
