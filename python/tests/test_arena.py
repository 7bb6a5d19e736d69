"""Matches and tournaments with agents written in Python."""

from __future__ import annotations

import os
import pickle
import signal
import sqlite3
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import agents_for_tests as mine
import numpy as np
import pytest

import kalahari
from kalahari import identity

QUICK = {"game": "kalah:4x3", "games": 20, "openings": "random:3"}


def played(result):
    """The parts of a result that must be the same in every run of a match."""
    return [
        (game["number"], game["first"], game["second"], game["result"], game["margin"], game["moves"], game["ending"])
        for game in result.records
    ]


def test_functions_and_objects_play():
    result = kalahari.match(mine.greedy, mine.Chance(), **QUICK)
    assert result.agents == ("guest:greedy", "guest:Chance 2")
    assert result.games == result.wins + result.draws + result.losses == 20
    assert result.score > 0.5 and sum(result.pentanomial) == 10
    assert result.stopped == "finished" and result.played == 20
    assert played(result) == played(kalahari.match(mine.greedy, mine.Chance(), **QUICK))
    other = kalahari.match(mine.greedy, mine.Chance(), **{**QUICK, "seed": 2})
    assert played(result) != played(other)
    assert "Results of guest:greedy vs guest:Chance 2" in str(result)


def test_specs_may_have_names(tmp_path):
    db = tmp_path / "games.db"
    result = kalahari.match("quick=level:1", kalahari.agent("lucky=random"), db=db, **QUICK)
    assert result.agents == ("quick", "lucky")
    table = kalahari.tournament(["quick=level:1", "level:2", "lucky=random"], **QUICK)
    assert {standing.agent for standing in table.standings} == {"quick", "level:2", "lucky"}
    agent = kalahari.agent("quick=level:1")
    assert (agent.name, agent.spec, repr(agent)) == ("quick", "level:1", "Agent('quick=level:1')")
    assert pickle.loads(pickle.dumps(agent)).name == "quick"
    with pytest.raises(ValueError, match="the part before the = is a name"):
        kalahari.agent(" quick=level:1")


def test_games_are_what_the_rules_allow():
    result = kalahari.match(mine.greedy, "level:2", **QUICK)
    for record in result.records:
        position = kalahari.Game(record["game"]).start()
        for move in record["moves"].split():
            position = position.play(int(move))
        assert position.is_over and position.margin == record["margin"]
    pairs = list(zip(result.records[::2], result.records[1::2]))
    assert all(one["first"] == other["second"] for one, other in pairs)


def test_isolation_and_limits_reach_a_python_agent():
    seen = set()

    def curious(position, limits):
        seen.add((limits.nodes, limits.depth, limits.time))
        return position.legal_moves()[0]

    result = kalahari.match(curious, "alphabeta", game="isolation:4x4", games=4, nodes=77, depth=2, openings="random:2")
    assert seen == {(77, 2, None)} and result.games == 4

    def timed(position, limits):
        assert limits.time is None and 0 < limits.move_time < limits.clock < 10
        return position.legal_moves()[0]

    assert kalahari.match(timed, "random", game="kalah:4x3", games=2, clock="5s+0.1s").games == 2


