//! Many positions of one game, worked on without a loop in Python.

use crate::games::{PyGame, PyPosition};
use crate::many::{
    Stepped, Wrong, advance, cells, chosen, evaluated, houses, kept, legal_masks, playouts, step,
    taken,
};
use crate::numbers::whole;
use crate::space::{NoSpace, collected, filled, room};
use kalahari_games::isolation::{Isolation, IsolationPosition, Wide256};
use kalahari_games::kalah::{Kalah, KalahSetup, Packed, Wide};
use kalahari_games::{
    Actions, AnyGame, AnyPosition, Game, GameKind, Player, Typed, View, with_game,
};
use kalahari_search::Rng;
use numpy::{
    AllowTypeChange, Element, PyArray1, PyArrayLike1, PyArrayLike2, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
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

/// Does work with actions given as any array of numbers, one per position, while the interpreter is free. Arrays of the types
/// that numpy usually makes are not copied.
macro_rules! with_actions {
    ($batch:expr, $py:expr, $actions:expr, $numbers:ident => $work:expr) => {{
        with_actions!(of u8, $batch, $py, $actions, $numbers => $work);
        with_actions!(of i64, $batch, $py, $actions, $numbers => $work);
        with_actions!(of i32, $batch, $py, $actions, $numbers => $work);
        whole_numbers($actions, "actions")?;
        let actions: PyArrayLike1<'_, i64, AllowTypeChange> = $actions.extract()?;
        $batch.fits(actions.len())?;
        let actions = collected(actions.as_array().iter().copied())?;
        let $numbers = &actions[..];
        $py.detach(|| $work).map_err(Wrong::raise)
    }};
    (of $number:ty, $batch:expr, $py:expr, $actions:expr, $numbers:ident => $work:expr) => {
        if let Ok(array) = $actions.cast::<PyArray1<$number>>()
            && let Ok(array) = array.try_readonly()
            && let Ok($numbers) = array.as_slice()
        {
            $batch.fits($numbers.len())?;
            return $py.detach(|| $work).map_err(Wrong::raise);
        }
    };
}

/// Refuses values that numpy would truncate to whole numbers of 64 bits; `what` is what Python calls them.
fn whole_numbers(given: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    let array = given
        .py()
        .import("numpy")?
        .call_method1("asarray", (given,))?;
    // An empty list has no element type.
    if array.getattr("size")?.extract::<usize>()? == 0 {
        return Ok(());
    }
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    match kind.as_str() {
        "i" | "b" => Ok(()),
        "u" if array.call_method0("max")?.extract::<u64>()? <= i64::MAX as u64 => Ok(()),
        "u" => Err(PyValueError::new_err(format!(
            "{what} must be smaller than 2^63"
        ))),
        _ => Err(PyTypeError::new_err(format!(
            "{what} must be whole numbers"
        ))),
    }
}

/// Games whose typed positions can become a batch.
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
    Isolation<u64> => Isolation64,
    Isolation<u128> => Isolation128,
    Isolation<Wide256> => Isolation256
);

/// Many positions of one game, for working on all of them at once with numpy.
///
/// >>> import kalahari
/// >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 1000)   # a thousand starts
/// >>> batch = batch.play([2] * 1000)
/// >>> len(batch), batch.legal_masks()[0].tolist()
/// (1000, [True, True, False, True, True, True])
/// >>> batch[0] == batch.game.start().play(2)
/// True
///
/// Moves are actions (numbers, see `Game.num_actions`). Games that are over stay as they are, whatever is played. `batch[i]` is
/// a position; `batch[a:b]`, `batch[mask]` and `batch[indices]` are batches.
#[pyclass(module = "kalahari")]
pub(crate) struct Batch {
    pub(crate) game: PyGame,
    pub(crate) boards: Boards,
}

fn started<G: Batched>(game: &G, count: usize) -> Result<Boards, NoSpace> {
    Ok(G::boards(filled(game.start(), count)?))
}

