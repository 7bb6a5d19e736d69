"""The compiled part of the package: games, positions, batches, players, proofs and the arena."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

PROCESSOR: str
"""What the build asks of a processor: "x86-64-v3" or "any"."""
UNKNOWN: int
"""The value in an array for a position that the tablebase does not know."""
__version__: str

__all__ = [
    "Agent",
    "Batch",
    "Book",
    "Game",
    "Guest",
    "Late",
    "Limits",
    "PROCESSOR",
    "Position",
    "ProofBoard",
    "Search",
    "ShardWriter",
    "Solver",
    "Tablebase",
    "TuneDesk",
    "UNKNOWN",
    "__version__",
    "about_plan",
    "agent_kinds",
    "make_dataset",
    "make_shard",
    "plan_dataset",
    "plan_match",
    "plan_tournament",
    "play_sample",
    "run_match",
    "run_tournament",
    "serve_ugi",
    "shard_file",
    "store_games",
    "store_matches",
    "write_report",
]

_Time = float | str
_Numbers = npt.ArrayLike

@final
class Limits:
    """What an agent may spend on one move. None means no limit.

    >>> import kalahari
    >>> limits = kalahari.Limits(nodes=1000, time="100ms")
    >>> limits.nodes, limits.time, limits.depth
    (1000, 0.1, None)

    An agent written in Python is given one with every position. Times are in seconds, or texts such as "100ms" or "1.5s".
    """
    def __new__(
        cls,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: _Time | None = None,
        clock: _Time | None = None,
        increment: _Time | None = None,
    ) -> Limits: ...
    @property
    def depth(self) -> int | None:
        """How deep to search, in plies.

        >>> import kalahari
        >>> kalahari.Limits(depth=8).depth
        8
        """
    @property
    def nodes(self) -> int | None:
        """How many nodes to search; for Monte Carlo tree search, how many playouts to make.

        >>> import kalahari
        >>> kalahari.Limits(nodes=1000).nodes
        1000
        """
    @property
    def time(self) -> float | None:
        """How long this move may take, in seconds.

        >>> import kalahari
        >>> kalahari.Limits(time="250ms").time
        0.25
        """
    @property
    def clock(self) -> float | None:
        """How much time is left for the rest of the game, in seconds.

        >>> import kalahari
        >>> kalahari.Limits(clock=10).clock
        10.0
        """
    @property
    def increment(self) -> float | None:
        """How much time is added to the clock after every move, in seconds.

        >>> import kalahari
        >>> kalahari.Limits(clock=10, increment=0.1).increment
        0.1
        """
    @property
    def move_time(self) -> float | None:
        """How long to think about this move, in seconds: `time`, or a share of the clock that leaves enough for the rest of the game. None
        if neither is set.

        >>> import kalahari
        >>> kalahari.Limits(time=2).move_time, kalahari.Limits(nodes=5).move_time
        (2.0, None)
        >>> 0 < kalahari.Limits(clock=10).move_time < 10
        True
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Game:
    """The rules of a game, such as kalah:6x4 or isolation:7x7:queen.

    >>> import kalahari
    >>> game = kalahari.Game("kalah:6x4")
    >>> game.start().legal_moves()
    [0, 1, 2, 3, 4, 5]
    >>> game.position("0 0 0 0 0 1 20 0 0 0 0 0 1 26 0").play(5).margin
    -6

    What a name leaves out is filled in (`game.spec` is the full name). With `any_total=True` a game of Kalah also
    reads positions with another number of seeds than its own.
    """
    def __new__(cls, spec: str = "kalah:6x6", *, any_total: bool = False) -> Game: ...
    @property
    def spec(self) -> str:
        """The full name, with everything filled in.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").spec
        'kalah:6x4:standard'
        """
    @property
    def kind(self) -> str:
        """Which game it is: "kalah" or "isolation".

        >>> import kalahari
        >>> kalahari.Game("isolation:queen").kind
        'isolation'
        """
    @property
    def rule(self) -> str:
        """The name of the rules, such as "standard" or "queen".

        >>> import kalahari
        >>> kalahari.Game("isolation:queen").rule
        'queen'
        """
    @property
    def summary(self) -> str:
        """The rules in one line.

        >>> import kalahari
        >>> isinstance(kalahari.Game().summary, str)
        True
        """
    @property
    def size(self) -> tuple[int, int]:
        """The size of the board: (pits, seeds) for Kalah, (rows, columns) for Isolation.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").size
        (6, 4)
        """
    @property
    def has_margins(self) -> bool:
        """Whether games are won by a margin, or just won.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").has_margins, kalahari.Game("isolation:queen").has_margins
        (True, False)
        """
    @property
    def any_total(self) -> bool:
        """Whether positions may have any number of seeds.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4", any_total=True).any_total
        True
        """
    @property
    def num_actions(self) -> int:
        """How many actions there are. An action is a move as a number from 0 on, for masks and networks.

        >>> import kalahari
        >>> [kalahari.Game(name).num_actions for name in ("kalah:6x4", "isolation:8x8", "isolation:classic")]
        [6, 65, 392]

        Kalah: the pit. Isolation: the cell, row by row; in `trail` one more for the pass; in `classic` the direction of the
        step times the number of cells plus the cell removed.
        """
    def start(self) -> Position:
        """The position that the game begins with.

        >>> import kalahari
        >>> kalahari.Game("kalah:2x3").start().text
        '3 3 0 3 3 0 0'
        """
    def position(self, text: str) -> Position:
        """Reads a position from text, such as `Position.text` or the board that `kalahari show` prints.

        >>> import kalahari
        >>> kalahari.Game("isolation:3x3").position("1../.x./..2 0").mover
        0
        >>> kalahari.Game("kalah:6x4").position("1 2 3")
        Traceback (most recent call last):
        ...
        ValueError: ...
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Position:
    """A position of a game. It never changes; `play` returns a new one.

    >>> import kalahari
    >>> position = kalahari.Game("kalah:6x4").start().play(2)
    >>> position.mover, position.text           # pit 2 ends in the store: another turn
    (0, '4 4 0 5 5 5 1 4 4 4 4 4 4 0 0')
    >>> position == kalahari.Game("kalah:6x4").position(position.text)
    True

    Positions can be compared, hashed, copied and pickled. Players are 0 (the one who begins) and 1; `mover` is the one to move.
    `outcome` and `margin` are from player 0's point of view, and None while the game is not over.
    """
    @property
    def game(self) -> Game:
        """The game it belongs to.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().game
        Game('kalah:6x4:standard')
        """
    def legal_moves(self) -> list[Any]:
        """The legal moves: numbers of pits (Kalah) or texts such as 'c4' (Isolation). The list is empty exactly when the game is over.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().legal_moves()
        [0, 1, 2, 3, 4, 5]
        >>> kalahari.Game("isolation:5x5").start().legal_moves()
        ['b1', 'a2']
        """
    def play(self, move: int | str) -> Position:
        """The position after a move. This one stays as it is.

        >>> import kalahari
        >>> kalahari.Game("isolation:queen").start().play("d4").text
        '......./......./......./...1.../......./......./....... 1'
        >>> kalahari.Game("kalah:6x4").start().play(6)
        Traceback (most recent call last):
        ...
        ValueError: ...
        """
    def play_all(self, moves: Iterable[int | str]) -> Position:
        """The position after several moves.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().play_all([2, 5]).mover
        1
        """
    def is_legal(self, move: int | str) -> bool:
        """Whether a move is legal here.

        >>> import kalahari
        >>> start = kalahari.Game("kalah:6x4").start()
        >>> start.is_legal(2), start.play(2).is_legal(2)
        (True, False)
        """
    @property
    def is_over(self) -> bool:
        """Whether the game is over.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().is_over
        False
        """
    @property
    def outcome(self) -> int | None:
        """1 if player 0 has won, 0 for a draw, -1 if player 1 has won; None while the game is not over.

        >>> import kalahari
        >>> kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0").outcome
        1
        """
    @property
    def margin(self) -> int | None:
        """By how much player 0 has won; negative if player 1 has won; None while the game is not over. It is 1 or -1 in games without
        margins.

        >>> import kalahari
        >>> kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0").margin
        2
        """
    @property
    def mover(self) -> int:
        """Whose turn it is, 0 or 1. When the game is over, whose turn it would be.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().play(0).mover
        1
        """
    @property
    def text(self) -> str:
        """The position as text, which `game.position` reads.

        >>> import kalahari
        >>> kalahari.Game("isolation:3x3").start().text
        '1../.../..2 0'
        """
    def perft(self, depth: int) -> int:
        """The number of move sequences of exactly `depth` moves.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().perft(3)
        185
        """
    def legal_actions(self) -> list[int]:
        """The legal actions, in the order of `legal_moves`. An action is a move as a number from 0 on.

        >>> import kalahari
        >>> kalahari.Game("isolation:5x5").start().legal_actions()
        [1, 5]
        """
    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """The legal actions as a numpy array of True and False, one for each action.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().play(2).legal_mask().tolist()
        [True, True, False, True, True, True]
        """
    def action(self, move: int | str) -> int:
        """The action of a move: its number from 0 on.

        >>> import kalahari
        >>> kalahari.Game("isolation:5x5").start().action("b1")
        1
        """
    def move(self, action: int) -> Any:
        """The move of an action. It need not be legal; `IndexError` if there is no such action.

        >>> import kalahari
        >>> kalahari.Game("isolation:5x5").start().move(5)
        'a2'
        """
    def to_array(self) -> npt.NDArray[Any]:
        """The board as a numpy array: the houses of Kalah in board order (int16, player 0's pits and store, then player 1's), or
        the cells of Isolation (int8, rows by columns: 0 free, 1 and 2 the pieces, 3 and 4 cells left behind by player 0 and
        1, 5 blocked).

        >>> import kalahari
        >>> kalahari.Game("kalah:2x3").start().to_array().tolist()
        [3, 3, 0, 3, 3, 0]
        """
    def explain(self, move: int | str) -> str:
        """What a legal move does, in words.

        >>> import kalahari
        >>> kalahari.Game("kalah:6x4").start().explain(2)
        'Player 0 sows 4 seeds from pit 2. The last one falls into the store: another turn.'
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, _memo: Any) -> Position: ...
    def _repr_svg_(self) -> str: ...

