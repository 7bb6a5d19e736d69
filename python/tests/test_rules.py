"""The rules of the package, compared with rules written plainly in Python."""

from __future__ import annotations

import numpy as np
import plain_rules
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kalahari

kalah_games = st.tuples(
    st.integers(1, 12),
    st.integers(1, 20),
    st.sampled_from(["standard", "empty-capture", "pre-move-empty"]),
    st.booleans(),
)
isolation_games = st.tuples(
    st.integers(2, 9), st.integers(1, 9), st.sampled_from(["trail", "classic", "queen", "knight"])
)


@settings(max_examples=150, deadline=None)
@given(kalah_games, st.randoms(use_true_random=False))
def test_kalah_plays_by_the_rules(form, rng):
    pits, seeds, rule, majority = form
    game = kalahari.Game(f"kalah:{pits}x{seeds}:{rule}{'+majority' if majority else ''}")
    plain = plain_rules.Kalah.start(pits, seeds, rule, majority)
    position = game.start()
    for _ in range(200):
        assert position.text == plain.text()
        assert position.mover == plain.mover
        assert position.legal_moves() == plain.moves()
        assert position.to_array().tolist() == list(plain.houses)
        assert position.is_over == plain.over()
        if plain.over():
            assert position.margin == plain.margin()
            assert position.outcome == np.sign(plain.margin())
            break
        assert position.margin is None and position.outcome is None
        move = rng.choice(plain.moves())
        position, plain = position.play(move), plain.play(move)


@settings(max_examples=120, deadline=None)
@given(isolation_games, st.randoms(use_true_random=False))
def test_isolation_plays_by_the_rules(form, rng):
    rows, columns, rule = form
    if rows * columns < 2:
        return
    game = kalahari.Game(f"isolation:{rows}x{columns}:{rule}")
    plain = plain_rules.Isolation.start(rows, columns, rule)
    position = game.start()
    for _ in range(60):
        legal = position.legal_moves()
        assert sorted(legal) == sorted(plain.moves())
        assert len(set(legal)) == len(legal)
        assert position.is_over == plain.over()
        assert position.mover == plain.mover
        if plain.over():
            assert position.margin == plain.margin()
            break
        # Actions are moves as numbers.
        actions = position.legal_actions()
        assert [position.move(action) for action in actions] == legal
        assert np.flatnonzero(position.legal_mask()).tolist() == sorted(actions)
        move = rng.choice(legal)
        assert position.move(position.action(move)) == move
        position, plain = position.play(move), plain.play(move)


@pytest.mark.parametrize(
    "spec", ["kalah:6x4", "kalah:12x20", "isolation:5x5", "isolation:5x5:classic", "isolation:queen", "isolation:12x12"]
)
def test_batches_agree_with_single_positions(spec):
    game = kalahari.Game(spec)
    rng = np.random.default_rng(7)
    batch = kalahari.Batch(game, 40)
    single = [game.start()] * 40
    for _ in range(30):
        masks = batch.legal_masks()
        assert masks.shape == (40, game.num_actions)
        for place, position in enumerate(single):
            assert batch[place] == position
            assert masks[place].tolist() == position.legal_mask().tolist()
        assert batch.movers().tolist() == [position.mover for position in single]
        assert batch.is_over().tolist() == [position.is_over for position in single]
        assert batch.margins().tolist() == [position.margin or 0 for position in single]
        assert batch.outcomes().tolist() == [position.outcome or 0 for position in single]
        assert np.array_equal(batch.to_array(), np.stack([position.to_array() for position in single]))
        actions = kalahari.random_actions(batch, rng)
        batch = batch.play(actions)
        single = [
            position if position.is_over else position.play(position.move(int(action)))
            for position, action in zip(single, actions)
        ]


def test_perft_counts_what_is_played():
    position = kalahari.Game("kalah:6x4").start()

    def count(position, depth):
        if depth == 0:
            return 1
        return sum(count(position.play(move), depth - 1) for move in position.legal_moves())

    assert [position.perft(depth) for depth in range(5)] == [count(position, depth) for depth in range(5)]
    assert kalahari.Game("isolation:3x3").start().perft(9) == count(kalahari.Game("isolation:3x3").start(), 9)
