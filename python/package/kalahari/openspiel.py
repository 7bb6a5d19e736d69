"""States with the methods of OpenSpiel's, and our games as games of OpenSpiel.

`State` needs nothing but this package:

>>> state = State("kalah:6x4")
>>> state.apply_action(2)
>>> state.current_player(), state.legal_actions()
(0, [0, 1, 3, 4, 5])

If `open_spiel` is installed, `register()` adds the game "python_kalahari" to it, so that its algorithms can play our games:
`pyspiel.load_game("python_kalahari(spec=kalah:6x4)")`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _checks
from ._native import Game, Position
from ._observation import observe, shape

__all__ = ["State", "longest_game", "register"]

TERMINAL = -4
"""OpenSpiel's number for the current player of a finished game."""


class State:
    """A game in progress, with the methods of OpenSpiel's states. Unlike a `Position` it changes; `clone` makes a copy.

    >>> state = State("kalah:6x4")
    >>> while not state.is_terminal():
    ...     state.apply_action(state.legal_actions()[0])
    >>> sum(state.returns())
    0.0
    """

    def __init__(self, game: Game | str | Position) -> None:
        if isinstance(game, Position):
            self.position = game
        else:
            self.position = _checks.game(game).start()
        self._history: list[int] = []

    def current_player(self) -> int:
        """Who is to move; -4 if the game is over."""
        return TERMINAL if self.position.is_over else self.position.mover

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions, in order; none for the player who is not to move."""
        if player is not None and player != self.current_player():
            return []
        return sorted(self.position.legal_actions())

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """The legal actions as 0 and 1 over all of them."""
        legal = set(self.legal_actions(player))
        return [int(action in legal) for action in range(self.position.game.num_actions)]

    def apply_action(self, action: int) -> None:
        """Plays an action."""
        self.position = self.position.play(self.position.move(action))
        self._history.append(action)

    def child(self, action: int) -> State:
        """The state after an action."""
        state = self.clone()
        state.apply_action(action)
        return state

    def action_to_string(self, player: int, action: int) -> str:
        """The move of an action."""
        return str(self.position.move(action))

    def string_to_action(self, text: str) -> int:
        """The action of a move."""
        return self.position.action(text)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """What each player has got: 1, 0 or -1; 0 while the game is not over."""
        outcome = float(self.position.outcome or 0)
        return [outcome, -outcome]

    def player_return(self, player: int) -> float:
        """What one player has got."""
        return self.returns()[player]

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The board as a player sees it, flat."""
        who = self.position.mover if player is None else player
        flat: list[float] = observe(self.position, who).astype(float).ravel().tolist()
        return flat

    def observation_string(self, player: int | None = None) -> str:
        """The position as text: both players see everything."""
        return self.position.text

    def history(self) -> list[int]:
        """The actions played."""
        return list(self._history)

    def clone(self) -> State:
        """An independent state with the same position."""
        state = State(self.position)
        state._history = list(self._history)
        return state

    def __str__(self) -> str:
        return self.position.text


def longest_game(game: Game) -> int:
    """An upper bound of the number of moves in a game."""
    rows, columns = game.size
    if game.kind == "kalah":
        # A sowing that leaves its own side banks a seed, so there are at most as many such sowings as seeds. In between, every move takes
        # seeds towards the end of their side, and the number of these steps is limited.
        pits, seeds = game.size
        total = 2 * pits * seeds
        return (total + 1) * (total * pits + 1)
    # Every move but a pass takes a cell; passes of trail alternate with moves.
    return 2 * rows * columns + 2


def register(name: str = "python_kalahari") -> None:
    """Adds our games to OpenSpiel under a name, with the parameter `spec`. Doing it twice does no harm."""
    import pyspiel

    if name in pyspiel.registered_names():
        return
    pyspiel.register_game(_game_type(pyspiel, name), _game_class(pyspiel, name))


def _game_type(pyspiel: Any, name: str) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name="Kalahari: Kalah and Isolation",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"spec": "kalah:6x6"},
    )


def _game_class(pyspiel: Any, name: str) -> Any:
    game_type = _game_type(pyspiel, name)

    class KalahariGame(pyspiel.Game):  # type: ignore[misc]
        """One of our games as a game of OpenSpiel."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            params = params or {}
            self.rules = Game(params.get("spec", "kalah:6x6"))
            info = pyspiel.GameInfo(
                num_distinct_actions=self.rules.num_actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=longest_game(self.rules),
            )
            super().__init__(game_type, info, params)

        def new_initial_state(self, state: Any = None) -> Any:
            """The start."""
            return KalahariState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """What players see."""
            return _Observer(self.rules)

    class KalahariState(pyspiel.State):  # type: ignore[misc]
        """A state of OpenSpiel over one of ours."""

        def __init__(self, game: KalahariGame) -> None:
            super().__init__(game)
            self.state = State(game.rules)

        def current_player(self) -> int:
            return int(pyspiel.PlayerId.TERMINAL) if self.state.is_terminal() else self.state.current_player()

        def _legal_actions(self, player: int) -> list[int]:
            return self.state.legal_actions(player)

        def _apply_action(self, action: int) -> None:
            self.state.apply_action(action)

        def _action_to_string(self, player: int, action: int) -> str:
            return self.state.action_to_string(player, action)

        def is_terminal(self) -> bool:
            return self.state.is_terminal()

        def returns(self) -> list[float]:
            return self.state.returns()

        def __str__(self) -> str:
            return str(self.state)

    return KalahariGame


class _Observer:
    """The observer that OpenSpiel asks for."""

    def __init__(self, game: Game) -> None:
        self.shape = shape(game)
        self.tensor = np.zeros(int(np.prod(self.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self.shape)}

    def set_from(self, state: Any, player: int) -> None:
        """Writes what a player sees into the tensor."""
        self.dict["observation"][...] = observe(state.state.position, player)

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees, as text."""
        return str(state.state)
