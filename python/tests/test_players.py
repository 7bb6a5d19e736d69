"""Players, analyses and proofs."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import kalahari


def test_analyses_have_a_value_for_every_move():
    position = kalahari.Game("kalah:6x5").start()
    found = kalahari.analyse(position, nodes=20_000)
    assert set(found.moves) == set(position.legal_moves())
    assert found.best in found.moves and found.line[0] == found.best
    best = max(score.value for score in found.moves.values())
    assert found.moves[found.best].value == best
    assert found.nodes > 0 and found.seconds > 0 and found.final
    finished = kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0")
    over = kalahari.analyse(finished, depth=3)
    assert over.best is None and over.proven and over.score.value == 2 and over.moves == {}


def test_analyses_come_depth_by_depth():
    position = kalahari.Game("isolation:queen").start()
    steps = list(kalahari.analyse_steps(position, depth=6, agent="engine", all_moves=False))
    assert [step.final for step in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].depth == 6 and len(steps) > 2
    # The search stops when the iteration stops.
    for step in kalahari.analyse_steps(position, time=60):
        assert not step.final
        break


def test_agents_by_spec_and_by_name():
    position = kalahari.Game("kalah:6x4").start()
    for agent in (
        kalahari.Engine(depth=4),
        kalahari.Mcts(playouts=50),
        kalahari.Minimax(depth=2),
        kalahari.AlphaBeta(depth=3, eval="weighted"),
        kalahari.Level(2),
        kalahari.Random(seed=5),
        kalahari.Perfect(),
        kalahari.agent("mcts:alpha=0.9,playouts=20"),
    ):
        assert agent.move(position) in position.legal_moves()
        assert agent.spec == pickle.loads(pickle.dumps(agent)).spec
    assert kalahari.Engine(time=0.25, exact_depth=True).spec == "engine:time=250000us,exact-depth=1"
    assert kalahari.Engine(time="5ms").move(position) in range(6)
    one, two = (kalahari.agent("random", seed=9) for _ in range(2))
    assert [one.move(position) for _ in range(20)] == [two.move(position) for _ in range(20)]
    with pytest.raises(ValueError, match="game is over"):
        kalahari.Random().move(kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0"))
    assert "engine" in kalahari.agents()


def test_a_player_sees_the_game_it_is_asked_about():
    agent = kalahari.Engine(depth=3)
    for spec in ("kalah:6x4", "isolation:queen", "kalah:6x4"):
        position = kalahari.Game(spec).start()
        assert agent.move(position) in position.legal_moves()


def test_solutions_are_exact():
    game = kalahari.Game("kalah:3x3")

    def negamax(position):
        if position.is_over:
            return position.margin * (1 if position.mover == 0 else -1)
        return max(worth(position, move) for move in position.legal_moves())

    def worth(position, move):
        after = position.play(move)
        value = negamax(after)
        return value if after.mover == position.mover else -value

    # A position near the end, which plain Python can solve.
    position = game.start()
    while len(position.legal_moves()) and position.to_array()[[3, 7]].sum() < 8:
        position = position.play(position.legal_moves()[-1])
    solution = kalahari.solve(position, threads=1)
    assert solution.value == negamax(position)
    assert solution.moves == {move: worth(position, move) for move in position.legal_moves()}
    assert solution.moves[solution.best] == solution.value
    end = position.play_all(solution.line)
    assert end.is_over and end.margin * (1 if position.mover == 0 else -1) == solution.value


def test_a_proof_without_enough_time_has_bounds():
    solution = kalahari.solve(kalahari.Game("kalah:6x6").start(), nodes=10, book=False, threads=1, tablebase=0, memory=1 << 20)
    assert solution.value is None and not solution.proven
    assert solution.lower < solution.upper
    # Every legal move has an entry, proven or not.
    assert solution.moves == dict.fromkeys(range(6))
    assert kalahari.solve(kalahari.Game("kalah:3x2").start(), moves=False).moves == {}


def test_every_legal_move_has_an_entry():
    for spec in ("kalah:6x6", "isolation:8x8", "isolation:classic"):
        start = kalahari.Game(spec).start()
        solution = kalahari.solve(start, nodes=5, book=False, threads=1, tablebase=0, memory=1 << 20)
        assert list(solution.moves) == start.legal_moves()
        for agent in (None, "mcts:playouts=2", "engine", "alphabeta:depth=1", "random"):
            found = kalahari.analyse(start, nodes=2, agent=agent)
            assert list(found.moves) == start.legal_moves()
    assert kalahari.analyse(start, nodes=2, agent="random", all_moves=False).moves == {}


def test_little_time_is_not_all_spent_on_tables():
    solver = kalahari.Solver("kalah:6x6", book=False)
    start = kalahari.Game("kalah:6x6").start()
    # The tablebase that suits this position takes minutes.
    solution = solver.solve(start, time=0.6, moves=False)
    assert solution.nodes > 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
def test_little_memory_means_smaller_tables():
    program = """
