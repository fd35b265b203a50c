"""Stubs against the module, and a user's program in strict mode."""

import subprocess
import sys
from pathlib import Path

USER = """
import amazons
import numpy as np

board = amazons.Board("square", 6)
position = board.start()
for move in position.legal_moves()[:3]:
    origin, target, arrow = move
    position.push(move)
    reveal = position.pop().origin + origin
    break
batch = amazons.Batch(position, 4, seed=1, threads=2)
masks = batch.masks(np.zeros((4, 36), np.int8))
batch.step(batch.sample())
winner: str | None = batch[0].winner
game = amazons.Game(position, black="a")
game.push(str(position.legal_moves()[0]), seconds=1.0)
data: bytes = game.to_bytes("sgf")
env = amazons.env("square", 6)
gym = amazons.GymEnv("square", 6, opponent=lambda position: position.legal_moves()[0])
observation, info = gym.reset(seed=1)
total: float = float(observation.sum()) + len(masks)
"""


def run(*command, cwd):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_equal_the_module(tmp_path):
    run("mypy.stubtest", "amazons._amazons", "--concise", cwd=tmp_path)


def test_the_package_and_a_users_program_are_strict(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    config = Path(__file__).parents[1] / "pyproject.toml"
    run("mypy", "--config-file", str(config), "-p", "amazons", "-m", "user", cwd=tmp_path)
    run("user", cwd=tmp_path)
