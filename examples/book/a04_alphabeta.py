"""Minimax that skips moves which cannot change the result."""

from kalah import board_of, lead, moves, play

DEPTH = 6


def value(board, depth, alpha, beta):
    """What the board is worth, if that lies between alpha and beta; otherwise a bound on that side."""
    if depth == 0 or not moves(board):
        return lead(board)
    for pit in moves(board):
        alpha = max(alpha, value_of(board, pit, depth, alpha, beta))
        if alpha >= beta:
            break  # the opponent would not let us get here
    return alpha


def value_of(board, pit, depth, alpha, beta):
    after, again = play(board, pit)
    if again:
        return value(after, depth - 1, alpha, beta)
    return -value(after, depth - 1, -beta, -alpha)


def best(board, depth):
    found, alpha = None, -1000
    for pit in moves(board):
        worth = value_of(board, pit, depth, alpha, 1000)
        if worth > alpha:
            found, alpha = pit, worth
    return found


def move(state):
    return best(board_of(state), DEPTH)
