"""The build backend: what needs no build has none, and a source package builds."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]

pytest.importorskip("maturin")

HOOKS = """
import os, sys
sys.path.insert(0, {package!r})
import build_backend
def forbidden():
    raise AssertionError("the server is built")
build_backend.carry_programs = forbidden
print(build_backend.{hook}({folder!r}))
"""


def hook(name, folder):
    script = HOOKS.format(package=str(PACKAGE), hook=name, folder=str(folder))
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=PACKAGE, check=True, env=environment
    )
    return folder / done.stdout.splitlines()[-1]


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_metadata_needs_no_build(tmp_path, kind):
    metadata = (hook(f"prepare_metadata_for_build_{kind}", tmp_path) / "METADATA").read_text()
    assert "\nName: amazons\n" in metadata and "\nRequires-Python: >=3.10\n" in metadata


def test_a_source_package_has_all_that_a_build_needs(tmp_path):
    if subprocess.run(["git", "ls-files"], cwd=PACKAGE, capture_output=True, check=False).returncode:
        pytest.skip("no checkout with git")
    archive = hook("build_sdist", tmp_path)
    name = archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as packed:
        names = packed.getnames()
        told = {path: packed.extractfile(f"{name}/{path}").read().decode() for path in ("PKG-INFO", "pyproject.toml")}
    assert "\nName: amazons\n" in told["PKG-INFO"] and 'backend-path = ["python"]' in told["pyproject.toml"]
    for path in ("Cargo.lock", "src/main.rs", "players/champion/Cargo.toml", "python/src/lib.rs", "python/amazons/gym.py"):
        assert f"{name}/{path}" in names
    assert not any("/bin/" in path for path in names if "python/amazons" in path)
