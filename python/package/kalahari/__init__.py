"""Kalah and Isolation: rules, engine, solver and arena at the speed of Rust.

Games and positions
    >>> import kalahari
    >>> game = kalahari.Game("kalah:6x4")
    >>> position = game.start().play(2)
    >>> position.mover, position.legal_moves()
    (0, [0, 1, 3, 4, 5])

    `Game`, `Position`, and `Batch` for a million positions at once. A name such as "kalah:6x4", "kalah:6x6:empty-capture",
    "isolation:8x8" or "isolation:queen" is a game. Moves are numbers of pits (Kalah) or texts such as "c4" (Isolation).
    A position draws itself in a notebook; `animate` shows a whole game.

Players and truth
    >>> kalahari.analyse(position, nodes=10_000).best
    5
    >>> kalahari.solve(position).value
    8

    `Engine`, `Mcts` and the others, or any spec by `agent("mcts:alpha=0.9")`; `analyse` and `analyse_steps`; `solve` and
    `Solver`; `Tablebase` and `Book`; `dataset`, positions with exact labels as a frame.

Which agent is better
    >>> def mine(position, limits):
    ...     return position.legal_moves()[-1]
    >>> result = kalahari.match(mine, "random", game="kalah:6x4", games=20)
    >>> result.games, 0 <= result.score <= 1
    (20, True)

    `match` and `tournament` take specs, agents of ours, functions and objects with `move(position, limits)`. Results have
    Elo, its error, LOS, pentanomial and SPRT, a `frame()` and a `plot()`; `db=` keeps the games. `print(result)` says it in
    words, and `result.plot().figure.savefig("match.png")` draws it. `Plays` says what else an agent may have, such as a name.
    `serve_ugi(mine)` makes an engine of an agent.

The field's interfaces
    `kalahari.pettingzoo`, `kalahari.gymnasium`, `kalahari.openspiel`, and `kalahari.textplay`, a bench for language models
    and other players of text. Each is imported by its name.

Errors are ordinary exceptions with the messages of the command line: `ValueError` for what does not exist, `OSError` for
files, `RuntimeError` for an agent that fails. Searches leave the interpreter free, and Ctrl-C stops them.
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
