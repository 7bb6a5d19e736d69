"""Lets a Python file play: speaks the universal game interface to Kalahari and calls the file's own function or class.

Kalahari starts it as `python3 -c BRIDGE FILE [MEMORY_MIB]`. What the file writes to standard output is discarded. The file runs in
a scratch directory with copies of the small files that lie beside it. An exception ends this process; the last line on standard error
is then the reason for the forfeit.

Supported, in this order:

  Kalah      class ai:            move(self, a, b, a_fin, b_fin, t)      returns a pit; 0 is the farthest from the mover's store
  Isolation  class CustomPlayer:  get_move(self, game, time_left)        or get_move(self, game, legal_moves, time_left)
             (or any class with get_move); returns (row, column)
  both       move(state), choose(state), or either with `limits` as a second parameter

A file that plays only one of the games is refused for the other. Needs CPython 3.8 or later and nothing else.
"""

import collections
import collections.abc
import fractions
import importlib.machinery
import importlib.util
import inspect
import io
import math
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import tokenize
import types


class Refused(Exception):
    """The file cannot play; the text says why."""


# ---------------------------------------------------------------------------------------------- what agents are given


class State:
    """A position as the player to move sees it. Every name is an attribute and a key: `state.pits`, `state["pits"]`.

    Kalah: `pits` and `opponent_pits` (lists, each in its owner's direction of sowing), `store`, `opponent_store`; the same as
    `a`, `b`, `a_fin`, `b_fin`. Isolation: `own` and `opponent` ((row, column), None before the piece is placed), `free` (a list
    of cells), `rows`, `cols`. Both: `legal` (moves that may be returned), `game` (its name), `rule`, `time_ms` (for this move;
    None without a limit), `text` (the position as Kalahari writes it), `player` (0 or 1).
    """

    def __init__(self, **parts):
        self.__dict__.update(parts)

    def __getitem__(self, name):
        return self.__dict__[name]

    def __contains__(self, name):
        return name in self.__dict__

    def __iter__(self):
        return iter(self.__dict__)

    def __len__(self):
        return len(self.__dict__)

    def get(self, name, default=None):
        return self.__dict__.get(name, default)

    def keys(self):
        return self.__dict__.keys()

    def items(self):
        return self.__dict__.items()

    def __repr__(self):
        return "State(%s)" % ", ".join("%s=%r" % part for part in self.__dict__.items())


class Limits:
    """What a move may cost: `time_ms`, `depth` and `nodes`, each None without a limit, and `time_left()` in milliseconds."""

    def __init__(self, time_ms, depth, nodes):
        self.time_ms, self.depth, self.nodes = time_ms, depth, nodes
        self._begin = time.perf_counter()

    def time_left(self):
        allowed = NO_LIMIT_MS if self.time_ms is None else self.time_ms
        return allowed - (time.perf_counter() - self._begin) * 1000.0


# The time for agents that need a number although there is no limit.
NO_LIMIT_MS = 60_000.0


# ---------------------------------------------------------------------------------------------------------------- games


class Kalah:
    kind = "kalah"

    def __init__(self, name, rule):
        self.name, self.rule = name, rule

    def state(self, text, limits):
        numbers = [int(word) for word in text.replace(",", " ").split()]
        houses, player = numbers[:-1], numbers[-1]
        pits = len(houses) // 2 - 1
        first, second = houses[: pits + 1], houses[pits + 1 :]
        own, other = (first, second) if player == 0 else (second, first)
        return State(
            pits=own[:pits], opponent_pits=other[:pits], store=own[pits], opponent_store=other[pits],
            a=own[:pits], b=other[:pits], a_fin=own[pits], b_fin=other[pits],
            legal=[pit for pit in range(pits) if own[pit] > 0],
            time_ms=limits.time_ms, game=self.name, rule=self.rule, player=player, text=text,
        )

    def text_of(self, move):
        return str(whole_number(move))


KING = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
KNIGHT = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]
STEPS = {"trail": [(-1, 0), (0, 1), (1, 0), (0, -1)], "classic": KING, "queen": KING, "knight": KNIGHT}


def targets(rule, at, is_free):
    """The cells a piece can go to, or all free ones before it is placed (`at` is None)."""
    cells = []
    for row, col in STEPS[rule]:
        cell = (at[0] + row, at[1] + col)
        while is_free(cell):
            cells.append(cell)
            if rule != "queen":
                break
            cell = (cell[0] + row, cell[1] + col)
    return cells


