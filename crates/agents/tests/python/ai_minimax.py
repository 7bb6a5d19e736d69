"""A typical submission: helper and node classes, prints, a log file in the working directory, and `t` is ignored."""
import copy
import time


class State:
    def __init__(self, a, b, a_fin, b_fin):
        self.a, self.b, self.a_fin, self.b_fin = a, b, a_fin, b_fin


class Node:
    def __init__(self, state, depth):
        self.state = state
        self.depth = depth


class ai:
    nodes = 0

    def __init__(self):
        self.depth = 3
        self.log = open("time.txt", "w")

    def sow(self, s, i):
        s = copy.deepcopy(s)
        seeds, s.a[i] = s.a[i], 0
        place = i + 1
        last = None
        while seeds:
            place %= 13
            if place < 6:
                s.a[place] += 1
            elif place == 6:
                s.a_fin += 1
            else:
                s.b[place - 7] += 1
            last, place, seeds = place, place + 1, seeds - 1
        if last < 6 and s.a[last] == 1 and s.b[5 - last] > 0:
            s.a_fin += s.a[last] + s.b[5 - last]
            s.a[last] = s.b[5 - last] = 0
        if sum(s.a) == 0 or sum(s.b) == 0:
            s.a_fin += sum(s.a)
            s.b_fin += sum(s.b)
            s.a, s.b = [0] * 6, [0] * 6
        return s, last == 6

    def value(self, node):
        ai.nodes += 1
        s = node.state
        if node.depth == 0 or sum(s.a) == 0:
            return s.a_fin - s.b_fin
        best = -1000
        for i in range(6):
            if s.a[i]:
                after, again = self.sow(s, i)
                if again and sum(after.a):
                    found = self.value(Node(after, node.depth - 1))
                else:
                    turned = State(after.b, after.a, after.b_fin, after.a_fin)
                    found = -self.value(Node(turned, node.depth - 1))
                best = max(best, found)
        return best

    def move(self, a, b, a_fin, b_fin, t):
        begin = time.time()
        s = State(a, b, a_fin, b_fin)
        best, choice = -10000, None
        for i in range(6):
            if a[i]:
                after, again = self.sow(s, i)
                if again and sum(after.a):
                    found = self.value(Node(after, self.depth - 1))
                else:
                    found = -self.value(Node(State(after.b, after.a, after.b_fin, after.a_fin), self.depth - 1))
                if found > best:
                    best, choice = found, i
        print("thinking about", a, "took", time.time() - begin, flush=True)
        self.log.write("%f\n" % (time.time() - begin))
        return choice
