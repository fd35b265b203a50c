#!/usr/bin/env python3
"""Fails when imports run in a circle: of modules in src/, or of files in any crate or program; and when an arrow points
the wrong way.

An import of a name that a mod.rs or lib.rs only re-exports counts as one of the file that defines it. That a module uses
what is inside it is no import: its parts may use what it defines.
"""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parents[2]).resolve()

# What depends on nothing above it: crates never use the server, games use crates only, players use crates only.
FORBIDDEN = [
    ("crates/*/Cargo.toml", r"^amazons\s*=|^player-|^games"),
    ("crates/sandbox/Cargo.toml", r"^amazons-"),
    ("players/*/Cargo.toml", r"^amazons\s*=|^amazons-(formats|mpi|protocol|sandbox|statistics)"),
    ("games/*/Cargo.toml", r"^amazons(-(rules|engine|solve|formats|player|protocol))?[\s.=]"),
]

# Modules of the server that only these may import: what is typed is defined where it is used.
ONLY_FOR = {"cli": {"command"}}


def crates():
    """Yields the name of each crate, and of each program that is more than a file, with its folder of sources."""
    yield "server", ROOT / "src"
    for pattern in ("*/src", "*/*/src"):
        for folder in sorted(ROOT.glob(pattern)):
            yield str(folder.parent.relative_to(ROOT)), folder
    for main in sorted(ROOT.glob("*/*/src/bin/*/main.rs")):
        yield str(main.parent.relative_to(ROOT)), main.parent


def strip(text):
    """Removes comments and strings, which may look like code."""
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text)
    return re.sub(r"//[^\n]*", "", text)


def expand(tree):
    """Turns `a::{b, c::d}` into paths."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        path = re.split(r"\s+as\s+", tree)[0]
        return [[part.strip() for part in path.split("::") if part.strip()]]
    head = [part.strip() for part in tree[:brace].split("::") if part.strip()]
    depth, start, paths = 0, brace + 1, []
    for index in range(brace, len(tree)):
        letter = tree[index]
        depth += (letter == "{") - (letter == "}")
        if (letter == "," and depth == 1) or (letter == "}" and depth == 0):
            if tree[start:index].strip():
                paths += [head + path for path in expand(tree[start:index])]
            start = index + 1
    return paths


class Crate:
    """The files of a crate as a tree of modules."""

    def __init__(self, folder):
        self.files = {}
        for file in sorted(folder.rglob("*.rs")):
            # A program in the folder of a library is a crate of its own.
            if "bin" in file.relative_to(folder).parts:
                continue
            parts = list(file.relative_to(folder).with_suffix("").parts)
            if parts[-1] == "mod" or parts in (["lib"], ["main"]):
                parts.pop()
            # A library and an executable in one crate: the library is the root.
            if not parts and file.stem == "main" and (folder / "lib.rs").exists():
                continue
            self.files[tuple(parts)] = (file, strip(file.read_text()))
        self.exports = {module: self.re_exports(text) for module, (_, text) in self.files.items()}

    @staticmethod
    def uses(text):
        for found in re.finditer(r"(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", text):
            for path in expand(found[2]):
                yield bool(found[1]), path

    def re_exports(self, text):
        names = {}
        for is_public, path in self.uses(text):
            if is_public and path:
                names[path[-1]] = path
        return names

    def absolute(self, module, path):
        """Returns a path from the crate's root, or nothing for what another crate has."""
        if path[0] == "crate":
            return path[1:]
        if path[0] == "self":
            return list(module) + path[1:]
        if path[0] == "super":
            module, path = list(module), list(path)
            while path and path[0] == "super":
                module, path = module[:-1], path[1:]
            return module + path
        return list(module) + path if tuple([*module, path[0]]) in self.files else None

    def definer(self, path, seen=()):
        """Returns the module that defines what a path names."""
        for length in range(len(path), -1, -1):
            module = tuple(path[:length])
            if module not in self.files:
                continue
            rest = path[length:]
            if rest and rest[0] in self.exports[module] and module not in seen:
                target = self.absolute(module, self.exports[module][rest[0]])
                if target is not None:
                    return self.definer(target + rest[1:], (*seen, module))
                return None
            return module
        return None

    def arrows(self):
        """Yields who imports from whom; a re-export is no import."""
        for module, (_, text) in self.files.items():
            paths = [path for is_public, path in self.uses(text) if not is_public]
            without_uses = re.sub(r"(pub(\([^)]*\))?\s+)?use\s+[^;]+;", "", text)
            inline = r"(?<![\w:])((?:crate|super|self)(?:::\w+)+|[a-z_]\w*(?:::\w+)+)"
            paths += [match.split("::") for match in re.findall(inline, without_uses)]
            for path in paths:
                target = self.absolute(module, path)
                target = self.definer(target) if target is not None else None
                is_inside = target is not None and target[: len(module)] == module
                if target is not None and not is_inside:
                    yield module, target


def circles(arrows):
    """Returns the strongly connected components with more than one member (Tarjan)."""
    numbers, lows, stack, found = {}, {}, [], []

    def visit(node):
        numbers[node] = lows[node] = len(numbers)
        stack.append(node)
        for target in sorted(arrows.get(node, ())):
            if target not in numbers:
                visit(target)
                lows[node] = min(lows[node], lows[target])
            elif target in stack:
                lows[node] = min(lows[node], numbers[target])
        if lows[node] == numbers[node]:
            circle = []
            while not circle or circle[-1] != node:
                circle.append(stack.pop())
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(arrows):
        if node not in numbers:
            visit(node)
    return found


def main():
    sys.setrecursionlimit(10_000)
    wrong = []
    for name, folder in crates():
        crate, files, modules = Crate(folder), {}, {}
        for source, target in crate.arrows():
            files.setdefault(source, set()).add(target)
            # The root only lists modules; everything may be named there.
            if source and target and source[0] != target[0]:
                modules.setdefault(source[0], set()).add(target[0])
        if name == "server":
            for source, targets in sorted(modules.items()):
                wrong += [f"{name}: {source} must not import {target}" for target, sources in ONLY_FOR.items()
                          if target in targets and source not in sources]
        path = lambda module: str(crate.files[module][0].relative_to(ROOT))
        wrong += [f"{name}: modules import each other in a circle: {', '.join(circle)}" for circle in circles(modules)]
        wrong += [f"{name}: files import each other in a circle: {', '.join(map(path, circle))}" for circle in circles(files)]
    for pattern, forbidden in FORBIDDEN:
        for manifest in sorted(ROOT.glob(pattern)):
            for line in manifest.read_text().splitlines():
                if re.match(forbidden, line):
                    wrong.append(f"{manifest.relative_to(ROOT)}: must not depend on this: {line}")
    for line in wrong:
        print(line)
    if wrong:
        sys.exit(f"{len(wrong)} imports run in a circle or the wrong way: see docs/design.md, \"Which way things lean\"")


main()
