#!/usr/bin/env python3
"""Fails when the server, the games and the Python package ask for others' crates with different features.

Cargo builds a crate once for each set of features, and with it all that use it: see tools/features/Cargo.toml.
"""

import os
import subprocess
import sys

CARGO = os.environ.get("CARGO", "cargo")


def features(*packages):
    """The sets of features of each crate in the tree of some packages."""
    command = [CARGO, "tree", "--offline", "--edges=normal,build", "--prefix=none", "--no-dedupe", "--format={p}\t{f}"]
    tree = subprocess.run([*command, *(f"--package={name}" for name in packages)], capture_output=True, text=True, check=True)
    found = {}
    for line in filter(None, tree.stdout.splitlines()):
        name, sets = line.split("\t")
        found.setdefault(name.split(" (")[0], set()).add(sets)
    return found


games = [name for name in os.listdir("games") if os.path.exists(f"games/{name}/Cargo.toml")]
ours = features("amazons")
wrong = []
for packages in games, ["amazons-python"]:
    for crate, sets in features(*packages).items():
        if crate in ours and not sets <= ours[crate]:
            wrong.append(f"{crate}: {sorted(ours[crate])} for the server, {sorted(sets)} for {', '.join(packages)}")
if wrong:
    sys.exit("\n".join(["crates are built twice; ask for the features of both in tools/features/Cargo.toml:", *wrong]))
