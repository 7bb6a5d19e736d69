//! Numbers from Python. Messages about wrong, too large or too small ones name the argument.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::ops::RangeInclusive;

/// A number as it was given, for messages.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 40;
    match value.str().map(|text| text.to_string()) {
        Ok(text) if text.chars().count() <= LONGEST => text,
        // Python does not convert numbers of many thousand digits to text.
        _ => "a number that long".to_owned(),
    }
}

/// Whether it is a whole number of any kind, also one of numpy. To Python, `True` is a whole number, too, but it is not accepted here.
pub(crate) fn is_whole(value: &Bound<'_, PyAny>) -> bool {
    !value.is_instance_of::<PyBool>()
        && (value.extract::<i64>().is_ok() || value.is_instance_of::<pyo3::types::PyInt>())
}

/// A whole number within a range.
pub(crate) fn whole<T>(
    name: &str,
    value: &Bound<'_, PyAny>,
    range: RangeInclusive<T>,
) -> PyResult<T>
where
    T: Copy + PartialOrd + std::fmt::Display + for<'a, 'py> FromPyObject<'a, 'py>,
{
    if !is_whole(value) && value.extract::<u64>().is_err() {
        let got = value.get_type().name()?;
        let message = format!("{name} must be a whole number, not {got}");
        return Err(PyTypeError::new_err(message));
    }
    match value.extract::<T>() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = (range.start(), range.end());
            Err(PyValueError::new_err(format!(
                "{name} must be from {least} to {most}, not {}",
                shown(value)
            )))
        }
    }
}

/// Like [`whole`], for an optional argument.
pub(crate) fn whole_if<T>(
    name: &str,
    value: Option<&Bound<'_, PyAny>>,
    range: RangeInclusive<T>,
) -> PyResult<Option<T>>
where
    T: Copy + PartialOrd + std::fmt::Display + for<'a, 'py> FromPyObject<'a, 'py>,
{
    value.map(|value| whole(name, value, range)).transpose()
}
