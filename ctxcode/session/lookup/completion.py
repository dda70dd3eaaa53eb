"""What a few typed letters may become: files by path, definitions by name."""

from ctxcode.model.ids import SymbolId
from ctxcode.model.source import is_image
from ctxcode.model.symbol import ModuleEntry, Symbol, SymbolKind
from ctxcode.session.lookup.unindexed import is_readable
from ctxcode.session.ports import CodeGraph, Workspace

_MOST_TRIED = 40
"""Files outside of the index that are looked into, whether they hold text."""


def completed(graph: CodeGraph, text: str, limit: int) -> tuple[Symbol, ...]:
    """Return files and symbols for typed letters, nearest first; the most central ones for none.

    A file is its module's symbol. With a slash in it the text is a path; else a third of the room is for files. Of
    several words all have to be there.
    """
    text = text.strip().replace("\\", "/").removeprefix("./")
    if not text:
        return tuple(symbol for symbol, _ in graph.central(limit))
    paths = matching_paths(graph.modules(), text, limit)
    if "/" in text:
        return _modules(graph, paths)
    symbols = graph.symbols_like("".join(text.split()), limit)
    room = max(limit // 3, limit - len(symbols))
    files = _modules(graph, paths[:room])
    is_file_first = any(path.rpartition("/")[2].lower().startswith(text.lower()) and "." in text for path in paths[:1])
    symbols = symbols[: limit - len(files)]
    return (*files, *symbols) if is_file_first else (*symbols, *files)


def completed_here(graph: CodeGraph, workspace: Workspace, text: str, limit: int) -> tuple[Symbol, ...]:
    """Return the same with files that no parser takes among it, where the letters are a path or nothing is found."""
    text = text.strip().replace("\\", "/").removeprefix("./")
    found = completed(graph, text, limit) if "/" not in text else ()
    if found and limit and not graph.symbols_in(text) and is_readable(text, workspace):
        # What is called so in full is meant before what only holds the letters.
        return (_file(text), *found)[:limit]
    if found or not ("/" in text or "." in text):
        return found
    modules = graph.modules()
    known = {entry.path for entry in modules}
    others = [path for path in workspace.file_paths() if path not in known and not is_image(path)]
    entries = (*modules, *(ModuleEntry(path, path, "", 0, 0.0, True) for path in others))
    paths = matching_paths(entries, text, limit + _MOST_TRIED)
    paths = tuple([path for path in paths if path in known or is_readable(path, workspace)][:limit])
    symbols = {symbol.path: symbol for symbol in _modules(graph, paths)}
    return tuple(symbols[path] if path in symbols else _file(path) for path in paths)


def _file(path: str) -> Symbol:
    """Return a file of no language as the symbol of its module."""
    name = path.rpartition("/")[2]
    return Symbol(SymbolId(path), name, "", SymbolKind.MODULE, path, "", path, 1, 1, 1, 1, "")


def matching_paths(modules: tuple[ModuleEntry, ...], text: str, limit: int) -> tuple[str, ...]:
    """Return the paths that hold all words of a text, or, when there is a slash in it, its letters in order.

    Nearest first: the file's name begins so, then holds the text, then the path holds it; then code before tests,
    central before less central files, shorter before longer paths.
    """
    wanted = text.lower()
    words = wanted.split()
    ranked = []
    for entry in modules:
        path = entry.path.lower()
        if not all(word in path for word in words) and not ("/" in wanted and _holds(path, wanted)):
            continue
        name = path.rpartition("/")[2]
        near = 0 if name.startswith(wanted) else 1 if wanted in name else 2 if wanted in path else 3
        ranked.append((near, entry.is_test, -entry.rank, len(path), entry.path))
    return tuple(row[-1] for row in sorted(ranked)[:limit])


def _holds(text: str, letters: str) -> bool:
    at = 0
    for letter in letters:
        at = text.find(letter, at) + 1
        if not at:
            return False
    return True


def _modules(graph: CodeGraph, paths: tuple[str, ...]) -> tuple[Symbol, ...]:
    found = graph.symbols(SymbolId(path) for path in paths)
    return tuple(found[SymbolId(path)] for path in paths if SymbolId(path) in found)
