"""The server and the bundled players that the wheel carries."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_BIN = Path(__file__).resolve().parent / "bin"

#: The server's executable.
SERVER = _BIN / "server"


def player(name: str | os.PathLike[str]) -> str:
    """Returns the path of a bundled player by its name; any other text stays as it is."""
    text = os.fspath(name)
    bundled = _BIN / f"{text}.so"
    return str(bundled) if "/" not in text and bundled.is_file() else text


def dashed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings under the names that the server's plans have."""
    return {name.replace("_", "-"): value for name, value in given.items()}


def settings(given: Mapping[str, Any]) -> str:
    """Returns settings as JSON."""
    return json.dumps(dashed(given), default=os.fspath)


def sentence(text: str) -> str:
    """Returns a sentence about settings with their names as Python has them, without the place in a plan."""
    text = re.sub(r"^line \d+, column \d+: ", "", text)
    return re.sub(r"`[a-z0-9-]+`", lambda name: name[0].replace("-", "_"), text)


def main() -> None:
    """Runs the server: the command `amazons-server`."""
    os.execv(SERVER, ["amazons-server", *sys.argv[1:]])
