"""Alpha-beta that knows the end of the game: a position with few seeds is worked out once, to the very end, and remembered."""

from functools import cache

import a05_ordering
from kalah import board_of, lead, moves, play

DEPTH, SEEDS = 7, 12


@cache
def future(own, other):
    """What the player to move will bank from here on minus what the opponent will, if both play perfectly."""
    worths = []
    for pit in moves((own, 0, other, 0)):
        after, again = play((own, 0, other, 0), pit)
        worth = lead(after) + (future(after[0], after[2]) if moves(after) else 0)
        worths.append(worth if again else -worth)
    return max(worths)


def value(board, depth, alpha, beta):
    if not moves(board):
        return lead(board)
    if sum(board[0]) + sum(board[2]) <= SEEDS:
        return lead(board) + future(board[0], board[2])
    if depth == 0:
        return lead(board)
    for again, _, _, after in a05_ordering.in_order(board):
        if again:
            worth = value(after, depth - 1, alpha, beta)
        else:
            worth = -value(after, depth - 1, -beta, -alpha)
        alpha = max(alpha, worth)
        if alpha >= beta:
            break
    return alpha


def move(state):
    found, alpha = None, -1000
    for again, _, pit, after in a05_ordering.in_order(board_of(state)):
        worth = value(after, DEPTH - 1, alpha, 1000) if again else -value(after, DEPTH - 1, -1000, -alpha)
        if worth > alpha:
            found, alpha = pit, worth
    return found
