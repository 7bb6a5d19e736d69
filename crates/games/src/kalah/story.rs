//! A Kalah move as a story: lift, sow, capture, sweep.

use crate::kalah::{Board, Kalah, Pit};
use crate::story::{House, Step, Taken};
use crate::{Game, Player};

/// The story of a legal move.
pub(super) fn story<B: Board>(game: &Kalah<B>, position: &B, pit: Pit) -> Vec<Step> {
    let mut teller = Teller {
        pits: game.pits(),
        houses: game.setup(position).houses,
        steps: Vec::new(),
    };
    let player = position.player();
    let effect = game.effect(position, pit);
    let last = teller.sow(player, pit.index());
    if effect.captured > 0 {
        let from = teller.take([last, 2 * game.pits() - last].into_iter());
        teller.steps.push(Step::Capture { player, from });
    }
    teller.sweep();
    if effect.extra_turn && !game.is_over(&game.play_unchecked(position, pit)) {
        teller.steps.push(Step::Again { player });
    }
    teller.steps
}

/// The houses in board order while the story is told.
struct Teller {
    pits: usize,
    houses: Vec<u16>,
    steps: Vec<Step>,
}

impl Teller {
    /// Where a player's pits begin in board order.
    fn first_pit(&self, player: Player) -> usize {
        player.index() * (self.pits + 1)
    }

    /// Whose a house is, and which.
    fn house(&self, place: usize) -> House {
        let player = Player::BOTH[place / (self.pits + 1)];
        let pit = Some(place % (self.pits + 1)).filter(|&pit| pit < self.pits);
        House { player, pit }
    }

    /// Sows a pit and gives the place of the last seed.
    fn sow(&mut self, player: Player, pit: usize) -> usize {
        let mut place = self.first_pit(player) + pit;
        let forbidden = self.first_pit(!player) + self.pits;
        let seeds = u32::from(std::mem::take(&mut self.houses[place]));
        self.steps.push(Step::Lift { player, pit, seeds });
        for _ in 0..seeds {
            place = (place + 1) % self.houses.len();
            if place == forbidden {
                place = (place + 1) % self.houses.len();
            }
            self.houses[place] += 1;
            let (house, now) = (self.house(place), u32::from(self.houses[place]));
            self.steps.push(Step::Sow { house, now });
        }
        place
    }

    /// Empties pits and tells which of them held seeds.
    fn take(&mut self, places: impl Iterator<Item = usize>) -> Vec<Taken> {
        let mut taken = Vec::new();
        for place in places {
            let seeds = u32::from(std::mem::take(&mut self.houses[place]));
            if let House {
                player,
                pit: Some(pit),
            } = self.house(place)
                && seeds > 0
            {
                taken.push(Taken { player, pit, seeds });
            }
        }
        taken
    }

    /// If a side is empty, the other one's owner banks what is left.
    fn sweep(&mut self) {
        let side = |player| self.first_pit(player)..self.first_pit(player) + self.pits;
        let sides = Player::BOTH.map(side);
        let is_empty = |player: Player| {
            let pits = &self.houses[sides[player.index()].clone()];
            pits.iter().all(|&seeds| seeds == 0)
        };
        for player in Player::BOTH {
            if is_empty(!player) && !is_empty(player) {
                let from = self.take(sides[player.index()].clone());
                self.steps.push(Step::Sweep { player, from });
                return;
            }
        }
    }
}