@final
class Batch:
    """Many positions of one game, for working on all of them at once with numpy.

    >>> import kalahari
    >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 1000)   # a thousand starts
    >>> batch = batch.play([2] * 1000)
    >>> len(batch), batch.legal_masks()[0].tolist()
    (1000, [True, True, False, True, True, True])
    >>> batch[0] == batch.game.start().play(2)
    True

    Moves are actions (numbers, see `Game.num_actions`). Games that are over stay as they are, whatever is played. `batch[i]` is
    a position; `batch[a:b]`, `batch[mask]` and `batch[indices]` are batches.
    """
    def __new__(cls, game: Game, count: int = 1) -> Batch: ...
    @staticmethod
    def of(positions: Iterable[Position]) -> Batch:
        """The batch of these positions, which must all be of one game.

        >>> import kalahari
        >>> start = kalahari.Game("kalah:6x4").start()
        >>> len(kalahari.Batch.of([start, start.play(2)]))
        2
        """
    @staticmethod
    def from_array(game: Game, houses: _Numbers, movers: _Numbers) -> Batch:
        """The batch of Kalah positions given as an array, one row of houses (in the order of `Position.to_array`) for each, and whose turn it
        is in each.

        >>> import kalahari, numpy
        >>> game = kalahari.Game("kalah:2x3")
        >>> batch = kalahari.Batch.from_array(game, numpy.array([[3, 3, 0, 3, 3, 0]]), [1])
        >>> batch[0].text
        '3 3 0 3 3 0 1'
        """
    @property
    def game(self) -> Game:
        """The game of all positions.

        >>> import kalahari
        >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).game
        Game('kalah:6x4:standard')
        """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int | np.integer[Any], /) -> Position: ...
    @overload
    def __getitem__(self, index: slice | npt.NDArray[Any] | Sequence[int], /) -> Batch: ...
    def copy(self) -> Batch:
        """A copy, which does not change when this batch does.

        >>> import kalahari
        >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 2)
        >>> kept = batch.copy()
        >>> batch.advance([0, 0])
        >>> kept[0] == kept.game.start()
        True
        """
    def __copy__(self) -> Batch: ...
    def legal_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of all positions: an array of True and False, a row for each position and a column for each action.

        >>> import kalahari
        >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 3).legal_masks().shape
        (3, 6)
        """
    def legal_bits(self) -> npt.NDArray[np.unsignedinteger[Any]]:
        """The legal moves of every position as bits of one number: bit a is action a. The numbers are uint8 in games of at most 8
        actions, else uint64; games of more than 64 actions have none.

        >>> import kalahari
        >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).legal_bits()
        array([63, 63], dtype=uint8)
        """
    def choose(self, numbers: npt.NDArray[np.uint32]) -> npt.NDArray[np.integer[Any]]:
        """A legal action for every position, each chosen by a number of 32 bits: number n of k legal ones is the (n * k >> 32)-th.
        Random numbers make all of them equally likely. It is 0 where the game is over. Actions are uint8, or int32 in games of
        more than 256.

        >>> import kalahari, numpy
        >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 3)
        >>> batch.choose(numpy.array([0, 2**31, 2**32 - 1], dtype=numpy.uint32))
        array([0, 3, 5], dtype=uint8)
        """
    def play(self, actions: _Numbers) -> Batch:
        """The positions after one action in each, as a new batch. Games that are over stay as they are.

        >>> import kalahari
        >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 3).play([0, 1, 2]).movers().tolist()
        [1, 1, 0]
        """
    def advance(self, actions: _Numbers) -> None:
        """Like `play`, but changes this batch, which is faster. If an action is illegal, nothing changes.

        >>> import kalahari
        >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 3)
        >>> batch.advance([0, 1, 2])
        >>> batch[2] == batch.game.start().play(2)
        True
        """
    def step(self, actions: _Numbers) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Like `advance`, and returns the legal actions (as `legal_masks`) and which games are over (as `is_over`): all that a learning program
        needs for its next move.

        >>> import kalahari
        >>> batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 3)
        >>> masks, over = batch.step([2, 2, 0])
        >>> masks.astype(int).tolist(), over.any()
        ([[1, 1, 0, 1, 1, 1], [1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1]], np.False_)
        """
    def movers(self) -> npt.NDArray[np.uint8]:
        """Whose turn it is in each position, 0 or 1 (uint8).

        >>> import kalahari
        >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).play([0, 2]).movers().tolist()
        [1, 0]
        """
    def is_over(self) -> npt.NDArray[np.bool_]:
        """Which games are over (bool).

        >>> import kalahari
        >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 2).is_over().tolist()
        [False, False]
        """
    def margins(self) -> npt.NDArray[np.int32]:
        """By how much player 0 has won each game that is over (int32), negative if player 1 has; 0 while a game is not over.

        >>> import kalahari
        >>> over = kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0")
        >>> kalahari.Batch.of([over, over.game.start()]).margins().tolist()
        [2, 0]
        """
    def outcomes(self) -> npt.NDArray[np.int8]:
        """1, 0 or -1 for each game that player 0 has won, drawn or lost (int8); 0 while a game is not over.

        >>> import kalahari
        >>> over = kalahari.Game("kalah:2x2").position("0 0 5 0 0 3 0")
        >>> kalahari.Batch.of([over, over.game.start()]).outcomes().tolist()
        [1, 0]
        """
    def values(self, evaluation: str) -> npt.NDArray[np.int32]:
        """What every position is worth to its mover by a named evaluation (int32), such as "stores" or "kalahari" for Kalah,
        "mobility" or "reach" for Isolation. A game that is over is worth its margin on the evaluation's scale.

        >>> import kalahari
        >>> kalahari.Batch(kalahari.Game("kalah:6x4"), 1).play([2]).values("stores").tolist()
        [1]
        """
    def to_array(self, *, mover_first: bool = False) -> npt.NDArray[Any]:
        """The boards as one array: positions by houses (Kalah, int16), positions by rows by columns (Isolation, int8); see
        `Position.to_array`. With `mover_first` every board is as the player to move sees it: own houses first, own piece 1.

        >>> import kalahari
        >>> batch = kalahari.Batch(kalahari.Game("kalah:2x3"), 1).play([0])
        >>> batch.to_array().tolist(), batch.to_array(mover_first=True).tolist()
        ([[0, 4, 1, 4, 3, 0]], [[4, 3, 0, 0, 4, 1]])
        """
    def playouts(self, seed: int = 1) -> tuple[npt.NDArray[np.int32], int]:
        """Plays every position to its end at random, in Rust: player 0's margins (int32) and the number of moves played.

        >>> import kalahari
        >>> margins, moves = kalahari.Batch(kalahari.Game("kalah:6x4"), 100).playouts(seed=1)
        >>> len(margins), moves > 1000
        (100, True)
        """

