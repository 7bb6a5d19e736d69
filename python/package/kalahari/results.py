"""What matches and tournaments give: figures, frames and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from ._frames import frame

__all__ = ["MatchResult", "Meeting", "Standing", "Tournament"]


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, from the side of its first agent.

    `elo` is None at 0% and 100%; `elo_error` is half the width of its 95% interval (None with it,
    and while all pairs have ended alike); `los` the likelihood that the first agent
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
