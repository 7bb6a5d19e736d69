# Code at module level, a move returned as text, printed output, and a call of sys.exit at the end.
import sys

DEPTH = 4
print("loading", DEPTH)


class ai:
    count = 0

    def move(self, a, b, a_fin, b_fin, t):
        ai.count += 1
        print("move", ai.count, file=sys.stderr)
        legal = [i for i, seeds in enumerate(a) if seeds > 0]
        return str(legal[-1])


player = ai()
print("first", player.move([4, 4, 4, 4, 4, 4], [4, 4, 4, 4, 4, 4], 0, 0, 1000))
sys.exit(0)