class Agent:
    """An agent that is part of the package or run by it, made from a spec such as "engine:depth=8" (`agents()` lists them).

    >>> import kalahari
    >>> agent = kalahari.Agent("alphabeta:depth=4")
    >>> position = kalahari.Game("kalah:6x4").start()
    >>> agent.move(position) in position.legal_moves()
    True

    It remembers what it has learned from one move to the next, until `begin_game`. Its random choices depend on `seed`.
    `kalahari.Agent("deep=engine:depth=8")` is called "deep" in tables and stores.
    """
    def __new__(cls, spec: str, *, seed: int = 1) -> Self: ...
    @property
    def spec(self) -> str:
        """The spec it was made from.

        >>> import kalahari
        >>> kalahari.Agent("deep=engine:depth=8").spec
        'engine:depth=8'
        """
    @property
    def name(self) -> str:
        """What it is called in tables and stores: the name it was given, or its spec.

        >>> import kalahari
        >>> kalahari.Agent("deep=engine:depth=8").name
        'deep'
        """
    def move(self, position: Position, limits: Limits | None = None) -> Any:
        """The move it plays in a position. Ctrl-C stops it.

        >>> import kalahari
        >>> kalahari.Agent("level:3").move(kalahari.Game("kalah:6x4").start(), kalahari.Limits(nodes=1000)) in range(6)
        True
        """
    def think(
        self, position: Position, limits: Limits | None = None, *, all_moves: bool = False
    ) -> dict[str, Any]:
        """What it finds in a position, as a dictionary; `kalahari.analyse(position, agent=...)` returns the same as an `Analysis`.

        >>> import kalahari
        >>> found = kalahari.Agent("alphabeta:depth=3").think(kalahari.Game("kalah:6x4").start())
        >>> found["depth"], found["best"] in range(6)
        (3, True)
        """
    def begin_game(self, seed: int) -> None:
        """Begins a new game: it forgets what it has learned, and its random choices depend on this `seed` from now on.

        >>> import kalahari
        >>> agent, start = kalahari.Agent("random"), kalahari.Game("kalah:6x4").start()
        >>> agent.begin_game(7)
        >>> first = [agent.move(start) for _ in range(9)]
        >>> agent.begin_game(7)
        >>> first == [agent.move(start) for _ in range(9)]
        True
        """

