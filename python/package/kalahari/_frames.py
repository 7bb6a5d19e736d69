"""Rows as a frame of pandas or polars, whichever is installed."""

from __future__ import annotations

from typing import Any

from . import _checks


def frame(rows: list[dict[str, Any]], kind: str | None = None) -> Any:
    """A frame of rows: of pandas, or of polars if only that is installed or the caller asks for it."""
    return _frame(rows, kind)


def columns(named: dict[str, Any], kind: str | None = None) -> Any:
    """A frame of columns with names."""
    return _frame(named, kind)


def _frame(content: Any, kind: str | None) -> Any:
    if kind is not None:
        _checks.word("kind", kind, ("pandas", "polars"))
    if kind != "polars":
        try:
            import pandas
        except ImportError:
            if kind == "pandas":
                raise
        else:
            return pandas.DataFrame(content)
    try:
        import polars
    except ImportError as error:
        raise ImportError("frames need pandas or polars: pip install pandas") from error
    return polars.DataFrame(content, infer_schema_length=None)
