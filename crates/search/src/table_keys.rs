//! The keys under which the transposition table stores positions.

use kalahari_games::Game;
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah, Side};

/// Keys of a transposition table: codes of positions, which leave out what the rest of the game does not depend on.
pub trait TableKeys: Game {
    /// Points the mover already has ahead of the opponent and cannot lose; the rest of the game does
    /// not depend on them. Positions with equal codes differ at most in this lead and in the player's name.
    fn banked(&self, position: &Self::Position) -> i32;

    /// The position, except [`banked`](TableKeys::banked) and the player's name, as a number below
    /// 2 to the [`code_bits`](TableKeys::code_bits). If that is more than 128 bits it is a hash.
    fn code(&self, position: &Self::Position) -> u128;

    /// How many bits a lossless code takes for positions with as many seeds or cells as this one.
    fn code_bits(&self, root: &Self::Position) -> u32;

    /// The position that stands for all rotations and reflections of this one, and the number of the symmetry that leads to
    /// it; `None` where looking for it costs more than it saves.
    fn fold(&self, _position: &Self::Position) -> Option<(Self::Position, usize)> {
        None
    }

    /// A move as it looks after a symmetry that [`fold`](TableKeys::fold) has named.
    fn folded_move(&self, mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }
}

/// The bits of a store in a code of Kalah.
const STORE_BITS: u32 = 9;

impl<B: Board> TableKeys for Kalah<B> {
    #[inline]
    fn banked(&self, position: &B) -> i32 {
        self.store_margin(position)
    }

    #[inline]
    fn code(&self, position: &B) -> u128 {
        let rank = self.rank(position);
        if self.kalah_spec().majority() {
            // The stores decide whether the game is over.
            return (rank << STORE_BITS) | u128::from(position.store(Side::Mover));
        }
        rank
    }

    fn code_bits(&self, root: &B) -> u32 {
        let bits = self.ranking().bits(root.seeds_in_play());
        match self.kalah_spec().majority() {
            true => bits + STORE_BITS,
            false => bits,
        }
    }
}

/// The bits of the lead in a code of Isolation.
const LEAD_BITS: u32 = 8;

/// With more blocked cells than this (the pieces' cells included), symmetries are not looked for.
const FOLDED: u32 = 6;

/// The bits of a place: one of the cells, or nowhere.
#[inline]
fn place_bits(cells: u32) -> u32 {
    u32::BITS - cells.leading_zeros()
}

impl<B: Bits> TableKeys for Isolation<B> {
    #[inline]
    fn banked(&self, _: &IsolationPosition<B>) -> i32 {
        0
    }

    #[inline]
    fn code(&self, position: &IsolationPosition<B>) -> u128 {
        let cells = self.isolation_spec().cells() as u32;
        let place = |player| position.piece(player).map_or(cells, |at| at as u32);
        let mover = position.player();
        // The fields after the free cells fit into 26 bits: two places of 9 bits and the lead in 8.
        let lead = (position.lead() + 128) as u32 & 0xff;
        let (own, other) = (place(mover), place(!mover));
        let bits = place_bits(cells);
        let rest = u128::from((lead << (2 * bits)) | (own << bits) | other);
        let (low, high) = position.free().halves();
        if cells + 2 * bits + LEAD_BITS <= 128 {
            return low | (rest << cells);
        }
        // There is no room for everything, so a hash is used.
        let mix = |x: u128| {
            x.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
                .rotate_left(57)
        };
        mix(mix(mix(low) ^ high) ^ rest)
    }

    fn code_bits(&self, _: &IsolationPosition<B>) -> u32 {
        let cells = self.isolation_spec().cells() as u32;
        cells + 2 * place_bits(cells) + LEAD_BITS
    }

    /// Only while few cells are blocked: later, two lines of play hardly ever lead to positions that mirror each other.
    #[inline]
    fn fold(&self, position: &IsolationPosition<B>) -> Option<(IsolationPosition<B>, usize)> {
        let blocked = self.isolation_spec().cells() as u32 - position.free().count();
        (blocked <= FOLDED).then(|| {
            let (_, symmetry) = self.symmetries().canonical(position.essence());
            (self.image(position, symmetry), symmetry)
        })
    }

    fn folded_move(&self, mv: IsolationMove, symmetry: usize) -> IsolationMove {
        self.image_of_move(mv, symmetry)
    }
}
