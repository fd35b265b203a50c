"""Players in Python behind `bridge:`, in the sandbox."""

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import amazons
import numpy as np
import pytest

BOT = """
import amazons

class Greedy:
    name = "greedy bot"

    def __init__(self):
        self.value = None

    def play(self, position, clock):
        print("this goes to standard error", clock)
        moves = position.legal_moves()
        self.value = 1 / (1 + len(moves))
        return moves[len(position.moves) % len(moves)]

if __name__ == "__main__":
    amazons.serve(Greedy)
"""


def is_open(path):
    """Whether the user without rights, under whom root's server runs programs, gets there."""
    return os.getuid() != 0 or all(parent.stat().st_mode & 1 for parent in path.resolve().parents)


@contextlib.contextmanager
def sandboxed(source):
    """Yields the command of a bot that can run in the sandbox, with this environment's packages."""
    others = [f"/usr/bin/python3.{sys.version_info.minor}"]
    python = next((path for path in [sys.executable, *others] if Path(path).exists() and is_open(Path(path))), None)
    # In a checkout, the module may be a link to where it is built.
    library = Path(amazons._amazons.__file__).resolve().parent
    packages = dict.fromkeys([*(str(Path(module.__file__).parent.parent) for module in (amazons, np)), str(library)])
    if python is None or not all(is_open(Path(folder) / "x") for folder in packages):
        pytest.skip("no other user may run this Python: it is in root's home")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        # A command cannot name a folder with blanks within a word, but links to it.
        links = [folder / f"packages{number}" for number, _ in enumerate(packages)]
        for link, package in zip(links, packages, strict=True):
            link.symlink_to(package)
        bot = folder / "bot.py"
        bot.write_text(source)
        yield f"bridge:env PYTHONPATH={':'.join(map(str, links))} {shlex.quote(python)} {bot}"


def server(*arguments):
    done = subprocess.run(
        [amazons._programs.SERVER, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_a_served_player_passes_the_servers_check():
    with sandboxed(BOT) as command:
        status, report = server("check", command)
    assert status == 0 and "passed: 9 passed" in report and "greedy bot" in report, report


def test_an_exception_is_the_players_fault():
    broken = BOT.replace("moves = position.legal_moves()", "moves = 1 / 0")
    with sandboxed(broken) as command:
        _, report = server("-m", "5", command, str(amazons._programs.player("random")))
    assert "exited" in report and "ZeroDivisionError" in report, report


def lines(player, text):
    """Returns what a player that is served in a process of its own answers."""
    done = subprocess.run(
        [sys.executable, "-c", player], input=text, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.splitlines()


def test_the_protocol():
    talk = (
        "aep 1\nfoo\nposition start c10 moves d10-d4/g7\ngo wtime 5000 winc 100\nposition fen nothing\nisready\nquit\n"
    )
    answers = lines(BOT, talk)
    assert answers[:3] == ["id name greedy bot", f"id author amazons {amazons.__version__}", "aepok 1"]
    assert sum(line.startswith("error ") for line in answers) == 1 and answers.count("readyok") == 1
    position = amazons.Board("square", 10).start()
    position.push("d10-d4/g7")
    best = [line.split()[1] for line in answers if line.startswith("bestmove")]
    assert len(best) == 1 and position.is_legal(best[0])
    assert lines(BOT, "go\n") == ["error there is no position yet", "bestmove none"]
    assert lines(BOT, "position fen q*Q b\ngo movetime 5\n")[-1] == "bestmove none"
    best = lines(BOT, "position start c10\ngo movetime soon winc 3\n")
    assert best[-1].startswith("bestmove "), f"each go gets its move: {best}"


def test_a_player_has_play():
    with pytest.raises(TypeError, match="expected a player with a method play, got 3"):
        amazons.serve(3)


def test_stop_reaches_a_player_that_thinks():
    thinker = """
import math, amazons

class Thinker:
    def __init__(self):
        self.engine = amazons.Engine(amazons.Board("square", 6))

    def play(self, position, clock):
        board = self.engine.board
        return self.engine.play(board.position(str(position)), time=math.inf)

    def stop(self):
        self.engine.stop()

amazons.serve(Thinker())
"""
    script = f"import subprocess, sys\n{TALK}"
    done = subprocess.run(
        [sys.executable, "-c", script, thinker], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split()[:2] == ["readyok", "bestmove"]


TALK = """
bot = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=-1, stdout=-1, text=True, bufsize=1)
bot.stdin.write("position start c6\\ngo\\nisready\\n")
print(bot.stdout.readline())
import select
while not select.select([bot.stdout], [], [], 0.05)[0]:
    # It may not think yet.
    bot.stdin.write("stop\\n")
print(bot.stdout.readline())
bot.communicate("quit\\n")
"""
