"""The environments, by the checks of PettingZoo and Gymnasium."""

import copy
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


@pytest.mark.parametrize("make", [amazons.raw_env, amazons.env])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_an_environment_are_in_the_same_game(make, copied):
    env = make("square", 6)
    env.reset(seed=1)
    for _ in range(4):
        env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
    same = copied(env)
    before, state = env.last(), env.unwrapped.game.copy()
    assert same.agent_selection == env.agent_selection and same.unwrapped.game == state
    assert (same.last()[0] == before[0]).all() and (same.last()[4]["action_mask"] == before[4]["action_mask"]).all()
    for agent in same.agent_iter():
        _, reward, terminated, _, info = same.last()
        same.step(None if terminated else int(np.flatnonzero(info["action_mask"])[-1]))
    assert same.unwrapped.game.is_over and env.unwrapped.game == state and env.last()[1:4] == before[1:4]


@pytest.mark.parametrize("opponent", ["random", amazons.Engine(amazons.Board("square", 5), level=1)])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_one_side_play_on_alike(opponent, copied):
    env = amazons.GymEnv("square", 5, opponent=opponent, seat="white")
    env.reset(seed=3)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    same = copied(env)

    def rest(env):
        results = []
        while not env.is_over:
            results.append(env.step(int(np.flatnonzero(env.action_masks())[0]))[1:3])
        return results, str(env.game.position)

    assert rest(same) == rest(env)


def test_a_copy_plays_on_against_a_player():
    player = amazons.Player("random", amazons.Board("square", 5), seed=4, move_time=0.5)
    env = amazons.GymEnv("square", 5, opponent=player, seat="white")
    env.reset(seed=3)
    same = copy.deepcopy(env)
    for one in (env, same):
        while not one.is_over:
            one.step(int(np.flatnonzero(one.action_masks())[0]))
    assert same.game.is_over and pickle.loads(pickle.dumps(player)).name == player.name


def test_a_game_that_is_over_stays_over():
    env = amazons.GymEnv("square", 5, seat="black")
    env.reset(seed=1)
    assert env.step(0)[1:3] == (-1.0, True)
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over"):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    env.reset(seed=1)
    while not env.step(int(np.flatnonzero(env.action_masks())[0]))[2]:
        pass
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over"):
        env.step(0)
    env.reset()
    assert not env.step(int(np.flatnonzero(env.action_masks())[0]))[2]


@pytest.mark.parametrize("made", [lambda mode: amazons.env("donut", 6, render_mode=mode), lambda mode: amazons.GymEnv("donut", 6, render_mode=mode)])
def test_an_environment_draws_itself(made):
    env = made("rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (192, 192, 3) and picture.dtype == np.uint8
    board, cells = env.unwrapped.game.board, picture.reshape(6, 32, 6, 32, 3).swapaxes(1, 2).reshape(36, -1)
    looks = {}
    for vertex, cell in enumerate(cells):
        kind = env.unwrapped.game.position.array().reshape(-1)[vertex]
        looks.setdefault(cell.tobytes(), set()).add(int(kind))
    # No two kinds of cells look alike.
    assert all(len(kinds) == 1 for kinds in looks.values()) and len(board.holes) > 0


def test_a_vector_environment_plays_both_sides():
    env = gymnasium.make_vec(
        "amazons.gym:AmazonsSelfPlay-v0", num_envs=16, vectorization_mode="vector_entry_point", shape="square", m=5
    )
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(16, np.int64))
    planes, infos = env.reset(seed=1)
    rng, ended = np.random.default_rng(1), []
    for _ in range(200):
        assert planes in env.observation_space and infos["action_mask"].shape == (16, 25)
        actions = (infos["action_mask"] * rng.random((16, 25))).argmax(1)
        sides, states = infos["side"], [*env.unwrapped.batch]
        planes, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any() and (rewards == terminated).all()
        for index in np.flatnonzero(terminated):
            last = states[index]
            last.apply(actions[index])
            assert last.is_over and last.winner == ("black", "white")[sides[index]]
            assert (infos["final_obs"][index] == last.observation()).all() and infos["_final_obs"][index]
            assert env.unwrapped.batch[int(index)] == amazons.State(env.unwrapped.batch.board.start())
            ended.append(sides[index])
    assert len(ended) > 30 and set(ended) == {0, 1}
    before = [*env.unwrapped.batch]
    with pytest.raises(ValueError, match="game 0: action 99 is out of range"):
        env.step(np.full(16, 99))
    assert [*env.unwrapped.batch] == before


def test_wrong_environments_are_refused_at_once():
    over = amazons.Board("square", 5).position("5/5/5/5/5 w")
    for make in (amazons.raw_env, amazons.GymEnv):
        with pytest.raises(ValueError, match="the position has no move"):
            make("square", 5, position=over)
        with pytest.raises(ValueError, match="unknown render mode 'bogus': use ansi, human, rgb_array"):
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
