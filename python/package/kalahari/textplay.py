"""A benchmark for language models and other players of text: any function from a text to a text.

A question is a text with the rules, the position, and how to answer. The answer is read strictly: its last line has to be
`MOVE: ` and a legal move, written as the question asks. The score says how many answers could be read, how many moves were legal,
and their regret: how much worse the exact value of a move is than that of the best one.

>>> import kalahari.textplay
>>> result = evaluate(greedy_player, wordings=["plain"], limit=12)
>>> result.legal, result.regret >= 0
(1.0, True)

The positions are a fixed, public suite (`suite()`), solved exactly. No model is needed to try it: `random_player` and
`greedy_player` show how it works and what is easy.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from . import _checks
from ._frames import frame
from ._native import Game, Position

__all__ = [
    "WORDINGS",
    "Answer",
    "Problem",
    "Result",
    "evaluate",
    "greedy_player",
    "parse",
    "prompt",
    "random_player",
    "suite",
]

TextPlayer = Callable[[str], str]
"""A function that answers a text with a text."""

WORDINGS = ("plain", "formal", "story")
"""The ways in which a question can be worded. All of them say the same."""


@dataclass(frozen=True)
class Problem:
    """A position of the suite and the exact value of each of its moves, for the player to move."""

    name: str
    position: Position
    values: dict[int | str, int]

    @property
    def best(self) -> int:
        """The value of the best moves."""
        return max(self.values.values())

    @property
    def worst(self) -> int:
        """The value of the worst moves."""
        return min(self.values.values())


@lru_cache(maxsize=1)
def suite() -> tuple[Problem, ...]:
    """The public suite: positions of several games, some early, some late, each with moves of different values.

    >>> len(suite()) >= 100, len({problem.position.game.spec for problem in suite()}) >= 5
    (True, True)
    """
    text = (files(__package__) / "data" / "textplay.json").read_text()
    problems = []
    for number, entry in enumerate(json.loads(text)["problems"]):
        position = Game(entry["game"]).position(entry["position"])
        values = {position.move(position.action(move)): value for move, value in entry["values"].items()}
        problems.append(Problem(f"{entry['game']}#{number}", position, values))
    return tuple(problems)


def _kalah_rules(game: Game, wording: str) -> str:
    pits, seeds = game.size
    last = pits - 1
    empty = {
        "standard": "its landing pit now holds exactly that one seed and the opposite pit of the opponent is not empty",
        "empty-capture": "its landing pit now holds exactly that one seed (the opposite pit may be empty)",
        "pre-move-empty": "its landing pit was empty before the move began and the opposite pit is not empty",
    }[game.rule]
    if wording == "formal":
        return (
            f"Game {game.spec}. Two players, 0 and 1; each owns pits 0 to {last} and a store.\n"
            f"R1. A move names a non-empty own pit. Its seeds are sown one by one into the following houses: own pits in "
            f"increasing order, own store, the opponent's pits in the opponent's increasing order, own pits again, and so on; "
            f"the opponent's store is skipped.\n"
            f"R2. If the last seed falls into the own store, the same player moves again.\n"
            f"R3. If the last seed falls into an own pit and {empty}, the seeds of both pits go to the own store. Own pit i "
            f"is opposite the opponent's pit {last} - i.\n"
            f"R4. If after a move all pits of a side are empty, the game is over and each player banks the seeds on the own "
            f"side. More seeds in store wins."
        )
    if wording == "story":
        return (
            f"We are playing Kalah ({game.spec}). Each of us has {pits} pits, numbered 0 to {last} in the direction we sow, "
            f"and a store after pit {last}. When it is your turn you pick up all seeds of one of your pits and drop them one "
            f"by one: along your pits, into your store, along my pits from my pit 0 on, and back to your side; my store is "
            f"left out. If your last seed drops into your store, you go again. If it drops into one of your own pits and "
            f"{empty}, you win it together with what lies in my pit opposite (your pit i faces my pit {last} - i). As soon as "
            f"one of us has no seeds left in the pits after a move, each takes what is on the own side, and the fuller store "
            f"wins."
        )
    return (
        f"The game is Kalah, {game.spec}. Each player has {pits} pits, numbered 0 to {last}, and a store.\n"
        f"- A move takes all seeds of one of your own pits that is not empty and drops them one by one into the next houses: "
        f"your higher pits, your store, the opponent's pits from 0 to {last}, then your pits from 0 on. The opponent's store "
        f"is skipped.\n"
        f"- If the last seed falls into your store, you move again.\n"
        f"- If the last seed falls into one of your own pits and {empty}, you bank that pit and the opposite pit. Your pit i "
        f"is opposite the opponent's pit {last} - i.\n"
        f"- When all pits of one side are empty after a move, the game ends and each player banks the seeds of the own side. "
        f"Whoever has more seeds wins; the larger the margin the better."
    )


_STEPS = {
    "trail": "one step north, south, east or west onto a free cell; the cell you leave is blocked for ever",
    "classic": "one step in any of the eight directions onto a free cell, and then the removal of any free cell (the one you "
    "have just left is free, too)",
    "queen": "a slide of any length in any of the eight directions over free cells; the cell you leave is blocked for ever",
    "knight": "a jump like a chess knight's onto a free cell; the cell you leave is blocked for ever",
}

_ENDS = {
    "trail": "A player who cannot move passes while the other can still move. The game is over when both are stuck; whoever "
    "has visited more cells (the current one included) wins, and the larger the difference the better.",
    "classic": "Whoever is to move and cannot step loses.",
    "queen": "Whoever is to move and cannot move loses. The first two moves place the pieces on any free cell.",
    "knight": "Whoever is to move and cannot move loses. The first two moves place the pieces on any free cell.",
}


def _isolation_rules(game: Game, wording: str) -> str:
    rows, columns = game.size
    letters = f"a to {chr(ord('a') + columns - 1)}"
    step, end = _STEPS[game.rule], _ENDS[game.rule]
    if wording == "formal":
        return (
            f"Game {game.spec}. A board of {rows} rows (1 to {rows}, row 1 first) and {columns} columns ({letters}). Two "
            f"players, 0 and 1, with pieces 1 and 2.\nR1. A move is {step}. Pieces block cells, too.\nR2. {end}"
        )
    if wording == "story":
        return (
            f"We are playing Isolation ({game.spec}) on {rows} rows and {columns} columns ({letters}; row 1 is written first). "
            f"Each of us has one piece. On a turn you make {step}. You may not enter a cell that is taken. {end}"
        )
    return (
        f"The game is Isolation, {game.spec}, on {rows} rows (numbered 1 to {rows}) and {columns} columns ({letters}).\n"
        f"- A move is {step}. Pieces block cells, too.\n- {end}"
    )


def _board(position: Position) -> str:
    game = position.game
    you = position.mover
    if game.kind == "kalah":
        board, pits = position.to_array().tolist(), game.size[0]
        sides = [board[: pits + 1], board[pits + 1 :]]
        own, other = sides[you], sides[1 - you]

        def side(houses: list[int]) -> str:
            return ", ".join(f"pit {pit}: {seeds}" for pit, seeds in enumerate(houses[:-1])) + f"; store: {houses[-1]}"

        return f"Your pits: {side(own)}.\nThe opponent's pits: {side(other)}."
    rows = position.text.split(" ")[0].split("/")
    head = "   " + " ".join(chr(ord("a") + column) for column in range(game.size[1]))
    lines = [head, *(f"{number:>2} " + " ".join(row) for number, row in enumerate(rows, 1))]
    return (
        "\n".join(lines)
        + f"\n. is free; {you + 1} is your piece; {2 - you} is the opponent's; x, o and # are blocked"
        + (" (x was left by piece 1, o by piece 2)." if game.rule == "trail" else ".")
    )


def _form(game: Game) -> str:
    if game.kind == "kalah":
        return "the number of your pit, such as MOVE: 2"
    if game.rule == "classic":
        return "the cell you step onto, a slash and the cell you remove, such as MOVE: c4/e2"
    if game.rule == "trail":
        return "the cell you step onto, such as MOVE: c4, or MOVE: pass if you are stuck"
    return "the cell you move to, such as MOVE: c4"


def prompt(position: Position, wording: str = "plain", *, list_moves: bool = False) -> str:
    """The question about a position: rules, board, and how to answer.

    >>> text = prompt(Game("kalah:6x4").start())
    >>> text.splitlines()[-1]
    'The last line of your answer has to be MOVE: and the number of your pit, such as MOVE: 2'

    With `list_moves` the legal moves are named, so that only their choice is asked for.
    """
    _checks.word("wording", wording, WORDINGS)
    if _checks.position(position).is_over:
        raise ValueError("the game is over: there is nothing to ask")
    game = position.game
    rules = _kalah_rules(game, wording) if game.kind == "kalah" else _isolation_rules(game, wording)
    if game.spec.endswith("+majority"):
        rules += "\nThe game is also over as soon as a store holds more than half of all seeds."
    parts = [
        rules,
        f"You are player {position.mover} and it is your turn.",
        _board(position),
        f"Position: {position.text}",
    ]
    if list_moves:
        parts.append("Legal moves: " + " ".join(str(move) for move in position.legal_moves()))
    parts.append(
        "Choose the move with the best result against best play.\n"
        f"The last line of your answer has to be MOVE: and {_form(game)}"
    )
    return "\n\n".join(parts)


_LAST = re.compile(r"MOVE: (\S+)")


@dataclass(frozen=True)
class Answer:
    """A parsed answer: `move` if it could be read, `legal` if it may be played, `problem` what is wrong with it."""

    text: str
    move: int | str | None
    legal: bool
    problem: str | None


def parse(answer: str, position: Position) -> Answer:
    """Reads an answer strictly: its last line is `MOVE: ` and a legal move, written as the position's moves are.

    >>> start = Game("kalah:6x4").start()
    >>> parse("It ends in the store.\\nMOVE: 2", start).move
    2
    >>> parse("I play 2.", start).problem
    'the last line is not MOVE: and a move'
    >>> parse("MOVE: 6", start).legal
    False
    """
    lines = _checks.text("answer", answer).strip().splitlines()
    found = _LAST.fullmatch(lines[-1].strip()) if lines else None
    if found is None:
        return Answer(answer, None, False, "the last line is not MOVE: and a move")
    word = found[1]
    for move in _checks.position(position).legal_moves():
        if str(move) == word:
            return Answer(answer, move, True, None)
    try:
        position.play(word)
    except ValueError as error:
        return Answer(answer, None, False, str(error))
    return Answer(answer, None, False, f"{word} is not how this move is written")


@dataclass(frozen=True)
class Result:
    """How a player of text has done.

    - `questions`: how many there were
    - `readable`, `legal`, `optimal`: the shares of answers that could be read, of legal moves, and of best moves
    - `regret`: how much worse than the best move its moves were on average; an answer without a legal move counts as the worst move
    - `answers`: every answer; `frame()` makes a table of them, and `by(...)` one of averages

    >>> evaluate(greedy_player, limit=3).questions
    9
    """

    questions: int
    readable: float
    legal: float
    optimal: float
    regret: float
    answers: list[dict[str, Any]] = field(repr=False)

    def frame(self, kind: str | None = None) -> Any:
        """A table with a row for each answer."""
        return frame(self.answers, kind)

    def by(self, *names: str, kind: str | None = None) -> Any:
        """A table of averages by "game", "wording" or "problem", or by several of them; by game and wording if none is named.

        >>> evaluate(greedy_player, limit=3).by("wording")["questions"].tolist()
        [3, 3, 3]
        """
        names = tuple(_checks.word("a name", name, ("game", "wording", "problem")) for name in names) or ("game", "wording")
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for answer in self.answers:
            groups.setdefault(tuple(answer[name] for name in names), []).append(answer)
        rows = []
        for key, answers in groups.items():
            row: dict[str, Any] = dict(zip(names, key))
            row["questions"] = len(answers)
            for figure in ("readable", "legal", "optimal", "regret"):
                row[figure] = sum(answer[figure] for answer in answers) / len(answers)
            rows.append(row)
        return frame(rows, kind)


def evaluate(
    player: TextPlayer,
    *,
    problems: Iterable[Problem] | None = None,
    wordings: Sequence[str] = WORDINGS,
    list_moves: bool = False,
    limit: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Result:
    """Asks a player about every problem in every wording, and scores the answers.

    >>> result = evaluate(random_player, limit=10)
    >>> result.questions, result.legal
    (30, 1.0)

    `limit` takes only that many problems, spread over the suite. With `list_moves` the questions name the legal moves. `progress` is
    called after every answer with the number of answers and of questions. An exception of the player ends the evaluation.
    """
    if not callable(player):
        raise TypeError(f"a player of text must be a function, not {type(player).__name__}")
    chosen = list(suite() if problems is None else problems)
    if not all(isinstance(problem, Problem) for problem in chosen):
        raise TypeError("problems must be those of suite(), or of the class Problem")
    if isinstance(wordings, str):
        wordings = [wordings]
    wordings = [_checks.word("wording", wording, WORDINGS) for wording in wordings]
    _checks.whole_or_none("limit", limit, 0, 2**64 - 1)
    _checks.function_or_none("progress", progress)
    if limit is not None and limit < len(chosen):
        chosen = [chosen[place * len(chosen) // limit] for place in range(limit)]
    answers: list[dict[str, Any]] = []
    total = len(chosen) * len(wordings)
    for problem in chosen:
        for wording in wordings:
            said = player(prompt(problem.position, wording, list_moves=list_moves))
            if not isinstance(said, str):
                raise TypeError(f"a player of text must answer with a text, not a {type(said).__name__}")
            answer = parse(said, problem.position)
            value = problem.worst if answer.move is None else problem.values[answer.move]
            answers.append(
                {
                    "problem": problem.name,
                    "game": problem.position.game.spec,
                    "wording": wording,
                    "position": problem.position.text,
                    "move": None if answer.move is None else str(answer.move),
                    "readable": answer.problem != "the last line is not MOVE: and a move",
                    "legal": answer.legal,
                    "optimal": answer.legal and value == problem.best,
                    "regret": problem.best - value,
                    "problem_with_it": answer.problem,
                    "answer": answer.text,
                }
            )
            if progress is not None:
                progress(len(answers), total)
    if not answers:
        raise ValueError("there is nothing to ask")

    def share(name: str) -> float:
        return float(sum(answer[name] for answer in answers)) / len(answers)

    return Result(len(answers), share("readable"), share("legal"), share("optimal"), share("regret"), answers)


def _position_of(question: str) -> Position:
    """The position of a question, found in its text."""
    _checks.text("question", question)
    spec = re.search(r"(?:kalah|isolation):\w+:[\w+-]+", question)
    text = re.search(r"^Position: (.+)$", question, re.MULTILINE)
    if spec is None or text is None:
        raise ValueError("this is not a question of textplay")
    return Game(spec[0]).position(text[1])


def random_player(question: str) -> str:
    """Answers with a random legal move; the same question gets the same answer.

    >>> random_player(prompt(Game("kalah:6x4").start())).startswith("MOVE: ")
    True
    """
    position = _position_of(question)
    return f"MOVE: {random.Random(question).choice(position.legal_moves())}"


def greedy_player(question: str) -> str:
    """Answers with the move that looks best at once: by seeds in the store, or by cells it can move to.

    >>> greedy_player(prompt(Game("kalah:6x4").start())).splitlines()[-1]
    'MOVE: 2'
    """
    position = _position_of(question)

    def lead(move: int | str) -> int:
        after = position.play(move)
        sign = 1 if position.mover == 0 else -1
        if after.margin is not None:
            return 1000 * sign * after.margin
        if position.game.kind == "kalah":
            board = after.to_array()
            return sign * (int(board[len(board) // 2 - 1]) - int(board[-1]))
        moves = len(after.legal_moves())
        return moves if after.mover == position.mover else -moves

    best = max(position.legal_moves(), key=lead)
    return f"This looks best at a glance.\nMOVE: {best}"
