"""Writes the calls that a PHP script makes in a folder, as rows that ``bench_traced_edges.py`` reads.

Run: ``python php_calls.py FOLDER OUTPUT SCRIPT ARGUMENT …``. Needs ``php`` with Xdebug, whose traces of a large test
suite take gigabytes for a while.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_ENTRY = "0"
_INTERNAL = "0"
_OPTIONS = {
    "xdebug.mode": "trace",
    "xdebug.start_with_request": "yes",
    "xdebug.trace_format": "1",
    "xdebug.collect_params": "0",
    "xdebug.trace_output_name": "calls",
    "memory_limit": "-1",
    "pcre.jit": "0",
}


def entries(trace: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (path, line, called function) of each call of a trace, of none that the language's own functions make."""
    is_own: dict[str, bool] = {}
    with trace.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            parts = line.split("\t", 10)
            if len(parts) > 9 and parts[2] == _ENTRY:
                is_own[parts[0]] = parts[6] == _INTERNAL
                if not is_own.get(str(int(parts[0]) - 1), False):
                    yield parts[8], parts[9].strip(), parts[5]


def named(function: str, known: dict[str, Any]) -> tuple[str, list[list[Any]]]:
    """Return (the name, where it is defined and what that overrides) of a function as a trace names it."""
    owner, arrow, name = function.replace("->", "::").rpartition("::")
    if not arrow:
        return function.rpartition("\\")[2], known["functions"].get(function.lower(), [])
    return name, known["methods"].get(f"{owner}::{name}".lower(), [])


def rows(root: Path, calls: set[tuple[str, str, str]], known: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield [path, line, name, whether it is defined in the folder, right places]; for an object's maker its class."""
    prefix = f"{root}/"
    for path, line, function in sorted(calls):
        if not path.startswith(prefix) or "{" in function or "eval()'d" in path:
            continue
        name, places = named(function, known)
        is_inside = bool(places) and places[0][0].startswith(prefix)
        right = [[at.removeprefix(prefix), row] for at, row in places if at.startswith(prefix)]
        at = path.removeprefix(prefix)
        yield [at, int(line), name, is_inside, right]
        if name == "__construct":
            makers = known["makers"].get(function.replace("->", "::").lower(), [])
            for short in sorted({short for short, _, _ in makers}):
                classes = [[file, row] for each, file, row in makers if each == short and file.startswith(prefix)]
                made = [[file.removeprefix(prefix), row] for file, row in classes]
                if made:
                    yield [at, int(line), short, True, [*made, *right]]


def main() -> None:
    root, output, script = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute(), sys.argv[3:]
    with TemporaryDirectory() as folder:
        trace, definitions = Path(folder, "calls.xt"), Path(folder, "definitions.json")
        prepended = Path(__file__).resolve().with_name("php_definitions.php")
        options = {**_OPTIONS, "xdebug.output_dir": folder, "xdebug.use_compression": "0"}
        options["auto_prepend_file"] = str(prepended)
        given = [word for name, value in options.items() for word in ("-d", f"{name}={value}")]
        environment = {**os.environ, "TRACED_DEFINITIONS": str(definitions)}
        subprocess.run(["php", *given, *script], check=False, env=environment, cwd=root)
        calls = set(entries(trace))
        found = list(rows(root, calls, json.loads(definitions.read_text("utf-8"))))
    output.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
