//! Proven values: solvers, tablebases and opening books.

use crate::agent::{Parts, parts, same_game};
use crate::batch::{Batch, Boards};
use crate::errors::Raise;
use crate::games::{PyGame, PyPosition};
use crate::interrupt::interruptible;
use crate::limits::{self, PyLimits};
use crate::moves;
use crate::numbers::{whole, whole_if};
use kalahari_exact::book::Book;
use kalahari_exact::prover::{
    BookPlace, Proof, Prover, ProverOptions, TableMemory, TablebasePolicy, Wanted, opening_book,
};
use kalahari_exact::tablebase::{MAX_TABLE_SEEDS, TableSpec, Tablebase, table_path};
use kalahari_games::kalah::{Board, Kalah};
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec};
use kalahari_storage::data_home;
use kalahari_terms::{Limits, Stop};
use numpy::PyArray1;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The value in an array for a position that the tablebase does not know.
pub(crate) const UNKNOWN: i16 = i16::MIN;

/// What is proven about a position, for Python. Values are from the mover's point of view.
#[derive(IntoPyObject)]
pub(crate) struct Proven<'py> {
    lower: i32,
    upper: i32,
    score: Option<Parts>,
    best: Option<Bound<'py, PyAny>>,
    line: Bound<'py, PyList>,
    moves: Vec<(Bound<'py, PyAny>, i32, i32)>,
    nodes: u64,
    seconds: f64,
    source: &'static str,
}

fn proven<'py>(py: Python<'py>, proof: &Proof, seconds: f64) -> PyResult<Proven<'py>> {
    let bounds = |(mv, bounds): &(_, kalahari_exact::Bounds)| {
        (moves::to_python(py, *mv), bounds.lower, bounds.upper)
    };
    Ok(Proven {
        lower: proof.bounds.lower,
        upper: proof.bounds.upper,
        score: proof.score.map(parts),
        best: proof.best().map(|mv| moves::to_python(py, mv)),
        line: moves::all_to_python(py, proof.line.iter().copied())?,
        moves: proof.moves.iter().map(bounds).collect(),
        nodes: proof.nodes,
        seconds,
        source: proof.source.name(),
    })
}

/// Proves values of positions of one game: by opening book, tablebase and solver. It keeps what it has proven.
#[pyclass(frozen, module = "kalahari")]
pub(crate) struct Solver {
    game: PyGame,
    prover: Mutex<Prover>,
}

impl Solver {
    fn check(&self, position: &PyPosition) -> PyResult<AnyPosition> {
        match same_game(position, &self.game.game) {
            true => Ok(position.position),
            false => Err(PyValueError::new_err(format!(
                "a position of another game than {}",
                self.game.game.spec()
            ))),
        }
    }
}