def test_exceptions_are_raised_or_lose_the_game():
    with pytest.raises(ZeroDivisionError, match="on purpose") as raised:
        kalahari.match(mine.Chance(wrong_after=10), "random", **QUICK)
    assert "agents_for_tests.py" in str(raised.traceback[-1].path)
    result = kalahari.match(mine.Chance(wrong_after=10), "random", errors="forfeit", **QUICK)
    assert result.games == 20 and result.forfeits[0]["crash"] > 10
    assert "ZeroDivisionError: on purpose" in result.report
    with pytest.raises(ValueError, match="99"):
        kalahari.match(lambda position, limits: 99, "random", **QUICK)
    assert kalahari.match(lambda position, limits: 99, "random", errors="forfeit", **QUICK).losses == 20
    with pytest.raises(TypeError):
        kalahari.match(lambda position, limits: None, "random", **QUICK)
    with pytest.raises(OSError, match="no luck today"):
        kalahari.match(mine.NeverBegins(), "random", **QUICK)
    assert kalahari.match(mine.NeverBegins(), "random", errors="forfeit", **QUICK).forfeits[0]["crash"] == 20
    # `exit()` in an agent ends no tournament.
    with pytest.raises(SystemExit):
        kalahari.match(lambda position, limits: sys.exit(4), "random", **QUICK)
    assert kalahari.match(lambda position, limits: sys.exit(4), "random", errors="forfeit", **QUICK).forfeits[0]["crash"] == 20
    with pytest.raises(ValueError, match="errors must be"):
        kalahari.match(mine.first, "random", errors="ignore", **QUICK)


def test_progress_is_reported_and_may_end_the_match():
    heard = []
    kalahari.match("random", mine.first, progress=lambda *news: heard.append(news), **QUICK)
    assert [finished for finished, _, _ in heard] == list(range(1, 21))
    assert sum(heard[-1][2]) == 20

    def enough(finished, games, counts):
        raise StopIteration("enough")

    with pytest.raises(StopIteration):
        kalahari.match("random", mine.first, progress=enough, **QUICK)


def test_processes_play_the_same_games():
    alone = kalahari.match(mine.greedy, mine.Chance(), **QUICK)
    result = kalahari.match(mine.greedy, mine.Chance(), processes=True, workers=2, **QUICK)
    assert played(result) == played(alone)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        kalahari.match(mine.Chance(wrong_after=3), "random", processes=True, workers=2, **QUICK)
    with pytest.raises(RuntimeError, match="process of the agent ended"):
        kalahari.match(mine.Dies(), "random", processes=True, workers=1, **QUICK)
    result = kalahari.match(mine.Dies(), "random", processes=True, workers=1, errors="forfeit", **{**QUICK, "games": 4})
    assert result.losses == 4


def test_an_agent_that_never_answers_loses_on_time():
    few = {**QUICK, "games": 4, "processes": True}
    begin = time.monotonic()
    result = kalahari.match(mine.stuck, "random", patience=0.5, workers=2, **few)
    assert (result.losses, result.forfeits[0]) == (4, {"time": 4, "illegal": 0, "crash": 0})
    assert {(game["ending"], game["detail"]) for game in result.records} == {
        ("time", "no answer within 0.5 s; its process was ended")
    }
    # If a time is set, it is used instead of patience.
    result = kalahari.match(mine.stuck, "random", time=0.1, grace=0.1, workers=1, **few)
    assert result.forfeits[0]["time"] == 4 and "no answer within 0.7 s" in result.records[0]["detail"]
    result = kalahari.match(mine.SleepsAtTheStart(), "random", patience=0.5, workers=2, **few)
    assert result.forfeits[0]["time"] == 4
    assert time.monotonic() - begin < 60
    # The process is started again, and the other games are played normally.
    result = kalahari.match(mine.SleepsOnce(), "random", patience=0.5, workers=2, **{**few, "games": 12})
    late = [game for game in result.records if game["ending"] == "time"]
    assert 0 < len(late) == result.forfeits[0]["time"] < 12
    awake = kalahari.match(mine.SleepsOnce(forever=0), "random", **{**QUICK, "games": 12})
    assert all(one in played(awake) for one in played(result) if one[-1] != "time")


def test_a_warning_names_an_agent_that_thinks_for_long():
    def slow(position, limits):
        time.sleep(0.3)
        return position.legal_moves()[0]

    with pytest.warns(RuntimeWarning, match="slow has been thinking about one move.*processes=True") as warned:
        kalahari.match(slow, "random", patience=0.1, **{**QUICK, "games": 1})
    # It comes once, and names the line that called the match.
    assert [warning.filename for warning in warned] == [__file__]
    # If warnings are errors, the warning ends the match.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            kalahari.match(mine.stuck, "random", patience=0.1, **QUICK)
        kalahari.match(slow, "random", patience=None, **{**QUICK, "games": 1})


