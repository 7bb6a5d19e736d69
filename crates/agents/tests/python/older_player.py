"""The older signature of the same course: the legal moves are an argument."""
import random


class CustomPlayer:
    def __init__(self, search_depth=3, iterative=True, method="minimax", timeout=10.0):
        self.method = method

    def get_move(self, game, legal_moves, time_left):
        assert legal_moves == game.get_legal_moves()
        return random.choice(legal_moves) if legal_moves else (-1, -1)
