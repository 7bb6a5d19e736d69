"""Experiments on more than one machine: whichever process dies, the store is that of one undisturbed run."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import kalahari
import kalahari.cluster as cluster
import pytest

SETTINGS: dict[str, Any] = {"game": "kalah:4x3", "nodes": 60, "seed": 5, "openings": "random:3"}
LARGER: dict[str, Any] = {"game": "kalah:6x4", "nodes": 300, "seed": 5, "openings": "random:8"}
AGENTS = ("engine:hash=1", "mcts")


def kept(db: Path) -> list[tuple[object, ...]]:
    """Every game of a store without times and dates."""
    query = """SELECT match, place, number, result, margin, score_a, margin_a, ending, detail, book, plies, moves, opinions
        FROM games ORDER BY match, place"""
    with sqlite3.connect(db) as store:
        return store.execute(query).fetchall()


def whole(folder: Path, games: int) -> list[tuple[object, ...]]:
    """What one machine plays."""
    kalahari.match(*AGENTS, games=games, db=folder / "whole.db", workers=1, **SETTINGS)
    return kept(folder / "whole.db")


def test_threads_play_what_one_machine_plays(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    told: list[tuple[int, int]] = []
    with ThreadPoolExecutor(2) as executor:
        result = cluster.match(
            *AGENTS, executor, games=30, db=db, shards=7, progress=lambda done, of: told.append((done, of)), **SETTINGS
        )
    assert result.games == 30 and result.resumed == 30 and result.played == 0
    assert kept(db) == whole(tmp_path, 30)
    assert told[0] == (0, 7) and told[-1] == (7, 7)
    # Nothing is done again: the executor is not even used.
    again = cluster.match(*AGENTS, Never(), games=30, db=db, shards=7, **SETTINGS)
    assert again.games == 30


class Never(Executor):
    """An executor that must not be used."""

    def submit(self, fn: Any, /, *args: Any, **more: Any) -> Future[Any]:
        raise AssertionError("nothing is left to do")


class Counting(ThreadPoolExecutor):
    """Counts the tasks that are submitted."""

    asked = 0

    def submit(self, fn: Any, /, *args: Any, **more: Any) -> Future[Any]:
        self.asked += 1
        return super().submit(fn, *args, **more)


def test_damaged_files_are_made_again(tmp_path: Path) -> None:
    db, folder = tmp_path / "games.db", tmp_path / "shards"
    with ThreadPoolExecutor(1) as executor:
        cluster.match(*AGENTS, executor, games=20, db=db, folder=folder, shards=5, **SETTINGS)
    files = sorted(folder.glob("*.shard"))
    assert len(files) == 5
    files[1].write_bytes(files[1].read_bytes()[:-20])
    files[2].unlink()
    db.unlink()
    with Counting(1) as executor:
        cluster.match(*AGENTS, executor, games=20, db=db, folder=folder, shards=5, **SETTINGS)
        assert executor.asked == 2
    assert kept(db) == whole(tmp_path, 20)


def test_a_sequential_test_decides_as_on_one_machine(tmp_path: Path) -> None:
    more: dict[str, Any] = {"sprt": (0.0, 100.0), "game": "kalah:4x3", "nodes": 200, "seed": 2, "openings": "random:3"}
    alone = kalahari.match("level:3", "random", games=400, workers=1, **more)
    with Counting(2) as executor:
        result = cluster.match(
            "level:3", "random", executor, games=400, db=tmp_path / "games.db", shards=100, horizon=4, **more
        )
        assert executor.asked < 50, "most of it was not needed"
    assert (result.decision, result.llr, result.games) == (alone.decision, alone.llr, alone.games)
    assert result.stopped == "sprt"


def test_tournaments(tmp_path: Path) -> None:
    players = ["mcts", "level:1", "random"]
    with ThreadPoolExecutor(2) as executor:
        played = cluster.tournament(players, executor, games=4, db=tmp_path / "games.db", shards=3, **SETTINGS)
        with pytest.raises(ValueError, match="swiss"):
            cluster.tournament(players, executor, games=4, db=tmp_path / "swiss.db", schedule="swiss", **SETTINGS)
    alone = kalahari.tournament(players, games=4, db=tmp_path / "whole.db", workers=1, **SETTINGS)
    assert played.standings == alone.standings
    assert kept(tmp_path / "games.db") == kept(tmp_path / "whole.db")


def test_datasets(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"rows": 130, "rows_per_file": 20, "source": "random", "label": "exact", "left": (2, 6), "tablebase": 6}
    for name, shards in (("one", 1), ("many", 4)):
        with ThreadPoolExecutor(2) as executor:
            out = cluster.dataset("kalah:4x3", executor, out=tmp_path / name, shards=shards, **asked)
    files = sorted(path.name for path in out.iterdir())
    assert len(files) == 8
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "many" / name).read_bytes(), name


def test_mistakes_are_named(tmp_path: Path) -> None:
    def mine(position: kalahari.Position, limits: kalahari.Limits) -> Any:
        return position.legal_moves()[0]

    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(TypeError, match="lives in this process only"):
            cluster.match(mine, "random", executor, db=tmp_path / "games.db")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="nobody"):
            cluster.match("nobody", "random", executor, db=tmp_path / "games.db")
        with pytest.raises(ValueError, match="self-play or random"):
            cluster.dataset("kalah:4x3", executor, out=tmp_path / "rows", rows=10, source="games.db")
    with pytest.raises(TypeError, match="executor"):
        cluster.match("random", "random", 3, games=2, db=tmp_path / "games.db")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        cluster.run(tmp_path / "no.toml", ThreadPoolExecutor(1), program="/no/such/program")


def kill_now_and_then(find: Any, times: int, over: threading.Event) -> list[int]:
    """Kills processes with -9 until it has done so `times` times, or the run is over."""
    killed: list[int] = []
    chance = random.Random(7)
    while len(killed) < times and not over.wait(0.15):
        processes = find()
        if processes:
            one = chance.choice(processes)
            try:
                os.kill(one, signal.SIGKILL)
                killed.append(one)
            except ProcessLookupError:
                pass
    return killed


def children(parent: int) -> list[int]:
    """The processes that another one has started, directly or indirectly."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == parent and fields[0] != "Z":
                found += [int(entry.name), *children(int(entry.name))]
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
def test_a_pool_of_processes_whose_workers_are_killed(tmp_path: Path) -> None:
    games, db = 240, tmp_path / "games.db"
    more = {**LARGER, "nodes": 1000}
    over = threading.Event()
    killer_found: list[list[int]] = []

    def workers() -> list[int]:
        # The process that starts workers is not a worker, and would not be restarted.
        found = []
        for process in children(os.getpid()):
            try:
                line = Path(f"/proc/{process}/cmdline").read_text()
            except OSError:
                continue
            if "spawn_main" in line:
                found.append(process)
        return found

    killer = threading.Thread(target=lambda: killer_found.append(kill_now_and_then(workers, 3, over)))
    killer.start()
    try:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            cluster.match(*AGENTS, pool, games=games, db=db, shards=60, **more)
    finally:
        over.set()
        killer.join()
    kalahari.match(*AGENTS, games=games, db=tmp_path / "whole.db", workers=2, **more)
    assert kept(db) == kept(tmp_path / "whole.db") and len(kept(db)) == games
    assert killer_found[0], "no worker was killed"


