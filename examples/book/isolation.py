"""Isolation by queen's moves for the agents of this folder.

A board is (free cells, own cell, other cell), as the player to move sees it; a cell is (row, column).
"""

RAYS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def board_of(state):
    return frozenset(map(tuple, state.free)), state.own, state.opponent


def steps(free, cell):
    """The cells that a queen can go to."""
    if cell is None:  # not placed yet
        return sorted(free)
    found = []
    for down, right in RAYS:
        at = (cell[0] + down, cell[1] + right)
        while at in free:
            found.append(at)
            at = (at[0] + down, at[1] + right)
    return found


def play(board, to):
    """The board after a move, seen by the other player. The cell that was left stays blocked."""
    free, _, other = board
    return free - {to}, other, to
