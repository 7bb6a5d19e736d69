"""Random choices for whole batches, by numpy's generators."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Batch

__all__ = ["random_actions"]


def random_actions(batch: Batch, rng: np.random.Generator) -> npt.NDArray[np.integer[Any]]:
    """A random legal action for every position of a batch, all equally likely; 0 where the game is over.

    >>> import kalahari, numpy
    >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 100)
    >>> rng = numpy.random.default_rng(1)
    >>> while not batch.is_over().all():
    ...     batch.advance(random_actions(batch, rng))
    >>> int(batch.outcomes().min()), int(batch.outcomes().max())
    (-1, 1)
    """
    if not isinstance(batch, Batch):
        raise TypeError(f"this must be a Batch, not {type(batch).__name__}")
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a generator such as numpy.random.default_rng(1), not {type(rng).__name__}")
    return batch.choose(rng.integers(0, 1 << 32, size=len(batch), dtype=np.uint32))
