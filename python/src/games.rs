//! Games and positions.

use crate::errors::Raise;
use crate::interrupt::interruptible;
use crate::moves;
use crate::numbers::{is_whole, shown, whole};
use kalahari_games::isolation::CellState;
use kalahari_games::story::in_words;
use kalahari_games::{
    Actions, AnyGame, AnyMove, AnyPosition, Game, GameKind, GameSpec, Player, View,
};
use kalahari_terms::Stop;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// The game with this name. Making one costs more than playing a game, so each is made once and shared.
pub(crate) fn shared(spec: GameSpec, any_total: bool) -> Arc<AnyGame> {
    type Made = HashMap<(GameSpec, bool), Arc<AnyGame>>;
    static MADE: Mutex<Option<Made>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let game = made
        .get_or_insert_default()
        .entry((spec, any_total))
        .or_insert_with(|| {
            Arc::new(match any_total {
                true => AnyGame::with_any_total(spec, 0),
                false => AnyGame::new(spec),
            })
        });
    Arc::clone(game)
}

/// The rules of a game, such as kalah:6x4 or isolation:7x7:queen.
///
/// >>> import kalahari
/// >>> game = kalahari.Game("kalah:6x4")
/// >>> game.start().legal_moves()
/// [0, 1, 2, 3, 4, 5]
/// >>> game.position("0 0 0 0 0 1 20 0 0 0 0 0 1 26 0").play(5).margin
/// -6
///
/// What a name leaves out is filled in (`game.spec` is the full name). With `any_total=True` a game of Kalah also
/// reads positions with another number of seeds than its own.
#[pyclass(frozen, module = "kalahari", name = "Game")]
#[derive(Clone)]
pub(crate) struct PyGame {
    pub(crate) game: Arc<AnyGame>,
    pub(crate) any_total: bool,
}

