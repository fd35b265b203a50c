"""Many games at once as a Gymnasium vector environment in which both sides play: for self-play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv as _VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from amazons._amazons import Batch, Board, Position
from amazons.gym import Planes, observation_space, start_of


class VectorEnv(_VectorEnv[Planes, NDArray[np.int64], NDArray[Any]]):
    """Many games: a step plays one action in each, for the side to move, whichever that is.

    Actions and observations are those of `amazons.raw_env`. `infos["action_mask"]`, int8 of shape (num_envs, cells), has
    ones for legal actions, and `infos["side"]` is the side to move: 0 Black, 1 White. The reward is that of the side that
    acted: 1 when it has won, which ends the game, else 0: who makes the last move wins. A game that ends begins again
    in the same step; `infos["final_obs"]` has its last observation, and `infos["_final_obs"]` where there is one. An
    illegal action raises ValueError, and no game changes.

    Games begin at the shape's start, or at `positions` in turn. `batch` is the `Batch` that plays them.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int,
        shape: str,
        m: int,
        *,
        positions: Position | Sequence[Position] | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        board = Board(shape, m)
        given = [positions] if positions is None or isinstance(positions, Position) else positions
        starts = [start_of(board, position) for position in given]
        self.num_envs = num_envs
        self.batch = Batch(starts, num_envs, seed=seed, threads=threads)
        self.single_observation_space = observation_space(board)
        self.single_action_space = spaces.Discrete(m * m)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_reset = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        self.batch.reset()
        self._is_reset = True
        return self.batch.observations(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Planes, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self._is_reset:
            raise ResetNeeded("reset the environment before its first step")
        self.batch.step(actions)
        over = self.batch.winners() >= 0
        final = self.batch.observations() if over.any() else None
        if final is not None:
            self.batch.reset(over)
        infos = self._infos()
        if final is not None:
            infos |= {"final_obs": final, "_final_obs": over}
        return self.batch.observations(), over.astype(np.float64), over, np.zeros_like(over), infos

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks(), "side": self.batch.sides()}