fn wanted(moves: bool, limits: Option<&PyLimits>) -> Wanted {
    let limits = limits.map_or(Limits::NONE, |limits| limits.0);
    match moves {
        true => Wanted::ALL.within(limits),
        false => Wanted::MOVE.within(limits),
    }
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (game, *, threads=None, memory=None, book=true, tablebase=None))]
    fn new(
        game: &PyGame,
        threads: Option<&Bound<'_, PyAny>>,
        memory: Option<&Bound<'_, PyAny>>,
        book: bool,
        tablebase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let memory = whole_if("memory", memory, 0..=u64::MAX)?;
        let tablebase = whole_if("tablebase", tablebase, 0..=MAX_TABLE_SEEDS)?;
        let options = ProverOptions {
            threads: limits::threads("threads", threads)?,
            memory: memory.map_or(TableMemory::Suited, TableMemory::Bytes),
            book,
            tablebase: match tablebase {
                Some(0) => TablebasePolicy::None,
                Some(seeds) => TablebasePolicy::Seeds(seeds),
                None => TablebasePolicy::SUITED,
            },
            ..ProverOptions::default()
        };
        Ok(Solver {
            game: game.clone(),
            prover: Mutex::new(Prover::new(&game.game, options)),
        })
    }

    /// Proves a position. When the limits or Ctrl-C end it early, only bounds are proven.
    #[pyo3(signature = (position, limits=None, *, moves=true))]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        position: &PyPosition,
        limits: Option<&PyLimits>,
        moves: bool,
    ) -> PyResult<Proven<'py>> {
        let (at, wanted, stop) = (self.check(position)?, wanted(moves, limits), Stop::new());
        let begin = Instant::now();
        let proof = interruptible(py, &stop, || {
            let mut prover = self.prover.lock().unwrap_or_else(PoisonError::into_inner);
            prover.prove(&at, &wanted, &stop)
        })?;
        proven(
            py,
            &proof.map_err(Raise::raise)?,
            begin.elapsed().as_secs_f64(),
        )
    }

    /// Proves many positions with the same tables, `at_once` of them at the same time; in the order of the list.
    #[pyo3(signature = (positions, limits=None, *, moves=true, at_once=None), text_signature = "($self, positions, limits=None, *, moves=True, at_once=1)")]
    fn prove_all<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<PyRef<'py, PyPosition>>,
        limits: Option<&PyLimits>,
        moves: bool,
        at_once: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Proven<'py>>> {
        let all: Vec<AnyPosition> = positions
            .iter()
            .map(|position| self.check(position))
            .collect::<PyResult<_>>()?;
        let at_once = at_once.map_or(Ok(1), |count| limits::threads("at_once", Some(count)))?;
        let (wanted, stop) = (wanted(moves, limits), Stop::new());
        let proofs = interruptible(py, &stop, || {
            let mut prover = self.prover.lock().unwrap_or_else(PoisonError::into_inner);
            let mut proofs = Vec::with_capacity(all.len());
            let mut each = |place, proof| {
                proofs.push((place, proof));
                ControlFlow::Continue(())
            };
            prover
                .prove_all(&all, at_once, &wanted, &stop, &mut each)
                .map(|()| proofs)
        })?;
        let mut proofs = proofs.map_err(Raise::raise)?;
        proofs.sort_by_key(|(place, _)| *place);
        let proofs = proofs.iter();
        proofs.map(|(_, proof)| proven(py, proof, 0.0)).collect()
    }
}

/// The exact future margin of every Kalah position with few seeds on the board.
///
/// >>> import kalahari
/// >>> table = kalahari.Tablebase.build("kalah:6x4", seeds=6)
/// >>> game = kalahari.Game("kalah:6x4")
/// >>> table.probe(game.position("0 0 1 0 0 1 20 1 0 0 0 0 0 25 0"))
/// -2
/// >>> table.probe(game.start()) is None
/// True
///
/// `build` makes one in memory, and `open` reads one from disk. A value is the final margin of the game, stores included, for the player
/// to move.
#[pyclass(frozen, module = "kalahari", name = "Tablebase")]
pub(crate) struct PyTablebase {
    table: Arc<Tablebase>,
}

/// A family by its own name, or that of one of its games.
fn family(name: &str) -> PyResult<TableSpec> {
    if let Ok(GameSpec::Kalah(game)) = name.parse::<GameSpec>()
        && let Some(family) = TableSpec::of_game(game)
    {
        return Ok(family);
    }
    name.parse()
        .map_err(|error: kalahari_games::SpecError| error.raise())
}

fn path_of(family: TableSpec, file: Option<PathBuf>) -> PyResult<PathBuf> {
    let usual = || data_home().map(|home| table_path(&home, family));
    file.or_else(usual)
        .ok_or_else(|| PyOSError::new_err("no place for tablebases: set KALAHARI_HOME"))
}

/// Does work with threads that end with it. The usual pool would stay, and a process that Python forks would inherit the pool
/// but not its threads.
fn in_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

fn probed<B: Board>(table: &Tablebase, game: &Kalah<B>, positions: &[B]) -> Vec<i16> {
    let margin = |position| {
        let margin = table.final_margin(game, position);
        margin.map_or(UNKNOWN, |margin| margin as i16)
    };
    positions.iter().map(margin).collect()
}

