#!/usr/bin/env python3
"""Fits the weights of a13_learned.py to positions whose value is known, by least squares.

    kalahari dataset build kalah:6x4 --out positions --rows 20000 --label exact --no-tables --format csv
    python3 examples/book/fit.py positions

Prints the weights, to be copied into the agent, and how far off the evaluation is in games that it was not fitted to.
"""

import csv
import sys
from pathlib import Path

from a13_learned import features
from kalah import lead


def rows_of(folder):
    """The features of every position, what the mover still gains there with best play, and the number of its game."""
    for path in sorted(Path(folder).glob("*.csv")):
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                pits = range(sum(name.startswith("own_") for name in row) - 1)
                own, other = (tuple(int(row[f"{who}_{pit}"]) for pit in pits) for who in ("own", "other"))
                board = own, int(row["own_store"]), other, int(row["other_store"])
                yield features(board), int(row["value"]) - lead(board), int(row["game"])


def solve(matrix, vector):
    """The x with matrix x = vector, by Gaussian elimination."""
    rows = [[*row, right] for row, right in zip(matrix, vector)]
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda at: abs(rows[at][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for at, row in enumerate(rows):
            if at != column:
                factor = row[column] / rows[column][column]
                rows[at] = [one - factor * other for one, other in zip(row, rows[column])]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def fit(rows):
    """The weights with the smallest sum of squared errors: they solve the normal equations."""
    count = len(rows[0][0])
    matrix, vector = [[0] * count for _ in range(count)], [0] * count
    for numbers, gain, _ in rows:
        for i, one in enumerate(numbers):
            if one:
                vector[i] += one * gain
                line = matrix[i]
                for j, other in enumerate(numbers):
                    line[j] += one * other
    return solve(matrix, vector)


def error(rows, weights):
    """The root of the mean squared error, in seeds."""
    squares = [(gain - sum(weight * number for weight, number in zip(weights, numbers))) ** 2 for numbers, gain, _ in rows]
    return (sum(squares) / len(squares)) ** 0.5


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = list(rows_of(sys.argv[1]))
    # Positions of one game are alike, so every tenth game is held out as a whole.
    seen, unseen = [row for row in rows if row[2] % 10], [row for row in rows if row[2] % 10 == 0]
    if not seen or not unseen:
        sys.exit(f"{sys.argv[1]}: no rows of at least two games; was the dataset made with --format csv?")
    weights = [round(weight, 2) for weight in fit(seen)]
    print(f"WEIGHTS = {weights}")
    print(f"Fitted to {len(seen)} positions. Error on {len(unseen)} others: {error(unseen, weights):.2f} seeds; by the stores alone: {error(unseen, []):.2f}")


if __name__ == "__main__":
    main()
