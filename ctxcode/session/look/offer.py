"""What a package offers or runs, found in the files that its manifest names."""

import re
from collections import deque
from posixpath import normpath

from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind
from ctxcode.session.look.commands.reading import toml
from ctxcode.session.ports import CodeGraph, FileTexts

_BUILT = re.compile(r"^(?:dist|build|lib|out|es|esm|cjs)/")
_ENDINGS = ("", ".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", "/index.ts", "/index.js")
_API_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.TRAIT})
_OFFERED = frozenset({EdgeKind.RE_EXPORTS, EdgeKind.IMPORTS})
_MOST_EXPORTS = 8
_RUN = frozenset({"cli", "main", "run", "start"})
"""What is called so in a command's file is what it runs."""

Place = tuple[str, str]
"""A package's folder, with a slash behind or empty, and a path in it as its manifest says it."""


def exports(manifest: dict[str, object]) -> list[str]:
    """Return the paths of what importing a package gives, the main one first."""
    found: list[str] = []
    pending = deque(manifest.get(key) for key in ("source", "main", "module", "exports"))
    while pending and len(found) < _MOST_EXPORTS:
        value = pending.popleft()
        if isinstance(value, str) and "*" not in value:
            found.append(value)
        elif isinstance(value, dict):
            pending.extend(value.values())
    return list(dict.fromkeys(found)) or (["index.js"] if manifest else [])


def crates(workspace: FileTexts, folder: str) -> list[str]:
    """Return the path of what using a crate gives."""
    manifest = toml(workspace, f"{folder}Cargo.toml")
    if manifest is None:
        return []
    library = manifest.get("lib") if isinstance(manifest, dict) else None
    path = library.get("path") if isinstance(library, dict) else None
    return [path if isinstance(path, str) else "src/lib.rs"]


def entered(graph: CodeGraph, place: Place, command: str) -> list[Symbol]:
    """Return what of the file of a command is run: the function that is called so, else all of the script."""
    symbols = _file(graph, place)
    public = _public(symbols)
    named = [one for one in public if one.name in {*_RUN, command}]
    return (named or (not public and _passed_on(graph, symbols[0])) or list(symbols))[:1] if symbols else []


def offered(graph: CodeGraph, place: Place) -> list[Symbol]:
    """Return the public functions and classes of the file a manifest names, or of the file that one passes on."""
    symbols = _file(graph, place)
    return (_public(symbols) or _passed_on(graph, symbols[0])) if symbols else []


def _file(graph: CodeGraph, place: Place) -> tuple[Symbol, ...]:
    """Return the definitions of a file that a manifest names, the module first.

    What is built is looked for where its source would be.
    """
    folder, path = place
    plain = normpath(path.removeprefix("./"))
    stems = [plain, re.sub(r"(?:\.d)?\.[cm]?[jt]sx?$", "", plain)]
    stems += [_BUILT.sub("src/", stem) if _BUILT.match(stem) else f"src/{stem}" for stem in stems]
    found = (graph.symbols_in(f"{folder}{stem}{ending}") for stem in stems for ending in _ENDINGS)
    return next(filter(None, found), ())


def _passed_on(graph: CodeGraph, module: Symbol) -> list[Symbol]:
    """Return what a module takes from others to offer it, in the order it does so."""
    edges = [edge for edge in graph.edges_of(module.id) if edge.source == module.id and edge.kind in _OFFERED]
    targets = dict.fromkeys(edge.target for edge in sorted(edges, key=lambda edge: (edge.line, edge.target)))
    known = graph.symbols(targets)
    found = [known[id_] for id_ in targets if id_ in known]
    named = [one for one in found if one.kind in _API_KINDS]
    return named or [one for module in found for one in _public(graph.symbols_in(module.path))]


def _public(symbols: tuple[Symbol, ...]) -> list[Symbol]:
    return [one for one in symbols if one.kind in _API_KINDS and one.visibility == "public" and "." not in one.qualname]
