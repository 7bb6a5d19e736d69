"""Hands tasks to an executor (Dask, `concurrent.futures`, or one with the same interface) until their source is done."""

from __future__ import annotations

import contextlib
import queue
import sys
import time
from asyncio import CancelledError as _AsyncCancelled
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Union

ATTEMPTS = 20
"""How often a shard whose worker was lost is tried again."""


class Future(Protocol):
    """The methods of a future that are used here."""

    def result(self) -> Any: ...
    def cancel(self) -> Any: ...
    def add_done_callback(self, fn: Callable[[Any], Any], /) -> Any: ...


class Executor(Protocol):
    """The method of an executor that is used here; Dask's `Client` has it, too."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any: ...


Executors = Union[Executor, Callable[[], Executor]]
Progress = Union[bool, Callable[[int, int], object]]


class Pool:
    """An executor that is made again when it breaks."""

    def __init__(self, given: Executors) -> None:
        self._make: Callable[[], Executor] | None = None
        self._own: Executor | None = None
        if hasattr(given, "submit"):
            self.executor: Executor = given
            if isinstance(given, ProcessPoolExecutor):
                workers, context = given._max_workers, getattr(given, "_mp_context", None)  # type: ignore[attr-defined]
                self._make = lambda: ProcessPoolExecutor(workers, mp_context=context)
        elif callable(given):
            self._make = given
            self.executor = self._own = given()
        if not hasattr(getattr(self, "executor", None), "submit"):
            raise TypeError(f"an executor must have `submit` or be a function that makes one, not {type(given).__name__}")
        # Without this, Dask would treat a shard that is handed out again as the task that has already failed.
        self._more: dict[str, Any] = {"pure": False} if hasattr(self.executor, "scheduler_info") else {}

    def submit(self, work: Callable[..., Any], *task: Any) -> Future:
        future: Future = self.executor.submit(work, *task, **self._more)
        return future

    def anew(self) -> bool:
        """Makes another executor, if that is possible; returns whether it was."""
        if self._make is None:
            return False
        self.close()
        self.executor = self._own = self._make()
        return True

    def close(self) -> None:
        """Closes an executor that was made here; one that was passed in belongs to the caller."""
        own, self._own = self._own, None
        for name in ("shutdown", "close"):
            end = getattr(own, name, None)
            if end is not None:
                with contextlib.suppress(Exception):
                    end(wait=False) if name == "shutdown" and isinstance(own, ProcessPoolExecutor) else end()
                return


def _is_lost(error: BaseException) -> bool:
    """Whether a worker was lost, rather than the work itself being wrong."""
    if isinstance(error, (BrokenExecutor, CancelledError, _AsyncCancelled, ConnectionError, EOFError, TimeoutError)):
        return True
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError", "ClosedClientError"})


class Bar:
    """Shows the progress."""

    def __init__(self, wanted: Progress, noun: str) -> None:
        self.wanted, self.noun, self.began, self.told = wanted, noun, time.monotonic(), 0.0

    def show(self, done: int, of: int) -> None:
        if callable(self.wanted):
            self.wanted(done, of)
        elif self.wanted:
            now = time.monotonic()
            screen = sys.stderr.isatty()
            if now - self.told < (0.2 if screen else 30.0) and done < of:
                return
            self.told = now
            line = f"{done} of {of} {self.noun}, {now - self.began:.0f} s"
            print(f"\r{line} " if screen else line, end="" if screen else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.wanted is True and sys.stderr.isatty():
            print(file=sys.stderr)


def _hand_over(finished: queue.SimpleQueue[tuple[Hashable, Future]], key: Hashable, future: Future) -> None:
    """Called by a finished future, in any thread."""
    finished.put((key, future))


class Source(Protocol):
    """Where tasks come from, and where their results go."""

    noun: str

    def wanted(self, pending: Mapping[Hashable, Future]) -> Iterable[tuple[Hashable, Callable[..., Any], tuple[Any, ...]]]:
        """The tasks to hand out now, besides those that are pending. A lost task is handed out again."""

    def take(self, key: Hashable, result: Any) -> None:
        """Takes the result of a task."""

    def is_done(self) -> bool: ...
    def standing(self) -> tuple[int, int]: ...


def drive(source: Source, executors: Executors, progress: Progress, wanted: Path | None = None) -> None:
    """Hands out what a source wants until it is done. Then the file `wanted` is removed, which stops tasks that are still running."""
    bar = Bar(progress, source.noun)
    bar.show(*source.standing())
    if source.is_done():
        return
    pool = Pool(executors)
    finished: queue.SimpleQueue[tuple[Hashable, Future]] = queue.SimpleQueue()
    pending: dict[Hashable, Future] = {}
    attempts: dict[Hashable, int] = {}
    try:
        while not source.is_done():
            for key, work, task in source.wanted(pending):
                try:
                    future = pool.submit(work, *task)
                except Exception as error:
                    if not (_is_lost(error) or isinstance(error, RuntimeError)):
                        raise
                    _lost(pool, pending, key, attempts, error)
                    break
                pending[key] = future
                future.add_done_callback(partial(_hand_over, finished, key))
            if not pending:
                continue
            key, future = finished.get()
            if pending.get(key) is not future:
                # It comes from an old pool, or the task was done twice.
                continue
            del pending[key]
            try:
                result = future.result()
            except (Exception, _AsyncCancelled) as error:
                if not _is_lost(error):
                    raise
                _lost(pool, pending, key, attempts, error)
                continue
            source.take(key, result)
            bar.show(*source.standing())
    finally:
        # The remaining tasks are not needed any more: a test has decided, or there was an error.
        if wanted is not None:
            wanted.unlink(missing_ok=True)
        for future in pending.values():
            with contextlib.suppress(Exception):
                future.cancel()
        pool.close()
        bar.end()


def _lost(pool: Pool, pending: dict[Hashable, Future], key: Hashable, attempts: dict[Hashable, int], error: BaseException) -> None:
    attempts[key] = attempts.get(key, 0) + 1
    if attempts[key] > ATTEMPTS:
        raise RuntimeError(f"task {key} was lost {ATTEMPTS} times; the same call continues with the rest") from error
    broken = isinstance(error, (BrokenExecutor, RuntimeError)) or getattr(pool.executor, "status", "running") in ("closed", "closing")
    if broken:
        if not pool.anew():
            raise RuntimeError("the executor has ended; the same call with a new one continues") from error
        pending.clear()
    else:
        time.sleep(min(0.1 * attempts[key], 2.0))
