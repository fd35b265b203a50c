"""The engine: results, limits, streams, stops, interrupts, forks."""

import copy
import itertools
import math
import os
import pickle
import signal
import threading
import time

import amazons
import numpy as np
import pytest

BOARD = amazons.Board("square", 6)


@pytest.fixture
def engine():
    return amazons.Engine(BOARD, memory=64 << 20)


@pytest.fixture
def interrupted():
    """Returns how long a call computes on after Ctrl-C, in seconds of processor time."""

    def measure(call):
        def press():
            pressed.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

        pressed = []
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.1, press).start()
            call()
        return time.process_time() - pressed[0]

    return measure


def soon(measured):
    """The best of some tries must be within 50 ms: a busy machine changes nothing."""
    return min(measured() for _ in range(3)) < 0.05


def test_an_analysis_has_lines_that_can_be_played(engine):
    position = BOARD.start()
    analysis = engine.analyse(position, nodes=3000, multipv=3, ownership=True)
    assert analysis.nodes >= 3000 and analysis.depth > 2 and 0 < analysis.chance < 1 and analysis.winner is None
    assert len(analysis.lines) == 3 and analysis.lines[0].moves[0] == analysis.best
    assert sum(line.visits for line in analysis.lines) <= analysis.nodes
    for line in analysis.lines:
        after = position.copy()
        for move in line.moves:
            after.push(move)
    assert analysis.ownership.shape == (2, 6, 6) and analysis.ownership.dtype == np.float32
    assert (analysis.ownership.sum(axis=0) <= 1).all() and analysis.ownership.max() > 0.3
    assert repr(analysis).startswith(f"<Analysis {analysis.best}, ")


def test_nodes_give_the_same_result_again(engine):
    results = [engine.analyse(BOARD.start(), nodes=2000).lines[0] for _ in range(2)]
    assert repr(results[0]) == repr(results[1])


def test_a_proven_win_and_a_lost_position():
    board = amazons.Board.rectangle(4, 1)
    engine = amazons.Engine(board)
    won = engine.analyse(board.position("q2Q b - - 0 1"))
    assert (won.chance, won.winner) == (1, "black") and str(won.best).startswith("a1-c1/")
    lost = board.position("q*1Q b - - 0 1")
    analysis = engine.analyse(lost)
    assert (analysis.best, analysis.chance, analysis.winner, analysis.lines) == (None, 0, "white", [])
    with pytest.raises(ValueError, match="the game is over: black cannot move"):
        engine.play(lost)


def test_a_level_is_weak_and_depends_on_the_seed():
    position = amazons.Board("square", 10).start()
    made = [amazons.Engine(position.board, level=level, seed=seed) for level in (1, 8) for seed in range(4)]
    analyses = [engine.analyse(position) for engine in made]
    assert all(analysis.nodes <= 2000 and position.is_legal(analysis.best) for analysis in analyses)
    assert len({str(analysis.best) for analysis in analyses[:4]}) > 1
    assert repr(made[0].analyse(position)) == repr(analyses[0])


def test_time_is_that_of_the_clock_on_the_wall(engine):
    begun = time.perf_counter()
    analysis = engine.analyse(BOARD.start(), time=0.2)
    assert 0.15 < analysis.time <= time.perf_counter() - begun


def test_a_stream_ends_with_the_final_result(engine):
    ended = list(engine.stream(BOARD.start(), time=0.2, every=0.05))
    cut = list(itertools.islice(engine.stream(BOARD.start(), time=math.inf, every=0.05), 3))
    for results in (ended, cut):
        nodes = [result.nodes for result in results]
        assert nodes and nodes == sorted(nodes)
    for _ in engine.stream(BOARD.start(), time=math.inf, every=0.05):
        break
    stream = engine.stream(BOARD.start(), time=math.inf)
    with pytest.raises(RuntimeError, match="the engine is busy"):
        engine.play(BOARD.start(), nodes=1)
    stream.close()
    stream.close()
    assert list(stream) == []
    engine.play(BOARD.start(), nodes=1)


