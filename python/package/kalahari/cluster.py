"""Experiments on more than one machine, with Dask or anything else that works like `concurrent.futures`.

>>> from concurrent.futures import ThreadPoolExecutor
>>> import kalahari.cluster, tempfile
>>> folder = tempfile.mkdtemp()
>>> with ThreadPoolExecutor(2) as executor:
...     result = kalahari.cluster.match("level:1", "random", executor, game="kalah:4x3", games=20, db=folder + "/games.db")
>>> result.games
20

An experiment is cut into shards, which are tasks for workers. What a shard gives depends on its plan and number only, so it does not
matter which worker does it, how often, or whether a worker dies meanwhile. The files of finished shards come back here; they are
kept in a folder and joined with the store, which has each game once. The same call goes on where an earlier one stopped. Ctrl-C
stops the workers, too, if they see that folder.

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
import uuid
from asyncio import CancelledError as _AsyncCancelled
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Union

from . import _checks, _native
from ._native import Agent, Game
from .arena import MatchResult, Openings, Settings, Tournament, _Conditions, _test, opening_line
from .arena import match as _play_match
from .arena import tournament as _play_tournament
from .data_sets import Recipe, _asked

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Tuned", "dataset", "match", "prove", "run", "tournament", "tune"]

PARTS_A_SHARD = 50
"""Pairs of games, games to judge or positions in a shard, unless told otherwise. A file of rows or a job of a proof is a shard."""

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


def _work(plan: str, shard: int, shards: int, threads: int, folder: str | None, wanted: str | None = None) -> dict[str, bytes]:
    """Does a shard and gives its files: a task. Where the file `wanted` can be seen, it is done as long as that is there."""
    sees_it = wanted is not None and os.path.isdir(os.path.dirname(wanted))
    if wanted is not None and sees_it and not os.path.exists(wanted):
        raise RuntimeError("nobody wants this shard any more")
    if folder is not None and os.path.isdir(folder):
        # What the plan names, such as bots, is seen from the experiment's folder.
        os.chdir(folder)
    with tempfile.TemporaryDirectory(prefix="kalahari-") as scratch:
        files = _native.make_shard(plan, shard, shards, Path(scratch), threads, Path(wanted) if wanted is not None and sees_it else None)
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
        if not hasattr(getattr(self, "executor", None), "submit"):
            raise TypeError(f"an executor has `submit`, or is a function that makes one, but not {type(given).__name__}")
        # Dask would take two shards that are asked for twice for one task, which failed.
        self._more: dict[str, Any] = {"pure": False} if hasattr(self.executor, "scheduler_info") else {}

    def submit(self, work: Callable[..., Any], *task: Any) -> Future:
        future: Future = self.executor.submit(work, *task, **self._more)
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
    """What a finished future calls, in whatever thread."""
    finished.put((key, future))


class _Source(Protocol):
    """Where tasks come from, and where their results go."""

    noun: str

    def wanted(self, pending: Mapping[Hashable, Future]) -> Iterable[tuple[Hashable, Callable[..., Any], tuple[Any, ...]]]:
        """The tasks to hand out now, besides those that are pending. One that was lost is wanted again."""

    def take(self, key: Hashable, result: Any) -> None:
        """A result has come."""

    def is_done(self) -> bool: ...
    def standing(self) -> tuple[int, int]: ...


def _drive(source: _Source, executors: Executors, progress: Progress, wanted: Path | None = None) -> None:
    """Hands out what a source wants until it is done. Then the file `wanted` is removed, which stops what is still under way."""
    bar = _Bar(progress, source.noun)
    bar.show(*source.standing())
    if source.is_done():
        return
    pool = _Pool(executors)
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
                # Of a pool that is gone, or done twice.
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
        # What is not needed any more: a test has decided, or something is wrong.
        if wanted is not None:
            wanted.unlink(missing_ok=True)
        for future in pending.values():
            with contextlib.suppress(Exception):
                future.cancel()
        pool.close()
        bar.end()


def _lost(pool: _Pool, pending: dict[Hashable, Future], key: Hashable, attempts: dict[Hashable, int], error: BaseException) -> None:
    attempts[key] = attempts.get(key, 0) + 1
    if attempts[key] > ATTEMPTS:
        raise RuntimeError(f"task {key} was lost {ATTEMPTS} times; the same call goes on with the rest") from error
    broken = isinstance(error, (BrokenExecutor, RuntimeError)) or getattr(pool.executor, "status", "running") in ("closed", "closing")
    if broken:
        if not pool.anew():
            raise RuntimeError("the executor has ended; the same call with a new one goes on") from error
        pending.clear()
    else:
        time.sleep(min(0.1 * attempts[key], 2.0))


class Spread(TypedDict, total=False):
    """How work is spread over an executor; none of this changes what comes out."""

    shards: int | None
    folder: str | os.PathLike[str] | None
    horizon: int
    threads: int
    progress: Progress


class MatchOptions(Settings, Spread, total=False):
    """What `match` and `tournament` take."""


class DatasetOptions(Recipe, Spread, total=False):
    """What `dataset` takes."""


@dataclass(frozen=True)
class _Spread:
    """The same with what is usual, and the way from a plan to its target."""

    shards: int | None = None
    folder: str | os.PathLike[str] | None = None
    horizon: int = 1000
    threads: int = 1
    progress: Progress = False

    @staticmethod
    def split(options: Mapping[str, Any]) -> tuple[_Spread, dict[str, Any]]:
        """What is said of spreading, and the rest."""
        own = {name: value for name, value in options.items() if name in Spread.__annotations__}
        return _Spread(**own), {name: value for name, value in options.items() if name not in own}

    def __post_init__(self) -> None:
        _checks.whole_or_none("shards", self.shards, 1, 2**32 - 1)
        _checks.whole("horizon", self.horizon, 1, 2**32 - 1)
        _checks.whole("threads", self.threads, 1, _checks.MOST_THREADS)
        if self.folder is not None:
            _checks.file("folder", self.folder)

    def run(
        self,
        plan: str,
        executor: Executors,
        writer: _native.ShardWriter,
        target: str | os.PathLike[str],
        place: str | None = None,
    ) -> Path:
        """Does the shards of a plan; gives their folder, which is named after the target if nobody says."""
        folder = Path(self.folder) if self.folder is not None else Path(f"{os.fspath(target)}.shards")
        folder.mkdir(parents=True, exist_ok=True)
        about = _native.about_plan(plan)
        parts: int = about["parts"]
        is_large = about["rows"] or about["claims"]
        usual = parts if is_large else -(-parts // PARTS_A_SHARD)
        shards = max(1, min(self.shards if self.shards is not None else usual, parts))
        # Workers that see this file stop when it goes: with Ctrl-C, or when a test has decided.
        wanted = folder.resolve() / f".wanted-{uuid.uuid4()}"
        source = _Shards(
            plan, shards, folder, writer, self.horizon, self.threads, place if about["files"] else None, str(wanted)
        )
        source.take_up()
        wanted.touch()
        try:
            _drive(source, executor, self.progress, wanted)
        finally:
            wanted.unlink(missing_ok=True)
        return folder


@dataclass
class _Shards:
    """The shards of a plan: handed out in their order, no more than a horizon ahead of the first that is not finished."""

    plan: str
    shards: int
    folder: Path
    writer: _native.ShardWriter
    horizon: int
    threads: int
    place: str | None
    wanted_file: str
    noun: str = "shards"
    done: set[int] = field(default_factory=set)
    first: int = 0

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

    def wanted(self, pending: Mapping[Hashable, Future]) -> Iterator[tuple[Hashable, Callable[..., Any], tuple[Any, ...]]]:
        for shard in range(self.first, min(self.first + self.horizon, self.shards)):
            if shard not in self.done and shard not in pending:
                yield shard, _work, (self.plan, shard, self.shards, self.threads, self.place, self.wanted_file)

    def take(self, key: Hashable, result: Any) -> None:
        self.writer.add([_save(self.folder, result)])
        assert isinstance(key, int)
        self.done.add(key)

    def is_done(self) -> bool:
        while self.first < self.shards and self.first in self.done:
            self.first += 1
        return self.first == self.shards or self.writer.decision()[0] is not None

    def standing(self) -> tuple[int, int]:
        return len(self.done), self.shards


def _known(options: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Options, all of which have one of these names."""
    for name in options:
        if name not in names:
            raise TypeError(f"there is no option {name!r} on a cluster; there are {', '.join(sorted(names))}")
    return dict(options)


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
    sprt: tuple[float, ...] | None = None,
    model: str = "logistic",
    **options: Unpack[MatchOptions],
) -> MatchResult:
    """As `kalahari.match`, with its games played by the workers of `executor` and joined in the store `db`.

    Everything that games depend on is as there: `game`, `games`, `depth`, `nodes`, `time`, `clock`, `openings`, `seed`, `adjudicate` and
    `grace`. `shards` pieces (50 pairs each if left out), whose files are kept in `folder`; `threads` for each; `progress=True` draws a bar. No
    more than `horizon` of them are handed out ahead of the first that is not finished. With `sprt` the test looks at the pairs in the
    order of their numbers, as it does on one machine, and what is not needed any more is cancelled; a small `horizon` wastes less.
    """
    first, second = _specs((a, b))
    spread, settings = _Spread.split(_known(options, MatchOptions.__annotations__))
    store = _checks.file("db", db)
    conditions = _Conditions(**{"games": 100, **settings})
    plan, repeatable = _native.plan_match((first, second), conditions.settings(os.cpu_count() or 1))
    writer = _native.ShardWriter(plan, store, sprt=_test(sprt), model=model, repeatable=repeatable)
    spread.run(plan, executor, writer, db)
    # All games are there: this one only counts them.
    return _play_match(a, b, sprt=sprt, model=model, db=db, **settings)