@pytest.mark.parametrize("processes", [False, True])
def test_odd_agents(processes, capfd):
    how = {**QUICK, "games": 2, "workers": 1, "processes": processes}
    for answer, error, message in (
        (None, TypeError, "a pit's number such as 2, not NoneType"),
        (1.0, TypeError, "not float"),
        (True, TypeError, "not bool"),
        (np.bool_(True), TypeError, "not bool"),
        (np.int64(99), ValueError, "move 99 is illegal"),
        (10**30, ValueError, "there is no such pit"),
        (-1, ValueError, "must not be negative"),
        (10**10000, ValueError, "a number that long"),
    ):
        with pytest.raises(error, match=message):
            kalahari.match(mine.answers(answer), "random", **how)
        result = kalahari.match(mine.answers(answer), "random", errors="forfeit", **how)
        assert result.forfeits[0]["illegal"] == 2
    with pytest.raises(RecursionError):
        kalahari.match(mine.recursive, "random", **how)
    assert kalahari.match(mine.recursive, "random", errors="forfeit", **how).forfeits[0]["crash"] == 2
    # An exception that is not an `Exception` is the agent's fault, too.
    for agent, kind in ((mine.wild, mine.Wild), (mine.leaves, SystemExit)):
        with pytest.raises(RuntimeError if processes else kind, match="on purpose"):
            kalahari.match(agent, "random", **how)
        assert kalahari.match(agent, "random", errors="forfeit", **how).forfeits[0]["crash"] == 2
    assert played(kalahari.match(mine.careless, "random", **how)) != []
    assert played(kalahari.match(lambda position, limits: np.int8(position.legal_moves()[0]), "random", **how)) != []


def test_sequential_tests_decide():
    result = kalahari.match("level:4", mine.first, game="kalah:6x4", games=2000, sprt=(0, 100), openings="random:4")
    assert result.decision == "H1" and result.stopped == "sprt" and result.games < 500
    assert result.llr >= result.llr_bounds[1]


def test_tournaments():
    everybody = [mine.greedy, mine.first, "random", kalahari.Level(2)]
    tournament = kalahari.tournament(everybody, game="kalah:4x3", games=10)
    assert len(tournament.standings) == 4 and len(tournament.meetings) == 6
    assert sum(standing.games for standing in tournament.standings) == 120
    assert tournament.standings[0].agent == "level:2"
    assert len(tournament.frame()) == 4 and len(tournament.games()) == 60
    assert len(tournament.cross_table("polars")) == 4
    assert "<table>" in tournament._repr_html_()
    lines = str(tournament).splitlines()
    assert [line.split()[0] for line in lines[1:5]] == [standing.agent for standing in tournament.standings]
    with pytest.raises(ValueError, match="two agents are called"):
        kalahari.tournament([mine.first, mine.first])
    gauntlet = kalahari.tournament(everybody, game="kalah:4x3", games=2, schedule="gauntlet")
    assert len(gauntlet.meetings) == 3
    with pytest.raises(ValueError, match="schedules are"):
        kalahari.tournament(everybody, schedule="knock-out")


def test_frames_and_plots(tmp_path):
    pandas = pytest.importorskip("pandas")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    db = tmp_path / "games.db"
    result = kalahari.match(mine.greedy, "random", db=db, **QUICK)
    table = result.frame()
    assert isinstance(table, pandas.DataFrame) and len(table) == 20
    assert table["score_a"].mean() == pytest.approx(result.score)
    assert result.summary().loc[0, "games"] == 20
    assert result.plot().get_xlabel() == "games"
    assert "Elo" in kalahari.tournament(["random", "level:1"], games=4, game="kalah:4x3").plot().get_xlabel()
    store = kalahari.Store(db)
    assert store.matches().loc[0, "games"] == 20
    assert store.games().equals(table)
    page = store.report(tmp_path / "report")
    assert page.read_text().count("<svg") > 0
    with pytest.raises(OSError):
        kalahari.Store(tmp_path / "none.db").matches()


