"""Matches and tournaments: which agent is better, and by how much.

>>> import kalahari
>>> result = kalahari.match("level:3", "random", game="kalah:4x3", games=20, seed=3)
>>> result.games, result.wins > result.losses
(20, True)

Games come in pairs: one opening, both seatings. Results are the first agent's. With `db=` every finished game is kept, and the
same call goes on where an earlier one was stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from . import _native
from ._frames import frame
from ._native import Game, Limits
from .hosting import Playing, invite, is_python

__all__ = ["MatchResult", "Meeting", "Standing", "Store", "Tournament", "html_report", "match", "tournament"]

Progress = Callable[[int, int, tuple[int, int, int]], object]
"""Told of every finished game: how many are, how many are wanted, and the first agent's wins, draws and losses."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, from the side of its first agent.

    `elo` is None at 0% and 100%; `elo_error` is half the width of its 95% interval; `los` the likelihood that the first agent
    is the better one; `pentanomial` counts pairs by half points (0 to 4); `llr` and `decision` ("H0" or "H1") belong to a
    sequential test. `stopped` is "finished", "sprt" or "interrupted"; `resumed` games are of earlier runs. `records` has
    every game; `frame()` makes a table of them.
    """

    agents: tuple[str, str]
    game: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    elo: float | None
    elo_error: float | None
    los: float
    pentanomial: tuple[int, int, int, int, int]
    margin: float | None
    llr: float | None
    llr_bounds: tuple[float, float] | None
    decision: str | None
    stopped: str
    resumed: int
    played: int
    seconds: float
    overhead: float
    repeats: int
    forfeits: tuple[dict[str, int], dict[str, int]]
    openings: str
    limits: str
    seed: int
    id: str
    notes: list[str]
    report: str = field(repr=False)
    records: list[dict[str, Any]] = field(repr=False)

    def frame(self, kind: str | None = None) -> Any:
        """Every game a row: pandas, or polars with kind="polars"."""
        return frame(self.records, kind)

    def summary(self, kind: str | None = None) -> Any:
        """The result as a table of one row."""
        names = (
            "games wins draws losses score elo elo_error los pentanomial margin llr decision stopped".split()
        )
        row: dict[str, Any] = {"a": self.agents[0], "b": self.agents[1]}
        row.update({name: getattr(self, name) for name in names})
        row["pentanomial"] = list(self.pentanomial)
        return frame([row], kind)

    def plot(self, axes: Any = None) -> Any:
        """The share of points after every game, with its 95% interval, by matplotlib; gives the axes."""
        return plot_match(self, axes)

    def __str__(self) -> str:
        return self.report

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.report)}</pre>"


@dataclass(frozen=True)
class Standing:
    """An agent's place in a tournament. `elo` is against the average of all, `elo_error` half its 95% interval."""

    agent: str
    elo: float
    elo_error: float
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    margin: float | None


