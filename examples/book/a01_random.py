"""Any legal move. The same position always gets the same one, so that games can be repeated."""

import random


def move(state):
    return random.Random(state.text).choice(state.legal)