def cell_text(cell):
    return "%s%d" % (chr(ord("a") + cell[1]), cell[0] + 1)


class Isolation:
    kind = "isolation"

    def __init__(self, name, rule):
        self.name, self.rule = name, rule

    def read(self, text):
        board, player = text.split()
        rows = board.split("/")
        pieces = {}
        free = set()
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                if mark == ".":
                    free.add((r, c))
                elif mark in "12":
                    pieces[int(mark) - 1] = (r, c)
        return len(rows), len(rows[0]), pieces, free, int(player)

    def state(self, text, limits):
        rows, cols, pieces, free, player = self.read(text)
        own, other = pieces.get(player), pieces.get(1 - player)
        if own is None:
            steps = sorted(free)
        else:
            steps = targets(self.rule, own, lambda cell: cell in free)
        legal = [cell_text(cell) for cell in steps]
        if self.rule == "classic":
            # The cell that the piece leaves may be removed; the cell that it enters may not.
            legal = [
                cell_text(to) + "/" + cell_text(gone)
                for to in steps
                for gone in sorted((free | {own}) - {to})
            ]
        return State(
            own=own, opponent=other, free=sorted(free), rows=rows, cols=cols,
            legal=legal or ["pass"],
            time_ms=limits.time_ms, game=self.name, rule=self.rule, player=player, text=text,
        )

    def text_of(self, move):
        if isinstance(move, str):
            return move.strip() or "''"
        try:
            parts = list(move)
            if len(parts) == 2 and all(hasattr(part, "__len__") for part in parts):
                return "/".join(cell_text((whole_number(r), whole_number(c))) for r, c in parts)
            row, col = parts
            row, col = whole_number(row), whole_number(col)
        except (TypeError, ValueError):
            return one_word(repr(move))
        return cell_text((row, col)) if 0 <= col < 26 and row >= 0 else one_word(repr((row, col)))