class Late(Exception):
    """Raised by the functions of a `Guest` that has not answered in time: it loses the game on time."""

@final
class Guest:
    """An agent written in Python, as matches and servers take it.

    `make` returns a pair for every thread that plays: a function from a position and limits to a move, and one that gets
    the seed of every new game, or None. `interrupt`, if it is given, is called when Ctrl-C was pressed: it makes those
    functions end. `watch`, if it is given, is called many times a second while games are played: an exception in it ends them.
    """
    def __new__(
        cls,
        name: str,
        checksum: str,
        make: Callable[[], tuple[Any, Any]],
        *,
        interrupt: Callable[[], object] | None = None,
        watch: Callable[[], object] | None = None,
        deterministic: bool = False,
        raises: bool = True,
    ) -> Guest: ...
    @property
    def name(self) -> str:
        """Its name."""

@final
class Search:
    """A running search: an iterator over what it finds, depth by depth; the last item is the answer."""
    def __new__(
        cls,
        position: Position,
        limits: Limits,
        *,
        agent: Agent | None = None,
        all_moves: bool = True,
        hash: int = 64,
    ) -> Search: ...
    def __iter__(self) -> Iterator[tuple[dict[str, Any], bool]]: ...
    def __next__(self) -> tuple[dict[str, Any], bool]: ...
    def stop(self) -> None:
        """Asks the search to end; the answer still comes."""

