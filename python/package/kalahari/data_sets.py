"""Labelled positions, for training and for study."""

from __future__ import annotations

import os
from typing import Any, TypedDict

from . import _checks, _native
from ._frames import columns
from ._native import Game

__all__ = ["dataset"]


def dataset(
    game: Game | str,
    rows: int | None = None,
    *,
    source: str | os.PathLike[str] = "random",
    label: str = "exact",
    left: tuple[int, int] | None = None,
    play: str | None = None,
    random: float = 0.25,
    opening: int = 0,
    moves: bool = False,
    tablebase: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    kind: str | None = None,
) -> Any:
    """A table of positions with their values, made by pandas, or by polars with kind="polars". No file is written.

    >>> table = dataset("kalah:6x4", rows=100, left=(4, 10))
    >>> len(table), bool(table["proven"].all())
    (100, True)
    >>> float((table["value"] - table.filter(regex="value_").max(axis=1)).abs().max())
    0.0

    A row has the position, the board as the player to move sees it, its value, the value of every move, a best move, and where it
    comes from. The program makes the same rows with `kalahari dataset build`. Ctrl-C stops it.

    - `source`: where positions come from: "random" (the same number for every number of seeds or free cells left), "self-play"
      (games of the agent `play` against itself, with a share of `random` moves, after `opening` random moves), or a file of
      games that `match` has written with `db=`.
    - `label`: where values come from: "exact" (proven, for every move), or an agent that searches, such as "engine:nodes=20000".
      With `moves=True` the agent searches every move.
    - `left=(least, most)`: keeps only positions with this many seeds in the pits, or free cells. Exact values of full boards take long.
    - `tablebase`: the seeds of the tablebase that is built for exact values.
    - `seed` decides all random choices, and `threads` is how many positions are worked on at once.
    """
    asked = _asked(
        game,
        rows,
        _checks.whole_or_none("threads", threads, 1, _checks.MOST_THREADS) or os.cpu_count() or 1,
        source=source if isinstance(source, str) else str(_checks.file("source", source)),
        label=label,
        left=left,
        play=play,
        random=random,
        opening=opening,
        moves=moves,
        tablebase=tablebase,
        seed=seed,
    )
    return columns(_native.make_dataset(asked), kind)


class Recipe(TypedDict, total=False):
    """What rows depend on besides their game: see `dataset`."""

    source: str
    label: str
    left: tuple[int, int] | None
    play: str | None
    random: float
    opening: int
    moves: bool
    tablebase: int | None
    seed: int


def _asked(
    game: Game | str,
    rows: int | None,
    threads: int,
    *,
    source: str,
    label: str,
    left: tuple[int, int] | None = None,
    play: str | None = None,
    random: float = 0.25,
    opening: int = 0,
    moves: bool = False,
    tablebase: int | None = None,
    seed: int = 1,
) -> dict[str, Any]:
    """In the form that the compiled part takes."""
    if left is not None and not (isinstance(left, (tuple, list)) and len(left) == 2):
        raise ValueError("left must be a pair of numbers, the least and the most, such as (4, 20)")
    return {
        "game": _checks.game(game),
        "rows": _checks.whole_or_none("rows", rows, 0, 2**64 - 1),
        "source": _checks.text("source", source),
        "label": _checks.text("label", label),
        "left": None if left is None else tuple(_checks.whole("left", number, 0, 10_000) for number in left),
        "play": _checks.text_or_none("play", play),
        "random": _checks.number("random", random, 0, 1),
        "opening": _checks.whole("opening", opening, 0, 10_000),
        "moves": bool(moves),
        "tablebase": _checks.whole_or_none("tablebase", tablebase, 0, 100),
        "seed": _checks.whole("seed", seed, 0, _checks.MOST_SEED),
        "threads": threads,
    }
