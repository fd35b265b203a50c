"""An agent for the environment `open_spiel_amazons` of the package kaggle-environments."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from amazons._amazons import Board, Engine, Move, Position

#: OpenSpiel's cells as a position text has them: "x" moves first, from below, as White does in standard Amazons.
_CELLS = {"X": "Q", "O": "q", "#": "*"}


def agent(
    level: int | None = None, *, time: float = 1.0, seed: int = 0
) -> Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, int]]:
    """Returns an agent: the champion at a level from 1 to 8, or at full strength with `time` seconds for a turn.

    A turn is three actions, the vertices of queen, target and arrow. The agent searches at the first one; at the others
    it goes on, even from a choice that it did not make itself.
    """
    usual = Board("square", 10)
    engines = {usual: Engine(usual, level=level, seed=seed)}
    chosen: list[tuple[Position, Move]] = []

    def act(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> dict[str, int]:
        if "observationString" not in observation:
            # The environment asks once before the game begins, and ignores the answer.
            return {"submission": -1}
        state = json.loads(observation["observationString"])
        position, done = _position(state)
        if not chosen or chosen[0][0] != position or list(chosen[0][1])[: len(done)] != done:
            if position.board not in engines:
                engines[position.board] = Engine(position.board, level=level, seed=seed)
            chosen[:] = [(position, _best(engines[position.board], position, done, time))]
        return {"submission": list(chosen[0][1])[len(done)]}

    return act


def _position(state: Mapping[str, Any]) -> tuple[Position, list[int]]:
    """Returns the position before the turn, and the actions of the turn so far."""
    rows, columns = state["num_rows"], state["num_cols"]
    cells = [_CELLS.get(cell, " ") for row in state["board"] for cell in row]
    done = [action for action in (state["from_action"], state["to_action"]) if action is not None]
    mover = "Q" if state["current_player"] == "x" else "q"
    for action in done[1:]:
        cells[action] = " "
    for action in done[:1]:
        cells[action] = mover
    ranks = [groupby(cells[row * columns : (row + 1) * columns]) for row in range(rows)]
    texts = ("".join(_run(cell, len(list(run))) for cell, run in rank) for rank in ranks)
    text = "/".join(texts) + (" w" if mover == "Q" else " b") + " - - 0 1"
    return Board("square", columns).position(text), done


def _run(cell: str, length: int) -> str:
    return str(length) if cell == " " else cell * length


def _best(engine: Engine, position: Position, done: list[int], time: float) -> Move:
    """Returns the best move, or of those that begin with some actions the one after which the opponent stands worst."""
    if not done:
        return engine.play(position, time=time)
    moves = [move for move in position.legal_moves() if list(move)[: len(done)] == done]
    after = [position.copy() for _ in moves]
    for there, move in zip(after, moves, strict=True):
        there.push(move)
    return moves[int(engine.values(after).argmin())]
