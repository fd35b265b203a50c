"""Matches between two players, played by the server's tournament."""

from __future__ import annotations

import contextlib
import csv
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amazons import _programs
from amazons._amazons import Board, PlayerError

#: A player of a match: the name of a bundled one, with a level or without ("champion", "champion:3"), a library, a
#: command ("bridge:python3 bot.py", "uci:ENGINE"), or a mapping with `file` and the settings of one player in a plan.
PlayerSpec = str | os.PathLike[str] | Mapping[str, Any]


#: Calls before the first move, as records name them and as the library does; the other names are the same.
_CALLS = {"initialize": "initialize", "name": "get_player_name"}


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, seen by its first player."""

    #: The names of both players.
    players: tuple[str, str]
    #: Rated games, and those that the first player won and lost; the others have no winner.
    games: int
    won: int
    lost: int
    #: Points per game, 0 to 1.
    score: float
    #: The difference in Elo, at most 800, and its 95 % interval; None where all pairs went alike.
    elo: float | None
    elo_interval: tuple[float, float] | None
    #: The likelihood that the first player is the stronger one, 0 to 1.
    los: float | None
    #: Pairs of games by the first player's points: 0, 0.5, 1, 1.5, 2.
    pairs: list[int]
    #: The sequential test: `verdict` ("elo0", "elo1" or None), `llr`, `lower`, `upper`, ...
    sprt: dict[str, Any] | None
    #: One mapping per game: pair, game, first, second, winner, termination, moves, record, ...
    rows: list[dict[str, str]]
    #: What the server has to say about the result, and the first fault of each player.
    notices: list[str]

    def to_pandas(self) -> Any:
        """Returns the games as a `pandas.DataFrame`, one row each."""
        pandas: Any = importlib.import_module("pandas")
        return pandas.DataFrame(self.rows).astype({"pair": int, "game": int, "moves": int})

    def __str__(self) -> str:
        text = " - ".join(self.players) + f": {self.won} won, {self.lost} lost, score {100 * self.score:.1f} %"
        if self.elo is not None:
            text += f", Elo {self.elo:+.0f}"
        if self.elo_interval is not None:
            text += " ({:+.0f} to {:+.0f})".format(*self.elo_interval)
        if self.sprt is not None:
            text += f", test: {self.sprt['verdict'] or 'undecided'}"
        return "\n".join([text, *(f"- {notice}" for notice in self.notices)])


def play_match(
    a: PlayerSpec,
    b: PlayerSpec,
    *,
    boards: str | Board | Sequence[str | Board],
    pairs: int | None = None,
    sprt: Mapping[str, float | str] | None = None,
    max_pairs: int | None = None,
    jobs: int | None = None,
    plies: int = 4,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    **settings: Any,
) -> MatchResult:
    """Plays pairs of games between two players on some boards in turn, with every second game's sides changed.

    Give `pairs`, or `sprt` with `elo0`, `elo1` and if you like `alpha`, `beta`, `model`: then the match ends when the
    test does, or after `max_pairs`. `jobs` games run at a time, by default one for each physical core. Each pair begins
    with `plies` random plies. `settings` are those of all games, as for `Player`: `move_time=0.1`, `memory="1G"`.

    With a `folder` the event and its records stay there, and the same call goes on after a stop; without one they are
    removed. A player that fails before its first move, in its first game, stops the match with a `PlayerError`, and that
    game is not kept: the same call plays it again. Games without a move count in the table, and not for Elo or the test.
    `progress` shows the number of games as one line, by default at a terminal and in a notebook. Ctrl-C ends
    the match at once and drops the games that are running.
    """
    if (pairs is None) == (sprt is None):
        raise ValueError("give either pairs or sprt")
    boards = [boards] if isinstance(boards, (str, Board)) else boards
    if not boards:
        raise ValueError("boards: name at least one")
    if folder is not None and not os.fspath(folder):
        raise ValueError("folder: expected a path, got an empty text")
    players = [_player(spec) for spec in (a, b)]
    for player in players:
        player.setdefault("name", re.sub(r"[^\w.-]", "-", Path(player["file"]).stem, flags=re.ASCII)[:38])
    if players[0]["name"] == players[1]["name"]:
        players[1]["name"] += "-2"
    plan: dict[str, Any] = {
        "boards": [board if isinstance(board, str) else board.name for board in boards],
        "plies": plies,
        "seed": seed,
        "game": _programs.dashed(settings),
        "players": players,
    }
    given = {"pairs": pairs, "max-pairs": max_pairs, "sprt": sprt if sprt is None else dict(sprt)}
    plan.update({name: value for name, value in given.items() if value is not None})
    with contextlib.ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="amazons-match-")))
        event = work / "event" if folder is None else Path(folder)
        file = work / "plan.toml"
        file.write_text("".join(f"{name} = {_toml(value)}\n" for name, value in plan.items()))
        if progress is None:
            progress = sys.stderr.isatty() or "ipykernel" in sys.modules
        run = [] if jobs is None else ["-j", str(jobs), "--force"]
        arguments = ["tournament", str(file), "--dir", str(event), "-q", *run]
        _run(arguments, event, pairs or max_pairs, progress, _Starts(event))
        return _result(event, (players[0]["name"], players[1]["name"]))


def _player(spec: PlayerSpec) -> dict[str, Any]:
    """Returns the table of a player in a plan."""
    if isinstance(spec, Mapping):
        player = _programs.dashed(spec)
        if "file" not in player:
            raise ValueError("players: a mapping needs 'file', a player's name, path or command")
        return {**_player(player["file"]), **{name: value for name, value in player.items() if name != "file"}}
    found = _programs.player(spec)
    return {"file": found if ":" in found else str(Path(found).absolute())}


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(name)} = {_toml(part)}" for name, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(os.fspath(value) if isinstance(value, os.PathLike) else value)


def _faults(event: Path, game: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the faults in the record of a game."""
    if not game["record"]:
        return []
    lines = (event / game["record"]).read_text().splitlines()
    return [line for line in map(json.loads, lines) if line["event"] == "fault"]


