"""Writes what clang says of every call of C and C++ sources: run by ``bench_compiled_edges.py`` for its folder.

Run by an interpreter that has ``libclang``: ``python clang_calls.py FOLDER ANSWERS [CLANG'S ARGUMENTS…]``.

Each source is parsed by itself, headers with those that include them. A call leads to the definition of what it names,
in whatever file that stands, and to its declaration in a class; a made object's class is as good as its constructor; a
template stands for what is made of it. Macros that functions use like functions are called too. Definitions of the same
name in the same class, namespace or file are given apart, as *overloads*.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from ctypes import byref, c_uint
from importlib import import_module
from pathlib import Path
from typing import Any

Place = tuple[str, int]
_SOURCES = {".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++"}
_HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp"})
_WRAPPERS = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})
_FUNCTIONS = frozenset(
    {"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "FUNCTION_TEMPLATE", "CONVERSION_FUNCTION"}
)
_CLASSES = frozenset({"CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE", "UNION_DECL"})
_ALIASES = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_REFERENCES = frozenset({"TYPE_REF", "TEMPLATE_REF"})
_MAKERS = frozenset({"CXX_NEW_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CALL_EXPR"})


def system_folders(language: str) -> list[str]:
    """Return the compiler's own include folders, as arguments."""
    run = subprocess.run(["cc", "-E", "-v", "-x", language, "/dev/null"], capture_output=True, text=True, check=True)
    inside = run.stderr.partition("search starts here:\n#include <")[2].partition("End of search")[0]
    return [f"-isystem{line.strip()}" for line in inside.splitlines()[1:]]