@final
class Solver:
    """Proves values of positions of one game: by opening book, tablebase and solver. It keeps what it has proven."""
    def __new__(
        cls,
        game: Game,
        *,
        threads: int | None = None,
        memory: int | None = None,
        book: bool = True,
        tablebase: int | None = None,
    ) -> Solver: ...
    def prove(
        self, position: Position, limits: Limits | None = None, *, moves: bool = True
    ) -> dict[str, Any]:
        """Proves a position. When the limits or Ctrl-C end it early, only bounds are proven."""
    def prove_all(
        self,
        positions: Sequence[Position],
        limits: Limits | None = None,
        *,
        moves: bool = True,
        at_once: int = 1,
    ) -> list[dict[str, Any]]:
        """Proves many positions with the same tables, `at_once` of them at the same time; in the order of the list."""

@final
class Tablebase:
    """The exact future margin of every Kalah position with few seeds on the board.

    >>> import kalahari
    >>> table = kalahari.Tablebase.build("kalah:6x4", seeds=6)
    >>> game = kalahari.Game("kalah:6x4")
    >>> table.probe(game.position("0 0 1 0 0 1 20 1 0 0 0 0 0 25 0"))
    -2
    >>> table.probe(game.start()) is None
    True

    `build` makes one in memory, and `open` reads one from disk. A value is the final margin of the game, stores included, for the player
    to move.
    """
    @staticmethod
    def open(game: str, file: str | PathLike[str] | None = None) -> Tablebase:
        """Opens the tablebase on disk of a game or of a family such as "kalah:6"; `FileNotFoundError` if there is none. Without a `file` it is the
        one that `save` and `kalahari tablebase build` write.

        >>> import kalahari
        >>> import os, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "small.tablebase")
        >>> kalahari.Tablebase.build("kalah:4", 5).save(file).name
        'small.tablebase'
        >>> kalahari.Tablebase.open("kalah:4", file).seeds
        5
        """
    @staticmethod
    def build(game: str, seeds: int) -> Tablebase:
        """Builds the tablebase of all positions with at most `seeds` seeds in the pits, in memory. Ctrl-C stops it.

        >>> import kalahari
        >>> kalahari.Tablebase.build("kalah:4", 5)
        Tablebase('kalah:4:standard', 5 seeds)
        """
    def save(self, file: str | PathLike[str] | None = None) -> Path:
        """Writes it to a file and returns the path. Without a `file` it goes to where `open` and all agents look for it. If anything goes wrong,
        no half-written file is left. See `open` for an example.
        """
    @property
    def family(self) -> str:
        """The games it is for, such as "kalah:6:standard".

        >>> import kalahari
        >>> kalahari.Tablebase.build("kalah:4x3", 2).family
        'kalah:4:standard'
        """
    @property
    def seeds(self) -> int:
        """How many seeds may be in the pits of a position that it knows.

        >>> import kalahari
        >>> kalahari.Tablebase.build("kalah:4", 2).seeds
        2
        """
    @property
    def positions(self) -> int:
        """How many positions it knows.

        >>> import kalahari
        >>> kalahari.Tablebase.build("kalah:4", 2).positions
        45
        """
    def probe(self, position: Position) -> int | None:
        """The final margin of a position for the player to move, or None if the position is not known.

        >>> import kalahari
        >>> table, game = kalahari.Tablebase.build("kalah:6", 4), kalahari.Game("kalah:6x4")
        >>> table.probe(game.position("0 0 0 0 0 1 20 0 0 0 0 0 1 26 0"))
        -6
        """
    def probe_batch(self, batch: Batch) -> npt.NDArray[np.int16]:
        """The final margins of a batch for the players to move (int16); `kalahari.UNKNOWN` where a position is not known.

        >>> import kalahari
        >>> table = kalahari.Tablebase.build("kalah:6", 4)
        >>> values = table.probe_batch(kalahari.Batch(kalahari.Game("kalah:6x4"), 3))
        >>> (values == kalahari.UNKNOWN).tolist()
        [True, True, True]
        """
    def distribution(self) -> list[tuple[int, int]]:
        """How many positions there are of each future margin, the lowest first.

        >>> import kalahari
        >>> kalahari.Tablebase.build("kalah:4", 1).distribution()
        [(-1, 4), (0, 1), (1, 4)]
        """

