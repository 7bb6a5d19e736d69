"""Makes the suite of `kalahari.textplay`: random positions of several games, solved exactly.

    python tools/make_suite.py package/kalahari/data/textplay.json

The program always makes the same file: all random numbers come from one seed.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import kalahari

GAMES = (
    # A game, and the range of the number of moves from the start to its positions.
    ("kalah:4x3", 0, 8),
    ("kalah:6x4", 14, 30),
    ("kalah:6x4:empty-capture", 14, 30),
    ("isolation:5x5", 2, 10),
    ("isolation:4x4:classic", 0, 5),
    ("isolation:5x5:queen", 3, 8),
    ("isolation:5x6:knight", 3, 12),
)
EACH = 16
SEED = 18


def problems() -> list[dict[str, object]]:
    """Positions in which the choice matters, with the exact value of every move."""
    rng = random.Random(SEED)
    found: list[dict[str, object]] = []
    for spec, least, most in GAMES:
        game = kalahari.Game(spec)
        solver = kalahari.Solver(game, threads=1)
        seen: set[kalahari.Position] = set()
        while len(seen) < EACH:
            position = game.start()
            for _ in range(rng.randint(least, most)):
                if position.is_over:
                    break
                position = position.play(rng.choice(position.legal_moves()))
            if position.is_over or position in seen:
                continue
            values = solver.solve(position).moves
            if None in values.values() or len(set(values.values())) < 2:
                continue
            seen.add(position)
            named = {str(move): value for move, value in values.items()}
            found.append({"game": game.spec, "position": position.text, "values": named})
    return found


def main() -> None:
    """Writes the file."""
    file = Path(sys.argv[1])
    suite = {"made_by": "tools/make_suite.py", "seed": SEED, "problems": problems()}
    file.write_text(json.dumps(suite, indent=1) + "\n")


if __name__ == "__main__":
    main()
