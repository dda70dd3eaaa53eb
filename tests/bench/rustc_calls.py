"""Writes what rustc says of every call of a cargo package: run by ``bench_compiled_edges.py`` for its folder.

Run: ``python rustc_calls.py FOLDER ANSWERS``. Needs a ``cargo`` that finds all dependencies offline.

The compiler's typed tree (``-Zunpretty=thir-tree``) names the definition each call leads to and the types it is called
with; ``hir-tree`` says where definitions stand and which of them implement a trait's. Calls and definitions that a
macro makes are left out; those written inside a macro's brackets are there. A method of a trait called on a type of its
own leads to the trait's declaration and to that type's implementation; on a type parameter to the declaration alone.
"""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

Place = tuple[str, int]

_OWNER = re.compile(r"(DefId\(\d+:\d+ ~ .*\)) => OwnerNodes \{")
_SPAN = re.compile(r"span: (.+?):(\d+):(\d+): (\d+):(\d+) \(#(\d+)\)")
_DEFINITION = re.compile(r"DefId\(\d+:\d+ ~ [^()]*(?:\([^()]*\)[^()]*)*\)")
_CALLED = re.compile(r"ty: FnDef\((DefId\(\d+:\d+ ~ .*?\)), \[(.*)\]\)")
_VARIANT = re.compile(r"VariantDef \{ def_id: (DefId\(\d+:\d+ ~ .*?\)), ctor: ")
_NAME = re.compile(r"[^\W\d]\w*")
_CONSTRUCTOR = re.compile(r"((?:::)?(?:[^\W\d]\w*\s*::\s*)*)([^\W\d]\w*)\s*(?:::\s*<[^()]*>\s*)?\(")
_TURBOFISH = re.compile(r"::\s*<.*\Z", re.DOTALL)
_OF_OWNER = 16
"""The indent of what is said of an item itself."""
_DEPTH = {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1, ">": -1}


class Span(NamedTuple):
    """A place of the source; lines and columns count from 1."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    is_made: bool
    """Whether a macro wrote it."""


class _Variant(NamedTuple):
    """A variant that is being read."""

    indent: int
    """Of its own lines."""
    name: str


class Definitions:
    """Where a crate's definitions stand, by the compiler's names for them."""

    def __init__(self) -> None:
        self.places: dict[str, Span] = {}
        self.implementations: dict[str, list[str]] = defaultdict(list)
        """What implements a trait's item."""
        self.self_types: dict[str, str] = {}
        """The simple name of the type an impl block is for, by the block's name."""
        self._self_of = ""
        """The impl block whose type is still to come."""

    def read(self, lines: Iterator[str]) -> None:
        """Take in a ``hir-tree``."""
        owner, variant = "", _Variant(-1, "")
        for line in lines:
            if line.startswith("DefId("):
                found = _OWNER.match(line)
                owner, variant = found[1] if found else "", _Variant(-1, "")
                continue
            text = line.lstrip(" ")
            indent = len(line) - len(text)
            if text.startswith("bodies:"):
                owner = ""
            if not owner:
                continue
            if text.startswith("Variant {"):
                variant = _Variant(indent + 4, "")
            elif indent == variant.indent and text.startswith("def_id: "):
                variant = _Variant(indent, text[8:].rstrip(",\n"))
            elif indent == variant.indent and text.startswith("span: "):
                self.places[variant.name] = span_of(text)
            elif indent == _OF_OWNER and text.startswith("span: "):
                self.places[owner] = span_of(text)
            else:
                self._read_impl(owner, text, lines)

    def is_for(self, node: str, type_name: str) -> bool:
        """Whether a method stands in an impl block for a type."""
        return self.self_types.get(path_of(node).rpartition("::")[0]) == type_name

    def _read_impl(self, owner: str, text: str, lines: Iterator[str]) -> None:
        if text.startswith("trait_item_def_id: Ok("):
            item = _DEFINITION.search(next(lines))
            if item:
                self.implementations[item[0]].append(owner)
        elif text.startswith("self_ty: Ty {"):
            self._self_of = owner
        elif self._self_of == owner and text.startswith("res: Def("):
            next(lines)
            self.self_types[path_of(owner)] = simple_name(next(lines))
            self._self_of = ""


def span_of(text: str) -> Span:
    """Return the place that a line of the compiler's tells."""
    found = _SPAN.search(text)
    if found is None:
        return Span("", 0, 0, 0, 0, is_made=True)
    line, column, end_line, end_column, context = map(int, found.groups()[1:])
    return Span(os.path.normpath(found[1]), line, column, end_line, end_column, bool(context))


def path_of(definition: str) -> str:
    """Return the path in ``DefId(0:7 ~ crate[1f]::a::f)``."""
    return definition.strip(" ,\n").partition(" ~ ")[2].removesuffix(")")


def simple_name(definition: str) -> str:
    """Return the last part of that path."""
    return path_of(definition).rpartition("::")[2]


class Call(NamedTuple):
    """A call as the compiler knows it."""

    span: Span
    """Of the path or method that is called; of the whole expression where a tuple of a type is made."""
    target: str
    """A definition's name; empty for what a value holds."""
    self_type: str
    """The first type it is called with."""
    is_constructor: bool


