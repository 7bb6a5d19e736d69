"""Games, positions and batches as Python objects."""

from __future__ import annotations

import contextlib
import copy
import pickle
import re
import threading

import numpy as np
import pytest

import kalahari

GAMES = ["kalah:6x4", "kalah:3x2:empty-capture", "kalah:12x20", "kalah:6x6:standard+majority", "isolation:4x5", "isolation:knight"]


@pytest.mark.parametrize("spec", GAMES)
def test_positions_are_values(spec):
    game = kalahari.Game(spec)
    start = game.start()
    after = start.play(start.legal_moves()[0])
    assert start == game.start() and hash(start) == hash(game.start())
    assert after != start and start != "start" and start is not None
    assert len({start, game.start(), after}) == 2
    assert copy.copy(after) == after == copy.deepcopy(after)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(after, protocol)) == after
        assert pickle.loads(pickle.dumps(game, protocol)) == game
    assert game.position(after.text) == after
    assert after.game == game and hash(after.game) == hash(game)
    for name in ("text", "mover", "is_over"):
        with pytest.raises(AttributeError):
            setattr(after, name, None)
    assert eval(repr(game), {"Game": kalahari.Game}) == game


def test_positions_of_different_games_are_different():
    standard = kalahari.Game("kalah:6x4").start()
    assert standard != kalahari.Game("kalah:6x4:empty-capture").start()
    assert kalahari.Game("kalah:6x4") != kalahari.Game("kalah:6x5")


@pytest.mark.parametrize(
    "what, message",
    [
        (lambda: kalahari.Game("chess"), "unknown game; the known games are kalah and isolation"),
        (lambda: kalahari.Game("kalah:99x4"), "kalah:99x4"),
        (lambda: kalahari.Game("kalah:6x4").position("1 2 3"), "1 2 3"),
        (lambda: kalahari.Game("kalah:6x4").position(""), ""),
        (lambda: kalahari.Game("kalah:6x4").start().play(6), "6"),
        (lambda: kalahari.Game("kalah:6x4").start().play(-1), "-1"),
        (lambda: kalahari.Game("kalah:6x4").start().play(10**15), "1000000000000000"),
        (lambda: kalahari.Game("kalah:6x4").start().play("c4"), "c4"),
        (lambda: kalahari.Game("isolation:queen").start().play("z9"), "z9"),
        (lambda: kalahari.Game("isolation").start().play("pass"), "pass"),
        (lambda: kalahari.agent("nobody"), "no agent 'nobody'; there are random, level,"),
        (lambda: kalahari.agent("engine:depht=3").move(kalahari.Game().start()), "unknown option 'depht'"),
        (lambda: kalahari.Tablebase.build("kalah:9", 5), "tablebases have 1 to 6 pits a side"),
        (lambda: kalahari.Batch(kalahari.Game(), 2).play([0, 9]), "position 1: 9 is not an action"),
        (lambda: kalahari.Batch(kalahari.Game(), 2).play([0]), "1 actions for 2 positions"),
        (lambda: kalahari.Batch(kalahari.Game("isolation:9x9:queen"), 1).legal_bits(), "81 actions do not fit 64 bits"),
        (lambda: kalahari.Batch.of([]), "a batch of no positions"),
        (lambda: kalahari.Batch(kalahari.Game(), 1).values("nothing"), "nothing"),
        (lambda: kalahari.Limits(time="1"), "times look like 100ms"),
        (lambda: kalahari.match("random", "random", games=0), "a match needs at least one game"),
        (lambda: kalahari.match("random", "random", openings="nowhere"), "is not start, random:K, balanced:K"),
        (lambda: kalahari.match("random", "random", sprt=(5, 0)), "5"),
    ],
)
def test_wrong_values_are_value_errors(what, message):
    with pytest.raises(ValueError) as raised:
        what()
    assert message in str(raised.value)


def test_wrong_types_are_type_errors():
    start = kalahari.Game("kalah:6x4").start()
    for wrong in (1.5, None, [2], object()):
        with pytest.raises(TypeError):
            start.play(wrong)
    with pytest.raises(TypeError):
        kalahari.Game("isolation:queen").start().play(3)
    with pytest.raises(TypeError):
        kalahari.Game("kalah:6x4").start().play(True if False else b"2")
    with pytest.raises(TypeError):
        kalahari.match(42, "random")
    with pytest.raises(TypeError, match="must be a position"):
        kalahari.solve(kalahari.Game("kalah:6x4"))


