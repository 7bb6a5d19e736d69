"""Positions with labels, for training and for whoever studies them."""

from __future__ import annotations

import os
from typing import Any, TypedDict

from . import _native
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
    """Positions with labels as a frame of pandas, or of polars with kind="polars"; no file lies in between.

    >>> table = dataset("kalah:6x4", rows=100, left=(4, 10))
    >>> len(table), bool(table["proven"].all())
    (100, True)
    >>> float((table["value"] - table.filter(regex="value_").max(axis=1)).abs().max())
    0.0

    The same arguments give the same rows as `kalahari dataset build`, whose columns they have (docs/data.md): the position,
    the houses as the mover sees them, its value, that of every move, a best move, and where it comes from.

    - `source`: "random" (as many positions of every number of seeds or cells left), "self-play" (games of the agent `play`,
      with a share of `random` moves and `opening` random ones first), or a store of games.
    - `label`: "exact" (proven, every move), or the agent whose search says what a position is worth, such as
      "engine:nodes=20000"; with `moves` it values every move.
    - `left` keeps positions with so many seeds in the pits, or free cells; exact labels of many take long.
    - `tablebase`: the seeds of the tablebase that is built for exact labels.
    """
    asked = _asked(
        game,
        rows,
        threads or os.cpu_count() or 1,
        source=os.fspath(source),
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
    """As the compiled part takes it."""
    for name, number in (("rows", rows), ("seed", seed)):
        if number is not None and not 0 <= number < 2**64:
            raise ValueError(f"{name} is from 0 to 2**64 - 1, not {number}")
    return {
        "game": Game(game) if isinstance(game, str) else game,
        "rows": rows,
        "source": source,
        "label": label,
        "left": left,
        "play": play,
        "random": random,
        "opening": opening,
        "moves": moves,
        "tablebase": tablebase,
        "seed": seed,
        "threads": threads,
    }
