"""Wrong arguments: every public function raises an exception that says plainly what is wrong."""

from __future__ import annotations

import math
import re
import tempfile

import numpy as np
import pytest

import kalahari
import kalahari.cluster
import kalahari.openspiel
import kalahari.textplay

GAME = kalahari.Game("kalah:4x3")
START = GAME.start()
BATCH = kalahari.Batch(GAME, 2)
TABLE = kalahari.Tablebase.build("kalah:4", 2)
BOOK = kalahari.Book.open("kalah:6x4")
SOLVER = kalahari.Solver(GAME, threads=1, tablebase=0, memory=1 << 16)
QUICK = {"game": GAME, "games": 2, "openings": "start", "workers": 1}
FOLDER = tempfile.mkdtemp()


def first(position, limits):
    return position.legal_moves()[0]


def playing(**wrong):
    return kalahari.match("random", "level:1", **{**QUICK, **wrong})


def contest(**wrong):
    return kalahari.tournament(["random", "level:1"], **{**QUICK, **wrong})


def rows(**wrong):
    return kalahari.dataset(**{"game": GAME, "rows": 2, "left": (2, 4), "threads": 1, **wrong})


def spread(**wrong):
    return kalahari.cluster.match("random", "level:1", None, **{"game": GAME, "games": 2, "db": f"{FOLDER}/games.db", **wrong})


VALUES = {
    "None": None,
    "-1": -1,
    "0": 0,
    "1.5": 1.5,
    "1e400": 1e400,
    "nan": math.nan,
    "10**30": 10**30,
    "-10**30": -(10**30),
    "10**10000": 10**10000,
    "empty": "",
    "nonsense": "nonsense",
    "long": "x" * 10**6,
    "zero byte": "\0",
    "surrogate": "\ud800",
    "bytes": b"kalah:6x4",
    "list": [],
    "huge list": [0] * 10**5,
    "dict": {},
    "object": object(),
    "True": True,
    "complex": 1j,
    "int8": np.int8(-1),
    "float64": np.float64("inf"),
    "array": np.zeros(3),
    "class": int,
}

