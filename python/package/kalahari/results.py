"""The results of matches and tournaments: figures, frames and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from ._frames import frame

__all__ = ["MatchResult", "Meeting", "Standing", "Tournament"]


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, seen by its first agent. `print(result)` is a report.

    - `games`, `wins`, `draws`, `losses`, and `score`, the share of points (0 to 1)
    - `elo`: how much stronger the first agent is; None if it has won or lost every game
    - `elo_error`: half the width of the 95% interval of `elo`; None if it is not known yet
    - `los`: the likelihood that the first agent is the stronger one
    - `pentanomial`: how many pairs of games have brought 0, 0.5, 1, 1.5 and 2 points
    - `margin`: the average margin
    - `llr`, `llr_bounds` and `decision` ("H0" or "H1") of a sequential test
    - `stopped`: "finished", "sprt" or "interrupted"
    - `resumed` and `played`: the games of earlier runs and of this one
    - `forfeits`: for each agent, how many games it has lost on time, by an illegal move, or by a crash
    - `repeats`: games that were exactly like an earlier one
    - `notes`: what you should know about the match
    - `records`: all games; `frame()` makes a table of them

    >>> import kalahari
    >>> result = kalahari.match("level:2", "random", game="kalah:4x3", games=10)
    >>> result.wins + result.draws + result.losses
    10
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
        """A table with a row for each game: pandas, or polars with kind="polars".

        >>> import kalahari
        >>> result = kalahari.match("level:2", "random", game="kalah:4x3", games=10)
        >>> len(result.frame()), "moves" in result.frame()
        (10, True)
        """
        return frame(self.records, kind)

    def summary(self, kind: str | None = None) -> Any:
        """The result as a table with one row, so that results of several matches can be put together.

        >>> import kalahari
        >>> kalahari.match("level:2", "random", game="kalah:4x3", games=10).summary()["games"].tolist()
        [10]
        """
        names = (
            "games wins draws losses score elo elo_error los pentanomial margin llr decision stopped".split()
        )
        row: dict[str, Any] = {"a": self.agents[0], "b": self.agents[1]}
        row.update({name: getattr(self, name) for name in names})
        row["pentanomial"] = list(self.pentanomial)
        return frame([row], kind)

    def plot(self, axes: Any = None) -> Any:
        """Draws the share of points after every game, with its 95% interval, and returns the axes of matplotlib. Draws into `axes` if
        they are given.

        >>> import kalahari, os, tempfile
        >>> axes = kalahari.match("level:2", "random", game="kalah:4x3", games=10).plot()
        >>> axes.figure.savefig(os.path.join(tempfile.mkdtemp(), "match.png"))
        """
        return plot_match(self, axes)

    def __str__(self) -> str:
        return self.report

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.report)}</pre>"


@dataclass(frozen=True)
class Standing:
    """An agent's place in a tournament. `elo` is its strength compared with the average of all agents that it has met, at least
    through others, and `elo_error` half the width of its 95% interval.

    >>> import kalahari
    >>> first = kalahari.tournament(["level:2", "random"], game="kalah:4x3", games=10).standings[0]
    >>> first.agent, first.games
    ('level:2', 10)
    """

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
    """The games between two agents of a tournament, seen by the first. The figures are those of `MatchResult`.

    >>> import kalahari
    >>> meeting = kalahari.tournament(["level:2", "random"], game="kalah:4x3", games=10).meetings[0]
    >>> meeting.first, meeting.second, meeting.games
    ('level:2', 'random', 10)
    """

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
    """The result of a tournament: `standings` (the best agent first), `meetings` of two agents each, and all games in `records`.
    `padded` says that half a win and half a loss were added for every two agents that met, since without them not all ratings are
    finite (an agent has never lost, for example). `groups` is the number of groups of agents that have not met; if it is more than 1,
    ratings of different groups cannot be compared. `interrupted` says that not all games were played. `print(tournament)` shows
    the table.

    >>> import kalahari
    >>> played = kalahari.tournament(["level:2", "level:1", "random"], game="kalah:4x3", games=10)
    >>> len(played.standings), len(played.meetings), len(played.records)
    (3, 3, 30)
    """

    standings: list[Standing]
    meetings: list[Meeting]
    padded: bool
    groups: int
    interrupted: bool
    notes: list[str]
    records: list[dict[str, Any]] = field(repr=False)

    def frame(self, kind: str | None = None) -> Any:
        """The standings as a table with a row for each agent.

        >>> import kalahari
        >>> kalahari.tournament(["level:2", "random"], game="kalah:4x3", games=10).frame()["agent"].tolist()
        ['level:2', 'random']
        """
        return frame([vars(standing) for standing in self.standings], kind)

    def games(self, kind: str | None = None) -> Any:
        """A table with a row for each game.

        >>> import kalahari
        >>> len(kalahari.tournament(["level:2", "random"], game="kalah:4x3", games=10).games())
        10
        """
        return frame(self.records, kind)

    def cross_table(self, kind: str | None = None) -> Any:
        """A table of the share of points of every agent (row) against every other agent (column).

        >>> import kalahari
        >>> table = kalahari.tournament(["level:2", "random"], game="kalah:4x3", games=10).cross_table()
        >>> table.columns.tolist()
        ['agent', 'level:2', 'random']
        """
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
        """Draws the ratings with their 95% intervals, and returns the axes of matplotlib. Draws into `axes` if they are given.

        >>> import kalahari, os, tempfile
        >>> axes = kalahari.tournament(["level:2", "random"], game="kalah:4x3", games=10).plot()
        >>> axes.figure.savefig(os.path.join(tempfile.mkdtemp(), "ratings.png"))
        """
        return plot_ratings(self, axes)

    def __str__(self) -> str:
        width = max(len(standing.agent) for standing in self.standings)
        lines = [f"{'agent':<{width}} {'Elo':>8} {'+/-':>7} {'points':>7} {'games':>6}"]
        for s in self.standings:
            lines.append(f"{s.agent:<{width}} {s.elo:>+8.1f} {s.elo_error:>7.1f} {s.points:>7g} {s.games:>6}")
        return "\n".join([*lines, *self.notes])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("agent", "elo", "±", "points", "games"))
        rows = "".join(
            f"<tr><td>{escape(s.agent)}</td><td>{s.elo:+.1f}</td><td>{s.elo_error:.1f}</td>"
            f"<td>{s.points:g}</td><td>{s.games}</td></tr>"
            for s in self.standings
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return pyplot.subplots(figsize=(7, 3.6), layout="constrained")[1]


def plot_match(result: MatchResult, axes: Any = None) -> Any:
    """The share of points after every game, with its 95% interval."""
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
    error = "unknown" if result.elo_error is None else f"{result.elo_error:.0f}"
    elo = "" if result.elo is None else f": {result.elo:+.0f} ± {error} Elo"
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