def local_cluster(workers: int) -> Any:
    distributed = pytest.importorskip("distributed")
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
    )


def test_dask(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with local_cluster(2) as scheduler, distributed.Client(scheduler) as client:
        result = cluster.match(*AGENTS, client, games=40, db=tmp_path / "games.db", shards=8, **SETTINGS)
        tuned = cluster.tune(
            "mcts", "alpha=0..1", client, against=["level:1"], db=tmp_path / "tune.db", horizon=4, **{**SETTINGS, "games": 20}
        )
        value = kalahari.Solver("kalah:4x3").solve(kalahari.Game("kalah:4x3").start()).value
        reached = cluster.prove("kalah:4x3", client, at_least=value, journal=tmp_path / "four.proof", job_nodes=500, tablebase=0)
    assert result.games == 40 and tuned.samples == 10 and reached
    assert kept(tmp_path / "games.db") == whole(tmp_path, 40)


DRIVER = """
import sys
import kalahari.cluster as cluster
from distributed import Client, LocalCluster

if __name__ == "__main__":
    db, folder, pairs, shards, nodes, workers = sys.argv[1:]
    with LocalCluster(
        n_workers=int(workers), threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as scheduler, Client(scheduler) as client:
        cluster.match("engine:hash=1", "mcts", client, game="kalah:6x4", nodes=int(nodes), seed=5, openings="random:8",
            games=2 * int(pairs), db=db, folder=folder, shards=int(shards))
"""


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
def test_chaos_with_dask(tmp_path: Path) -> None:
    """2,000 pairs on three workers; workers, the scheduler with its driver, and the driver are killed 30 times in all."""
    pytest.importorskip("distributed")
    script, db = tmp_path / "driver.py", tmp_path / "games.db"
    script.write_text(DRIVER)
    pairs, shards, nodes = 2000, 400, 300
    chance, kills = random.Random(3), 0
    for round in range(40):
        # The scheduler runs inside the driver, so both are killed together.
        driver = subprocess.Popen(
            [sys.executable, script, db, tmp_path / "shards", str(pairs), str(shards), str(nodes), "3"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        began = time.monotonic()
        while driver.poll() is None and kills < 30:
            time.sleep(1.0)
            below = children(driver.pid)
            if below and time.monotonic() - began > 4:
                driver_too = chance.random() < 0.25
                os.kill(driver.pid if driver_too else chance.choice(below), signal.SIGKILL)
                kills += 1
        status = driver.wait()
        for left in [entry for entry in below if Path(f"/proc/{entry}").exists()]:
            try:
                os.kill(left, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if status == 0:
            break
    assert status == 0 and kills >= 5
    kalahari.match(*AGENTS, games=2 * pairs, db=tmp_path / "whole.db", workers=2, **LARGER)
    assert kept(db) == kept(tmp_path / "whole.db") and len(kept(db)) == 2 * pairs
    print(f"{kills} processes were killed")


def test_a_proof_agrees_with_the_solver(tmp_path: Path) -> None:
    journal = tmp_path / "four.proof"
    solver = kalahari.Solver("kalah:4x3")
    value = solver.solve(kalahari.Game("kalah:4x3").start()).value
    with ThreadPoolExecutor(2) as executor:
        for goal, reached in ((value, True), (value + 2, False)):
            found = cluster.prove("kalah:4x3", executor, at_least=goal, journal=journal, job_nodes=500, tablebase=0, horizon=4)
            assert found is reached
    # Nothing is done again.
    assert cluster.prove("kalah:4x3", Never(), at_least=value, journal=journal, job_nodes=500, tablebase=0)


def test_samples_are_handed_out_while_others_are_pending(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"game": "kalah:4x3", "games": 24, "openings": "random:3", "seed": 3}
    db = tmp_path / "tune.db"
    with ThreadPoolExecutor(3) as executor:
        tuned = cluster.tune("mcts:playouts=20", "alpha=0..1", executor, against=["level:1"], db=db, horizon=3, **settings)
    assert tuned.samples == 12 and 0 <= tuned.values["alpha"] <= 1 and tuned.agent.startswith("mcts:")
    again = cluster.tune("mcts:playouts=20", "alpha=0..1", Never(), against=["level:1"], db=db, **settings)
    assert again.values == tuned.values
    with ThreadPoolExecutor(2) as executor:
        lines = tmp_path / "openings.txt"
        lines.write_text("# after three moves\n0 1 2\n1 2 3\n")
        spsa = cluster.tune(
            "mcts:playouts=20", "alpha=0..1", executor, method="spsa", horizon=2, **{**settings, "openings": lines}
        )
    assert spsa.samples == 12 and spsa.score is None


PROGRAM = Path(__file__).parents[2] / "target/debug/kalahari"


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_experiments_with_every_target(tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text('[book]\ngame = "kalah:4x3"\nplies = 3\nout = "four.book"\n')
    with ThreadPoolExecutor(2) as executor:
        with pytest.raises(ValueError, match="book="):
            cluster.run(file, executor, program=PROGRAM)
        cluster.run(file, executor, book=tmp_path / "four.book", shards=5, program=PROGRAM, progress=False)
    subprocess.run([PROGRAM, "book", "build", "kalah:4x3", "--plies", "3", "--out", tmp_path / "whole.book"], check=True)
    assert (tmp_path / "four.book").read_bytes() == (tmp_path / "whole.book").read_bytes()
