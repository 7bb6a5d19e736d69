"""The same search, judging by who gets to more cells first."""

import b01_mobility
from isolation import board_of, steps


def distances(free, cell):
    """The number of moves to every cell that a queen can get to, the other piece left out."""
    found, front, moves = {}, [cell], 0
    while front:
        moves += 1
        reached = {to for at in front for to in steps(free, at) if to not in found}
        found.update(dict.fromkeys(reached, moves))
        front = reached
    return found


def judge(board):
    free, own, other = board
    if own is None or other is None:
        return 0
    mine, theirs = distances(free, own), distances(free, other)
    return sum((mine.get(cell, 99) < theirs.get(cell, 99)) - (theirs.get(cell, 99) < mine.get(cell, 99)) for cell in free)


def move(state):
    board = board_of(state)
    return b01_mobility.best(board, steps(board[0], board[1]), judge)
