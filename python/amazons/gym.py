"""The game as a Gymnasium environment for one side: `gymnasium.make("amazons.gym:Amazons-v0", shape="square", m=10)`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from amazons._amazons import PLANES, Board, Move, Position, State

Planes = NDArray[np.float32]


class _Opponent(Protocol):
    def play(self, position: Position, /) -> Move: ...


class GymEnv(gymnasium.Env[Planes, int]):
    """One side against an opponent; actions and observations are those of `amazons.raw_env`.

    `info["action_mask"]` marks the legal actions. The opponent is "random", a function from a position to a move, or an
    object with such a method `play`, for example a `Player`. `seat` is "black", "white" or None: drawn for each game.
    The reward is 1 for a win and -1 for a loss. An illegal action loses, and `info["illegal"]` says why.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self,
        shape: str,
        m: int,
        *,
        opponent: str | Callable[[Position], Move] | _Opponent = "random",
        seat: str | None = None,
        position: Position | None = None,
        render_mode: str | None = None,
    ) -> None:
        board = Board(shape, m)
        if seat not in ("black", "white", None):
            raise ValueError(f"unknown colour '{seat}': use black or white")
        if isinstance(opponent, str):
            if opponent != "random":
                raise ValueError(f"unknown opponent '{opponent}': use random, a function or an object with play")
            self.opponent: Callable[[Position], Move] = self._random_move
        else:
            play = opponent if callable(opponent) else getattr(opponent, "play", None)
            if play is None:
                raise TypeError(f"expected an opponent that is random, a function or has a method play, got {opponent!r}")
            self.opponent = play
        self.start = start_of(board, position)
        self.seat = seat
        self.color: str | None = None
        self.render_mode = render_mode_of(render_mode)
        self.observation_space = observation_space(board)  # type: ignore[assignment]
        self.action_space: spaces.Discrete = spaces.Discrete(m * m)  # type: ignore[assignment]
        self.game = State(self.start)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        super().reset(seed=seed)
        self.color = self.seat or ("black", "white")[int(self.np_random.integers(2))]
        self.game = State(self.start)
        self._answer()
        return self._result()

    def step(self, action: int) -> tuple[Planes, SupportsFloat, bool, bool, dict[str, Any]]:
        if self.color is None:
            raise ResetNeeded("reset the environment before its first step")
        try:
            self.game.apply(operator.index(action))
        except ValueError as error:
            planes, info = self._result()
            return planes, -1.0, True, False, info | {"illegal": str(error)}
        self._answer()
        reward = 0.0 if not self.game.is_over else 1.0 if self.game.winner == self.color else -1.0
        planes, info = self._result()
        return planes, reward, self.game.is_over, False, info

    def action_masks(self) -> NDArray[Any]:
        """Returns the legal actions as bool, as sb3-contrib's MaskablePPO asks for them."""
        return self.game.mask().astype(bool)

    def render(self) -> Any:
        return render(self.game, self.render_mode)

    def _answer(self) -> None:
        """Plays the opponent's turn."""
        while self.game.side_to_move != self.color and not self.game.is_over:
            move = self.opponent(self.game.position)
            if not isinstance(move, Move):
                raise TypeError(f"expected a Move from the opponent, got {move!r}")
            for vertex in move:
                self.game.apply(vertex)

    def _result(self) -> tuple[Planes, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return self.game.observation(), {"action_mask": self.game.mask()}

    def _random_move(self, position: Position) -> Move:
        moves = position.legal_moves()
        return moves[int(self.np_random.integers(len(moves)))]


def start_of(board: Board, position: Position | None) -> Position:
    """Returns the position where games begin, on the board named."""
    if position is None:
        return board.start()
    if position.board != board:
        raise ValueError(f"the position is on {position.board.name}, the environment on {board.name}")
    if position.is_over:
        raise ValueError("the position has no move: a game begins where one is left")
    return position.copy()


def render_mode_of(mode: str | None) -> str | None:
    """Returns a mode of `render` as it is."""
    if mode not in (None, "ansi", "human"):
        raise ValueError(f"unknown render mode '{mode}': use ansi or human")
    return mode


def observation_space(board: Board) -> spaces.Box:
    """Returns the space of observations."""
    return spaces.Box(0, 1, (len(PLANES), board.rows, board.columns), np.float32)


def render(state: State, mode: str | None) -> str | None:
    """Returns the board as text in mode "ansi", prints it in mode "human"."""
    if mode is None:
        return None
    rows = ["".join(" .qQ*#"[1 + cell] for cell in row) for row in state.position.array()]
    text = "\n".join([*rows, f"{state.side_to_move} chooses {('a queen', 'its target', 'its arrow')[state.phase]}"])
    if mode == "ansi":
        return text
    print(text)
    return None


gymnasium.register("Amazons-v0", entry_point="amazons.gym:GymEnv")
