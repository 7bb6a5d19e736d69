"""The move that leaves us furthest ahead right after it; an extra turn counts as one seed more."""

from kalah import board_of, lead, play


def gain(board, pit):
    after, again = play(board, pit)
    return lead(after) + 1 if again else -lead(after)


def move(state):
    board = board_of(state)
    return max(state.legal, key=lambda pit: gain(board, pit))
