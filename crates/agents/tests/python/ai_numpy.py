"""Uses numpy if it is installed and returns its numbers; another class has a `move`, too."""
try:
    import numpy as np
except ImportError:
    np = None


class Tree:
    def __init__(self, root):
        self.root = root

    def move(self, node):
        return node


class ai:
    def __init__(self):
        self.weights = [1, 2, 3, 4, 5, 6]

    def move(self, a, b, a_fin, b_fin, t):
        scores = [w if seeds > 0 else -1 for seeds, w in zip(a, self.weights)]
        if np is not None:
            return np.argmax(np.array(scores))
        return scores.index(max(scores))