CALLS = {
    "Game": lambda x: kalahari.Game(x),
    "Game.position": lambda x: GAME.position(x),
    "Position.play": lambda x: START.play(x),
    "Position.play_all": lambda x: START.play_all(x),
    "Position.is_legal": lambda x: START.is_legal(x),
    "Position.perft": lambda x: START.perft(x) if x != 0 else None,
    "Position.action": lambda x: START.action(x),
    "Position.move": lambda x: START.move(x),
    "Position.explain": lambda x: START.explain(x),
    "Batch": lambda x: kalahari.Batch(x),
    "Batch count": lambda x: kalahari.Batch(GAME, x),
    "Batch.of": lambda x: kalahari.Batch.of(x),
    "Batch.of list": lambda x: kalahari.Batch.of([x]),
    "Batch.from_array game": lambda x: kalahari.Batch.from_array(x, [[3] * 10], [0]),
    "Batch.from_array": lambda x: kalahari.Batch.from_array(GAME, x, [0]),
    "Batch.from_array row": lambda x: kalahari.Batch.from_array(GAME, [[x] * 10], [0]),
    "Batch.from_array movers": lambda x: kalahari.Batch.from_array(GAME, [[3, 3, 3, 3, 0] * 2], x),
    "Batch[]": lambda x: BATCH[x],
    "Batch.choose": lambda x: BATCH.choose(x),
    "Batch.play": lambda x: BATCH.play(x),
    "Batch.play one": lambda x: BATCH.play([x, x]),
    "Batch.advance": lambda x: BATCH.copy().advance(x),
    "Batch.step": lambda x: BATCH.copy().step(x),
    "Batch.values": lambda x: BATCH.values(x),
    "Batch.playouts": lambda x: BATCH.playouts(x),
    "random_actions": lambda x: kalahari.random_actions(x, np.random.default_rng(1)),
    "random_actions rng": lambda x: kalahari.random_actions(BATCH, x),
    "Limits depth": lambda x: kalahari.Limits(depth=x),
    "Limits nodes": lambda x: kalahari.Limits(nodes=x),
    "Limits time": lambda x: kalahari.Limits(time=x),
    "Limits clock": lambda x: kalahari.Limits(clock=x),
    "Limits increment": lambda x: kalahari.Limits(clock=1, increment=x),
    "agent": lambda x: kalahari.agent(x),
    "agent seed": lambda x: kalahari.agent("random", seed=x),
    "Agent": lambda x: kalahari.Agent(x),
    "Agent.move": lambda x: kalahari.Random().move(x),
    "Agent.move limits": lambda x: kalahari.Random().move(START, x),
    "Agent.think": lambda x: kalahari.Random().think(x),
    "Agent.begin_game": lambda x: kalahari.Random().begin_game(x),
    "Engine depth": lambda x: kalahari.Engine(depth=x),
    "Engine time": lambda x: kalahari.Engine(time=x),
    "Engine eval": lambda x: kalahari.Engine(eval=x),
    "Engine seed": lambda x: kalahari.Engine(seed=x),
    "Engine hash": lambda x: kalahari.Engine(hash=x),
    "Mcts playouts": lambda x: kalahari.Mcts(playouts=x),
    "Mcts alpha": lambda x: kalahari.Mcts(alpha=x),
    "Level": lambda x: kalahari.Level(x),
    "Random": lambda x: kalahari.Random(seed=x),
    "Ugi": lambda x: kalahari.Ugi(x),
    "analyse": lambda x: kalahari.analyse(x),
    "analyse time": lambda x: kalahari.analyse(START, time=x, depth=1),
    "analyse nodes": lambda x: kalahari.analyse(START, nodes=x, depth=1),
    "analyse depth": lambda x: kalahari.analyse(START, depth=x, nodes=10),
    "analyse agent": lambda x: kalahari.analyse(START, nodes=10, agent=x),
    "analyse hash": lambda x: kalahari.analyse(START, nodes=10, hash=x),
    "analyse_steps": lambda x: kalahari.analyse_steps(x),
    "solve": lambda x: kalahari.solve(x),
    "solve time": lambda x: SOLVER.solve(START, time=x, nodes=10),
    "solve nodes": lambda x: SOLVER.solve(START, nodes=x),
    "solve threads": lambda x: kalahari.solve(START, threads=x),
    "solve memory": lambda x: kalahari.solve(START, memory=x, nodes=10),
    "solve tablebase": lambda x: kalahari.solve(START, tablebase=x),
    "Solver": lambda x: kalahari.Solver(x),
    "Solver.solve_all": lambda x: SOLVER.solve_all(x, nodes=10),
    "Solver.solve_all list": lambda x: SOLVER.solve_all([x], nodes=10),
    "Solver.solve_all at_once": lambda x: SOLVER.solve_all([START], at_once=x, nodes=10),
    "Tablebase.build": lambda x: kalahari.Tablebase.build(x, 2),
    "Tablebase.build seeds": lambda x: kalahari.Tablebase.build("kalah:4", x),
    "Tablebase.open": lambda x: kalahari.Tablebase.open(x),
    "Tablebase.open file": lambda x: kalahari.Tablebase.open("kalah:4", x),
    "Tablebase.probe": lambda x: TABLE.probe(x),
    "Tablebase.probe_batch": lambda x: TABLE.probe_batch(x),
    "Book.open": lambda x: kalahari.Book.open(x),
    "Book.probe": lambda x: BOOK.probe(x),
    "Book.moves": lambda x: BOOK.moves(x),
    "match agent": lambda x: kalahari.match(x, "random", **QUICK) if x is not int else None,
    "tournament": lambda x: kalahari.tournament(x, **QUICK),
    "tournament agent": lambda x: kalahari.tournament([x, "random"], **QUICK) if x is not int else None,
    "tournament schedule": lambda x: contest(schedule=x),
    "tournament rounds": lambda x: contest(rounds=x, schedule="swiss"),
    **{
        f"match {name}": lambda x, name=name: playing(**{name: x})
        for name in "game games depth nodes time clock openings seed sprt model adjudicate grace workers patience errors progress".split()
    },
    "match opening": lambda x: playing(openings=[x]),
    "match sprt[0]": lambda x: playing(sprt=(x, 5)),
    "match db": lambda x: playing(db=x) if isinstance(x, bytes) else None,
    "match python": lambda x: kalahari.match(lambda position, limits: x, "random", **QUICK),
    **{
        f"dataset {name}": lambda x, name=name: rows(**{name: x})
        for name in "game rows source label left play random opening tablebase seed threads kind".split()
    },
    "dataset left": lambda x: rows(left=(x, x)),
    "animate": lambda x: kalahari.animate(x, [1]),
    "animate moves": lambda x: kalahari.animate(START, x),
    "animate seconds": lambda x: kalahari.animate(START, [1], seconds=x),
    "Store.games": lambda x: kalahari.Store(FOLDER + "/no.db").games(x),
    "Store": lambda x: kalahari.Store(x).matches() if not isinstance(x, str) else None,
    "html_report": lambda x: kalahari.html_report(FOLDER + "/no.db", x),
    "State": lambda x: kalahari.openspiel.State(x),
    "State.apply_action": lambda x: kalahari.openspiel.State(GAME).apply_action(x),
    "prompt": lambda x: kalahari.textplay.prompt(x),
    "prompt wording": lambda x: kalahari.textplay.prompt(START, x),
    "parse": lambda x: kalahari.textplay.parse(x, START),
    "parse position": lambda x: kalahari.textplay.parse("MOVE: 1", x),
    "evaluate": lambda x: kalahari.textplay.evaluate(x, limit=1),
    "evaluate problems": lambda x: kalahari.textplay.evaluate(lambda text: "", problems=x, limit=1),
    "evaluate limit": lambda x: kalahari.textplay.evaluate(lambda text: "", limit=x) if x is not None else None,
    "evaluate wordings": lambda x: kalahari.textplay.evaluate(lambda text: "", wordings=x, limit=1),
    "serve_ugi": lambda x: kalahari.serve_ugi(x) if not callable(x) else None,
    **{
        f"cluster {name}": lambda x, name=name: spread(**{name: x})
        for name in "game games shards horizon threads folder db patience".split()
    },
    "cluster executor": lambda x: kalahari.cluster.match("random", "level:1", x, game=GAME, games=2, db=f"{FOLDER}/e.db"),
    "cluster prove": lambda x: kalahari.cluster.prove(GAME, None, at_least=x, journal=f"{FOLDER}/j.proof"),
    "cluster dataset": lambda x: kalahari.cluster.dataset(GAME, None, out=f"{FOLDER}/rows", rows=2, rows_per_file=x),
    "cluster tune": lambda x: kalahari.cluster.tune(
        "mcts:playouts=5", "alpha=0..1", None, against=["random"], horizon=x, game=GAME, games=2
    ),
}

