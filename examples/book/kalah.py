"""The rules of Kalah for the agents of this folder, in thirty lines.

A board is (own pits, own store, other pits, other store), as the player to move sees it; each row in its owner's direction of sowing.
"""


def board_of(state):
    """The board of the state that an agent is given."""
    return tuple(state.pits), state.store, tuple(state.opponent_pits), state.opponent_store


def moves(board):
    """The pits that may be played; none when the game is over."""
    return [pit for pit, seeds in enumerate(board[0]) if seeds]


def play(board, pit):
    """The board after a move, as the player who moves next sees it, and whether that is the same player again."""
    own, store, other, other_store = list(board[0]), board[1], list(board[2]), board[3]
    pits, at, seeds = len(own), pit, own[pit]
    own[pit] = 0
    for _ in range(seeds):
        at = (at + 1) % (2 * pits + 1)  # the own pits, the own store, the other pits; the other store is skipped
        if at < pits:
            own[at] += 1
        elif at == pits:
            store += 1
        else:
            other[at - pits - 1] += 1
    opposite = pits - 1 - at
    if at < pits and own[at] == 1 and other[opposite]:
        store += 1 + other[opposite]
        own[at] = other[opposite] = 0
    if not any(own) or not any(other):  # the game is over: both players bank what is left
        none = (0,) * pits
        return (none, other_store + sum(other), none, store + sum(own)), False
    if at == pits:
        return (tuple(own), store, tuple(other), other_store), True
    return (tuple(other), other_store, tuple(own), store), False


def lead(board):
    """Own seeds in the store minus the opponent's."""
    return board[1] - board[3]
