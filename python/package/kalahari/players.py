"""Players, what they think of a position, and what is proven.

>>> import kalahari
>>> position = kalahari.Game("kalah:6x4").start()
>>> kalahari.solve(position).value                     # the first player wins by 8 seeds
8
>>> kalahari.analyse(position, nodes=20_000).best
2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from . import _checks, _native
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


_T = TypeVar("_T")


def agent(spec: str, *, seed: int = 1) -> Agent:
    """The agent of a spec, as on the command line; "NAME=SPEC" gives it a name. `agents()` lists what there is.

    >>> agent("mcts:alpha=0.9,playouts=100").spec
    'mcts:alpha=0.9,playouts=100'
    >>> agent("deep=engine:depth=9").name
    'deep'
    >>> agent("nobody")
    Traceback (most recent call last):
    ...
    ValueError: bad agent 'nobody': no agent 'nobody'; there are ...
    """
    return Agent(_checks.text("spec", spec), seed=seed)


def agents() -> dict[str, str]:
    """All kinds of agents: their names, what they are, and their options.

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
        if key == "time" and not isinstance(value, str):
            value = f"{round(_checks.number(key, value, 0, 1e9) * 1e6)}us"
        words.append(f"{key.replace('_', '-')}={_option(value)}")
    return f"{name}:{','.join(words)}" if words else name


class _Thinker(Agent):
    """An agent of one kind, whose options are those of its spec; `time` in seconds or as "100ms"."""

    kind: ClassVar[str]

    def __new__(cls, *, seed: int = 1, **options: Any) -> Self:
        return super().__new__(cls, _spec(cls.kind, options), seed=seed)


class Engine(_Thinker):
    """The strongest player, a principal variation search. `print(agents()["engine"])` lists its options; `time` is in seconds
    or a text such as "100ms".

    >>> Engine(depth=6, eval="stores").spec
    'engine:depth=6,eval=stores'
    """

    kind = "engine"


class Mcts(_Thinker):
    """Monte Carlo tree search. `print(agents()["mcts"])` lists its options.

    >>> Mcts(playouts=1000, alpha=0.9).spec
    'mcts:playouts=1000,alpha=0.9'
    """

    kind = "mcts"


class Minimax(_Thinker):
    """Plain minimax, as taught in a course. Its main options are `depth` and `eval`.

    >>> Minimax(depth=3).spec
    'minimax:depth=3'
    """

    kind = "minimax"


class AlphaBeta(_Thinker):
    """Plain alpha-beta, as taught in a course. Its main options are `depth` and `eval`.

    >>> AlphaBeta(depth=4).spec
    'alphabeta:depth=4'
    """

    kind = "alphabeta"


class Perfect(_Thinker):
    """Plays moves that are proven best by opening book, tablebase and solver, if there is time to prove them.

    >>> Perfect().spec
    'perfect'
    """

    kind = "perfect"


class Random(Agent):
    """Plays any legal move at random.

    >>> import kalahari
    >>> Random(seed=5).move(kalahari.Game("kalah:6x4").start()) in range(6)
    True
    """

    def __new__(cls, *, seed: int = 1) -> Random:
        return super().__new__(cls, "random", seed=seed)


class Level(Agent):
    """An opponent of a strength from 0 to 12: 0 plays at random, others search that many moves ahead.

    >>> Level(3).spec
    'level:3'
    >>> Level(99)
    Traceback (most recent call last):
    ...
    ValueError: level must be from 0 to 12, not 99
    """

    def __new__(cls, level: int, *, seed: int = 1) -> Level:
        return super().__new__(cls, f"level:{_checks.whole('level', level, 0, 12)}", seed=seed)


class Ugi(Agent):
    """A program that speaks the universal game interface (UGI), by the command that starts it.

    >>> Ugi("python3 mine.py").spec
    'ugi:python3 mine.py'
    """

    def __new__(cls, command: str) -> Ugi:
        return super().__new__(cls, f"ugi:{_checks.text('command', command)}")


