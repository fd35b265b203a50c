"""The game as a PettingZoo environment (AEC)."""

from __future__ import annotations

import copy
import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from amazons._amazons import Board, Position, State
from amazons.gym import RENDER_MODES, Planes, observation_space, render, render_mode_of, start_of


def env(
    shape: str,
    m: int,
    *,
    position: Position | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Planes, int]:
    """Returns `raw_env` in PettingZoo's usual wrappers: an illegal action loses the game with a reward of -1."""
    made: AECEnv[str, Planes, int] = raw_env(
        shape, m, position=position, max_cycles=max_cycles, render_mode=render_mode
    )
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return _Wrapped(made)


class _Wrapped(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    def __copy__(self) -> _Wrapped:
        # A shallow copy would play on in the same game.
        return copy.deepcopy(self)


class raw_env(AECEnv[str, Planes, int]):  # type: ignore[misc]
    """Two agents, "black_0" and "white_0"; each turn is three actions of one agent: queen, target, arrow.

    An action is a vertex, 0 to rows * columns - 1. An observation is float32 of shape (10, rows, columns): the planes
    of `amazons.PLANES` as the side to move sees them, for either agent. `infos[agent]["action_mask"]` is int8 of shape
    (rows * columns,): ones for legal actions, all zeros for an agent that is not to move. The winner gets 1, the loser
    -1.

    A game begins at the shape's start or at `position`. After `max_cycles` turns of each side it is truncated. Copies
    and pickles are environments in the same game.
    """

    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "render_fps": 4,
        "name": "amazons_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        shape: str,
        m: int,
        *,
        position: Position | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        board = Board(shape, m)
        self.start = start_of(board, position)
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"max_cycles: expected at least one turn of each side, got {max_cycles}")
        self.max_cycles = max_cycles
        self.render_mode = render_mode_of(render_mode)
        self.possible_agents = ["black_0", "white_0"]
        space = observation_space(board)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(m * m) for agent in self.possible_agents}

    def __copy__(self) -> raw_env:
        return copy.deepcopy(self)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.game = State(self.start)
        self.turns = 0
        self.agent_selection = f"{self.game.side_to_move}_0"
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._no_action = np.zeros(self.start.array().size, np.int8)
        self._tell_masks()

    def observe(self, agent: str) -> Planes:
        return self.game.observation()

    def step(self, action: int | None) -> None:
        if not hasattr(self, "game"):
            raise ResetNeeded("reset the environment before its first step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("expected an action, got None")
        self.game.apply(operator.index(action))
        self._cumulative_rewards[agent] = 0
        if self.game.phase == 0:
            self.turns += 1
            self.agent_selection = f"{self.game.side_to_move}_0"
            if self.game.is_over:
                # The side to move is blocked: it has lost.
                self.rewards = {agent: -1 if agent == self.agent_selection else 1 for agent in self.agents}
                self.terminations = dict.fromkeys(self.agents, True)
            elif self.max_cycles is not None and self.turns >= 2 * self.max_cycles:
                self.truncations = dict.fromkeys(self.agents, True)
        self._tell_masks()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _tell_masks(self) -> None:
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._no_action} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": self.game.mask()}

    def render(self) -> Any:
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Does nothing: there is no window."""
