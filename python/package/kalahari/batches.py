"""Choices for whole batches, in numpy."""

from __future__ import annotations

from functools import lru_cache
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Batch

__all__ = ["random_actions"]

_FEW = 8
"""Games of at most so many actions have a table of all masks."""


@lru_cache(maxsize=_FEW + 1)
def _table(actions: int) -> npt.NDArray[np.uint8]:
    """For every set of actions, a row in which each of them stands equally often."""
    width = lcm(*range(1, actions + 1))
    table = np.zeros((1 << actions, width), dtype=np.uint8)
    for bits in range(1, 1 << actions):
        legal = [action for action in range(actions) if bits >> action & 1]
        table[bits] = np.tile(np.array(legal, dtype=np.uint8), width // len(legal))
    return table


def random_actions(batch: Batch, rng: np.random.Generator) -> npt.NDArray[np.integer[Any]]:
    """A legal action for every position, all equally likely; 0 where the game is over.

    >>> import kalahari, numpy
    >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 100)
    >>> rng = numpy.random.default_rng(1)
    >>> while not batch.is_over().all():
    ...     batch.advance(random_actions(batch, rng))
    >>> int(batch.outcomes().min()), int(batch.outcomes().max())
    (-1, 1)
    """
    actions = batch.game.num_actions
    if actions <= _FEW:
        table = _table(actions)
        width = table.shape[1]
        small = np.min_scalar_type(table.size)
        places = rng.integers(0, width, size=len(batch), dtype=small)
        places += np.multiply(batch.legal_bits(), width, dtype=small)
        chosen: npt.NDArray[np.integer[Any]] = table.ravel().take(places)
        return chosen
    masks = batch.legal_masks()
    counts = masks.sum(axis=1)
    # The place of the chosen one among the legal ones, from 1 on.
    nth = rng.integers(0, np.maximum(counts, 1)) + 1
    found: npt.NDArray[np.integer[Any]] = np.argmax(np.cumsum(masks, axis=1) == nth[:, None], axis=1)
    return found
