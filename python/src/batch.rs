//! Many positions of one game, worked on without a loop in Python.

use crate::errors::Raise;
use crate::games::{PyGame, PyPosition, code};
use crate::interrupt::interruptible;
use kalahari_games::isolation::IsolationPosition;
use kalahari_games::isolation::Wide256;
use kalahari_games::kalah::{Board, Kalah, KalahSetup, Packed, Side, Wide};
use kalahari_games::{
    Actions, AnyGame, AnyPosition, Game, IllegalMove, Player, Typed, View, with_game,
};
use kalahari_search::eval::{Evaluation, Registry};
use kalahari_search::{Rng, Searchable};
use kalahari_terms::Stop;
use numpy::{
    AllowTypeChange, PyArray1, PyArrayLike1, PyArrayLike2, PyArrayMethods, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySlice;

/// Positions of the board that the game has.
#[derive(Clone)]
pub(crate) enum Boards {
    KalahPacked(Vec<Packed>),
    KalahWide(Vec<Wide>),
    Isolation64(Vec<IsolationPosition<u64>>),
    Isolation128(Vec<IsolationPosition<u128>>),
    Isolation256(Vec<IsolationPosition<Wide256>>),
}

/// Does work with the typed game and the typed positions. A batch never holds positions of another game.
macro_rules! with_boards {
    ($game:expr, $boards:expr, ($typed:ident, $positions:ident) => $work:expr) => {
        match ($game, $boards) {
            (AnyGame::KalahPacked($typed), Boards::KalahPacked($positions)) => $work,
            (AnyGame::KalahWide($typed), Boards::KalahWide($positions)) => $work,
            (AnyGame::Isolation64($typed), Boards::Isolation64($positions)) => $work,
            (AnyGame::Isolation128($typed), Boards::Isolation128($positions)) => $work,
            (AnyGame::Isolation256($typed), Boards::Isolation256($positions)) => $work,
            _ => unreachable!("a batch holds positions of its own game"),
        }
    };
}

/// The way from typed positions to a batch of them.
pub(crate) trait Batched: Typed {
    fn boards(positions: Vec<Self::Position>) -> Boards;
}

macro_rules! batched {
    ($($game:ty => $variant:ident),*) => {
        $(impl Batched for $game {
            fn boards(positions: Vec<Self::Position>) -> Boards {
                Boards::$variant(positions)
            }
        })*
    };
}

batched!(
    Kalah<Packed> => KalahPacked,
    Kalah<Wide> => KalahWide,
    kalahari_games::isolation::Isolation<u64> => Isolation64,
    kalahari_games::isolation::Isolation<u128> => Isolation128,
    kalahari_games::isolation::Isolation<Wide256> => Isolation256
);

/// Many positions of one game, worked on all at once by numpy arrays.
///
/// >>> import kalahari
/// >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 1000)   # a thousand starts
/// >>> batch = batch.play([2] * 1000)
/// >>> len(batch), batch.legal_masks()[0].tolist()
/// (1000, [True, True, False, True, True, True])
/// >>> batch[0] == batch.game.start().play(2)
/// True
///
/// Moves are actions (numbers, see `Game.num_actions`). A game that is over stays as it is, whatever is played. `batch[i]` is
/// a position; `batch[a:b]`, `batch[mask]` and `batch[indices]` are batches.
#[pyclass(module = "kalahari")]
pub(crate) struct Batch {
    pub(crate) game: PyGame,
    pub(crate) boards: Boards,
}

fn legal_masks<G: Actions>(game: &G, positions: &[G::Position]) -> Vec<bool> {
    let actions = game.actions();
    let mut masks = vec![false; actions * positions.len()];
    for (position, mask) in positions.iter().zip(masks.chunks_exact_mut(actions)) {
        for action in game
            .moves(position)
            .filter_map(|mv| game.action(position, mv))
        {
            mask[action] = true;
        }
    }
    masks
}

/// Which position an action is wrong in, and what is wrong with it.
enum Wrong {
    NoMove { place: usize, action: i64 },
    Illegal { place: usize, why: IllegalMove },
}

impl Wrong {
    fn raise(self) -> PyErr {
        match self {
            Wrong::NoMove { place, action } => {
                PyValueError::new_err(format!("position {place}: {action} is no action"))
            }
            Wrong::Illegal { place, why } => {
                PyValueError::new_err(format!("position {place}: {why}"))
            }
        }
    }
}

/// Plays an action in every position that is not over. Everything is checked first: after an error nothing has changed.
fn advance<G: Actions, N: Copy + Into<i64>>(
    game: &G,
    positions: &mut [G::Position],
    actions: &[N],
) -> Result<(), Wrong> {
    let named = |position: &G::Position, action: i64| {
        let action = usize::try_from(action).ok()?;
        game.move_of(position, action)
    };
    for (place, (position, &action)) in positions.iter().zip(actions).enumerate() {
        let action = action.into();
        match named(position, action) {
            Some(mv) if game.is_legal(position, mv) => {}
            _ if game.is_over(position) => {}
            Some(mv) => {
                let why = game.why_illegal(position, mv);
                return Err(Wrong::Illegal { place, why });
            }
            None => return Err(Wrong::NoMove { place, action }),
        }
    }
    for (position, &action) in positions.iter_mut().zip(actions) {
        if !game.is_over(position)
            && let Some(mv) = named(position, action.into())
        {
            *position = game.play_unchecked(position, mv);
        }
    }
    Ok(())
}

/// Random games to the end: player 0's margins and the moves played.
fn playouts<G: Game>(
    game: &G,
    positions: &[G::Position],
    rng: &mut Rng,
    stop: &Stop,
) -> (Vec<i32>, u64) {
    let mut moves = 0;
    let mut margins = Vec::with_capacity(positions.len());
    for (place, start) in positions.iter().enumerate() {
        if place % 256 == 0 && stop.is_requested() {
            break;
        }
        let mut position = *start;
        let outcome = loop {
            if let Some(outcome) = game.outcome(&position) {
                break outcome;
            }
            let count = game.count_moves(&position) as usize;
            let Some(mv) = game.moves(&position).nth(rng.below(count)) else {
                unreachable!("a game without moves is over");
            };
            position = game.play_unchecked(&position, mv);
            moves += 1;
        };
        margins.push(outcome.margin(Player::First));
    }
    (margins, moves)
}

fn evaluated<G: Searchable>(game: &G, positions: &[G::Position], name: &str) -> PyResult<Vec<i32>> {
    let eval = G::Eval::new(name, game, &[]).map_err(Raise::raise)?;
    let value = |position: &G::Position| match game.outcome(position) {
        Some(outcome) => {
            let margin = outcome.margin(game.to_move(position));
            margin * eval.scale().point.max(1)
        }
        None => eval.evaluate(game, position, false),
    };
    Ok(positions.iter().map(value).collect())
}

fn taken<P: Copy>(positions: &[P], places: &[usize]) -> Vec<P> {
    places.iter().map(|&place| positions[place]).collect()
}

fn started<G: Batched>(game: &G, count: usize) -> Boards {
    G::boards(vec![game.start(); count])
}

fn gathered<G: Batched>(_: &G, positions: &[AnyPosition]) -> Option<Boards> {
    let typed: Option<Vec<_>> = positions.iter().map(G::typed_position).collect();
    typed.map(G::boards)
}

/// The houses of Kalah, mover first or in board order.
fn houses<B: Board>(game: &Kalah<B>, positions: &[B], mover_first: bool) -> Vec<i16> {
    let pits = game.pits();
    let mut all = Vec::with_capacity(positions.len() * (2 * pits + 2));
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
    all
}

/// The cells of Isolation, from the mover's side or as they are.
fn cells<G: Game>(game: &G, positions: &[G::Position], mover_first: bool) -> Vec<i8> {
    let mut all = Vec::new();
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
    all
}

impl Batch {
    fn rules(&self) -> &AnyGame {
        &self.game.game
    }

    pub(crate) fn len(&self) -> usize {
        with_boards!(self.rules(), &self.boards, (_game, positions) => positions.len())
    }

    fn with(&self, boards: Boards) -> Batch {
        Batch {
            game: self.game.clone(),
            boards,
        }
    }

    fn take(&self, places: &[usize]) -> Batch {
        let boards = with_boards!(self.rules(), &self.boards, (game, positions) => {
            boards_of(game, taken(positions, places))
        });
        self.with(boards)
    }

    fn at(&self, place: usize) -> PyPosition {
        let position = with_boards!(self.rules(), &self.boards, (game, positions) => {
            erased(game, positions[place])
        });
        PyPosition {
            game: self.game.clone(),
            position,
        }
    }

    /// Plays actions, given as any array of numbers.
    fn advance_by(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let count = self.len();
        let fits = |given: usize| match given == count {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!(
                "{given} actions for {count} positions"
            ))),
        };
        let (game, boards) = (&self.game.game, &mut self.boards);
        macro_rules! fast {
            ($($number:ty),*) => {
                $(if let Ok(array) = actions.cast::<PyArray1<$number>>()
                    && let Ok(array) = array.try_readonly()
                    && let Ok(actions) = array.as_slice()
                {
                    fits(actions.len())?;
                    let played = py.detach(|| {
                        with_boards!(&**game, boards, (game, positions) => advance(game, positions, actions))
                    });
                    return played.map_err(Wrong::raise);
                })*
            };
        }
        fast!(u8, i64, i32);
        let actions: PyArrayLike1<'_, i64, AllowTypeChange> = actions.extract()?;
        let actions = actions.as_array().to_vec();
        fits(actions.len())?;
        let played = py.detach(|| {
            with_boards!(&**game, boards, (game, positions) => advance(game, positions, &actions))
        });
        played.map_err(Wrong::raise)
    }
}

