"""The agent in kaggle-environments, where that is installed, and on observations as that makes them."""

import json
import random

import amazons
import pytest
from amazons import kaggle


def observed(rows, player, phase=None, origin=None, target=None):
    board = [list(row) for row in rows]
    state = {"board": board, "num_rows": len(board), "num_cols": len(board[0]), "current_player": player}
    state |= {"phase": phase or "from", "from_action": origin, "to_action": target}
    return {"observationString": json.dumps(state)}


START = ["..O..O..", ".O....O.", "........", "#.......", ".......#", "........", ".X....X.", "..X..X.."]


def test_a_turn_is_three_actions_of_one_move():
    act = kaggle.agent(level=6)
    assert act({"step": 0}, {}) == {"submission": -1}
    rows = [list(row) for row in START]
    position = amazons.Board("square", 8).position("2q2q2/1q4q1/8/*7/7*/8/1Q4Q1/2Q2Q2 w - - 0 1")
    origin = act(observed(rows, "x"), {})["submission"]
    rows[origin // 8][origin % 8] = "."
    target = act(observed(rows, "x", "to", origin), {})["submission"]
    rows[target // 8][target % 8] = "X"
    arrow = act(observed(rows, "x", "shoot", origin, target), {})["submission"]
    position.push(amazons.Move(position.board, origin, target, arrow))


def test_a_level_must_exist():
    with pytest.raises(ValueError, match="level: expected 1 to 8, got 9"):
        kaggle.agent(level=9)


def test_an_agent_goes_on_from_foreign_actions():
    act = kaggle.agent(level=1)
    rows = [list(row) for row in START]
    rows[0][2] = "."
    target = act(observed(rows, "o", "to", 2), {})["submission"]
    position = amazons.Board("square", 8).position("2q2q2/1q4q1/8/*7/7*/8/1Q4Q1/2Q2Q2 b - - 0 1")
    assert any(move.origin == 2 and move.target == target for move in position.legal_moves())


def test_whole_games_in_the_package():
    environments = pytest.importorskip("kaggle_environments")

    def by_chance(observation, configuration):
        legal = observation.get("legalActions")
        return {"submission": chance.choice(legal) if legal else -1}

    chance = random.Random(1)
    for agents, rewards, more in [
        ([kaggle.agent(level=5), by_chance], [1, -1], {}),
        ([by_chance, kaggle.agent(level=5)], [-1, 1], {"openSpielGameParameters": {"board_size": 6}}),
        ([kaggle.agent(level=1), kaggle.agent(time=0.02)], [-1, 1], {}),
    ]:
        configuration = {"includeLegalActions": True, "strictMode": True, **more}
        environment = environments.make("open_spiel_amazons", configuration=configuration)
        environment.run(agents)
        assert [state.status for state in environment.state] == ["DONE", "DONE"]
        assert [state.reward for state in environment.state] == rewards
