"""Bad input: one clear exception each, and nothing is left behind."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import amazons
import gymnasium
import numpy as np
import pytest
from amazons import Batch, Board, Game, Move, Position, State

BOARD = Board("square", 6)
START = BOARD.start()
BATCH = Batch(START, 3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Board("x", 10), ValueError, "unknown board shape 'x': use c (square), d (donut), t (clover) or 8"),
        (lambda: Board("c", 4), ValueError, "board size 4 is out of range: use 5 to 1000"),
        (lambda: Board("c", -1), ValueError, "board size -1 is out of range: use 5 to 1000"),
        (lambda: Board("c", "10"), TypeError, "'str' object cannot be interpreted as an integer"),
        (lambda: Board("c"), TypeError, "missing 1 required positional argument: 'm'"),
        (lambda: Board.rectangle(0, 3), ValueError, "columns: expected 1 to 1000, got 0"),
        (lambda: Board.from_name("z9"), ValueError, "unknown board 'z9': use a shape and a size such as c10"),
        (lambda: BOARD.square(36), ValueError, "36 is not a vertex of the board"),
        (lambda: BOARD.vertex("z9"), ValueError, "column 1: "),
        (lambda: BOARD.position("foo"), ValueError, "column 1: unexpected 'f': ranks hold q, Q, *"),
        (lambda: BOARD.position("5/5/5/5/5 w"), ValueError, "there are 5 ranks, expected 6"),
        (lambda: START.push("a1-a2/a3"), ValueError, "there is no queen on a1 (30)"),
        (lambda: START.push(3), TypeError, "expected a Move or its text, got int"),
        (lambda: START.push(None), TypeError, "expected a Move or its text, got NoneType"),
        (lambda: START.push(Board("c", 5).start().legal_moves()[0]), ValueError, "the move belongs to another board"),
        (lambda: START.push(Move(BOARD, 2**32 - 1, 0, 0)), ValueError, "is not a vertex of the board"),
        (lambda: START.queens("red"), ValueError, "unknown colour 'red': use black or white"),
        (lambda: START.legal_moves()["a"], TypeError, "expected an index or a slice, got str"),
        (lambda: Position(), TypeError, "cannot create 'amazons.Position' instances"),
        (lambda: START.array(np.zeros((6, 6))), TypeError, "out: expected a NumPy array of int8"),
        (lambda: START.array(np.zeros((6, 5), np.int8)), ValueError, "out: expected a C-contiguous array of shape [6, 6]"),
        (lambda: START.array(np.zeros((6, 12), np.int8)[:, ::2]), ValueError, "out: expected a C-contiguous array"),
        (lambda: START.array(read_only((6, 6))), ValueError, "out: "),
        (lambda: State(START).apply(36), ValueError, "action 36 is out of range: use 0 to 35"),
        (lambda: State(START).apply(-1), ValueError, "action -1 is out of range: use 0 to 35"),
        (lambda: State(START).apply(14), ValueError, "there is no queen on c4 (14)"),
        (lambda: State(Position.from_text("q*3/**3/5/5/q3Q b")).apply(0), ValueError, "the queen on a5 (0) cannot move"),
        (lambda: Batch(START, 0), ValueError, "n: expected 1 to "),
        (lambda: Batch(START, -1), ValueError, "n: expected 1 to 18446744073709551615, got -1"),
        (lambda: Batch(START, 1, seed=-1), ValueError, "seed: expected 0 to 18446744073709551615, got -1"),
        (lambda: Batch(START, 1, seed=2**70), ValueError, f"seed: expected 0 to 18446744073709551615, got {2**70}"),
        (lambda: Batch(START, 1, threads=0), ValueError, "threads: expected 1 to "),
        (lambda: Batch([]), ValueError, "start: expected at least one position"),
        (lambda: Batch([START, Board("c", 5).start()]), ValueError, "a batch has one board: c6 and c5 differ"),
        (lambda: Batch(BOARD, 3), TypeError, "start: expected a Position, a State or a list of them, got Board"),
        (lambda: BATCH.playouts(-1), ValueError, "count: expected 0 to 2147483647, got -1"),
        (lambda: BOARD.square(-1), ValueError, "vertex: -1 is not a vertex of the board"),
        (lambda: Board.rectangle(-1, 5), ValueError, "columns: expected 1 to 1000, got -1"),
        (lambda: Board("c", 10**30), ValueError, f"board size {10**30} is out of range: use 5 to 1000"),
        (lambda: Move(BOARD, -1, 1, 9), ValueError, "origin: -1 is not a vertex of the board"),
        (lambda: Move(BOARD, 0, 1, 99), ValueError, "arrow: 99 is not a vertex of the board"),
        (lambda: START.perft(-1), ValueError, "depth: expected 0 to 4294967295, got -1"),
        (lambda: State(START).apply(10**20), ValueError, f"action {10**20} is out of range: use 0 to 35"),
        (lambda: State(START).apply(-1), ValueError, "action -1 is out of range: use 0 to 35"),
        (lambda: Game(START).at(-1), ValueError, "ply: expected 0 to 0, got -1"),
        (lambda: Game(START).push(START.legal_moves()[0], value=3), ValueError, "value: expected -1 to 1, got 3"),
        (lambda: Game.from_bytes(b"", "sgf", -1), ValueError, "number: expected 1 to "),
        (lambda: BATCH.step(np.zeros(3)), TypeError, "actions: expected an array of int64, got float64"),
        (lambda: BATCH.play([[2**40, 0, 0]] * 3), ValueError, "moves: a number does not fit into int32"),
        (lambda: BATCH.reset(np.ones(3, np.int8)), TypeError, "which: expected an array of bool, got int8"),
        (lambda: BATCH.step(np.zeros(4, np.int64)), ValueError, "actions: expected a C-contiguous array of shape [3], got [4]"),
        (lambda: BATCH.search(lambda planes: (np.ones((3, 36)), np.full(3, -0.5)), 1), ValueError, "values: expected chances of the side to move, 0 to 1, got -0.5"),
        (lambda: BATCH.search(lambda planes: (np.full((3, 36), np.nan), np.ones(3)), 1), ValueError, "policy: expected weights of actions from 0, got NaN"),
        (lambda: BATCH.search(lambda planes: (np.ones(3), np.ones(3)), 1), ValueError, "policy: expected a C-contiguous array of shape [3, 36], got [3]"),
        (lambda: BATCH.search(None, 0), ValueError, "simulations: expected 1 to 2147483647, got 0"),
        (lambda: BATCH.search(None, 1, exploration=-1), ValueError, "exploration: expected a number from 0, got -1"),
        (lambda: amazons.Player("random", BOARD, seed=-1), ValueError, "seed: expected 0 to "),
        (lambda: BATCH.step(np.full(3, 99)), ValueError, "game 0: action 99 is out of range: use 0 to 35"),
        (lambda: BATCH.play(np.full((3, 3), -7, np.int32)), ValueError, "game 0: -7 is not a vertex of the board"),
        (lambda: BATCH.reset(np.zeros(2, bool)), ValueError, "which: expected a C-contiguous array of shape [3], got [2]"),
        (lambda: Batch(START, 10**12), MemoryError, "a batch of 1000000000000 games does not fit into the memory"),
        (lambda: Batch(START, 2**62), MemoryError, "does not fit into the memory"),
        (lambda: amazons.GymEnv("c", 6).step(1.5), gymnasium.error.ResetNeeded, "reset the environment before its first step"),
        (lambda: BATCH[3], IndexError, "no game 3: the batch has 3"),
        (lambda: BATCH[-(10**30)], IndexError, f"no game -{10**30}: the batch has 3"),
        (lambda: BATCH.__setitem__(0, Board("c", 5).start()), ValueError, "a batch has one board: c6 and c5 differ"),
        (lambda: amazons._amazons._board(2, "c5"), ValueError, "the pickle has format 2: this version of amazons reads 1"),
        (lambda: amazons._amazons._position(9, BOARD, "", []), ValueError, "the pickle has format 9"),
        (lambda: amazons._amazons._state(0, START, []), ValueError, "the pickle has format 0: this version of amazons reads 2"),
        (lambda: Game.from_bytes(b"(;", "sgf"), ValueError, "line 1, column "),
        (lambda: Game.from_bytes(b"", "png"), ValueError, "'png' cannot be read"),
        (lambda: Game(START).to_bytes("doc"), ValueError, "unknown format 'doc': use json, sgf, pgn"),
        (lambda: Game(START).end("black", "no_moves"), ValueError, "a player cannot move, but it can"),
        (lambda: Game(START).end("black", "nap"), ValueError, "unknown ending 'nap'"),
        (lambda: Game(START).push(START.legal_moves()[0], seconds=-1.0), ValueError, "seconds: expected a time from 0, got -1"),
        (lambda: Board("c", 400).start().legal_moves(), ValueError, "legal moves, a list holds 4194304 at most"),
        (lambda: Batch(Board("c", 400).start(), 1).moves(), ValueError, "legal moves, a list holds 4194304 at most"),
        (lambda: amazons.GymEnv("c", 5, opponent="boss"), ValueError, "unknown opponent 'boss'"),
        (lambda: amazons.nothing, AttributeError, "module 'amazons' has no attribute 'nothing'"),
    ],
)
def test_one_clear_exception(call, error, text):
    before = str(START)
    with pytest.raises(error) as raised:
        call()
    assert text in str(raised.value) and "\n" not in str(raised.value)
    assert str(START) == before and not BATCH.phases().any()


def read_only(shape):
    array = np.zeros(shape, np.int8)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "call", ["position.perft(9)", "huge.perft(2)", "[amazons.Board('c', 1000) for _ in range(9)]", "amazons.Batch(position, 512).playouts(10**6)", "amazons.Batch(huge, 2).playouts(10**5)"]
)
def test_ctrl_c_ends_long_calls(call):
    """The processor time from the signal to the exception, as the child measures it: the best of some tries."""
    child = f"""
