//! What a search wants to know of a game besides its rules.

use crate::eval::{Evaluation, IsolationEval, KalahEval};
use crate::theory::{NoTheory, Separation, Theory};
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition, IsolationRule};
use kalahari_games::kalah::{Board, Kalah, Pit, Side};
use kalahari_games::{Game, GameSpec, KindVisitor, Player, Totals};

/// A game that the players of this crate can search.
pub trait Searchable: Game {
    /// The evaluations there are for this game.
    type Eval: Evaluation<Self>;

    /// What is known of positions whose rest can be worked out.
    type Theory: Theory<Self>;

    /// The game's theory, for one thread.
    fn theory(&self) -> Self::Theory;

    /// Points the mover already has ahead of the opponent and cannot lose; the rest of the game does
    /// not depend on them. Positions with equal codes differ at most in this lead and in the player's name.
    fn banked(&self, position: &Self::Position) -> i32;

    /// The largest and smallest final margin the mover can still reach.
    fn reachable(&self, position: &Self::Position) -> (i32, i32);

    /// The position, but for [`banked`](Searchable::banked) and the player's name, as a number below
    /// 2 to the [`code_bits`](Searchable::code_bits). If that is more than 128 bits it is a hash.
    fn code(&self, position: &Self::Position) -> u128;

    /// How many bits a lossless code takes for positions with as many seeds or cells as this one.
    fn code_bits(&self, root: &Self::Position) -> u32;

    /// A position that stands for all turns and reflections of one, and the number of the symmetry that leads to it;
    /// `None` where looking for it costs more than it saves.
    fn fold(&self, _position: &Self::Position) -> Option<(Self::Position, usize)> {
        None
    }

    /// A move as it looks after a symmetry that [`fold`](Searchable::fold) has named.
    fn folded_move(&self, mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }

    /// How promising a move from `parent` to `child` looks at first sight; more is better.
    fn promise(&self, parent: &Self::Position, mv: Self::Move, child: &Self::Position) -> i32;

    /// Whether there can be so many moves that a search has to choose which to look at.
    fn has_many_moves(&self) -> bool {
        false
    }

    /// Which moves a search looks at that cannot look at all of them. At least one legal move is among them.
    fn worth_trying(&self, _position: &Self::Position) -> impl Fn(Self::Move) -> bool + use<Self> {
        |_| true
    }

    /// The legal moves after which the same player moves again, unless the game is then over.
    fn extra_turns(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// How well the mover stands, from 0 to 1, at a glance.
    fn share(&self, position: &Self::Position) -> f64;

    /// Whether a margin tells more than who won.
    fn has_margins(&self) -> bool;

    /// Hands the game to a visitor that has to know which of the two it is.
    fn visit_kind<V: KindVisitor>(&self, visitor: V) -> V::Output;
}

/// Work to be done with a game that can be searched.
pub trait SearchVisitor {
    /// What the work gives.
    type Output;

    /// Does the work.
    fn visit<G: Searchable>(self, game: G) -> Self::Output;
}

/// Builds the typed game of a name and hands it to `visitor`.
pub fn visit<V: SearchVisitor>(spec: GameSpec, totals: Totals, visitor: V) -> V::Output {
    struct Kinds<V>(V);
    impl<V: SearchVisitor> KindVisitor for Kinds<V> {
        type Output = V::Output;
        fn kalah<B: Board>(self, game: Kalah<B>) -> V::Output {
            self.0.visit(game)
        }
        fn isolation<B: Bits>(self, game: Isolation<B>) -> V::Output {
            self.0.visit(game)
        }
    }
    spec.visit_kind(totals, Kinds(visitor))
}

/// The bits of a store in a code of Kalah.
const STORE_BITS: u32 = 9;

impl<B: Board> Searchable for Kalah<B> {
    type Eval = KalahEval;
    type Theory = NoTheory;

    fn theory(&self) -> NoTheory {
        NoTheory
    }

    #[inline]
    fn banked(&self, position: &B) -> i32 {
        self.store_margin(position)
    }

    #[inline]
    fn reachable(&self, position: &B) -> (i32, i32) {
        let margin = self.store_margin(position);
        let seeds = position.seeds_in_play() as i32;
        (margin - seeds, margin + seeds)
    }

