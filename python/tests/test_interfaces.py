"""Common interfaces: PettingZoo, Gymnasium and OpenSpiel check our environments with their own tests."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

import kalahari
from kalahari import openspiel

GAMES = ["kalah:6x4", "kalah:6x6", "isolation:5x5", "isolation:4x4:classic", "isolation:queen", "isolation:5x6:knight"]


@pytest.mark.parametrize("spec", GAMES)
def test_pettingzoo_accepts_our_environments(spec):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from kalahari import pettingzoo

    with warnings.catch_warnings():
        # Observations with masks are dictionaries; PettingZoo warns about that in its own classic games, too.
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(spec), num_cycles=200)
        api_test(pettingzoo.env(spec, rewards="margin"), num_cycles=50)
        seed_test(lambda: pettingzoo.env(spec), num_cycles=50)


@pytest.mark.long
def test_pettingzoo_measures_our_speed(capsys):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import performance_benchmark

    from kalahari import pettingzoo

    performance_benchmark(pettingzoo.env("kalah:6x6"))
    assert "turns per second" in capsys.readouterr().out


def test_extra_turns_and_passes_in_pettingzoo():
    pytest.importorskip("pettingzoo")
    from kalahari import pettingzoo

    environment = pettingzoo.env("kalah:6x4")
    environment.reset()
    environment.step(2)
    assert environment.agent_selection == "player_0"
    environment.step(5)
    assert environment.agent_selection == "player_1"
    # Player 1 is stuck in the corner and player 0 is not.
    stuck = kalahari.Game("isolation:3x3").position("xx./1.o/.o2 1")
    assert stuck.legal_moves() == ["pass"]
    environment = pettingzoo.env("isolation:3x3", start=stuck)
    environment.reset()
    observation, *_ = environment.last()
    assert np.flatnonzero(observation["action_mask"]).tolist() == [9]
    environment.step(9)
    assert environment.agent_selection == "player_0"


@pytest.mark.parametrize("spec", GAMES)
def test_rewards_in_pettingzoo_are_those_of_the_game(spec):
    pytest.importorskip("pettingzoo")
    from kalahari import pettingzoo

    rng = random.Random(4)
    environment = pettingzoo.raw_env(spec, rewards="margin")
    environment.reset()
    position = environment.game.start()
    total = {"player_0": 0.0, "player_1": 0.0}
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, _ = environment.last()
        total[agent] += reward
        if termination or truncation:
            environment.step(None)
            continue
        assert agent == f"player_{position.mover}"
        assert np.flatnonzero(observation["action_mask"]).tolist() == sorted(position.legal_actions())
        action = rng.choice(position.legal_actions())
        position = position.play(position.move(action))
        environment.step(action)
    assert total == {"player_0": position.margin, "player_1": -position.margin}


@pytest.mark.parametrize("spec", GAMES)
def test_gymnasium_accepts_our_environments(spec):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import kalahari.gymnasium  # noqa: F401

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make("Kalahari-v0", game=spec, opponent="level:1").unwrapped)
        check_env(gymnasium.make("Kalahari-v0", game=spec, opponent="random", seat=None).unwrapped)


def test_gymnasium_games_are_played_to_the_end():
    pytest.importorskip("gymnasium")
    from kalahari.gymnasium import KalahariEnv

    rng = random.Random(6)
    for seat in (0, 1):
        environment = KalahariEnv("kalah:4x3", opponent=kalahari.Level(1), seat=seat, rewards="margin")
        for seed in range(20):
            observation, info = environment.reset(seed=seed)
            done = False
            while not done:
                assert environment.position.mover == seat
                action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
                observation, reward, done, _, info = environment.step(action)
            assert reward == environment.position.margin * (1 if seat == 0 else -1)
    # An illegal action loses.
    environment = KalahariEnv("kalah:4x3")
    environment.reset(options={"position": kalahari.Game("kalah:4x3").start().play(1)})
    _, reward, done, _, info = environment.step(1)
    assert (reward, done, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(ValueError, match="the game is over"):
        environment.step(0)
    other = kalahari.Game("kalah:4x4").start()
    with pytest.raises(ValueError, match="is not one of Game"):
        environment.reset(options={"position": other})


def test_states_have_the_interface_of_openspiel():
    rng = random.Random(5)
    for spec in GAMES:
        state = openspiel.State(spec)
        size = len(state.observation_tensor(0))
        while not state.is_terminal():
            assert state.legal_actions(1 - state.current_player()) == []
            kept = state.clone()
            action = rng.choice(state.legal_actions())
            text = state.action_to_string(state.current_player(), action)
            assert state.string_to_action(text) == action
            assert str(state.child(action)) != str(state)
            state.apply_action(action)
            assert str(kept) != str(state) and len(state.observation_tensor()) == size
        assert state.current_player() == openspiel.TERMINAL and state.legal_actions() == []
        assert sum(state.returns()) == 0 and len(state.history()) <= openspiel.longest_game(state.position.game)


def agreement(games: int, seed: int) -> None:
    """Compares random games of OpenSpiel's mancala with ours, move by move."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs_game, ours_game = pyspiel.load_game("mancala"), kalahari.Game("kalah:6x4")
    rng = random.Random(seed)
    for _ in range(games):
        theirs, ours = theirs_game.new_initial_state(), ours_game.start()
        while not ours.is_over:
            assert theirs.current_player() == ours.mover
            first = 1 if ours.mover == 0 else 8
            legal = ours.legal_moves()
            assert theirs.legal_actions() == [first + pit for pit in legal]
            pit = rng.choice(legal)
            theirs.apply_action(first + pit)
            ours = ours.play(pit)
        assert theirs.is_terminal()
        assert theirs.returns() == [ours.outcome, -ours.outcome]
        board = theirs.observation_tensor(0)
        # OpenSpiel leaves the last seeds in their pits and counts them for their side.
        assert [sum(board[1:8]), sum(board[8:14]) + board[0]] == ours.to_array()[[6, 13]].tolist()


def test_openspiel_agrees():
    agreement(500, seed=1)


@pytest.mark.long
def test_openspiel_agrees_over_ten_thousand_games():
    agreement(10_000, seed=2)


def test_openspiel_runs_our_games():
    pyspiel = pytest.importorskip("pyspiel")
    openspiel.register()
    openspiel.register()
    for spec in ("kalah:6x4", "isolation:4x4"):
        game = pyspiel.load_game(f"python_kalahari(spec={spec})")
        state = game.new_initial_state()
        rng = random.Random(1)
        while not state.is_terminal():
            assert len(state.observation_tensor(0)) == game.observation_tensor_size()
            state.apply_action(rng.choice(state.legal_actions()))
        assert sum(state.returns()) == 0
    from open_spiel.python.algorithms import mcts, minimax

    small = pyspiel.load_game("python_kalahari(spec=kalah:2x2)")
    value, _ = minimax.alpha_beta_search(small)
    assert value == np.sign(kalahari.solve(kalahari.Game("kalah:2x2").start()).value)
    random_state = np.random.RandomState(1)
    bot = mcts.MCTSBot(
        small, 1.4, 20, mcts.RandomRolloutEvaluator(1, random_state), random_state=random_state
    )
    assert bot.step(small.new_initial_state()) in small.new_initial_state().legal_actions()