@final
class Book:
    """The exact values of the positions near a game's start.

    >>> import kalahari
    >>> book = kalahari.Book.open("kalah:6x4")
    >>> book.probe(kalahari.Game("kalah:6x4").start())
    8
    """
    @staticmethod
    def open(game: str) -> Book:
        """Opens the book of a game: your own or the one that comes with the package, whichever is larger; `FileNotFoundError` if there is
        none.

        >>> import kalahari
        >>> kalahari.Book.open("isolation")
        Traceback (most recent call last):
        ...
        FileNotFoundError: there is no opening book of ...
        """
    @property
    def game(self) -> str:
        """The game it is for.

        >>> import kalahari
        >>> kalahari.Book.open("kalah:6x4").game
        'kalah:6x4:standard'
        """
    @property
    def plies(self) -> int:
        """How many moves it reaches from the start.

        >>> import kalahari
        >>> kalahari.Book.open("kalah:6x4").plies > 0
        True
        """
    @property
    def positions(self) -> int:
        """How many positions are in it.

        >>> import kalahari
        >>> kalahari.Book.open("kalah:6x4").positions > 0
        True
        """
    @property
    def file(self) -> Path | None:
        """The file, or None if it comes with the package.

        >>> import kalahari
        >>> kalahari.Book.open("kalah:6x4").file is None
        True
        """
    def probe(self, position: Position) -> int | None:
        """The final margin of a position for the player to move, or None if it is not in the book.

        >>> import kalahari
        >>> kalahari.Book.open("kalah:6x4").probe(kalahari.Game("kalah:6x4").start())
        8
        """
    def moves(self, position: Position) -> list[tuple[int, int]] | None:
        """The final margin after each legal move, for the player who makes it, or None if they are not in the book.

        >>> import kalahari
        >>> dict(kalahari.Book.open("kalah:6x4").moves(kalahari.Game("kalah:6x4").start()))[2]
        8
        """

