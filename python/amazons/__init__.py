"""The Game of the Amazons: rules, batches of games, environments, the champion, matches."""

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
    "Line",
    "MatchResult",
    "Move",
    "MoveList",
    "Player",
    "PlayerError",
    "Position",
    "State",
    "Stream",
    "__version__",
    "kaggle",
    "play_match",
    "serve",
]
