"""Players of ours, what they think, and what is proven.

>>> import kalahari
>>> position = kalahari.Game("kalah:6x4").start()
>>> kalahari.solve(position).value                     # the first player wins by 8 seeds
8
>>> kalahari.analyse(position, nodes=20_000).best
2
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from . import _native
from ._native import Agent, Game, Limits, Position

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "AlphaBeta",
    "Analysis",
    "Engine",
    "Level",
    "Mcts",
    "Minimax",
    "Perfect",
    "Random",
    "Score",
    "Solution",
    "Solver",
    "Ugi",
    "agent",
    "agents",
    "analyse",
    "analyse_steps",
    "solve",
]


def agent(spec: str, *, seed: int = 1) -> Agent:
    """The agent of a spec, as on the command line (`agents()` lists them), with a name if it is "NAME=SPEC".

    >>> agent("mcts:alpha=0.9,playouts=100").spec
    'mcts:alpha=0.9,playouts=100'
    >>> agent("deep=engine:depth=9").name
    'deep'
    >>> agent("nobody")
    Traceback (most recent call last):
    ...
    ValueError: bad agent 'nobody': no agent 'nobody'; there are ...
    """
    return Agent(spec, seed=seed)


def agents() -> dict[str, str]:
    """The names of all agents, and what they and their options are.

    >>> "engine" in agents()
    True
    """
    return {name: f"{about}. Options: {options}" for name, about, options in _native.agent_kinds()}


def _option(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return str(value)


def _spec(name: str, options: dict[str, Any]) -> str:
    words = []
    for key, value in options.items():
        if value is None:
            continue
        if key == "time" and isinstance(value, (int, float)):
            value = f"{round(value * 1e6)}us"
        words.append(f"{key.replace('_', '-')}={_option(value)}")
    return f"{name}:{','.join(words)}" if words else name


class _Thinker(Agent):
    """An agent of one kind, whose options are those of its spec; `time` in seconds or as "100ms"."""

    kind: ClassVar[str]

    def __new__(cls, *, seed: int = 1, **options: Any) -> Self:
        return super().__new__(cls, _spec(cls.kind, options), seed=seed)


class Engine(_Thinker):
    """The strongest player: principal variation search. Options as in the spec (`agents()["engine"]` lists them); `time` in
    seconds or as "100ms".

    >>> Engine(depth=6, eval="stores").spec
    'engine:depth=6,eval=stores'
    """

    kind = "engine"


class Mcts(_Thinker):
    """Monte Carlo tree search. Options as in the spec (`agents()["mcts"]` lists them).

    >>> Mcts(playouts=1000, alpha=0.9).spec
    'mcts:playouts=1000,alpha=0.9'
    """

    kind = "mcts"


class Minimax(_Thinker):
    """Plain minimax, as in a course: `depth` and `eval`.

    >>> Minimax(depth=3).spec
    'minimax:depth=3'
    """

    kind = "minimax"


class AlphaBeta(_Thinker):
    """Plain alpha-beta, as in a course: `depth` and `eval`.

    >>> AlphaBeta(depth=4).spec
    'alphabeta:depth=4'
    """

    kind = "alphabeta"


class Perfect(_Thinker):
    """Proven best moves, by book, tablebase and solver.

    >>> Perfect().spec
    'perfect'
    """

    kind = "perfect"


class Random(Agent):
    """Any legal move."""

    def __new__(cls, *, seed: int = 1) -> Random:
        return super().__new__(cls, "random", seed=seed)


class Level(Agent):
    """The levels of the page: 0 is random, k is alpha-beta to depth k, up to 12.

    >>> Level(3).spec
    'level:3'
    """

    def __new__(cls, level: int, *, seed: int = 1) -> Level:
        return super().__new__(cls, f"level:{level}", seed=seed)


class Ugi(Agent):
    """Any program that speaks the universal game interface, by its command."""

    def __new__(cls, command: str) -> Ugi:
        return super().__new__(cls, f"ugi:{command}")


@dataclass(frozen=True)
class Score:
    """What a position or a move is worth to the player to move.

    `value` counts what `unit` says: "margin" (the final margin), "result" (1, 0 or -1), an estimate in "seeds", "cells" or
    "points" of an evaluation, or "winshare" (0 to 1). `proven` says that it is the truth.
    """

    value: float
    unit: str
    proven: bool

    def __str__(self) -> str:
        return f"{self.value:+g} {self.unit}{'!' if self.proven else ''}"


@dataclass(frozen=True)
class Analysis:
    """What a search has found. Scores are those of the player to move.

    `best` is None only when the game is over; `line` is best play, beginning with it; `moves` has every legal move's score,
    where they were asked for; `depth` is in plies; `final` tells the last report of a search from those on the way.
    """

    position: Position = field(repr=False)
    best: int | str | None
    score: Score
    line: list[int | str]
    moves: dict[int | str, Score]
    depth: int
    nodes: int
    seconds: float
    final: bool = True

    @property
    def proven(self) -> bool:
        """Whether the score is the truth."""
        return self.score.proven


def _analysis(position: Position, found: dict[str, Any], final: bool) -> Analysis:
    return Analysis(
        position=position,
        best=found["best"],
        score=Score(*found["score"]),
        line=found["line"],
        moves={move: Score(*score) for move, score in found["moves"]},
        depth=found["depth"],
        nodes=found["nodes"],
        seconds=found["seconds"],
        final=final,
    )


def analyse_steps(
    position: Position,
    *,
    time: float | str | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    agent: Agent | str | None = None,
    all_moves: bool = True,
    hash: int = 64,
) -> Iterator[Analysis]:
    """As `analyse`, but every finished depth is reported; the last one, `final`, is the answer.

    Whoever has seen enough stops iterating, and the search ends.

    >>> import kalahari
    >>> start = kalahari.Game("isolation:queen").start()
    >>> depths = [step.depth for step in analyse_steps(start, depth=4)]
    >>> depths == sorted(depths) and depths[-1]
    4
    """
    if time is None and nodes is None and depth is None:
        time = 1.0
    limits = Limits(depth=depth, nodes=nodes, time=time)
    who = Agent(agent) if isinstance(agent, str) else agent
    search = _native.Search(position, limits, agent=who, all_moves=all_moves, hash=hash)
    try:
        for found, final in search:
            yield _analysis(position, found, final)
            if final:
                return
    finally:
        search.stop()


def analyse(
    position: Position,
    *,
    time: float | str | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    agent: Agent | str | None = None,
    all_moves: bool = True,
    hash: int = 64,
) -> Analysis:
    """What a position and each of its moves are worth, within limits (one second if none are named).

    Without an `agent` every move is looked at by itself, so each has a score and a proof of its own. Ctrl-C stops it.

    >>> import kalahari
    >>> found = analyse(kalahari.Game("kalah:6x4").position("0 0 0 1 0 1 20 0 0 0 0 2 0 24 0"), depth=20)
    >>> found.best, found.proven, found.moves[5]
    (3, True, Score(value=-4.0, unit='margin', proven=True))
    """
    found = None
    for found in analyse_steps(
        position, time=time, nodes=nodes, depth=depth, agent=agent, all_moves=all_moves, hash=hash
    ):
        pass
    if found is None:
        raise RuntimeError("the search gave no answer")
    return found


@dataclass(frozen=True)
class Solution:
    """What is proven of a position. Values are final margins as the player to move sees them, stores included.

    `value` is None if there was no time: then `lower` and `upper` are all that is proven. `moves` has every legal move's
    value, None where it is not proven. `source` is "rules" (the game is over), "book", "tablebase" or "solver".
    """

    position: Position = field(repr=False)
    value: int | None
    lower: int
    upper: int
    best: int | str | None
    line: list[int | str]
    moves: dict[int | str, int | None]
    nodes: int
    seconds: float
    source: str

    @property
    def proven(self) -> bool:
        """Whether the value is known."""
        return self.value is not None


def _solution(position: Position, proof: dict[str, Any]) -> Solution:
    lower, upper = proof["lower"], proof["upper"]
    return Solution(
        position=position,
        value=lower if lower == upper else None,
        lower=lower,
        upper=upper,
        best=proof["best"],
        line=proof["line"],
        moves={move: low if low == high else None for move, low, high in proof["moves"]},
        nodes=proof["nodes"],
        seconds=proof["seconds"],
        source=proof["source"],
    )


class Solver:
    """Proves values of many positions of one game: it keeps its tables and what it has proven.

    >>> import kalahari
    >>> game = kalahari.Game("kalah:3x2")
    >>> solver = Solver(game)
    >>> [solution.value for solution in solver.solve_all([game.start(), game.start().play(1)])]
    [4, 4]

    `threads` are all cores if left out, `memory` (bytes) and `tablebase` (seeds; 0 for none) what suits the positions.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        threads: int | None = None,
        memory: int | None = None,
        book: bool = True,
        tablebase: int | None = None,
    ) -> None:
        self.game = Game(game) if isinstance(game, str) else game
        self._solver = _native.Solver(
            self.game, threads=threads, memory=memory, book=book, tablebase=tablebase
        )

    def solve(
        self,
        position: Position,
        *,
        time: float | str | None = None,
        nodes: int | None = None,
        moves: bool = True,
    ) -> Solution:
        """Proves a position and, with `moves`, each of its moves. Limits leave bounds where they cut it short."""
        limits = Limits(time=time, nodes=nodes)
        return _solution(position, self._solver.prove(position, limits, moves=moves))

    def solve_all(
        self,
        positions: list[Position],
        *,
        time: float | str | None = None,
        nodes: int | None = None,
        moves: bool = True,
        at_once: int = 1,
    ) -> list[Solution]:
        """Proves many positions, `at_once` of them at the same time. Limits are those of each."""
        limits = Limits(time=time, nodes=nodes)
        proofs = self._solver.prove_all(positions, limits, moves=moves, at_once=at_once)
        return [_solution(position, proof) for position, proof in zip(positions, proofs)]


def solve(
    position: Position,
    *,
    time: float | str | None = None,
    nodes: int | None = None,
    moves: bool = True,
    threads: int | None = None,
    memory: int | None = None,
    book: bool = True,
    tablebase: int | None = None,
) -> Solution:
    """Proves the exact value of a position and of each of its moves. Ctrl-C stops it. For many positions, use a `Solver`,
    whose options these are: tables are made before the limits begin to count.

    >>> import kalahari
    >>> solve(kalahari.Game("isolation:4x5").start()).value
    0
    """
    if not isinstance(position, Position):
        raise TypeError(f"a position is solved, such as game.start(), not a {type(position).__name__}")
    solver = Solver(position.game, threads=threads, memory=memory, book=book, tablebase=tablebase)
    return solver.solve(position, time=time, nodes=nodes, moves=moves)
