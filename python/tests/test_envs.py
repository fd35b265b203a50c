"""The environments, by the checks of PettingZoo and Gymnasium."""

import pickle
import warnings

import amazons
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("board", [("square", 10), ("donut", 9), ("clover", 10), ("figure-eight", 8)])
def test_pettingzoo_accepts_it(board, capsys):
    api_test(amazons.env(*board), num_cycles=300)
    api_test(amazons.raw_env(*board), num_cycles=300)
    assert capsys.readouterr().out.count("Passed API test") == 2
    seed_test(lambda: amazons.env(*board), 100)
    render_test(lambda render_mode=None: amazons.env(*board, render_mode=render_mode))


def play(env, rng):
    """Plays a random game and returns the sums of rewards."""
    env.reset(seed=1)
    total = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        legal = np.flatnonzero(info["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))
    return total


def test_the_winner_gets_one():
    rng = np.random.default_rng(3)
    results = [play(amazons.env("square", 6), rng) for _ in range(20)]
    assert {tuple(sorted(result.values())) for result in results} == {(-1, 1)}
    assert len({result["black_0"] for result in results}) == 2


def test_a_game_begins_anywhere_and_ends_after_some_cycles():
    position = amazons.Board("square", 10).position(amazons.STANDARD)
    env = amazons.env("square", 10, position=position, max_cycles=2)
    assert play(env, np.random.default_rng(1)) == {"black_0": 0, "white_0": 0}
    env.reset()
    assert env.agent_selection == "white_0" and env.unwrapped.game.position == position
    with pytest.raises(ValueError, match="the position is on c10, the environment on d9"):
        amazons.env("donut", 9, position=position)
    assert pickle.loads(pickle.dumps(amazons.raw_env("donut", 9))).start == amazons.Board("donut", 9).start()


@pytest.mark.parametrize("seat", ["black", "white", None])
def test_gymnasium_accepts_it(seat):
    env = gymnasium.make("amazons.gym:Amazons-v0", shape="donut", m=6, seat=seat)
    check_env(env.unwrapped)


@pytest.mark.parametrize("seat", ["black", "white"])
def test_the_chosen_opponent_answers(seat):
    asked = []

    def first_move(position):
        asked.append(position.side_to_move)
        return position.legal_moves()[0]

    env = amazons.GymEnv("square", 5, opponent=first_move, seat=seat)
    _, info = env.reset(seed=4)
    for seed in range(1000):
        env.action_space.seed(seed)
        planes, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        assert planes in env.observation_space and not truncated
        assert (env.action_masks() == info["action_mask"].astype(bool)).all()
        if terminated:
            break
    assert abs(reward) == 1 and (reward == 1) == (env.game.winner == seat)
    assert set(asked) == {"white" if seat == "black" else "black"}


def test_an_illegal_action_loses_and_says_why():
    env = amazons.GymEnv("square", 5, seat="black")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(12)
    assert (reward, terminated) == (-1.0, True) and info["illegal"] == "there is no queen on c3 (12)"
    raw = amazons.raw_env("square", 5)
    raw.reset()
    with pytest.raises(ValueError, match=r"action 25 is out of range: use 0 to 24"):
        raw.step(25)


def test_wrong_environments_are_refused_at_once():
    over = amazons.Board("square", 5).position("5/5/5/5/5 w")
    for make in (amazons.raw_env, amazons.GymEnv):
        with pytest.raises(ValueError, match="the position has no move"):
            make("square", 5, position=over)
        with pytest.raises(ValueError, match="unknown render mode 'bogus': use ansi or human"):
            make("square", 5, render_mode="bogus")
        with pytest.raises(gymnasium.error.ResetNeeded):
            make("square", 5).step(0)
    env = amazons.GymEnv("square", 5)
    env.reset()
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        env.step(1.5)
    with pytest.raises(ValueError, match="max_cycles: expected at least one turn of each side, got 0"):
        amazons.raw_env("square", 5, max_cycles=0)
    with pytest.raises(TypeError, match="expected an opponent"):
        amazons.GymEnv("square", 5, opponent=3)
    with pytest.raises(TypeError, match="expected a Move from the opponent, got 'a1-a2/a1'"):
        amazons.GymEnv("square", 5, opponent=lambda position: "a1-a2/a1", seat="white").reset()
