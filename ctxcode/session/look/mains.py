"""Which of the functions called ``main`` start the product, best first."""

from bisect import bisect_left
from collections.abc import Sequence
from posixpath import basename

from ctxcode.model.naming.folder import is_build_script, is_helper_path
from ctxcode.model.symbol import ModuleEntry, Symbol, SymbolKind
from ctxcode.session.look.routes.own import is_own, is_own_path
from ctxcode.session.ports import CodeGraph

_WINDOWS = frozenset({"c", "cpp"})
_NAMES = {"main": None, "Main": frozenset({"csharp"}), "WinMain": _WINDOWS, "wWinMain": _WINDOWS, "wmain": _WINDOWS}
"""What starts a program, by name: in these languages, or in all."""
_BOOTSTRAP, _BOOTSTRAPPING = "bootstrap", frozenset({"main.ts", "main.js"})
"""What NestJS has it called, and where."""
_PROGRAM, _MAIN = "Program.cs", "Main"
"""The file whose statements start a program of C# that has no function for it."""
_HOSTED = "lua"
"""What mostly stands in a program of another language."""
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_MOST_NAMESAKES = 1_000
"""Large repositories have hundreds, most of them in what they copied from others."""


def mains(graph: CodeGraph) -> list[Symbol]:
    """Return the functions and files that start a program of the product, the one that says most of it first.

    That is what stands in no folder of helpers, then farthest out, then in the folder with the most code, then in the
    file that others use most.
    """
    named = [
        one
        for name, languages in _NAMES.items()
        for one in graph.symbols_named(name, _MOST_NAMESAKES)
        if _starts(one) and (languages is None or one.language in languages)
    ]
    named += [one for one in graph.symbols_named(_BOOTSTRAP) if _starts(one) and basename(one.path) in _BOOTSTRAPPING]
    named += _programs(graph)
    modules = graph.modules()
    folders = {one.path: one.path.rpartition("/")[0] for one in named}
    sizes = {folder: _size(modules, folder) for folder in set(folders.values())}
    ranks = {entry.path: entry.rank for path in folders for entry in below(modules, path)}
    return sorted(
        named,
        key=lambda one: (
            is_helper_path(one.path),
            one.path.count("/"),
            one.qualname.count("."),
            one.language == _HOSTED,
            -sizes[folders[one.path]],
            -ranks.get(one.path, 0.0),
            one.name != "main",
            one.id,
        ),
    )


def _programs(graph: CodeGraph) -> list[Symbol]:
    paths = [path for path in graph.paths_like(_PROGRAM) if basename(path) == _PROGRAM and is_own_path(path)]
    files = [symbols for path in paths if (symbols := graph.symbols_in(path))]
    return [symbols[0] for symbols in files if all(one.name != _MAIN for one in symbols)]


def _starts(symbol: Symbol) -> bool:
    is_callable = symbol.kind in _CALLABLE and symbol.qualname.count(".") < 2
    return is_callable and is_own(symbol) and not is_build_script(symbol.path)


def _size(modules: Sequence[ModuleEntry], folder: str) -> int:
    return sum(entry.symbols for entry in below(modules, f"{folder}/" if folder else ""))


def below(modules: Sequence[ModuleEntry], start: str) -> Sequence[ModuleEntry]:
    """Return the files whose path begins with a text; ``modules`` is in the order of its paths."""
    first = bisect_left(modules, start, key=lambda entry: entry.path)
    end = bisect_left(modules, start + "\U0010ffff", lo=first, key=lambda entry: entry.path)
    return modules[first:end]