def test_arrays_are_never_truncated():
    game = kalahari.Game("kalah:6x4")
    batch, pits = kalahari.Batch(game, 4), np.array([2, 9, 1, 9, 0, 9, 5, 9])
    expected = batch.play([2, 1, 0, 5]).to_array()
    for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u2", ">i8"):
        assert np.array_equal(batch.play(pits.astype(kind)[::2]).to_array(), expected)
        assert np.array_equal(batch[np.array([3, 0]).astype(kind)].to_array(), batch[[3, 0]].to_array())
    fixed = pits[::2].copy()
    fixed.flags.writeable = False
    for array in (fixed, np.asfortranarray(fixed), fixed[::-1][::-1], np.broadcast_to(fixed, (1, 4))[0]):
        assert np.array_equal(batch.play(array).to_array(), expected)
    houses = np.asfortranarray(batch.to_array())
    assert kalahari.Batch.from_array(game, houses, batch.movers()[::-1])[3] == game.start()
    for cut in (np.full(4, 1.5), np.full(4, np.nan), ["2"] * 4, [None] * 4, [10**30] * 4, np.full(4, 2j)):
        for ask in (batch.play, batch.advance, batch.step, lambda cut: kalahari.Batch.from_array(game, houses, cut)):
            with pytest.raises(TypeError, match="must be whole numbers"):
                ask(cut)
    for cut in (np.array([0.5]), np.array([np.nan]), np.array([1.0])):
        with pytest.raises(TypeError, match="indices must be whole numbers"):
            batch[cut]
    with pytest.raises(TypeError, match="houses must be whole numbers"):
        kalahari.Batch.from_array(game, houses + 0.5, batch.movers())
    for huge in (np.full(4, 2**64 - 1, dtype=np.uint64), np.full(4, 2**63, dtype=np.uint64)):
        with pytest.raises(ValueError, match="must be smaller than"):
            batch.play(huge)
        with pytest.raises(ValueError, match="must be smaller than"):
            batch[huge]
    for shape in (np.zeros((4, 1), dtype=int), np.array(2), [[2], [2], [2], [2]]):
        with pytest.raises(TypeError):
            batch.play(shape)
    with pytest.raises(ValueError, match="this is for Kalah"):
        kalahari.Batch.from_array(kalahari.Game("isolation"), houses, batch.movers())


def test_an_empty_batch_is_a_batch():
    for spec in GAMES:
        empty = kalahari.Batch(kalahari.Game(spec), 0)
        for method in ("legal_masks", "movers", "is_over", "margins", "outcomes", "to_array"):
            assert len(getattr(empty, method)()) == 0
        assert len(empty.play([])) == len(empty.copy()) == len(empty[[]]) == len(empty[:]) == 0
        assert len(empty.choose(np.zeros(0, dtype=np.uint32))) == 0 and empty.playouts()[1] == 0
        assert len(kalahari.Tablebase.build("kalah:6", 2).probe_batch(empty)) == 0
        with pytest.raises(IndexError):
            empty[0]


def test_numpy_integers_are_moves():
    start = kalahari.Game("kalah:6x4").start()
    assert start.play(np.int64(2)) == start.play(2) == start.play(np.uint8(2)) == start.play("2")


def test_any_total():
    text = "1 0 0 0 0 0 0 0 0 0 0 0 1 0 0"
    with pytest.raises(ValueError):
        kalahari.Game("kalah:6x4").position(text)
    game = kalahari.Game("kalah:6x4", any_total=True)
    position = game.position(text)
    assert pickle.loads(pickle.dumps(position)) == position
    assert position.play(0).text == "0 1 0 0 0 0 0 0 0 0 0 0 1 0 1"