def tournament(
    agents: Sequence[Spec],
    executor: Executors,
    *,
    db: str | os.PathLike[str],
    schedule: str = "round-robin",
    **options: Unpack[MatchOptions],
) -> Tournament:
    """As `kalahari.tournament`, on the workers of `executor`; see `match`. A Swiss tournament cannot be cut into shards."""
    players = _specs(agents)
    spread, settings = _Spread.split(_known(options, MatchOptions.__annotations__))
    store = _checks.file("db", db)
    conditions = _Conditions(**{"games": 20, **settings})
    plan = _native.plan_tournament(players, conditions.settings(os.cpu_count() or 1), schedule=schedule)
    spread.run(plan, executor, _native.ShardWriter(plan, store), db)
    return _play_tournament(agents, schedule=schedule, db=db, **settings)


def dataset(
    game: Game | str,
    executor: Executors,
    *,
    out: str | os.PathLike[str],
    rows: int,
    rows_per_file: int = 20_000,
    **options: Unpack[DatasetOptions],
) -> Path:
    """As `kalahari dataset build`: positions with labels as Parquet files in the folder `out`, made by the workers of `executor`.

    `source` is "self-play" (the usual one) or "random"; `label`, `left`, `play`, `random`, `opening`, `moves`, `tablebase` and `seed` are those
    of `kalahari.dataset`. Every file is a shard of its own unless `shards` says otherwise. Gives `out`.
    """
    spread, recipe = _Spread.split(_known(options, DatasetOptions.__annotations__))
    folder = _checks.file("out", out)
    recipe = {"source": "self-play", "label": "engine:nodes=20000", **recipe}
    if recipe["source"] not in ("self-play", "random"):
        raise ValueError(f"rows of shards come from self-play or random, not from {recipe['source']!r}")
    rows_per_file = _checks.whole("rows_per_file", rows_per_file, 1, 2**64 - 1)
    plan = _native.plan_dataset(_asked(game, rows, 1, **recipe), rows_per_file)
    spread.run(plan, executor, _native.ShardWriter(plan, None, folder), out)
    return folder


