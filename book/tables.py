#!/usr/bin/env python3
"""The tables of the agent chapters, made from the agents of examples/book. Called by scripts/book.

A chapter has a table between `<!-- table NAME -->` and `<!-- end -->`. Without --quick the tables are measured and written there.
With --quick they are measured with fewer games and compared with what is there: if a score differs by more than both errors
together, does not follow from the games won, drawn and lost, or has an error that cannot be, or if anything else differs at all,
the exit status is 1.

No table depends on the speed or the load of the machine: limits are depths and numbers of nodes.
"""

import argparse
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AGENTS = ROOT / "examples" / "book"
CHAPTERS = ROOT / "book" / "src"

sys.path.insert(0, str(AGENTS))
import count  # noqa: E402
import whole  # noqa: E402

# Table: the game, the limits, and who meets whom. Agents that look to a fixed depth are given a minute per move, so that none is
# late on a busy machine.
PATIENT = ["--time", "60s"]
MATCHES = {
    "greedy": ("kalah:6x4", PATIENT, [("a02_greedy", "a01_random")]),
    "minimax": ("kalah:6x4", PATIENT, [("a03_minimax", "a02_greedy")]),
    "alphabeta": ("kalah:6x4", PATIENT, [("a04_alphabeta", "a03_minimax")]),
    "ordering": ("kalah:6x4", PATIENT, [("a05_ordering", "a04_alphabeta")]),
    "deepening": ("kalah:6x4", ["--nodes", "1200"], [("a06_deepening", "a05_ordering")]),
    "transpositions": ("kalah:6x4", ["--nodes", "1200"], [("a07_table", "a06_deepening")]),
    "evaluation": ("kalah:6x6", PATIENT, [("a08_weighted", "a09_stores")]),
    "mcts": ("kalah:6x4", ["--nodes", "100"], [("a10_mcts", "a02_greedy"), ("a10_mcts", "a05_ordering")]),
    "backups": ("kalah:6x4", ["--nodes", "100"], [("a11_backups", "a10_mcts"), ("a11_backups", "a05_ordering")]),
    "learned": ("kalah:6x4", PATIENT, [("a13_learned", "a05_ordering")]),
    "endgame": ("kalah:6x4", PATIENT, [("a12_endgame", "a05_ordering")]),
    "isolation": ("isolation:7x7:queen", PATIENT, [("b02_reach", "b01_mobility")]),
}
# The agents of the program are much faster than those in Python, so they play more games.
GAMES, QUICK_GAMES = 100, 20
FAST_GAMES, QUICK_FAST_GAMES = 400, 100

# Table: the agents whose nodes are counted, the depths, and whether all smaller depths are searched first.
NODES = {
    "nodes-alphabeta": (["a03_minimax", "a04_alphabeta"], [2, 4, 6], False),
    "nodes-ordering": (["a04_alphabeta", "a05_ordering"], [4, 6, 8], False),
    "nodes-table": (["a06_deepening", "a07_table"], [6, 8, 10], True),
}


def count_of(agents, depths, deepening):
    """The command that counts the nodes of a table."""
    words = ["python3", "examples/book/count.py", *(f"{name}.py" for name in agents), "--depth", *map(str, depths)]
    return shlex.join(words + ["--deepening"] * deepening)


def run(program, arguments, folder=ROOT, home=None):
    """The last line that a command prints, as JSON. `home` is a place of its own for endgame tables."""
    command = [program, *arguments, "--json"]
    environment = {**os.environ, "KALAHARI_HOME": home} if home else None
    answer = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
    if answer.returncode:
        sys.exit(f"{shlex.join(command)}\n{answer.stderr}")
    return json.loads(answer.stdout.splitlines()[-1])


def match_of(first, second, game, limits, games):
    return ["match", first, second, "--game", game, "--games", str(games), *limits]


def play(program, arguments, folder=ROOT, home=None):
    result = run(program, arguments, folder, home)
    late = sum(side["time"] for side in result["forfeits"])
    if late:
        sys.exit(f"{shlex.join(arguments)}\n{late} games were lost on time; this machine is too busy for the figures to mean anything")
    return result


