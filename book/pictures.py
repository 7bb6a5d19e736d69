#!/usr/bin/env python3
"""Draws the pictures of the chapter on statistics: book/src/research/img/*.svg. The same script draws the same pictures.

    python3 book/pictures.py
"""

import math
import random
from pathlib import Path

import whole

FOLDER = Path(__file__).parent / "src" / "research" / "img"
WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 20, 50
INK, BLUE, ORANGE, GREY = "#333333", "#1f5fa8", "#c8590f", "#6b6b6b"


class Plot:
    """A drawing with two linear axes."""

    def __init__(self, x, y, x_title, y_title, x_ticks, y_ticks):
        self.x, self.y, self.parts = x, y, []
        for value, text in x_ticks:
            at = self.at(value, y[0])[0]
            self.line([(value, y[0]), (value, y[1])], "#e3e3e3")
            self.words(at, HEIGHT - BOTTOM + 18, text, "middle")
        for value, text in y_ticks:
            at = self.at(x[0], value)[1]
            self.line([(x[0], value), (x[1], value)], "#e3e3e3")
            self.words(LEFT - 8, at + 4, text, "end")
        self.words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title, "middle")
        middle = (TOP + HEIGHT - BOTTOM) / 2
        self.words(18, middle, y_title, "middle", f' transform="rotate(-90 18 {middle})"')

    def at(self, x, y):
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def path(self, points):
        return " ".join("{:.1f},{:.1f}".format(*self.at(*point)) for point in points)

    def line(self, points, colour, width=1, dashes=""):
        dashes = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{self.path(points)}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>')

    def area(self, points, colour):
        self.parts.append(f'<polygon points="{self.path(points)}" fill="{colour}" fill-opacity="0.2"/>')

    def dot(self, x, y, colour):
        x, y = self.at(x, y)
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')

    def words(self, x, y, text, anchor="start", more="", colour=INK):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{more}>{text}</text>')

    def note(self, x, y, text, anchor="start", colour=INK):
        self.words(*self.at(x, y), text, anchor, colour=colour)

    def write(self, name, title):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" role="img">'
        lines = [head, f"<title>{title}</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', *self.parts, "</svg>"]
        whole.write(FOLDER / name, "\n".join(lines) + "\n")


def elo_of(score):
    return -400 * math.log10(1 / score - 1)


def score_of(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def elo_curve():
    plot = Plot((-600, 600), (0, 1), "Elo difference", "score",
                [(elo, f"{elo:+d}" if elo else "0") for elo in range(-600, 601, 200)],
                [(share / 100, f"{share} %") for share in range(0, 101, 25)])
    plot.line([(elo, score_of(elo)) for elo in range(-600, 601, 5)], BLUE, 2.5)
    for elo in (0, 100, 200, 400):
        plot.dot(elo, score_of(elo), ORANGE)
        plot.note(elo + 14, score_of(elo) - 0.05, f"{elo:+d}: {100 * score_of(elo):.0f} %" if elo else "0: 50 %")
    plot.write("elo.svg", "The score that an Elo difference means")


def error_curves():
    """The likelihood of the true score after a match with 55 % of the points, for two numbers of games."""
    plot = Plot((0.35, 0.75), (0, 26), "true score of the first agent", "likelihood",
                [(share / 100, f"{share} %") for share in range(35, 76, 5)], [])
    spread = 0.45  # the standard deviation of one game with few draws
    for games, colour, place in ((100, ORANGE, 0.615), (800, BLUE, 0.575)):
        error = spread / math.sqrt(games)
        curve = [(x / 1000, math.exp(-(((x / 1000 - 0.55) / error) ** 2) / 2) / (error * math.sqrt(2 * math.pi)))
                 for x in range(350, 751)]
        inside = [point for point in curve if abs(point[0] - 0.55) <= 1.96 * error]
        plot.area([(inside[0][0], 0), *inside, (inside[-1][0], 0)], colour)
        plot.line(curve, colour, 2.5)
        height = next(y for x, y in curve if x >= place)
        plot.note(place + 0.008, height + 0.6, f"{games} games: 55 % ± {196 * error:.1f} %", colour=colour)
    plot.line([(0.5, 0), (0.5, 26)], INK, 1, "5 4")
    plot.note(0.497, 22.3, "equal strength", "end")
    plot.write("error.svg", "What 55 percent after 100 and after 800 games say about the true score")


def sprt_paths():
    """Three simulated matches between agents of known strength, and the corridor of a sequential test of 0 against 10 Elo."""
    bound = math.log(0.95 / 0.05)
    most = 6000
    plot = Plot((0, most), (-3.6, 3.6), "pairs of games", "LLR",
                [(pairs, f"{pairs:,}") for pairs in range(0, most + 1, 1000)],
                [(-bound, "−2.94"), (0, "0"), (bound, "+2.94")])
    plot.line([(0, bound), (most, bound)], INK, 1.5, "6 4")
    plot.line([(0, -bound), (most, -bound)], INK, 1.5, "6 4")
    plot.note(most - 60, bound + 0.2, "accept: better by 10 Elo", "end")
    plot.note(most - 60, -bound - 0.45, "accept: not better", "end")
    variance = 0.06  # of the score of a pair
    low, high = score_of(0), score_of(10)
    for seed, elo, colour, text in ((3, 20, BLUE, "really +20 Elo"), (8, 0, ORANGE, "really equal"), (5, 5, GREY, "really +5 Elo")):
        chance, llr, points = random.Random(seed), 0.0, [(0, 0.0)]
        for pair in range(1, most + 1):
            # Pairs bring 0, 1/2 or 1 of their points; their average is the true score.
            mean = score_of(elo)
            score = chance.choices((0.0, 0.5, 1.0), (variance * 2 - (mean - 0.5), 1 - variance * 4, variance * 2 + (mean - 0.5)))[0]
            llr += (high - low) * (score - (high + low) / 2) / (variance - (mean - 0.5) ** 2)
            if pair % 10 == 0 or abs(llr) >= bound:
                points.append((pair, llr))
            if abs(llr) >= bound:
                break
        plot.line(points, colour, 1.8)
        plot.dot(*points[-1], colour)
        end = points[-1]
        below = end[1] < 0
        plot.note(min(end[0] + 60, most - 900), end[1] + (0.35 if below else -0.5), text, colour=colour)
    plot.write("sprt.svg", "Three matches and the corridor of a sequential test")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    elo_curve()
    error_curves()
    sprt_paths()