FINE = (TypeError, ValueError, IndexError, OSError, MemoryError)
"""What a wrong argument may raise. `OverflowError`, `AttributeError` and panics are not allowed."""

INTERNAL = re.compile(
    r"Settings|_Conditions|Asked\b|Py[A-Z]\w+|\b[ui](8|16|32|64|128|size)\b|f64|extract|convert|Rust|panick|unwrap|__\w+__|lambda"
    r"|cannot be (cast|interpreted)|argument '"
)
"""Words that do not help the user who made the mistake."""


def trouble(call, value):
    """What is wrong with the error message of a call with this value; None if nothing is."""
    try:
        CALLS[call](value)
    except FINE as error:
        said = str(error)
        if INTERNAL.search(said.replace("lambda", "") if "lambda" in call else said):
            return f"{type(error).__name__}: {said[:200]}"
        if len(said) > 1000 or not said:
            return f"a message of {len(said)} characters: {said[:80]}"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return None


@pytest.mark.parametrize("call", CALLS)
def test_wrong_arguments_get_plain_messages(call):
    found = {name: trouble(call, value) for name, value in VALUES.items()}
    assert {name: what for name, what in found.items() if what is not None} == {}


def test_options_are_checked_when_an_agent_is_made():
    for make in (
        lambda: kalahari.Level(99),
        lambda: kalahari.agent("level:99"),
        lambda: kalahari.Engine(depth="deep"),
        lambda: kalahari.Engine(depth=0),
        lambda: kalahari.Engine(eval="nonsense"),
        lambda: kalahari.Engine(no_such_option=1),
        lambda: kalahari.Mcts(playouts=-1),
        lambda: kalahari.agent("engine:depth=3,depth=4"),
    ):
        with pytest.raises(ValueError):
            make()
    # An option that is valid in some game is accepted.
    assert kalahari.Engine(eval="mobility").move(kalahari.Game("isolation").start())


def test_messages_use_the_names_of_the_arguments():
    for wrong, message in (
        (lambda: kalahari.Limits(nodes=10**30), f"nodes must be from 0 to {2**64 - 1}, not {10**30}"),
        (lambda: kalahari.Limits(time="soon"), "soon"),
        (lambda: playing(games=-1), f"games must be from 0 to {2**32 - 1}, not -1"),
        (lambda: playing(clock=5), "clock must be a text, not int"),
        (lambda: playing(workers=0), "workers must be from 1 to 1024, not 0"),
        (lambda: kalahari.Level(99), "level must be from 0 to 12, not 99"),
        (lambda: START.play(10**30), "there is no such pit"),
        (lambda: kalahari.cluster.tune("mcts", "alpha=0..1", None), "clop needs opponents: against="),
        (lambda: spread(patience=3), "there is no option 'patience' on a cluster"),
    ):
        with pytest.raises((TypeError, ValueError), match=re.escape(message)):
            wrong()
