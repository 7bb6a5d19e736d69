//! Operations on many positions of one board: plain loops that the compiler can optimise well. They are not visible from Python.

use crate::errors::Raise;
use crate::games::code;
use crate::space::{NoSpace, collected, filled, room};
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah, Side};
use kalahari_games::{Actions, Game, IllegalMove, Player, View};
use kalahari_search::eval::{Evaluation, Registry};
use kalahari_search::{Rng, Searchable};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Masks of at most eight actions are written eight bytes at a time, so the last one may write this many bytes past its end.
const SLACK: usize = 7;

/// Writes the legal moves of positions, one byte per action, 0 or 1. There is room for `SLACK` more.
pub(crate) fn write_masks<G: Actions>(game: &G, positions: &[G::Position], masks: &mut [bool]) {
    let actions = game.actions();
    if actions <= 8 {
        for (place, position) in positions.iter().enumerate() {
            let bits = game.legal_bits(position);
            let begin = place * actions;
            let mask: [bool; 8] = std::array::from_fn(|action| bits >> action & 1 == 1);
            masks[begin..begin + 8].copy_from_slice(&mask);
        }
        return;
    }
    for (position, mask) in positions.iter().zip(masks.chunks_exact_mut(actions)) {
        mask.fill(false);
        for action in game
            .moves(position)
            .filter_map(|mv| game.action(position, mv))
        {
            mask[action] = true;
        }
    }
}

pub(crate) fn legal_masks<G: Actions>(
    game: &G,
    positions: &[G::Position],
) -> Result<Vec<bool>, NoSpace> {
    let size = positions.len().saturating_mul(game.actions());
    let mut masks = filled(false, size.saturating_add(SLACK))?;
    write_masks(game, positions, &mut masks);
    masks.truncate(size);
    Ok(masks)
}

/// For every set of at most eight actions, its members in order: entry `8 * bits + n` is the n-th.
static NTH: [u8; 8 * 256] = nth_members();

const fn nth_members() -> [u8; 8 * 256] {
    let mut table = [0; 8 * 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut action, mut n) = (0, 0);
        while action < 8 {
            if bits >> action & 1 == 1 {
                table[8 * bits + n] = action as u8;
                n += 1;
            }
            action += 1;
        }
        bits += 1;
    }
    table
}

/// The index below `count` that a number from the whole range of 32 bits chooses.
#[inline]
fn share(number: u32, count: u64) -> usize {
    ((u64::from(number) * count) >> 32) as usize
}

/// The legal action that its number chooses in every position, all equally likely; 0 where the game is over.
pub(crate) fn chosen<G: Actions, N: Copy>(
    game: &G,
    positions: &[G::Position],
    numbers: &[u32],
    number_of: impl Fn(usize) -> N,
) -> Result<Vec<N>, NoSpace> {
    let all = positions.iter().zip(numbers);
    if game.actions() <= 8 {
        return collected(all.map(|(position, &number)| {
            let bits = game.legal_bits(position) & 0xff;
            let nth = share(number, u64::from(bits.count_ones())) & 7;
            number_of(usize::from(NTH[8 * bits as usize + nth]))
        }));
    }
    collected(all.map(|(position, &number)| {
        let nth = share(number, game.count_moves(position));
        let mv = game.moves(position).nth(nth);
        number_of(mv.and_then(|mv| game.action(position, mv)).unwrap_or(0))
    }))
}

/// Which position an action is wrong in, and what is wrong with it.
pub(crate) enum Wrong {
    NoSpace(NoSpace),
    NoMove { place: usize, action: i64 },
    Illegal { place: usize, why: IllegalMove },
}

impl From<NoSpace> for Wrong {
    fn from(error: NoSpace) -> Self {
        Wrong::NoSpace(error)
    }
}

impl Wrong {
    pub(crate) fn raise(self) -> PyErr {
        match self {
            Wrong::NoSpace(error) => error.into(),
            Wrong::NoMove { place, action } => {
                PyValueError::new_err(format!("position {place}: {action} is not an action"))
            }
            Wrong::Illegal { place, why } => {
                PyValueError::new_err(format!("position {place}: {why}"))
            }
        }
    }
}

/// A number for an action, as numpy has them.
pub(crate) trait Number: Copy + Into<i64> + Send + Sync {}
impl<N: Copy + Into<i64> + Send + Sync> Number for N {}

pub(crate) fn named<G: Actions>(
    game: &G,
    position: &G::Position,
    action: impl Number,
) -> Option<G::Move> {
    let action = usize::try_from(action.into()).ok()?;
    game.move_of(position, action)
}

/// Whether an action may be played. In a game that is over, every action may.
pub(crate) fn is_fine<G: Actions>(game: &G, position: &G::Position, action: impl Number) -> bool {
    let legal = match named(game, position, action) {
        Some(mv) => game.is_legal(position, mv),
        None => false,
    };
    legal | game.is_over(position)
}

/// What is wrong with the first action that may not be played.
pub(crate) fn check<G: Actions, N: Number>(
    game: &G,
    positions: &[G::Position],
    actions: &[N],
) -> Result<(), Wrong> {
    let all = || positions.iter().zip(actions);
    // All actions are checked, without an early exit, so that the compiler can check several at once.
    if all().fold(true, |fine, (one, &action)| {
        fine & is_fine(game, one, action)
    }) {
        return Ok(());
    }
    match all().position(|(one, &action)| !is_fine(game, one, action)) {
        None => Ok(()),
        Some(place) => {
            let (position, action) = (&positions[place], actions[place]);
            Err(match named(game, position, action) {
                Some(mv) => Wrong::Illegal {
                    place,
                    why: game.why_illegal(position, mv),
                },
                None => Wrong::NoMove {
                    place,
                    action: action.into(),
                },
            })
        }
    }
}

