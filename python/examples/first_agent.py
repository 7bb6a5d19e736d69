"""An agent, a match and a picture: the shortest way in.

    python examples/first_agent.py match.png

The agent takes the move after which it is ahead by most, where an extra turn counts half a seed.
"""

from __future__ import annotations

import sys

import kalahari


def ahead(position: kalahari.Position, player: int) -> int:
    """By how many seeds a player's store is ahead."""
    houses = position.to_array()
    stores = int(houses[len(houses) // 2 - 1]), int(houses[-1])
    return stores[player] - stores[1 - player]


def eager(position: kalahari.Position, limits: kalahari.Limits) -> int:
    """An agent is a function from a position and limits to a move."""

    def worth(move: int) -> float:
        after = position.play(move)
        again = after.mover == position.mover and not after.is_over
        return ahead(after, position.mover) + 0.5 * again

    best: int = max(position.legal_moves(), key=worth)
    return best


def main(picture: str | None) -> None:
    """Plays a match against two plies of alpha-beta and draws the course of the score."""
    result = kalahari.match(eager, kalahari.Level(2), game="kalah:6x4", games=40, openings="random:4")
    print(result)
    if picture is not None:
        result.plot().figure.savefig(picture)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
