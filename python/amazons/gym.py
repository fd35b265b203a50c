"""The game as a Gymnasium environment for one side: `gymnasium.make("amazons.gym:Amazons-v0", shape="square", m=10)`."""

from __future__ import annotations

import copy
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


#: What `render` can do.
RENDER_MODES = ["ansi", "human", "rgb_array"]


class _Opponent(Protocol):
    def play(self, position: Position, /) -> Move: ...


class GymEnv(gymnasium.Env[Planes, int]):
    """One side against an opponent; actions and observations are those of `amazons.raw_env`.

    `info["action_mask"]` marks the legal actions. The opponent is "random", a function from a position to a move, or an
    object with such a method `play`, for example a `Player`. `seat` is "black", "white" or None: drawn for each game.
    The reward is 1 for a win and -1 for a loss. An illegal action loses, and `info["illegal"]` says why. Copies are
    environments in the same game, and so are pickles where the opponent has one.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

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
        self.is_over = False
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
        self.is_over = False
        self._answer()
        return self._result()

    def __copy__(self) -> GymEnv:
        # A shallow copy would play on in the same game.
        return copy.deepcopy(self)

    def step(self, action: int) -> tuple[Planes, SupportsFloat, bool, bool, dict[str, Any]]:
        if self.color is None:
            raise ResetNeeded("reset the environment before its first step")
        if self.is_over:
            raise ResetNeeded("the game is over: reset the environment")
        try:
            self.game.apply(operator.index(action))
        except ValueError as error:
            self.is_over = True
            planes, info = self._result()
            return planes, -1.0, True, False, info | {"illegal": str(error)}
        self._answer()
        self.is_over = self.game.is_over
        reward = 0.0 if not self.is_over else 1.0 if self.game.winner == self.color else -1.0
        planes, info = self._result()
        return planes, reward, self.is_over, False, info

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
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"unknown render mode '{mode}': use {', '.join(RENDER_MODES)}")
    return mode


def observation_space(board: Board) -> spaces.Box:
    """Returns the space of observations."""
    return spaces.Box(0, 1, (len(PLANES), board.rows, board.columns), np.float32)


def render(state: State, mode: str | None) -> Any:
    """Returns the board as text in mode "ansi" and as an image in mode "rgb_array", prints it in mode "human"."""
    if mode is None:
        return None
    if mode == "rgb_array":
        return _image(state)
    rows = ["".join(" .qQ*#"[1 + cell] for cell in row) for row in state.position.array()]
    text = "\n".join([*rows, f"{state.side_to_move} chooses {('a queen', 'its target', 'its arrow')[state.phase]}"])
    if mode == "ansi":
        return text
    print(text)
    return None


def _image(state: State) -> NDArray[np.uint8]:
    """Draws squares, queens as disks, arrows as crosses, and the choices of the turn as frames."""
    size = 32
    y, x = np.mgrid[:size, :size] - (size - 1) / 2
    disk, cross = x**2 + y**2 < (0.36 * size) ** 2, (abs(abs(x) - abs(y)) < 3) & (abs(x) < 0.3 * size)
    frame = np.maximum(abs(x), abs(y)) > size / 2 - 3
    cells = state.position.array()
    picture = np.zeros((*cells.shape, size, size, 3), np.uint8)
    for row, column in np.ndindex(cells.shape):
        cell, vertex = picture[row, column], row * cells.shape[1] + column
        cell[:] = (232, 208, 170) if (row + column) % 2 else (200, 165, 120)
        match cells[row, column]:
            case 1 | 2 as color:
                cell[disk] = (25, 25, 25) if color == 1 else (250, 250, 250)
            case 3:
                cell[cross] = (150, 40, 40)
            case 4:
                cell[:] = 90
        if vertex in (state.origin, state.target):
            cell[frame] = (40, 120, 200)
    return picture.swapaxes(1, 2).reshape(cells.shape[0] * size, cells.shape[1] * size, 3)


gymnasium.register("Amazons-v0", entry_point="amazons.gym:GymEnv")
gymnasium.register("AmazonsSelfPlay-v0", vector_entry_point="amazons.vector:VectorEnv")
