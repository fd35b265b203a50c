"""The docs: the tutorial's blocks run, the reference is current, the notebook runs."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from test_serve import sandboxed

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "python.md"


def test_the_tutorial_runs(monkeypatch):
    with sandboxed("") as command, tempfile.TemporaryDirectory() as folder:
        # The server may start programs as a user without rights.
        Path(folder).chmod(0o755)
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setattr(sys, "executable", command.removeprefix("bridge:").rsplit(" ", 1)[0])
        names, missing = {}, []
        for block in re.findall(r"^```python\n(.*?)^```$", TUTORIAL.read_text(), re.MULTILINE | re.DOTALL):
            if file := re.match(r"# (\w+\.py)\n", block):
                Path(file[1]).write_text(block)
                continue
            try:
                exec(compile(block, str(TUTORIAL), "exec"), names)
            except ImportError as error:
                missing.append(str(error))
        assert all(re.search(r"matplotlib|amazons\[envs\]", words) for words in missing), missing
        assert names["right"] > 0.6 and names["results"][1].score > 0.5
        assert Path("match.png").exists() != any("matplotlib" in words for words in missing)
        if picture := os.environ.get("AMAZONS_PICTURE"):
            Path(picture).write_bytes(Path("match.png").read_bytes())


def test_the_reference_is_current():
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    subprocess.run([sys.executable, ROOT / "python" / "tests" / "reference.py", "--check"], check=True)


def test_the_example_of_self_play_draws_its_curve(tmp_path):
    pytest.importorskip("matplotlib")
    script = ROOT / "examples" / "python" / "selfplay.py"
    done = subprocess.run(
        [sys.executable, script, "--minutes", "0.1"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[-1] == "selfplay.png" and (tmp_path / "selfplay.png").exists() and len(lines) > 2
    assert all("against random moves" in line and "against champion, level 1" in line for line in lines[:-1])


def test_the_notebook_runs():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(ROOT / "examples" / "python" / "analysis.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert {"image/png", "image/svg+xml"} <= kinds