def error_of(result):
    """Half the 95% interval of the score, from pairs; even a match without a lost pair has an error."""
    pairs = result["pentanomial"]
    count = sum(pairs)
    scores = [points / 4 for points in range(5)]
    mean = sum(number * score for number, score in zip(pairs, scores)) / count
    spread = sum(number * (score - mean) ** 2 for number, score in zip(pairs, scores)) / count
    return 1.96 * math.sqrt(max(spread, 0.25 / count) / count)


def outcome(result):
    """The last two columns of a match: won, drawn and lost games, and the score with its error."""
    tally = f"{result['wins']}, {result['draws']}, {result['losses']}"
    return [tally, f"{100 * result['score']:.1f} % ± {100 * error_of(result):.1f}"]


def match_table(program, game, limits, meetings, games):
    rows = [["player", "opponent", "game", "won, drawn, lost", "score"]]
    shown = [] if limits is PATIENT else limits
    for first, second in meetings:
        arguments = match_of(f"examples/book/{first}.py", f"examples/book/{second}.py", game, limits, games)
        result = play(program, arguments)
        rows.append([f"`{first}.py`", f"`{second}.py`", " ".join([f"`{game}`", *shown]), *outcome(result)])
    return rows


# The functions below return a table and the commands that make it. Where `games` are few, the commands say `times` as many, as the book has.


def weighted_table(program, games, times):
    """The evaluation `weighted` in the program's own agents, which are fast enough for many games."""
    names = [f"alphabeta:depth=5,eval={name}" for name in ("weighted", "stores")]
    match = partial(match_of, *names, "kalah:6x6", [])
    result = play(program, match(5 * games))
    heads = ["player", "opponent", "game", "won, drawn, lost", "score"]
    return [heads, [*(f"`{name}`" for name in names), "`kalah:6x6`", *outcome(result)]], [match(5 * games * times)]


TUNED = "alphabeta:depth=4,eval=again"
TUNINGS = {
    "CLOP": ["--method", "clop", "--against", TUNED],
    "SPSA": ["--method", "spsa"],
}


def tuning_table(program, games, times):
    """What both tuners find for the bonus of `again`, and fresh games of that value against the old bonus of 6."""
    rows = [["method", "games", "bonus found", "won, drawn, lost in fresh games against bonus 6", "score"]]
    commands = []
    for method, how in TUNINGS.items():
        arguments = ["tune", "run", TUNED, "--params", "bonus=-5..20", *how]
        arguments += ["--game", "kalah:6x6", "--games", "800", "--concurrency", "1"]
        tuned = run(program, arguments)
        match = partial(match_of, tuned["estimate"], TUNED, "kalah:6x6", ["--seed", "77"])
        result = play(program, match(games))
        rows.append([method, str(tuned["games"]), f"{tuned['parameters'][0]['value']:g}", *outcome(result)])
        commands += [arguments, match(games * times)]
    return rows, commands


def learning_table(program, games, times):
    """A net that is trained here, against the evaluations by hand, at equal nodes."""
    rows = [["evaluation", "opponent's", "game", "won, drawn, lost", "score"]]
    commands = [
        ["dataset", "build", "kalah:6x4", "--out", "rows", "--rows", "20000", "--label", "exact", "--no-tables"],
        ["train", "rows", "--out", "my.net"],
    ]
    with tempfile.TemporaryDirectory() as folder:
        for arguments in commands[:]:
            run(program, arguments, folder)
        for other in ("stores", "kalahari"):
            names = [f"engine:eval={name},nodes=2000" for name in ("net:my.net", other)]
            match = partial(match_of, *names, "kalah:6x4", ["--no-tables"])
            result = play(program, match(games), folder)
            rows.append(["`net:my.net`", f"`{other}`", "`kalah:6x4` --nodes 2000", *outcome(result)])
            commands.append(match(games * times))
    return rows, commands


def proofs_table(program, _games, _times):
    """What proving the value of kalah:6x3 takes, by the size of the endgame table below."""
    rows = [["seeds in the endgame table", "positions in it", "nodes of the proof"]]
    commands = []
    for seeds in (0, 8, 10, 12, 15):
        arguments = ["solve", "kalah:6x3", "--value-only", "--no-book", "--threads", "1", "--no-tables", "--tablebase", str(seeds)]
        proof = run(program, arguments)
        positions = math.comb(seeds + 12, 12) if seeds else 0
        rows.append([str(seeds), f"{positions:,}", f"{proof['nodes']:,}"])
        commands.append(arguments)
    return rows, commands


