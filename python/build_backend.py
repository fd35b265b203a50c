"""Builds the package with maturin, after the server and the bundled players, which it carries in amazons/bin.

maturin puts either bindings or an executable into a wheel, so the executables are data of the package.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import get_requires_for_build_editable, get_requires_for_build_wheel  # noqa: F401

HERE = Path(__file__).resolve().parent
PLAYERS = ("alphabeta", "champion", "mcts", "random", "territory")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    carry_programs()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    carry_programs()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("amazons has no source package: build a wheel from a checkout, `pip install ./python`")


def carry_programs():
    """Builds the server and the players of this checkout and copies them into the package."""
    cargo = os.environ.get("CARGO") or shutil.which("cargo") or str(Path.home() / ".cargo" / "bin" / "cargo")
    packages = ["amazons", *(f"player-{name}" for name in PLAYERS)]
    subprocess.run([cargo, "build", "--release", *(f"--package={name}" for name in packages)], cwd=HERE, check=True)
    metadata = subprocess.check_output([cargo, "metadata", "--no-deps", "--format-version=1"], cwd=HERE)
    release = Path(json.loads(metadata)["target_directory"]) / "release"
    programs = HERE / "amazons" / "bin"
    programs.mkdir(exist_ok=True)
    shutil.copy2(release / "server", programs / "server")
    for name in PLAYERS:
        shutil.copy2(release / f"libplayer_{name}.so", programs / f"{name}.so")
