"""Opens a file beside it by a relative path, as if it ran in its own directory, and keeps a log."""
import json


class ai:
    def __init__(self):
        with open("ai_weights.json") as f:
            self.weights = json.load(f)
        self.log = open("log.txt", "a+")

    def move(self, a, b, a_fin, b_fin, t):
        self.log.write("%d %d\n" % (a_fin, b_fin))
        return [max((self.weights[i], i) for i in range(len(a)) if a[i])[1]]