def endgames_table(program, games, times):
    """An engine that knows every position of up to 16 seeds, against one that does not. A larger table of an earlier command must not be used."""
    rows = [["player", "opponent", "game", "won, drawn, lost", "score"]]
    build = ["tablebase", "build", "kalah:6", "--seeds", "16"]
    commands = ["export KALAHARI_HOME=$(mktemp -d)", build]
    with tempfile.TemporaryDirectory() as home:
        run(program, build, home=home)
        for nodes in (100, 1000):
            names = [f"engine:nodes={nodes}", f"engine:nodes={nodes},tablebase=0"]
            match = partial(match_of, *names, "kalah:6x4", ["--openings", "balanced:8"])
            result = play(program, match(games), home=home)
            rows.append([*(f"`{name}`" for name in names), "`kalah:6x4`", *outcome(result)])
            commands.append(match(games * times))
    return rows, commands


# Tables whose commands do not fit into a line.
OTHERS = {
    "weighted": weighted_table,
    "tuning": tuning_table,
    "learning": learning_table,
    "endgames": endgames_table,
    "proofs": proofs_table,
}


def block_of(commands):
    """The end of the sentence below a table: its commands, ready to be copied. Arguments are those of `kalahari`; a text is a line as it is."""
    lines = [line if isinstance(line, str) else f"kalahari {' '.join(line)}" for line in commands]
    return "\n".join([", by these commands:" if len(lines) > 1 else ", by this command:", "", "```sh", *lines, "```"])


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


MARK = re.compile(r"<!--\s*(?:table\s+(\S+)|end)\s*-->\n?")


def tables_of(path):
    """The tables of a chapter: name, and where the text of each begins and ends. Text that is not part of a table must not be lost."""
    text, place, found, name, begin = path.read_text(), path.relative_to(ROOT), {}, None, 0
    for mark in [*MARK.finditer(text), None]:
        if name and (mark is None or mark[1]):
            sys.exit(f"{place}: the table {name} has no <!-- end -->")
        if name:
            fenced = False
            for line in text[begin : mark.start()].splitlines():
                fenced ^= line.startswith("```")
                ours = ("```", "kalahari ", "export ") if fenced else ("```", "|", "Measured with ")
                if line and not line.startswith(ours):
                    sys.exit(f"{place}: the table {name} contains a line that is not part of it: {line}")
            found[name], name = (begin, mark.start()), None
        elif mark and mark[1]:
            name, begin = mark[1], mark.end()
            if name in found:
                sys.exit(f"{place}: the table {name} is there twice")
        elif mark:
            sys.exit(f"{place}: an <!-- end --> without a table, after {', '.join(found) or 'no table'}")
    return found


def places(known):
    """The chapter of each table. Every table must be known, and in one chapter."""
    found = {}
    for path in sorted(CHAPTERS.rglob("*.md")):
        for name in tables_of(path):
            if name not in known:
                sys.exit(f"{path.relative_to(ROOT)}: nothing in book/tables.py makes the table {name}")
            if name in found:
                sys.exit(f"the table {name} is in {found[name].relative_to(ROOT)} and in {path.relative_to(ROOT)}")
            found[name] = path
    for name in known:
        if name not in found:
            sys.exit(f"no chapter has a table {name}")
    return found


SCORE = re.compile(r"(\|.*\|) (\d+), (\d+), (\d+) \| (\d+\.\d) % ± (\d+\.\d) \|")


def largest_error(won, drawn, lost):
    """The largest error that these games can have: both games of every pair ended alike. More than independent games between equals
    have, with a margin of a tenth, is no result of a match either."""
    games = won + drawn + lost
    mean = (won + drawn / 2) / games
    spread = (won + drawn / 4) / games - mean**2
    return 196 * math.sqrt(max(min(2 * spread, 0.25 * 1.1**2), 1 / games) / games)