impl PyGame {
    /// Whether it is the same game.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.game.spec() == other.game.spec() && self.any_total == other.any_total
    }

    fn at(&self, position: AnyPosition) -> PyPosition {
        PyPosition {
            game: self.clone(),
            position,
        }
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (spec="kalah:6x6", *, any_total=false))]
    fn new(spec: &str, any_total: bool) -> PyResult<Self> {
        let spec = spec.parse::<GameSpec>().map_err(Raise::raise)?;
        Ok(PyGame {
            game: shared(spec, any_total),
            any_total,
        })
    }

    /// The full name, with everything filled in.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").spec
    /// 'kalah:6x4:standard'
    #[getter]
    fn spec(&self) -> String {
        self.game.spec().to_string()
    }

    /// Which game it is: "kalah" or "isolation".
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:queen").kind
    /// 'isolation'
    #[getter]
    fn kind(&self) -> &'static str {
        match self.game.spec().kind() {
            GameKind::Kalah => "kalah",
            GameKind::Isolation => "isolation",
        }
    }

    /// The name of the rules, such as "standard" or "queen".
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:queen").rule
    /// 'queen'
    #[getter]
    fn rule(&self) -> &'static str {
        match self.game.spec() {
            GameSpec::Kalah(spec) => spec.rule().name(),
            GameSpec::Isolation(spec) => spec.rule().name(),
        }
    }

    /// The rules in one line.
    ///
    /// >>> import kalahari
    /// >>> isinstance(kalahari.Game().summary, str)
    /// True
    #[getter]
    fn summary(&self) -> &'static str {
        self.game.spec().summary()
    }

    /// The size of the board: (pits, seeds) for Kalah, (rows, columns) for Isolation.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").size
    /// (6, 4)
    #[getter]
    fn size(&self) -> (usize, usize) {
        match self.game.spec() {
            GameSpec::Kalah(spec) => (spec.pits(), spec.seeds() as usize),
            GameSpec::Isolation(spec) => (spec.rows(), spec.cols()),
        }
    }

    /// Whether games are won by a margin, or just won.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").has_margins, kalahari.Game("isolation:queen").has_margins
    /// (True, False)
    #[getter]
    fn has_margins(&self) -> bool {
        self.game.has_margins()
    }

    /// Whether positions may have any number of seeds.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4", any_total=True).any_total
    /// True
    #[getter]
    fn any_total(&self) -> bool {
        self.any_total
    }

    /// How many actions there are. An action is a move as a number from 0 on, for masks and networks.
    ///
    /// >>> import kalahari
    /// >>> [kalahari.Game(name).num_actions for name in ("kalah:6x4", "isolation:8x8", "isolation:classic")]
    /// [6, 65, 392]
    ///
    /// Kalah: the pit. Isolation: the cell, row by row; in `trail` one more for the pass; in `classic` the direction of the
    /// step times the number of cells plus the cell removed.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.actions()
    }

    /// The position that the game begins with.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:2x3").start().text
    /// '3 3 0 3 3 0 0'
    fn start(&self) -> PyPosition {
        self.at(self.game.start())
    }

    /// Reads a position from text, such as `Position.text` or the board that `kalahari show` prints.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:3x3").position("1../.x./..2 0").mover
    /// 0
    /// >>> kalahari.Game("kalah:6x4").position("1 2 3")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: ...
    fn position(&self, text: &str) -> PyResult<PyPosition> {
        let position = self.game.parse_position(text).map_err(Raise::raise)?;
        Ok(self.at(position))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.is(other)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.game.spec(), self.any_total))
    }

    fn __repr__(&self) -> String {
        let any_total = if self.any_total {
            ", any_total=True"
        } else {
            ""
        };
        format!("Game('{}'{any_total})", self.game.spec())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, bool))> {
        let rebuild = slf.py().import("kalahari._rebuild")?.getattr("game")?;
        Ok((rebuild, (slf.get().spec(), slf.get().any_total)))
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A position of a game. It never changes; `play` returns a new one.
///
/// >>> import kalahari
/// >>> position = kalahari.Game("kalah:6x4").start().play(2)
/// >>> position.mover, position.text           # pit 2 ends in the store: another turn
/// (0, '4 4 0 5 5 5 1 4 4 4 4 4 4 0 0')
/// >>> position == kalahari.Game("kalah:6x4").position(position.text)
/// True
///
/// Positions can be compared, hashed, copied and pickled. Players are 0 (the one who begins) and 1; `mover` is the one to move.
/// `outcome` and `margin` are from player 0's point of view, and None while the game is not over.
#[pyclass(frozen, module = "kalahari", name = "Position")]
#[derive(Clone)]
pub(crate) struct PyPosition {
    pub(crate) game: PyGame,
    pub(crate) position: AnyPosition,
}

impl PyPosition {
    pub(crate) fn rules(&self) -> &AnyGame {
        &self.game.game
    }
}

/// The number of sequences, or too small a number if a stop was requested. It looks for that request before every count of at
/// most `at_once` plies.
fn perft(game: &AnyGame, position: &AnyPosition, depth: u32, at_once: u32, stop: &Stop) -> u64 {
    if stop.is_requested() {
        return 0;
    }
    if depth <= at_once {
        return game.perft(position, depth);
    }
    let next = game.moves(position).map(|mv| {
        let after = game.play_unchecked(position, mv);
        perft(game, &after, depth - 1, at_once, stop)
    });
    next.sum()
}

/// How many plies can be counted within a moment, whatever the number of moves.
fn plies_at_once(game: &AnyGame) -> u32 {
    /// Sequences that are counted within a few hundredths of a second.
    const QUICK: usize = 4_000_000;
    QUICK.ilog(game.actions().max(2)).max(1)
}

#[pymethods]
impl PyPosition {
    /// The game it belongs to.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().game
    /// Game('kalah:6x4:standard')
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// The legal moves: numbers of pits (Kalah) or texts such as 'c4' (Isolation). The list is empty exactly when the game is over.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().legal_moves()
    /// [0, 1, 2, 3, 4, 5]
    /// >>> kalahari.Game("isolation:5x5").start().legal_moves()
    /// ['b1', 'a2']
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::all_to_python(py, self.rules().moves(&self.position))
    }

    /// The position after a move. This one stays as it is.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:queen").start().play("d4").text
    /// '......./......./......./...1.../......./......./....... 1'
    /// >>> kalahari.Game("kalah:6x4").start().play(6)
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: ...
    #[pyo3(name = "play")]
    pub(crate) fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let mv = moves::from_python(self.rules(), r#move)?;
        let position = self.rules().play(&self.position, mv);
        Ok(PyPosition {
            game: self.game.clone(),
            position: position.map_err(Raise::raise)?,
        })
    }

    /// The position after several moves.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().play_all([2, 5]).mover
    /// 1
    fn play_all(&self, moves: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let mut position = self.clone();
        for mv in moves.try_iter()? {
            position = position.play(&mv?)?;
        }
        Ok(position)
    }

    /// Whether a move is legal here.
    ///
    /// >>> import kalahari
    /// >>> start = kalahari.Game("kalah:6x4").start()
    /// >>> start.is_legal(2), start.play(2).is_legal(2)
    /// (True, False)
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = moves::from_python(self.rules(), r#move)?;
        Ok(self.rules().is_legal(&self.position, mv))
    }

    /// Whether the game is over.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().is_over
    /// False
    #[getter]
    fn is_over(&self) -> bool {
        self.rules().is_over(&self.position)
    }

    /// 1 if player 0 has won, 0 for a draw, -1 if player 1 has won; None while the game is not over.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0").outcome
    /// 1
    #[getter]
    fn outcome(&self) -> Option<i32> {
        let outcome = self.rules().outcome(&self.position)?;
        Some(outcome.verdict(Player::First).sign())
    }

    /// By how much player 0 has won; negative if player 1 has won; None while the game is not over. It is 1 or -1 in games without
    /// margins.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0").margin
    /// 2
    #[getter]
    fn margin(&self) -> Option<i32> {
        let outcome = self.rules().outcome(&self.position)?;
        Some(outcome.margin(Player::First))
    }

    /// Whose turn it is, 0 or 1. When the game is over, whose turn it would be.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().play(0).mover
    /// 1
    #[getter]
    fn mover(&self) -> usize {
        self.rules().to_move(&self.position).index()
    }

    /// The position as text, which `game.position` reads.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:3x3").start().text
    /// '1../.../..2 0'
    #[getter]
    fn text(&self) -> String {
        self.rules().position_text(&self.position)
    }

    /// The number of move sequences of exactly `depth` moves.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().perft(3)
    /// 185
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = whole("depth", depth, 0..=u32::MAX)?;
        let stop = Stop::new();
        interruptible(py, &stop, || {
            let at_once = plies_at_once(self.rules());
            perft(self.rules(), &self.position, depth, at_once, &stop)
        })
    }

    /// The legal actions, in the order of `legal_moves`. An action is a move as a number from 0 on.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:5x5").start().legal_actions()
    /// [1, 5]
    fn legal_actions(&self) -> Vec<usize> {
        let number = |mv| self.rules().action(&self.position, mv);
        self.rules()
            .moves(&self.position)
            .filter_map(number)
            .collect()
    }

    /// The legal actions as a numpy array of True and False, one for each action.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().play(2).legal_mask().tolist()
    /// [True, True, False, True, True, True]
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.rules().actions()];
        for action in self.legal_actions() {
            mask[action] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    /// The action of a move: its number from 0 on.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:5x5").start().action("b1")
    /// 1
    fn action(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mv = moves::from_python(self.rules(), r#move)?;
        let action = self.rules().action(&self.position, mv);
        action.ok_or_else(|| PyValueError::new_err(format!("{mv} has no number here")))
    }

    /// The move of an action. It need not be legal; `IndexError` if there is no such action.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("isolation:5x5").start().move(5)
    /// 'a2'
    #[pyo3(name = "move")]
    fn move_of<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let number = match action.extract::<usize>() {
            Err(_) if is_whole(action) => usize::MAX,
            _ => whole("action", action, 0..=usize::MAX)?,
        };
        let mv = self.rules().move_of(&self.position, number);
        let none = || PyIndexError::new_err(format!("{} is not an action here", shown(action)));
        let mv = mv.ok_or_else(none)?;
        Ok(moves::to_python(py, mv))
    }

    /// The board as a numpy array: the houses of Kalah in board order (int16, player 0's pits and store, then player 1's), or
    /// the cells of Isolation (int8, rows by columns: 0 free, 1 and 2 the pieces, 3 and 4 cells left behind by player 0 and
    /// 1, 5 blocked).
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:2x3").start().to_array().tolist()
    /// [3, 3, 0, 3, 3, 0]
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.rules().view(&self.position) {
            View::Kalah(setup) => {
                let houses: Vec<i16> = setup.houses.iter().map(|&seeds| seeds as i16).collect();
                Ok(PyArray1::from_vec(py, houses).into_any())
            }
            View::Isolation(setup) => {
                let shape = [setup.rows.len(), setup.rows.first().map_or(0, Vec::len)];
                let cells: Vec<i8> = setup.rows.iter().flatten().copied().map(code).collect();
                Ok(PyArray1::from_vec(py, cells).reshape(shape)?.into_any())
            }
        }
    }

    /// What a legal move does, in words.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Game("kalah:6x4").start().explain(2)
    /// 'Player 0 sows 4 seeds from pit 2. The last one falls into the store: another turn.'
    fn explain(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let mv: AnyMove = moves::from_python(self.rules(), r#move)?;
        if !self.rules().is_legal(&self.position, mv) {
            return Err(self.rules().why_illegal(&self.position, mv).raise());
        }
        Ok(in_words(&self.rules().story(&self.position, mv)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.rules().spec() == other.rules().spec() && self.position == other.position
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.rules().spec(), self.position))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, bool, String))> {
        let rebuild = slf.py().import("kalahari._rebuild")?;
        let rebuild = rebuild.getattr("position")?;
        let position = slf.get();
        let spec = position.rules().spec().to_string();
        Ok((rebuild, (spec, position.game.any_total, position.text())))
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', '{}')", self.rules().spec(), self.text())
    }

    /// The board in text.
    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyString>> {
        let drawing = slf.py().import("kalahari.drawing")?;
        Ok(drawing.call_method1("text", (slf,))?.cast_into()?)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyString>> {
        let drawing = slf.py().import("kalahari.drawing")?;
        Ok(drawing.call_method1("svg", (slf,))?.cast_into()?)
    }
}

/// A cell's number in an array.
pub(crate) fn code(cell: CellState) -> i8 {
    match cell {
        CellState::Free => 0,
        CellState::Piece(player) => 1 + player.index() as i8,
        CellState::Left(player) => 3 + player.index() as i8,
        CellState::Blocked => 5,
    }
}
