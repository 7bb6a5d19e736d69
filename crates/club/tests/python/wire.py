"""Lines of the Kalah Game Protocol over TCP and WebSocket, and the rules of Kalah: plain Python, standard library only.

Written from the description of the protocol. It shares no code with the programs it tests.
"""

import asyncio
import base64
import hashlib
import os
import re
import struct

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
LINE = re.compile(r"^\s*(?:(\d+)?(?:@(\d+))?\s+)?([A-Za-z][A-Za-z0-9]*)(?:\s+(.*?))?\s*$", re.S)


def parse(line):
    """The id, reference, name and raw arguments of a line; None if it is not a valid line."""
    found = LINE.match(line)
    if not found:
        return None
    number = lambda text: int(text) if text else None
    return number(found[1]), number(found[2]), found[3], found[4] or ""


class Plain:
    """Lines over TCP."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def line(self):
        data = await self.reader.readline()
        return data.decode("utf-8", "replace") if data else None

    def send(self, text, end="\r\n"):
        self.writer.write((text + end).encode())

    def close(self):
        self.writer.close()


class Frames:
    """Lines as the text frames of a WebSocket; a client's frames are masked."""

    def __init__(self, reader, writer, masked):
        self.reader, self.writer, self.masked = reader, writer, masked

    async def line(self):
        while True:
            try:
                first, second = await self.reader.readexactly(2)
                size = second & 127
                if size == 126:
                    size = struct.unpack(">H", await self.reader.readexactly(2))[0]
                elif size == 127:
                    size = struct.unpack(">Q", await self.reader.readexactly(8))[0]
                mask = await self.reader.readexactly(4) if second & 128 else bytes(4)
                body = await self.reader.readexactly(size)
            except asyncio.IncompleteReadError:
                return None
            body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))
            kind = first & 15
            if kind == 8:
                return None
            if kind == 9:
                self.frame(10, body)
            elif kind == 1:
                text = body.decode()
                assert text.endswith("\n"), f"a frame without its line end: {text!r}"
                return text

    def frame(self, kind, body):
        head = bytes([128 | kind])
        flag = 128 if self.masked else 0
        if len(body) < 126:
            head += bytes([flag | len(body)])
        else:
            head += bytes([flag | 126]) + struct.pack(">H", len(body))
        if self.masked:
            mask = os.urandom(4)
            head += mask
            body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))
        self.writer.write(head + body)

    def send(self, text, end="\r\n"):
        self.frame(1, (text + end).encode())

    def close(self):
        self.writer.close()


async def dial(host, port, websocket):
    """Connects to a server."""
    reader, writer = await asyncio.open_connection(host, port)
    if not websocket:
        return Plain(reader, writer)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write((
        f"GET /socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    answer = (await reader.readuntil(b"\r\n\r\n")).decode()
    assert answer.startswith("HTTP/1.1 101"), answer
    return Frames(reader, writer, True)


async def accept(reader, writer):
    """The server's side of a WebSocket handshake."""
    request = (await reader.readuntil(b"\r\n\r\n")).decode()
    assert request.startswith("GET /socket "), request
    key = re.search(r"(?i)sec-websocket-key: *(\S+)", request)[1]
    digest = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
    writer.write((
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {digest}\r\n\r\n").encode())
    return Frames(reader, writer, False)


class Kalah:
    """A board: the stores and pits of south (0) and north (1), and the player to move."""

    def __init__(self, pits, seeds):
        self.size = pits
        self.total = 2 * pits * seeds
        self.stores = [0, 0]
        self.pits = [[seeds] * pits, [seeds] * pits]
        self.mover = 0

    @staticmethod
    def read(literal):
        """Reads a board from its text form; the mover is south."""
        numbers = [int(word) for word in literal.strip()[1:-1].split(",")]
        size = numbers[0]
        assert len(numbers) == 2 * size + 3, literal
        board = Kalah(size, 0)
        board.stores = numbers[1:3]
        board.pits = [numbers[3:3 + size], numbers[3 + size:]]
        board.total = sum(numbers[1:])
        return board

    def literal(self):
        """The text form from the point of view of the mover, who is south."""
        me, you = self.mover, 1 - self.mover
        numbers = [self.size, self.stores[me], self.stores[you], *self.pits[me], *self.pits[you]]
        return "<" + ",".join(map(str, numbers)) + ">"

    def legal(self):
        return [pit for pit, seeds in enumerate(self.pits[self.mover]) if seeds]

    def over(self):
        return max(self.stores) * 2 > self.total or not any(self.pits[0]) or not any(self.pits[1])

    def play(self, pit):
        me = self.mover
        side, seeds = me, self.pits[me][pit]
        assert seeds, "an empty pit"
        self.pits[me][pit] = 0
        place = pit
        while seeds:
            place += 1
            if place < self.size:
                self.pits[side][place] += 1
            elif side == me and place == self.size:
                self.stores[me] += 1
            else:
                side, place = 1 - side, -1
                continue
            seeds -= 1
            if place == self.size and seeds:
                side, place = 1 - side, -1
        again = place == self.size
        if not again and side == me and self.pits[me][place] == 1:
            across = self.size - 1 - place
            if self.pits[1 - me][across]:
                self.stores[me] += 1 + self.pits[1 - me][across]
                self.pits[me][place] = self.pits[1 - me][across] = 0
        if not any(self.pits[0]) or not any(self.pits[1]):
            for player in (0, 1):
                self.stores[player] += sum(self.pits[player])
                self.pits[player] = [0] * self.size
        if not again:
            self.mover = 1 - me
