"""Random games of standard Amazons beside OpenSpiel's: legal actions, end and winner after every action."""

import os

import amazons
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
# 1,000 for a thorough run.
GAMES = int(os.environ.get("AMAZONS_GAMES", "40"))


def test_games_equal_those_of_openspiel():
    game, rng = pyspiel.load_game("amazons"), np.random.default_rng(GAMES)
    start = amazons.Board("square", 10).position(amazons.STANDARD)
    wins = [0, 0]
    for _ in range(GAMES):
        theirs, ours = game.new_initial_state(), amazons.State(start)
        while not theirs.is_terminal():
            legal = theirs.legal_actions()
            # Their first player, number 0, is White.
            assert ours.legal_actions() == legal
            assert theirs.current_player() == ("white", "black").index(ours.side_to_move) and not ours.is_over
            action = legal[rng.integers(len(legal))]
            theirs.apply_action(action)
            ours.apply(action)
        assert ours.is_over and not ours.legal_actions()
        winner = ("white", "black").index(ours.winner)
        assert theirs.returns()[winner] == 1 and theirs.returns()[1 - winner] == -1
        wins[winner] += 1
    assert min(wins) > GAMES // 8
