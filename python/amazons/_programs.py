"""The server and the bundled players that the wheel carries."""

from __future__ import annotations

import json
import os
from pathlib import Path

_BIN = Path(__file__).resolve().parent / "bin"

#: The server's executable.
SERVER = _BIN / "server"


def player(name: str | os.PathLike[str]) -> str:
    """Returns the path of a bundled player by its name; any other text stays as it is."""
    text = os.fspath(name)
    bundled = _BIN / f"{text}.so"
    return str(bundled) if "/" not in text and bundled.is_file() else text


def settings(given: dict[str, object]) -> str:
    """Returns settings as JSON, with the names that the server's plans have."""
    return json.dumps({name.replace("_", "-"): value for name, value in given.items()})