import amazons, signal, sys, time
position, huge = amazons.Board("square", 10).start(), amazons.Board("square", 200).start()
def handler(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGPROF, handler)
signal.setitimer(signal.ITIMER_PROF, 0.2)
begun = time.process_time()
try:
    {call}
except KeyboardInterrupt:
    print(time.process_time() - begun - 0.2)
"""
    late = [float(subprocess.check_output([sys.executable, "-c", child], text=True)) for _ in range(3)]
    assert min(late) < 0.05, late


def test_other_threads_may_use_an_object_and_learn_that_it_is_busy():
    batch, busy = Batch(Board("square", 10).start(), 256, seed=1), []
    worker = threading.Thread(target=lambda: batch.playouts(20))
    worker.start()
    while worker.is_alive():
        try:
            batch.masks()
        except RuntimeError as error:
            busy.append(str(error))
            time.sleep(0.001)
    worker.join()
    assert set(busy) == {"another thread uses this batch: make one for each thread"} and batch.masks().any()


def test_other_threads_may_change_a_position_while_it_is_counted():
    position, failures = Board("square", 10).start(), []
    move = position.legal_moves()[0]
    before, over = str(position), threading.Event()

    def change():
        while not over.is_set():
            try:
                position.push(move)
                position.pop()
            except RuntimeError as error:
                failures.append(error)

    worker = threading.Thread(target=change)
    worker.start()
    assert position.perft(2) > 0
    over.set()
    worker.join()
    assert not failures and str(position) == before


def test_too_large_an_array_is_a_memory_error():
    child = """
