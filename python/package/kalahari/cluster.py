"""Experiments on more than one machine: Dask, and everything else that looks like `concurrent.futures`.

>>> from concurrent.futures import ThreadPoolExecutor
>>> import kalahari.cluster, tempfile
>>> folder = tempfile.mkdtemp()
>>> with ThreadPoolExecutor(2) as executor:
...     result = kalahari.cluster.match("level:1", "random", executor, game="kalah:4x3", games=20, db=folder + "/games.db")
>>> result.games
20

An experiment is cut into shards, which are tasks. A shard is a function of the plan and its number, so that it does not matter who
does it, how often, and who dies on the way. Files of finished shards come back to one writer: it keeps them in a folder and joins
them with the store, which has each game once. The same call goes on where an earlier one ended.

`executor` is a `dask.distributed.Client`, an `Executor` of `concurrent.futures` or `mpi4py.futures`, or a function without arguments
that makes one. A pool of processes breaks for good when one of its processes is killed; then a new one is made.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from asyncio import CancelledError as _AsyncCancelled
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Union

from . import _native
from ._native import Agent, Game, Limits
from .arena import MatchResult, Openings, Tournament, _Conditions, _test
from .arena import match as _play_match
from .arena import tournament as _play_tournament
from .data_sets import _asked

__all__ = ["dataset", "match", "run", "tournament"]

PARTS_A_SHARD = 50
"""Pairs of games in a shard, unless told otherwise."""

ATTEMPTS = 20
"""How often a shard is tried again whose worker was lost."""


class Future(Protocol):
    """What is asked of a future."""

    def result(self) -> Any: ...
    def cancel(self) -> Any: ...
    def add_done_callback(self, fn: Callable[[Any], Any], /) -> Any: ...


class Executor(Protocol):
    """What is asked of an executor: Dask's `Client` has it, too."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any: ...


Executors = Union[Executor, Callable[[], Executor]]
Progress = Union[bool, Callable[[int, int], object]]
Spec = Union[str, Agent]


def _work(plan: str, shard: int, shards: int, threads: int, folder: str | None) -> dict[str, bytes]:
    """Does a shard and gives its files: a task."""
    if folder is not None and os.path.isdir(folder):
        # What the plan names, such as bots, is seen from the experiment's folder.
        os.chdir(folder)
    with tempfile.TemporaryDirectory(prefix="kalahari-") as scratch:
        files = _native.make_shard(plan, shard, shards, Path(scratch), threads)
        return {os.path.relpath(file, scratch): Path(file).read_bytes() for file in files}


class _Pool:
    """An executor that is made anew when it breaks."""

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
        else:
            raise TypeError("an executor has `submit`, or is a function that makes one")
        # Dask would take two shards that are asked for twice for one task, which failed.
        self._more: dict[str, Any] = {"pure": False} if hasattr(self.executor, "scheduler_info") else {}

    def submit(self, *task: Any) -> Future:
        future: Future = self.executor.submit(_work, *task, **self._more)
        return future

    def anew(self) -> bool:
        """Makes another one, if that is possible."""
        if self._make is None:
            return False
        self.close()
        self.executor = self._own = self._make()
        return True

    def close(self) -> None:
        """Lets go of what was made here; what was given is its owner's."""
        own, self._own = self._own, None
        for name in ("shutdown", "close"):
            end = getattr(own, name, None)
            if end is not None:
                with contextlib.suppress(Exception):
                    end(wait=False) if name == "shutdown" and isinstance(own, ProcessPoolExecutor) else end()
                return


def _is_lost(error: BaseException) -> bool:
    """Whether a worker was lost, and not the work itself is wrong."""
    if isinstance(error, (BrokenExecutor, CancelledError, _AsyncCancelled, ConnectionError, EOFError, TimeoutError)):
        return True
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError", "ClosedClientError"})


def _save(folder: Path, files: dict[str, bytes]) -> Path:
    """Writes the files of a shard, each whole or not at all; the one that names the others comes last."""
    last = folder
    for name, content in files.items():
        last = folder / name
        last.parent.mkdir(parents=True, exist_ok=True)
        draft = last.with_name(f".{last.name}.{os.getpid()}.draft")
        with open(draft, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, last)
    return last


