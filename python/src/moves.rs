//! Moves as Python has them: a number for a pit of Kalah, a text for a move of Isolation.

use crate::errors::Raise;
use crate::numbers::{is_whole, shown};
use kalahari_games::kalah::Pit;
use kalahari_games::{AnyGame, AnyMove, Game, GameKind};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString};

/// A move for Python.
pub(crate) fn to_python(py: Python<'_>, mv: AnyMove) -> Bound<'_, PyAny> {
    match mv {
        AnyMove::Kalah(pit) => PyInt::new(py, pit.index()).into_any(),
        AnyMove::Isolation(mv) => PyString::new(py, &mv.to_string()).into_any(),
    }
}

/// Moves for Python.
pub(crate) fn all_to_python(
    py: Python<'_>,
    moves: impl IntoIterator<Item = AnyMove>,
) -> PyResult<Bound<'_, PyList>> {
    let moves: Vec<_> = moves.into_iter().map(|mv| to_python(py, mv)).collect();
    PyList::new(py, moves)
}

/// A move from Python. It need not be legal.
pub(crate) fn from_python(game: &AnyGame, mv: &Bound<'_, PyAny>) -> PyResult<AnyMove> {
    if let Ok(text) = mv.cast::<PyString>() {
        return game.parse_move(text.to_str()?).map_err(Raise::raise);
    }
    match (is_whole(mv), game.spec().kind()) {
        (true, GameKind::Kalah) => match mv.extract::<u8>() {
            Ok(pit) => Ok(AnyMove::Kalah(Pit(pit))),
            // The reader says what is wrong with it.
            Err(_) => game.parse_move(&shown(mv)).map_err(Raise::raise),
        },
        (_, kind) => {
            let wanted = match kind {
                GameKind::Kalah => "a pit's number such as 2",
                GameKind::Isolation => "a text such as 'c4'",
            };
            let got = mv.get_type().name()?;
            let message = format!("a move of {} is {wanted}, not {got}", game.spec());
            Err(PyTypeError::new_err(message))
        }
    }
}