class Answers:
    """What the sources said so far."""

    def __init__(self, root: Path, clang: Any) -> None:
        self._root = root
        self._clang = clang
        self._paths: dict[str, str] = {}
        self._lines: dict[str, list[bytes]] = {}
        self._seen: set[tuple[str, int, int]] = set()
        self._bodies: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self.places: dict[str, set[Place]] = defaultdict(set)
        """Definitions by clang's name for an entity, declarations in classes too."""
        self.namesakes: dict[tuple[str, str], set[Place]] = defaultdict(set)
        self.scopes: dict[str, tuple[str, str]] = {}
        """(clang's name of what is around it, simple name) by clang's name for an entity."""
        self.calls: dict[tuple[str, int, int, str], set[str]] = defaultdict(set)
        """What is called: clang's names; none for what it can't tell, an empty one for what a value holds."""

    def read(self, unit: Any) -> None:
        """Take in one parsed source."""
        macros = []
        for cursor in unit.cursor.get_children():
            if cursor.kind.name == "MACRO_INSTANTIATION":
                macros.append(cursor)
            elif self.inside(cursor.location.file) and self._is_new(cursor):
                self._walk(cursor)
        for cursor in macros:
            definition = cursor.referenced
            if self.inside(cursor.location.file) and definition and self._is_function_like(definition):
                path, line, _ = self._place(cursor)
                if any(first <= line <= last for first, last in self._bodies[path]):
                    self._define(definition, "", cursor.spelling)
                    self._call(cursor, cursor.spelling, definition)

    def inside(self, file: Any) -> str:
        """Return a file's path in the folder, empty for one outside."""
        if file is None:
            return ""
        known = self._paths.get(file.name)
        if known is None:
            path = Path(file.name).resolve()
            known = path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else ""
            self._paths[file.name] = known
        return known

    def _is_new(self, cursor: Any) -> bool:
        """Whether a header's part has not been seen with another source."""
        key = (*self._place(cursor)[:2], cursor.location.offset)
        is_new = key not in self._seen or cursor.kind.name in {"NAMESPACE", "LINKAGE_SPEC"}
        self._seen.add(key)
        return is_new

    def _is_function_like(self, macro: Any) -> bool:
        return bool(self._clang.conf.lib.clang_Cursor_isMacroFunctionLike(macro))

    def _walk(self, cursor: Any) -> None:
        pending = [cursor]
        while pending:
            node = pending.pop()
            kind = node.kind.name
            if kind in {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}:
                pending.extend(child for child in node.get_children() if self._is_new(child))
                continue
            if kind in _FUNCTIONS or kind in _CLASSES or kind in _ALIASES:
                self._declared(node, kind)
            elif kind in _MAKERS:
                self._made(node)
            if kind == "CALL_EXPR":
                self._called(node)
            pending.extend(node.get_children())

    def _declared(self, node: Any, kind: str) -> None:
        around = node.semantic_parent
        is_member = around is not None and (
            around.kind.name in _CLASSES or around.kind.name == "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"
        )
        if node.is_definition() or (is_member and kind in _FUNCTIONS):
            self._define(node, around.get_usr() if around is not None else "", node.spelling.partition("<")[0])
        if kind in _FUNCTIONS and node.is_definition():
            path = self.inside(node.location.file)
            for body in node.get_children():
                if body.kind.name == "COMPOUND_STMT":
                    self._bodies[path].add((body.extent.start.line, body.extent.end.line))

    def _define(self, node: Any, scope: str, name: str) -> None:
        usr, (path, line, _) = node.get_usr(), self._place(node)
        if path and usr:
            self.places[usr].add((path, line))
            self.namesakes[scope, name].add((path, line))
            self.scopes[usr] = scope, name

    def _called(self, node: Any) -> None:
        callee = next(node.get_children(), None)
        while callee is not None and callee.kind.name in _WRAPPERS:
            inner = next(callee.get_children(), None)
            if inner is None:
                break
            callee = inner
        target = node.referenced
        if callee is None or (target is not None and target.spelling != callee.spelling):
            # An operator's, or one that makes an object without saying so.
            return
        self._call(callee, callee.spelling.partition("<")[0].strip(), target or callee.referenced)

    def _made(self, node: Any) -> None:
        """Note ``new Type(…)`` and ``Type(…)``."""
        first = next((child for child in node.get_children() if child.kind.name != "NAMESPACE_REF"), None)
        if first is not None and first.kind.name in _REFERENCES and first.referenced is not None:
            maker = next((each for each in (node, *node.get_children()) if each.kind.name == "CALL_EXPR"), node)
            made = maker.referenced if maker.referenced is not None else first.referenced
            name = first.referenced.spelling.partition("<")[0]
            self._call(first, name, made if made.kind.name == "CONSTRUCTOR" else first.referenced)

    def _call(self, at: Any, name: str, target: Any) -> None:
        place = self._place(at)
        if not name or not place[0] or not self._is_spelled(place, name):
            return
        calls = self.calls[(*place, name)]
        if target is None:
            return
        library = self._clang.conf.lib
        for _ in range(5):
            general = library.clang_getSpecializedCursorTemplate(target)
            if general is None or general.kind.is_invalid():
                break
            target = general
        kind = target.kind.name
        if kind in _FUNCTIONS | _CLASSES | _ALIASES | {"MACRO_DEFINITION"}:
            calls.add(target.get_usr())
            if kind == "CONSTRUCTOR":
                calls.add(target.semantic_parent.get_usr())
            elif kind in _ALIASES:
                calls.add(target.underlying_typedef_type.get_declaration().get_usr())
        elif kind not in {"OVERLOADED_DECL_REF", "INVALID_FILE", "NO_DECL_FOUND", "UNEXPOSED_DECL"}:
            calls.add("")

    def _place(self, cursor: Any) -> tuple[str, int, int]:
        """Return (path, line, column) where a name is spelled, inside a macro's brackets too."""
        file, line, column = self._clang.c_object_p(), c_uint(), c_uint()
        self._clang.conf.lib.clang_getSpellingLocation(
            cursor.location, byref(file), byref(line), byref(column), byref(c_uint())
        )
        return self.inside(self._clang.File(file) if file else None), line.value, column.value

    def _is_spelled(self, place: tuple[str, int, int], name: str) -> bool:
        path, line, column = place
        if path not in self._lines:
            self._lines[path] = (self._root / path).read_bytes().split(b"\n")
        rows = self._lines[path]
        return line <= len(rows) and rows[line - 1][column - 1 :].startswith(name.encode())

    def rows(self) -> Iterator[tuple[str, int, str, int, list[Place] | str, list[Place]]]:
        """Yield (path, line, name, number, targets, overloads), in source order."""
        seen = Counter[tuple[str, int, str]]()
        for (path, line, _, name), called in sorted(self.calls.items()):
            found = sorted({place for usr in called for place in self.places.get(usr, ())})
            others = {place for usr in called if usr in self.scopes for place in self.namesakes[self.scopes[usr]]}
            answer = "a value" if "" in called else "outside" if called else "unknown"
            yield path, line, name, seen[path, line, name], found or answer, sorted(others.difference(found))
            seen[path, line, name] += 1


def main() -> None:
    # No dependency of the project: installed where this script runs.
    clang = import_module("clang.cindex")
    root, output, arguments = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3:]
    files = sorted(path for path in root.rglob("*") if path.is_file())
    headers = {path.parent for path in files if path.suffix in _HEADERS}
    folders = [f"-I{folder}" for folder in sorted({root, *headers, *(folder.parent for folder in headers)})]
    # Symbol by symbol, and macros too.
    options = clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    answers, index = Answers(root, clang), clang.Index.create()
    for path in files:
        language = _SOURCES.get(path.suffix)
        if language is not None:
            standard = "-std=c++17" if language == "c++" else "-std=gnu11"
            flags = [f"-x{language}", standard, *folders, *system_folders(language), *arguments]
            unit = index.parse(str(path), flags, options=options)
            errors = [str(found.spelling) for found in unit.diagnostics if found.severity > 2]
            print(f"{path.relative_to(root)}: {len(errors)} errors {errors[:1]}", file=sys.stderr)
            answers.read(unit)
    output.write_text(json.dumps(list(answers.rows())), "utf-8")


if __name__ == "__main__":
    main()
