//! Positions that bring out what agents get wrong, taken from random games.

use crate::named;
use kalahari_games::{AnyGame, AnyPosition, Game, View};
use kalahari_search::Rng;
use std::collections::{BTreeMap, HashSet};

/// What is special about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Oddity {
    /// Nothing: such positions are common in games.
    Usual,
    /// There is one legal move.
    Forced,
    /// The player to move also made the last move: an extra turn.
    ExtraTurn,
    /// A pit holds enough seeds to go all the way round.
    Lap,
    /// A move ends the game.
    End,
}

named!(
    Oddity,
    "positions are usual, forced, extra-turn, lap and end",
    Usual "usual",
    Forced "forced",
    ExtraTurn "extra-turn",
    Lap "lap",
    End "end",
);

impl Oddity {
    /// A description that follows the word "positions".
    pub const fn words(self) -> &'static str {
        match self {
            Oddity::Usual => "from games",
            Oddity::Forced => "with one legal move",
            Oddity::ExtraTurn => "after an extra turn",
            Oddity::Lap => "with a pit that sows all the way round",
            Oddity::End => "where a move ends the game",
        }
    }
}

/// How far a game has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// The first third.
    Opening,
    /// The second third.
    Middle,
    /// The last third.
    End,
}

named!(
    Phase,
    "a game has an opening, a middle and an end",
    Opening "opening",
    Middle "middle",
    End "end",
);

/// A position to ask about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub(super) position: AnyPosition,
    pub(super) oddity: Oddity,
    pub(super) phase: Phase,
}

/// The most positions of each kind.
const EACH: usize = 60;

/// How many random games the positions are taken from.
const GAMES: u64 = 400;

/// Up to 60 positions of every kind that the game has. The kinds take turns, so the first few positions already cover all of
/// them. The list is always the same.
pub(super) fn probes(game: &AnyGame) -> Vec<Probe> {
    let mut found: BTreeMap<Oddity, Vec<Probe>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for number in 0..GAMES {
        let mut rng = Rng::new(number);
        let mut positions = vec![game.start()];
        loop {
            let last = positions[positions.len() - 1];
            let moves: Vec<_> = game.moves(&last).collect();
            if moves.is_empty() {
                break;
            }
            positions.push(game.play_unchecked(&last, moves[rng.below(moves.len())]));
        }
        let length = positions.len() - 1;
        for (ply, position) in positions[..length].iter().enumerate() {
            let before = ply.checked_sub(1).map(|ply| &positions[ply]);
            let probe = Probe {
                position: *position,
                oddity: oddity(game, before, position),
                phase: Phase::ALL[3 * ply / length],
            };
            let kind = found.entry(probe.oddity).or_default();
            // Only a few positions of each game, so that they differ.
            if kind.len() < EACH && rng.below(3) == 0 && seen.insert(*position) {
                kind.push(probe);
            }
        }
    }
    let longest = found.values().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(|place| found.values().filter_map(move |kind| kind.get(place)))
        .copied()
        .collect()
}

/// What is special about a position. The rarest kind that applies is chosen.
fn oddity(game: &AnyGame, before: Option<&AnyPosition>, position: &AnyPosition) -> Oddity {
    let mover = game.to_move(position);
    let ends = |mv| game.is_over(&game.play_unchecked(position, mv));
    if goes_round(game, position) {
        Oddity::Lap
    } else if game.count_moves(position) == 1 {
        Oddity::Forced
    } else if game.moves(position).any(ends) {
        Oddity::End
    } else if before.is_some_and(|before| game.to_move(before) == mover) {
        Oddity::ExtraTurn
    } else {
        Oddity::Usual
    }
}

/// Whether the player to move can sow all the way round, back to the pit that it sows from or past it.
fn goes_round(game: &AnyGame, position: &AnyPosition) -> bool {
    let View::Kalah(setup) = game.view(position) else {
        return false;
    };
    let pits = setup.pits();
    let first = setup.player.index() * (pits + 1);
    let own = &setup.houses[first..first + pits];
    own.iter().any(|seeds| usize::from(*seeds) > 2 * pits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_position_is_found() {
        for (name, kinds, least) in [
            ("kalah:6x6", 5, 200),
            ("kalah:6x4", 5, 200),
            ("isolation:7x7:knight", 3, 100),
            ("isolation:5x5:trail", 3, 100),
        ] {
            let game = AnyGame::new(name.parse().expect("a game"));
            let probes = probes(&game);
            let found: HashSet<Oddity> = probes.iter().map(|probe| probe.oddity).collect();
            assert!(found.len() >= kinds, "{name}: {found:?}");
            assert!(probes.len() >= least, "{name}: {}", probes.len());
            let first: HashSet<Oddity> = probes[..kinds].iter().map(|probe| probe.oddity).collect();
            assert_eq!(first.len(), kinds, "kinds come in turn");
            for Probe {
                position, oddity, ..
            } in probes
            {
                assert!(!game.is_over(&position));
                let one = game.count_moves(&position) == 1;
                assert!(!one || matches!(oddity, Oddity::Forced | Oddity::Lap));
            }
        }
    }
}
