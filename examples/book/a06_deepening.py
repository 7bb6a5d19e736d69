"""Searches deeper and deeper until the time is over, and plays the best move of the last depth that it finished."""

import time

import a05_ordering
from kalah import board_of, lead, moves, play

nodes = 0


class OutOfTime(Exception):
    pass


def value(board, depth, alpha, beta, deadline):
    global nodes
    nodes += 1
    if nodes % 256 == 0 and time.perf_counter() > deadline:
        raise OutOfTime
    if depth == 0 or not moves(board):
        return lead(board)
    for again, _, _, after in a05_ordering.in_order(board):
        if again:
            worth = value(after, depth - 1, alpha, beta, deadline)
        else:
            worth = -value(after, depth - 1, -beta, -alpha, deadline)
        alpha = max(alpha, worth)
        if alpha >= beta:
            break
    return alpha


def best(board, depth, deadline, first=None):
    """The best move to this depth; `first` is tried before all others."""
    order = sorted(moves(board), key=lambda pit: pit != first)
    found, alpha = None, -1000
    for pit in order:
        after, again = play(board, pit)
        if again:
            worth = value(after, depth - 1, alpha, 1000, deadline)
        else:
            worth = -value(after, depth - 1, -1000, -alpha, deadline)
        if worth > alpha:
            found, alpha = pit, worth
    return found


def move(state, limits):
    board = board_of(state)
    # Three quarters of the time: late is lost.
    deadline = time.perf_counter() + (limits.time_ms or 1000) / 1000 * 0.75
    found = state.legal[0]
    try:
        for depth in range(1, 60):
            found = best(board, depth, deadline, found)
    except OutOfTime:
        pass
    return found