def calls_in(lines: Iterator[str]) -> Iterator[Call]:
    """Yield the calls of a ``thir-tree``."""
    last_span = Span("", 0, 0, 0, 0, is_made=True)
    for line in lines:
        text = line.lstrip(" ")
        if text.startswith("span: "):
            last_span = span_of(text)
        elif text == "Call {\n":
            called, is_written, _, _ = next(lines), next(lines), next(lines), next(lines)
            span = next((span_of(row) for row in lines if row.lstrip(" ").startswith("span: ")), last_span)
            if "true" in is_written and not span.is_made:
                found = _CALLED.search(called)
                yield Call(span, found[1] if found else "", _first(found[2]) if found else "", is_constructor=False)
            last_span = span
        elif text == "Adt {\n" and not last_span.is_made:
            rows = [next(lines).strip() for _ in range(7)]
            variants = _VARIANT.findall(rows[3])
            index = int(rows[6].rpartition(" ")[2]) if rows[6].startswith("variant_index") else -1
            is_enum = "IS_ENUM" in rows[4]
            if 0 <= index < len(variants) or not is_enum:
                target = variants[index] if is_enum else rows[2].removeprefix("did: ")
                yield Call(last_span, target, "", is_constructor=True)


def _first(arguments: str) -> str:
    """Return the simple name of the first of the types, without references."""
    depth = 0
    for at, character in enumerate(arguments):
        depth += _DEPTH.get(character, 0)
        if depth == 0 and character == ",":
            arguments = arguments[:at]
            break
    text = re.sub(r"^(?:&|'\S+ |mut )+", "", arguments.strip()).partition("<")[0]
    return text.rpartition("::")[2]


class Sources:
    """The texts that spans lead into."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        """Return a file's lines; none for one outside the folder."""
        if path not in self._lines:
            file = self._root / path
            is_inside = file.is_file() and self._root in file.resolve().parents
            self._lines[path] = file.read_text("utf-8").split("\n") if is_inside else []
        return self._lines[path]

    def text(self, span: Span) -> str:
        """Return what stands in a span."""
        rows = self.lines(span.path)[span.line - 1 : span.end_line]
        if not rows:
            return ""
        rows[-1] = rows[-1][: span.end_column - 1]
        rows[0] = rows[0][span.column - 1 :]
        return "\n".join(rows)

    def name_line(self, span: Span, name: str) -> int:
        """Return the line a definition's name stands on."""
        rows = self.lines(span.path)[span.line - 1 : span.end_line]
        pattern = re.compile(rf"\b{re.escape(name)}\b")
        return next((span.line + row for row, text in enumerate(rows) if pattern.search(text)), span.line)


def written(call: Call, sources: Sources) -> tuple[int, int, str] | None:
    """Return (line, column, name) of the called name; None for what is written otherwise."""
    text = sources.text(call.span)
    if call.is_constructor:
        found = _CONSTRUCTOR.match(text)
        if found is None:
            return None
        text, end = text[: found.end(2)], found[2]
    else:
        text = _TURBOFISH.sub("", text) if text.endswith(">") else text
        names = _NAME.findall(text)
        if not names or not text.rstrip().endswith(names[-1]):
            return None
        end = names[-1]
    first = 0 if "\n" in text else call.span.column
    return call.span.line + text.count("\n"), first + len(text) - text.rfind("\n"), end


def targets(call: Call, known: Definitions, sources: Sources) -> list[Place] | str:
    """Return where a call leads inside the folder."""
    if not call.target:
        return "a value"
    implementations = known.implementations.get(call.target, ())
    nodes = [call.target, *[node for node in implementations if known.is_for(node, call.self_type)]]
    places = []
    for node in nodes:
        span = known.places.get(node)
        if span is not None and not span.is_made and sources.lines(span.path):
            places.append((span.path, sources.name_line(span, simple_name(node))))
    if places:
        return places
    return "made by a macro" if any(node in known.places for node in nodes) else "outside"


def crates(root: Path) -> Iterator[list[str]]:
    """Yield what chooses each library and program of the package, or of the packages, in a folder."""
    run = ["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1"]
    for package in json.loads(subprocess.run(run, cwd=root, check=True, capture_output=True).stdout)["packages"]:
        for target in package["targets"]:
            kinds = set(target["kind"])
            if kinds & {"lib", "rlib", "proc-macro"}:
                yield ["-p", package["name"], "--lib"]
            elif "bin" in kinds:
                yield ["-p", package["name"], "--bin", target["name"]]


def tree(root: Path, crate: list[str], kind: str) -> Iterator[str]:
    """Yield the lines of one of the compiler's trees."""
    command = ["cargo", "rustc", "--offline", "--quiet", *crate, "--", f"-Zunpretty={kind}", "-Awarnings"]
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", "CARGO_INCREMENTAL": "0"}
    with subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        yield from run.stdout


def main() -> None:
    root, file = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    sources = Sources(root)
    found: dict[tuple[str, int, int, str], list[Place] | str] = {}
    for crate in crates(root):
        known = Definitions()
        known.read(tree(root, crate, "hir-tree"))
        count = 0
        for call in calls_in(tree(root, crate, "thir-tree")):
            name = written(call, sources)
            if name is not None:
                count += 1
                found.setdefault((call.span.path, *name), targets(call, known, sources))
        print(f"{' '.join(crate)}: {len(known.places)} definitions, {count} calls", file=sys.stderr)
    rows, seen = [], defaultdict[tuple[str, int, str], int](int)
    for path, line, column, called in sorted(found):
        rows.append((path, line, called, seen[path, line, called], found[path, line, column, called], ()))
        seen[path, line, called] += 1
    file.write_text(json.dumps(rows), "utf-8")


if __name__ == "__main__":
    main()
