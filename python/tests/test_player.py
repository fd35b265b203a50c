"""Players in libraries: moves, names, verdicts, interrupts, forks."""

import contextlib
import gc
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

import amazons
import pytest
from conftest import wait_until
from test_engine import interrupted  # noqa: F401

BOARD = amazons.Board("donut", 6)

SOURCE = """
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct move_t { unsigned queen_src, queen_dst, arrow_dst; };
struct graph_t; static unsigned turn;
char const *get_player_name(void) { return "tester"; }
void initialize(unsigned id, struct graph_t *graph, unsigned queens, unsigned *both[2]) { }
struct move_t play(struct move_t previous)
{
    struct move_t move = {0, 0, 0};
    WHAT;
    return move;
}
void finalize(void) { }
"""


@pytest.fixture
def made(tmp_path):
    """Builds a player whose `play` runs some C."""

    def build(statement):
        compiler = shutil.which("cc") or pytest.skip("there is no C compiler")
        source, library = tmp_path / "player.c", tmp_path / "player.so"
        source.write_text(SOURCE.replace("WHAT", statement))
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
        return library

    return build


def children():
    """Returns the names of the processes that this one has started."""
    names = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            command = (stat.parent / "cmdline").read_bytes().split(b"\0")[0].decode()
            if int(stat.read_text().rsplit(")", 1)[1].split()[1]) == os.getpid():
                names.append(command)
    return names


def assert_no_player_runs():
    # Failures hold the players of other tests.
    gc.collect()
    wait_until("all players end", lambda: "amazons-players" not in children())


def test_a_player_plays_a_game():
    position = BOARD.start()
    with (
        amazons.Player("territory", BOARD, move_time="200ms") as black,
        amazons.Player("random", BOARD, seed=7) as white,
    ):
        assert black.name == "territory"
        while not position.is_over:
            position.push((black if position.side_to_move == "black" else white).play(position))
        with pytest.raises(ValueError, match="the game is over"):
            black.play(position)
    assert position.winner == "black" and len(position.moves) > 4
    black.close()
    assert BOARD.start().is_legal(black.play(BOARD.start()))


def test_levels_and_options_reach_the_player(made):
    board = amazons.Board("square", 10)
    names = [amazons.Player(name, board, options=options).name for name, options in OPTIONS]
    assert names[0] == names[1] != names[2]
    with pytest.raises(ValueError, match="expected a level from 1 to 8"):
        amazons.Player("champion:9", board)
    told = made('if (strcmp(getenv("AMAZONS_OPTIONS"), "a b")) abort(); exit(7)')
    with pytest.raises(amazons.PlayerError) as failed:
        amazons.Player(told, BOARD, options="a b").play(BOARD.start())
    assert failed.value.exit_code == 7


OPTIONS = [("champion:2", None), ("champion", "level=2"), ("champion", None)]


@pytest.mark.parametrize(
    ("statement", "kind", "has"),
    [
        ("abort()", "crash", {"signal": 6}),
        ("_exit(3)", "exit", {"exit_code": 3}),
        ("for (;;) ++*(unsigned volatile *)&turn", "timeout", {}),
        ("(void)turn", "illegal_move", {}),
        ("kill(getppid(), 9)", "violation", {}),
    ],
)
def test_a_failure_is_an_exception_with_the_verdict(made, statement, kind, has):
    player = amazons.Player(made(statement), BOARD, move_time=0.05)
    assert player.name == "tester"
    for _ in range(2):
        with pytest.raises(amazons.PlayerError) as failed:
            player.play(BOARD.start())
        error = failed.value
        assert (error.kind, error.call) == (kind, "play") and error.detail in str(error)
        assert all(getattr(error, name) == value for name, value in has.items())


def test_a_library_that_is_no_player_cannot_be_loaded(tmp_path):
    compiler = shutil.which("cc") or pytest.skip("there is no C compiler")
    (tmp_path / "empty.c").write_text("int nothing;")
    library = tmp_path / "empty.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "empty.c"], check=True)
    with pytest.raises(amazons.PlayerError, match="play") as failed:
        amazons.Player(library, BOARD).play(BOARD.start())
    assert (failed.value.kind, failed.value.call) == ("load_error", "load")


def test_control_c_ends_the_player(made, interrupted):  # noqa: F811
    player = amazons.Player(made("for (;;) ++*(unsigned volatile *)&turn"), BOARD, move_time=600)
    interrupted(lambda: player.play(BOARD.start()))
    assert_no_player_runs()


def test_control_c_while_the_player_starts(made):
    player = amazons.Player(made("for (;;) ++*(unsigned volatile *)&turn"), BOARD, move_time=60)
    for pause in (0.001, 0.002, 0.004, 0.008, 0.016):
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(pause, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            player.play(BOARD.start())
            time.sleep(60)
    assert_no_player_runs()


def test_one_thread_waits_for_a_player(made):
    player = amazons.Player(made("for (;;) ++*(unsigned volatile *)&turn"), BOARD, move_time=2)
    failures = []

    def wait():
        try:
            player.play(BOARD.start())
        except amazons.PlayerError as error:
            failures.append(error.kind)

    thread = threading.Thread(target=wait)
    thread.start()
    wait_until("the player is asked", lambda: "amazons-players" in children())
    with pytest.raises(RuntimeError, match="another thread waits for this player"):
        player.play(BOARD.start())
    thread.join()
    assert failures == ["timeout"]


def test_a_player_stays_with_the_process_that_made_it():
    player = amazons.Player("random", BOARD)
    player.play(BOARD.start())
    child = os.fork()
    if child == 0:
        try:
            with pytest.raises(RuntimeError, match="belongs to the process before the fork"):
                player.play(BOARD.start())
            del player
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert BOARD.start().is_legal(player.play(BOARD.start()))


def test_wrong_files_and_settings_are_refused(tmp_path):
    text = tmp_path / "text.so"
    text.write_text("a text")
    for path, error, words in [
        (tmp_path / "none.so", FileNotFoundError, "cannot read"),
        (text, ValueError, "is not a shared library"),
        ("bridge:cat", ValueError, "only a shared library"),
        (3, TypeError, "PathLike"),
    ]:
        with pytest.raises(error, match=words):
            amazons.Player(path, BOARD)
    for settings, words in [({"move_time": "long"}, "use seconds"), ({"speed": 1}, "unknown field `speed`")]:
        with pytest.raises(ValueError, match=words):
            amazons.Player("random", BOARD, **settings)
    with pytest.raises(ValueError, match="another board"):
        amazons.Player("random", BOARD).play(amazons.Board("square", 6).start())
