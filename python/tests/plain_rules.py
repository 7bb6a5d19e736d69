"""The rules of both games, written plainly from book/src/players/rules.md, to compare the package with. They are not fast."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kalah:
    """A position: houses in board order, and who is to move."""

    pits: int
    rule: str
    majority: bool
    houses: tuple[int, ...]
    mover: int

    @classmethod
    def start(cls, pits: int, seeds: int, rule: str, majority: bool = False) -> Kalah:
        side = (seeds,) * pits + (0,)
        return cls(pits, rule, majority, side + side, 0)

    def own(self, player: int) -> range:
        first = player * (self.pits + 1)
        return range(first, first + self.pits)

    def store(self, player: int) -> int:
        return player * (self.pits + 1) + self.pits

    def over(self) -> bool:
        sides = [sum(self.houses[house] for house in self.own(player)) for player in (0, 1)]
        if 0 in sides:
            return True
        most = max(self.houses[self.store(0)], self.houses[self.store(1)])
        return self.majority and 2 * most > sum(self.houses)

    def moves(self) -> list[int]:
        if self.over():
            return []
        return [pit for pit, house in enumerate(self.own(self.mover)) if self.houses[house]]

    def play(self, pit: int) -> Kalah:
        houses = list(self.houses)
        origin = self.own(self.mover)[pit]
        seeds, houses[origin] = houses[origin], 0
        house = origin
        while seeds:
            house = (house + 1) % len(houses)
            if house != self.store(1 - self.mover):
                houses[house] += 1
                seeds -= 1
        again = house == self.store(self.mover)
        if house in self.own(self.mover):
            opposite = 2 * self.pits - house
            if self.rule == "pre-move-empty":
                # What the pit held before the move began; the origin was not empty.
                counts_as_empty = self.houses[house] == 0
            else:
                counts_as_empty = houses[house] == 1
            if counts_as_empty and (houses[opposite] or self.rule == "empty-capture"):
                houses[self.store(self.mover)] += houses[house] + houses[opposite]
                houses[house] = houses[opposite] = 0
        if any(sum(houses[house] for house in self.own(player)) == 0 for player in (0, 1)):
            for player in (0, 1):
                houses[self.store(player)] += sum(houses[house] for house in self.own(player))
                for house in self.own(player):
                    houses[house] = 0
        mover = self.mover if again else 1 - self.mover
        return Kalah(self.pits, self.rule, self.majority, tuple(houses), mover)

    def margin(self) -> int:
        return self.houses[self.store(0)] - self.houses[self.store(1)]

    def text(self) -> str:
        return " ".join(map(str, (*self.houses, self.mover)))


_KING = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)]
_WAYS = {
    "trail": [(-1, 0), (0, 1), (1, 0), (0, -1)],
    "classic": _KING,
    "queen": _KING,
    "knight": [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)],
}

Cell = tuple[int, int]


@dataclass(frozen=True)
class Isolation:
    """A position: free cells, the two pieces, cells visited by each, and who is to move."""

    rows: int
    columns: int
    rule: str
    free: frozenset[Cell]
    pieces: tuple[Cell | None, Cell | None]
    visited: tuple[int, int]
    mover: int

    @classmethod
    def start(cls, rows: int, columns: int, rule: str) -> Isolation:
        cells = {(row, column) for row in range(rows) for column in range(columns)}
        pieces: tuple[Cell | None, Cell | None] = (None, None)
        if rule == "trail":
            pieces = ((0, 0), (rows - 1, columns - 1))
        elif rule == "classic":
            pieces = ((0, columns // 2), (rows - 1, columns // 2))
        return cls(rows, columns, rule, frozenset(cells - set(pieces)), pieces, (1, 1), 0)

    def steps(self, player: int) -> list[Cell]:
        piece = self.pieces[player]
        if piece is None:
            return sorted(self.free)
        found = []
        for way in _WAYS[self.rule]:
            cell = (piece[0] + way[0], piece[1] + way[1])
            while cell in self.free:
                found.append(cell)
                if self.rule != "queen":
                    break
                cell = (cell[0] + way[0], cell[1] + way[1])
        return found

    def moves(self) -> list[str]:
        steps = self.steps(self.mover)
        if self.rule == "classic":
            left = {self.pieces[self.mover]}
            return [
                f"{name(to)}/{name(gone)}" for to in steps for gone in (self.free | left) - {to} if gone is not None
            ]
        if not steps and self.rule == "trail" and self.steps(1 - self.mover):
            return ["pass"]
        return [name(to) for to in steps]

    def over(self) -> bool:
        return not self.moves()

    def play(self, move: str) -> Isolation:
        if move == "pass":
            return Isolation(
                self.rows, self.columns, self.rule, self.free, self.pieces, self.visited, 1 - self.mover
            )
        to, _, gone = move.partition("/")
        free = set(self.free) - {cell(to)}
        if self.rule == "classic":
            left = self.pieces[self.mover]
            if left is not None:
                free.add(left)
            free.remove(cell(gone))
        pieces, visited = list(self.pieces), list(self.visited)
        pieces[self.mover] = cell(to)
        visited[self.mover] += 1
        return Isolation(
            self.rows,
            self.columns,
            self.rule,
            frozenset(free),
            (pieces[0], pieces[1]),
            (visited[0], visited[1]),
            1 - self.mover,
        )

    def margin(self) -> int:
        if self.rule == "trail":
            return self.visited[0] - self.visited[1]
        return -1 if self.mover == 0 else 1


def name(at: Cell) -> str:
    return f"{chr(ord('a') + at[1])}{at[0] + 1}"


def cell(text: str) -> Cell:
    return int(text[1:]) - 1, ord(text[0]) - ord("a")
