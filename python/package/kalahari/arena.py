"""Matches and tournaments: which agent is better, and by how much.

>>> import kalahari
>>> result = kalahari.match("level:3", "random", game="kalah:4x3", games=20, seed=3)
>>> result.games, result.wins > result.losses
(20, True)

Games come in pairs with the same opening, and the agents change seats in between. Results are those of the first agent. With
`db=` every finished game is kept, and the same call continues where an earlier one was stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Union

from . import _checks, _native
from ._frames import frame
from ._native import Game, Limits, Position
from .hosting import Playing, invite, is_python
from .identity import name_of
from .results import MatchResult, Meeting, Standing, Tournament

__all__ = ["MatchResult", "Meeting", "Standing", "Store", "Tournament", "html_report", "match", "tournament"]

Progress = Callable[[int, int, tuple[int, int, int]], object]
"""Called after every game: the number of finished games, the number of all games, and the first agent's wins, draws and losses."""


Openings = Union[str, "os.PathLike[str]", Sequence[Union[str, Position, Sequence[Union[int, str]]]]]
"""A word, a file, or a list: each a position, its text, a text of moves, or a list of moves."""


def opening_line(given: str | Position | Sequence[int | str]) -> str:
    """An opening of a list as a line."""
    if isinstance(given, str):
        return _checks.text("an opening", given)
    if isinstance(given, Position):
        return given.text
    if isinstance(given, Iterable) and not isinstance(given, bytes):
        return " ".join(map(str, given))
    raise TypeError(f"an opening must be a position, its text, or a list of moves, not {type(given).__name__}")


