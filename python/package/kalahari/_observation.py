"""What a player sees of a position, as arrays for learning programs: the player's own side first."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _checks
from ._native import Game, Position

PLANES = 6
"""Planes of an Isolation board: free, own piece, other piece, own cells left, other cells left, blocked."""


def shape(game: Game) -> tuple[int, ...]:
    """The shape of an observation: houses, or rows by columns by planes.

    >>> shape(Game("kalah:6x4")), shape(Game("isolation:7x7:queen"))
    ((14,), (7, 7, 6))
    """
    if game.kind == "kalah":
        return (2 * game.size[0] + 2,)
    return (*game.size, PLANES)


def highest(game: Game) -> int:
    """The largest number in an observation."""
    if game.kind == "kalah":
        pits, seeds = game.size
        return 2 * pits * seeds
    return 1


def dtype(game: Game) -> type[np.signedinteger[Any]]:
    """The type of an observation's numbers."""
    return np.int16 if game.kind == "kalah" else np.int8


def observe(position: Position, player: int) -> npt.NDArray[np.signedinteger[Any]]:
    """The board as a player sees it.

    >>> position = Game("kalah:2x3").start().play(0)
    >>> position.text, observe(position, 1).tolist()
    ('0 4 1 4 3 0 1', [4, 3, 0, 0, 4, 1])
    """
    board = position.to_array()
    if position.game.kind == "kalah":
        return np.roll(board, len(board) // 2) if player == 1 else board
    planes = np.zeros((*board.shape, PLANES), dtype=np.int8)
    order = [0, 1, 2, 3, 4, 5] if player == 0 else [0, 2, 1, 4, 3, 5]
    for plane, code in enumerate(order):
        planes[..., plane] = board == code
    return planes


def reward(position: Position, player: int, kind: str) -> float:
    """What a finished game gives a player: 1, 0 or -1, or with kind "margin" the margin."""
    value = position.margin if kind == "margin" else position.outcome
    return float(value or 0) * (1 if player == 0 else -1)


def begin_at(game: Game, position: Position | None) -> Position:
    """Where a game begins: at its start, or at a position of the same game."""
    if position is None:
        return game.start()
    if _checks.position(position).game != game:
        raise ValueError(f"a position of {position.game!r} is not one of {game!r}")
    return position


def check_reward(kind: str) -> None:
    """Makes sure that the kind of reward exists."""
    _checks.word("rewards", kind, ("outcome", "margin"))
