"""Agents written in Python, each in its own process, so that several games are played at once and none waits forever."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import queue
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from typing import Any

from . import hosting
from ._native import Late, Limits, Position

GRACE = 0.5
"""Seconds that an answer may be late before its process is ended. By then the arena has counted it as late."""


def _context() -> BaseContext:
    # A forked process already has the agent, even one from a notebook; elsewhere it has to be picklable.
    method = "fork" if sys.platform == "linux" else "spawn"
    return multiprocessing.get_context(method)


def _serve(connection: Connection, agent: Any) -> None:
    """The loop of a worker: one question, one answer."""
    # A terminal's Ctrl-C goes to every process. The one that plays the match reacts to it and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    choose, begin = hosting.functions(agent)
    parent = os.getppid()
    while True:
        try:
            # A forked worker holds the other end of the pipe, too, so it sees no end of input when its parent is killed.
            while not connection.poll(1.0):
                if os.getppid() != parent:
                    return
            kind, *question = connection.recv()
        except EOFError:
            return
        try:
            if kind == "begin":
                if begin is not None:
                    begin(*question)
                connection.send((True, None))
            else:
                connection.send((True, choose(*question)))
        except BaseException as error:
            text = "".join(traceback.format_exception(error))
            # A BaseException that is not an Exception, such as that of `exit()`, must not end the match, either.
            told = error if isinstance(error, Exception) else RuntimeError(f"it raised {type(error).__name__}: {error}")
            try:
                connection.send((False, (told, text)))
            except Exception:
                connection.send((False, (RuntimeError(str(error)), text)))


class _Worker:
    def __init__(self, context: BaseContext, agent: Any) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, agent), daemon=True)  # type: ignore[attr-defined]
        self.process.start()
        theirs.close()

    def ask(self, seconds: float | None, *question: Any) -> Any:
        """The answer to a question. A worker that does not answer within `seconds` is killed."""
        try:
            self.connection.send(question)
            # A worker that ends without an answer is noticed, too.
            if not multiprocessing.connection.wait([self.connection, self.process.sentinel], seconds):
                self.process.kill()
                self.process.join()
                raise Late(f"no answer within {seconds:g} s; its process was ended")
            good, answer = self.connection.recv()
        except (EOFError, OSError) as error:
            self.process.join(1)
            raise RuntimeError(f"the process of the agent ended (exit code {self.process.exitcode})") from error
        if good:
            return answer
        raised, text = answer
        raised.__notes__ = [*getattr(raised, "__notes__", []), f"in the agent's process:\n{text}"]
        raise raised

    def end(self) -> None:
        # A forked worker holds our end of the pipe, too, so it would not notice that we close it.
        self.connection.close()
        self.process.kill()
        self.process.join(1)


class Pool:
    """Processes of one agent, each used by one player at a time.

    `patience` is how many seconds an answer may take where no time is set; None to wait forever. `grace` is that of the arena.
    """

    def __init__(self, agent: Any, count: int, patience: float | None, grace: float) -> None:
        self.agent = agent
        self.patience = patience
        self.grace = grace
        self.context = _context()
        self.all = [_Worker(self.context, agent) for _ in range(count)]
        self.free: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        for worker in self.all:
            self.free.put(worker)

    def make(self) -> tuple[Any, Any]:
        """A player's functions: what to play, and what to do when a game begins."""
        player = _Player(self)
        return player.move, player.begin_game

    def kill(self) -> None:
        """Ends all processes, whatever they are doing. A caller that waits for one gets an error."""
        for worker in tuple(self.all):
            worker.process.kill()

    def close(self) -> None:
        """Ends all processes."""
        for worker in self.all:
            worker.end()

    def seconds(self, limits: Limits) -> float | None:
        """How long an answer may take before its process is ended."""
        times = [time for time in (limits.time, limits.clock) if time is not None]
        return min(times) + self.grace + GRACE if times else self.patience


class _Player:
    """Holds a worker from its first game to its end."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.worker: _Worker | None = None

    def _get(self) -> _Worker:
        if self.worker is None:
            self.worker = self.pool.free.get()
        if not self.worker.process.is_alive():
            self.pool.all.remove(self.worker)
            self.worker = _Worker(self.pool.context, self.pool.agent)
            self.pool.all.append(self.worker)
        return self.worker

    def begin_game(self, seed: int) -> None:
        self._get().ask(self.pool.patience, "begin", seed)

    def move(self, position: Position, limits: Limits) -> Any:
        if self.worker is not None and not self.worker.process.is_alive():
            # A new process would not know the game so far.
            raise RuntimeError(f"the process of the agent ended (exit code {self.worker.process.exitcode})")
        return self._get().ask(self.pool.seconds(limits), "move", position, limits)

    def __del__(self) -> None:
        if self.worker is not None:
            self.pool.free.put(self.worker)