@dataclass(frozen=True)
class Meeting:
    """The games of two agents of a tournament, from the side of the first."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    elo: float | None
    elo_error: float | None
    los: float
    pentanomial: tuple[int, int, int, int, int]
    id: str


@dataclass(frozen=True)
class Tournament:
    """A tournament that has been played: `standings` from the best on, `meetings`, and every game in `records`."""

    standings: list[Standing]
    meetings: list[Meeting]
    padded: bool
    interrupted: bool
    notes: list[str]
    records: list[dict[str, Any]] = field(repr=False)

    def frame(self, kind: str | None = None) -> Any:
        """The standings, a row an agent."""
        return frame([vars(standing) for standing in self.standings], kind)

    def games(self, kind: str | None = None) -> Any:
        """Every game a row."""
        return frame(self.records, kind)

    def cross_table(self, kind: str | None = None) -> Any:
        """The share of points of every agent (row) against every other (column)."""
        names = [standing.agent for standing in self.standings]
        points: dict[tuple[str, str], list[float]] = {}
        for meeting in self.meetings:
            share = meeting.score * meeting.games
            for pair, won in (
                ((meeting.first, meeting.second), share),
                ((meeting.second, meeting.first), meeting.games - share),
            ):
                sums = points.setdefault(pair, [0.0, 0.0])
                sums[0] += won
                sums[1] += meeting.games
        rows = []
        for name in names:
            row: dict[str, Any] = {"agent": name}
            for other in names:
                won, played = points.get((name, other), [0.0, 0.0])
                row[other] = won / played if played else None
            rows.append(row)
        return frame(rows, kind)

    def plot(self, axes: Any = None) -> Any:
        """The ratings with their 95% intervals, by matplotlib; gives the axes."""
        return plot_ratings(self, axes)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("agent", "elo", "±", "points", "games"))
        rows = "".join(
            f"<tr><td>{escape(s.agent)}</td><td>{s.elo:+.1f}</td><td>{s.elo_error:.1f}</td>"
            f"<td>{s.points:g}</td><td>{s.games}</td></tr>"
            for s in self.standings
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def _openings(given: str | os.PathLike[str] | Sequence[str] | None) -> str | list[str] | None:
    if given is None or isinstance(given, str):
        return given
    return str(given) if isinstance(given, os.PathLike) else [str(line) for line in given]


def _concurrency(agents: Sequence[Any], workers: int | None, processes: bool) -> int:
    if workers is not None:
        if not 1 <= workers <= 1024:
            raise ValueError(f"workers are from 1 to 1024, not {workers}")
        return workers
    # Python runs one thread at a time, so more games at once would only wait for each other.
    if any(map(is_python, agents)) and not processes:
        return 1
    return os.cpu_count() or 1


@contextmanager
def _at_the_board(
    agents: Sequence[Playing],
    *,
    workers: int | None,
    processes: bool,
    errors: str,
    db: str | os.PathLike[str] | None,
    game: Game | str,
    limits: Limits,
    openings: str | os.PathLike[str] | Sequence[str] | None,
    **settings: Any,
) -> Iterator[tuple[list[Any], dict[str, Any], list[str]]]:
    """The agents as the arena takes them, its settings, and notes on who cannot be resumed, while they play."""
    count = _concurrency(agents, workers, processes)
    for name, most in (("games", 2**32 - 1), ("seed", 2**64 - 1)):
        if not 0 <= settings.get(name, 0) <= most:
            raise ValueError(f"{name} is from 0 to {most}, not {settings[name]}")
    settings.update(
        game=Game(game) if isinstance(game, str) else game,
        limits=limits,
        openings=_openings(openings),
        concurrency=count,
        db=None if db is None else Path(db),
    )
    notes: list[str] = []
    with ExitStack() as stack:
        seated = [
            invite(
                agent,
                processes=count if processes else 0,
                errors=errors,
                notes=notes,
                stack=stack,
                resumes=db is not None,
            )
            for agent in agents
        ]
        yield seated, settings, notes


def _test(sprt: tuple[float, ...] | None) -> tuple[float, float, float, float] | None:
    if sprt is None:
        return None
    if len(sprt) == 2:
        return (sprt[0], sprt[1], 0.05, 0.05)
    if len(sprt) == 4:
        return (sprt[0], sprt[1], sprt[2], sprt[3])
    raise ValueError("a test is (elo0, elo1) or (elo0, elo1, alpha, beta)")


def match(
    a: Playing,
    b: Playing,
    *,
    game: Game | str = "kalah:6x6",
    games: int = 100,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | str | None = None,
    clock: str | None = None,
    openings: str | os.PathLike[str] | Sequence[str] | None = None,
    seed: int = 1,
    sprt: tuple[float, ...] | None = None,
    model: str = "logistic",
    adjudicate: str = "never",
    grace: float = 0.2,
    workers: int | None = None,
    processes: bool = False,
    errors: str = "raise",
    db: str | os.PathLike[str] | None = None,
    mix: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Plays two agents against each other.

    Agents are specs ("engine:depth=6"), agents of ours (`kalahari.Engine(depth=6)`), objects with `move(position, limits)`,
    or functions of a position and limits:

    >>> def greedy(position, limits):
    ...     def stores(move):
    ...         houses = position.play(move).to_array()
    ...         lead = int(houses[len(houses) // 2 - 1]) - int(houses[-1])
    ...         return lead if position.mover == 0 else -lead
    ...     return max(position.legal_moves(), key=stores)
    >>> result = match(greedy, "random", game="kalah:6x4", games=20)
    >>> result.score > 0.5
    True

    - `depth`, `nodes`, `time` (seconds, or "100ms") limit every move; `clock` ("10s+0.1s") the whole game. An agent's own
      limits take their place.
    - `openings`: "start", "random:K", "balanced:K", a file, or a list of positions or moves; balanced ones if left out,
      unless an agent plays at random.
    - `sprt=(elo0, elo1)` stops as soon as a sequential test decides, with errors of 5% unless it is
      `(elo0, elo1, alpha, beta)`.
    - `workers` games are played at once: one a core, but one at a time if an agent is written in Python, unless
      `processes=True` gives each of them a process of its own.
    - `errors="forfeit"` lets an agent that raises an exception or answers with an illegal move lose the game; otherwise the
      exception ends the match and is raised.
    - `db` is a store, the same as the program's. A match in it goes on only if the same agents play it; a Python agent is
      known by its name, its version and a checksum of its source (see `kalahari.identity`). `mix=True` goes on regardless.
    """
    with _at_the_board(
        (a, b),
        workers=workers,
        processes=processes,
        errors=errors,
        db=db,
        game=game,
        games=games,
        limits=Limits(depth=depth, nodes=nodes, time=time),
        clock=clock,
        grace=grace,
        adjudicate=adjudicate,
        openings=openings,
        seed=seed,
        mix=mix,
        progress=progress,
    ) as (seated, settings, notes):
        played = _native.run_match((seated[0], seated[1]), settings, sprt=_test(sprt), model=model)
    summary = played.pop("summary")
    forfeits = tuple(dict(zip(("time", "illegal", "crash"), counts)) for counts in played.pop("forfeits"))
    return MatchResult(
        **{
            **summary,
            **played,
            "agents": tuple(played["agents"]),
            "pentanomial": tuple(summary["pentanomial"]),
            "forfeits": forfeits,
            "notes": [*notes, *played["notes"]],
        }
    )


