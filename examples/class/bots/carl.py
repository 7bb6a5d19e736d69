"""The fullest pit."""


def move(state):
    pits, legal = state.pits, state.legal
    return max(legal, key=lambda pit: pits[pit])
