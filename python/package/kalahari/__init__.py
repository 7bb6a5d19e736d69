"""Kalah and Isolation: rules, engine, solver and arena at the speed of Rust.

Games and positions
    >>> import kalahari
    >>> game = kalahari.Game("kalah:6x4")
    >>> position = game.start().play(2)
    >>> position.mover, position.legal_moves()
    (0, [0, 1, 3, 4, 5])

    A `Game` has a name such as "kalah:6x4", "kalah:6x6:empty-capture", "isolation:8x8" or "isolation:queen". A `Position`
    never changes: `play` returns a new one. Moves are numbers of pits (Kalah) or texts such as "c4" (Isolation). Players are
    0 and 1. A position draws itself with `print` and in a notebook; `animate` shows a whole game. A `Batch` holds up to
    millions of positions for numpy.

Players and exact values
    >>> kalahari.analyse(position, nodes=10_000).best
    5
    >>> kalahari.solve(position).value
    8

    `Engine`, `Mcts` and others are players; `agent("mcts:alpha=0.9")` makes any player from its spec, and `agents()` lists
    them. `analyse` estimates what a position and its moves are worth, and `solve` proves it. `Solver` is for many positions,
    `Tablebase` and `Book` look values up, and `dataset` makes a table of positions with exact values.

Which agent is better
    >>> def mine(position, limits):
    ...     return position.legal_moves()[-1]
    >>> result = kalahari.match(mine, "random", game="kalah:6x4", games=20)
    >>> result.games, 0 <= result.score <= 1
    (20, True)

    An agent is a function of a position and `Limits` that returns a legal move, an object with a method
    `move(position, limits)`, one of the players above, or a spec such as "engine:depth=6". `match` plays two agents against
    each other, and `tournament` more. `print(result)` reports Elo, its error and more; `result.frame()` is a table of all
    games, and `result.plot().figure.savefig("match.png")` draws them. With `db="games.db"` all games are kept, and a match
    that was stopped continues when it is called again. `Plays` says what else an agent may have, such as a name.
    `serve_ugi(mine)` turns an agent into an engine for other programs.

Other libraries
    `kalahari.pettingzoo`, `kalahari.gymnasium` and `kalahari.openspiel` are environments for learning. `kalahari.textplay` is
    a benchmark for language models, and `kalahari.cluster` spreads matches and data sets over many machines. Import each by
    its name, such as `import kalahari.textplay`.

Errors are ordinary exceptions: `TypeError` and `ValueError` for wrong arguments and illegal moves, `OSError` for files,
`MemoryError` if something does not fit, `RuntimeError` for an agent that fails. Ctrl-C stops everything that takes long, and
other Python threads keep running.
"""

from __future__ import annotations

from . import _processor

_processor.check()

from ._native import (  # noqa: E402
    UNKNOWN,
    Agent,
    Batch,
    Book,
    Game,
    Limits,
    Position,
    Tablebase,
    __version__,
)
from .arena import MatchResult, Meeting, Standing, Store, Tournament, html_report, match, tournament  # noqa: E402
from .batches import random_actions  # noqa: E402
from .data_sets import dataset  # noqa: E402
from .drawing import Animation, animate  # noqa: E402
from .hosting import Plays  # noqa: E402
from .players import (  # noqa: E402
    AlphaBeta,
    Analysis,
    Engine,
    Level,
    Mcts,
    Minimax,
    Perfect,
    Random,
    Score,
    Solution,
    Solver,
    Ugi,
    agent,
    agents,
    analyse,
    analyse_steps,
    solve,
)
from .serving import serve_ugi  # noqa: E402

__all__ = [
    "UNKNOWN",
    "Agent",
    "AlphaBeta",
    "Analysis",
    "Animation",
    "Batch",
    "Book",
    "Engine",
    "Game",
    "Level",
    "Limits",
    "MatchResult",
    "Mcts",
    "Meeting",
    "Minimax",
    "Perfect",
    "Plays",
    "Position",
    "Random",
    "Score",
    "Solution",
    "Solver",
    "Standing",
    "Store",
    "Tablebase",
    "Tournament",
    "Ugi",
    "__version__",
    "agent",
    "agents",
    "analyse",
    "analyse_steps",
    "animate",
    "dataset",
    "html_report",
    "match",
    "random_actions",
    "serve_ugi",
    "solve",
    "tournament",
]
