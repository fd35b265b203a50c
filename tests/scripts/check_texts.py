#!/usr/bin/env python3
"""Fails when code recognises words that this project writes itself: it should look at a value, not at its wording.

Words that others write are listed here with their author. A literal of one word, such as a key or an ending of a name, is
not a wording.
"""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parents[2]).resolve()

FOREIGN = {
    "serde_json": [" at line "],
    "toml": ["invalid boolean"],
    "clap": ["error: ", "Usage: "],
    "the dynamic loader": [
        "cannot open shared object file", "invalid ELF header", "in static TLS block", "version `", "(required by ",
        "failed to map segment", "executable stack", "undefined symbol",
    ],
    "the process that looks for places of a player's functions, as confined as the player": [" at ", " ("],
    "Rust's runtime": ["panicked at", "note: run with `RUST_BACKTRACE"],
    "Python's runtime": ["Traceback "],
    "Lua's interpreter": ["stack traceback:"],
    "Valgrind": [" in loss record"],
    "Linux": ["cpu ", "model name"],
    "people who type a move": ["moves "],
    "this program's name before each complaint, in the output of its own child": ["server: "],
}

LITERAL = r'"((?:\\.|[^"\\])*)"'
CALLS = "contains|starts_with|ends_with|strip_prefix|strip_suffix|trim_start_matches|trim_end_matches|split_once|rsplit_once|find|rfind|matches|split|rsplit"
LOOK = re.compile(r"\.(?:" + CALLS + r")\(\s*&?" + LITERAL)

known = {text for texts in FOREIGN.values() for text in texts}
used, wrong = set(), []
for folder in ("src", "crates", "games"):
    for path in sorted((ROOT / folder).rglob("*.rs")):
        if "tests" in path.relative_to(ROOT).parts or path.name == "tests.rs":
            continue
        text = path.read_text()
        for found in LOOK.finditer(text):
            literal = found.group(1)
            # A wording has a blank and a letter.
            if not (" " in literal and re.search(r"[A-Za-z]|\(", literal)):
                continue
            used.add(literal)
            if literal not in known:
                wrong.append(f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}: looks for the words \"{literal}\"")
wrong += [f"tests/scripts/check_texts.py: nothing looks for \"{text}\"" for text in sorted(known - used) if " " in text]
print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
sys.exit(bool(wrong))