def test_batches_are_indexed_like_arrays():
    game = kalahari.Game("kalah:6x4")
    batch = kalahari.Batch(game, 6).play([0, 1, 2, 3, 4, 5])
    assert [batch[i].text for i in range(-6, 0)] == [batch[i].text for i in range(6)]
    assert len(batch[1:5:2]) == 2 and batch[1:5:2][1] == batch[3]
    assert batch[np.array([5, 0])][0] == batch[5]
    assert len(batch[batch.movers() == 0]) == 1
    assert len(batch[np.ones(12, dtype=bool)[::2]]) == 6
    assert batch[[False, True, False, False, False, True]][1] == batch[5]
    with pytest.raises(IndexError):
        batch[6]
    with pytest.raises(IndexError):
        batch[np.array([True])]
    with pytest.raises(TypeError):
        batch["a"]
    assert list(kalahari.Batch.of([batch[2], batch[3]]).to_array().shape) == [2, 14]
    with pytest.raises(ValueError):
        kalahari.Batch.of([game.start(), kalahari.Game("kalah:6x5").start()])


@pytest.mark.parametrize("spec", [*GAMES, "kalah:7x5", "kalah:8x4", "isolation:4x4:classic"])
def test_steps_are_plays(spec):
    rng = np.random.default_rng(5)
    # More positions than are stepped in one go.
    stepped = kalahari.Batch(kalahari.Game(spec), 1100)
    played = stepped.copy()
    for _ in range(100):
        actions = kalahari.random_actions(stepped, rng)
        masks, over = stepped.step(actions)
        played = played.play(actions)
        assert np.array_equal(masks, played.legal_masks()) and np.array_equal(over, played.is_over())
        assert np.array_equal(over, ~masks.any(axis=1))
        assert np.array_equal(stepped.to_array(), played.to_array())
        if played.game.num_actions <= 64:
            bits = played.legal_bits().astype(np.uint64)
            columns = np.arange(played.game.num_actions, dtype=np.uint64)
            assert np.array_equal(masks, (bits[:, None] >> columns & np.uint64(1)).astype(bool))
        if over.all():
            break


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: kalahari.Batch(game, 10**12),
        lambda game: kalahari.Batch(game, 2**63),
        lambda game: kalahari.Tablebase.build("kalah:6x4", 60),
    ],
)
def test_a_lack_of_memory_is_a_memory_error(ask):
    with pytest.raises(MemoryError, match="MiB are needed"):
        ask(kalahari.Game("kalah:6x4"))


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: kalahari.Solver(game, threads=10**9),
        lambda game: kalahari.dataset(game, rows=5, left=(3, 4), threads=10**6),
        lambda game: kalahari.dataset(game, rows=-1),
        lambda game: kalahari.match("random", "random", game=game, workers=10**6),
        lambda game: kalahari.match("random", "random", game=game, games=2**32),
        lambda game: kalahari.match("random", "random", game=game, seed=-1),
        lambda game: kalahari.Engine(threads=10**6).move(game.start()),
    ],
)
def test_more_than_any_machine_has_is_refused(ask):
    with pytest.raises(ValueError, match="from"):
        ask(kalahari.Game("kalah:6x4"))


def test_damaged_pickles_are_exceptions():
    for thing in (kalahari.Game("kalah:6x4").start(), kalahari.Limits(nodes=3), kalahari.Engine(depth=3)):
        good = pickle.dumps(thing)
        for place in range(len(good)):
            for byte in (0, good[place] ^ 1, good[place] ^ 0x20):
                bad = bytearray(good)
                bad[place] = byte
                # Any exception will do, but not the end of the interpreter or a panic.
                with contextlib.suppress(Exception):
                    pickle.loads(bytes(bad))
            with contextlib.suppress(Exception):
                pickle.loads(good[:place])


def test_threads_may_share_batches():
    batch, agent, errors = kalahari.Batch(kalahari.Game("kalah:6x4"), 20_000), kalahari.Engine(depth=3), []

    def work():
        try:
            for _ in range(5):
                agent.move(batch.game.start())
                batch.copy()
                batch.step(np.full(len(batch), 2 if batch[0] == batch.game.start() else 5, dtype=np.uint8))
        except (RuntimeError, ValueError) as error:
            # Another thread is changing it, or has changed it.
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("borrowed" in str(error) or "position" in str(error) for error in errors)


def test_a_batch_that_fails_to_advance_is_as_before():
    batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 3)
    with pytest.raises(ValueError, match="position 2"):
        batch.advance([2, 2, 7])
    assert all(batch[place] == batch.game.start() for place in range(3))
    batch.advance(np.array([2, 2, 2], dtype=np.int8))
    assert batch[2] == batch.game.start().play(2)


