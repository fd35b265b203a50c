"""Staged states and batches, against the rules in Python and against one another."""

import os
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
            assert sorted(state.legal_actions()) == expected == np.flatnonzero(mask).tolist()
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
