"""Searches deeper and deeper until its time is up, and plays the best move of the last depth that it finished."""

import math
import time

import a05_ordering
from kalah import board_of, lead, moves, play


class OutOfTime(Exception):
    pass


class Budget:
    """What a move may cost: time, or a number of nodes where the match sets one (`--nodes`)."""

    def __init__(self, limits, look_every=256):
        self.nodes, self.most, self.look_every = 0, limits.nodes or math.inf, look_every
        # Three quarters of the time: an answer that comes too late loses the game.
        time_ms = limits.time_ms or (math.inf if limits.nodes else 1000)
        self.deadline = time.perf_counter() + time_ms / 1000 * 0.75

    def spend(self):
        """Counts a node; looks at the clock only now and then."""
        self.nodes += 1
        if self.nodes > self.most or (self.nodes % self.look_every == 0 and time.perf_counter() > self.deadline):
            raise OutOfTime


def value(board, depth, alpha, beta, budget):
    budget.spend()
    if depth == 0 or not moves(board):
        return lead(board)
    for again, _, _, after in a05_ordering.in_order(board):
        if again:
            worth = value(after, depth - 1, alpha, beta, budget)
        else:
            worth = -value(after, depth - 1, -beta, -alpha, budget)
        alpha = max(alpha, worth)
        if alpha >= beta:
            break
    return alpha


def best(board, depth, budget, first=None):
    """The best move to this depth; `first` is tried before all others."""
    order = sorted(moves(board), key=lambda pit: pit != first)
    found, alpha = None, -1000
    for pit in order:
        after, again = play(board, pit)
        if again:
            worth = value(after, depth - 1, alpha, 1000, budget)
        else:
            worth = -value(after, depth - 1, -1000, -alpha, budget)
        if worth > alpha:
            found, alpha = pit, worth
    return found


def move(state, limits):
    board = board_of(state)
    budget = Budget(limits)
    found = state.legal[0]
    try:
        for depth in range(1, 60):
            found = best(board, depth, budget, found)
    except OutOfTime:
        pass
    return found