class _Bar:
    """Says how far it is."""

    def __init__(self, wanted: Progress, shards: int) -> None:
        self.wanted, self.shards, self.began, self.told = wanted, shards, time.monotonic(), 0.0

    def show(self, done: int) -> None:
        if callable(self.wanted):
            self.wanted(done, self.shards)
        elif self.wanted:
            now = time.monotonic()
            screen = sys.stderr.isatty()
            if now - self.told < (0.2 if screen else 30.0) and done < self.shards:
                return
            self.told = now
            line = f"{done} of {self.shards} shards, {now - self.began:.0f} s"
            print(f"\r{line} " if screen else line, end="" if screen else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.wanted is True and sys.stderr.isatty():
            print(file=sys.stderr)


def _hand_over(finished: queue.SimpleQueue[tuple[int, Future]], shard: int, future: Future) -> None:
    """What a finished future calls, in whatever thread."""
    finished.put((shard, future))


class _Driver:
    """Hands out the shards of a plan and joins what comes back."""

    def __init__(self, plan: str, shards: int, folder: Path, writer: _native.ShardWriter, *, horizon: int, threads: int, place: str | None) -> None:
        self.plan, self.shards, self.folder, self.writer = plan, shards, folder, writer
        self.horizon, self.threads, self.place = horizon, threads, place
        self.done: set[int] = set()

    def take_up(self) -> None:
        """Joins what an earlier call has kept."""
        for shard in range(self.shards):
            file = self.folder / _native.shard_file(shard, self.shards)
            if file.exists():
                try:
                    self.writer.add([file])
                    self.done.add(shard)
                except OSError as error:
                    print(f"kalahari: {error} (it is made again)", file=sys.stderr)

    def run(self, executors: Executors, progress: Progress) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.take_up()
        bar = _Bar(progress, self.shards)
        bar.show(len(self.done))
        pool = _Pool(executors)
        try:
            self._run(pool, bar)
        finally:
            pool.close()
            bar.end()

    def _run(self, pool: _Pool, bar: _Bar) -> None:
        finished: queue.SimpleQueue[tuple[int, Future]] = queue.SimpleQueue()
        pending: dict[int, Future] = {}
        attempts: dict[int, int] = {}
        first = 0
        try:
            while True:
                while first < self.shards and first in self.done:
                    first += 1
                if first == self.shards or self.writer.decision()[0] is not None:
                    return
                for shard in range(first, min(first + self.horizon, self.shards)):
                    if shard in self.done or shard in pending:
                        continue
                    try:
                        future = pool.submit(self.plan, shard, self.shards, self.threads, self.place)
                    except Exception as error:
                        if not (_is_lost(error) or isinstance(error, RuntimeError)):
                            raise
                        self._lost(pool, pending, shard, attempts, error)
                        break
                    pending[shard] = future
                    future.add_done_callback(partial(_hand_over, finished, shard))
                if not pending:
                    continue
                shard, future = finished.get()
                if pending.get(shard) is not future:
                    # Of a pool that is gone, or done twice.
                    continue
                del pending[shard]
                try:
                    files = future.result()
                except (Exception, _AsyncCancelled) as error:
                    if not _is_lost(error):
                        raise
                    self._lost(pool, pending, shard, attempts, error)
                    continue
                self.writer.add([_save(self.folder, files)])
                self.done.add(shard)
                bar.show(len(self.done))
        finally:
            # What is not needed any more: a test has decided, or something is wrong.
            for future in pending.values():
                with contextlib.suppress(Exception):
                    future.cancel()

    def _lost(self, pool: _Pool, pending: dict[int, Future], shard: int, attempts: dict[int, int], error: BaseException) -> None:
        attempts[shard] = attempts.get(shard, 0) + 1
        if attempts[shard] > ATTEMPTS:
            raise RuntimeError(f"shard {shard} was lost {ATTEMPTS} times; the same call goes on with the rest") from error
        broken = isinstance(error, (BrokenExecutor, RuntimeError)) or getattr(pool.executor, "status", "running") in ("closed", "closing")
        if broken:
            if not pool.anew():
                raise RuntimeError("the executor has ended; the same call with a new one goes on") from error
            pending.clear()
        elif not isinstance(error, BrokenExecutor):
            time.sleep(min(0.1 * attempts[shard], 2.0))


def _shards(plan: str, shards: int | None) -> int:
    parts, games, _, _ = _native.plan_parts(plan)
    usual = -(-parts // PARTS_A_SHARD) if games else parts
    return max(1, min(shards if shards is not None else usual, parts))


def _drive(
    plan: str,
    executor: Executors,
    *,
    shards: int | None,
    folder: Path,
    writer: _native.ShardWriter,
    horizon: int,
    threads: int,
    progress: Progress,
    place: str | None = None,
) -> None:
    names_files = _native.plan_parts(plan)[3]
    driver = _Driver(
        plan,
        _shards(plan, shards),
        folder,
        writer,
        horizon=max(1, horizon),
        threads=threads,
        place=place if names_files else None,
    )
    driver.run(executor, progress)


def _folder(given: str | os.PathLike[str] | None, target: str | os.PathLike[str]) -> Path:
    return Path(given) if given is not None else Path(f"{os.fspath(target)}.shards")


def _specs(agents: Sequence[Spec]) -> list[Agent]:
    for agent in agents:
        if not isinstance(agent, (str, Agent)):
            raise TypeError(
                f"{agent!r} lives in this process only; on a cluster an agent is a spec, such as 'engine:depth=6' or 'py:bot.py'"
            )
    return [agent if isinstance(agent, Agent) else Agent(agent) for agent in agents]


def match(
    a: Spec,
    b: Spec,
    executor: Executors,
    *,
    db: str | os.PathLike[str],
    game: Game | str = "kalah:6x6",
    games: int = 100,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | str | None = None,
    clock: str | None = None,
    openings: Openings | None = None,
    seed: int = 1,
    sprt: tuple[float, ...] | None = None,
    model: str = "logistic",
    adjudicate: str = "never",
    grace: float = 0.2,
    shards: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    horizon: int = 1000,
    threads: int = 1,
    progress: Progress = False,
) -> MatchResult:
    """As `kalahari.match`, with its games played by the workers of `executor` and joined in the store `db`.

    `shards` pieces (50 pairs each if left out), whose files are kept in `folder`; `threads` for each. No more than `horizon` of them
    are handed out ahead of the first that is not finished. With `sprt` the test looks at the pairs in the order of their numbers,
    as it does on one machine, and what is not needed any more is cancelled; a small `horizon` wastes less.
    """
    first, second = _specs((a, b))
    limits = Limits(depth=depth, nodes=nodes, time=time)
    conditions = _Conditions(game, games, limits, clock, grace, adjudicate, openings, seed, 1, False, "raise", None, False, None)
    plan, repeatable = _native.plan_match((first, second), conditions.settings(os.cpu_count() or 1))
    writer = _native.ShardWriter(plan, Path(db), None, sprt=_test(sprt), model=model, repeatable=repeatable)
    _drive(
        plan, executor, shards=shards, folder=_folder(folder, db), writer=writer, horizon=horizon, threads=threads, progress=progress
    )
    # All games are there: this one only counts them.
    return _play_match(
        a, b, game=game, games=games, depth=depth, nodes=nodes, time=time, clock=clock, openings=openings, seed=seed, sprt=sprt,
        model=model, adjudicate=adjudicate, grace=grace, db=db,
    )  # fmt: skip


def tournament(
    agents: Sequence[Spec],
    executor: Executors,
    *,
    db: str | os.PathLike[str],
    game: Game | str = "kalah:6x6",
    games: int = 20,
    schedule: str = "round-robin",
    depth: int | None = None,
    nodes: int | None = None,
    time: float | str | None = None,
    clock: str | None = None,
    openings: Openings | None = None,
    seed: int = 1,
    adjudicate: str = "never",
    grace: float = 0.2,
    shards: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    horizon: int = 1000,
    threads: int = 1,
    progress: Progress = False,
) -> Tournament:
    """As `kalahari.tournament`, on the workers of `executor`; see `match`. A Swiss tournament cannot be cut into shards."""
    players = _specs(agents)
    limits = Limits(depth=depth, nodes=nodes, time=time)
    conditions = _Conditions(game, games, limits, clock, grace, adjudicate, openings, seed, 1, False, "raise", None, False, None)
    plan = _native.plan_tournament(players, conditions.settings(os.cpu_count() or 1), schedule=schedule)
    writer = _native.ShardWriter(plan, Path(db))
    _drive(
        plan, executor, shards=shards, folder=_folder(folder, db), writer=writer, horizon=horizon, threads=threads, progress=progress
    )
    return _play_tournament(
        agents, game=game, games=games, schedule=schedule, depth=depth, nodes=nodes, time=time, clock=clock, openings=openings,
        seed=seed, adjudicate=adjudicate, grace=grace, db=db,
    )  # fmt: skip


def dataset(
    game: Game | str,
    executor: Executors,
    *,
    out: str | os.PathLike[str],
    rows: int,
    rows_per_file: int = 20_000,
    source: str = "self-play",
    label: str = "engine:nodes=20000",
    left: tuple[int, int] | None = None,
    play: str | None = None,
    random: float = 0.25,
    opening: int = 0,
    moves: bool = False,
    tablebase: int | None = None,
    seed: int = 1,
    shards: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    horizon: int = 1000,
    threads: int = 1,
    progress: Progress = False,
) -> Path:
    """As `kalahari dataset build`: positions with labels as Parquet files in the folder `out`, made by the workers of `executor`.

    Every file is a shard of its own unless `shards` says otherwise. `source` is "self-play" or "random"; gives `out`.
    """
    if source not in ("self-play", "random"):
        raise ValueError(f"rows of shards come from self-play or random, not from {source!r}")
    asked = _asked(game, rows, source, label, left, play, random, opening, moves, tablebase, seed, 1)
    plan = _native.plan_dataset(asked, rows_per_file)
    writer = _native.ShardWriter(plan, None, Path(out))
    _drive(
        plan, executor, shards=shards, folder=_folder(folder, out), writer=writer, horizon=horizon, threads=threads, progress=progress
    )
    return Path(out)


def run(
    experiment: str | os.PathLike[str],
    executor: Executors,
    *,
    db: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    shards: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    horizon: int = 1000,
    threads: int = 1,
    progress: Progress = True,
    program: str | os.PathLike[str] | None = None,
) -> Path:
    """Runs an experiment's matches, tournaments and datasets on the workers of `executor`: games go into the store `db`, rows into the
    folder `out`. Gives the folder of the shards.

    The program `kalahari`, which reads experiments, is needed here, but not where the workers are. `program` says where it is, if
    it is not on the path. `kalahari run EXPERIMENT` afterwards finds all games in its store, and reports.
    """
    file = Path(experiment).resolve()
    found = program or os.environ.get("KALAHARI") or shutil.which("kalahari")
    if found is None:
        raise FileNotFoundError("there is no program kalahari here, which reads experiments; program= says where it is")
    said = subprocess.run([os.fspath(found), "shards", "plan", str(file), "--json"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise ValueError(said.stderr.strip() or f"{file} is no experiment")
    planned = json.loads(said.stdout)
    plan = json.dumps({"source": planned["source"], "plan": planned["plan"]})
    _, games, rows, _ = _native.plan_parts(plan)
    if games and db is None:
        raise ValueError("the experiment has games: db= says where they go")
    if rows and out is None:
        raise ValueError("the experiment has rows of a dataset: out= says where they go")
    kept = Path(folder) if folder is not None else file.with_suffix(".shards")
    writer = _native.ShardWriter(plan, Path(db) if games and db is not None else None, Path(out) if out is not None else None)
    _drive(
        plan,
        executor,
        shards=shards,
        folder=kept,
        writer=writer,
        horizon=horizon,
        threads=threads,
        progress=progress,
        place=str(file.parent),
    )
    return kept
