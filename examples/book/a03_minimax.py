"""Looks at every line of play to a depth, and trusts the stores there."""

from kalah import board_of, lead, moves, play

DEPTH = 4


def value(board, depth):
    """What the board is worth to the player to move, if both sides look this deep."""
    if depth == 0 or not moves(board):
        return lead(board)
    return max(value_of(board, pit, depth) for pit in moves(board))


def value_of(board, pit, depth):
    after, again = play(board, pit)
    return value(after, depth - 1) if again else -value(after, depth - 1)


def best(board, depth):
    return max(moves(board), key=lambda pit: value_of(board, pit, depth))


def move(state):
    return best(board_of(state), DEPTH)
