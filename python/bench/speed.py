"""How fast the package is, on one thread: random games, probes of a tablebase, and moves of a Python agent.

    python bench/speed.py

Ratios are against OpenSpiel's mancala stepped from Python, where it is installed; PettingZoo's own classic games stand beside
ours under its wrappers. Machines are noisy: every figure is the best of several runs, in the process's own time.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import numpy as np

import kalahari

GAME = kalahari.Game("kalah:6x4")


def best(work: Callable[[], int], runs: int = 5) -> float:
    """The most of its units that some work does in a second of this process's time."""
    most = 0.0
    for _ in range(runs):
        begin = time.process_time()
        units = work()
        most = max(most, units / (time.process_time() - begin))
    return most


def stepped_one_by_one(count: int = 500) -> int:
    """Games stepped from Python, one position at a time."""
    for _ in range(count):
        position = GAME.start()
        while not position.is_over:
            position = position.play(random.choice(position.legal_moves()))
    return count


def one_call_a_game(count: int = 2_000) -> int:
    """Games inside Rust, one call each."""
    start = kalahari.Batch(GAME, 1)
    for seed in range(count):
        start.playouts(seed)
    return count


def stepped_in_batches(count: int = 100_000) -> int:
    """Games stepped from Python a batch at a time: legal moves, a choice by numpy, play."""
    rng = np.random.default_rng(1)
    batch = kalahari.Batch(GAME, count)
    step = 0
    while len(batch):
        batch.advance(kalahari.random_actions(batch, rng))
        step += 1
        if step % 4 == 0:
            batch = batch[~batch.is_over()]
    return count


def inside_rust(count: int = 100_000) -> int:
    """Games inside Rust, all in one call."""
    kalahari.Batch(GAME, count).playouts(1)
    return count


def openspiel(count: int = 500) -> int:
    """OpenSpiel's mancala stepped from Python."""
    import pyspiel

    game = pyspiel.load_game("mancala")
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
    return count


def pettingzoo_games() -> dict[str, Callable[[], int]]:
    """Moves of PettingZoo environments under their wrappers: ours and its own."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    from kalahari import pettingzoo

    def mover(make: Callable[[], object]) -> Callable[[], int]:
        def work(moves: int = 3_000) -> int:
            environment = make()
            environment.reset(seed=1)  # type: ignore[attr-defined]
            for _ in range(moves):
                observation, _, termination, truncation, _ = environment.last()  # type: ignore[attr-defined]
                if termination or truncation:
                    environment.reset()  # type: ignore[attr-defined]
                    continue
                legal = np.flatnonzero(observation["action_mask"])
                environment.step(int(random.choice(legal)))  # type: ignore[attr-defined]
            return moves

        return work

    return {
        "kalahari kalah:6x4": mover(lambda: pettingzoo.env("kalah:6x4")),
        "kalahari isolation:queen": mover(lambda: pettingzoo.env("isolation:queen")),
        "its tictactoe": mover(lambda: tictactoe_v3.env()),
        "its connect_four": mover(lambda: connect_four_v3.env()),
    }


def probes(table: kalahari.Tablebase, batch: kalahari.Batch) -> Callable[[], int]:
    """Probes of a tablebase, a numpy array at a time."""

    def work() -> int:
        values = table.probe_batch(batch)
        assert (values != kalahari.UNKNOWN).all()
        return len(batch)

    return work


def endings(count: int, seeds: int) -> kalahari.Batch:
    """Positions of random games with at most so many seeds in the pits."""
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
    rows: list[tuple[str, float]] = [
        ("kalahari, stepped, one position at a time", best(stepped_one_by_one)),
        ("kalahari, one call a game, inside Rust", best(one_call_a_game)),
        ("kalahari, stepped, a batch at a time", best(stepped_in_batches)),
        ("kalahari, one call for all, inside Rust", best(inside_rust)),
    ]
    try:
        theirs = best(openspiel)
        rows.append(("OpenSpiel mancala, stepped", theirs))
    except ImportError:
        theirs = float("nan")
        print("OpenSpiel is not installed, so there is nothing to compare with.")
    print(f"{'random games of kalah:6x4, one thread':<46} {'games/s':>12} {'ratio':>8}")
    for name, speed in rows:
        print(f"{name:<46} {speed:>12,.0f} {speed / theirs:>8.1f}")
    try:
        environments = pettingzoo_games()
    except ImportError:
        print("PettingZoo's classic games are not installed.")
    else:
        print(f"\n{'PettingZoo environments':<46} {'moves/s':>12}")
        for name, work in environments.items():
            print(f"{name:<46} {best(work):>12,.0f}")
    table = kalahari.Tablebase.build("kalah:6x4", 14)
    batch = endings(60_000, 14)
    print(f"\nprobes of a tablebase, numpy: {best(probes(table, batch)) / 1e6:.1f} million a second ({len(batch)} positions)")
    print(f"overhead of a Python function in a match: {overhead() * 1e6:.1f} us a move")


if __name__ == "__main__":
    main()
