"""Any legal move."""

import random


def move(state):
    return random.choice(state.legal)
