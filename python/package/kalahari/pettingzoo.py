"""PettingZoo environments (AEC) for every game, with action masks, extra turns and passes.

>>> import kalahari.pettingzoo
>>> environment = kalahari.pettingzoo.env("kalah:6x4")
>>> environment.reset(seed=1)
>>> observation, reward, termination, truncation, info = environment.last()
>>> observation["action_mask"].tolist()
[1, 1, 1, 1, 1, 1]
>>> environment.step(2)                       # ends in the store: the same player again
>>> environment.agent_selection
'player_0'

The agents are player_0, who begins, and player_1. An observation is the board as its agent sees it (`observation`, own side first)
and the legal actions (`action_mask`, all zero for the agent that is not to move). Actions are those of `Position.move`. A player
of Isolation's `trail` who is stuck has one legal action, the pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import _checks
from ._native import Game, Position
from ._observation import begin_at, check_reward, dtype, highest, observe, reward, shape

__all__ = ["KalahariEnv", "env", "raw_env"]


class KalahariEnv(AECEnv):  # type: ignore[misc]
    """The environment without the usual wrappers, which `env` adds.

    `rewards="outcome"` gives 1, 0 or -1 at the end of a game, and "margin" the margin. Games begin with `start`, if it is given.
    """

    metadata = {
        "render_modes": ["ansi", "human"],
        "name": "kalahari_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        game: Game | str = "kalah:6x6",
        *,
        rewards: str = "outcome",
        start: Position | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_reward(rewards)
        self.game = _checks.game(game)
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self._start = begin_at(self.game, start)
        self._reward = rewards
        actions = self.game.num_actions
        board = spaces.Box(0, highest(self.game), shape(self.game), dtype(self.game))
        mask = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": board, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.position = self._start

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may choose from; the mask says what is legal."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. There is no chance in it, so the seed changes nothing."""
        self.agents = self.possible_agents[:]
        self.position = self._start
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.position.is_over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.mover]

    def observe(self, agent: str) -> dict[str, Any]:
        """The board as an agent sees it, and its legal actions."""
        player = self.possible_agents.index(agent)
        to_move = player == self.position.mover and not self.position.is_over
        mask = self.position.legal_mask() if to_move else np.zeros(self.game.num_actions, dtype=bool)
        return {"observation": observe(self.position, player), "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Plays an action of the agent whose turn it is."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action is needed while the game is not over")
        mover = self.agent_selection
        self.position = self.position.play(self.position.move(int(action)))
        self._cumulative_rewards[mover] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.position.is_over:
            for player, agent in enumerate(self.possible_agents):
                self.rewards[agent] = reward(self.position, player, self._reward)
                self.terminations[agent] = True
        # The player to move next; after an extra turn it is the same one.
        self.agent_selection = self.possible_agents[self.position.mover]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board in text: returned with render_mode="ansi", printed with "human"."""
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position)

    def close(self) -> None:
        """Does nothing, since nothing is open."""


def raw_env(game: Game | str = "kalah:6x6", **options: Any) -> KalahariEnv:
    """The environment of a game without wrappers."""
    return KalahariEnv(game, **options)


def env(game: Game | str = "kalah:6x6", **options: Any) -> Any:
    """The environment of a game: an illegal action loses, and misuse is reported."""
    wrapped = wrappers.TerminateIllegalWrapper(KalahariEnv(game, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
