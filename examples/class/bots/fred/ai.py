"""A pit that earns an extra turn; otherwise the last pit that is not empty."""


def move(state):
    pits, legal = state.pits, state.legal
    return max(legal, key=lambda pit: (pits[pit] == len(pits) - pit, pit))
