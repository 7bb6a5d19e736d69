"""Agents written in Python that the tests play with."""

from __future__ import annotations

import os
import random
import sys
import threading
import time


def first(position, limits):
    """The first legal move."""
    return position.legal_moves()[0]


def greedy(position, limits):
    """The move that banks most."""

    def lead(move):
        houses = position.play(move).to_array()
        stores = int(houses[len(houses) // 2 - 1]) - int(houses[-1])
        return stores if position.mover == 0 else -stores

    return max(position.legal_moves(), key=lead)


class Chance:
    """Any legal move, the same one for the same seed of a game."""

    version = "2"

    def __init__(self, wrong_after=None):
        self.rng = random.Random(0)
        self.wrong_after = wrong_after
        self.asked = 0

    def identity(self):
        return self.wrong_after

    def begin_game(self, seed):
        self.rng = random.Random(seed)

    def move(self, position, limits):
        self.asked += 1
        if self.wrong_after is not None and self.asked > self.wrong_after:
            raise ZeroDivisionError("on purpose")
        return self.rng.choice(position.legal_moves())


class Dies:
    """Ends its own process."""

    def move(self, position, limits):
        import os

        os._exit(3)


class NeverBegins:
    """Cannot begin a game."""

    def begin_game(self, seed):
        raise OSError("no luck today")

    def move(self, position, limits):
        return position.legal_moves()[0]


def stuck(position, limits):
    """Never answers."""
    while True:
        pass


class SleepsOnce:
    """Sleeps in games with an even seed, and plays the others."""

    def __init__(self, forever=10**6):
        self.forever = forever

    def begin_game(self, seed):
        self.sleeps = seed % 2 == 0

    def move(self, position, limits):
        if self.sleeps:
            time.sleep(self.forever)
        return position.legal_moves()[0]


class SleepsAtTheStart:
    """Never gets ready for a game."""

    def begin_game(self, seed):
        time.sleep(10**6)

    def move(self, position, limits):
        return position.legal_moves()[0]


def answers(value):
    """An agent that always gives the same answer."""
    return lambda position, limits: value


def recursive(position, limits):
    """Calls itself forever."""
    return max([position], key=lambda same: recursive(same, limits))


class Wild(BaseException):
    """An exception that is not an `Exception`."""


def wild(position, limits):
    raise Wild("on purpose")


def slow(position, limits):
    time.sleep(0.01)
    return position.legal_moves()[0]


def dies_soon(position, limits):
    """Answers, and ends its process while the opponent thinks."""
    threading.Timer(0.05, os._exit, (3,)).start()
    return position.legal_moves()[0]


def thinks(position, limits):
    time.sleep(0.4)
    return position.legal_moves()[-1]


def leaves(position, limits):
    sys.exit("on purpose")


def careless(position, limits):
    """Tries to change all its arguments, as far as that is possible."""
    position.legal_moves().clear()
    position.to_array()[:] = 0
    position.legal_mask()[:] = False
    for thing, name in ((position, "text"), (position, "mover"), (limits, "nodes"), (position.game, "spec")):
        try:
            setattr(thing, name, None)
        except AttributeError:
            pass
        else:
            raise AssertionError("an argument could be changed")
    print("thinking aloud")
    return position.legal_moves()[0]
