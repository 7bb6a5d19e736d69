"""Keeps state in the object, returns a float, and modifies the lists it is given."""
import sys


class ai:
    def __init__(self, name="memory", depth=2):
        self.name = name
        self.turns = []

    def move(self, a, b, a_fin, b_fin, t):
        assert len(a) == 6 and len(b) == 6 and isinstance(t, int) and t > 0
        # The stores never shrink during a game. This fails if the object is reused for a new game.
        assert all(old[0] <= a_fin and old[1] <= b_fin for old in self.turns)
        self.turns.append((a_fin, b_fin))
        sys.stdout.write("x" * 5000)
        choice = [i for i in range(6) if a[i] > 0][len(self.turns) % sum(x > 0 for x in a)]
        a.clear()
        b[0] = 99
        return float(choice)
