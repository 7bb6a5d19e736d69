//! Memory for large arrays: if there is not enough, an error says so instead of ending Python.

use kalahari_storage::room_for;
use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;

/// There is no memory for something.
#[derive(Debug)]
pub(crate) struct NoSpace(String);

impl From<NoSpace> for PyErr {
    fn from(NoSpace(why): NoSpace) -> PyErr {
        PyMemoryError::new_err(why)
    }
}

/// Up to this many bytes are allocated without checking the free memory: the check takes longer than filling them.
const LITTLE: u64 = 1 << 22;

/// An empty vector with room for this many.
pub(crate) fn room<T>(count: usize) -> Result<Vec<T>, NoSpace> {
    let bytes = count as u128 * size_of::<T>() as u128;
    let wanted = u64::try_from(bytes).unwrap_or(u64::MAX);
    if wanted > LITTLE {
        room_for(wanted).map_err(|error| NoSpace(error.to_string()))?;
    }
    let mut room = Vec::new();
    room.try_reserve_exact(count)
        .map_err(|error| NoSpace(error.to_string()))?;
    Ok(room)
}

/// What comes out of an iterator of a known length.
pub(crate) fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, NoSpace> {
    let mut all = room(items.len())?;
    all.extend(items);
    Ok(all)
}

/// The same value this many times.
pub(crate) fn filled<T: Copy>(value: T, count: usize) -> Result<Vec<T>, NoSpace> {
    let mut all = room(count)?;
    all.resize(count, value);
    Ok(all)
}