def test_batches_from_arrays():
    game = kalahari.Game("kalah:6x4")
    rng = np.random.default_rng(3)
    batch = kalahari.Batch(game, 50)
    for _ in range(10):
        batch.advance(kalahari.random_actions(batch, rng))
    again = kalahari.Batch.from_array(game, batch.to_array(), batch.movers())
    assert all(again[place] == batch[place] for place in range(50))
    first = batch.to_array(mover_first=True)
    board = batch.to_array()
    second = batch.movers() == 1
    assert np.array_equal(first[~second], board[~second])
    assert np.array_equal(first[second], np.roll(board[second], 7, axis=1))
    for houses, movers in (([[1] * 14], [0]), (board, [0]), ([[4] * 13], [0]), (board[:1], [2]), (-board[:1], [0])):
        with pytest.raises(ValueError):
            kalahari.Batch.from_array(game, np.asarray(houses), movers)


def test_values_are_those_of_the_evaluations():
    batch = kalahari.Batch(kalahari.Game("kalah:6x4"), 1).play([2])
    assert batch.values("stores").tolist() == [1]
    assert batch.values("kalahari").dtype == np.int32
    assert kalahari.Batch(kalahari.Game("isolation:5x5"), 1).values("mobility").tolist() == [0]


def test_random_actions_are_uniform():
    rng = np.random.default_rng(1)
    for spec, fewest in (("kalah:6x4", 6), ("isolation:5x5:queen", 25)):
        batch = kalahari.Batch(kalahari.Game(spec), 60_000)
        counts = np.bincount(kalahari.random_actions(batch, rng), minlength=fewest)
        expected = len(batch) / fewest
        assert len(counts) == fewest
        assert np.abs(counts - expected).max() < 6 * expected**0.5


@pytest.mark.parametrize("spec", ["kalah:6x4", "kalah:8x4", "isolation:5x5:queen", "isolation:trail", "isolation:7x7:classic"])
def test_numbers_choose_among_the_legal_moves_in_order(spec):
    rng = np.random.default_rng(7)
    batch = kalahari.Batch(kalahari.Game(spec), 50)
    for _ in range(12):
        numbers = rng.integers(0, 1 << 32, size=50, dtype=np.uint32)
        numbers[:2] = 0, (1 << 32) - 1
        actions = batch.choose(numbers)
        for place, number in enumerate(numbers.tolist()):
            position = batch[place]
            legal = position.legal_moves()
            expected = position.action(legal[number * len(legal) >> 32]) if legal else 0
            assert actions[place] == expected
        assert np.array_equal(actions, batch.choose(np.repeat(numbers, 2)[::2]))
        batch.advance(actions)
    with pytest.raises(ValueError, match="3 numbers for 50 positions"):
        batch.choose(numbers[:3])
    for wrong in (numbers.astype(np.int64), numbers.tolist(), None):
        with pytest.raises(TypeError, match="numpy.uint32"):
            batch.choose(wrong)


def test_boards_are_drawn():
    for spec in GAMES:
        position = kalahari.Game(spec).start()
        assert position._repr_svg_().startswith("<svg") and position._repr_svg_().endswith("</svg>")
        assert "player 0 to move" in str(position)
    game = kalahari.Game("kalah:6x4")
    film = kalahari.animate(game.start(), [2, 5, 1])
    assert len(film) == 4 and film._repr_html_().count("<g class") == 4
    assert "another turn" in film.captions[1]
    with pytest.raises(ValueError):
        kalahari.animate(game.start(), [2, 2])
    with pytest.raises(ValueError, match="seconds"):
        kalahari.animate(game.start(), [2], seconds=float("nan"))


def test_words_below_a_board_are_as_wide_as_the_board():
    game = kalahari.Game("kalah:6x4")
    film = kalahari.animate(game.start(), [2, 5, 1]).svg()
    lines = re.findall(r'font-size="13"[^>]*>([^<]*)<', film)
    assert len(lines) > 4 and max(map(len, lines)) <= 70
    # All pictures are as high as the highest, so that only the seeds move.
    assert len(set(re.findall(r'<rect width="464" height="(\d+)"', film))) == 1
