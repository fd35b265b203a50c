"""Builds the package with maturin, after the server and the bundled players, which it carries in amazons/bin.

maturin puts either bindings or an executable into a wheel, so the executables are data of the package.
"""

import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import maturin
from maturin import get_requires_for_build_editable, get_requires_for_build_wheel  # noqa: F401

HERE = Path(__file__).resolve().parent
PLAYERS = ("alphabeta", "champion", "mcts", "random", "territory")


def in_package(hook):
    """Calls a hook of maturin in the folder of the package: a source package has it below its own."""

    def call(folder, *arguments):
        folder = os.path.abspath(folder)
        os.chdir(HERE)
        return hook(folder, *arguments)

    return call


# What the package is called and needs is known without a build.
prepare_metadata_for_build_wheel = in_package(maturin.prepare_metadata_for_build_wheel)
prepare_metadata_for_build_editable = in_package(maturin.prepare_metadata_for_build_editable)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    carry_programs()
    return in_package(maturin.build_wheel)(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    carry_programs()
    return in_package(maturin.build_editable)(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """Packs all files of the checkout: the server and the players are built from them, too."""
    root, name = HERE.parent, f"amazons-{version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        raise RuntimeError(f"a source package is made in a checkout with git: {listed.stderr.strip()}")
    with tempfile.TemporaryDirectory() as folder:
        info = Path(folder) / prepare_metadata_for_build_wheel(folder) / "METADATA"
        # The same backend, seen from the root.
        build_system = (HERE / "pyproject.toml").read_text().partition("[project]")[0]
        made = {"PKG-INFO": info.read_text(), "pyproject.toml": build_system.replace('["."]', f'["{HERE.name}"]')}
        with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
            for path in filter(None, listed.stdout.split("\0")):
                if os.path.lexists(root / path):
                    archive.add(root / path, f"{name}/{path}", recursive=False)
            for path, text in made.items():
                entry = tarfile.TarInfo(f"{name}/{path}")
                entry.size = len(text.encode())
                archive.addfile(entry, io.BytesIO(text.encode()))
    return f"{name}.tar.gz"


def find_cargo():
    return os.environ.get("CARGO") or shutil.which("cargo") or str(Path.home() / ".cargo" / "bin" / "cargo")


def metadata(cargo):
    return json.loads(subprocess.check_output([cargo, "metadata", "--no-deps", "--format-version=1"], cwd=HERE))


def version():
    packages = metadata(find_cargo())["packages"]
    return next(package["version"] for package in packages if package["name"] == "amazons-python")


def carry_programs():
    """Builds the server and the players of this checkout and copies them into the package."""
    cargo = find_cargo()
    packages = ["amazons", *(f"player-{name}" for name in PLAYERS)]
    subprocess.run([cargo, "build", "--release", *(f"--package={name}" for name in packages)], cwd=HERE, check=True)
    release = Path(metadata(cargo)["target_directory"]) / "release"
    programs = HERE / "amazons" / "bin"
    programs.mkdir(exist_ok=True)
    shutil.copy2(release / "server", programs / "server")
    for name in PLAYERS:
        shutil.copy2(release / f"libplayer_{name}.so", programs / f"{name}.so")