def test_a_match_continues_where_it_was(tmp_path):
    db = tmp_path / "games.db"
    once = kalahari.match(mine.greedy, mine.Chance(), **{**QUICK, "games": 8}, db=db)
    more = kalahari.match(mine.greedy, mine.Chance(), **QUICK, db=db)
    assert (once.played, more.resumed, more.played) == (8, 8, 12)
    assert more.id == once.id and played(more)[:8] == played(once)
    assert played(more) == played(kalahari.match(mine.greedy, mine.Chance(), **QUICK))
    changed = mine.Chance()
    changed.wrong_after = 10**9
    other = kalahari.match(mine.greedy, changed, **QUICK, db=db)
    assert other.resumed == 0 and other.id != once.id
    assert any("guest:Chance 2 has changed" in note for note in other.notes)


def test_games_of_an_unidentified_agent_are_not_resumed(tmp_path):
    db = tmp_path / "games.db"
    space: dict = {}
    exec("def hidden(position, limits):\n    return position.legal_moves()[0]", space)
    for _ in range(2):
        result = kalahari.match(space["hidden"], "random", **QUICK, db=db)
        assert result.resumed == 0 and result.played == 20
        assert any("hidden cannot be told from other agents" in note for note in result.notes)


def test_an_agent_is_its_source_and_what_it_holds():
    def make(depth):
        def agent(position, limits):
            return position.legal_moves()[depth]

        return agent

    assert identity.checksum(make(0)) == identity.checksum(make(0))
    assert identity.checksum(make(0)) != identity.checksum(make(1))
    assert identity.checksum(mine.first) != identity.checksum(mine.greedy)
    assert identity.checksum(mine.Chance()) == identity.checksum(mine.Chance())
    assert identity.checksum(mine.Chance(1)) != identity.checksum(mine.Chance(2))
    with pytest.raises(identity.Unknown):
        identity.checksum(make(open(os.devnull)))


MADE_OF = [
    # Things of which a pickle has only the name, or nothing at all.
    "def helper(x):\n    return x + {n}\nclass Bot:\n    def __init__(self):\n        self.all = [helper]\nagent = Bot()",
    "def helper(x):\n    return x + {n}\nTABLE = {{'a': (helper,)}}\ndef agent(p, l):\n    return TABLE",
    "@functools.lru_cache\ndef helper(x):\n    return x + {n}\ndef agent(p, l):\n    return helper(1)",
    "def helper(x):\n    return x + {n}\nagent = functools.lru_cache(helper)",
    "class Bot:\n    __slots__ = ('depth', '__own')\n    def __init__(self, n):\n        self.depth = 1\n        self.__own = n\n"
    "agent = Bot({n})",
    "def load():\n    return {n}\nclass Bot:\n    weights = load()\nagent = Bot()",
    "def helper(x):\n    return {n}\nclass Bot:\n    @functools.cached_property\n    def depth(self):\n        return helper(1)\n"
    "agent = Bot()",
    "import beside\ndef agent(p, l):\n    return beside.value()",
    "import package.inner\ndef agent(p, l):\n    return package.inner.value()",
    "import package.inner as inner\nagent = functools.partial(inner.value)",
]


