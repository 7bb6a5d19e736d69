"""The emptiest pit."""


def move(state):
    pits, legal = state.pits, state.legal
    return min(legal, key=lambda pit: pits[pit])