/// Plays actions that were checked, in every position that is not over.
pub(crate) fn play_checked<G: Actions, N: Number>(
    game: &G,
    positions: &mut [G::Position],
    actions: &[N],
) {
    for (position, &action) in positions.iter_mut().zip(actions) {
        if !game.is_over(position)
            && let Some(mv) = named(game, position, action)
        {
            *position = game.play_branchless(position, mv);
        }
    }
}

/// Plays an action in every position that is not over. Everything is checked first: after an error nothing has changed.
pub(crate) fn advance<G: Actions, N: Number>(
    game: &G,
    positions: &mut [G::Position],
    actions: &[N],
) -> Result<(), Wrong> {
    check(game, positions, actions)?;
    play_checked(game, positions, actions);
    Ok(())
}

/// What `step` gives: masks of the legal moves, and which games are over.
pub(crate) type Stepped = (Vec<bool>, Vec<bool>);

/// Like `advance`, but also returns the legal moves and which games are over.
pub(crate) fn step<G: Actions, N: Number>(
    game: &G,
    positions: &mut [G::Position],
    actions: &[N],
) -> Result<Stepped, Wrong> {
    /// This many positions stay in the cache between playing and listing their legal moves.
    const NEAR: usize = 1024;
    check(game, positions, actions)?;
    let size = positions.len().saturating_mul(game.actions());
    let mut masks = filled(false, size.saturating_add(SLACK))?;
    let mut over = room(positions.len())?;
    let mut begin = 0;
    for (near, actions) in positions.chunks_mut(NEAR).zip(actions.chunks(NEAR)) {
        play_checked(game, near, actions);
        write_masks(game, near, &mut masks[begin..]);
        over.extend(near.iter().map(|one| game.is_over(one)));
        begin += near.len() * game.actions();
    }
    masks.truncate(size);
    Ok((masks, over))
}

/// Plays random games to the end and appends player 0's margins to `margins`. Returns the number of moves played.
pub(crate) fn playouts<G: Game>(
    game: &G,
    positions: &[G::Position],
    rng: &mut Rng,
    margins: &mut Vec<i32>,
) -> u64 {
    let mut moves = 0;
    for start in positions {
        let mut position = *start;
        let outcome = loop {
            if let Some(outcome) = game.outcome(&position) {
                break outcome;
            }
            let count = game.count_moves(&position) as usize;
            let Some(mv) = game.moves(&position).nth(rng.below(count)) else {
                unreachable!("a game without moves is over");
            };
            position = game.play_branchless(&position, mv);
            moves += 1;
        };
        margins.push(outcome.margin(Player::First));
    }
    moves
}

pub(crate) fn evaluated<G: Searchable>(
    game: &G,
    positions: &[G::Position],
    name: &str,
) -> PyResult<Vec<i32>> {
    let eval = G::Eval::new(name, game, &[]).map_err(Raise::raise)?;
    let value = |position: &G::Position| match game.outcome(position) {
        Some(outcome) => {
            let margin = outcome.margin(game.to_move(position));
            margin * eval.scale().point.max(1)
        }
        None => eval.evaluate(game, position, false),
    };
    Ok(collected(positions.iter().map(value))?)
}

pub(crate) fn taken<P: Copy>(positions: &[P], places: &[usize]) -> Result<Vec<P>, NoSpace> {
    collected(places.iter().map(|&place| positions[place]))
}

/// Those of the positions whose mark is set.
pub(crate) fn kept<P: Copy>(positions: &[P], marks: &[bool]) -> Result<Vec<P>, NoSpace> {
    let mut kept = room(marks.iter().filter(|&&mark| mark).count())?;
    let marked = positions.iter().zip(marks).filter(|&(_, &mark)| mark);
    kept.extend(marked.map(|(position, _)| *position));
    Ok(kept)
}

/// The houses of Kalah, mover first or in board order.
pub(crate) fn houses<B: Board>(
    game: &Kalah<B>,
    positions: &[B],
    mover_first: bool,
) -> Result<Vec<i16>, NoSpace> {
    let pits = game.pits();
    let mut all = room(positions.len().saturating_mul(2 * pits + 2))?;
    for position in positions {
        let first = mover_first || position.player() == Player::First;
        let sides = match first {
            true => [Side::Mover, Side::Opponent],
            false => [Side::Opponent, Side::Mover],
        };
        for side in sides {
            all.extend((0..pits).map(|pit| position.pit(side, pit) as i16));
            all.push(position.store(side) as i16);
        }
    }
    Ok(all)
}

/// The cells of Isolation, from the mover's side or as they are.
pub(crate) fn cells<B: Bits>(
    game: &Isolation<B>,
    positions: &[IsolationPosition<B>],
    mover_first: bool,
) -> Result<Vec<i8>, NoSpace> {
    let spec = game.isolation_spec();
    let mut all = room(positions.len().saturating_mul(spec.rows() * spec.cols()))?;
    for position in positions {
        if let View::Isolation(setup) = game.view(position) {
            let turned = mover_first && setup.player == Player::Second;
            all.extend(setup.rows.iter().flatten().map(|&cell| match code(cell) {
                piece @ (1 | 2) if turned => 3 - piece,
                left @ (3 | 4) if turned => 7 - left,
                code => code,
            }));
        }
    }
    Ok(all)
}