#[pymethods]
impl PyTablebase {
    /// Opens the tablebase on disk of a game or of a family such as "kalah:6"; `FileNotFoundError` if there is none. Without a `file` it is the
    /// one that `save` and `kalahari tablebase build` write.
    ///
    /// >>> import kalahari
    /// >>> import os, tempfile
    /// >>> file = os.path.join(tempfile.mkdtemp(), "small.tablebase")
    /// >>> kalahari.Tablebase.build("kalah:4", 5).save(file).name
    /// 'small.tablebase'
    /// >>> kalahari.Tablebase.open("kalah:4", file).seeds
    /// 5
    #[staticmethod]
    #[pyo3(signature = (game, file=None))]
    fn open(py: Python<'_>, game: &str, file: Option<PathBuf>) -> PyResult<Self> {
        let family = family(game)?;
        let path = path_of(family, file)?;
        let table = py.detach(|| in_pool(|| Tablebase::open(&path, Some(family))));
        Ok(PyTablebase {
            table: Arc::new(table.map_err(Raise::raise)?),
        })
    }

    /// Builds the tablebase of all positions with at most `seeds` seeds in the pits, in memory. Ctrl-C stops it.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Tablebase.build("kalah:4", 5)
    /// Tablebase('kalah:4:standard', 5 seeds)
    #[staticmethod]
    fn build(py: Python<'_>, game: &str, seeds: &Bound<'_, PyAny>) -> PyResult<Self> {
        let seeds = whole("seeds", seeds, 0..=MAX_TABLE_SEEDS)?;
        let (family, stop) = (family(game)?, Stop::new());
        let build = || in_pool(|| Tablebase::build(family, seeds, &stop));
        let table = interruptible(py, &stop, build)?;
        Ok(PyTablebase {
            table: Arc::new(table.map_err(Raise::raise)?),
        })
    }

    /// Writes it to a file and returns the path. Without a `file` it goes to where `open` and all agents look for it. If anything goes wrong,
    /// no half-written file is left. See `open` for an example.
    #[pyo3(signature = (file=None))]
    fn save(&self, py: Python<'_>, file: Option<PathBuf>) -> PyResult<PathBuf> {
        let path = path_of(self.table.spec(), file)?;
        let save = || in_pool(|| self.table.save(&path));
        py.detach(save).map_err(Raise::raise)?;
        Ok(path)
    }

    /// The games it is for, such as "kalah:6:standard".
    ///
    /// >>> import kalahari
    /// >>> kalahari.Tablebase.build("kalah:4x3", 2).family
    /// 'kalah:4:standard'
    #[getter]
    fn family(&self) -> String {
        self.table.spec().to_string()
    }

    /// How many seeds may be in the pits of a position that it knows.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Tablebase.build("kalah:4", 2).seeds
    /// 2
    #[getter]
    fn seeds(&self) -> usize {
        self.table.seeds()
    }

    /// How many positions it knows.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Tablebase.build("kalah:4", 2).positions
    /// 45
    #[getter]
    fn positions(&self) -> u64 {
        self.table.positions()
    }

    /// The final margin of a position for the player to move, or None if the position is not known.
    ///
    /// >>> import kalahari
    /// >>> table, game = kalahari.Tablebase.build("kalah:6", 4), kalahari.Game("kalah:6x4")
    /// >>> table.probe(game.position("0 0 0 0 0 1 20 0 0 0 0 0 1 26 0"))
    /// -6
    fn probe(&self, position: &PyPosition) -> Option<i32> {
        match (position.rules(), &position.position) {
            (AnyGame::KalahPacked(game), AnyPosition::KalahPacked(at)) => {
                self.table.final_margin(game, at)
            }
            (AnyGame::KalahWide(game), AnyPosition::KalahWide(at)) => {
                self.table.final_margin(game, at)
            }
            _ => None,
        }
    }

