#!/usr/bin/env python3
"""A complete small Kalah agent: rules, alpha-beta search, and the universal game interface.

    kalahari analyze kalah:6x4 --agent "ugi:python3 examples/agents/python/agent.py" --time 1s

Copy it and change `evaluate` or `search`; the rest can stay as it is. It needs Python 3 and nothing else.

The board is a list of 2P+2 houses: pits 0..P-1 and store P of player 0, pits P+1..2P and store 2P+1 of
player 1. A position is (houses, player to move). A move is the own pit's number, 0 to P-1.
"""

import queue
import sys
import threading
import time

# ---------------------------------------------------------------------------------------------- rules


class Kalah:
    """The rules of one game, such as kalah:6x4:empty-capture."""

    def __init__(self, name="kalah:6x6:standard"):
        kind, *parts = name.split(":")
        if kind != "kalah":
            raise ValueError("this agent only plays kalah")
        size, rule = "6x6", "standard"
        for part in parts:
            if part[:1].isdigit():
                size = part
            else:
                rule = part
        pits, seeds = size.split("x")
        self.pits, self.seeds = int(pits), int(seeds)
        self.rule, _, option = rule.partition("+")
        self.majority = option == "majority"
        if self.rule not in ("standard", "empty-capture", "pre-move-empty"):
            raise ValueError("unknown rule " + rule)

    def start(self):
        side = [self.seeds] * self.pits + [0]
        return side + side, 0

    def read(self, text):
        """A position from its numbers: the houses, then the player."""
        numbers = [int(word) for word in text.replace(",", " ").split()]
        if len(numbers) != 2 * self.pits + 3:
            raise ValueError("a position has %d numbers" % (2 * self.pits + 3))
        return numbers[:-1], numbers[-1]

    def store(self, player):
        return self.pits + player * (self.pits + 1)

    def row(self, player):
        first = player * (self.pits + 1)
        return range(first, first + self.pits)

    def is_over(self, position):
        houses, _ = position
        if self.majority and 2 * max(houses[self.store(p)] for p in (0, 1)) > sum(houses):
            return True
        return any(not any(houses[i] for i in self.row(player)) for player in (0, 1))

    def moves(self, position):
        if self.is_over(position):
            return []
        houses, player = position
        first = player * (self.pits + 1)
        return [pit for pit in range(self.pits) if houses[first + pit]]

    def play(self, position, pit):
        houses, player = list(position[0]), position[1]
        own, other = self.store(player), self.store(1 - player)
        here = player * (self.pits + 1) + pit
        before = list(houses)
        seeds, houses[here] = houses[here], 0
        while seeds:
            here = (here + 1) % len(houses)
            if here != other:
                houses[here] += 1
                seeds -= 1
        if here in self.row(player):
            opposite = 2 * self.pits - here
            if self.rule == "pre-move-empty":
                captures = before[here] == 0 and houses[opposite] > 0
            else:
                captures = houses[here] == 1
                captures = captures and (self.rule == "empty-capture" or houses[opposite] > 0)
            if captures:
                houses[own] += houses[here] + houses[opposite]
                houses[here] = houses[opposite] = 0
        if any(not any(houses[i] for i in self.row(p)) for p in (0, 1)):
            for p in (0, 1):
                for i in self.row(p):
                    houses[self.store(p)] += houses[i]
                    houses[i] = 0
        return houses, player if here == own else 1 - player

    def margin(self, position):
        """How many seeds player 0 is ahead."""
        houses, _ = position
        return houses[self.store(0)] - houses[self.store(1)]


# --------------------------------------------------------------------------------------------- search


class OutOfTime(Exception):
    """The search has to end now."""


