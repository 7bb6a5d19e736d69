"""Makes objects again from their pickles."""

from __future__ import annotations

from ._native import Agent, Game, Limits, Position


def game(spec: str, any_total: bool) -> Game:
    """The game with this name."""
    return Game(spec, any_total=any_total)


def position(spec: str, any_total: bool, text: str) -> Position:
    """The position that a text describes."""
    return Game(spec, any_total=any_total).position(text)


def agent(spec: str, seed: int) -> Agent:
    """The agent that a spec names."""
    return Agent(spec, seed=seed)


def limits(
    depth: int | None,
    nodes: int | None,
    time: float | None,
    clock: float | None,
    increment: float | None,
) -> Limits:
    """Limits from their parts."""
    return Limits(depth=depth, nodes=nodes, time=time, clock=clock, increment=increment)
