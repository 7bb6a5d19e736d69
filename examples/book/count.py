#!/usr/bin/env python3
"""Counts the nodes (positions looked at) of agents that are written like those of this folder.

    python3 examples/book/count.py a04_alphabeta.py my.py --depth 4 6 8
    python3 examples/book/count.py a06_deepening.py a07_table.py --depth 6 8 10 --deepening

A file that is not found is looked for in this folder, and so is every module that an agent imports and does not have beside it.
An agent needs a function `value(board, depth, ...)`, which is called once per node, and either `best(board, depth)`, perhaps with
a budget as a third parameter and a first guess as a fourth, or a constant DEPTH and `move(state)`. With --deepening the first guess is
the move of the depth before. The positions are always the same, so the counts are, too.
"""

import argparse
import importlib.util
import inspect
import math
import random
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
POSITIONS = 20


def sample_boards():
    """Boards of kalah:6x4 after eight random moves, always the same."""
    kalah = load(HERE / "kalah.py")
    chance = random.Random(1)
    boards = []
    while len(boards) < POSITIONS:
        board = ((4,) * 6, 0, (4,) * 6, 0)
        for _ in range(8):
            board, _ = kalah.play(board, chance.choice(kalah.moves(board)))
        if kalah.moves(board):
            boards.append(board)
    return boards


def load(path):
    """A file as a module. Modules of the same name in other folders stay apart."""
    known, old = set(sys.modules), list(sys.path)
    sys.path[:0] = [str(path.parent), str(HERE)]
    try:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path[:] = old
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).parent in (path.parent, HERE):
                del sys.modules[name]


def searcher(agent, guess):
    """A function (board, depth, move of the depth before) that makes the agent choose a move. With `guess` the agent is told that move."""
    if hasattr(agent, "best"):
        parameters = len(inspect.signature(agent.best).parameters)
        if parameters < 3:
            return lambda board, depth, _: agent.best(board, depth)
        no_limit = types.SimpleNamespace(time_ms=None, nodes=math.inf)
        budget = load(HERE / "a06_deepening.py").Budget(no_limit)
        if guess and parameters > 3:
            return lambda board, depth, first: agent.best(board, depth, budget, first)
        return lambda board, depth, _: agent.best(board, depth, budget)

    def search(board, depth, _):
        agent.DEPTH = depth
        own, store, other, other_store = board
        legal = [pit for pit, seeds in enumerate(own) if seeds]
        state = {"pits": own, "store": store, "opponent_pits": other, "opponent_store": other_store, "legal": legal}
        return agent.move(types.SimpleNamespace(**state))

    return search


def count_nodes(path, depths, boards, guess=True):
    """The nodes that an agent needs for all of these depths: the average of the boards."""
    agent = load(path)
    can_search = hasattr(agent, "best") or hasattr(agent, "DEPTH")
    if not hasattr(agent, "value") or not can_search:
        sys.exit(f"{path}: needs a function value, and either a function best or a constant DEPTH, as a04_alphabeta.py has")
    plain, nodes = agent.value, 0

    def counted(*arguments):
        nonlocal nodes
        nodes += 1
        return plain(*arguments)

    agent.value = counted
    search = searcher(agent, guess)
    for board in boards:
        if hasattr(agent, "table"):
            agent.table.clear()
        found = None
        for depth in depths:
            found = search(board, depth, found)
    return nodes // len(boards)


def table(paths, depths, deepening=False, guess=True):
    """A row per depth: the nodes of every agent, and those of the first divided by those of the last."""
    boards = sample_boards()
    rows = [["depth", *(f"`{path.name}`" for path in paths)] + ["ratio"] * (len(paths) > 1)]
    for depth in depths:
        searched = range(1, depth + 1) if deepening else [depth]
        counts = [count_nodes(path, searched, boards, guess) for path in paths]
        ratio = [f"{counts[0] / counts[-1]:.1f}"] if len(paths) > 1 else []
        rows.append([str(depth), *(f"{count:,}" for count in counts), *ratio])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agents", nargs="+", type=Path, help="Python files; those of this folder may be named from anywhere")
    parser.add_argument("--depth", nargs="+", type=int, default=[4, 6], help="the depths to search to [default: 4 6]")
    parser.add_argument("--deepening", action="store_true", help="search to all smaller depths first, and count those nodes, too")
    parser.add_argument("--no-guess", action="store_true", help="with --deepening: do not give `best` the move of the depth before")
    options = parser.parse_args()
    paths = [path if path.is_file() else HERE / path for path in options.agents]
    for path in paths:
        if not path.is_file():
            parser.error(f"there is no file {path}")
    sys.setrecursionlimit(10_000)
    rows = table([path.resolve() for path in paths], options.depth, options.deepening, not options.no_guess)
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.replace("`", "").rjust(width) for cell, width in zip(row, widths)))
    print(f"Nodes per position: the average of {POSITIONS} positions of kalah:6x4.")


if __name__ == "__main__":
    main()
