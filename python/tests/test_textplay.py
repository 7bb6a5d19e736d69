"""The benchmark for players of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kalahari
from kalahari import textplay


def test_the_suite_is_exact():
    problems = textplay.suite()
    solvers = {}
    for problem in problems[::7]:
        game = problem.position.game
        solver = solvers.setdefault(game.spec, kalahari.Solver(game, threads=1))
        assert solver.solve(problem.position).moves == problem.values
    for problem in problems:
        assert set(problem.values) == set(problem.position.legal_moves())
        assert problem.worst < problem.best


@pytest.mark.long
def test_the_whole_suite_is_exact():
    for problem in textplay.suite():
        assert kalahari.solve(problem.position, threads=1).moves == problem.values


def test_questions_say_everything():
    for problem in textplay.suite()[::16]:
        for wording in textplay.WORDINGS:
            text = textplay.prompt(problem.position, wording, list_moves=True)
            assert textplay._position_of(text) == problem.position
            assert "MOVE:" in text.splitlines()[-1]
            assert f"player {problem.position.mover}" in text
    with pytest.raises(ValueError, match="wording must be"):
        textplay.prompt(problem.position, "rude")
    with pytest.raises(ValueError, match="the game is over"):
        textplay.prompt(kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0"))


@pytest.mark.parametrize(
    "answer, move",
    [
        ("MOVE: 2", 2),
        ("I think.\n\nMOVE: 2\n", 2),
        ("  MOVE: 2  ", 2),
        ("MOVE: 2.", None),
        ("MOVE: 2 ", 2),
        ("move: 2", None),
        ("MOVE:2", None),
        ("MOVE: 02", None),
        ("MOVE: +2", None),
        ("MOVE: 6", None),
        ("MOVE: 2\nor MOVE: 3", None),
        ("MOVE: 2 or 3", None),
        ("2", None),
        ("", None),
        ("MOVE: ２", None),
    ],
)
def test_answers_are_read_strictly(answer, move):
    parsed = textplay.parse(answer, kalahari.Game("kalah:6x4").start())
    assert parsed.move == move and parsed.legal == (move is not None)
    assert (parsed.problem is None) == parsed.legal


@given(st.text())
def test_no_answer_raises_an_exception(answer):
    for spec in ("kalah:6x4", "isolation:classic"):
        textplay.parse(answer, kalahari.Game(spec).start())
        textplay.parse("MOVE: " + answer, kalahari.Game(spec).start())


def test_players_are_scored():
    best = {}
    for problem in textplay.suite():
        for wording in textplay.WORDINGS:
            move = max(problem.values, key=problem.values.get)
            best[textplay.prompt(problem.position, wording)] = f"MOVE: {move}"
    perfect = textplay.evaluate(lambda question: best[question])
    assert (perfect.legal, perfect.optimal, perfect.regret) == (1, 1, 0)
    silent = textplay.evaluate(lambda question: "")
    assert (silent.readable, silent.legal, silent.optimal) == (0, 0, 0)
    chance = textplay.evaluate(textplay.random_player)
    greedy = textplay.evaluate(textplay.greedy_player)
    assert 0 < greedy.regret < chance.regret < silent.regret
    assert greedy.optimal > chance.optimal
    assert len(greedy.frame("polars")) == greedy.questions == 3 * len(textplay.suite())
    assert len(greedy.by("game", kind="polars")) == 7
    with pytest.raises(ValueError):
        textplay.evaluate(textplay.random_player, problems=[])
    with pytest.raises(TypeError, match="answer with a text"):
        textplay.evaluate(lambda question: None, limit=1)