def _openings(given: Openings | None) -> str | list[str] | None:
    if given is None or isinstance(given, str):
        return _checks.text_or_none("openings", given)
    if isinstance(given, os.PathLike):
        return str(_checks.file("openings", given))
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Position)):
        raise TypeError(f"openings must be a word such as 'random:4', a file, or a list, not {type(given).__name__}")
    return [opening_line(line) for line in given]


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
    """What matches and tournaments have in common. On a cluster it has only what games depend on."""

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
    patience: float | None = 60.0
    errors: str = "raise"
    db: str | os.PathLike[str] | None = None
    mix: bool = False
    progress: Progress | None = None

    def concurrency(self, agents: Sequence[Playing]) -> int:
        """How many games are played at once."""
        if self.workers is not None:
            return _checks.whole("workers", self.workers, 1, _checks.MOST_THREADS)
        # Python runs one thread at a time, so more games at once would only wait for each other.
        if any(map(is_python, agents)) and not self.processes:
            return 1
        return os.cpu_count() or 1

    def settings(self, concurrency: int) -> dict[str, Any]:
        """In the form that the compiled part takes."""
        return {
            "game": _checks.game(self.game),
            "games": _checks.whole("games", self.games, 0, _checks.MOST_GAMES),
            "limits": Limits(depth=self.depth, nodes=self.nodes, time=self.time),
            "clock": _checks.text_or_none("clock", self.clock),
            "grace": _checks.number("grace", self.grace, 0, 1e6),
            "adjudicate": _checks.text("adjudicate", self.adjudicate),
            "openings": _openings(self.openings),
            "seed": _checks.whole("seed", self.seed, 0, _checks.MOST_SEED),
            "concurrency": concurrency,
            "db": None if self.db is None else _checks.file("db", self.db),
            "mix": bool(self.mix),
            "progress": _checks.function_or_none("progress", self.progress),
        }

    def play(self, agents: Sequence[Playing], run: Callable[..., dict[str, Any]], **more: Any) -> dict[str, Any]:
        """What the arena reports about these agents; its notes also say whose games cannot be resumed."""
        _checks.word("errors", self.errors, ("raise", "forfeit"))
        patience = None if self.patience is None else _checks.number("patience", self.patience, 0, 1e6)
        count = self.concurrency(agents)
        settings = self.settings(count)
        notes: list[str] = []
        with ExitStack() as stack:
            seated = [
                invite(
                    agent,
                    processes=count if self.processes else 0,
                    patience=patience,
                    grace=settings["grace"],
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
    if not isinstance(sprt, Sequence) or isinstance(sprt, (str, bytes)) or len(sprt) not in {2, 4}:
        raise ValueError("sprt must be (elo0, elo1) or (elo0, elo1, alpha, beta)")
    elo0, elo1, alpha, beta = (_checks.number(f"sprt[{place}]", value) for place, value in enumerate((*sprt, 0.05, 0.05)[:4]))
    return (elo0, elo1, alpha, beta)


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
    patience: float | None = 60.0,
    errors: str = "raise",
    db: str | os.PathLike[str] | None = None,
    mix: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Plays two agents against each other.

    An agent is a spec ("engine:depth=6", or "deep=engine:depth=6" with a name), a player (`kalahari.Engine(depth=6)`), an object
    with a method `move(position, limits)`, or a function of a position and limits that returns a legal move:

    >>> def greedy(position, limits):
    ...     def stores(move):
    ...         houses = position.play(move).to_array()
    ...         lead = int(houses[len(houses) // 2 - 1]) - int(houses[-1])
    ...         return lead if position.mover == 0 else -lead
    ...     return max(position.legal_moves(), key=stores)
    >>> result = match(greedy, "random", game="kalah:6x4", games=20)
    >>> result.score > 0.5
    True

    >>> print(result.agents)
    ('guest:greedy', 'random')

    - `games`: how many games to play. `seed` decides all random choices: the same call plays the same games.
    - `depth`, `nodes`, `time` (in seconds, or "100ms") are limits for every move; `clock` ("10s+0.1s") is one for the whole game.
      A limit in an agent's spec takes precedence. An agent that takes `grace` seconds more than its time loses the game.
    - `openings`: "start", "random:K" (K random moves), "balanced:K" (random ones that are about even), a file, or a list of
      positions or of lists of moves. If left out they are balanced, or the start if an agent plays at random anyway.
    - `sprt=(elo0, elo1)` stops as soon as a sequential test decides between these two, with errors of 5% unless it is
      `(elo0, elo1, alpha, beta)`; `model` is "logistic" or "normalized".
    - `adjudicate`: "never", "majority" (a game ends when its winner can no longer change) or "proven" (when both agents
      have proven the result).
    - `workers`: how many games are played at once. Usually that is one per core, but one at a time if an agent is written in
      Python, since Python runs one thread at a time. With `processes=True` each game has its own process for that agent.
    - `patience`: how long to wait for an answer. With `processes=True`, an agent that has not answered after this many seconds (if a
      time is set, half a second after it has lost on time) loses the game, and its process is started again. Without processes
      nothing can stop it; after `patience` seconds a warning says so, and Ctrl-C ends the match. None waits forever.
    - `errors="forfeit"`: an agent that raises an exception or plays an illegal move loses the game. Otherwise the exception ends
      the match.
    - `db`: a file that keeps all games; the program `kalahari` reads and writes the same files. The match continues only if the
      agents are the same as before. An agent written in Python is the same if its name, its version and its source are (see
      `kalahari.identity`). `mix=True` continues anyway.
    - `progress`: a function that is called after every game with the number of finished games, the number of all games, and a
      tuple of wins, draws and losses.
    """
    conditions = _Conditions(
        games, game, depth, nodes, time, clock, openings, seed, adjudicate, grace,
        workers, processes, patience, errors, db, mix, progress,
    )  # fmt: skip
    played = conditions.play((a, b), _native.run_match, sprt=_test(sprt), model=_checks.text("model", model))
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
    patience: float | None = 60.0,
    errors: str = "raise",
    db: str | os.PathLike[str] | None = None,
    mix: bool = False,
    progress: Progress | None = None,
) -> Tournament:
    """Plays several agents against each other and rates all of them together.

    >>> played = tournament(["level:2", "level:1", "random"], game="kalah:4x3", games=10)
    >>> [standing.agent for standing in played.standings][-1]
    'random'

    `schedule` is "round-robin" (all pairs of agents), "gauntlet" (the first against all others) or "swiss" (`rounds`
    rounds, in which equals meet). `games` is the number of games of every pairing. Everything else is as in `match`.
    """
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise TypeError(f"agents must be given in a list, not {type(agents).__name__}")
    agents = list(agents)
    names = [name_of(agent) for agent in agents if is_python(agent)]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two agents are called {name}: give them a `name` or a `version`")
    conditions = _Conditions(
        games, game, depth, nodes, time, clock, openings, seed, adjudicate, grace,
        workers, processes, patience, errors, db, mix, progress,
    )  # fmt: skip
    played = conditions.play(
        agents, _native.run_tournament, schedule=_checks.text("schedule", schedule),
        rounds=_checks.whole("rounds", rounds, 0, 2**32 - 1),
    )  # fmt: skip
    standings = [Standing(**standing) for standing in played.pop("standings")]
    meetings = [Meeting(**meeting.pop("summary"), **meeting) for meeting in played.pop("meetings")]
    return Tournament(standings=standings, meetings=meetings, **played)


class Store:
    """The games in a file that `match` and `tournament` have written with `db=`, or the program `kalahari` with `--db`.

    >>> import os, tempfile
    >>> file = os.path.join(tempfile.mkdtemp(), "games.db")
    >>> result = match("level:1", "random", game="kalah:4x3", games=4, db=file)
    >>> len(Store(file).matches()), len(Store(file).games())
    (1, 4)
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = _checks.file("file", file)

    def matches(self, kind: str | None = None) -> Any:
        """A table with a row for each match. `kind` is "pandas" or "polars".

        >>> import os, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "games.db")
        >>> result = match("level:1", "random", game="kalah:4x3", games=4, db=file)
        >>> Store(file).matches()["a"].tolist()
        ['level:1']
        """
        return frame(_native.store_matches(self.file), kind)

    def games(self, match: str | None = None, kind: str | None = None) -> Any:
        """A table with a row for each game, of one match (by its id) or of all.

        >>> import os, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "games.db")
        >>> result = match("level:1", "random", game="kalah:4x3", games=4, db=file)
        >>> Store(file).games(result.id)["number"].tolist()
        [0, 1, 2, 3]
        """
        ids = [_checks.text("match", match)] if match is not None else [one["id"] for one in _native.store_matches(self.file)]
        return frame([game for id in ids for game in _native.store_games(self.file, id)], kind)

    def report(self, directory: str | os.PathLike[str]) -> Path:
        """Writes pictures and a page that shows them into a directory, and returns the page. See `html_report`."""
        return html_report(self.file, directory)


def html_report(db: str | os.PathLike[str], directory: str | os.PathLike[str]) -> Path:
    """Draws the games of a file that `db=` has written: SVG and PNG pictures, and `index.html`, which shows all of them. Returns the
    path of that page.

    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> result = match("level:1", "random", game="kalah:4x3", games=4, db=os.path.join(folder, "games.db"))
    >>> html_report(os.path.join(folder, "games.db"), os.path.join(folder, "report")).name
    'index.html'
    """
    store, folder = _checks.file("db", db), _checks.file("directory", directory)
    if not _native.write_report(store, folder):
        raise ValueError(f"{store}: no game in it is finished")
    return folder / "index.html"
