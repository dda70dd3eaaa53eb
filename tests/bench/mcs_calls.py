"""Writes what Mono's C# compiler makes of every call of a tree's C# files; bench_compiled_edges.py compares it.

Run: ``python tests/bench/mcs_calls.py ROOT OUTPUT.json [OPTION …]``, with options of mcs. Needs ``mcs``, ``mono`` and
Mono.Cecil (Debian: mono-mcs, libmono-cil-dev, libmono-cecil-cil-dev).

The tree is compiled with debug information, and ``CSharpCalls.cs`` says which methods the code of each statement calls.
The statement's text says where such a name is called; where a statement calls several things by one name the calls are
left out, as are ``: base(…)`` and ``: this(…)``, and all that the compiler alone calls. A definition is found among the
declarations by its type, name and the types of its parameters. Code names the first declaration of what is overridden:
an override is as right, and where that declaration stands elsewhere nothing is known. The answer is that of
``KotlinCalls.java``: a list of [path, line, name, number, targets, overloads].
"""

import json
import re
import subprocess
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import tree_sitter_c_sharp
from tree_sitter import Language, Node, Parser

_HERE = Path(__file__).parent
_CECIL = Path("/usr/lib/mono-cecil")
_TYPES = frozenset({
    "class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "delegate_declaration",
    "record_declaration",
})  # fmt: skip
_METHODS = frozenset({"method_declaration", "constructor_declaration"})
_SPACES = frozenset({"namespace_declaration", "file_scoped_namespace_declaration"})
_KEYWORDS = {
    "bool": "Boolean", "byte": "Byte", "sbyte": "SByte", "char": "Char", "decimal": "Decimal", "double": "Double",
    "float": "Single", "int": "Int32", "uint": "UInt32", "long": "Int64", "ulong": "UInt64", "short": "Int16",
    "ushort": "UInt16", "object": "Object", "string": "String",
}  # fmt: skip
_ARGUMENTS = re.compile(r"<[^<>]*>|`\d+")
_TEXT = re.compile(r'@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_CALLED = re.compile(r"\b([^\W\d]\w*)\s*(?:<[\w\s.,<>\[\]?]*>)?\s*(?=[({\[])")
_DIRECTIVE = re.compile(rb"(?m:^[ \t]*#[^\n]*)")
_LONGEST_STATEMENT = 60

Place = tuple[str, int]


class Call(NamedTuple):
    """A call in a statement's code."""

    owner: str
    name: str
    kind: str
    parameters: tuple[str, ...]


class Declared:
    """Where types and methods are declared."""

    def __init__(self) -> None:
        self.types: dict[str, set[Place]] = defaultdict(set)
        self.methods: dict[tuple[str, str], list[tuple[Place, tuple[str, ...]]]] = defaultdict(list)
        self.overrides: dict[tuple[str, tuple[str, ...]], set[Place]] = defaultdict(set)
        """By name and parameters."""

    def add(self, node: Node, path: str, around: str) -> None:
        """Note what a node declares, given the dotted name of what is around it."""
        pending = [(node, around)]
        while pending:
            at, outer = pending.pop()
            name = at.child_by_field_name("name")
            if name is not None and at.type in _TYPES | _SPACES:
                outer = f"{outer}.{_text(name)}".lstrip(".")
                if at.type in _TYPES:
                    self.types[outer].add((path, name.start_point.row + 1))
            if name is not None and at.type in _METHODS:
                word = ".ctor" if at.type == "constructor_declaration" else _text(name)
                place, parameters = (path, name.start_point.row + 1), _parameters(at)
                self.methods[outer, word].append((place, parameters))
                if any(child.type == "modifier" and _text(child) == "override" for child in at.children):
                    self.overrides[word, parameters].add(place)
                continue
            pending.extend((child, outer) for child in at.named_children)

    def places(self, call: Call) -> set[Place]:
        """Return where what is called is declared; nowhere for what stands outside."""
        owner = _ARGUMENTS.sub("", call.owner).replace("/", ".")
        found = [row for row in self.methods.get((owner, call.name), ()) if len(row[1]) == len(call.parameters)]
        same = [row for row in found if row[1] == tuple(map(_simple, call.parameters))]
        near = [row for row in found if sum(map(_differ, row[1], call.parameters)) == 0]
        places = {place for place, _ in same or near or found}
        return places | self.types.get(owner, set()) if call.name == ".ctor" else places


def _differ(written: str, known: str) -> bool:
    return not known.startswith("!") and written != _simple(known)


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _simple(name: str) -> str:
    """Return the last part of a type's name without its arguments: ``List[]``."""
    while _ARGUMENTS.search(name):
        name = _ARGUMENTS.sub("", name)
    name = name.strip().rstrip("&?").replace("/", ".").rpartition(".")[2].strip()
    word = name.rstrip("[],* ")
    return _KEYWORDS.get(word, word) + name[len(word) :].replace(" ", "")


def _parameters(method: Node) -> tuple[str, ...]:
    listed = method.child_by_field_name("parameters")
    found = []
    for each in listed.named_children if listed is not None else ():
        kind = each.child_by_field_name("type") if each.type == "parameter" else each
        if kind is not None and each.type in {"parameter", "array_type"}:
            found.append(_simple(_text(kind)))
    return tuple(found)


def statements(rows: list[list[str]]) -> Iterator[tuple[str, int, int, list[Call]]]:
    """Yield (file, first line, last line, calls) of each statement: it ends where the next one begins."""
    calls: dict[tuple[str, int], list[Call]] = defaultdict(list)
    lines: dict[str, set[int]] = defaultdict(set)
    for file, line, owner, name, kind, parameters in rows:
        given = re.split(r",(?![^<]*>)", parameters) if parameters else []
        calls[file, int(line)].append(Call(owner, name, kind, tuple(given)))
        lines[file].add(int(line))
    ordered = {file: sorted(known) for file, known in lines.items()}
    for (file, first), made in sorted(calls.items()):
        behind = bisect_right(ordered[file], first)
        after = ordered[file][behind] if behind < len(ordered[file]) else first + _LONGEST_STATEMENT
        yield file, first, min(after - 1, first + _LONGEST_STATEMENT), made


def answers(root: Path, rows: list[list[str]], declared: Declared) -> Iterator[list[object]]:
    """Yield what is known of each place that calls a name."""
    texts: dict[str, list[str]] = {}
    for file, first, last, calls in statements(rows):
        if file not in texts:
            blank = _TEXT.sub(
                lambda found: re.sub(r"[^\n]", " ", found[0]), Path(file).read_text("utf-8-sig", "replace")
            )
            texts[file] = blank.split("\n")
        said: dict[str, set[tuple[frozenset[Place], frozenset[Place]]]] = defaultdict(set)
        for call in calls:
            is_maker = call.kind == "made" and call.name == ".ctor"
            if is_maker or (
                call.kind == "call" and not call.name.startswith(("get_", "set_", "add_", "op_", ".", "<"))
            ):
                name = _simple(call.owner.replace("/", ".")) if is_maker else call.name.rpartition(".")[2]
                overrides = declared.overrides.get((name, tuple(map(_simple, call.parameters))), set())
                said[name].add((frozenset(declared.places(call)), frozenset(overrides)))
        is_open = any(call.kind == "delegate" for call in calls)
        path = Path(file).relative_to(root).as_posix()
        for line in range(first, last + 1):
            text = texts[file][line - 1] if line <= len(texts[file]) else ""
            if line > first and not text.strip(" \t{}"):
                break
            for found in _CALLED.finditer(text):
                places = said.get(found[1])
                if places is not None and len(places) == 1:
                    targets, others = map(sorted, next(iter(places)))
                    yield [path, line, found[1], 0, targets or ("unknown" if others else "external"), others]
                elif places is None and is_open:
                    yield [path, line, found[1], 0, "external", []]


def main() -> None:
    root, output = Path(sys.argv[1]).resolve(), sys.argv[2]
    files = [path for path in sorted(root.rglob("*.cs")) if path.is_file()]
    parser, declared = Parser(Language(tree_sitter_c_sharp.language())), Declared()
    for path in files:
        # Conditions can stand where the grammar knows none; all that they choose from is read.
        source = _DIRECTIVE.sub(lambda found: b" " * len(found[0]), path.read_bytes())
        declared.add(parser.parse(source).root_node, path.relative_to(root).as_posix(), "")
    with TemporaryDirectory() as folder:
        library, reader, listed = Path(folder, "all.dll"), Path(folder, "calls.exe"), Path(folder, "calls.tsv")
        options = ["-debug", "-unsafe", "-nowarn:0-9999", "-target:library", f"-out:{library}", *sys.argv[3:]]
        subprocess.run(["mcs", *options, f"-recurse:{root}/*.cs"], check=True)
        parts = [f"-r:{_CECIL / name}" for name in ("Mono.Cecil.dll", "Mono.Cecil.Mdb.dll")]
        subprocess.run(["mcs", *parts, f"-out:{reader}", str(_HERE / "CSharpCalls.cs")], check=True)
        environment = {"MONO_PATH": str(_CECIL), "PATH": "/usr/bin:/bin"}
        subprocess.run(["mono", str(reader), str(library), str(listed)], check=True, env=environment)
        rows = [line.split("\t") for line in listed.read_text("utf-8").splitlines()]
    Path(output).write_text(json.dumps(list(answers(root, rows, declared))), "utf-8")


if __name__ == "__main__":
    main()
