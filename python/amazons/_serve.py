"""Players written in Python as programs that the server seats."""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from dataclasses import dataclass
from typing import Protocol, TextIO

from amazons._amazons import Board, Move, Position, __version__


@dataclass(frozen=True)
class Clock:
    """The time for a move, in seconds; None where it is not limited."""

    #: For this move alone.
    move_time: float | None = None
    #: For all moves that are left, and gained with each move.
    remaining: float | None = None
    increment: float = 0.0


class PythonPlayer(Protocol):
    """A player for `serve`.

    It may also have `name`, `stop()`, which is called from another thread when its move is wanted at once, and `value`,
    its estimate of its own chance to win after `play`, 0 to 1.
    """

    def play(self, position: Position, clock: Clock, /) -> Move | str | None:
        """Returns a legal move, or None to give up; `position.moves` are the moves since the start of the game."""


def serve(player: PythonPlayer | type[PythonPlayer]) -> None:
    """Plays as a program on standard input and output, as `server bridge:"python3 bot.py" ...` starts it.

    A class is called once to make the player. Whatever it prints goes to standard error. A player that raises an
    exception ends with its traceback there, which the server counts as its fault.
    """
    if not callable(getattr(player, "play", None)):
        raise TypeError(f"expected a player with a method play, got {player!r}")
    with os.fdopen(os.dup(1), "w", buffering=1) as out:
        os.dup2(2, 1)
        _Bot(player() if isinstance(player, type) else player, out).run(sys.stdin)


class _Bot:
    """The Amazons engine protocol: this thread reads lines, another one thinks."""

    def __init__(self, player: PythonPlayer, out: TextIO) -> None:
        self.player, self.out = player, out
        self.position: Position | None = None
        self.jobs: queue.SimpleQueue[tuple[Position, Clock] | None] = queue.SimpleQueue()

    def run(self, lines: TextIO) -> None:
        thinker = threading.Thread(target=self.think, daemon=True)
        thinker.start()
        for line in lines:
            words = line.split()
            try:
                if not self.obey(words):
                    break
            except ValueError as error:
                self.say(f"error {error}".replace("\n", " "))
        self.jobs.put(None)
        getattr(self.player, "stop", lambda: None)()
        thinker.join()

    def say(self, line: str) -> None:
        self.out.write(line + "\n")

    def obey(self, words: list[str]) -> bool:
        match words:
            case ["quit", *_]:
                return False
            case ["aep", *_]:
                name = " ".join(str(getattr(self.player, "name", type(self.player).__name__)).split())
                self.say(f"id name {name}\nid author amazons {__version__}\naepok 1")
            case ["isready", *_]:
                self.say("readyok")
            case ["stop", *_]:
                getattr(self.player, "stop", lambda: None)()
            case ["position", *start]:
                self.position = _position(start)
            case ["go", *limits]:
                if self.position is None:
                    self.say("error there is no position yet\nbestmove none")
                else:
                    self.jobs.put((self.position, _clock(limits, self.position.side_to_move)))
        return True

    def think(self) -> None:
        try:
            while job := self.jobs.get():
                position, clock = job
                move = None if position.is_over else self.player.play(position.copy(), clock)
                value = getattr(self.player, "value", None)
                if value is not None:
                    self.say(f"info value {value:.6f}")
                self.say(f"bestmove {'none' if move is None else move}")
        except BaseException:
            traceback.print_exc()
            os._exit(1)


def _position(words: list[str]) -> Position:
    at = words.index("moves") if "moves" in words else len(words)
    match words[:at]:
        case ["fen", *text]:
            position = Position.from_text(" ".join(text))
        case ["start", board]:
            position = Board.from_name(board).start()
        case _:
            raise ValueError("expected 'position fen TEXT' or 'position start BOARD'")
    for move in words[at + 1 :]:
        position.push(move)
    return position


def _clock(words: list[str], side: str) -> Clock:
    pairs = zip(words[::2], words[1::2], strict=False)
    # Every `go` gets its move, whatever else cannot be read.
    given = {name: int(value) / 1000 for name, value in pairs if value.removeprefix("-").isdecimal()}
    own = side[0]
    return Clock(given.get("movetime"), given.get(f"{own}time"), given.get(f"{own}inc", 0.0))
