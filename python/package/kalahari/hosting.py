"""Agents written in Python.

An agent is any object with a method `move(position, limits)` that gives a legal move, or a plain function of these two:

>>> import kalahari
>>> def first(position, limits):
...     return position.legal_moves()[0]
>>> result = kalahari.match(first, "random", game="kalah:4x3", games=10, db=None)
>>> result.games
10

`Plays` says what else it may have.
"""

from __future__ import annotations

import ctypes
import threading
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol, Union

from . import identity
from ._native import Agent, Guest, Limits, Position


class Plays(Protocol):
    """An object that plays: what `match` wants of an agent. A plain function of the same two arguments does as well.

    >>> class Last:
    ...     name, version = "last", "1.2"
    ...     def move(self, position, limits):
    ...         return position.legal_moves()[-1]
    >>> import kalahari
    >>> kalahari.match(Last(), "random", game="kalah:4x3", games=10).agents
    ('guest:last 1.2', 'random')

    It may also have `name` and `version` (what tables and stores call it), `begin_game(seed)` (told before every game, so that
    random choices can be repeated), `deterministic` (True if it always answers alike, so that games are not repeated), and
    `identity()` (a text that takes the place of its attributes, see `kalahari.identity`).
    """

    def move(self, position: Position, limits: Limits, /) -> int | str:
        """A legal move."""
        ...


Playing = Union[str, Agent, Plays, Callable[[Position, Limits], Union[int, str]]]
"""Whoever can play: a spec, an agent of ours, an object with `move`, or a function."""


def functions(agent: Any) -> tuple[Any, Any]:
    """What to ask a Python agent for a move, and what to tell of a new game (or None)."""
    choose = getattr(agent, "move", None)
    if not callable(choose):
        choose = agent
    if not callable(choose):
        kind = type(agent).__name__
        raise TypeError(f"a {kind} is no agent: a spec, a function or an object with move(position, limits) is")
    begin = getattr(agent, "begin_game", None)
    return choose, begin if callable(begin) else None


class _Calls:
    """Knows which threads are in an agent's functions, so that Ctrl-C, which Python tells its first thread only, ends them."""

    def __init__(self) -> None:
        self.threads: set[int] = set()

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with an eye on it."""
        threads, this_thread = self.threads, threading.get_ident

        def called(*question: Any) -> Any:
            thread = this_thread()
            threads.add(thread)
            try:
                return function(*question)
            finally:
                threads.discard(thread)

        return called

    def interrupt(self) -> None:
        """Raises KeyboardInterrupt in all of them."""
        for thread in tuple(self.threads):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))


def is_python(agent: Any) -> bool:
    """Whether an agent is written in Python."""
    return not isinstance(agent, (str, Agent))


def invite(
    agent: Any, *, processes: int, errors: str, notes: list[str], stack: ExitStack, resumes: bool
) -> Agent | Guest:
    """An agent as matches take it. Processes that are started for it end with the stack."""
    if isinstance(agent, str):
        return Agent(agent)
    if isinstance(agent, Agent):
        return agent
    if errors not in {"raise", "forfeit"}:
        raise ValueError(f"errors are 'raise' or 'forfeit', not {errors!r}")
    choose, begin = functions(agent)
    name = identity.name_of(agent)
    try:
        checksum = identity.checksum(agent)
    except identity.Unknown as why:
        # Nobody else has this one, so nothing is resumed.
        checksum = f"unknown:{uuid.uuid4()}"
        if resumes:
            notes.append(f"nobody knows who {name} is ({why}), so its games are not resumed")
    if processes:
        from ._workers import Pool

        pool = Pool(agent, processes)
        stack.callback(pool.close)
        make, interrupt = pool.make, pool.kill
    else:
        calls = _Calls()
        pair = calls.of(choose), begin and calls.of(begin)
        interrupt = calls.interrupt

        def make() -> tuple[Any, Any]:
            return pair

    deterministic = bool(getattr(agent, "deterministic", False))
    return Guest(name, checksum, make, interrupt=interrupt, deterministic=deterministic, raises=errors == "raise")
