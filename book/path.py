"""Makes the chapter `agents/path.md`: what a new student sees in a terminal, from a file to a verdict.

Every command is run in a terminal of 100 columns and shown with what is on the screen at its end. Nearly every command was suggested by the output of the one before it.

    KALAHARI=path/to/kalahari python3 book/path.py
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import whole

CHAPTER = Path(__file__).parent / "src" / "agents" / "path.md"
FIRST_CHAPTER = CHAPTER.with_name("first.md")
CLASS = Path(__file__).parent.parent / "examples" / "class" / "bots"
COLUMNS = 100


class Screen:
    """As much of a terminal as progress bars need: lines are overwritten and cleared, and the cursor moves up."""

    def __init__(self) -> None:
        self.lines, self.row, self.column = [""], 0, 0

    def write(self, text: str) -> None:
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+|\x1b", text):
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.row += 1
                self.lines += [""] * (self.row + 1 - len(self.lines))
            elif part.startswith("\x1b["):
                self.control(part[2:-1], part[-1])
            elif part != "\x1b":
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[: self.column] + part + line[self.column + len(part) :]
                self.column += len(part)

    def control(self, number: str, what: str) -> None:
        count = int(number) if number.isdigit() else 1
        if what == "A":
            self.row = max(0, self.row - count)
        elif what == "B":
            self.row += count
            self.lines += [""] * (self.row + 1 - len(self.lines))
        elif what == "K":
            self.lines[self.row] = "" if number == "2" else self.lines[self.row][: self.column]
        elif what == "J":
            self.lines[self.row] = self.lines[self.row][: self.column]
            del self.lines[self.row + 1 :]

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines).strip("\n")


def run(words: list[str], folder: Path) -> tuple[int, str]:
    """Runs a command in a terminal: its exit status, and what is on the screen at its end."""
    outside, inside = pty.openpty()
    ioctl(inside, TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "KALAHARI_HOME": str(folder / ".home")}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=inside, stderr=inside, env=environment)
    os.close(inside)
    screen, kept = Screen(), b""
    while True:
        ready, _, _ = select.select([outside], [], [], 1.0)
        if ready:
            try:
                got = os.read(outside, 65536)
            except OSError:
                break
            if not got:
                break
            kept += got
        elif process.poll() is not None:
            break
    os.close(outside)
    screen.write(kept.decode(errors="replace"))
    return process.wait(), screen.text()


def listings() -> list[str]:
    """The two versions of `mybot.py` in the previous chapter."""
    return re.findall(r"```python\n(.*?)```", FIRST_CHAPTER.read_text(), re.DOTALL)


def named(text: str, before: str) -> str:
    """The command that follows some words in a text."""
    found = re.search(re.escape(before) + r"\s*(kalahari .*)", text)
    if found is None:
        sys.exit(f"nothing follows '{before}' in:\n{text}")
    return found.group(1).strip()


class Log:
    def __init__(self, folder: Path, program: str) -> None:
        self.folder, self.program, self.parts = folder, program, []

    def say(self, text: str) -> None:
        self.parts.append(text + "\n")

    def file(self, name: str, source: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)

    def run(self, command: str, status: int = 0) -> str:
        words = command.split()
        print(f"$ {command}", file=sys.stderr, flush=True)
        found, text = run([self.program, *words[1:]], self.folder)
        if found != status:
            sys.exit(f"{command}: exit status {found}, not {status}\n{text}")
        text = text.replace(str(self.folder), "/home/me/kalah")
        self.parts.append(f"```text\n$ {command}\n{text}\n```\n")
        return text


def main() -> None:
    program = os.path.abspath(os.environ["KALAHARI"])
    version = subprocess.run([program, "-V"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as place:
        log = Log(Path(place).resolve(), program)
        log.say("# From a file to a verdict: a log")
        log.say(
            "This chapter shows a terminal session, from a first bot to a class tournament. Nearly every command was suggested by the output of the one before it. "
            "The games are played on the usual board, `kalah:6x6`, which is what commands use unless you name another `--game`. "
            f"The log is made by `book/path.py`, which runs every command; this is what {version} printed. Times differ from machine to machine."
        )
        log.say("## A bot")
        first, better = listings()
        log.say(f"`mybot.py` plays the first pit that is not empty:\n\n```python\n{first}```")
        log.file("mybot.py", first)
        checked = log.run("kalahari check mybot.py")
        match = named(checked, "Next: ")
        log.run(match)
        log.say("## An edit")
        log.say(f"Now it takes an extra turn whenever there is one:\n\n```python\n{better}```\n\nThe same command plays new games, because the file has changed, and compares both versions:")
        log.file("mybot.py", better)
        played = log.run(match)
        log.say("## How strong is it, and where does it go wrong?")
        log.run(named(played, "how strong it is:"))
        log.say("The same suggestion with `--worst 3` shows the three worst moves of each agent instead of ten:")
        log.run(named(played, "where it gives games away:") + " --worst 3")
        log.say(
            "What the columns mean: [docs/arena.md](../../../docs/arena.md#what-agents-give-away). When a move is called an inaccuracy, a mistake or a blunder: "
            "[Reviewing a game](../players/analysis.md#reviewing-a-game)."
        )
        log.say("## A class")
        written = log.run("kalahari init class-tournament")
        log.say(
            "Eight students hand in bots, those of [examples/class](../../../examples/class/README.md). Six are single files. Two are folders: "
            "a bot that imports its own files is handed in as a folder with an `ai.py`. `gina.py` calls a function that does not exist, and `hans.py` always answers 12."
        )
        shutil.copytree(CLASS, log.folder / "bots", ignore=shutil.ignore_patterns("__pycache__"))
        rehearsed = named(written, "Then: ")
        log.run(rehearsed)
        log.run(rehearsed.removesuffix(" --dry-run"))
        log.say("Gina wants to know why her bot was left out:")
        log.run("kalahari check bots/gina.py", status=1)
    whole.write(CHAPTER, "\n".join(log.parts))


if __name__ == "__main__":
    main()
