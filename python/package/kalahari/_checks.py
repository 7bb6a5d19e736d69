"""Checks of arguments: a wrong type is a `TypeError`, a wrong value a `ValueError`, and the message names the argument."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ._native import Game, Position

MOST_THREADS = 1024
MOST_GAMES = 2**32 - 1
MOST_SEED = 2**64 - 1
LONGEST_PATH = 4096


def _shown(value: Any) -> str:
    """A value for a message, shortened if it is long."""
    try:
        text = repr(value)
    except Exception:
        # Python does not convert numbers of many thousand digits to text.
        return "what was given"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _kind(value: Any) -> str:
    return type(value).__name__


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, not {_kind(value)}")
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {_shown(value)}")
    return number


def whole_or_none(name: str, value: Any, least: int, most: int) -> int | None:
    """The same, or None."""
    return None if value is None else whole(name, value, least, most)


def number(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> float:
    """A number from `least` to `most`; infinity and NaN are refused."""
    if isinstance(value, (str, bytes, bool)):
        raise TypeError(f"{name} must be a number, not {_kind(value)}")
    try:
        found = float(value)
    except TypeError:
        raise TypeError(f"{name} must be a number, not {_kind(value)}") from None
    except (OverflowError, ValueError):
        found = math.nan
    if not (math.isfinite(found) and least <= found <= most):
        wanted = f" from {least:g} to {most:g}" if math.isfinite(most) else f" of at least {least:g}" if math.isfinite(least) else ""
        raise ValueError(f"{name} must be a number{wanted}, not {_shown(value)}")
    return found


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {_kind(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} is a text with half a surrogate pair in it, which cannot be written") from None
    return value


def text_or_none(name: str, value: Any) -> str | None:
    """A text or None."""
    return None if value is None else text(name, value)


def word(name: str, value: Any, words: Sequence[str]) -> str:
    """One of these words."""
    if text(name, value) not in words:
        raise ValueError(f"{name} must be {' or '.join(map(repr, words))}, not {_shown(value)}")
    return str(value)


def file(name: str, value: Any) -> Path:
    """A path."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} must be a path, not {_kind(value)}")
    path = os.fspath(value)
    if not isinstance(path, str):
        raise TypeError(f"{name} must be a path in text, not in {_kind(path)}")
    if not path:
        raise ValueError(f"{name} must be a path, not an empty text")
    if "\0" in path or len(path) > LONGEST_PATH:
        raise ValueError(f"{name} is not a path: {_shown(path)}")
    return Path(text(name, path))


def game(value: Any) -> Game:
    """A game, given as such or by its name."""
    if isinstance(value, Game):
        return value
    if not isinstance(value, str):
        raise TypeError(f"a game must be a Game or a name such as 'kalah:6x4', not {_kind(value)}")
    return Game(value)


def position(value: Any) -> Position:
    """A position."""
    if not isinstance(value, Position):
        raise TypeError(f"this must be a position, such as game.start(), not {_kind(value)}")
    return value


def positions(values: Any) -> list[Position]:
    """Some positions."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"positions must be given in a list, not {_kind(values)}")
    return [position(value) for value in values]


def function_or_none(name: str, value: Any) -> Any:
    """A function or None."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function, not {_kind(value)}")
    return value
