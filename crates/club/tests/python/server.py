"""A practice server with the faults of real ones.

It plays at random against every client, several games at the same time. It prints one line of JSON with its ports and,
after the given number of games, another with what it has seen.
"""

import argparse
import asyncio
import json
import random

from wire import Kalah, Plain, accept, parse

options = argparse.ArgumentParser()
options.add_argument("--games", type=int, default=10)
options.add_argument("--at-once", type=int, default=1)
options.add_argument("--board", default="6x4")
options.add_argument("--time", type=float, default=2.0)
options.add_argument("--blind", type=float, default=0.004, help="an answer sooner than this is refused")
options.add_argument("--deaf", type=float, default=0.002, help="for this long after that, an answer is lost silently")
options.add_argument("--forget", type=int, default=0, help="after every N games a waiting client is forgotten")
options.add_argument("--ping", type=float, default=0.0)
options = options.parse_args()
PITS, SEEDS = map(int, options.board.split("x"))

seen = {"games": 0, "won": 0, "drawn": 0, "lost": 0, "random": 0, "illegal": 0, "left": 0, "refused": 0, "unheard": 0,
        "connections": 0, "no_pong": 0, "names": [], "tokens": []}
begun = 0
done = asyncio.Event()


class Client:
    def __init__(self, link):
        self.link, self.last_id = link, 0
        self.known, self.deaf_until, self.asked = {}, {}, {}
        self.gone = asyncio.Event()
        self.pongs = asyncio.Queue()

    def say(self, text, reference=None):
        self.last_id += 2
        ref = "" if reference is None else f"@{reference}"
        try:
            self.link.send(f"{self.last_id}{ref} {text}")
        except OSError:
            self.gone.set()
        return self.last_id

    async def ask(self, board):
        """The client's last move in time, or None."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        queue = asyncio.Queue()
        number = self.say("state " + board.literal())
        move = None
        # The fault: the question has been sent, but its number is not known yet.
        await asyncio.sleep(options.blind)
        self.deaf_until[number] = loop.time() + options.deaf
        self.known[number] = queue
        while not self.gone.is_set():
            left = begin + options.time - loop.time()
            if left <= 0:
                break
            try:
                said = await asyncio.wait_for(queue.get(), left)
            except asyncio.TimeoutError:
                break
            if said is None:
                break
            move = said
        self.say("stop", number)
        if random.random() < 0.1:
            self.say("stop", number)
        return move

    def answer(self, own, reference, name, arguments):
        loop = asyncio.get_running_loop()
        queue = self.known.get(reference)
        if queue is None:
            seen["refused"] += 1
            self.say('error "No state associated with id"', own)
        elif loop.time() < self.deaf_until[reference]:
            seen["unheard"] += 1
        else:
            queue.put_nowait(int(arguments) if name == "move" else None)

    async def play(self, first):
        board = Kalah(PITS, SEEDS)
        me = 0 if first else 1
        while not board.over():
            legal = board.legal()
            if len(legal) == 1 or board.mover != me:
                board.play(random.choice(legal))
                continue
            move = await self.ask(board)
            if self.gone.is_set():
                seen["left"] += 1
                return
            if move is None:
                seen["random"] += 1
                board.play(random.choice(legal))
            elif move - 1 not in legal:
                seen["illegal"] += 1
                return
            else:
                board.play(move - 1)
        mine, yours = board.stores[me], board.stores[1 - me]
        seen["won" if mine > yours else "lost" if mine < yours else "drawn"] += 1

    async def games(self):
        global begun
        while begun < options.games and not self.gone.is_set():
            begun += 1
            number = begun
            await self.play(number % 2 == 0)
            if not self.gone.is_set():
                seen["games"] += 1
            else:
                begun -= 1
            if seen["games"] >= options.games:
                done.set()
            elif options.forget and number % options.forget == 0:
                # The fault: this client is forgotten.
                return

    async def pings(self):
        while options.ping:
            await asyncio.sleep(options.ping)
            number = self.say("ping")
            try:
                if await asyncio.wait_for(self.pongs.get(), 20) != number:
                    seen["no_pong"] += 1
            except asyncio.TimeoutError:
                seen["no_pong"] += 1

    async def serve(self):
        seen["connections"] += 1
        self.say("kgp 1 0 1")
        tasks = []
        token = None
        while (line := await self.link.line()) is not None:
            found = parse(line)
            if found is None:
                continue
            own, reference, name, arguments = found
            if name == "set":
                option, value = arguments.split(None, 1)
                value = value.strip('"')
                if option == "auth:token":
                    token = value
                elif option == "info:name":
                    # The fault: a name that comes before the token is taken for the token.
                    token = token or value
                    seen["names"].append(value)
                    seen["tokens"].append(token)
            elif name == "mode":
                self.say("ok", own)
                tasks = [asyncio.ensure_future(self.games()) for _ in range(options.at_once)]
                tasks.append(asyncio.ensure_future(self.pings()))
            elif name == "pong":
                self.pongs.put_nowait(reference)
            elif name in ("move", "yield"):
                self.answer(own, reference, name, arguments)
            elif name == "goodbye":
                break
        self.gone.set()
        for task in tasks[:-1]:
            await task
        if tasks:
            tasks[-1].cancel()
        self.link.close()


clients = []


async def serve(link):
    client = Client(link)
    clients.append(client)
    try:
        await client.serve()
    except OSError:
        client.gone.set()


async def main():
    async def plain(reader, writer):
        await serve(Plain(reader, writer))

    async def websocket(reader, writer):
        await serve(await accept(reader, writer))

    servers = [await asyncio.start_server(how, "127.0.0.1", 0) for how in (plain, websocket)]
    tcp, ws = (server.sockets[0].getsockname()[1] for server in servers)
    print(json.dumps({"tcp": tcp, "ws": ws}), flush=True)
    await done.wait()
    print(json.dumps(seen), flush=True)
    for client in clients:
        if not client.gone.is_set():
            client.say("goodbye")
    await asyncio.sleep(0.2)


asyncio.run(main())