import amazons, resource
board = amazons.Board("square", 300)
batch = amazons.Batch(board.start(), 300)
used = 4096 * int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20), used + (256 << 20)))
try:
    batch.observations()
except MemoryError as error:
    print("Unable to allocate" in str(error))
"""
    assert subprocess.check_output([sys.executable, "-c", child], text=True) == "True\n"


def test_a_batch_steps_by_the_actions_that_it_checked():
    batch, over = Batch(Board("square", 10).start(), 300_000), threading.Event()
    legal = batch[0].legal_actions()[0]
    actions = np.full(len(batch), legal)

    def write():
        while not over.is_set():
            actions[-1] = 99
            time.sleep(0.0005)
            actions[-1] = legal
            time.sleep(0.0005)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    for _ in range(30):
        batch.reset()
        try:
            batch.step(actions)
        except ValueError as error:
            assert "(99)" in str(error)
        assert {(state.phase, state.origin) for state in (batch[0], batch[-1])} <= {(0, None), (1, legal)}
    over.set()
    writer.join()


def test_objects_outlive_a_fork_and_their_board():
    state = State(Board("square", 8).start())
    batch = Batch(Board("square", 8).start(), 8, threads=2)
    gc.collect()
    child = os.fork()
    if child == 0:
        batch.step(batch.sample())
        wins = batch.playouts(3)
        os._exit(7 if len(state.legal_actions()) and (wins >= 0).all() and state.position.perft(2) > 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert batch.masks().any()


def test_nothing_leaks_in_many_rounds():
    position, batch, out = Board("donut", 6).start(), Batch(START, 2), np.zeros((2, 36), np.int8)

    def rounds(count):
        for _ in range(count):
            for call in (lambda: position.push("a1-a2/a3"), lambda: batch.step(np.full(2, 99)), lambda: Board("x", 9)):
                try:
                    call()
                except ValueError:
                    pass
            state = State(position)
            state.apply(state.legal_actions()[0])
            position.push(position.legal_moves()[0])
            position.pop()
            batch.masks(out), batch.observations(), position.array(), position.copy(), hash(position)

    rounds(int(os.environ.get("AMAZONS_ROUNDS", "3000")) // 2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rounds(int(os.environ.get("AMAZONS_ROUNDS", "3000")))
    # 3,000 lost objects of the smallest kind would take more.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 512
