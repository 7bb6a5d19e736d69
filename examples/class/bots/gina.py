"""Broken on purpose: calls a function that does not exist."""


def move(state):
    pits, legal = state.pits, state.legal
    return best_move(pits)