def tournament(
    agents: Sequence[Playing],
    *,
    game: Game | str = "kalah:6x6",
    games: int = 20,
    schedule: str = "round-robin",
    rounds: int = 0,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | str | None = None,
    clock: str | None = None,
    openings: str | os.PathLike[str] | Sequence[str] | None = None,
    seed: int = 1,
    adjudicate: str = "never",
    grace: float = 0.2,
    workers: int | None = None,
    processes: bool = False,
    errors: str = "raise",
    db: str | os.PathLike[str] | None = None,
    mix: bool = False,
    progress: Progress | None = None,
) -> Tournament:
    """Plays many agents against each other and rates them all at once. Everything else is as in `match`.

    >>> played = tournament(["level:2", "level:1", "random"], game="kalah:4x3", games=10)
    >>> [standing.agent for standing in played.standings][-1]
    'random'

    `schedule` is "round-robin", "gauntlet" (the first against all others) or "swiss" (`rounds` of it); `games` are those of
    every meeting.
    """
    with _at_the_board(
        agents,
        workers=workers,
        processes=processes,
        errors=errors,
        db=db,
        game=game,
        games=games,
        limits=Limits(depth=depth, nodes=nodes, time=time),
        clock=clock,
        grace=grace,
        adjudicate=adjudicate,
        openings=openings,
        seed=seed,
        mix=mix,
        progress=progress,
    ) as (seated, settings, notes):
        names = [guest.name for guest in seated]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two agents are called {name}: give them a `name` or a `version`")
        played = _native.run_tournament(seated, settings, schedule=schedule, rounds=rounds)
    meetings = []
    for meeting in played["meetings"]:
        summary = meeting.pop("summary")
        for name in ("llr", "llr_bounds", "decision"):
            del summary[name]
        summary["pentanomial"] = tuple(summary["pentanomial"])
        meetings.append(Meeting(**meeting, **summary))
    return Tournament(
        standings=[Standing(**standing) for standing in played["standings"]],
        meetings=meetings,
        padded=played["padded"],
        interrupted=played["interrupted"],
        notes=[*notes, *played["notes"]],
        records=played["records"],
    )


class Store:
    """A store of games, as matches with `db=` and the program with `--db` write it."""

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = Path(file)

    def matches(self, kind: str | None = None) -> Any:
        """Every match a row."""
        return frame(_native.store_matches(self.file), kind)

    def games(self, match: str | None = None, kind: str | None = None) -> Any:
        """Every game a row, of one match or of all."""
        ids = [match] if match is not None else [one["id"] for one in _native.store_matches(self.file)]
        return frame([game for id in ids for game in _native.store_games(self.file, id)], kind)

    def report(self, directory: str | os.PathLike[str]) -> Path:
        """Writes all pictures and a page with them; gives the page."""
        return html_report(self.file, directory)


def html_report(db: str | os.PathLike[str], directory: str | os.PathLike[str]) -> Path:
    """Draws a store: SVG and PNG pictures and a page, `index.html`, that has all of them in it; gives the page."""
    files = _native.write_report(Path(db), Path(directory))
    if not files:
        raise ValueError(f"{os.fspath(db)}: no game in it is finished")
    return Path(directory) / "index.html"


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return pyplot.subplots(figsize=(7, 3.6), layout="constrained")[1]


def plot_match(result: MatchResult, axes: Any = None) -> Any:
    """The share of points after every pair of games, with its 95% interval."""
    axes = _axes(axes)
    scores = [record["score_a"] for record in result.records if record["score_a"] is not None]
    shares, low, high = [], [], []
    total = squares = 0.0
    for count, score in enumerate(scores, 1):
        total += score
        squares += score * score
        mean = total / count
        error = 1.96 * (max(squares / count - mean * mean, 0.0) / count) ** 0.5
        shares.append(mean)
        low.append(max(mean - error, 0.0))
        high.append(min(mean + error, 1.0))
    games = range(1, len(scores) + 1)
    axes.fill_between(games, low, high, alpha=0.2)
    axes.plot(games, shares)
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set(xlabel="games", ylabel="share of points", ylim=(0, 1))
    elo = "" if result.elo is None else f": {result.elo:+.0f} ± {result.elo_error or 0:.0f} Elo"
    axes.set_title(f"{result.agents[0]} against {result.agents[1]}{elo}")
    return axes


def plot_ratings(tournament: Tournament, axes: Any = None) -> Any:
    """The ratings of a tournament with their 95% intervals."""
    axes = _axes(axes)
    standings = tournament.standings[::-1]
    axes.errorbar(
        [standing.elo for standing in standings],
        [standing.agent for standing in standings],
        xerr=[standing.elo_error for standing in standings],
        fmt="o",
        capsize=3,
    )
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set(xlabel="Elo against the average")
    return axes