@dataclass(frozen=True)
class Score:
    """What a position or a move is worth to the player to move.

    `unit` says what `value` counts: "margin" (of the finished game), "result" (1, 0 or -1), an estimate in "seeds", "cells" or
    "points", or "winshare" (0 to 1). `proven` says whether it is certain; then `print` adds an exclamation mark.

    >>> print(Score(-4.0, "margin", True))
    -4 margin!
    """

    value: float
    unit: str
    proven: bool

    def __str__(self) -> str:
        return f"{self.value:+g} {self.unit}{'!' if self.proven else ''}"


@dataclass(frozen=True)
class Analysis:
    """What a search has found. Scores are for the player to move.

    - `best`: the best move; None only when the game is over
    - `score`: what the position is worth
    - `line`: best play from here, beginning with `best`
    - `moves`: the score of every legal move; None for moves that the search says nothing about
    - `depth`: how deep the search went, in plies
    - `nodes`, `seconds`: what it took
    - `final`: False for the reports of `analyse_steps` that come before the answer

    >>> import kalahari
    >>> found = kalahari.analyse(kalahari.Game("kalah:6x4").start(), nodes=5000)
    >>> sorted(found.moves), found.line[0] == found.best
    ([0, 1, 2, 3, 4, 5], True)
    """

    position: Position = field(repr=False)
    best: int | str | None
    score: Score
    line: list[int | str]
    moves: dict[int | str, Score | None]
    depth: int
    nodes: int
    seconds: float
    final: bool = True

    @property
    def proven(self) -> bool:
        """Whether the score is proven.

        >>> import kalahari
        >>> kalahari.analyse(kalahari.Game("kalah:6x6").start(), nodes=100).proven
        False
        """
        return self.score.proven


def _every_move(position: Position, known: dict[int | str, _T], wanted: bool) -> dict[int | str, _T | None]:
    """What is known about every legal move, None where nothing is known; empty if it was not asked for."""
    return {move: known.get(move) for move in position.legal_moves()} if wanted else {**known}


