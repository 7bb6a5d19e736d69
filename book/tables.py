#!/usr/bin/env python3
"""The tables of the agent chapters, made from the agents of examples/book. Called by scripts/book.

A chapter has a table between `<!-- table NAME -->` and `<!-- end -->`. Without --quick the tables are measured and written there.
With --quick they are measured with fewer games and compared with what is there: a score that differs by more than both errors
together, or a node count that differs at all, ends with status 1.
"""

import argparse
import importlib
import json
import math
import os
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AGENTS = ROOT / "examples" / "book"
CHAPTERS = ROOT / "book" / "src" / "agents"

# Table: the game, the limits, and who meets whom.
MATCHES = {
    "greedy": ("kalah:6x4", [], [("a02_greedy", "a01_random")]),
    "minimax": ("kalah:6x4", [], [("a03_minimax", "a02_greedy")]),
    "alphabeta": ("kalah:6x4", [], [("a04_alphabeta", "a03_minimax")]),
    "ordering": ("kalah:6x4", [], [("a05_ordering", "a04_alphabeta")]),
    "deepening": ("kalah:6x4", ["--time", "50ms"], [("a06_deepening", "a05_ordering")]),
    "transpositions": ("kalah:6x4", ["--time", "50ms"], [("a07_table", "a06_deepening")]),
    "evaluation": ("kalah:6x6", [], [("a08_weighted", "a09_stores")]),
    "mcts": ("kalah:6x4", ["--time", "50ms"], [("a10_mcts", "a02_greedy"), ("a10_mcts", "a05_ordering")]),
    "backups": ("kalah:6x4", ["--time", "50ms"], [("a11_backups", "a10_mcts"), ("a11_backups", "a05_ordering")]),
    "isolation": ("isolation:7x7:queen", [], [("b02_reach", "b01_mobility")]),
}
GAMES, QUICK_GAMES = 100, 20

# Table: the agents whose nodes are counted, the depths, and whether all smaller depths are searched before.
NODES = {
    "nodes-alphabeta": (["a03_minimax", "a04_alphabeta"], [2, 4, 6], False),
    "nodes-ordering": (["a04_alphabeta", "a05_ordering"], [4, 6, 8], False),
    "nodes-table": (["a06_deepening", "a07_table"], [6, 8, 10], True),
}
POSITIONS = 20


def sample_boards():
    """Boards of kalah:6x4 after eight random moves, always the same."""
    kalah = importlib.import_module("kalah")
    chance = random.Random(1)
    boards = []
    while len(boards) < POSITIONS:
        board = ((4,) * 6, 0, (4,) * 6, 0)
        for _ in range(8):
            board, _ = kalah.play(board, chance.choice(kalah.moves(board)))
        if kalah.moves(board):
            boards.append(board)
    return boards


def count_nodes(name, depths, boards):
    agent = importlib.import_module(name)
    agent.nodes = 0
    for board in boards:
        if hasattr(agent, "table"):
            agent.table.clear()
        for depth in depths:
            # Agents with a clock are given all the time in the world.
            agent.best(board, depth, math.inf) if "deadline" in agent.best.__code__.co_varnames else agent.best(board, depth)
    return agent.nodes // len(boards)


def nodes_table(agents, depths, deepening):
    boards = sample_boards()
    rows = [["depth"] + [f"`{name}.py`" for name in agents] + ["ratio"]]
    for depth in depths:
        searched = range(1, depth + 1) if deepening else [depth]
        counts = [count_nodes(name, searched, boards) for name in agents]
        rows.append([str(depth)] + [f"{count:,}" for count in counts] + [f"{counts[0] / counts[-1]:.1f}"])
    return rows


def play(program, game, limits, first, second, games):
    command = [program, "match", str(AGENTS / f"{first}.py"), str(AGENTS / f"{second}.py"), "--game", game]
    command += ["--games", str(games), "--json", *limits]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{' '.join(command)}\n{answer.stderr}")
    return json.loads(answer.stdout.splitlines()[-1])


def error_of(result):
    """Half the 95% interval of the score, from pairs; a match without a lost pair still has one."""
    pairs = result["pentanomial"]
    count = sum(pairs)
    scores = [points / 4 for points in range(5)]
    mean = sum(number * score for number, score in zip(pairs, scores)) / count
    spread = sum(number * (score - mean) ** 2 for number, score in zip(pairs, scores)) / count
    return 1.96 * math.sqrt(max(spread, 0.25 / count) / count)


def match_table(program, game, limits, meetings, games):
    rows = [["player", "opponent", "game", "won, drawn, lost", "score"]]
    for first, second in meetings:
        result = play(program, game, limits, first, second, games)
        tally = f"{result['wins']}, {result['draws']}, {result['losses']}"
        score = f"{100 * result['score']:.1f} % ± {100 * error_of(result):.1f}"
        rows.append([f"`{first}.py`", f"`{second}.py`", " ".join([f"`{game}`", *limits]), tally, score])
    return rows


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def said_of(text, name):
    found = re.search(rf"<!-- table {name} -->\n(.*?)<!-- end -->", text, re.S)
    return found.group(1) if found else None


def numbers(line):
    score = re.search(r"([\d.]+) % ± ([\d.]+)", line)
    return tuple(map(float, score.groups())) if score else line


def agree(old, new):
    """Whether two tables say the same: scores within their errors, everything else to the letter."""
    old = [line for line in old.splitlines() if line.startswith("|")]
    new = [line for line in new.splitlines() if line.startswith("|")]
    if len(old) != len(new):
        return False
    for one, other in zip(map(numbers, old), map(numbers, new)):
        if isinstance(one, tuple) and isinstance(other, tuple):
            if abs(one[0] - other[0]) > one[1] + other[1]:
                return False
        elif one != other:
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer games, and compare instead of writing")
    parser.add_argument("--only", help="tables, separated by commas")
    options = parser.parse_args()
    program = os.environ.get("KALAHARI") or "kalahari"
    version = subprocess.run([program, "-V"], capture_output=True, text=True, check=True).stdout.strip()
    sys.path.insert(0, str(AGENTS))
    sys.setrecursionlimit(10_000)
    chapters = {path: path.read_text() for path in sorted(CHAPTERS.glob("*.md"))}
    games = QUICK_GAMES if options.quick else GAMES
    wrong = []
    for name in [*NODES, *MATCHES]:
        if options.only and name not in options.only.split(","):
            continue
        place = next((path for path, text in chapters.items() if said_of(text, name) is not None), None)
        if place is None:
            sys.exit(f"no chapter has a table {name}")
        if name in NODES:
            rows, how = nodes_table(*NODES[name]), f"nodes of {POSITIONS} positions, on average"
        else:
            rows, how = match_table(program, *MATCHES[name], games), f"{games} games each"
        table = markdown(rows)
        print(f"{place.name}: {name}\n{table}\n", flush=True)
        if options.quick:
            if not agree(said_of(chapters[place], name), table):
                wrong.append(name)
            continue
        said = f"{table}\n\nMade by `scripts/book --tables` with {version}; {how}.\n"
        before, after = f"<!-- table {name} -->\n", "<!-- end -->"
        old = before + said_of(chapters[place], name) + after
        chapters[place] = chapters[place].replace(old, before + said + after)
        place.write_text(chapters[place])
    if wrong:
        sys.exit(f"these tables differ from the book by more than their errors: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
