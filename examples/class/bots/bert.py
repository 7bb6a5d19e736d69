"""The last pit that is not empty, next to the store."""


def move(state):
    pits, legal = state.pits, state.legal
    return legal[-1]