def compare(old, new, times):
    """What is wrong with a row of the book, given the same row from fewer games: the book's has `times` as many."""
    ours, theirs = SCORE.fullmatch(old), SCORE.fullmatch(new)
    if not (ours and theirs):
        return [] if old == new else [f"it is not: {new}"]
    *tally, score, error = map(float, ours.groups()[1:])
    *fewer, other_score, other_error = map(float, theirs.groups()[1:])
    games = sum(tally)
    if ours[1] != theirs[1]:
        return [f"it does not begin like: {theirs[1]}"]
    if games != times * sum(fewer):
        return [f"these are {games:.0f} games, not {times * sum(fewer):.0f}"]
    wrong = []
    right, least, most = 100 * (tally[0] + tally[1] / 2) / games, 196 / games, largest_error(*tally)
    # Both numbers are rounded to a tenth.
    if abs(score - right) > 0.0501:
        wrong.append(f"the score of these games is {right:.2f} %")
    if not least - 0.0501 <= error <= most + 0.0501:
        wrong.append(f"the error of these games is at least {least:.1f} and at most {most:.1f}")
    distance = abs(score - other_score) / (error + other_error)
    print(f"differs from the book by {distance:.2f} times both errors together")
    if distance > 1:
        wrong.append(f"the score in fewer games is {other_score} ± {other_error}")
    return wrong


def differences(old, new, how, times):
    """What is wrong with a table of the book, given one from fewer games and how the book's was measured."""
    end = re.search(r"\n\nMeasured with kalahari \S+( \([^()]*\))?" + re.escape(how) + r"\n\Z", old)
    if not end:
        return [f"it does not end with an empty line and: Measured with kalahari ...{how}"]
    old, new = old[: end.start()].splitlines(), new.splitlines()
    if len(old) != len(new):
        return [f"it has {len(old)} lines, not {len(new)}"]
    return [f"{one}\n    {what}" for one, other in zip(old, new) for what in compare(one, other, times)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer games, and compare instead of writing")
    parser.add_argument("--only", help="tables, separated by commas")
    options = parser.parse_args()
    known = [*NODES, *MATCHES, *OTHERS]
    wanted = known if options.only is None else options.only.split(",")
    for name in wanted:
        if name not in known:
            parser.error(f"there is no table '{name}'; there are {', '.join(known)}")
    places(known)
    program = os.environ.get("KALAHARI") or "kalahari"
    version = subprocess.run([program, "-V"], capture_output=True, text=True, check=True).stdout.strip()
    sys.setrecursionlimit(10_000)
    games = QUICK_GAMES if options.quick else GAMES
    fast_games = QUICK_FAST_GAMES if options.quick else FAST_GAMES
    wrong = []
    for name in filter(wanted.__contains__, known):
        if name in NODES:
            agents, depths, deepening = NODES[name]
            rows = count.table([AGENTS / f"{agent}.py" for agent in agents], depths, deepening)
            how = f": `{count_of(*NODES[name])}` (nodes per position, the average of {count.POSITIONS} positions)."
        elif name in MATCHES:
            game, limits, meetings = MATCHES[name]
            rows = match_table(program, game, limits, meetings, games)
            commands = [match_of(*(f"examples/book/{agent}.py" for agent in pair), game, limits, GAMES) for pair in meetings]
            how = block_of(commands) if len(commands) > 1 else f": `kalahari {' '.join(commands[0])}`."
        else:
            rows, commands = OTHERS[name](program, fast_games, FAST_GAMES // fast_games)
            how = block_of(commands)
        table = markdown(rows)
        # Looked up only now, since the chapter may have been edited while this ran.
        place = places(known)[name]
        text, (begin, end) = place.read_text(), tables_of(place)[name]
        print(f"{place.name}: {name}\n{table}", flush=True)
        if options.quick:
            times = FAST_GAMES // QUICK_FAST_GAMES if name in OTHERS else GAMES // QUICK_GAMES
            found = differences(text[begin:end], table, how, times)
            print("\n".join(found) or "agrees with the book", end="\n\n", flush=True)
            wrong += [name] * bool(found)
            continue
        print(flush=True)
        whole.write(place, f"{text[:begin]}{table}\n\nMeasured with {version}{how}\n{text[end:]}")
    if wrong:
        sys.exit(f"these tables do not agree with the book: {', '.join(wrong)}")
    if options.quick:
        print(f"{len(wanted)} of {len(wanted)} tables agree with the book")


if __name__ == "__main__":
    main()