def test_stop_ends_an_analysis_from_another_thread(engine):
    engine.stop()
    threading.Timer(0.1, lambda: (engine.stop(), engine.stop())).start()
    assert engine.analyse(BOARD.start(), time=math.inf).best is not None
    results = []
    thread = threading.Thread(target=lambda: results.append(engine.analyse(BOARD.start(), nodes=100)))
    thread.start()
    thread.join()
    assert results[0].nodes >= 100


def test_control_c_ends_every_long_call(engine, interrupted):
    position = BOARD.start()
    assert soon(lambda: interrupted(lambda: engine.analyse(position, time=math.inf)))
    assert soon(lambda: interrupted(lambda: list(engine.stream(position, time=math.inf))))
    assert soon(lambda: interrupted(lambda: engine.values(position for _ in iter(int, 1))))
    assert engine.play(position, nodes=1)


def test_a_fork_has_an_engine_of_its_own(engine):
    stream = engine.stream(BOARD.start(), time=math.inf)
    child = os.fork()
    if child == 0:
        good = False
        try:
            with pytest.raises(RuntimeError, match="belongs to the process before the fork"):
                next(stream)
            del stream
            good = engine.analyse(BOARD.start(), nodes=100).best is not None
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert next(stream).nodes > 0


def test_values_are_chances_of_the_side_to_move(engine):
    position = BOARD.start()
    positions = [position.copy()]
    while not position.is_over:
        position.push(position.legal_moves()[0])
        positions.append(position.copy())
    values = engine.values(iter(positions * 100))
    assert values.shape == (100 * len(positions),) and values.dtype == np.float32
    assert values[len(positions) - 1] == 0 and (values[: len(positions) - 1] > 0).all() and values.max() < 1
    assert engine.values([]).shape == (0,)
    alone = [engine.values([one])[0] for one in positions]
    assert (values.reshape(100, -1) == alone).all()


@pytest.mark.parametrize("shape", ["square", "donut", "clover", "figure-eight"])
def test_every_shape_can_be_analysed(shape):
    board = amazons.Board(shape, 8)
    analysis = amazons.Engine(board, threads=2).analyse(board.start(), nodes=200, ownership=True)
    assert board.start().is_legal(analysis.best)
    assert analysis.ownership.shape == (2, board.rows, board.columns)
    assert all(analysis.ownership[:, hole // board.columns, hole % board.columns].sum() == 0 for hole in board.holes)


def test_wrong_arguments_are_refused(engine):
    position = BOARD.start()
    for name, wrong in [("nodes", 0), ("nodes", -1), ("depth", 0), ("depth", 2**40), ("multipv", 0), ("multipv", -3)]:
        with pytest.raises(ValueError, match=f"^{name}: expected 1 to [0-9]+, got {wrong}$"):
            engine.analyse(position, **{name: wrong})
    for wrong in (0, -1, math.nan, 1e300):
        with pytest.raises(ValueError, match="^time: expected seconds above 0, at most 1e9, got "):
            engine.analyse(position, time=wrong)
    with pytest.raises(ValueError, match="^every: expected seconds above 0"):
        engine.stream(position, every=0)
    begun = amazons.State(position)
    begun.apply(begun.legal_actions()[0])
    with pytest.raises(ValueError, match="a turn has begun"):
        engine.values([begun])
    with pytest.raises(ValueError, match="another board"):
        engine.analyse(amazons.Board("square", 7).start())
    with pytest.raises(TypeError):
        engine.values([position, "position"])
    for settings in [("level", 0), ("level", 9), ("threads", 0), ("threads", 5000), ("memory", 1), ("memory", -1), ("seed", -1)]:
        with pytest.raises(ValueError, match=f"^{settings[0]}: expected [0-9]+ to [0-9]+, got {settings[1]}$"):
            amazons.Engine(BOARD, **dict([settings]))


def test_a_pickled_engine_is_the_same():
    engine = amazons.Engine(BOARD, level=3, seed=5, memory=64 << 20)
    copies = [pickle.loads(pickle.dumps(engine)), copy.deepcopy(engine)]
    assert {str(same.play(BOARD.start())) for same in [engine, *copies]} == {str(engine.play(BOARD.start()))}
    batch = amazons.Batch(BOARD.start(), 3)
    for _ in range(3):
        batch.step(batch.sample())
    assert (engine.values(batch) == engine.values([state.position for state in batch])).all()