def agent_kinds() -> list[tuple[str, str, str]]:
    """Every kind of agent: its name, what it is, and its options."""
def make_dataset(asked: dict[str, Any]) -> dict[str, Any]:
    """Makes positions with labels; see `kalahari.dataset`. Returns columns by name."""
def plan_match(agents: tuple[Agent, Agent], settings: dict[str, Any]) -> tuple[str, str]:
    """The plan of a match, and what is known about games that repeat earlier ones."""
def plan_tournament(agents: Sequence[Agent], settings: dict[str, Any], *, schedule: str = "round-robin", rounds: int = 0) -> str:
    """The plan of a tournament."""
def plan_dataset(asked: dict[str, Any], rows_per_file: int) -> str:
    """The plan of a dataset, with this many rows in every file."""
def about_plan(plan: str) -> dict[str, Any]:
    """How many parts a plan has, of which kinds, and whether it names files."""
def shard_file(shard: int, shards: int) -> str:
    """The name of a shard's file."""
def make_shard(plan: str, shard: int, shards: int, folder: Path, threads: int, wanted: Path | None = None) -> list[Path]:
    """Does a shard of a plan, and returns its file and those of its rows. It stops when the file `wanted` is removed, if one is named."""

@final
class ShardWriter:
    """The single writer, which joins the shards of a plan."""
    def __new__(
        cls,
        plan: str,
        db: Path | None = None,
        rows: Path | None = None,
        journal: Path | None = None,
        judged: Path | None = None,
        book: Path | None = None,
        *,
        sprt: tuple[float, float, float, float] | None = None,
        model: str = "logistic",
        repetition: str = "chance",
    ) -> ShardWriter: ...
    def add(self, files: Sequence[Path]) -> tuple[int, int]:
        """Joins shards and returns how many games and rows they have. Raises `OSError` for one that is not sound or belongs to another plan."""
    def decision(self) -> tuple[str | None, int]:
        """What the test says about the games so far, and how many it has seen in their order."""