def run(
    experiment: str | os.PathLike[str],
    executor: Executors,
    *,
    db: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    journal: str | os.PathLike[str] | None = None,
    judged: str | os.PathLike[str] | None = None,
    book: str | os.PathLike[str] | None = None,
    program: str | os.PathLike[str] | None = None,
    **options: Unpack[Spread],
) -> Path:
    """Runs an experiment on the workers of `executor`: games go into the store `db`, rows into the folder `out`, jobs of a proof into
    `journal`, judged games into `judged`, positions of an opening book into `book`. Gives the folder of the shards.

    The program `kalahari`, which reads experiments, is needed here, but not where the workers are. `program` says where it is, if
    it is not on the path. `kalahari run EXPERIMENT` afterwards finds all games in its store, and reports.
    """
    file = _checks.file("experiment", experiment).resolve()
    found = program or os.environ.get("KALAHARI") or shutil.which("kalahari")
    if found is None:
        raise FileNotFoundError("there is no program kalahari here, which reads experiments; program= says where it is")
    said = subprocess.run([os.fspath(found), "shards", "plan", str(file), "--json"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise ValueError(said.stderr.strip() or f"{file} is no experiment")
    planned = json.loads(said.stdout)
    plan = json.dumps({"source": planned["source"], "plan": planned["plan"]})
    about = _native.about_plan(plan)
    targets: list[Path | None] = []
    for kind, target, what in (
        ("games", db, "games: db="),
        ("rows", out, "rows of a dataset: out="),
        ("claims", journal, "jobs of a proof: journal="),
        ("reviews", judged, "games to judge: judged="),
        ("positions", book, "positions of a book: book="),
    ):
        if about[kind] and target is None:
            raise ValueError(f"the experiment has {what} says where they go")
        targets.append(Path(target) if about[kind] and target is not None else None)
    spread, _ = _Spread.split({"progress": True, **_known(options, Spread.__annotations__)})
    return spread.run(plan, executor, _native.ShardWriter(plan, *targets), file.with_suffix(""), str(file.parent))


class _Proof:
    """The jobs of a proof: the open ones are handed out, their bounds are joined as they come, and new ones follow from splits."""

    noun = "jobs"

    def __init__(self, board: _native.ProofBoard, journal: Path, horizon: int) -> None:
        self.board, self.journal, self.horizon, self.done = board, journal, horizon, 0
        self.plans: dict[Hashable, str] = {}

    def wanted(self, pending: Mapping[Hashable, Future]) -> Iterator[tuple[Hashable, Callable[..., Any], tuple[Any, ...]]]:
        if len(pending) >= self.horizon:
            return
        self.plans = {key: self.plans[key] for key in pending}
        room = self.horizon - len(pending)
        for key, plan in self.board.jobs(self.horizon):
            if room > 0 and key not in self.plans:
                self.plans[key], room = plan, room - 1
                yield key, _work, (plan, 0, 1, 1, None)

    def take(self, key: Hashable, result: Any) -> None:
        with tempfile.TemporaryDirectory(prefix="kalahari-") as scratch:
            _native.ShardWriter(self.plans[key], journal=self.journal).add([_save(Path(scratch), result)])
        self.done += 1

    def is_done(self) -> bool:
        return self.board.decided() is not None

    def standing(self) -> tuple[int, int]:
        return self.done, self.done + len(self.plans)


def prove(
    game: Game | str,
    executor: Executors,
    *,
    at_least: int,
    journal: str | os.PathLike[str],
    position: str | None = None,
    job_nodes: int = 2_000_000,
    memory: int = 256 << 20,
    tablebase: int | None = None,
    horizon: int = 16,
    progress: Progress = False,
) -> bool:
    """As `kalahari prove --at-least`: whether the player to move reaches this final margin. Jobs are done by the workers of `executor`.

    No more than `horizon` jobs are handed out at once: some more than there are workers. A job that takes more than `job_nodes` is given
    up, and its position is split into those after its moves, which are jobs then. Every answer is a row of `journal`, and true whatever
    becomes of the rest; the same call goes on, and `kalahari prove --check` believes none of it. What is pending when the goal is
    decided is cancelled.
    """
    book = _checks.file("journal", journal)
    board = _native.ProofBoard(
        book,
        _checks.game(game),
        _checks.text_or_none("position", position),
        _checks.whole("at_least", at_least, -(2**31), 2**31 - 1),
        job_nodes=_checks.whole("job_nodes", job_nodes, 1, 2**64 - 1),
        memory=_checks.whole("memory", memory, 0, 2**64 - 1),
        tablebase=_checks.whole_or_none("tablebase", tablebase, 0, 100),
    )
    _drive(_Proof(board, book, _checks.whole("horizon", horizon, 1, 2**32 - 1)), executor, progress)
    return bool(board.decided())


@dataclass(frozen=True)
class Tuned:
    """What a tuning run recommends."""

    agent: str
    values: dict[str, float]
    ranges: dict[str, tuple[float, float]]
    score: tuple[float, float] | None
    samples: int
    notes: list[str]


class _Samples:
    """The samples of a tuning run: points are handed out while others are pending."""

    noun = "samples"

    def __init__(self, desk: _native.TuneDesk, horizon: int) -> None:
        self.desk, self.assignment, self.horizon = desk, desk.assignment(), horizon
        self.out: dict[Hashable, str] = {}

    def wanted(self, pending: Mapping[Hashable, Future]) -> Iterator[tuple[Hashable, Callable[..., Any], tuple[Any, ...]]]:
        for key in [key for key in self.out if key not in pending]:
            yield key, _native.play_sample, (self.assignment, self.out[key])
        while len(self.out) < self.horizon:
            sample = self.desk.next_sample()
            if sample is None:
                return
            key = json.loads(sample)["number"]
            self.out[key] = sample
            yield key, _native.play_sample, (self.assignment, sample)

    def take(self, key: Hashable, result: Any) -> None:
        self.desk.finish(self.out.pop(key), result)

    def is_done(self) -> bool:
        done, of = self.desk.standing()
        return done >= of

    def standing(self) -> tuple[int, int]:
        return self.desk.standing()


def _opening_lines(given: Openings | None) -> str | dict[str, Any]:
    """Openings as a run keeps them: a word, or a name and lines."""
    if given is None:
        return "balanced:6"
    if isinstance(given, (str, os.PathLike)):
        name = os.fspath(given)
        if name == "start" or name.startswith(("random:", "balanced:")):
            return name
        lines = [line.strip() for line in Path(name).read_text(encoding="utf-8").splitlines()]
        # A position of Isolation may begin with a blocked cell: `#` and a blank begin a remark.
        return {"name": name, "lines": [line for line in lines if line and line.split()[0] != "#"]}
    return {"name": "lines", "lines": [opening_line(line) for line in given]}


def tune(
    agent: str,
    space: str,
    executor: Executors,
    *,
    db: str | os.PathLike[str] | None = None,
    against: Sequence[str] = (),
    method: str = "clop",
    horizon: int = 16,
    progress: Progress = False,
    **settings: Unpack[Settings],
) -> Tuned:
    """As `kalahari tune run`: the best values of an agent's parameters, with samples played by the workers of `executor`.

    `space` has names and ranges, such as "alpha=0..1,c=0.01..2:log"; `against` are opponents, played in turn; `method` is "clop" or "spsa". A
    point is chosen by all results so far, while up to `horizon` others are pending: as many as there are workers is best. So the
    run depends on who is fast, as it does with many threads on one machine; with `horizon=1` the same seed gives the same run. Every
    sample is kept in `db`, and the same call goes on. Everything else is as in `match`.
    """
    conditions = _Conditions(**{"games": 1000, **_known(settings, Settings.__annotations__)})
    conditions.settings(1)
    if isinstance(against, str):
        raise TypeError("against is a list of agents, not a text")
    if method == "clop" and not against:
        raise ValueError("clop needs opponents: against=['level:3'], for example")
    limits = {name: value for name in ("depth", "nodes") if (value := getattr(conditions, name)) is not None}
    if conditions.time is not None:
        limits["time"] = conditions.time if isinstance(conditions.time, str) else f"{round(conditions.time * 1e6)}us"
    if conditions.clock is not None:
        raise ValueError("samples on a cluster have limits for a move, not a clock")
    spec = {
        "agent": _checks.text("agent", agent),
        "space": _checks.text("space", space),
        "method": _checks.text("method", method),
        "opponents": list(against),
        "game": conditions.game if isinstance(conditions.game, str) else conditions.game.spec,
        "openings": _opening_lines(conditions.openings),
        "seed": conditions.seed,
        "rules": {"limits": limits, "grace": f"{round(conditions.grace * 1e6)}us", "adjudicate": conditions.adjudicate},
        "games": conditions.games,
    }
    desk = _native.TuneDesk(json.dumps(spec), None if db is None else _checks.file("db", db))
    _drive(_Samples(desk, _checks.whole("horizon", horizon, 1, 2**32 - 1)), executor, progress)
    found = desk.recommend()
    if found is None:
        raise ValueError("no sample was played")
    names, values, ranges, score, best = found
    return Tuned(
        agent=best,
        values=dict(zip(names, values)),
        ranges={name: (low, high) for name, (low, high) in zip(names, ranges)},
        score=None if score is None else (score[0], score[1]),
        samples=desk.standing()[0],
        notes=desk.notes(),
    )
