"""Which of the functions called ``main`` start the product, best first."""

from collections.abc import Sequence
from posixpath import basename

from ctxcode.model.naming.folder import is_build_script, is_helper_path
from ctxcode.model.symbol import ModuleEntry, Symbol, SymbolKind
from ctxcode.session.look.commands.jvm import class_names, main_classes
from ctxcode.session.look.marks import marked_as_started
from ctxcode.session.look.routes.own import entries_below, is_own, is_own_path
from ctxcode.session.ports import CodeGraph, FileTexts

_WINDOWS = frozenset({"c", "cpp"})
_NAMES = {"main": None, "Main": frozenset({"csharp"}), "WinMain": _WINDOWS, "wWinMain": _WINDOWS, "wmain": _WINDOWS}
"""What starts a program, by name: in these languages, or in all."""
_BOOTSTRAP, _BOOTSTRAPPING = "bootstrap", frozenset({"main.ts", "main.js"})
"""What NestJS has it called, and where."""
_PROGRAMS = {"Program.cs": "Main", "main.swift": "main", "__main__.py": "main"}
"""The files whose statements start a program, that has no function of this name for it."""
_HOSTED = "lua"
"""What mostly stands in a program of another language."""
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_SCRIPTS = "/scripts/"
"""What a part of a product has for those who work on it."""
_MOST_NAMESAKES = 1_000
"""Large repositories have hundreds, most of them in what they copied from others."""


def mains(graph: CodeGraph, workspace: FileTexts) -> list[Symbol]:
    """Return what starts a program of the product, the one that says most of it first.

    That is what is built to be run, what stands in no folder of helpers, then farthest out, then in the folder with the
    most code, then in the file that others use most.
    """
    named = [
        one
        for name, languages in _NAMES.items()
        for one in graph.symbols_named(name, _MOST_NAMESAKES)
        if _starts(one) and (languages is None or one.language in languages)
    ]
    named += [one for one in graph.symbols_named(_BOOTSTRAP) if _starts(one) and basename(one.path) in _BOOTSTRAPPING]
    named += _programs(graph)
    held = {one.parent for one in named}
    named += [one for one in marked_as_started(graph) if one.id not in held]
    chosen = main_classes(workspace, [one.path for one in named])
    modules = graph.modules()
    folders = {one.path: one.path.rpartition("/")[0] for one in named}
    sizes = {folder: _size(modules, folder) for folder in set(folders.values())}
    ranks = {entry.path: entry.rank for path in folders for entry in entries_below(modules, path)}
    return sorted(
        named,
        key=lambda one: (
            chosen.isdisjoint(class_names(one)),
            is_for_workers(one),
            one.path.count("/"),
            one.qualname.count("."),
            one.language == _HOSTED,
            -sizes[folders[one.path]],
            -ranks.get(one.path, 0.0),
            one.name != "main",
            one.id,
        ),
    )


def is_for_workers(symbol: Symbol) -> bool:
    """Return whether what starts a program seems to help those who work on the product, all of it or a part."""
    return is_helper_path(symbol.path) or _SCRIPTS in symbol.path


def _programs(graph: CodeGraph) -> list[Symbol]:
    """Return the files that are programs as they stand."""
    found: list[Symbol] = []
    for name, function in _PROGRAMS.items():
        paths = [path for path in graph.paths_like(name, _MOST_NAMESAKES) if basename(path) == name]
        files = [graph.symbols_in(path) for path in paths if is_own_path(path)]
        found += [symbols[0] for symbols in files if symbols and all(one.name != function for one in symbols[1:])]
    return found


def _starts(symbol: Symbol) -> bool:
    is_callable = symbol.kind in _CALLABLE and symbol.qualname.count(".") < 2
    return is_callable and is_own(symbol) and not is_build_script(symbol.path)


def _size(modules: Sequence[ModuleEntry], folder: str) -> int:
    return sum(entry.symbols for entry in entries_below(modules, f"{folder}/" if folder else ""))