    /// The final margins of a batch for the players to move (int16); `kalahari.UNKNOWN` where a position is not known.
    ///
    /// >>> import kalahari
    /// >>> table = kalahari.Tablebase.build("kalah:6", 4)
    /// >>> values = table.probe_batch(kalahari.Batch(kalahari.Game("kalah:6x4"), 3))
    /// >>> (values == kalahari.UNKNOWN).tolist()
    /// [True, True, True]
    fn probe_batch<'py>(&self, py: Python<'py>, batch: &Batch) -> Bound<'py, PyArray1<i16>> {
        let margins = py.detach(|| match (&*batch.game.game, &batch.boards) {
            (AnyGame::KalahPacked(game), Boards::KalahPacked(all)) => {
                probed(&self.table, game, all)
            }
            (AnyGame::KalahWide(game), Boards::KalahWide(all)) => probed(&self.table, game, all),
            _ => vec![UNKNOWN; batch.len()],
        });
        PyArray1::from_vec(py, margins)
    }

    /// How many positions there are of each future margin, the lowest first.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Tablebase.build("kalah:4", 1).distribution()
    /// [(-1, 4), (0, 1), (1, 4)]
    fn distribution(&self, py: Python<'_>) -> Vec<(i32, u64)> {
        py.detach(|| self.table.distribution())
    }

    fn __repr__(&self) -> String {
        let (family, seeds) = (self.table.spec(), self.table.seeds());
        format!("Tablebase('{family}', {seeds} seeds)")
    }
}

/// The exact values of the positions near a game's start.
///
/// >>> import kalahari
/// >>> book = kalahari.Book.open("kalah:6x4")
/// >>> book.probe(kalahari.Game("kalah:6x4").start())
/// 8
#[pyclass(frozen, module = "kalahari", name = "Book")]
pub(crate) struct PyBook {
    book: Arc<Book>,
    place: BookPlace,
}

#[pymethods]
impl PyBook {
    /// Opens the book of a game: your own or the one that comes with the package, whichever is larger; `FileNotFoundError` if there is
    /// none.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Book.open("isolation")
    /// Traceback (most recent call last):
    /// ...
    /// FileNotFoundError: there is no opening book of ...
    #[staticmethod]
    fn open(py: Python<'_>, game: &str) -> PyResult<Self> {
        let spec = game.parse::<GameSpec>().map_err(Raise::raise)?;
        let none = || PyFileNotFoundError::new_err(format!("there is no opening book of {spec}"));
        let GameSpec::Kalah(kalah) = spec else {
            return Err(none());
        };
        let found = py.detach(|| opening_book(kalah, data_home().as_deref()));
        let (book, place) = found.map_err(Raise::raise)?.ok_or_else(none)?;
        Ok(PyBook { book, place })
    }

    /// The game it is for.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Book.open("kalah:6x4").game
    /// 'kalah:6x4:standard'
    #[getter]
    fn game(&self) -> String {
        self.book.game().to_string()
    }

    /// How many moves it reaches from the start.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Book.open("kalah:6x4").plies > 0
    /// True
    #[getter]
    fn plies(&self) -> u32 {
        self.book.plies()
    }

    /// How many positions are in it.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Book.open("kalah:6x4").positions > 0
    /// True
    #[getter]
    fn positions(&self) -> usize {
        self.book.positions()
    }

    /// The file, or None if it comes with the package.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Book.open("kalah:6x4").file is None
    /// True
    #[getter]
    fn file(&self) -> Option<PathBuf> {
        match &self.place {
            BookPlace::File(path) => Some(path.clone()),
            BookPlace::Shipped => None,
        }
    }

    /// The final margin of a position for the player to move, or None if it is not in the book.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Book.open("kalah:6x4").probe(kalahari.Game("kalah:6x4").start())
    /// 8
    fn probe(&self, position: &PyPosition) -> Option<i32> {
        match (position.rules(), &position.position) {
            (AnyGame::KalahPacked(game), AnyPosition::KalahPacked(at)) => {
                self.book.final_margin(game, at)
            }
            _ => None,
        }
    }

    /// The final margin after each legal move, for the player who makes it, or None if they are not in the book.
    ///
    /// >>> import kalahari
    /// >>> dict(kalahari.Book.open("kalah:6x4").moves(kalahari.Game("kalah:6x4").start()))[2]
    /// 8
    fn moves(&self, position: &PyPosition) -> Option<Vec<(usize, i32)>> {
        match (position.rules(), &position.position) {
            (AnyGame::KalahPacked(game), AnyPosition::KalahPacked(at)) => {
                let moves = self.book.moves(game, at)?;
                Some(
                    moves
                        .into_iter()
                        .map(|(pit, value)| (pit.index(), value))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    fn __repr__(&self) -> String {
        format!("Book('{}', {} plies)", self.book.game(), self.book.plies())
    }
}