fn gathered<G: Batched>(_: &G, positions: &[AnyPosition]) -> Option<Boards> {
    let typed: Option<Vec<_>> = positions.iter().map(G::typed_position).collect();
    typed.map(G::boards)
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

    fn take(&self, places: &[usize]) -> Result<Batch, NoSpace> {
        let boards = with_boards!(self.rules(), &self.boards, (game, positions) => {
            boards_of(game, taken(positions, places)?)
        });
        Ok(self.with(boards))
    }

    fn keep(&self, marks: &[bool]) -> Result<Batch, NoSpace> {
        let boards = with_boards!(self.rules(), &self.boards, (game, positions) => {
            boards_of(game, kept(positions, marks)?)
        });
        Ok(self.with(boards))
    }

    fn copied(&self) -> Result<Batch, NoSpace> {
        let boards = with_boards!(self.rules(), &self.boards, (game, positions) => {
            boards_of(game, collected(positions.iter().copied())?)
        });
        Ok(self.with(boards))
    }

    /// Hands an array with one entry per position to Python.
    fn array<'py, T: Element>(
        &self,
        py: Python<'py>,
        make: impl FnOnce(&Self) -> Result<Vec<T>, NoSpace> + Send,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let all = py.detach(|| make(self))?;
        Ok(PyArray1::from_vec(py, all))
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

    /// Whether there are as many actions as positions.
    fn fits(&self, actions: usize) -> PyResult<()> {
        self.one_each(actions, "actions")
    }

    fn one_each(&self, given: usize, what: &str) -> PyResult<()> {
        let count = self.len();
        match given == count {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!(
                "{given} {what} for {count} positions"
            ))),
        }
    }

    fn advance_by(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        with_actions!(self, py, actions, numbers => {
            with_boards!(&*self.game.game, &mut self.boards, (game, positions) => advance(game, positions, numbers))
        })
    }

    fn step_by(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Stepped> {
        with_actions!(self, py, actions, numbers => {
            with_boards!(&*self.game.game, &mut self.boards, (game, positions) => step(game, positions, numbers))
        })
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
    #[pyo3(signature = (game, count=None), text_signature = "(game, count=1)")]
    fn new(game: &PyGame, count: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let count = count.map_or(Ok(1), |count| whole("count", count, 0..=usize::MAX))?;
        let boards = with_game!(&*game.game, typed => started(typed, count))?;
        Ok(Batch {
            game: game.clone(),
            boards,
        })
    }

    /// The batch of these positions, which must all be of one game.
    ///
    /// >>> import kalahari
    /// >>> start = kalahari.Game("kalah:6x4").start()
    /// >>> len(kalahari.Batch.of([start, start.play(2)]))
    /// 2
    #[staticmethod]
    fn of(positions: &Bound<'_, PyAny>) -> PyResult<Batch> {
        let wrong = |given: &Bound<'_, PyAny>| match given.get_type().name() {
            Ok(kind) => {
                PyTypeError::new_err(format!("a batch is made of positions, not of {kind}"))
            }
            Err(error) => error,
        };
        let mut all: Vec<Bound<'_, PyPosition>> = Vec::new();
        for one in positions.try_iter().map_err(|_| wrong(positions))? {
            let one = one?;
            all.push(one.cast::<PyPosition>().map_err(|_| wrong(&one))?.clone());
        }
        let Some(first) = all.first() else {
            return Err(PyValueError::new_err("a batch of no positions has no game"));
        };
        let game = first.get().game.clone();
        let alike = |one: &Bound<'_, PyPosition>| one.get().game.is(&game);
        let boards: Vec<AnyPosition> = all.iter().map(|one| one.get().position).collect();
        let boards = with_game!(&*game.game, typed => gathered(typed, &boards));
        match boards {
            Some(boards) if all.iter().all(alike) => Ok(Batch { game, boards }),
            _ => Err(PyValueError::new_err("positions of more than one game")),
        }
    }

    /// The batch of Kalah positions given as an array, one row of houses (in the order of `Position.to_array`) for each, and whose turn it
    /// is in each.
    ///
    /// >>> import kalahari, numpy
    /// >>> game = kalahari.Game("kalah:2x3")
    /// >>> batch = kalahari.Batch.from_array(game, numpy.array([[3, 3, 0, 3, 3, 0]]), [1])
    /// >>> batch[0].text
    /// '3 3 0 3 3 0 1'
    #[staticmethod]
    fn from_array(
        game: &PyGame,
        houses: &Bound<'_, PyAny>,
        movers: &Bound<'_, PyAny>,
    ) -> PyResult<Batch> {
        if game.game.spec().kind() != GameKind::Kalah {
            let message = format!("{} has no houses: this is for Kalah", game.game.spec());
            return Err(PyValueError::new_err(message));
        }
        whole_numbers(houses, "houses")?;
        whole_numbers(movers, "movers")?;
        let houses: PyArrayLike2<'_, i64, AllowTypeChange> = houses.extract()?;
        let movers: PyArrayLike1<'_, i64, AllowTypeChange> = movers.extract()?;
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
                u16::try_from(seeds).map_err(|_| wrong(format!("{seeds} is not a number of seeds")))
            };
            let player = match mover {
                0 => Player::First,
                1 => Player::Second,
                _ => return Err(wrong(format!("{mover} is not a player"))),
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
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).game
    /// Game('kalah:6x4:standard')
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
        // A list of True and False is a mask, as in numpy. An array is looked at as a whole, because looking at each value takes long.
        let is_array = index.cast::<PyUntypedArray>().is_ok();
        let index = &match (!is_array).then(|| index.extract::<Vec<bool>>()) {
            Some(Ok(marks)) if !marks.is_empty() => PyArray1::from_vec(py, marks).into_any(),
            _ => index.clone(),
        };
        if let Ok(mask) = index.cast::<PyArray1<bool>>() {
            let mask = mask.try_readonly()?;
            if mask.len() != count {
                let message = format!("a mask of {} for {count} positions", mask.len());
                return Err(PyIndexError::new_err(message));
            }
            let marks = collected(mask.as_array().iter().copied())?;
            let kept = py.detach(|| self.keep(&marks))?;
            return Ok(Bound::new(py, kept)?.into_any());
        }
        let places: Vec<usize> = if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(count as isize)?;
            let nth = |n: usize| (slice.start + n as isize * slice.step) as usize;
            collected((0..slice.slicelength).map(nth))?
        } else {
            whole_numbers(index, "indices")?;
            let places: PyArrayLike1<'_, i64, AllowTypeChange> = index.extract().map_err(|_| {
                let ways = "a batch is indexed by a number, a slice, a mask or numbers";
                PyTypeError::new_err(ways)
            })?;
            let places = places.as_array().to_vec();
            places.into_iter().map(place).collect::<PyResult<_>>()?
        };
        let taken = py.detach(|| self.take(&places))?;
        Ok(Bound::new(py, taken)?.into_any())
    }

    /// A copy, which does not change when this batch does.
    ///
    /// >>> import kalahari
    /// >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 2)
    /// >>> kept = batch.copy()
    /// >>> batch.advance([0, 0])
    /// >>> kept[0] == kept.game.start()
    /// True
    fn copy(&self) -> PyResult<Batch> {
        Ok(self.copied()?)
    }

    fn __copy__(&self) -> PyResult<Batch> {
        self.copy()
    }

    /// The legal actions of all positions: an array of True and False, a row for each position and a column for each action.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 3).legal_masks().shape
    /// (3, 6)
    fn legal_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let masks = self.array(py, |batch| {
            with_boards!(batch.rules(), &batch.boards, (game, positions) => legal_masks(game, positions))
        })?;
        let shape = [self.len(), self.rules().actions()];
        Ok(masks.reshape(shape)?.into_any())
    }

    /// The legal moves of every position as bits of one number: bit a is action a. The numbers are uint8 in games of at most 8
    /// actions, else uint64; games of more than 64 actions have none.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).legal_bits()
    /// array([63, 63], dtype=uint8)
    fn legal_bits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let actions = self.rules().actions();
        if actions > 64 {
            let message = format!("{actions} actions do not fit 64 bits: use legal_masks");
            return Err(PyValueError::new_err(message));
        }
        if actions > 8 {
            let bits = self.array(py, |batch| {
                with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                    collected(positions.iter().map(|one| game.legal_bits(one)))
                })
            });
            return Ok(bits?.into_any());
        }
        let bits = self.array(py, |batch| {
            with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                collected(positions.iter().map(|one| game.legal_bits(one) as u8))
            })
        });
        Ok(bits?.into_any())
    }

    /// A legal action for every position, each chosen by a number of 32 bits: number n of k legal ones is the (n * k >> 32)-th.
    /// Random numbers make all of them equally likely. It is 0 where the game is over. Actions are uint8, or int32 in games of
    /// more than 256.
    ///
    /// >>> import kalahari, numpy
    /// >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 3)
    /// >>> batch.choose(numpy.array([0, 2**31, 2**32 - 1], dtype=numpy.uint32))
    /// array([0, 3, 5], dtype=uint8)
    fn choose<'py>(
        &self,
        py: Python<'py>,
        numbers: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(numbers) = numbers.cast::<PyArray1<u32>>() else {
            return Err(PyTypeError::new_err(
                "numbers must be an array of numpy.uint32, one per position",
            ));
        };
        self.one_each(numbers.len(), "numbers")?;
        let numbers = numbers.try_readonly()?;
        let copied;
        let numbers = match numbers.as_slice() {
            Ok(numbers) => numbers,
            Err(_) => {
                copied = collected(numbers.as_array().iter().copied())?;
                &copied[..]
            }
        };
        if self.rules().actions() > 256 {
            let actions = self.array(py, |batch| {
                with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                    chosen(game, positions, numbers, |action| action as i32)
                })
            });
            return Ok(actions?.into_any());
        }
        let actions = self.array(py, |batch| {
            with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                chosen(game, positions, numbers, |action| action as u8)
            })
        });
        Ok(actions?.into_any())
    }

    /// The positions after one action in each, as a new batch. Games that are over stay as they are.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 3).play([0, 1, 2]).movers().tolist()
    /// [1, 1, 0]
    fn play(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Batch> {
        let mut next = self.copied()?;
        next.advance_by(py, actions)?;
        Ok(next)
    }

    /// Like `play`, but changes this batch, which is faster. If an action is illegal, nothing changes.
    ///
    /// >>> import kalahari
    /// >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 3)
    /// >>> batch.advance([0, 1, 2])
    /// >>> batch[2] == batch.game.start().play(2)
    /// True
    fn advance(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        self.advance_by(py, actions)
    }

    /// Like `advance`, and returns the legal actions (as `legal_masks`) and which games are over (as `is_over`): all that a learning program
    /// needs for its next move.
    ///
    /// >>> import kalahari
    /// >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 3)
    /// >>> masks, over = batch.step([2, 2, 0])
    /// >>> masks.astype(int).tolist(), over.any()
    /// ([[1, 1, 0, 1, 1, 1], [1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1]], np.False_)
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<bool>>)> {
        let (masks, over) = self.step_by(py, actions)?;
        let shape = [self.len(), self.rules().actions()];
        let masks = PyArray1::from_vec(py, masks).reshape(shape)?;
        Ok((masks.into_any(), PyArray1::from_vec(py, over)))
    }

    /// Whose turn it is in each position, 0 or 1 (uint8).
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).play([0, 2]).movers().tolist()
    /// [1, 0]
    fn movers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        self.array(py, |batch| {
            with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                collected(positions.iter().map(|one| game.to_move(one).index() as u8))
            })
        })
    }

    /// Which games are over (bool).
    ///
    /// >>> import kalahari
    /// >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).is_over().tolist()
    /// [False, False]
    fn is_over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.array(py, |batch| {
            with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                collected(positions.iter().map(|one| game.is_over(one)))
            })
        })
    }

    /// By how much player 0 has won each game that is over (int32), negative if player 1 has; 0 while a game is not over.
    ///
    /// >>> import kalahari
    /// >>> over = kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0")
    /// >>> kalahari.Batch.of([over, over.game.start()]).margins().tolist()
    /// [2, 0]
    fn margins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        self.array(py, |batch| {
            with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                let margin = |one| game.outcome(one).map_or(0, |end| end.margin(Player::First));
                collected(positions.iter().map(margin))
            })
        })
    }

    /// 1, 0 or -1 for each game that player 0 has won, drawn or lost (int8); 0 while a game is not over.
    ///
    /// >>> import kalahari
    /// >>> over = kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0")
    /// >>> kalahari.Batch.of([over, over.game.start()]).outcomes().tolist()
    /// [1, 0]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.array(py, |batch| {
            with_boards!(batch.rules(), &batch.boards, (game, positions) => {
                let sign = |one| {
                    game.outcome(one).map_or(0, |end| end.verdict(Player::First).sign() as i8)
                };
                collected(positions.iter().map(sign))
            })
        })
    }

    /// What every position is worth to its mover by a named evaluation (int32), such as "stores" or "kalahari" for Kalah,
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
    /// `Position.to_array`. With `mover_first` every board is as the player to move sees it: own houses first, own piece 1.
    ///
    /// >>> import kalahari
    /// >>> batch = kalahari.Batch(kalahari.Game("kalah:2x3"), 1).play([0])
    /// >>> batch.to_array().tolist(), batch.to_array(mover_first=True).tolist()
    /// ([[0, 4, 1, 4, 3, 0]], [[4, 3, 0, 0, 4, 1]])
    #[pyo3(signature = (*, mover_first=false))]
    fn to_array<'py>(&self, py: Python<'py>, mover_first: bool) -> PyResult<Bound<'py, PyAny>> {
        let count = self.len();
        macro_rules! array {
            (kalah $game:expr, $positions:expr) => {{
                let all = py.detach(|| houses($game, $positions, mover_first))?;
                let shape = [count, 2 * $game.pits() + 2];
                Ok(PyArray1::from_vec(py, all).reshape(shape)?.into_any())
            }};
            (isolation $game:expr, $positions:expr) => {{
                let all = py.detach(|| cells($game, $positions, mover_first))?;
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
    #[pyo3(signature = (seed=None), text_signature = "($self, seed=1)")]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray1<i32>>, u64)> {
        let seed = seed.map_or(Ok(1), |seed| whole("seed", seed, 0..=u64::MAX))?;
        /// How many games are played between two checks for Ctrl-C; they take a moment.
        const MOMENT: usize = 1024;
        let mut rng = Rng::new(seed);
        let mut margins = room(self.len())?;
        let moves = with_boards!(self.rules(), &self.boards, (game, positions) => {
            let mut moves = 0;
            for some in positions.chunks(MOMENT) {
                moves += py.detach(|| playouts(game, some, &mut rng, &mut margins));
                py.check_signals()?;
            }
            moves
        });
        Ok((PyArray1::from_vec(py, margins), moves))
    }

    fn __repr__(&self) -> String {
        format!("Batch('{}', {} positions)", self.rules().spec(), self.len())
    }
}
