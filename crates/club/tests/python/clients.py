"""Clients of many kinds: honest ones, which play at random or greedily, and hostile ones.

They play until standard input is closed. Then one line of JSON says what the honest clients have seen.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import sys

from wire import Kalah, dial, parse

options = argparse.ArgumentParser()
options.add_argument("port", type=int)
options.add_argument("--tcp", type=int, default=0)
options.add_argument("--ws", type=int, default=0)
options.add_argument("--hostile", type=int, default=0)
options.add_argument("--prefix", default="py")
options.add_argument("--slow", type=float, default=0.0, help="how long an honest client thinks")
options = options.parse_args()
HOST = "127.0.0.1"

seen = {"states": 0, "stops": 0, "pings": 0, "errors": [], "results": {}, "lost_connections": 0, "refused": 0}
closing = asyncio.Event()


def greedy(board):
    """The pit that brings the most seeds into the store at once."""
    def gain(pit):
        copy = Kalah.read(board.literal())
        copy.play(pit)
        return copy.stores[0] - board.stores[0] + (0.5 if copy.mover == 0 else 0)
    return max(board.legal(), key=gain)


class Honest:
    """An honest client. Clients differ in style: with or without ids or quotes, the name before or after the token."""

    def __init__(self, number, websocket):
        self.number, self.websocket = number, websocket
        self.ids = number % 3 != 0
        self.next_id = 1
        self.open = {}

    def say(self, text, reference=None):
        ref = "" if reference is None else f"@{reference}"
        own = ""
        if self.ids:
            own, self.next_id = str(self.next_id), self.next_id + 2
        head = own + ref
        self.link.send(f"{head} {text}" if head else text, "\r\n" if self.number % 2 else "\n")

    async def think(self, number, literal):
        board = Kalah.read(literal)
        legal = board.legal()
        assert len(legal) > 1, "forced moves are not asked for"
        self.say(f"move {random.choice(legal) + 1}", number)
        await asyncio.sleep(random.random() * options.slow)
        if self.number % 4:
            self.say(f"move {greedy(board) + 1}", number)
        self.say("yield", number)

    async def play(self):
        self.link = await dial(HOST, options.port, self.websocket)
        greeting = parse(await self.link.line())
        assert greeting[2:] == ("kgp", "1 0 1"), greeting
        name = f'"{options.prefix}{self.number}"'
        quoted = lambda word: f'"{word}"' if self.number % 5 == 0 else word
        settings = [f"set {quoted('info:name')} {name}", f"set {quoted('auth:token')} \"secret {self.number}\""]
        for setting in settings if self.number % 2 else reversed(settings):
            self.say(setting)
        self.say("mode " + quoted("freeplay"))
        while (line := await self.link.line()) is not None:
            found = parse(line)
            assert found, line
            own, reference, command, arguments = found
            assert own is None or own % 2 == 0, line
            if command == "state":
                seen["states"] += 1
                self.open[own] = asyncio.ensure_future(self.think(own, arguments))
            elif command == "stop":
                seen["stops"] += 1
                if task := self.open.pop(reference, None):
                    task.cancel()
            elif command == "ping":
                seen["pings"] += 1
                self.say("pong", own)
            elif command == "error":
                seen["errors"].append(arguments)
            elif command == "set":
                option, value = arguments.split(None, 1)
                if option == "game:result":
                    value = value.strip('"')
                    seen["results"][value] = seen["results"].get(value, 0) + 1
            elif command == "goodbye":
                return
            else:
                assert command == "ok", line

    async def stay(self):
        try:
            await self.play()
        except (OSError, asyncio.IncompleteReadError):
            pass
        if not closing.is_set():
            seen["lost_connections"] += 1


async def hostile(number):
    """Misbehaves in one of several ways, again and again."""
    ways = [silent, flood, malformed, deaf, half_open, illegal, mute, huge, floods_moves, half_socket]
    while not closing.is_set():
        try:
            await ways[number % len(ways)]()
        except (OSError, asyncio.IncompleteReadError, AssertionError, TypeError):
            pass
        await asyncio.sleep(0.2)


async def until_closed(link):
    while not closing.is_set() and await link.line() is not None:
        pass


async def silent():
    await until_closed(await dial(HOST, options.port, False))


async def flood():
    link = await dial(HOST, options.port, False)
    while not closing.is_set():
        for _ in range(1000):
            link.send("set info:comment \"" + "x" * 50 + '"')
        await link.writer.drain()
        await asyncio.sleep(0)


async def malformed():
    link = await dial(HOST, options.port, False)
    while not closing.is_set():
        link.writer.write(os.urandom(200) + b"\n")
        await link.writer.drain()
        await asyncio.sleep(0.02)


async def deaf():
    """Asks for games and never reads."""
    link = socket.create_connection((HOST, options.port))
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    link.sendall(b'set info:name "deaf"\nmode freeplay\n')
    link.setblocking(False)
    while not closing.is_set():
        try:
            link.send(b"1 jump\n")
        except BlockingIOError:
            pass
        await asyncio.sleep(0.02)


async def half_open():
    """Is accepted and then goes silent."""
    link = await dial(HOST, options.port, False)
    link.send('set info:name "half-open"')
    link.send("mode freeplay")
    await asyncio.sleep(30)


async def illegal():
    link = await dial(HOST, options.port, random.random() < 0.5)
    link.send('set info:name "cheat"')
    link.send("mode freeplay")
    while (line := await link.line()) is not None:
        own, _, command, _ = parse(line)
        if command == "state":
            link.send(f"@{own} move {random.choice([0, 99, 4294967295])}")
            link.send(f"@{own} yield")


async def mute():
    """Plays no move and answers pings."""
    link = await dial(HOST, options.port, True)
    link.send('set info:name "mute"')
    link.send("mode freeplay")
    while (line := await link.line()) is not None:
        own, _, command, _ = parse(line)
        if command == "ping":
            link.send(f"@{own} pong")


async def huge():
    link = await dial(HOST, options.port, False)
    while not closing.is_set():
        link.writer.write(b"x" * 100_000)
        await link.writer.drain()
        await asyncio.sleep(0.01)


async def floods_moves():
    link = await dial(HOST, options.port, False)
    link.send('set info:name "chatter"')
    link.send("mode freeplay")
    while (line := await link.line()) is not None:
        own, _, command, _ = parse(line)
        if command == "state":
            for _ in range(3000):
                link.send(f"@{own} move 1")
            await link.writer.drain()


async def half_socket():
    """Begins a WebSocket handshake and does not finish it; then sends a frame that is not text."""
    reader, writer = await asyncio.open_connection(HOST, options.port)
    writer.write(b"GET /socket HTTP/1.1\r\nHost: x\r\n")
    await asyncio.sleep(3)
    writer.close()
    link = await dial(HOST, options.port, True)
    link.frame(2, b"\xff" * 100)
    await until_closed(link)


async def wait_for_end():
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    closing.set()


async def main():
    tasks = [asyncio.ensure_future(Honest(i, i >= options.tcp).stay()) for i in range(options.tcp + options.ws)]
    tasks += [asyncio.ensure_future(hostile(i)) for i in range(options.hostile)]
    await wait_for_end()
    for task in tasks[:options.tcp + options.ws]:
        if task.done() and task.exception():
            seen["errors"].append(repr(task.exception()))
    print(json.dumps(seen), flush=True)
    os._exit(0)


asyncio.run(main())
