"""Alpha-beta that tries promising moves first: extra turns, then captures, then the pits next to the store."""

from kalah import board_of, lead, moves, play

DEPTH = 7


def in_order(board):
    """Every move with what it leads to, the most promising first."""
    found = []
    for pit in moves(board):
        after, again = play(board, pit)
        gain = (lead(after) if again else -lead(after)) - lead(board)
        found.append((again, gain, pit, after))
    return sorted(found, reverse=True)


def value(board, depth, alpha, beta):
    if depth == 0 or not moves(board):
        return lead(board)
    for again, _, _, after in in_order(board):
        if again:
            worth = value(after, depth - 1, alpha, beta)
        else:
            worth = -value(after, depth - 1, -beta, -alpha)
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
