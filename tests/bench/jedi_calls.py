"""Writes what jedi says every call of some Python files leads to; bench_edges.py compares the resolver with it.

Run by an interpreter that has jedi: ``python jedi_calls.py ROOT OUTPUT.json``, with paths relative to ROOT as input.

The answer is a list of (path, line, name, number, targets): the number counts equal names on one line from left to
right; targets are (path, line) of definitions inside ROOT, ``external`` for what stands elsewhere, ``unknown``.
A call leads to the function or class whose name ``goto`` finds through imports; where that is an alias, to what the
alias is bound to.
"""

import ast
import json
import sys
import warnings
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

Site = tuple[int, int, str]
"""(line, column of the last character, name)."""


def call_sites(source: str) -> list[Site]:
    """Return the names that calls and decorators call, in source order."""
    found: set[Site] = set()
    for node in ast.walk(ast.parse(source)):
        callees: list[ast.expr] = [node.func] if isinstance(node, ast.Call) else []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            callees += node.decorator_list
        for callee in callees:
            name = callee.id if isinstance(callee, ast.Name) else getattr(callee, "attr", "")
            if name and isinstance(callee, ast.Name | ast.Attribute):
                found.add((callee.end_lineno or 0, (callee.end_col_offset or 0) - 1, name))
    return sorted(found)


def characters(lines: list[str], line: int, column: int) -> int:
    """Return a column in characters; ``ast`` counts bytes."""
    return len(lines[line - 1].encode()[:column].decode("utf-8", "replace"))


def targets_of(script: Any, line: int, column: int, root: Path) -> list[tuple[str, int]] | str:
    names = script.goto(line, column, follow_imports=True)
    if names and not any(name.type in {"function", "class", "property", "module"} for name in names):
        names = script.infer(line, column) if any(name.type == "statement" for name in names) else []
    inside, outside = [], 0
    for name in names:
        if name.type in {"function", "class", "property"}:
            path = Path(name.module_path).resolve() if name.module_path else None
            if path is not None and path.is_relative_to(root):
                inside.append((path.relative_to(root).as_posix(), name.line))
            else:
                outside += 1
    return sorted(set(inside)) or ("external" if outside else "unknown")


def main() -> None:
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5_000)
    # No dependency of the project: installed where this script runs.
    jedi = import_module("jedi")
    root, output, paths = Path(sys.argv[1]).resolve(), sys.argv[2], sys.stdin.read().split("\n")
    project = jedi.Project(root, added_sys_path=[str(root / "src")])
    rows = []
    for path in paths:
        source = (root / path).read_text("utf-8")
        script = jedi.Script(source, path=root / path, project=project)
        lines, seen = source.split("\n"), Counter[tuple[int, str]]()
        for line, column, name in call_sites(source):
            number = seen[line, name]
            seen[line, name] += 1
            try:
                targets = targets_of(script, line, characters(lines, line, column), root)
            except (RecursionError, AttributeError, TypeError, KeyError, ValueError, IndexError, AssertionError):
                targets = "unknown"
            rows.append((path, line, name, number, targets))
    Path(output).write_text(json.dumps(rows), "utf-8")


if __name__ == "__main__":
    main()
