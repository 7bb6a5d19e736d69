"""Experiments on more than one machine, with Dask or any other library that works like `concurrent.futures`.

>>> from concurrent.futures import ThreadPoolExecutor
>>> import kalahari.cluster, tempfile
>>> folder = tempfile.mkdtemp()
>>> with ThreadPoolExecutor(2) as executor:
...     result = kalahari.cluster.match("level:1", "random", executor, game="kalah:4x3", games=20, db=folder + "/games.db")
>>> result.games
20

An experiment is cut into shards, which are tasks for workers. The result of a shard depends only on its plan and number, so it does not
matter which worker does it, how often, or whether a worker dies in the meantime. The files of finished shards come back here; they are
kept in a folder and joined with the store, which has each game once. The same call continues where an earlier one stopped. Ctrl-C
stops the workers, too, if they see that folder.

`executor` is a `dask.distributed.Client`, an `Executor` of `concurrent.futures` or `mpi4py.futures`, or a function without arguments
that makes one. A pool of processes breaks for good when one of its processes is killed; then a new one is made.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Union

from . import _checks, _native
from ._handing_out import Executors, Future, Progress, drive
from ._native import Agent, Game
from .arena import MatchResult, Openings, Settings, Tournament, _Conditions, _test, opening_line
from .arena import match as _play_match
from .arena import tournament as _play_tournament
from .data_sets import Recipe, _asked

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Tuned", "dataset", "match", "prove", "run", "tournament", "tune"]

PARTS_A_SHARD = 50
"""Pairs of games, games to judge or positions in a shard, by default. A file of rows or a job of a proof is a shard."""

Spec = Union[str, Agent]


def _work(plan: str, shard: int, shards: int, threads: int, folder: str | None, wanted: str | None = None) -> dict[str, bytes]:
    """The task of a worker: does a shard and returns its files. If the file `wanted` is visible here, its removal stops the work."""
    sees_it = wanted is not None and os.path.isdir(os.path.dirname(wanted))
    if wanted is not None and sees_it and not os.path.exists(wanted):
        raise RuntimeError("this shard is not wanted any more")
    if folder is not None and os.path.isdir(folder):
        # Files that the plan names, such as bots, are relative to the experiment's folder.
        os.chdir(folder)
    with tempfile.TemporaryDirectory(prefix="kalahari-") as scratch:
        files = _native.make_shard(plan, shard, shards, Path(scratch), threads, Path(wanted) if wanted is not None and sees_it else None)
        return {os.path.relpath(file, scratch): Path(file).read_bytes() for file in files}


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


class Spread(TypedDict, total=False):
    """How work is spread over an executor; none of this changes the results."""

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
    """The same with its defaults, and the way from a plan to its target."""

    shards: int | None = None
    folder: str | os.PathLike[str] | None = None
    horizon: int = 1000
    threads: int = 1
    progress: Progress = False

    @staticmethod
    def split(options: Mapping[str, Any]) -> tuple[_Spread, dict[str, Any]]:
        """The options about spreading, and the rest."""
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
        """Does the shards of a plan; returns their folder, which is named after the target if none is given."""
        folder = Path(self.folder) if self.folder is not None else Path(f"{os.fspath(target)}.shards")
        folder.mkdir(parents=True, exist_ok=True)
        about = _native.about_plan(plan)
        parts: int = about["parts"]
        is_large = about["rows"] or about["claims"]
        usual = parts if is_large else -(-parts // PARTS_A_SHARD)
        shards = max(1, min(self.shards if self.shards is not None else usual, parts))
        # Workers that see this file stop when it is removed: after Ctrl-C, or when a test has decided.
        wanted = folder.resolve() / f".wanted-{uuid.uuid4()}"
        source = _Shards(
            plan, shards, folder, writer, self.horizon, self.threads, place if about["files"] else None, str(wanted)
        )
        source.take_up()
        wanted.touch()
        try:
            drive(source, executor, self.progress, wanted)
        finally:
            wanted.unlink(missing_ok=True)
        return folder


@dataclass
class _Shards:
    """The shards of a plan: handed out in order, at most `horizon` of them ahead of the first that is not finished."""

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
        """Joins the shards that an earlier call has kept."""
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
    `grace`. The work is cut into `shards` pieces (of 50 pairs each if left out), whose files are kept in `folder`; each uses `threads`
    threads, and `progress=True` draws a bar. At most `horizon` of them are handed out ahead of the first that is not finished. With
    `sprt` the test looks at the pairs in the order of their numbers, as it does on one machine, and shards that are not needed any more
    are cancelled; a small `horizon` wastes less.
    """
    first, second = _specs((a, b))
    spread, settings = _Spread.split(_known(options, MatchOptions.__annotations__))
    store = _checks.file("db", db)
    conditions = _Conditions(**{"games": 100, **settings})
    plan, repetition = _native.plan_match((first, second), conditions.settings(os.cpu_count() or 1))
    writer = _native.ShardWriter(plan, store, sprt=_test(sprt), model=model, repetition=repetition)
    spread.run(plan, executor, writer, db)
    # All games are in the store: this call only counts them.
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
    of `kalahari.dataset`. Every file is its own shard unless `shards` says otherwise. Returns `out`.
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
    `journal`, judged games into `judged`, positions of an opening book into `book`. Returns the folder of the shards.

    The program `kalahari`, which reads experiments, is needed here, but not where the workers are. `program` says where it is, if
    it is not on the path. Afterwards `kalahari run EXPERIMENT` finds all games in its store and prints the report.
    """
    file = _checks.file("experiment", experiment).resolve()
    found = program or os.environ.get("KALAHARI") or shutil.which("kalahari")
    if found is None:
        raise FileNotFoundError("the program kalahari, which reads experiments, is not found here; say where it is with program=")
    said = subprocess.run([os.fspath(found), "shards", "plan", str(file), "--json"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise ValueError(said.stderr.strip() or f"{file} is not an experiment")
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
    """The jobs of a proof: open jobs are handed out, their bounds are joined as they come, and splits make new jobs."""

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

    At most `horizon` jobs are handed out at once; it should be a little more than the number of workers. A job that takes more than
    `job_nodes` is given up, and its position is split: the positions after its moves become jobs. Every answer is a row of `journal`,
    and stays true whatever happens to the other jobs; the same call continues, and `kalahari prove --check` checks the answers. Jobs that are
    pending when the goal is decided are cancelled.
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
    drive(_Proof(board, book, _checks.whole("horizon", horizon, 1, 2**32 - 1)), executor, progress)
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
        # A position of Isolation may begin with a blocked cell, `#`; only `#` and a blank begin a comment.
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
    run depends on which workers are fast, as it does with many threads on one machine; with `horizon=1` the same seed gives the same run. Every
    sample is kept in `db`, and the same call continues. Everything else is as in `match`.
    """
    conditions = _Conditions(**{"games": 1000, **_known(settings, Settings.__annotations__)})
    conditions.settings(1)
    if isinstance(against, str):
        raise TypeError("against must be a list of agents, not a text")
    if method == "clop" and not against:
        raise ValueError("clop needs opponents: against=['level:3'], for example")
    limits = {name: value for name in ("depth", "nodes") if (value := getattr(conditions, name)) is not None}
    if conditions.time is not None:
        limits["time"] = conditions.time if isinstance(conditions.time, str) else f"{round(conditions.time * 1e6)}us"
    if conditions.clock is not None:
        raise ValueError("samples on a cluster need limits for a move, not a clock")
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
    drive(_Samples(desk, _checks.whole("horizon", horizon, 1, 2**32 - 1)), executor, progress)
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