    #[inline]
    fn code(&self, position: &B) -> u128 {
        let rank = self.rank(position);
        if self.kalah_spec().majority() {
            // Stores decide when the game is over.
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

    #[inline]
    fn promise(&self, parent: &B, pit: Pit, child: &B) -> i32 {
        let right_to_left = i32::from(pit.0);
        if parent.player() == child.player() {
            // Extra turns first, the pit nearest to the store first: it leaves the others as they are.
            return 10_000 + right_to_left;
        }
        let gain = child.store(Side::Opponent) as i32 - parent.store(Side::Mover) as i32;
        16 * gain + right_to_left
    }

    #[inline]
    fn extra_turns(&self, position: &B) -> impl Iterator<Item = Pit> {
        // From the store outward: a near pit leaves the farther ones as they are.
        self.extra_turn_pits(position).rev()
    }

    #[inline]
    fn share(&self, position: &B) -> f64 {
        let (own, other) = (
            f64::from(position.store(Side::Mover)),
            f64::from(position.store(Side::Opponent)),
        );
        if own + other == 0.0 {
            0.5
        } else {
            own / (own + other)
        }
    }

    fn has_margins(&self) -> bool {
        true
    }

    fn visit_kind<V: KindVisitor>(&self, visitor: V) -> V::Output {
        visitor.kalah(self.clone())
    }
}

/// The bits of the lead in a code of Isolation.
const LEAD_BITS: u32 = 8;

/// With more blocked cells than this (pieces are among them) symmetries are not looked for.
const FOLDED: u32 = 6;

/// The bits of a place: one of the cells, or nowhere.
#[inline]
fn place_bits(cells: u32) -> u32 {
    u32::BITS - cells.leading_zeros()
}

impl<B: Bits> Searchable for Isolation<B> {
    type Eval = IsolationEval;
    type Theory = Separation<B>;

    fn theory(&self) -> Separation<B> {
        Separation::new(self)
    }

    #[inline]
    fn banked(&self, _: &IsolationPosition<B>) -> i32 {
        0
    }

    #[inline]
    fn reachable(&self, position: &IsolationPosition<B>) -> (i32, i32) {
        if self.has_margins() {
            let free = position.free().count() as i32;
            (position.lead() - free, position.lead() + free)
        } else {
            (-1, 1)
        }
    }

    #[inline]
    fn code(&self, position: &IsolationPosition<B>) -> u128 {
        let cells = self.isolation_spec().cells() as u32;
        let place = |player| position.piece(player).map_or(cells, |at| at as u32);
        let mover = position.player();
        // The fields behind the free cells fit 26 bits: two places of 9 bits and the lead in 8.
        let lead = (position.lead() + 128) as u32 & 0xff;
        let (own, other) = (place(mover), place(!mover));
        let bits = place_bits(cells);
        let rest = u128::from((lead << (2 * bits)) | (own << bits) | other);
        let (low, high) = position.free().halves();
        if cells + 2 * bits + LEAD_BITS <= 128 {
            return low | (rest << cells);
        }
        // No room to keep everything: a good scramble has to do.
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

    /// Only while few cells are blocked: later hardly any line of play leads to a reflection of another's position.
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

    #[inline]
    fn promise(
        &self,
        parent: &IsolationPosition<B>,
        _: IsolationMove,
        child: &IsolationPosition<B>,
    ) -> i32 {
        let mover = parent.player();
        let onward = self.destinations(child, mover).count() as i32;
        let theirs = self.destinations(child, child.player()).count() as i32;
        8 * (onward - theirs)
    }

    fn has_many_moves(&self) -> bool {
        self.isolation_spec().rule() == IsolationRule::Classic
    }

    /// Removals that hurt: of cells that the opponent could step to, or, if there is none but the one stepped to
    /// oneself, of cells near those; if there are none of these either, any.
    #[inline]
    fn worth_trying(
        &self,
        position: &IsolationPosition<B>,
    ) -> impl Fn(IsolationMove) -> bool + use<B> {
        let opponent = !position.player();
        let wanted = match self.has_many_moves() {
            false => B::EMPTY,
            true => {
                let steps = self.destinations(position, opponent);
                let near = self.spread(steps, position.free()) | steps;
                // One cell may be the one stepped to, and then it is not there to be removed.
                let some = |set: B| set.count() > 1;
                [steps, near]
                    .into_iter()
                    .find(|&set| some(set))
                    .unwrap_or(B::EMPTY)
            }
        };
        let cols = self.isolation_spec().cols();
        move |mv| match mv {
            IsolationMove::ToRemoving(_, removed) if !wanted.is_empty() => {
                wanted.has(removed.row() * cols + removed.col())
            }
            _ => true,
        }
    }

    #[inline]
    fn extra_turns(&self, _: &IsolationPosition<B>) -> impl Iterator<Item = IsolationMove> {
        std::iter::empty()
    }

    fn share(&self, position: &IsolationPosition<B>) -> f64 {
        let mover = position.player();
        let steps = |player: Player| f64::from(self.destinations(position, player).count());
        let ahead = match (position.piece(mover), position.piece(!mover)) {
            (Some(_), Some(_)) => steps(mover) - steps(!mover),
            _ => 0.0,
        };
        1.0 / (1.0 + (-(ahead + f64::from(position.lead())) / 2.0).exp())
    }

    fn has_margins(&self) -> bool {
        self.isolation_spec().rule() == IsolationRule::Trail
    }

    fn visit_kind<V: KindVisitor>(&self, visitor: V) -> V::Output {
        visitor.isolation(self.clone())
    }
}
