#!/usr/bin/env python3
# Tabs, a main block that asks for input at the keyboard, and an import from a file beside it.
from helper_of_ai import first_of


class Board(object):
	def __init__(self, cells):
		self.cells = cells


class ai(object):
	def move(self, a, b, a_fin, b_fin, t):
		return first_of(Board(a).cells)


if __name__ == "__main__":
	print("your move?")
	print(ai().move([int(x) for x in input().split()], [0] * 6, 0, 0, 1000))
