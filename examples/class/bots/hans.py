"""Broken on purpose: there is no pit 12."""


def move(state):
    pits, legal = state.pits, state.legal
    return 12