fn boards_of<G: Batched>(_: &G, positions: Vec<G::Position>) -> Boards {
    G::boards(positions)
}

fn erased<G: Typed>(_: &G, position: G::Position) -> AnyPosition {
    G::erase_position(position)
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, count=1))]
    fn new(game: &PyGame, count: usize) -> Self {
        let boards = with_game!(&*game.game, typed => started(typed, count));
        Batch {
            game: game.clone(),
            boards,
        }
    }

    /// The batch of these positions, which are all of one game.
    #[staticmethod]
    fn of(positions: Vec<PyRef<'_, PyPosition>>) -> PyResult<Batch> {
        let Some(first) = positions.first() else {
            return Err(PyValueError::new_err("no positions, so no game"));
        };
        let game = first.game.clone();
        let alike = |one: &PyRef<'_, PyPosition>| one.game.is(&game);
        let boards: Vec<AnyPosition> = positions.iter().map(|one| one.position).collect();
        let boards = with_game!(&*game.game, typed => gathered(typed, &boards));
        match boards {
            Some(boards) if positions.iter().all(alike) => Ok(Batch { game, boards }),
            _ => Err(PyValueError::new_err("positions of more than one game")),
        }
    }

    /// The batch of Kalah positions given by their houses in board order, one a row, and who is to move in each.
    ///
    /// >>> import kalahari, numpy
    /// >>> game = kalahari.Game("kalah:2x3")
    /// >>> batch = kalahari.Batch.from_array(game, numpy.array([[3, 3, 0, 3, 3, 0]]), [1])
    /// >>> batch[0].text
    /// '3 3 0 3 3 0 1'
    #[staticmethod]
    fn from_array(
        game: &PyGame,
        houses: PyArrayLike2<'_, i64, AllowTypeChange>,
        movers: PyArrayLike1<'_, i64, AllowTypeChange>,
    ) -> PyResult<Batch> {
        let (houses, movers) = (houses.as_array(), movers.as_array());
        if houses.nrows() != movers.len() {
            let (rows, movers) = (houses.nrows(), movers.len());
            let message = format!("{rows} rows of houses, but {movers} movers");
            return Err(PyValueError::new_err(message));
        }
        let mut positions = Vec::with_capacity(movers.len());
        for (place, (row, &mover)) in houses.rows().into_iter().zip(movers).enumerate() {
            let wrong = |what: String| PyValueError::new_err(format!("row {place}: {what}"));
            let seeds = |&seeds: &i64| {
                u16::try_from(seeds).map_err(|_| wrong(format!("{seeds} is no number of seeds")))
            };
            let player = match mover {
                0 => Player::First,
                1 => Player::Second,
                _ => return Err(wrong(format!("{mover} is no player"))),
            };
            if row.len() < 4 || row.len() % 2 == 1 {
                return Err(wrong("a row is two sides of pits and a store".to_owned()));
            }
            let houses = row.iter().map(seeds).collect::<PyResult<_>>()?;
            let view = View::Kalah(KalahSetup { houses, player });
            let position = game.game.position(&view);
            positions.push(position.map_err(|error| wrong(error.to_string()))?);
        }
        let boards = with_game!(&*game.game, typed => gathered(typed, &positions));
        let boards = boards.ok_or_else(|| PyValueError::new_err("no positions of this game"))?;
        Ok(Batch {
            game: game.clone(),
            boards,
        })
    }

    /// The game of all positions.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = self.len();
        let place = |place: i64| {
            let from_end = if place < 0 { count as i64 } else { 0 };
            usize::try_from(place + from_end)
                .ok()
                .filter(|&place| place < count)
                .ok_or_else(|| PyIndexError::new_err(format!("no position {place} of {count}")))
        };
        if let Ok(one) = index.extract::<i64>() {
            return Ok(Bound::new(py, self.at(place(one)?))?.into_any());
        }
        let places: Vec<usize> = if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(count as isize)?;
            let nth = |n: usize| (slice.start + n as isize * slice.step) as usize;
            (0..slice.slicelength).map(nth).collect()
        } else if let Ok(mask) = index.cast::<PyArray1<bool>>() {
            let mask = mask.try_readonly()?;
            if mask.len() != count {
                let message = format!("a mask of {} for {count} positions", mask.len());
                return Err(PyIndexError::new_err(message));
            }
            let mask = mask.as_array();
            (0..count).filter(|&place| mask[place]).collect()
        } else if let Ok(places) = index.extract::<PyArrayLike1<'_, i64, AllowTypeChange>>() {
            let places = places.as_array().to_vec();
            places.into_iter().map(place).collect::<PyResult<_>>()?
        } else {
            return Err(PyTypeError::new_err(
                "a batch is indexed by a number, a slice, a mask or numbers",
            ));
        };
        let taken = py.detach(|| self.take(&places));
        Ok(Bound::new(py, taken)?.into_any())
    }

    /// A batch of its own with the same positions.
    fn copy(&self) -> Batch {
        self.with(self.boards.clone())
    }

    fn __copy__(&self) -> Batch {
        self.copy()
    }

    /// The legal moves of every position: a mask of bool, positions by actions.
    fn legal_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let masks = py.detach(|| {
            with_boards!(self.rules(), &self.boards, (game, positions) => legal_masks(game, positions))
        });
        let shape = [self.len(), self.rules().actions()];
        Ok(PyArray1::from_vec(py, masks).reshape(shape)?.into_any())
    }

    /// The legal moves of every position as bits of one number (uint64): bit a is action a. For games of at most 64 actions.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).legal_bits().tolist()
    /// [63, 63]
    fn legal_bits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let actions = self.rules().actions();
        if actions > 64 {
            let message = format!("{actions} actions do not fit 64 bits: use legal_masks");
            return Err(PyValueError::new_err(message));
        }
        let bits = py.detach(|| {
            with_boards!(self.rules(), &self.boards, (game, positions) => {
                positions.iter().map(|one| game.legal_bits(one)).collect()
            })
        });
        Ok(PyArray1::from_vec(py, bits))
    }

    /// The positions after an action in each, as a new batch. Games that are over stay as they are.
    fn play(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Batch> {
        let mut next = self.copy();
        next.advance_by(py, actions)?;
        Ok(next)
    }

    /// As `play`, but this batch itself changes, which is faster. After an error it is as before.
    fn advance(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        self.advance_by(py, actions)
    }

    /// Who is to move in each position (uint8).
    fn movers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let movers = py.detach(|| {
            with_boards!(self.rules(), &self.boards, (game, positions) => {
                positions.iter().map(|one| game.to_move(one).index() as u8).collect()
            })
        });
        PyArray1::from_vec(py, movers)
    }

    /// Which games are over (bool).
    fn is_over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let over = py.detach(|| {
            with_boards!(self.rules(), &self.boards, (game, positions) => {
                positions.iter().map(|one| game.is_over(one)).collect()
            })
        });
        PyArray1::from_vec(py, over)
    }

    /// Player 0's margin of every game that is over (int32); 0 where the game goes on.
    fn margins<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let margins = py.detach(|| {
            with_boards!(self.rules(), &self.boards, (game, positions) => {
                let margin = |one| game.outcome(one).map_or(0, |end| end.margin(Player::First));
                positions.iter().map(margin).collect()
            })
        });
        PyArray1::from_vec(py, margins)
    }

    /// 1, 0 or -1 for every game that is over, as player 0 sees it (int8); 0 where the game goes on.
    fn outcomes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let outcomes = py.detach(|| {
            with_boards!(self.rules(), &self.boards, (game, positions) => {
                let sign = |one| {
                    game.outcome(one).map_or(0, |end| end.verdict(Player::First).sign() as i8)
                };
                positions.iter().map(sign).collect()
            })
        });
        PyArray1::from_vec(py, outcomes)
    }

    /// What every position looks worth to its mover by a named evaluation (int32), such as "stores" or "kalahari" for Kalah,
    /// "mobility" or "reach" for Isolation. A game that is over is worth its margin on the evaluation's scale.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 1).play([2]).values("stores").tolist()
    /// [1]
    fn values<'py>(
        &self,
        py: Python<'py>,
        evaluation: &str,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let values = py.detach(|| {
            with_boards!(self.rules(), &self.boards, (game, positions) => evaluated(game, positions, evaluation))
        });
        Ok(PyArray1::from_vec(py, values?))
    }

    /// The boards as one array: positions by houses (Kalah, int16), positions by rows by columns (Isolation, int8); see
    /// `Position.to_array`. With `mover_first` every board is as its mover sees it: the own houses first, the own piece 1.
    #[pyo3(signature = (*, mover_first=false))]
    fn to_array<'py>(&self, py: Python<'py>, mover_first: bool) -> PyResult<Bound<'py, PyAny>> {
        let count = self.len();
        macro_rules! array {
            (kalah $game:expr, $positions:expr) => {{
                let all = py.detach(|| houses($game, $positions, mover_first));
                let shape = [count, 2 * $game.pits() + 2];
                Ok(PyArray1::from_vec(py, all).reshape(shape)?.into_any())
            }};
            (isolation $game:expr, $positions:expr) => {{
                let all = py.detach(|| cells($game, $positions, mover_first));
                let spec = $game.isolation_spec();
                let shape = [count, spec.rows(), spec.cols()];
                Ok(PyArray1::from_vec(py, all).reshape(shape)?.into_any())
            }};
        }
        match (self.rules(), &self.boards) {
            (AnyGame::KalahPacked(game), Boards::KalahPacked(all)) => array!(kalah game, all),
            (AnyGame::KalahWide(game), Boards::KalahWide(all)) => array!(kalah game, all),
            (AnyGame::Isolation64(game), Boards::Isolation64(all)) => array!(isolation game, all),
            (AnyGame::Isolation128(game), Boards::Isolation128(all)) => array!(isolation game, all),
            (AnyGame::Isolation256(game), Boards::Isolation256(all)) => array!(isolation game, all),
            _ => unreachable!("a batch holds positions of its own game"),
        }
    }

    /// Plays every position to its end at random, in Rust: player 0's margins (int32) and the number of moves played.
    ///
    /// >>> import kalahari
    /// >>> margins, moves = kalahari.Batch(kalahari.Game("kalah:6x4"), 100).playouts(seed=1)
    /// >>> len(margins), moves > 1000
    /// (100, True)
    #[pyo3(signature = (seed=1))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
    ) -> PyResult<(Bound<'py, PyArray1<i32>>, u64)> {
        let stop = Stop::new();
        let mut rng = Rng::new(seed);
        let (margins, moves) = interruptible(py, &stop, || {
            with_boards!(self.rules(), &self.boards, (game, positions) => {
                playouts(game, positions, &mut rng, &stop)
            })
        })?;
        Ok((PyArray1::from_vec(py, margins), moves))
    }

    fn __repr__(&self) -> String {
        format!("Batch('{}', {} positions)", self.rules().spec(), self.len())
    }
}
