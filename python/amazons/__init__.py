"""The Game of the Amazons: rules, batches of games, environments, the champion, matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amazons._amazons import (
    PLANES,
    Analysis,
    Batch,
    Board,
    Engine,
    Game,
    Line,
    Move,
    MoveList,
    Player,
    PlayerError,
    Position,
    State,
    Stream,
    __version__,
)
from amazons import kaggle
from amazons._match import MatchResult, play_match
from amazons._serve import Clock, serve

if TYPE_CHECKING:
    from amazons._aec import env, raw_env
    from amazons.gym import GymEnv
    from amazons.vector import VectorEnv

#: The start of standard Amazons on ten columns and rows, as position text: White moves first, from below.
STANDARD = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1"

__all__ = [
    "PLANES",
    "STANDARD",
    "Analysis",
    "Batch",
    "Board",
    "Clock",
    "Engine",
    "Game",
    "GymEnv",
    "Line",
    "MatchResult",
    "Move",
    "MoveList",
    "Player",
    "PlayerError",
    "Position",
    "State",
    "Stream",
    "VectorEnv",
    "__version__",
    "env",
    "kaggle",
    "play_match",
    "raw_env",
    "serve",
]


def __getattr__(name: str) -> object:
    """Imports the environments when they are asked for: PettingZoo and Gymnasium are optional."""
    modules = {"env": "_aec", "raw_env": "_aec", "GymEnv": "gym", "VectorEnv": "vector"}
    if name not in modules:
        raise AttributeError(f"module 'amazons' has no attribute '{name}'")
    try:
        module = __import__(f"amazons.{modules[name]}", fromlist=[name])
    except ModuleNotFoundError as error:
        raise ImportError(f"amazons.{name} needs {error.name}: pip install 'amazons[envs]'") from error
    return getattr(module, name)
