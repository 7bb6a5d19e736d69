"""Alpha-beta with a learned evaluation: a weighted sum of a few simple numbers.

The weights are for six pits. The first command makes positions with their exact values, the second the weights:

    kalahari dataset build kalah:6x4 --out positions --rows 20000 --label exact --no-tables --format csv
    python3 examples/book/fit.py positions
"""

from a05_ordering import in_order
from kalah import board_of, lead, moves

DEPTH = 7
WEIGHTS = [-0.79, 1.82, 1.16, 0.6, 0.42, 0.54, 0.47, 0.85, 1.03, -1.0, -0.52, -0.56, -0.38, -0.47, -0.38, -0.66, -0.74]


def side(own, other):
    """What a row of pits has: extra turns, the most seeds that a capture can win, and the seeds of each pit, next to the store first."""
    last = len(own) - 1
    turns = sum(seeds == last + 1 - pit for pit, seeds in enumerate(own))
    prizes = [0]
    for pit, seeds in enumerate(own):
        if 0 < seeds <= last - pit and own[pit + seeds] == 0 and other[last - pit - seeds]:
            prizes.append(1 + other[last - pit - seeds])
    return [turns, max(prizes), *reversed(own)]


def features(board):
    """The numbers that are weighted. The first is always 1: its weight is what the right to move is worth."""
    own, _, other, _ = board
    return [1, *side(own, other), *side(other, own)]


def judge(board):
    return lead(board) + sum(weight * number for weight, number in zip(WEIGHTS, features(board)))


def value(board, depth, alpha, beta):
    if not moves(board):
        return lead(board)
    if depth == 0:
        return judge(board)
    for again, _, _, after in in_order(board):
        worth = value(after, depth - 1, alpha, beta) if again else -value(after, depth - 1, -beta, -alpha)
        alpha = max(alpha, worth)
        if alpha >= beta:
            break
    return alpha


def best(board, depth):
    found, alpha = None, -1000
    for again, _, pit, after in in_order(board):
        worth = value(after, depth - 1, alpha, 1000) if again else -value(after, depth - 1, -1000, -alpha)
        if worth > alpha:
            found, alpha = pit, worth
    return found


def move(state):
    return best(board_of(state), DEPTH)