def _told(fault: Mapping[str, Any]) -> str:
    text = f"{fault['termination']} in {_CALLS.get(fault['call'], fault['call'])}: {fault['detail']}"
    # The logs go with a temporary folder.
    return text + (f"; it wrote: {' / '.join(fault['log_tail'][-5:])}" if fault["log_tail"] else "")


class _Starts:
    """Looks in the journal of an event for players that do not start."""

    def __init__(self, event: Path) -> None:
        self.event, self.journal = event, event / "journal.jsonl"
        self.at = self.games = 0
        self.started: set[str] = set()
        # What an earlier call has kept counts.
        self.failure()

    def failure(self) -> PlayerError | None:
        """Reads on, and returns the failure of a player that has never made a move; its game leaves the journal."""
        with contextlib.suppress(FileNotFoundError), self.journal.open("rb") as journal:
            journal.seek(self.at)
            while (line := journal.readline()).endswith(b"\n"):
                game = json.loads(line).get("game")
                if game is not None and (error := self._failure(game)) is not None:
                    return error
                self.at, self.games = self.at + len(line), self.games + (game is not None)
        return None

    def drop(self) -> None:
        """Takes the game of the failure, and what came later, out of the journal."""
        os.truncate(self.journal, self.at)

    def _failure(self, game: Mapping[str, Any]) -> PlayerError | None:
        names = dict(enumerate(game["players"], 1))
        # Before the first move, so none was made.
        faults = [] if game["moves"] or not game["at_fault"] else _faults(self.event, game)
        failed = {names[fault["player"]]: fault for fault in faults if fault["call"] in ("load", *_CALLS)}
        self.started |= set(names.values()) - failed.keys()
        for name in failed.keys() - self.started:
            fault = failed[name]
            error = PlayerError(f"{name} does not start: {_told(fault)}")
            error.kind, error.call = fault["termination"], _CALLS.get(fault["call"], fault["call"])
            error.detail, error.backtrace = fault["detail"], fault["backtrace"]
            error.signal, error.exit_code = fault["signal"], fault["exit_code"]
            return error
        return None


def _run(arguments: list[str], event: Path, pairs: int | None, progress: bool, starts: _Starts) -> None:
    """Runs the server to its end; it ends with this process, and at once when this is interrupted."""
    with tempfile.TemporaryFile("w+") as errors:
        server = subprocess.Popen(
            [_programs.SERVER, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            # Ctrl-C is for this process alone.
            start_new_session=True,
            env={**os.environ, "AMAZONS_PARENT": str(os.getpid())},
        )
        try:
            failure = _follow(server, starts, pairs, progress)
        finally:
            # What it has written so far is a valid event, as after any stop.
            server.kill()
            server.wait()
        if failure is not None:
            starts.drop()
            raise failure
        if server.returncode != 0:
            errors.seek(0)
            lines = [line.removeprefix("server: ") for line in errors.read().splitlines()] or ["the server failed"]
            words = _programs.sentence(lines[-1].removeprefix(f"{arguments[1]}: "))
            raise (ValueError if server.returncode == 2 else RuntimeError)(words)


def _follow(
    server: subprocess.Popen[bytes], starts: _Starts, pairs: int | None, progress: bool
) -> PlayerError | None:
    """Waits for the server, or for the failure of a player, and shows the number of games on standard error."""
    begun, shown, failure, is_over = time.monotonic(), 0.0, None, False
    while failure is None and not is_over:
        # Its last games may be written between two looks.
        is_over = server.poll() is not None
        failure = starts.failure()
        time.sleep(0.01)
        if progress and time.monotonic() - shown > 0.25:
            shown = time.monotonic()
            of = "" if pairs is None else f" of {2 * pairs} [{'#' * (10 * starts.games // pairs):20}]"
            print(f"\r{starts.games} games{of}, {shown - begun:.0f} s", end="", file=sys.stderr, flush=True)
    if progress:
        print("\r" + " " * 72 + "\r", end="", file=sys.stderr, flush=True)
    return failure


def _result(event: Path, players: tuple[str, str]) -> MatchResult:
    standings = json.loads((event / "standings.json").read_text())
    with (event / "games.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    own = next(player for player in standings["players"] if player["name"] == players[0])
    meeting: dict[str, Any] = next(iter(standings["meetings"]), {})
    elo, los, pairs = meeting.get("elo"), meeting.get("los"), meeting.get("pairs", [0] * 5)
    if meeting and meeting["players"][0] != players[0]:
        elo, los, pairs = None if elo is None else 0.0 - elo, None if los is None else 1 - los, pairs[::-1]
    error = meeting.get("error")
    first: dict[str, str] = {}
    for row in rows:
        if set(row["at_fault"].split()) <= first.keys():
            continue
        names = (row["first"], row["second"]) if row["game"] == "1" else (row["second"], row["first"])
        for fault in _faults(event, row):
            name, place = names[fault["player"] - 1], f"pair {row['pair']}, game {row['game']}"
            first.setdefault(name, f"{name}, {place}: {_told(fault)}")
    return MatchResult(
        players=players,
        games=own["games"],
        won=own["won"],
        lost=own["lost"],
        score=own["points"] / max(1, own["games"]),
        elo=elo,
        elo_interval=None if error is None else (elo - error, elo + error),
        los=los,
        pairs=pairs,
        sprt=standings["sprt"],
        rows=rows,
        notices=[*standings["notices"], *standings["suspicions"], *first.values()],
    )