def whole_number(value):
    """Converts a value to an int. Accepts a numpy number, 3.0, "3" or [3]; refuses other texts, True and None."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    if isinstance(value, (list, tuple)) and len(value) == 1:
        return whole_number(value[0])
    if isinstance(value, (bool, str)) or value is None:
        raise ValueError("a move is a number, not %r" % (value,))
    number = int(value)
    if number != value:
        raise ValueError("a move is a whole number, not %r" % (value,))
    return number


def one_word(text):
    return "".join(text.split())[:80] or "nothing"


# ------------------------------------------------------------------------------ the board of a well-known online course


class Board:
    """The board that `CustomPlayer` files expect: cells are (row, column), and a player who cannot move has lost."""

    BLANK = 0
    NOT_MOVED = None

    def __init__(self, player_1, player_2, width=7, height=7, rule="knight"):
        self.width, self.height, self.move_count = width, height, 0
        self.rule = rule
        self._players = (player_1, player_2)
        self._active = 0
        self._blocked = set()
        self._at = [None, None]

    @property
    def active_player(self):
        return self._players[self._active]

    @property
    def inactive_player(self):
        return self._players[1 - self._active]

    # Names that files of older editions use.
    __active_player__ = active_player
    __inactive_player__ = inactive_player

    def _number(self, player):
        if player is self._players[0]:
            return 0
        if player is self._players[1]:
            return 1
        raise RuntimeError("this player does not play on this board")

    def get_opponent(self, player):
        return self._players[1 - self._number(player)]

    def copy(self):
        board = Board(*self._players, width=self.width, height=self.height, rule=self.rule)
        board.move_count, board._active = self.move_count, self._active
        board._blocked, board._at = set(self._blocked), list(self._at)
        return board

    def forecast_move(self, move):
        board = self.copy()
        board.apply_move(move)
        return board

    def apply_move(self, move):
        move = (move[0], move[1])
        self._blocked.add(move)
        self._at[self._active] = move
        self._active = 1 - self._active
        self.move_count += 1

    def move_is_legal(self, move):
        row, col = move
        return 0 <= row < self.height and 0 <= col < self.width and (row, col) not in self._blocked

    def get_blank_spaces(self):
        cells = ((row, col) for col in range(self.width) for row in range(self.height))
        return [cell for cell in cells if cell not in self._blocked]

    def get_player_location(self, player):
        return self._at[self._number(player)]

    def get_legal_moves(self, player=None):
        number = self._active if player is None else self._number(player)
        if self._at[number] is None:
            return self.get_blank_spaces()
        return targets(self.rule, self._at[number], self.move_is_legal)

    def is_loser(self, player):
        return player is self.active_player and not self.get_legal_moves(player)

    def is_winner(self, player):
        return player is self.inactive_player and not self.get_legal_moves(self.active_player)

    def utility(self, player):
        if not self.get_legal_moves(self.active_player):
            return float("-inf") if player is self.active_player else float("inf")
        return 0.0

    def hash(self):
        return hash(self)

    def __eq__(self, other):
        return isinstance(other, Board) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self):
        return (self.width, self.height, self._active, tuple(self._at), frozenset(self._blocked))

    def to_string(self, symbols=("1", "2")):
        lines = []
        for row in range(self.height):
            marks = []
            for col in range(self.width):
                cell = (row, col)
                if cell in self._at:
                    marks.append(symbols[self._at.index(cell)])
                else:
                    marks.append("-" if cell in self._blocked else " ")
            lines.append(" | ".join([str(row)] + marks) + " |")
        return "\n".join(lines) + "\n"

    def print_board(self):
        return self.to_string()

    __str__ = to_string


class Opponent:
    """Stands for the other player of a `Board`."""


def course_modules():
    """The modules for `from isolation import Board` and the course's sample players."""
    isolation = types.ModuleType("isolation")
    isolation.Board = Board
    inner = types.ModuleType("isolation.isolation")
    inner.Board = Board
    isolation.isolation = inner
    isolation.__path__ = []

    samples = types.ModuleType("sample_players")

    def null_score(game, player):
        if game.is_loser(player):
            return float("-inf")
        return float("inf") if game.is_winner(player) else 0.0

    def open_move_score(game, player):
        return null_score(game, player) or float(len(game.get_legal_moves(player)))

    def improved_score(game, player):
        own, other = (game.get_legal_moves(who) for who in (player, game.get_opponent(player)))
        return null_score(game, player) or float(len(own) - len(other))

    def center_score(game, player):
        row, col = game.get_player_location(player) or (0, 0)
        return null_score(game, player) or float((game.height / 2.0 - row) ** 2 + (game.width / 2.0 - col) ** 2)

    class RandomPlayer:
        def get_move(self, game, *_):
            return random.choice(game.get_legal_moves() or [(-1, -1)])

    for score in (null_score, open_move_score, improved_score, center_score):
        setattr(samples, score.__name__, score)
    samples.RandomPlayer = RandomPlayer
    return {"isolation": isolation, "isolation.isolation": inner, "sample_players": samples}


# --------------------------------------------------------------------------------------------------- what a file offers