@final
class ProofBoard:
    """A proof whose jobs are done by workers: lists the open jobs, and says when the goal is decided."""
    def __new__(
        cls,
        journal: Path,
        game: Game,
        position: str | None,
        at_least: int,
        *,
        job_nodes: int,
        memory: int,
        tablebase: int | None = None,
    ) -> ProofBoard: ...
    def jobs(self, wanted: int) -> list[tuple[str, str]]:
        """The open jobs, the most important first; positions are split until there are about `wanted` of them. Each is a pair: what the
        job is about, and the plan of this job alone.
        """
    def decided(self) -> bool | None:
        """Whether the goal is reached, as the journal proves; `None` while that is open."""

@final
class TuneDesk:
    """A tuning run whose samples are played by workers."""
    def __new__(cls, spec: str, db: Path | None = None) -> TuneDesk: ...
    def standing(self) -> tuple[int, int]:
        """How many samples are finished, and how many there are."""
    def assignment(self) -> str:
        """What workers need, as JSON: the run with all that was filled in, and what its games depend on."""
    def next_sample(self) -> str | None:
        """The next sample, as JSON, chosen by all results so far; `None` if all are handed out."""
    def finish(self, sample: str, results: Sequence[Sequence[int]]) -> None:
        """Takes the results of a sample."""
    def recommend(self) -> tuple[list[str], list[float], list[list[float]], list[float] | None, str] | None:
        """What is recommended by all samples so far."""
    def notes(self) -> list[str]:
        """What the user should know."""

def play_sample(assignment: str, sample: str) -> list[list[int]]:
    """Plays a sample of a run and returns the games won, drawn and lost in each of its meetings."""

def serve_ugi(agent: Agent | Guest) -> None:
    """Serves an agent over the universal game interface, on the process's input and output, until `quit` or the end of the input."""
def run_match(
    agents: tuple[Agent | Guest, Agent | Guest],
    settings: dict[str, Any],
    *,
    sprt: tuple[float, float, float, float] | None = None,
    model: str = "logistic",
) -> dict[str, Any]:
    """Plays a match of two agents; see `kalahari.match`."""
def run_tournament(
    agents: Sequence[Agent | Guest],
    settings: dict[str, Any],
    *,
    schedule: str = "round-robin",
    rounds: int = 0,
) -> dict[str, Any]:
    """Plays a tournament; see `kalahari.tournament`."""
def store_matches(db: Path) -> list[dict[str, Any]]:
    """The matches of a store, the oldest first."""
def store_games(db: Path, id: str) -> list[dict[str, Any]]:
    """The games of a match in a store, in order."""
def write_report(db: Path, directory: Path) -> list[Path]:
    """Writes the pictures of a store and a page with all of them; returns the files."""
