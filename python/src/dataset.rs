//! Positions with labels, as columns.

use crate::errors::{Raise, said};
use crate::games::PyGame;
use crate::interrupt::interruptible;
use kalahari_agents::AgentSpec;
use kalahari_dataset::{
    Build, Column, DatasetError, Format, Labels, MOST_ROWS, Range, Recipe, RecipeError, Share,
    Source, StoredGames, collect,
};
use kalahari_games::{Game, GameSpec};
use kalahari_terms::Stop;
use numpy::PyArray1;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::Path;
use std::sync::Arc;

/// What a dataset is made of, as Python asks for it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    game: Py<PyGame>,
    rows: Option<u64>,
    source: String,
    label: String,
    left: Option<(u32, u32)>,
    play: Option<String>,
    random: f64,
    opening: u32,
    moves: bool,
    tablebase: Option<usize>,
    seed: u64,
    threads: usize,
}

/// The seeds of the largest tablebase that is built without being asked for: it takes a second.
const SMALL_TABLEBASE: u32 = 14;

impl Asked {
    /// How many rows are wanted, if a number is given.
    pub(crate) fn wanted_rows(&self) -> Option<u64> {
        self.rows
    }

    pub(crate) fn recipe(&self, store: Option<&StoredGames>) -> PyResult<Recipe> {
        let game = self.game.get().game.spec();
        let left = match self.left {
            Some((least, most)) => {
                let range = format!("{least}..{most}").parse::<Range>();
                range.map_err(Raise::raise)?
            }
            None => Range::of_game(game),
        };
        let agent = |spec: &str| spec.parse::<AgentSpec>().map_err(Raise::raise);
        let labels = match self.label.as_str() {
            "exact" => Labels::Exact {
                tablebase: match (self.tablebase, game) {
                    (Some(seeds), _) => seeds,
                    (None, GameSpec::Kalah(_)) => left.most.min(SMALL_TABLEBASE) as usize,
                    (None, GameSpec::Isolation(_)) => 0,
                },
            },
            spec => Labels::Search {
                agent: agent(spec)?,
                moves: self.moves,
            },
        };
        let source = match (store, self.source.as_str()) {
            (Some(store), _) => store.source().clone(),
            (None, "random") => Source::Random,
            (None, _) => {
                let usual = match self.label.as_str() {
                    "exact" => "engine:nodes=2000,hash=4",
                    agent => agent,
                };
                Source::SelfPlay {
                    player: agent(self.play.as_deref().unwrap_or(usual))?,
                    random: self
                        .random
                        .to_string()
                        .parse::<Share>()
                        .map_err(Raise::raise)?,
                    opening: self.opening,
                }
            }
        };
        Ok(Recipe {
            game,
            source,
            labels,
            left,
            rows_per_shard: self.rows.unwrap_or(MOST_ROWS).clamp(1, MOST_ROWS),
            rng_seed: self.seed,
            format: Format::Parquet,
        })
    }
}

impl Raise for RecipeError {
    fn raise(self) -> PyErr {
        PyValueError::new_err(said(&self))
    }
}

impl Raise for DatasetError {
    fn raise(self) -> PyErr {
        match self {
            DatasetError::File(error) => error.raise(),
            DatasetError::Agent(error) => error.raise(),
            DatasetError::Failed { failure, .. } => failure.raise(),
            DatasetError::Prover(error) => error.raise(),
            DatasetError::Arena(error) => error.raise(),
            DatasetError::Other { .. } => PyOSError::new_err(said(&self)),
            _ => PyValueError::new_err(said(&self)),
        }
    }
}

/// A column: an array, or a list where values are texts, lists, or missing.
fn column<'py>(py: Python<'py>, column: Column) -> PyResult<Bound<'py, PyAny>> {
    Ok(match column {
        Column::Numbers(values) => PyArray1::from_vec(py, values).into_any(),
        Column::Longs(values) => match values.iter().copied().collect::<Option<Vec<u64>>>() {
            Some(values) => PyArray1::from_vec(py, values).into_any(),
            None => PyList::new(py, values)?.into_any(),
        },
        Column::Reals(values) => {
            let values: Vec<f32> = values
                .iter()
                .map(|value| value.unwrap_or(f32::NAN))
                .collect();
            PyArray1::from_vec(py, values).into_any()
        }
        Column::Flags(values) => PyArray1::from_vec(py, values).into_any(),
        Column::Texts(values) => PyList::new(py, values)?.into_any(),
        Column::TextLists(values) => PyList::new(py, values)?.into_any(),
        Column::RealLists(values) => PyList::new(py, values)?.into_any(),
    })
}

/// Makes positions with labels; see `kalahari.dataset`. Returns columns by name.
#[pyfunction]
pub(crate) fn make_dataset<'py>(
    py: Python<'py>,
    asked: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let asked: Asked = asked.extract()?;
    let game = asked.game.get().game.spec();
    let store = match asked.source.as_str() {
        "random" | "self-play" => None,
        file => {
            let read = py.detach(|| StoredGames::read(Path::new(file), game));
            Some(read.map_err(Raise::raise)?)
        }
    };
    if store.is_none() && asked.rows.is_none() {
        return Err(PyValueError::new_err("how many rows? say so with rows="));
    }
    let recipe = asked.recipe(store.as_ref())?;
    let stop = Stop::new();
    let columns = interruptible(py, &stop, || {
        let build = Build {
            recipe,
            folder: Path::new(""),
            rows: asked.rows,
            store: store.as_ref(),
            threads: asked.threads.max(1),
            mix: false,
        };
        collect(&build, &stop, Arc::new(|_| {}))
    })?;
    let named = PyDict::new(py);
    for (name, values) in columns.map_err(Raise::raise)? {
        named.set_item(name, column(py, values)?)?;
    }
    Ok(named)
}
