"""Remembers what was found about a board: a board that is reached again is not searched again, and the best move of the depth
before is tried first."""

import a05_ordering
from a06_deepening import Budget, OutOfTime
from kalah import board_of, lead, moves

EXACT, AT_LEAST, AT_MOST = range(3)
table = {}
in_stores = 0  # seeds, at our last move


def value(board, depth, alpha, beta, budget):
    budget.spend()
    if depth == 0 or not moves(board):
        return lead(board)
    # The stores do not decide what is best from here on, so they are left out of the key, and the lead is added back.
    banked, key = lead(board), (board[0], board[2])
    known = table.get(key)
    if known and known[0] >= depth:
        worth, kind = known[1] + banked, known[2]
        if kind == EXACT or (kind == AT_LEAST and worth >= beta) or (kind == AT_MOST and worth <= alpha):
            return worth
    favourite, low = known[3] if known else None, alpha
    found, chosen = -1000, None
    for again, _, pit, after in sorted(a05_ordering.in_order(board), key=lambda entry: entry[2] != favourite):
        if again:
            worth = value(after, depth - 1, alpha, beta, budget)
        else:
            worth = -value(after, depth - 1, -beta, -alpha, budget)
        if worth > found:
            found, chosen = worth, pit
        alpha = max(alpha, found)
        if alpha >= beta:
            break
    kind = AT_LEAST if found >= beta else AT_MOST if found <= low else EXACT
    table[key] = (depth, found - banked, kind, chosen)
    return found


def best(board, depth, budget):
    value(board, depth, -1000, 1000, budget)
    return table[(board[0], board[2])][3]


def move(state, limits):
    global in_stores
    board = board_of(state)
    budget = Budget(limits)
    found = state.legal[0]
    # A new game: what was found in the one before could change its moves.
    if state.store + state.opponent_store < in_stores:
        table.clear()
    in_stores = state.store + state.opponent_store
    try:
        for depth in range(1, 60):
            found = best(board, depth, budget)
    except OutOfTime:
        pass
    return found
