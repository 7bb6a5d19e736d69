"""Alpha-beta to depth 2 for Isolation by queen's moves, judging by who has more steps."""

from isolation import board_of, play, steps

DEPTH = 2


def judge(board):
    free, own, other = board
    return len(steps(free, own)) - len(steps(free, other))


def value(board, depth, alpha, beta, judge):
    options = steps(board[0], board[1])
    if not options:
        return -1000  # stuck: lost
    if depth == 0:
        return judge(board)
    for to in options:
        alpha = max(alpha, -value(play(board, to), depth - 1, -beta, -alpha, judge))
        if alpha >= beta:
            break
    return alpha


def best(board, legal, judge, depth=DEPTH):
    if len(board[0]) > 40:  # the opening: the cell from which most can be reached
        depth = 1
    return max(legal, key=lambda to: -value(play(board, to), depth - 1, -1000, 1000, judge))


def move(state):
    board = board_of(state)
    return best(board, steps(board[0], board[1]), judge)
