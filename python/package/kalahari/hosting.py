"""Agents written in Python.

An agent is any object with a method `move(position, limits)` that gives a legal move, or a plain function of these two:

>>> import kalahari
>>> def first(position, limits):
...     return position.legal_moves()[0]
>>> result = kalahari.match(first, "random", game="kalah:4x3", games=10, db=None)
>>> result.games
10

`Plays` says what else an agent may have.
"""

from __future__ import annotations

import ctypes
import threading
import time
import uuid
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol, Union

from . import identity
from ._native import Agent, Guest, Limits, Position


class Plays(Protocol):
    """What `match` asks of an agent: a method `move(position, limits)`. A function of these two arguments will do, too.

    >>> class Last:
    ...     name, version = "last", "1.2"
    ...     def move(self, position, limits):
    ...         return position.legal_moves()[-1]
    >>> import kalahari
    >>> kalahari.match(Last(), "random", game="kalah:4x3", games=10).agents
    ('guest:last 1.2', 'random')

    An agent may also have

    - `name` and `version`: what it is called in tables and stores
    - `begin_game(seed)`: called before every game, so that random choices can be repeated
    - `deterministic`: True if it always plays the same move in the same position
    - `identity()`: a text that stands for its attributes when a match is resumed (see `kalahari.identity`)
    """

    def move(self, position: Position, limits: Limits, /) -> int | str:
        """Returns a legal move: one of `position.legal_moves()`. `limits` says how long it may take (see `Limits`).

        >>> class First:
        ...     def move(self, position, limits):
        ...         return position.legal_moves()[0]
        """
        ...


Playing = Union[str, Agent, Plays, Callable[[Position, Limits], Union[int, str]]]
"""Anything that can play: a spec, an agent of ours, an object with `move`, or a function."""


def functions(agent: Any) -> tuple[Any, Any]:
    """The function that asks a Python agent for a move, and the one that starts a new game (or None)."""
    choose = getattr(agent, "move", None)
    if not callable(choose):
        choose = agent
    if not callable(choose):
        kind = type(agent).__name__
        raise TypeError(f"a {kind} is not an agent; an agent is a spec, a function, or an object with move(position, limits)")
    begin = getattr(agent, "begin_game", None)
    return choose, begin if callable(begin) else None


class _Calls:
    """Knows which threads are in an agent's functions and since when. Python raises KeyboardInterrupt only in its main thread, so this
    raises it in the others. It warns the user of an agent that thinks for longer than `patience` seconds."""

    def __init__(self, name: str, patience: float | None) -> None:
        self.name, self.patience = name, patience
        self.threads: dict[int, float] = {}

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, watched."""
        threads, this_thread, now = self.threads, threading.get_ident, time.monotonic

        def called(*question: Any) -> Any:
            thread = this_thread()
            threads[thread] = now()
            try:
                return function(*question)
            finally:
                threads.pop(thread, None)

        return called

    def watch(self) -> None:
        """Warns, once, of an agent that does not answer."""
        patience = self.patience
        if patience is None or not self.threads:
            return
        if time.monotonic() - min(self.threads.copy().values(), default=time.monotonic()) > patience:
            self.patience = None
            warnings.warn(
                f"{self.name} has been thinking about one move for more than {patience:g} seconds. Ctrl-C ends the match. "
                "With processes=True an agent that does not answer loses the game instead.",
                RuntimeWarning,
                stacklevel=4,
            )

    def interrupt(self) -> None:
        """Raises KeyboardInterrupt in all of them."""
        for thread in tuple(self.threads):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))


def is_python(agent: Any) -> bool:
    """Whether an agent is written in Python."""
    return not isinstance(agent, (str, Agent))


def invite(
    agent: Any,
    *,
    processes: int,
    patience: float | None,
    grace: float,
    errors: str,
    notes: list[str],
    stack: ExitStack,
    resumes: bool,
) -> Agent | Guest:
    """An agent as matches take it. Processes that are started for it end with the stack."""
    if isinstance(agent, str):
        return Agent(agent)
    if isinstance(agent, Agent):
        return agent
    choose, begin = functions(agent)
    name = identity.name_of(agent)
    try:
        checksum = identity.checksum(agent)
    except identity.Unknown as why:
        # No other agent has this checksum, so nothing is resumed.
        checksum = f"unknown:{uuid.uuid4()}"
        if resumes:
            notes.append(f"{name} cannot be told from other agents of its name ({why}), so its games are not resumed")
    watch = None
    if processes:
        from ._workers import Pool

        pool = Pool(agent, processes, patience, grace)
        stack.callback(pool.close)
        make, interrupt = pool.make, pool.kill
    else:
        calls = _Calls(name, patience)
        pair = calls.of(choose), begin and calls.of(begin)
        interrupt, watch = calls.interrupt, calls.watch

        def make() -> tuple[Any, Any]:
            return pair

    return Guest(
        name,
        checksum,
        make,
        interrupt=interrupt,
        watch=watch,
        deterministic=bool(getattr(agent, "deterministic", False)),
        raises=errors == "raise",
    )