import resource, kalahari
position = kalahari.Game("kalah:6x6").start()
resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))
print(kalahari.solve(position, nodes=1000, time=5, book=False, threads=1).value)
try:
    kalahari.solve(position, nodes=1000, book=False, threads=1, memory=4 << 30)
except MemoryError as error:
    print("no room" if "MiB" in str(error) else error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "None\nno room\n", done.stderr


def test_solvers_solve_many():
    game = kalahari.Game("isolation:4x4")
    solver = kalahari.Solver(game, threads=1)
    positions = [game.start()] + [game.start().play(move) for move in game.start().legal_moves()]
    values = [solution.value for solution in solver.solve_all(positions, at_once=2)]
    assert values[0] == max(-value for value in values[1:])
    with pytest.raises(ValueError, match="another game"):
        solver.solve(kalahari.Game("kalah:6x4").start())


def test_tablebases(tmp_path, monkeypatch):
    game = kalahari.Game("kalah:4x3")
    table = kalahari.Tablebase.build("kalah:4x3", 10)
    assert (table.family, table.seeds) == ("kalah:4:standard", 10)
    assert sum(count for _, count in table.distribution()) == table.positions
    rng = np.random.default_rng(2)
    batch = kalahari.Batch(game, 500)
    solver = kalahari.Solver(game, threads=1, book=False, tablebase=0)
    checked = 0
    for _ in range(30):
        batch.advance(kalahari.random_actions(batch, rng))
        values = table.probe_batch(batch)
        board = batch.to_array()
        seeds = board[:, :4].sum(axis=1) + board[:, 5:9].sum(axis=1)
        assert np.array_equal(values == kalahari.UNKNOWN, seeds > 10)
        for place in range(0, 500, 97):
            value = table.probe(batch[place])
            assert (value if value is not None else kalahari.UNKNOWN) == values[place]
            if value is not None:
                assert solver.solve(batch[place], moves=False).value == value
                checked += 1
    assert checked > 20
    file = table.save(tmp_path / "a.tablebase")
    assert kalahari.Tablebase.open("kalah:4", file).probe(batch[0]) == table.probe(batch[0])
    monkeypatch.setenv("KALAHARI_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError):
        kalahari.Tablebase.open("kalah:4")
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(OSError):
        kalahari.Tablebase.open("kalah:4", file)
    assert table.probe(kalahari.Game("isolation").start()) is None


def test_books():
    book = kalahari.Book.open("kalah:6x4")
    start = kalahari.Game("kalah:6x4").start()
    moves = dict(book.moves(start))
    assert max(moves.values()) == book.probe(start) == kalahari.solve(start).value
    assert book.file is None and book.plies > 0 and book.positions > 0
    assert book.probe(kalahari.Game("isolation").start()) is None
    with pytest.raises(FileNotFoundError, match="no opening book"):
        kalahari.Book.open("isolation")


def test_the_interpreter_is_free_while_a_search_runs():
    ticks = 0
    done = threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    kalahari.analyse(kalahari.Game("kalah:6x6").start(), time=0.5)
    done.set()
    thread.join()
    assert ticks > 20


@pytest.mark.parametrize(
    "work",
    [
        "kalahari.analyse(kalahari.Game('kalah:6x6').start(), time=600)",
        "kalahari.Engine(time=600).move(kalahari.Game('kalah:6x6').start())",
        "kalahari.solve(kalahari.Game('kalah:6x6').start(), book=False)",
        "kalahari.Game('kalah:6x6').start().perft(60)",
        "kalahari.match('engine:time=100ms', 'engine:time=101ms', games=100000, openings='random:4')",
        "kalahari.match(slow, 'random', games=100000)",
        "kalahari.match(stuck, 'random')",
        "kalahari.match(stuck, 'random', errors='forfeit', processes=True)",
        "kalahari.match(asleep, 'random')",
        # Its thread keeps running, so Python cannot exit normally.
        "at_once(lambda: kalahari.match(deaf, 'random'))",
        "spread(lambda: ThreadPoolExecutor(2))",
        pytest.param("spread(lambda: ProcessPoolExecutor(2))", marks=pytest.mark.long),
        pytest.param("spread(ThreadPoolExecutor(2))", marks=pytest.mark.long),
        pytest.param("spread(ProcessPoolExecutor(2))", marks=pytest.mark.long),
        pytest.param("kalahari.dataset('kalah:6x6', rows=10**6, source='self-play', label='engine:nodes=20000')", marks=pytest.mark.long),
        pytest.param("kalahari.match(deaf, 'random', processes=True)", marks=pytest.mark.long),
        pytest.param("kalahari.Game('isolation:classic').start().perft(9)", marks=pytest.mark.long),
        pytest.param("kalahari.Mcts(time=600).move(kalahari.Game('isolation').start())", marks=pytest.mark.long),
        pytest.param("kalahari.solve(kalahari.Game('isolation:12x12').start())", marks=pytest.mark.long),
        pytest.param("kalahari.Solver('kalah:6x6', book=False).solve_all([kalahari.Game().start()] * 9)", marks=pytest.mark.long),
        pytest.param("kalahari.Tablebase.build('kalah:6x4', 24)", marks=pytest.mark.long),
        pytest.param("kalahari.dataset('kalah:6x6', rows=10**6, left=(20, 40), tablebase=0)", marks=pytest.mark.long),
        pytest.param("kalahari.Batch(kalahari.Game('isolation:16x16:queen'), 10**6).playouts()", marks=pytest.mark.long),
        pytest.param("kalahari.tournament([slow, stuck, 'random'], openings='random:4')", marks=pytest.mark.long),
        pytest.param("list(kalahari.analyse_steps(kalahari.Game().start(), time=600, agent='mcts'))", marks=pytest.mark.long),
        pytest.param("kalahari.match('engine:time=5ms', 'engine:time=6ms', games=10**6, openings='balanced:8')", marks=pytest.mark.long),
    ],
)
def test_ctrl_c_stops_everything(work, tmp_path):
    program = f"""
import os, sys, threading, time, kalahari, kalahari.cluster
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
def slow(position, limits):
    time.sleep(0.01)
    return position.legal_moves()[0]
def stuck(position, limits):
    while True:
        pass
def asleep(position, limits):
    time.sleep(10**6)
def deaf(position, limits):
    while True:
        try:
            time.sleep(0.1)
        except BaseException:
            pass
def at_once(work):
    try:
        work()
    except KeyboardInterrupt:
        print("stopped", flush=True)
        os._exit(0)
def spread(pool):
    slow = ["engine:time=300ms", "engine:time=400ms"]
    db = {str(tmp_path / "games.db")!r}
    if callable(pool):
        return kalahari.cluster.match(*slow, pool, games=400, db=db)
    with pool:
        return kalahari.cluster.match(*slow, pool, games=400, db=db)
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "stopped\n"
    assert time.monotonic() - begin < 20
    assert process.returncode == 0


@pytest.mark.parametrize("spec, left", [("kalah:6x4", (4, 12)), ("isolation:4x4", (1, 8))])
def test_data_sets_are_exact(spec, left):
    polars = pytest.importorskip("polars")
    game = kalahari.Game(spec)
    table = kalahari.dataset(game, rows=60, left=left, threads=1, kind="polars")
    assert isinstance(table, polars.DataFrame) and len(table) == 60
    solver = kalahari.Solver(game, threads=1)
    for row in table.to_dicts()[::6]:
        solution = solver.solve(game.position(row["position"]))
        assert solution.value == row["value"] and row["proven"]
        assert solution.moves[row["best"]] == solution.value
    again = kalahari.dataset(game, rows=60, left=left, threads=2, kind="polars")
    assert again["position"].to_list() == table["position"].to_list()
    assert again["value"].to_list() == table["value"].to_list()


def test_data_sets_of_searches_and_of_games(tmp_path):
    pytest.importorskip("polars")
    table = kalahari.dataset("kalah:4x3", rows=30, source="self-play", label="engine:nodes=200", kind="polars")
    assert len(table) == 30 and set(table["label"]) == {"search"}
    db = tmp_path / "games.db"
    kalahari.match("level:1", "random", game="kalah:4x3", games=4, db=db)
    played = kalahari.dataset("kalah:4x3", source=db, left=(2, 10), kind="polars")
    assert len(played) > 0 and played["proven"].all()
    for wrong in (
        lambda: kalahari.dataset("kalah:4x3"),
        lambda: kalahari.dataset("kalah:4x3", rows=5, left=(1, 99)),
        lambda: kalahari.dataset("kalah:4x3", rows=5, left=(9, 5)),
        lambda: kalahari.dataset("kalah:4x3", rows=5, label="nobody"),
        lambda: kalahari.dataset("kalah:4x3", rows=5, source="self-play", random=7),
        lambda: kalahari.dataset("kalah:4x3", rows=5, label="engine:time=1s"),
    ):
        with pytest.raises(ValueError):
            wrong()
