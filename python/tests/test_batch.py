"""Staged states and batches, against the rules in Python and against one another."""

import copy
import os
import pickle
import subprocess
from multiprocessing import shared_memory

import amazons
import numpy as np
import pytest
from amazons import PLANES, Batch, Board, State
from amazons._programs import SERVER

BOARDS = ["c5", "c6", "c10", "d6", "d9", "t5", "t10", "8-5", "8-8"]
# 10,000 for a thorough run.
GAMES = int(os.environ.get("AMAZONS_GAMES", "450"))


def seen(cells, at):
    """Returns what a queen sees: `cells` maps (row, column) to whether it is free; the slow twin of the rules."""
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            row, column = at[0] + down, at[1] + right
            while (down or right) and cells.get((row, column)):
                yield row, column
                row, column = row + down, column + right


def slow_actions(state):
    """Returns the legal actions by the rules as a beginner would write them."""
    array, columns = state.position.array(), state.board.columns
    cells = {(row, column): array[row, column] == 0 for row, column in np.ndindex(array.shape)}
    own = 1 if state.side_to_move == "black" else 2
    place = lambda vertex: divmod(vertex, columns)  # noqa: E731
    if state.phase == 0:
        found = [at for at in np.ndindex(array.shape) if array[at] == own and any(seen(cells, at))]
    elif state.phase == 1:
        found = seen(cells, place(state.origin))
    else:
        cells[place(state.origin)] = True
        found = seen(cells, place(state.target))
    return sorted(int(row * columns + column) for row, column in found)


@pytest.mark.parametrize("name", BOARDS)
def test_states_follow_the_slow_twin(name):
    batch = Batch(Board.from_name(name).start(), 2, seed=5)
    while (batch.winners() < 0).any():
        masks = batch.masks()
        for state, mask in zip(batch, masks, strict=True):
            expected = slow_actions(state)
            # Ascending, as OpenSpiel has them.
            assert state.legal_actions() == expected == np.flatnonzero(mask).tolist()
            assert state.mask().tolist() == mask.tolist() and state.is_over == (not expected)
        batch.step(batch.sample())