class Search:
    """Alpha-beta, one ply deeper at a time until the limits are reached."""

    def __init__(self, game, stop, deadline=None, depth=None, nodes=None):
        self.game, self.stop, self.deadline = game, stop, deadline
        self.max_depth, self.max_nodes = depth or 60, nodes
        self.nodes, self.begin = 0, time.monotonic()

    def evaluate(self, position):
        """What a position is worth to player 0, in seeds. Improve me!"""
        return self.game.margin(position)

    def value(self, position, depth, alpha, beta):
        """The value for player 0, who wants it high; player 1 wants it low."""
        self.nodes += 1
        if self.nodes % 64 == 0:
            late = self.deadline is not None and time.monotonic() >= self.deadline
            if late or self.stop.is_set() or (self.max_nodes and self.nodes >= self.max_nodes):
                raise OutOfTime
        moves = self.game.moves(position)
        if depth == 0 or not moves:
            return self.evaluate(position)
        for move in reversed(moves):
            # The same player may move again, so look at whose turn it is and never assume it.
            child = self.value(self.game.play(position, move), depth - 1, alpha, beta)
            if position[1] == 0:
                alpha = max(alpha, child)
            else:
                beta = min(beta, child)
            if alpha >= beta:
                break
        return alpha if position[1] == 0 else beta

    def best_move(self, position):
        """The best move, or None when the game is over."""
        moves = self.game.moves(position)
        best = moves[-1] if moves else None
        sign = 1 - 2 * position[1]
        try:
            for depth in range(1, self.max_depth + 1):
                scored = []
                for move in moves:
                    child = self.value(self.game.play(position, move), depth - 1, -999, 999)
                    scored.append((sign * child, move))
                score, best = max(scored)
                millis = int(1000 * (time.monotonic() - self.begin))
                say("info depth %d score cp %d time %d nodes %d pv %d"
                    % (depth, 100 * score, millis, self.nodes, best))
        except OutOfTime:
            pass
        return best


# ------------------------------------------------------------------------------------------ interface


def say(text):
    print(text, flush=True)


class Agent:
    def __init__(self):
        self.game = Kalah()
        self.position = self.game.start()

    def set_position(self, words):
        moves = []
        if "moves" in words:
            at = words.index("moves")
            words, moves = words[:at], words[at + 1:]
        if words[:1] == ["startpos"]:
            position = self.game.start()
        else:
            position = self.game.read(" ".join(words[1:]))
        for move in moves:
            position = self.game.play(position, int(move))
        self.position = position

    def go(self, words, stop):
        limits = {}
        for key, number in zip(words, words[1:]):
            if number.lstrip("-").isdigit():
                limits[key] = int(number)
        seconds = None
        if "movetime" in limits:
            seconds = limits["movetime"] / 1000
        elif "p1time" in limits or "p2time" in limits:
            me = self.position[1] + 1
            seconds = limits.get("p%dtime" % me, 0) / 20000 + limits.get("p%dinc" % me, 0) / 2000
        elif not {"depth", "nodes"} & limits.keys() and "infinite" not in words:
            seconds = 1.0
        # A little less than allowed, because the answer takes time to arrive.
        deadline = None if seconds is None else time.monotonic() + max(0.9 * seconds - 0.01, 0.0)
        search = Search(self.game, stop, deadline, limits.get("depth"), limits.get("nodes"))
        move = search.best_move(self.position)
        if "infinite" in words:
            stop.wait()
        say("bestmove %s" % ("none" if move is None else move))

    def query(self, what):
        over, margin = self.game.is_over(self.position), self.game.margin(self.position)
        if what == "p1turn":
            return str(self.position[1] == 0).lower()
        if what == "gameover":
            return str(over).lower()
        if not over:
            return "none"
        return "p1win" if margin > 0 else "p2win" if margin < 0 else "draw"

    def obey(self, words, stop):
        if words[0] == "ugi":
            say("id name Small Python agent")
            say("option name game type string default kalah:6x6:standard")
            say("ugiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "setoption":
            if words[1:2] == ["name"] and words[2:4] == ["game", "value"]:
                self.game = Kalah(words[4])
                self.position = self.game.start()
        elif words[0] == "position":
            self.set_position(words[1:])
        elif words[0] == "go":
            self.go(words[1:], stop)
        elif words[0] == "query":
            say("response " + self.query(words[1] if len(words) > 1 else "result"))


def main():
    # A thread reads, so that `stop` is seen while the main thread thinks.
    commands, stop = queue.Queue(), threading.Event()

    def read():
        for line in sys.stdin:
            words = line.split()
            if words[:1] in (["stop"], ["quit"]):
                stop.set()
            if words[:1] == ["quit"]:
                break
            if words[:1] == ["go"]:
                stop.clear()
            if words:
                commands.put(words)
        stop.set()
        commands.put(["quit"])

    threading.Thread(target=read, daemon=True).start()
    agent = Agent()
    while True:
        words = commands.get()
        if words[0] == "quit":
            break
        try:
            agent.obey(words, stop)
        except (ValueError, IndexError) as problem:
            say("info string %s" % problem)


if __name__ == "__main__":
    main()
