//! The exact value of a Kalah position, found by visiting every position once.

use crate::ArrayKalah;
use kalahari_games::Player;
use std::collections::HashMap;

/// A negamax that remembers what it has seen. Slow, without any pruning.
#[derive(Debug, Default)]
pub struct KalahNegamax {
    /// How many more seeds than the opponent the player to move banks from here on, by pits and player.
    seen: HashMap<(Vec<u16>, Player), i32>,
}

impl KalahNegamax {
    /// The final margin as the player to move sees it, both playing best.
    pub fn final_margin(&mut self, position: &ArrayKalah) -> i32 {
        let setup = position.setup();
        let half = setup.houses.len() / 2;
        let store = |player: Player| i32::from(setup.houses[(player.index() + 1) * half - 1]);
        let lead = store(setup.player) - store(!setup.player);
        if let Some(outcome) = position.outcome() {
            return outcome.margin(setup.player);
        }
        let mut pits = setup.houses.clone();
        pits[half - 1] = 0;
        pits[2 * half - 1] = 0;
        let key = (pits, setup.player);
        if let Some(future) = self.seen.get(&key) {
            return lead + future;
        }
        let mut best = i32::MIN;
        for pit in (0..half - 1).filter(|&pit| position.is_legal(pit)) {
            best = best.max(self.margin_of_move(position, pit));
        }
        self.seen.insert(key, best - lead);
        best
    }

    /// The final margin after sowing a pit that may be sown, as the player who sows sees it.
    pub fn margin_of_move(&mut self, position: &ArrayKalah, pit: usize) -> i32 {
        let mut child = *position;
        child.play(pit);
        let value = self.final_margin(&child);
        match child.setup().player == position.setup().player {
            true => value,
            false => -value,
        }
    }
}
