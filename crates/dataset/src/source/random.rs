//! Uniformly random positions, equally many for each number of seeds or cells left.

use super::{Candidate, Collection, first_game};
use crate::recipe::Range;
use kalahari_arena::rng_seeds;
use kalahari_games::isolation::{CellState, IsolationSetup, IsolationSpec};
use kalahari_games::kalah::{KalahSetup, KalahSpec};
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec, Player, View};
use kalahari_search::Rng;
use kalahari_terms::Stop;

/// After this many draws without a new position, we assume that there are no more with this much left.
const PATIENCE: u32 = 2_000;

/// The positions of a shard. For the range 10 to 30 there are as many with 10 left as with 11, and so on, as long as there are enough.
/// `None` if it was stopped.
pub(crate) fn random(
    game: &AnyGame,
    range: Range,
    rng_seed: u64,
    shard: u32,
    wanted: u64,
    stop: &Stop,
) -> Option<Vec<Candidate>> {
    let mut rng = Rng::new(rng_seeds::mix([rng_seed, u64::from(shard)]));
    let mut collection = Collection::new(wanted);
    let mut levels: Vec<u32> = (range.least..=range.most).collect();
    let mut turn = 0;
    while !collection.is_full() && !levels.is_empty() {
        if stop.is_requested() {
            return None;
        }
        turn %= levels.len();
        let number = first_game(shard) + collection.candidates.len() as u64;
        let found = (0..PATIENCE).any(|_| {
            let position = draw(game, levels[turn], &mut rng);
            let candidate =
                position.and_then(|position| Candidate::new(game, range, number, 0, position));
            candidate.is_some_and(|candidate| collection.add(candidate))
        });
        match found {
            true => turn += 1,
            false => drop(levels.remove(turn)),
        }
    }
    Some(collection.candidates)
}

/// Draws one of all positions with this much left, each with the same probability; `None` if the game would be over in it.
fn draw(game: &AnyGame, left: u32, rng: &mut Rng) -> Option<AnyPosition> {
    let view = match game.spec() {
        GameSpec::Kalah(spec) => View::Kalah(kalah(spec, left, rng)),
        GameSpec::Isolation(spec) => View::Isolation(isolation(spec, left, rng)?),
    };
    let position = game.position(&view).ok()?;
    (!game.is_over(&position)).then_some(position)
}

/// A position with this many seeds in the pits; the stores share the other seeds equally. Player 0 is to move and gets the odd seed.
fn kalah(spec: KalahSpec, seeds: u32, rng: &mut Rng) -> KalahSetup {
    let pits = spec.pits();
    // Seeds and the walls between pits in a row (stars and bars): every placement of the walls has the same probability.
    let mut houses = vec![0_u16; 2 * pits + 2];
    let (mut walls, mut pit) = (2 * pits - 1, 0);
    for places in (1..=seeds as usize + walls).rev() {
        if rng.below(places) < walls {
            walls -= 1;
            pit += 1;
        } else {
            // The first player's store lies between the two sides.
            houses[pit + usize::from(pit >= pits)] += 1;
        }
    }
    let banked = (2 * pits as u32 * spec.seeds()).saturating_sub(seeds);
    houses[pits] = banked.div_ceil(2) as u16;
    houses[2 * pits + 1] = (banked / 2) as u16;
    KalahSetup {
        houses,
        player: Player::First,
    }
}

/// Two pieces and this many free cells in random places; all other cells are blocked. Player 0 is to move. `None` if the board is too
/// small.
fn isolation(spec: IsolationSpec, free: u32, rng: &mut Rng) -> Option<IsolationSetup> {
    let (rows, columns) = (spec.rows(), spec.cols());
    let mut cells: Vec<usize> = (0..rows * columns).collect();
    let needed = free as usize + 2;
    if needed > cells.len() {
        return None;
    }
    let mut board = vec![vec![CellState::Blocked; columns]; rows];
    for place in 0..needed {
        let other = place + rng.below(cells.len() - place);
        cells.swap(place, other);
        board[cells[place] / columns][cells[place] % columns] = match place {
            0 => CellState::Piece(Player::First),
            1 => CellState::Piece(Player::Second),
            _ => CellState::Free,
        };
    }
    Some(IsolationSetup {
        rows: board,
        player: Player::First,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn game(text: &str) -> AnyGame {
        AnyGame::new(text.parse().expect("a game"))
    }

    fn random(
        game: &AnyGame,
        range: Range,
        rng_seed: u64,
        shard: u32,
        wanted: u64,
    ) -> Vec<Candidate> {
        super::random(game, range, rng_seed, shard, wanted, &Stop::new())
            .expect("no stop is requested")
    }

    #[test]
    fn it_can_be_stopped() {
        let stop = Stop::new();
        stop.request();
        let range = "10..30".parse().expect("a range");
        let found = super::random(&game("kalah:6x6"), range, 7, 3, 1_000_000, &stop);
        assert!(found.is_none());
    }

    #[test]
    fn every_position_is_as_likely_as_any_other() {
        let game = game("kalah:2x2");
        let mut rng = Rng::new(1);
        let mut counts = HashMap::new();
        // 4 seeds in 4 pits: 35 ways, of which 2 * 5 leave a side empty.
        for _ in 0..35_000 {
            if let Some(position) = draw(&game, 4, &mut rng) {
                *counts.entry(game.position_text(&position)).or_insert(0) += 1;
            }
        }
        assert_eq!(counts.len(), 25);
        assert!(
            counts.values().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn levels_are_even_as_long_as_there_are_enough() {
        let game = game("kalah:6x6");
        let range = "10..30".parse().expect("a range");
        let found = random(&game, range, 7, 3, 210);
        let mut counts = HashMap::new();
        for candidate in &found {
            let left = crate::row::left(&game, &candidate.position);
            *counts.entry(left).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 21);
        assert!(counts.values().all(|&count| count == 10), "{counts:?}");
        let keys: Vec<u64> = found.iter().map(|candidate| candidate.key).collect();
        let again = random(&game, range, 7, 3, 210);
        assert!(again.iter().map(|candidate| candidate.key).eq(keys));
        // Two seeds, one on each side: 36 positions, and no more.
        let few = random(&game, "2".parse().expect("a range"), 7, 0, 100);
        assert_eq!(few.len(), 36);
    }

    #[test]
    fn isolation_boards_have_the_wanted_free_cells() {
        for name in ["isolation:5x5:trail", "isolation:queen", "isolation:knight"] {
            let game = game(name);
            let found = random(&game, "4..6".parse().expect("a range"), 1, 0, 30);
            assert_eq!(found.len(), 30, "{name}");
        }
    }
}
