"""Makes docs/python-reference.md from the stubs, the sources and the docstrings; with --check, fails if it is old."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
PAGE = HERE.parent / "docs" / "python-reference.md"
#: Modules whose public names are listed.
MODULES = ["amazons", "amazons.kaggle"]
HEAD = "# Python reference\n\nMade by `python/tests/reference.py`; the [tutorial](python.md) shows how all this fits together.\n"


def definitions() -> dict[str, tuple[ast.ClassDef | ast.FunctionDef, list[str]]]:
    """Returns all classes and functions of the package by name, and the lines of their files."""
    found = {}
    for file in sorted((HERE / "amazons").glob("*.py*")):
        source = file.read_text()
        for node in ast.parse(source).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found[node.name] = (node, source.splitlines())
    return found


def described(name: str, it: Any) -> str:
    """Describes a class, a function or the planes under a heading; nothing else has a docstring."""
    if name == "PLANES":
        rows = (f"| {number} | {plane} | {meaning} |\n" for number, (plane, meaning) in enumerate(it))
        return f"### {name}\n\n| plane | name | meaning |\n|---|---|---|\n{''.join(rows)}\n"
    if name not in definitions():
        return ""
    node, lines = definitions()[name]
    text = f"### {name}\n\n"
    if isinstance(node, ast.FunctionDef):
        return f"{text}```python\n{name}{signature(node)}\n```\n\n{paragraphs(it)}"
    text += paragraphs(it)
    for part in node.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=field)):
                comment = [line.strip() for line in lines[: part.lineno - 1]]
                at = len(comment)
                while comment[at - 1].startswith("#:"):
                    at -= 1
                words = " ".join(line.removeprefix("#:").strip() for line in comment[at:])
                text += item(f"{field}: {ast.unparse(part.annotation)}", words)
            case ast.FunctionDef(name="__new__"):
                text += item(f"{name}{signature(part, 1)}".removesuffix(f" -> {name}"), "")
            case ast.FunctionDef() if not part.name.startswith("_"):
                kinds = [ast.unparse(decorator) for decorator in part.decorator_list]
                call = signature(part, 0 if "staticmethod" in kinds else 1)
                shown = part.name + (call.removeprefix("()") if "property" in kinds else call)
                text += item(shown, " ".join(doc(getattr(it, part.name)).split()))
    return text + "\n"


def signature(node: ast.FunctionDef, left_out: int = 0) -> str:
    """Returns the arguments of a function, but for the first ones, and what it returns."""
    arguments = node.args
    for _ in range(left_out):
        (arguments.posonlyargs or arguments.args).pop(0)
    return f"({ast.unparse(arguments)}) -> {ast.unparse(node.returns)}" if node.returns else f"({ast.unparse(arguments)})"


def doc(it: Any) -> str:
    """Returns its own docstring: that of a class of another package depends on the version."""
    return inspect.cleandoc(it.__doc__ or "")


def item(shown: str, words: str) -> str:
    return filled(f"- `{shown}`" + (f": {words}" if words else ""), "  ") + "\n"


def paragraphs(it: Any) -> str:
    return "".join(filled(part) + "\n\n" for part in doc(it).split("\n\n"))


def filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def page() -> str:
    text = HEAD
    for name in MODULES:
        module = importlib.import_module(name)
        own = [key for key, it in vars(module).items() if getattr(it, "__module__", "") == name and key[0] != "_"]
        public = getattr(module, "__all__", own)
        text += f"\n## {name}\n\n{doc(module)}\n\n"
        text += "".join(described(name, getattr(module, name)) for name in sorted(public, key=str.lower))
    return text.rstrip() + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PAGE.write_text(page())
    elif PAGE.read_text() != page():
        sys.exit(f"{PAGE} is old: run python3 python/tests/reference.py where the package is installed")
