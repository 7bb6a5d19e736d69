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
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Union

from . import _native
from ._frames import frame
from ._native import Game, Limits, Position
from .hosting import Playing, invite, is_python
from .identity import name_of
from .results import MatchResult, Meeting, Standing, Tournament

__all__ = ["MatchResult", "Meeting", "Standing", "Store", "Tournament", "html_report", "match", "tournament"]

Progress = Callable[[int, int, tuple[int, int, int]], object]
"""Told of every finished game: how many are, how many are wanted, and the first agent's wins, draws and losses."""


Openings = Union[str, "os.PathLike[str]", Sequence[Union[str, Position, Sequence[Union[int, str]]]]]
"""A word, a file, or a list: each a position, its text, a text of moves, or a list of moves."""


def opening_line(given: str | Position | Sequence[int | str]) -> str:
    """An opening of a list as a line."""
    if isinstance(given, str):
        return given
    return given.text if isinstance(given, Position) else " ".join(map(str, given))


def _openings(given: Openings | None) -> str | list[str] | None:
    if given is None or isinstance(given, str):
        return given
    return str(given) if isinstance(given, os.PathLike) else [opening_line(line) for line in given]


class Settings(TypedDict, total=False):
    """What games of matches and tournaments depend on besides their agents: see `match`."""

    game: Game | str
    games: int
    depth: int | None
    nodes: int | None
    time: float | str | None
    clock: str | None
    openings: Openings | None
    seed: int
    adjudicate: str
    grace: float


@dataclass(frozen=True)
class _Conditions:
    """What matches and tournaments have in common. Those of a cluster say only what games depend on."""

    games: int
    game: Game | str = "kalah:6x6"
    depth: int | None = None
    nodes: int | None = None
    time: float | str | None = None
    clock: str | None = None
    openings: Openings | None = None
    seed: int = 1
    adjudicate: str = "never"
    grace: float = 0.2
    workers: int | None = None
    processes: bool = False
    errors: str = "raise"
    db: str | os.PathLike[str] | None = None
    mix: bool = False
    progress: Progress | None = None

    def concurrency(self, agents: Sequence[Playing]) -> int:
        """How many games are played at once."""
        if self.workers is not None:
            if not 1 <= self.workers <= 1024:
                raise ValueError(f"workers are from 1 to 1024, not {self.workers}")
            return self.workers
        # Python runs one thread at a time, so more games at once would only wait for each other.
        if any(map(is_python, agents)) and not self.processes:
            return 1
        return os.cpu_count() or 1

    def settings(self, concurrency: int) -> dict[str, Any]:
        """As the compiled part takes them."""
        for name, value, most in (("games", self.games, 2**32 - 1), ("seed", self.seed, 2**64 - 1)):
            if not 0 <= value <= most:
                raise ValueError(f"{name} is from 0 to {most}, not {value}")
        return {
            "game": Game(self.game) if isinstance(self.game, str) else self.game,
            "games": self.games,
            "limits": Limits(depth=self.depth, nodes=self.nodes, time=self.time),
            "clock": self.clock,
            "grace": self.grace,
            "adjudicate": self.adjudicate,
            "openings": _openings(self.openings),
            "seed": self.seed,
            "concurrency": concurrency,
            "db": None if self.db is None else Path(self.db),
            "mix": self.mix,
            "progress": self.progress,
        }

    def play(self, agents: Sequence[Playing], run: Callable[..., dict[str, Any]], **more: Any) -> dict[str, Any]:
        """What the arena says of these agents; its notes also say who cannot be resumed."""
        count = self.concurrency(agents)
        settings = self.settings(count)
        notes: list[str] = []
        with ExitStack() as stack:
            seated = [
                invite(
                    agent,
                    processes=count if self.processes else 0,
                    errors=self.errors,
                    notes=notes,
                    stack=stack,
                    resumes=self.db is not None,
                )
                for agent in agents
            ]
            played = run(seated, settings, **more)
        played["notes"] = [*notes, *played["notes"]]
        return played


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
    openings: Openings | None = None,
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

    Agents are specs ("engine:depth=6", or "deep=engine:depth=6" with a name), agents of ours (`kalahari.Engine(depth=6)`), objects with `move(position, limits)`,
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
    - `workers` games are played at once: one per core, but one at a time if an agent is written in Python, unless
      `processes=True` gives each of them a process of its own.
    - `errors="forfeit"` lets an agent that raises an exception or answers with an illegal move lose the game; otherwise the
      exception ends the match and is raised.
    - `db` is a store, the same as the program's. A match in it goes on only if the same agents play it; a Python agent is
      known by its name, its version and a checksum of its source (see `kalahari.identity`). `mix=True` goes on regardless.
    """
    conditions = _Conditions(
        games, game, depth, nodes, time, clock, openings, seed, adjudicate, grace, workers, processes, errors, db, mix, progress
    )
    played = conditions.play((a, b), _native.run_match, sprt=_test(sprt), model=model)
    return MatchResult(**played.pop("summary"), **played)


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
    openings: Openings | None = None,
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
    names = [name_of(agent) for agent in agents if is_python(agent)]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two agents are called {name}: give them a `name` or a `version`")
    conditions = _Conditions(
        games, game, depth, nodes, time, clock, openings, seed, adjudicate, grace, workers, processes, errors, db, mix, progress
    )
    played = conditions.play(agents, _native.run_tournament, schedule=schedule, rounds=rounds)
    standings = [Standing(**standing) for standing in played.pop("standings")]
    meetings = [Meeting(**meeting.pop("summary"), **meeting) for meeting in played.pop("meetings")]
    return Tournament(standings=standings, meetings=meetings, **played)


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