def _analysis(position: Position, found: dict[str, Any], final: bool, all_moves: bool) -> Analysis:
    scores = {move: Score(*score) for move, score in found["moves"]}
    return Analysis(
        position=position,
        best=found["best"],
        score=Score(*found["score"]),
        line=found["line"],
        moves=_every_move(position, scores, all_moves),
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
    """Like `analyse`, but reports what is found after every depth. The last report, which is `final`, is the answer.

    The search ends when you stop iterating.

    >>> import kalahari
    >>> start = kalahari.Game("isolation:queen").start()
    >>> depths = [step.depth for step in analyse_steps(start, depth=4)]
    >>> depths == sorted(depths) and depths[-1]
    4
    """
    if time is None and nodes is None and depth is None:
        time = 1.0
    limits = Limits(depth=depth, nodes=nodes, time=time)
    if agent is not None and not isinstance(agent, (str, Agent)):
        raise TypeError(f"an agent that analyses must be a spec or one of ours, such as kalahari.Engine(), not {type(agent).__name__}")
    who = Agent(agent) if isinstance(agent, str) else agent
    megabytes = _checks.whole("hash", hash, 1, 1 << 16)
    at = _checks.position(position)
    search = _native.Search(at, limits, agent=who, all_moves=bool(all_moves), hash=megabytes)
    return _steps(at, search, bool(all_moves))


def _steps(position: Position, search: _native.Search, all_moves: bool) -> Iterator[Analysis]:
    try:
        for found, final in search:
            yield _analysis(position, found, final, all_moves)
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
    """What a position and each of its moves are worth, searched within limits: `time` (one second if no limit is given), `nodes` or
    `depth`.

    Without an `agent` the engine searches every move separately, so each has its own score. With `all_moves=False` it searches only
    for the best move, which is faster. `hash` is the memory for the search in MiB. Ctrl-C stops it.

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
    """What is proven about a position. Values are margins of the finished game for the player to move, stores included.

    - `value`: the value under best play; None if there was not enough time to prove it
    - `lower`, `upper`: the proven bounds of the value
    - `best`, `line`: a best move, and best play from here
    - `moves`: the value of every legal move; None for moves whose value is not proven
    - `nodes`, `seconds`: what it took
    - `source`: "rules" (the game is over), "book", "tablebase" or "solver"

    >>> import kalahari
    >>> solution = kalahari.solve(kalahari.Game("kalah:3x2").start())
    >>> solution.value, solution.moves
    (4, {0: -8, 1: 4, 2: 0})
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
        """Whether the value is proven.

        >>> import kalahari
        >>> kalahari.solve(kalahari.Game("kalah:3x2").start()).proven
        True
        """
        return self.value is not None


def _solution(position: Position, proof: dict[str, Any], moves: bool) -> Solution:
    lower, upper = proof["lower"], proof["upper"]
    proven = {move: low for move, low, high in proof["moves"] if low == high}
    return Solution(
        position=position,
        value=lower if lower == upper else None,
        lower=lower,
        upper=upper,
        best=proof["best"],
        line=proof["line"],
        moves=_every_move(position, proven, moves),
        nodes=proof["nodes"],
        seconds=proof["seconds"],
        source=proof["source"],
    )


class Solver:
    """Proves the values of many positions of one game. It keeps its tables and what it has proven for the next position.

    >>> import kalahari
    >>> game = kalahari.Game("kalah:3x2")
    >>> solver = Solver(game)
    >>> [solution.value for solution in solver.solve_all([game.start(), game.start().play(1)])]
    [4, 4]

    `threads` is the number of cores if left out. `memory` is what the table of proven positions takes, in bytes, and `tablebase` the seeds
    of the tablebase that is built first (0 for none); if left out, both are what suits the positions and fits into memory.
    With `book=False` opening books are not used.
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
        self.game = _checks.game(game)
        self._solver = _native.Solver(self.game, threads=threads, memory=memory, book=bool(book), tablebase=tablebase)

    def solve(
        self,
        position: Position,
        *,
        time: float | str | None = None,
        nodes: int | None = None,
        moves: bool = True,
    ) -> Solution:
        """Proves the value of a position and, unless `moves=False`, of each of its moves. If `time` or `nodes` run out, `lower` and
        `upper` are what is proven by then. At most a third of the time goes into building tables, which stay for the next call.

        >>> import kalahari
        >>> solver = Solver("kalah:3x2")
        >>> solver.solve(kalahari.Game("kalah:3x2").start(), time="10s").value
        4
        """
        limits = Limits(time=time, nodes=nodes)
        at = _checks.position(position)
        return _solution(at, self._solver.prove(at, limits, moves=bool(moves)), bool(moves))

    def solve_all(
        self,
        positions: Iterable[Position],
        *,
        time: float | str | None = None,
        nodes: int | None = None,
        moves: bool = True,
        at_once: int = 1,
    ) -> list[Solution]:
        """Proves many positions, `at_once` of them at the same time. The limits are for each of them.

        >>> import kalahari
        >>> game = kalahari.Game("kalah:3x2")
        >>> [solution.value for solution in Solver(game).solve_all([game.start(), game.start().play(0)], at_once=2)]
        [4, 8]
        """
        limits = Limits(time=time, nodes=nodes)
        all_positions = _checks.positions(positions)
        proofs = self._solver.prove_all(all_positions, limits, moves=bool(moves), at_once=at_once)
        return [_solution(position, proof, bool(moves)) for position, proof in zip(all_positions, proofs)]


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
    """Proves the exact value of a position and of each of its moves. Ctrl-C stops it.

    >>> import kalahari
    >>> solve(kalahari.Game("isolation:4x5").start()).value
    0

    With `time` or `nodes` it stops early, and `lower` and `upper` are what is proven by then; at most a third of the time goes into
    building tables. See `Solver` for the other options, and use one for many positions, since it keeps its tables.
    """
    solver = Solver(_checks.position(position).game, threads=threads, memory=memory, book=book, tablebase=tablebase)
    return solver.solve(position, time=time, nodes=nodes, moves=moves)
