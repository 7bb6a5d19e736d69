"""Measures how fast the package is, on one thread: random games, probes of a tablebase, and moves of a Python agent.

    python bench/speed.py

Ratios are relative to OpenSpiel's mancala stepped from Python, if it is installed; PettingZoo's own classic games are compared
with ours under its wrappers. Machines are noisy, so all variants take turns; every figure is the median of several turns, in the
processor time of the process.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import kalahari

GAME = kalahari.Game("kalah:6x4")
BATCH = 65_536
"""Positions of a batch: so many that the cost of calling numpy does not matter."""
MOVES = kalahari.Batch(GAME, 10_000).playouts(1)[1] / 10_000
"""The average number of moves in a random game, for variants that do not count them."""


Done = tuple[int, int]
"""Games and moves that were played."""


def spent(work: Callable[[], Done]) -> tuple[float, float]:
    """Games and moves a second of this process's time."""
    begin = time.process_time()
    games, moves = work()
    seconds = time.process_time() - begin
    return games / seconds, moves / seconds


def best(work: Callable[[], int], runs: int = 5) -> float:
    """The largest number of units that the work does in a second of this process's time."""
    most = 0.0
    for _ in range(runs):
        begin = time.process_time()
        units = work()
        most = max(most, units / (time.process_time() - begin))
    return most


def stepped_one_by_one(games: int = 400) -> Done:
    """Games stepped from Python, one position at a time."""
    moves = 0
    for _ in range(games):
        position = GAME.start()
        while not position.is_over:
            position = position.play(random.choice(position.legal_moves()))
            moves += 1
    return games, moves


def stepped_in_batches(games: int = BATCH) -> Done:
    """Games stepped from Python a batch at a time: the legal moves, a choice by numpy, play."""
    rng = np.random.default_rng(1)
    for _ in range(games // BATCH):
        batch = kalahari.Batch(GAME, BATCH)
        while len(batch):
            # Games that are over stay as they are, and are removed every fourth move.
            for _ in range(4):
                batch.advance(kalahari.random_actions(batch, rng))
            batch = batch[~batch.is_over()]
    return games, round(games * MOVES)


def one_call_a_game(games: int = 20_000) -> Done:
    """Games inside Rust, one call each."""
    start = kalahari.Batch(GAME, 1)
    return games, sum(start.playouts(seed)[1] for seed in range(games))


def inside_rust(games: int = 100_000) -> Done:
    """Games inside Rust, all in one call."""
    return games, kalahari.Batch(GAME, games).playouts(1)[1]


def openspiel(games: int = 400) -> Done:
    """OpenSpiel's mancala stepped from Python."""
    import pyspiel

    game = pyspiel.load_game("mancala")
    moves = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            moves += 1
    return games, moves


def pettingzoo_games() -> dict[str, Callable[[], Done]]:
    """PettingZoo environments under their wrappers: ours and its own."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    from kalahari import pettingzoo

    def player(make: Callable[[], Any], games: int) -> Callable[[], Done]:
        def work() -> Done:
            environment = make()
            moves = 0
            for seed in range(games):
                environment.reset(seed=seed)
                while True:
                    observation, _, termination, truncation, _ = environment.last()
                    if termination or truncation:
                        break
                    legal = np.flatnonzero(observation["action_mask"])
                    environment.step(int(random.choice(legal)))
                    moves += 1
            return games, moves

        return work

    return {
        "PettingZoo: ours, kalah:6x4": player(lambda: pettingzoo.env("kalah:6x4"), 60),
        "PettingZoo: ours, isolation:queen": player(lambda: pettingzoo.env("isolation:queen"), 60),
        "PettingZoo: its tictactoe": player(tictactoe_v3.env, 300),
        "PettingZoo: its connect_four": player(connect_four_v3.env, 100),
    }


def probes(table: kalahari.Tablebase, batch: kalahari.Batch) -> Callable[[], int]:
    """Probes of a tablebase, a numpy array at a time."""

    def work() -> int:
        values = table.probe_batch(batch)
        assert (values != kalahari.UNKNOWN).all()
        return len(batch)

    return work


def endings(count: int, seeds: int) -> kalahari.Batch:
    """Positions of random games with at most `seeds` seeds in the pits."""
    rng = np.random.default_rng(2)
    batch = kalahari.Batch(GAME, count)
    found = []
    while len(batch):
        batch.advance(kalahari.random_actions(batch, rng))
        batch = batch[~batch.is_over()]
        board = batch.to_array()
        few = board[:, :6].sum(axis=1) + board[:, 7:13].sum(axis=1) <= seeds
        found.append((board[few], batch.movers()[few]))
    houses = np.concatenate([board for board, _ in found])
    movers = np.concatenate([movers for _, movers in found])
    return kalahari.Batch.from_array(GAME, houses, movers)


def overhead() -> float:
    """Seconds that the arena adds to a move of a Python function (median)."""
    own: list[float] = []

    def clocked(position: kalahari.Position, limits: kalahari.Limits) -> int:
        begin = time.perf_counter()
        move: int = position.legal_moves()[0]
        own.append(time.perf_counter() - begin)
        return move

    result = kalahari.match(clocked, "level:1", game=GAME, games=400, openings="random:4")
    taken = []
    for record in result.records:
        position = GAME.start()
        for move, micros in zip(record["moves"].split(), record["times"]):
            player = record["first"] if position.mover == 0 else record["second"]
            if micros is not None and player == result.agents[0]:
                taken.append(micros * 1e-6)
            position = position.play(int(move))
    added: float = statistics.median(taken) - statistics.median(own)
    return added


def main() -> None:
    """Prints the tables."""
    works: dict[str, Callable[[], Done]] = {
        "inside Rust, one call for all": inside_rust,
        "inside Rust, one call a game": one_call_a_game,
        f"stepped from Python, {BATCH} games at a time": stepped_in_batches,
        "stepped from Python, one position at a time": stepped_one_by_one,
    }
    theirs = "OpenSpiel's mancala, stepped from Python"
    try:
        openspiel(1)
        works[theirs] = openspiel
    except ImportError:
        print("OpenSpiel is not installed, so there is nothing to compare with.")
    try:
        works.update(pettingzoo_games())
    except ImportError:
        print("PettingZoo's classic games are not installed.")
    # Turn by turn, so that a busy moment affects all variants.
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _ in range(9):
        for name, work in works.items():
            runs[name].append(spent(work))
    print(f"{'random games, kalah:6x4 unless named, one thread':<50} {'games/s':>12} {'moves/s':>12} {'times OpenSpiel':>16}")
    for name, seen in runs.items():
        games, moves = (statistics.median(column) for column in zip(*seen))
        ratio = ""
        if theirs in runs and not name.startswith("PettingZoo"):
            # A ratio for every turn, so that both sides ran under the same conditions.
            ratio = f"{statistics.median(one[0] / other[0] for one, other in zip(seen, runs[theirs])):.1f}"
        print(f"{name:<50} {games:>12,.0f} {moves:>12,.0f} {ratio:>16}")
    table = kalahari.Tablebase.build("kalah:6x4", 14)
    batch = endings(60_000, 14)
    print(f"\nprobes of a tablebase, numpy: {best(probes(table, batch)) / 1e6:.1f} million a second ({len(batch)} positions)")
    print(f"overhead of a Python function in a match: {overhead() * 1e6:.1f} us a move")


if __name__ == "__main__":
    main()