def test_the_checksum_covers_what_an_agent_is_made_of(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    program = "import importlib\nfrom kalahari import identity\n"
    for number in range(len(MADE_OF)):
        program += f"print(identity.checksum(importlib.import_module('bot_{number}').agent))\n"
    (tmp_path / "main.py").write_text(program)

    def sums_with(number):
        for file in ("beside.py", "package/inner.py"):
            (tmp_path / file).write_text(f"def value():\n    return {number}\n")
        for place, text in enumerate(MADE_OF):
            (tmp_path / f"bot_{place}.py").write_text(f"import functools\n{text.format(n=number)}\n")
        done = subprocess.run([sys.executable, tmp_path / "main.py"], capture_output=True, text=True, check=True)
        return done.stdout.split()

    # Numbers of different lengths, so that no old compiled file is taken for a current one.
    first, again, other = sums_with(1), sums_with(1), sums_with(22)
    assert first == again and len(first) == len(MADE_OF)
    assert [place for place, (one, two) in enumerate(zip(first, other)) if one == two] == []


def test_checksums_of_sets_and_reference_cycles():
    def holds(value):
        return lambda position, limits: value

    assert identity.checksum(holds({"a", "b", "c", "d"})) == identity.checksum(holds({"d", "c", "b", "a"}))
    assert identity.checksum(holds({"a", "b"})) != identity.checksum(holds({"a", "c"}))
    loop: list = [mine.first]
    loop.append(loop)
    assert identity.checksum(holds(loop)) != identity.checksum(holds([mine.first]))
    assert identity.checksum(holds([1, 2])) != identity.checksum(holds((1, 2)))
    deep: list = [mine.first]
    for _ in range(100_000):
        deep = [deep, mine.first]
    with pytest.raises(identity.Unknown, match="too deep"):
        identity.checksum(holds(deep))


def test_a_helper_that_changes_makes_another_agent(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    program = (
        "import sys, kalahari\nfrom kalahari import identity\n"
        "WEIGHT = {weight}\ndef helper(x):\n    return x + {more}\n"
        "def unused():\n    return {unused}\n"
        "def agent(position, limits):\n    return helper(WEIGHT)\nprint(identity.checksum(agent))\n"
    )

    def sum_of(**numbers):
        file = tmp_path / "bot.py"
        file.write_text(program.format(**numbers))
        return subprocess.run([sys.executable, file], capture_output=True, text=True, check=True).stdout

    first = sum_of(weight=1, more=1, unused=1)
    assert first == sum_of(weight=1, more=1, unused=2)
    assert first != sum_of(weight=2, more=1, unused=1)
    assert first != sum_of(weight=1, more=2, unused=1)


KILLED = """
import sys, kalahari
sys.path.insert(0, {tests!r})
import agents_for_tests as mine
def tell(finished, games, counts):
    print(finished, flush=True)
result = kalahari.match(
    mine.Chance(), "engine", game="kalah:6x4", games={games}, nodes=300, openings="random:4",
    db=sys.argv[1], progress=tell, processes={processes}, workers=2 if {processes} else None,
)
print(result.resumed, result.played)
"""


def children_of(pid):
    """The processes that a process has started, if the system provides them."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
@pytest.mark.parametrize("processes", [False, True])
def test_a_killed_match_ends_like_an_undisturbed_one(tmp_path, processes):
    games = 200
    program = KILLED.format(tests=str(Path(__file__).parent), games=games, processes=processes)
    command = [sys.executable, "-c", program, str(tmp_path / "killed.db")]
    for stop_at in (20, 50):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            if int(line) >= stop_at:
                workers = children_of(process.pid)
                assert len(workers) == (2 if processes else 0)
                process.kill()
                break
        process.wait()
        # No process is left behind.
        deadline = time.monotonic() + 20
        while any(map(is_running, workers)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(map(is_running, workers))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    resumed, now = map(int, done.stdout.split()[-2:])
    assert resumed >= 50 and resumed + now == games
    alone = subprocess.run(
        [*command[:-1], str(tmp_path / "alone.db")], capture_output=True, text=True, check=True
    )
    assert alone.stdout.split()[-2:] == ["0", str(games)]
    kept = [kalahari.Store(tmp_path / name).games(kind="polars") for name in ("killed.db", "alone.db")]
    moves = [games[["number", "first", "result", "moves"]].rows() for games in kept]
    assert moves[0] == moves[1] and len(moves[0]) == 200


def test_a_python_function_costs_little():
    """The arena adds less than 20 microseconds per move to a Python function. Medians are compared, since machines are busy."""
    own: list[float] = []

    def clocked(position, limits):
        begin = time.perf_counter()
        move = position.legal_moves()[0]
        own.append(time.perf_counter() - begin)
        return move

    result = kalahari.match(clocked, "level:1", game="kalah:6x4", games=400, openings="random:4")
    name = result.agents[0]
    taken = []
    for record in result.records:
        position = kalahari.Game(record["game"]).start()
        for move, micros in zip(record["moves"].split(), record["times"]):
            if micros is not None and record[("first", "second")[position.mover]] == name:
                taken.append(micros * 1e-6)
            position = position.play(int(move))
    assert len(taken) == len(own) > 1000
    overhead = statistics.median(taken) - statistics.median(own)
    print(f"{overhead * 1e6:.1f} us a move")
    assert overhead < 20e-6


def test_agents_of_ours_can_be_pickled():
    assert pickle.loads(pickle.dumps(kalahari.Mcts(playouts=5))).spec == "mcts:playouts=5"


UGI = """
import kalahari
def last(position, limits):
    print("thinking aloud")
    return position.legal_moves()[-1]
kalahari.serve_ugi(last)
"""


def test_a_python_agent_is_an_engine(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(UGI)
    talk = "ugi\nsetoption name game value kalah:6x4\nposition startpos moves 2\ngo nodes 5\nisready\n"
    done = subprocess.run(
        [sys.executable, bot], input=talk + "quit\n", capture_output=True, text=True, timeout=60, check=True
    )
    assert "ugiok" in done.stdout and "bestmove 5" in done.stdout and "thinking" not in done.stdout
    result = kalahari.match(
        kalahari.Ugi(f"{sys.executable} {bot}"), "random", game="kalah:4x3", games=4, time=1.0, workers=1
    )
    assert result.games == 4 and result.forfeits[0] == {"time": 0, "illegal": 0, "crash": 0}


def test_openings_are_positions_or_moves() -> None:
    start = kalahari.Game("kalah:4x3").start()
    for openings in ([start.play(0)], [start.play(0).text], ["0"], [[0]]):
        result = kalahari.match(mine.first, "level:1", game="kalah:4x3", games=2, nodes=50, openings=openings)
        assert result.games == 2


def test_the_first_agent_of_the_readme_beats_chance() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("result =")[0]
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102
    result = kalahari.match(names["mine"], "random", game="kalah:6x4", games=10, openings="random:4")
    assert result.wins >= 8, result


@pytest.mark.skipif(sys.platform != "linux", reason="processes that were forked")
def test_the_ctrl_c_of_a_terminal_loses_no_game(tmp_path):
    """A terminal sends Ctrl-C to all processes; no game is lost because of it, and no unfinished game is kept."""
    db = tmp_path / "games.db"
    script = (
        "import kalahari, agents_for_tests as mine\n"
        f"kalahari.match(mine.slow, 'random', game='kalah:4x3', games=400, db={str(db)!r}, processes=True, workers=2, errors='forfeit')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(mine.__file__).parent)}
    child = subprocess.Popen([sys.executable, "-c", script], start_new_session=True, env=environment, stderr=subprocess.PIPE, text=True)

    def count(condition: str) -> int:
        with sqlite3.connect(db) as store:
            return int(store.execute(f"select count(*) from games where {condition}").fetchone()[0])

    until = time.monotonic() + 60
    while not (db.exists() and count("true") > 2):
        assert child.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in said
    assert count("ending = 'crash'") == 0


def test_a_process_that_dies_between_moves_loses_the_game():
    how = {**QUICK, "game": "kalah:6x4", "games": 2, "workers": 1, "processes": True, "errors": "forfeit"}
    result = kalahari.match(mine.dies_soon, mine.thinks, **how)
    assert result.forfeits[0]["crash"] == 2 and "exit code 3" in result.report
