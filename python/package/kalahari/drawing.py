"""Boards drawn in text and as SVG, and games that play themselves in a notebook.

A position draws itself: `print(position)` in text, and as the last line of a notebook's cell as a picture.

>>> import kalahari
>>> print(kalahari.Game("kalah:6x4").start())
        5   4   3   2   1   0
      +---+---+---+---+---+---+
      | 4 | 4 | 4 | 4 | 4 | 4 |
   0  +---+---+---+---+---+---+  0
      | 4 | 4 | 4 | 4 | 4 | 4 |
      +---+---+---+---+---+---+
        0   1   2   3   4   5
player 0 to move
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from textwrap import wrap

from . import _checks
from ._native import Game, Position

_SYMBOLS = ".12xo#"
_COLOURS = ("#c0562b", "#2b6cc0")


def _caption(position: Position) -> str:
    if not position.is_over:
        return f"player {position.mover} to move"
    margin = position.margin or 0
    if margin == 0:
        return "drawn"
    winner = 0 if margin > 0 else 1
    return f"player {winner} wins by {abs(margin)}" if position.game.has_margins else f"player {winner} wins"


def text(position: Position) -> str:
    """The board in text, with who is to move."""
    board = position.to_array()
    if position.game.kind == "kalah":
        pits = position.game.size[0]
        south, north = board[:pits].tolist(), board[pits + 1 : -1].tolist()
        wall = "      +" + "---+" * pits

        def row(seeds: Iterable[int]) -> str:
            return "      |" + "".join(f"{count:^3}|" for count in seeds)

        def names(order: Iterable[int]) -> str:
            return "      " + "".join(f" {pit:>2} " for pit in order)

        lines = [
            names(range(pits - 1, -1, -1)),
            wall,
            row(reversed(north)),
            f"{int(board[-1]):>4}  " + wall.strip() + f"{int(board[pits]):>3}",
            row(south),
            wall,
            names(range(pits)),
        ]
        lines = [line.rstrip() for line in lines]
    else:
        rows, columns = position.game.size
        lines = ["    " + " ".join(chr(ord("a") + column) for column in range(columns))]
        for number, cells in enumerate(board.tolist(), 1):
            lines.append(f"{number:>3} " + " ".join(_SYMBOLS[cell] for cell in cells))
    return "\n".join([*lines, _caption(position)])


_LINE = 16
"""The height of a line of words."""


def _width(game: Game) -> int:
    return 56 * (game.size[0] + 2) + 16 if game.kind == "kalah" else 34 * game.size[1] + 32


def _lines(game: Game, caption: str) -> list[str]:
    """The lines of a caption, as many words in each as fit."""
    return wrap(caption, int(_width(game) / 6.7))


def _kalah(position: Position, room: int) -> tuple[int, list[str]]:
    board = position.to_array().tolist()
    pits = position.game.size[0]
    width, height = _width(position.game), 136 + room
    parts = [f'<rect width="{width}" height="{height}" rx="18" fill="#e9d8b8"/>']

    def house(x: float, y: float, seeds: int, colour: str, tall: bool = False) -> None:
        h = 104 if tall else 46
        parts.append(
            f'<rect x="{x - 23}" y="{y - h / 2}" width="46" height="{h}" rx="21" fill="#d3b988" stroke="{colour}" '
            f'stroke-width="2"/><text x="{x}" y="{y + 6}" text-anchor="middle" font-size="18" '
            f'font-family="sans-serif" fill="#3b2a14">{seeds}</text>'
        )

    house(36, 64, board[-1], _COLOURS[1], tall=True)
    house(width - 36, 64, board[pits], _COLOURS[0], tall=True)
    for pit in range(pits):
        house(36 + 56 * (pit + 1), 92, board[pit], _COLOURS[0])
        house(36 + 56 * (pits - pit), 36, board[pits + 1 + pit], _COLOURS[1])
    return height, parts


def _isolation(position: Position, room: int) -> tuple[int, list[str]]:
    rows, columns = position.game.size
    width, height = _width(position.game), 34 * rows + 36 + room
    parts = [f'<rect width="{width}" height="{height}" rx="8" fill="#f4f1ea"/>']
    label = '<text x="{}" y="{}" text-anchor="middle" font-size="11" font-family="sans-serif" fill="#666">{}</text>'
    for column in range(columns):
        parts.append(label.format(24 + 34 * column + 17, 14, chr(ord("a") + column)))
    fills = {0: "#ffffff", 1: "#ffffff", 2: "#ffffff", 3: "#efc9b8", 4: "#b8cdef", 5: "#9a9a9a"}
    for row, cells in enumerate(position.to_array().tolist()):
        parts.append(label.format(12, 20 + 34 * row + 21, row + 1))
        for column, cell in enumerate(cells):
            x, y = 24 + 34 * column, 20 + 34 * row
            parts.append(
                f'<rect x="{x}" y="{y}" width="33" height="33" fill="{fills[cell]}" stroke="#bbb"/>'
            )
            if cell in (1, 2):
                parts.append(f'<circle cx="{x + 16.5}" cy="{y + 16.5}" r="12" fill="{_COLOURS[cell - 1]}"/>')
    return height, parts


def _frame(position: Position, lines: list[str], rows: int) -> tuple[int, int, str]:
    """A board above lines of words, with room for `rows` lines."""
    width, room = _width(position.game), _LINE * rows
    height, parts = (_kalah if position.game.kind == "kalah" else _isolation)(position, room)
    for number, line in enumerate(lines):
        parts.append(
            f'<text x="{width / 2}" y="{height - 8 - room + _LINE * (number + 1)}" text-anchor="middle" font-size="13" '
            f'font-family="sans-serif" fill="#333">{escape(line)}</text>'
        )
    return width, height, "".join(parts)


def _document(width: int, height: int, content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"{content}</svg>"
    )


def svg(position: Position) -> str:
    """The board as a picture.

    >>> import kalahari
    >>> svg(kalahari.Game("isolation:5x5").start()).startswith("<svg")
    True
    """
    lines = _lines(_checks.position(position).game, _caption(position))
    return _document(*_frame(position, lines, len(lines)))


class Animation:
    """A game that plays itself in a notebook: an animated SVG picture. `animate` makes one.

    >>> import kalahari
    >>> len(kalahari.animate(kalahari.Game("kalah:6x4").start(), [2, 5]))
    3
    """

    def __init__(self, positions: list[Position], captions: list[str], seconds: float) -> None:
        self.positions = positions
        self.captions = captions
        self.seconds = seconds

    def __len__(self) -> int:
        return len(self.positions)

    def svg(self) -> str:
        """The picture as SVG text, for a file. It shows one position after the other and then begins again.

        >>> import kalahari
        >>> kalahari.animate(kalahari.Game("kalah:6x4").start(), [2]).svg().startswith("<svg")
        True
        """
        count = len(self.positions)
        total = self.seconds * count
        # Styles apply to the whole notebook, so each animation has its own name.
        name = f"kalahari-{count}-{round(total * 1000)}"
        share = 100 / count
        style = (
            f"<style>@keyframes {name}{{0%,{share:.4f}%{{visibility:visible}}"
            f"{min(share + 0.001, 100):.4f}%,100%{{visibility:hidden}}}}"
            f".{name}{{visibility:hidden;animation:{name} {total:.3f}s step-end infinite}}</style>"
        )
        if count == 1:
            style = ""
        width = height = 0
        frames = []
        captions = [_lines(self.positions[0].game, caption) for caption in self.captions]
        rows = max(map(len, captions))
        for number, (position, lines) in enumerate(zip(self.positions, captions)):
            width, height, content = _frame(position, lines, rows)
            frames.append(
                f'<g class="{name}" style="animation-delay:{number * self.seconds:.3f}s">{content}</g>'
            )
        return _document(width, height, style + "".join(frames))

    def __repr__(self) -> str:
        return f"Animation({len(self)} positions)"

    def _repr_html_(self) -> str:
        return self.svg()


def animate(position: Position, moves: Iterable[int | str], *, seconds: float = 1.0) -> Animation:
    """Shows the moves of a game from a position on, in a notebook: for each move one picture and a description in words, shown for
    `seconds` each.

    >>> import kalahari
    >>> len(animate(kalahari.Game("kalah:6x4").start(), [2, 5, 1]))
    4
    """
    seconds = _checks.number("seconds", seconds, 0.001, 3600)
    positions, captions = [_checks.position(position)], [_caption(position)]
    if not isinstance(moves, Iterable) or isinstance(moves, (str, bytes)):
        raise TypeError(f"moves must be given in a list, not {type(moves).__name__}")
    for move in moves:
        captions.append(f"{move}: {position.explain(move)}")
        position = position.play(move)
        positions.append(position)
    captions[-1] = f"{captions[-1]} {_caption(position)}" if len(captions) > 1 else captions[-1]
    return Animation(positions, captions, seconds)