def parameters(function):
    """The least and the greatest number of positional arguments that a function takes. A bound `self` is not counted."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 0, 99
    positional = [p for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    least = sum(p.default is p.empty for p in positional)
    most = 99 if any(p.kind == p.VAR_POSITIONAL for p in found) else len(positional)
    return least, most


def takes(function, count):
    least, most = parameters(function)
    return least <= count <= most


def method_arguments(kind, name):
    """The least and the greatest number of arguments that a method takes when it is called on an object."""
    plain = inspect.getattr_static(kind, name)
    least, most = parameters(getattr(kind, name))
    # The signature of a plain method includes `self`, that of a static or class method does not.
    own = 0 if isinstance(plain, (staticmethod, classmethod)) else 1
    return least - own, most - own


class StateFunction:
    """move(state), choose(state), with or without limits."""

    def __init__(self, function):
        self.function, self.has_limits = function, parameters(function)[1] >= 2

    def new_game(self):
        pass

    def move(self, game, text, limits):
        state = game.state(text, limits)
        return self.function(state, limits) if self.has_limits else self.function(state)


class CourseKalah:
    """A player with the class `ai` of a Kalah course."""

    def __init__(self, make):
        self.make, self.player = make, None

    def new_game(self):
        self.player = None

    def move(self, game, text, limits):
        state = game.state(text, limits)
        self.player = self.make() if self.player is None else self.player
        allowed = int(NO_LIMIT_MS if limits.time_ms is None else limits.time_ms)
        return self.player.move(list(state.a), list(state.b), state.a_fin, state.b_fin, allowed)


class CourseIsolation:
    """A player with a class that has `get_move`."""

    def __init__(self, make):
        self.make, self.player, self.other = make, None, Opponent()

    def new_game(self):
        self.player = None

    def move(self, game, text, limits):
        self.player = self.make() if self.player is None else self.player
        rows, cols, pieces, free, player = game.read(text)
        players = (self.player, self.other) if player == 0 else (self.other, self.player)
        board = Board(*players, width=cols, height=rows, rule=game.rule)
        board._active = player
        cells = {(row, col) for row in range(rows) for col in range(cols)}
        board._blocked = cells - free
        board._at = [pieces.get(0), pieces.get(1)]
        # Every move blocks one more cell: the one that the piece enters.
        board.move_count = len(board._blocked)
        if takes(self.player.get_move, 3) and not takes(self.player.get_move, 2):
            return self.player.get_move(board, board.get_legal_moves(), limits.time_left)
        return self.player.get_move(board, limits.time_left)


def instances(kind):
    """The class itself if it can be instantiated without arguments, else None."""
    return kind if takes(kind, 0) else None


# Classes with these names count even if the file has imported them.
NAMED = ("ai", "CustomPlayer")


def own_classes(module):
    """The classes that a file defines itself, in order, and imported ones whose names are in NAMED."""
    found = [(name, value) for name, value in vars(module).items() if inspect.isclass(value)]
    return [kind for name, kind in found if kind.__module__ == module.__name__ or name in NAMED]


def entrance(module, game):
    """Chooses what plays a game from everything that a file offers."""
    classes = own_classes(module)
    if game.kind == "kalah":
        named = [kind for kind in classes if kind.__name__ == "ai"]
        others = [kind for kind in classes if kind.__name__ != "ai"]
        for kind in named + others:
            move = getattr(kind, "move", None)
            if not callable(move):
                continue
            least, most = method_arguments(kind, "move")
            if least <= 5 <= most and (kind in named or least == 5):
                if instances(kind):
                    return CourseKalah(kind)
                raise Refused("class %s cannot be created without arguments" % kind.__name__)
    elif game.rule in ("knight", "queen"):
        wanted = ("CustomPlayer", "AlphaBetaPlayer", "MinimaxPlayer")
        order = {name: place for place, name in enumerate(wanted)}
        players = [kind for kind in classes if callable(getattr(kind, "get_move", None)) and instances(kind)]
        players.sort(key=lambda kind: order.get(kind.__name__, len(wanted)))
        if players:
            return CourseIsolation(players[0])
    for name in ("move", "choose"):
        function = getattr(module, name, None)
        if callable(function) and not inspect.isclass(function):
            if takes(function, 1) or takes(function, 2):
                return StateFunction(function)
            raise Refused("%s takes %d arguments; it should take (state) or (state, limits)" % (name, parameters(function)[0]))
    if any(callable(getattr(kind, "get_move", None)) for kind in classes):
        raise Refused("its get_move plays Isolation with knight or queen moves: add --game isolation:7x7:knight")
    wanted = {
        "kalah": "a function move(state) or choose(state), or a class ai with move(self, a, b, a_fin, b_fin, t)",
        "isolation": "a function move(state) or choose(state), or, for knight and queen, a class with get_move(self, game, time_left)",
    }
    raise Refused("it has no player for %s; needed: %s" % (game.kind, wanted[game.kind]))


def load(path):
    if not os.path.isfile(path):
        raise Refused("there is no file %s" % path)
    sys.path[:0] = [os.path.dirname(path)]
    for name, module in course_modules().items():
        # A file of that name beside the agent takes precedence.
        if not os.path.exists(os.path.join(os.path.dirname(path), name.split(".")[0] + ".py")):
            sys.modules.setdefault(name, module)
    old_names()
    name = os.path.splitext(os.path.basename(path))[0]
    name = name if name not in sys.modules else name + "_agent"
    if RELATIVE.search(open(path, "rb").read()):
        # It uses relative imports, so its folder has to be a package.
        package = types.ModuleType("agent_folder")
        package.__path__ = [os.path.dirname(path)]
        sys.modules[package.__name__] = package
        name = "%s.%s" % (package.__name__, name)
    loader = Loader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.argv = [path]
    try:
        spec.loader.exec_module(module)
    except (SystemExit, EOFError) as left:
        # The script exits or asks for input, perhaps after it has defined its player.
        module.left_by = left
    return module


RELATIVE = re.compile(rb"^\s*from\s+\.", re.MULTILINE)


class Loader(importlib.machinery.SourceFileLoader):
    """Also reads files that are not in the encoding that they declare; often only their comments are affected."""

    def get_data(self, path):
        data = super().get_data(path)
        if not path.endswith(".py"):
            return data
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            data.decode(encoding)
            return data
        except (SyntaxError, UnicodeDecodeError, LookupError):
            pass
        for encoding in ("utf-8", "gb18030", "latin-1"):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                continue
            return re.sub(r"coding[:=]", "coding of", text, count=2).encode("utf-8")
        return data


def old_names():
    """Restores names that older versions of Python had and old files still use."""
    if not hasattr(time, "clock"):
        time.clock = time.perf_counter
    for name in ("Callable", "Hashable", "Iterable", "Iterator", "Mapping", "MutableMapping", "Sequence", "Set", "Sized"):
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    if not hasattr(inspect, "getargspec"):
        inspect.getargspec = inspect.getfullargspec
    if not hasattr(fractions, "gcd"):
        fractions.gcd = math.gcd


# Limits on the files beside the agent that are copied into its scratch directory: weights, tables and the like.
MOST_FILES = 64
MOST_BYTES = 16 << 20


def bring_along(path, scratch):
    """Copies the small files beside the agent into its scratch directory, where `open("weights.json")` looks for them."""
    folder, left = os.path.dirname(path), MOST_BYTES
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith(".") and not name.endswith((".py", ".pyc")))
        files = [name for name in names if os.path.isfile(os.path.join(folder, name))]
        if len(files) > MOST_FILES:
            return
        for name in files:
            size = os.path.getsize(os.path.join(folder, name))
            if size <= left:
                shutil.copyfile(os.path.join(folder, name), os.path.join(scratch, name))
                left -= size
    except OSError:
        # Most agents do not need these files.
        pass


# ----------------------------------------------------------------------------------------------------- the conversation


class Session:
    def __init__(self, path, reader, writer):
        self.path, self.reader, self.writer = path, reader, writer
        self.module = None
        self.game = Kalah("kalah:6x6:standard", "standard")
        self.player = None
        self.position = None

    def say(self, line):
        self.writer.write((line + "\n").encode())
        self.writer.flush()

    def set_game(self, name):
        kind, _, rest = name.partition(":")
        words = rest.split(":")
        rule = words[-1] if len(words) > 1 else {"kalah": "standard", "isolation": "trail"}.get(kind, "")
        rule = rule.split("+")[0]
        self.game = Kalah(name, rule) if kind == "kalah" else Isolation(name, rule)
        self.player = None

    def ready(self):
        if self.module is None:
            self.module = load(self.path)
        if self.player is None:
            try:
                self.player = entrance(self.module, self.game)
            except Refused:
                # If the file exited before it defined a player, that is the reason to report.
                left = getattr(self.module, "left_by", None)
                raise left if left is not None else sys.exc_info()[1]

    def go(self, words):
        numbers = {}
        for key, value in zip(words, words[1:]):
            if key in ("movetime", "depth", "nodes", "p1time", "p2time", "p1inc", "p2inc"):
                numbers[key] = int(value)
        allowed = numbers.get("movetime")
        mover = "p1" if self.position.split()[-1] == "0" else "p2"
        clock = numbers.get(mover + "time")
        if clock is not None:
            # A thirtieth of the remaining time, and most of the increment.
            share = clock / 30.0 + 0.8 * numbers.get(mover + "inc", 0)
            allowed = min(share, clock) if allowed is None else min(allowed, clock)
        limits = Limits(allowed, numbers.get("depth"), numbers.get("nodes"))
        self.ready()
        own = os.getpid()
        move = self.player.move(self.game, self.position, limits)
        if hasattr(signal, "setitimer"):
            # An alarm that the agent has set must not interrupt the bridge.
            signal.setitimer(signal.ITIMER_REAL, 0)
        if os.getpid() != own:
            # This is a fork that the agent has made of itself; the original process answers.
            os._exit(0)
        if inspect.iscoroutine(move):
            move.close()
            raise ValueError("it returned a coroutine, which is not a move; write `def`, not `async def`")
        try:
            answer = self.game.text_of(move)
        except (TypeError, ValueError):
            raise ValueError("it returned %s, which is not a move" % one_word(repr(move))) from None
        self.say("bestmove " + one_word(answer))

    def run(self):
        for line in self.reader:
            words = line.decode(errors="replace").split()
            command = words[0] if words else ""
            if command == "ugi":
                self.say("id name " + os.path.splitext(os.path.basename(self.path))[0])
                self.say("ugiok")
            elif command == "setoption" and words[1:3] == ["name", "game"]:
                self.set_game(words[-1])
            elif command == "uginewgame":
                if self.player is not None:
                    self.player.new_game()
            elif command == "isready":
                self.ready()
                self.say("readyok")
            elif command == "position" and words[1:2] == ["fen"]:
                self.position = " ".join(words[2:])
            elif command == "go":
                self.go(words[1:])
            elif command == "quit":
                return


def complain(error):
    """Writes the last line on standard error, which Kalahari reads: what went wrong, and where in the file."""
    own = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != "<string>":
            own.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    place = ""
    if isinstance(error, SyntaxError) and error.filename:
        place = " (%s, line %s)" % (os.path.basename(error.filename), error.lineno)
        text = "%s: %s" % (type(error).__name__, error.msg)
    elif isinstance(error, Refused):
        text = str(error)
    else:
        files = [at for at in own if not at[0].startswith("<frozen")]
        if files:
            place = " (%s, line %d)" % (os.path.basename(files[-1][0]), files[-1][1])
        text = type(error).__name__ + (": " + str(error) if str(error) else "")
    line = " ".join((text + place).split())
    os.write(2, ("\n" + line[:300] + "\n").encode(errors="replace"))


def limit_memory(mebibytes):
    try:
        import resource
    except ImportError:
        return
    most = mebibytes << 20
    for kind in ("RLIMIT_DATA", "RLIMIT_AS"):
        # Libraries reserve far more address space than they use.
        room = most if kind == "RLIMIT_DATA" else most + (16 << 30)
        if hasattr(resource, kind):
            try:
                resource.setrlimit(getattr(resource, kind), (room, room))
            except (ValueError, OSError):
                pass


def end_with_parent(parent):
    """Asks the kernel to kill this process when its parent ends, for whatever reason; Linux only."""
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return
    if os.getppid() != parent:
        os._exit(1)


SCRATCH = "kalahari-agent-"


def scratch_directory():
    """Makes a directory for the agent. First removes those of bridges that were killed: the names contain the process id."""
    folder = tempfile.gettempdir()
    for name in os.listdir(folder):
        owner = name[len(SCRATCH) :].split("-")[0] if name.startswith(SCRATCH) else ""
        if owner.isdigit():
            try:
                os.kill(int(owner), 0)
            except ProcessLookupError:
                shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
            except OSError:
                pass
    return tempfile.mkdtemp(prefix="%s%d-" % (SCRATCH, os.getpid()))


def guard(scratch):
    """Continues in a child process, so that an agent that kills its parent kills only this guard. Removes the scratch directory at the end."""
    if not hasattr(os, "fork"):
        return
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        end_with_parent(parent)
        return
    # The pipes belong to the child: they must close when it ends.
    for descriptor in (0, 1):
        os.close(descriptor)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    while True:
        try:
            _, status = os.waitpid(child, 0)
            break
        except InterruptedError:
            continue
    shutil.rmtree(scratch, ignore_errors=True)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        os.write(2, ("\nthe agent was killed by %s\n" % name).encode())
        os._exit(1)
    os._exit(os.WEXITSTATUS(status))


def main():
    path = os.path.abspath(sys.argv[1])
    memory = int(sys.argv[2]) if len(sys.argv) > 2 else 2048
    scratch = scratch_directory()
    guard(scratch)
    reader = os.fdopen(os.dup(0), "rb", buffering=0)
    reader = io.BufferedReader(reader)
    writer = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)
    status = 0
    try:
        os.chdir(scratch)
        bring_along(path, scratch)
        limit_memory(memory)
        Session(path, reader, writer).run()
    except BaseException as error:
        status = 1
        complain(error)
    os.chdir(os.path.dirname(scratch))
    shutil.rmtree(scratch, ignore_errors=True)
    # Exit without waiting for threads and exit handlers of the agent.
    os._exit(status)


main()
