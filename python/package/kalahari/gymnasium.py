"""Gymnasium environments for one player against an opponent of your choice.

>>> import kalahari.gymnasium
>>> environment = kalahari.gymnasium.KalahariEnv("kalah:6x4", opponent="level:1")
>>> observation, info = environment.reset(seed=1)
>>> observation["action_mask"].tolist()
[1, 1, 1, 1, 1, 1]
>>> observation, reward, terminated, truncated, info = environment.step(2)

A step plays your action and then the opponent's moves until it is your turn again, extra turns and passes included. An illegal
action loses the game at once (`info["illegal"]`). Once this module is imported, `gymnasium.make("Kalahari-v0",
game="isolation:queen")` works, too.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _checks
from ._native import Agent, Game, Limits, Position
from ._observation import begin_at, check_reward, dtype, highest, observe, reward, shape
from .hosting import Playing, functions

__all__ = ["KalahariEnv"]


class KalahariEnv(gymnasium.Env[dict[str, Any], int]):
    """One player against an opponent: a spec, a player, an object with `move`, or a function (see `kalahari.match`).

    `seat` is 0 (you begin), 1, or None (drawn by lot for every game). `rewards="outcome"` gives 1, 0 or -1 at the end of a game,
    and "margin" the margin. `depth`, `nodes` and `time` are what the opponent may spend on a move.

    >>> environment = KalahariEnv("isolation:5x5", opponent="random", seat=None)
    >>> observation, info = environment.reset(seed=3)
    >>> info["player"] in (0, 1)
    True
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self,
        game: Game | str = "kalah:6x6",
        *,
        opponent: Playing = "random",
        seat: int | None = 0,
        rewards: str = "outcome",
        depth: int | None = None,
        nodes: int | None = None,
        time: float | str | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_reward(rewards)
        if seat not in (0, 1, None):
            raise ValueError(f"a seat must be 0, 1 or None, not {seat!r}")
        self.game = _checks.game(game)
        self.render_mode = render_mode
        self._choose, self._begin = functions(Agent(opponent) if isinstance(opponent, str) else opponent)
        self._limits = Limits(depth=depth, nodes=nodes, time=time)
        self._seat = seat
        self._reward = rewards
        self.player = seat or 0
        self.position: Position = self.game.start()
        self._lost = False
        actions = self.game.num_actions
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, highest(self.game), shape(self.game), dtype(self.game)),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(actions)  # type: ignore[assignment]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a game, at another position than the start with `options={"position": position}`."""
        super().reset(seed=seed)
        self.position = begin_at(self.game, (options or {}).get("position"))
        self._lost = False
        self.player = int(self.np_random.integers(2)) if self._seat is None else self._seat
        if self._begin is not None:
            self._begin(int(self.np_random.integers(2**63)))
        self._answer()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays an action, and lets the opponent play until it is your turn again."""
        if self.position.is_over or self._lost:
            raise ValueError("the game is over: reset begins another one")
        if int(action) not in self.position.legal_actions():
            self._lost = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self.position = self.position.play(self.position.move(int(action)))
        self._answer()
        over = self.position.is_over
        gained = reward(self.position, self.player, self._reward) if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observation(), gained, over, False, self._info()

    def _answer(self) -> None:
        while not self.position.is_over and self.position.mover != self.player:
            self.position = self.position.play(self._choose(self.position, self._limits))

    def _observation(self) -> dict[str, Any]:
        mask = self.position.legal_mask()
        return {"observation": observe(self.position, self.player), "action_mask": mask.astype(np.int8)}

    def _info(self) -> dict[str, Any]:
        return {"position": self.position.text, "player": self.player}

    def render(self) -> Any:
        """The board in text: returned with render_mode="ansi", printed with "human"."""
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position)


gymnasium.register(id="Kalahari-v0", entry_point="kalahari.gymnasium:KalahariEnv")