@pytest.mark.parametrize("name", BOARDS)
def test_random_games_have_the_moves_that_the_server_lists(name):
    """The server lists whole moves; a game is made of stages."""
    board = Board.from_name(name)
    size = ["-t", name[0], "-m", name[1:].lstrip("-")]
    batch = Batch(board.start(), -(-GAMES // len(BOARDS)), seed=GAMES)
    asked, turn = [], 0
    while (batch.winners() < 0).any():
        # Each game at a few of its positions, and at its end.
        asked += [game.position for index, game in enumerate(batch) if (index + turn) % 8 == 0 or game.is_over]
        for _ in range(3):
            batch.step(batch.sample())
        turn += 1
        batch.reset((batch.winners() >= 0) & (turn < 5))
    asked += [game.position for game in batch]
    texts = "".join(f"{position}\n" for position in asked)
    told = subprocess.run([SERVER, "moves", "--stdin", *size], input=texts, capture_output=True, text=True, check=True)
    for position, line in zip(asked, told.stdout.splitlines(), strict=True):
        count, _, moves = line.partition("\t")
        ours = [str(move) for move in position.legal_moves()]
        assert (len(ours), sorted(ours)) == (int(count), sorted(moves.split())) and position.is_over == (not ours)
        assert sorted(staged(position)) == sorted(tuple(move) for move in position.legal_moves())


def staged(position):
    """Yields every turn that three actions make."""
    state = State(position)
    for origin in state.legal_actions():
        state.apply(origin)
        for target in state.legal_actions():
            state.apply(target)
            yield from ((origin, target, arrow) for arrow in state.legal_actions())
            state.undo()
        state.undo()


def test_actions_are_undone_across_turns():
    state = State(Board("donut", 9).start())
    first, seen_before = state.position, []
    for turn in range(30):
        seen_before.append((state.position, state.phase, state.origin, state.target))
        state.apply(state.legal_actions()[turn % 3 % len(state.legal_actions())])
    while seen_before:
        state.undo()
        assert seen_before.pop() == (state.position, state.phase, state.origin, state.target)
    assert state.position == first
    with pytest.raises(IndexError, match="no action was applied"):
        state.undo()


def test_whole_turns_equal_stages():
    start = Board("clover", 10).start()
    whole, stages = Batch(start, 7, seed=1), Batch(start, 7, seed=1)
    rng = np.random.default_rng(1)
    while (whole.winners() < 0).any():
        offsets, moves = whole.moves()
        assert offsets.shape == (8,) and moves.shape == (offsets[7], 3) and moves.dtype == np.int32
        chosen = np.zeros((7, 3), np.int32)
        for game in range(7):
            own = moves[offsets[game] : offsets[game + 1]]
            assert own.tolist() == [list(move) for move in whole[game].position.legal_moves()]
            if len(own):
                chosen[game] = own[rng.integers(len(own))]
        whole.play(chosen)
        for action in chosen.T:
            stages.step(action.astype(np.int64))
        assert [str(game.position) for game in whole] == [str(game.position) for game in stages]
        assert whole.sides().tolist() == stages.sides().tolist() and not stages.phases().any()
    assert set(whole.winners().tolist()) <= {0, 1}


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads):
    batch = Batch(Board("square", 6).start(), 50, seed=9, threads=threads)
    for _ in range(40):
        batch.step(batch.sample())
    positions = [str(game.position) for game in batch]
    wins = batch.playouts(20)
    assert [str(game.position) for game in batch] == positions and wins.dtype == np.int32
    digest = (positions[17], wins.sum(), batch.observations().sum(), batch.masks().sum())
    assert test_threads_change_nothing.__dict__.setdefault("digest", digest) == digest


def test_playouts_are_fair_and_finish_a_turn():
    batch = Batch(Board("square", 6).start(), 64, seed=2)
    batch.step(batch.sample())
    share = batch.playouts(100).sum() / 6400
    assert 0.4 < share < 0.6 and (batch.phases() == 1).all()
    over = Batch(amazons.Position.from_text("q*3/**3/5/5/4Q b"), 2)
    assert over.playouts(3).tolist() == [0, 0] and over.sample().tolist() == [-1, -1] and over.winners().tolist() == [1, 1]


def digest(batch):
    """Plays on by the batch's own random numbers."""
    for _ in range(20):
        batch.step(batch.sample())
    return [str(state.position) for state in batch], batch.playouts(3).tolist(), batch.phases().tolist()


@pytest.mark.parametrize("name", ["c6", "d9"])
def test_copies_go_on_alike(name):
    batch = Batch(Board.from_name(name).start(), 9, seed=4, threads=2)
    digest(batch)
    copies = [batch.copy(), copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    expected = digest(batch)
    assert [digest(same) for same in copies] == [expected] * 4
    # What a copy did changed nothing here, and all begin again alike.
    for same in (batch, *copies):
        same.reset()
    assert [digest(same) for same in copies] == [digest(batch)] * 4


def test_a_batch_has_several_starts():
    board = Board("square", 6)
    one, two = board.start(), board.start()
    two.push(two.legal_moves()[9])
    three = State(two)
    three.apply(three.legal_actions()[1])
    batch = Batch([one, two, three], 7, seed=3)
    starts = [State(one), State(two), three]
    assert [*batch] == [starts[index % 3] for index in range(7)] and len(Batch([one, two])) == 2
    assert len(Batch(three, 2)) == 2 and Batch(three, 2)[1] == three
    for _ in range(3):
        batch.step(batch.sample())
    assert [state.phase for state in batch] == [0, 0, 1, 0, 0, 1, 0]
    played = batch[4]
    assert played.position.moves[0] == two.moves[0] and len(played.position.moves) == 2
    batch[0] = played
    batch[-1] = one
    assert batch[0] == played and batch[6] == State(one)
    again = pickle.loads(pickle.dumps(batch))
    for same in (batch, again):
        same.reset()
        assert [*same] == [played, *[starts[index % 3] for index in range(1, 6)], starts[0]]
    # A game goes to the formats of files with its moves.
    game = amazons.Game(one)
    for move in played.position.moves:
        game.push(move)
    assert game.position == played.position


def test_lists_and_other_whole_numbers_are_actions():
    batch = Batch(Board("square", 6).start(), 4)
    actions = batch.sample()
    for given in (actions.tolist(), actions.astype(np.int32), actions.astype(np.uint8), np.repeat(actions, 2)[::2]):
        batch.reset()
        batch.step(given)
        assert [state.origin for state in batch] == actions.tolist()
    batch.reset([True, False, True, False])
    assert batch.phases().tolist() == [0, 1, 0, 1]


def judge(planes):
    """Knows nothing: all actions alike, even chances."""
    return np.ones((len(planes), planes[0, 0].size)), np.full(len(planes), 0.5)


def test_a_search_visits_legal_actions():
    batch, sizes = Batch(Board("donut", 9).start(), 5, seed=1, threads=2), []
    batch.step(batch.sample())
    before = [*batch]

    def evaluate(planes):
        assert planes.dtype == np.float32 and planes.shape[1:] == (len(PLANES), 9, 9)
        sizes.append(len(planes))
        # The batch is free meanwhile.
        assert len(batch.masks()) == 5
        return judge(planes)

    visits, values = batch.search(evaluate, 30)
    assert visits.shape == (5, 81) and visits.dtype == np.int32 and (visits.sum(1) == 30).all()
    assert not visits[batch.masks() == 0].any() and values.dtype == np.float32 and np.allclose(values, 0.5)
    assert sizes == [5] * 31 and [*batch] == before
    assert (batch.search(evaluate, 30)[0] == visits).all()


def test_a_search_finds_a_win_and_sees_a_loss():
    board = Board.rectangle(5, 1)
    # Black wins with its queen or its arrow on d1.
    won, over = board.position("q3Q b"), board.position("q*1*Q b")
    batch = Batch([won, over])
    visits, values = batch.search(judge, 400)
    assert not visits[1].any() and values[1] == 0
    assert visits[0].tolist() == [400, 0, 0, 0, 0] and values[0] > 0.8
    for action in best_line(batch):
        assert batch[0].winner is None
        batch.step([action, 0])
    assert batch[0].winner == "black"


def best_line(batch):
    """Plays the turn that the search likes best."""
    some = Batch(batch[0])
    for _ in range(3):
        action = int(some.search(judge, 200)[0][0].argmax())
        some.step([action])
        yield action


def test_priors_noise_and_values_lead_a_search():
    start = Board("square", 6).start()
    batch = Batch(start, 2)
    legal = batch[0].legal_actions()

    def likes(action):
        policy = np.full((2, 36), 1e-6)
        policy[:, action] = 1
        return policy

    visits, _ = batch.search(lambda planes: (likes(legal[2])[: len(planes)], np.full(len(planes), 0.5)), 10)
    assert (visits.argmax(1) == legal[2]).all()
    noise = likes(legal[0])
    noise[1] = likes(legal[1])[1]
    visits, _ = batch.search(judge, 40, noise=noise)
    assert visits.argmax(1).tolist() == legal[:2]
    # The value is that of the side to move, which is the same side within a turn.
    chances = iter([0.5, 0.9, 0.1, 0.1, 0.1])

    def first_is_good(planes):
        return np.ones((1, 36)), np.array([next(chances)])

    visits, values = Batch(start).search(first_is_good, 4, exploration=5)
    assert visits.sum() == 4 and abs(values[0] - np.mean([0.5, 0.9, 0.1, 0.1, 0.1])) < 1e-6


def test_an_interrupt_ends_a_search():
    def evaluate(planes):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Batch(Board("square", 6).start(), 2).search(evaluate, 10)


def test_arrays_are_written_in_place_and_in_shared_memory():
    batch = Batch(Board("donut", 6).start(), 4)
    block = shared_memory.SharedMemory(create=True, size=4 * 36)
    masks = np.ndarray((4, 36), np.int8, block.buf)
    assert batch.masks(masks) is masks and (masks == batch.masks()).all() and masks.any()
    masks = None
    block.close()
    block.unlink()


def test_a_golden_observation():
    state = State(amazons.Position.from_text("1q3/5/2*2/5/3Q1 w"))
    for square in ("d1", "d3"):
        state.apply(state.board.vertex(square))
    planes = dict(zip([name for name, _ in PLANES], state.observation(), strict=True))
    ones = {name: [state.board.square(int(at)) for at in np.flatnonzero(plane)] for name, plane in planes.items()}
    everywhere = [state.board.square(vertex) for vertex in range(25)]
    assert ones == {
        "own queens": ["d1"],
        "other queens": ["b5"],
        "arrows": ["c3"],
        "holes": [],
        "side to move": [],
        "choose queen": [],
        "choose target": [],
        "choose arrow": everywhere,
        "origin": ["d1"],
        "target": ["d3"],
    }
    holes = State(Board("donut", 6).start()).observation()
    assert np.flatnonzero(holes[3]).tolist() == Board("donut", 6).holes and holes[4].all() and holes[5].all()
