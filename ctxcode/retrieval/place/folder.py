"""Folders a question names: what stands there comes before what is found elsewhere, its central definitions too."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from ctxcode.model.naming.folder import is_side_path
from ctxcode.model.naming.words import stems_of
from ctxcode.model.retrieval import Mention, MentionKind, Query
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.graph_port import SearchableGraph
from ctxcode.retrieval.place.file import indexed_paths

EXPLICIT = 2.0
"""The ``mention`` score part of what stands in an explicitly named folder: about as much as all that words can say."""
_IN_PASSING = 0.5
"""The same for one that is named in passing."""
MOST_OF_FOLDER = 60
"""Definitions of a folder that are offered whatever the question says."""
_MOST_FOLDERS = 3
"""Where a written path is the end of several folders', the outermost."""
_MOST_FILES = 24
_MOST_OF_FILE = 8
SPEAKS_FOR_FOLDER = frozenset({"__init__", "mod", "lib", "index", "doc", "package-info", "readme"})
_AROUND = frozenset({SymbolKind.MODULE, SymbolKind.NAMESPACE})
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.STRUCT, SymbolKind.ENUM})


@dataclass(frozen=True, slots=True)
class NamedFolder:
    """A folder a mention points at."""

    path: str
    """With a slash at its end."""
    value: float
    """The ``mention`` score part of all that stands there."""
    text: str
    """The mention as written."""

    def holds(self, symbol: Symbol) -> bool:
        """Return whether a symbol stands there."""
        return symbol.path.startswith(self.path)


def named_folders(query: Query, graph: SearchableGraph) -> tuple[NamedFolder, ...]:
    """Return the folders a query names, the explicitly named ones first; a path that is a file's is none."""
    explicit = [mention.text for mention in query.mentions if mention.is_explicit and _may_be_folder(mention, graph)]
    if not (explicit or query.folders):
        return ()
    paths = [module.path for module in graph.modules()]
    # Few words with slashes are folders: one search of all paths at once tells most of them apart.
    listed = "\n".join(["", *paths])
    found: dict[str, NamedFolder] = {}
    for value, texts in ((EXPLICIT, explicit), (_IN_PASSING, query.folders)):
        for text in texts:
            folders = _folders_in(text, paths, listed)
            if folders and (text.endswith("/") or not indexed_paths(text, graph)):
                for path in folders:
                    found.setdefault(path, NamedFolder(path, value, text))
    return tuple(found.values())


def _may_be_folder(mention: Mention, graph: SearchableGraph) -> bool:
    """Return whether a mention is a path, or a single name that at most modules have: a package's is its folder's."""
    if mention.kind is MentionKind.IDENTIFIER:
        if "." in mention.text:
            return False
        return all(symbol.kind is SymbolKind.MODULE for symbol in graph.symbols_named(mention.text))
    return mention.kind is MentionKind.PATH


def without_folder_words(query: Query, folders: Sequence[NamedFolder]) -> Query:
    """Return a query without the words that only its explicitly named folders say: all that stands there holds them."""
    explicit = [folder.text for folder in folders if folder.value == EXPLICIT]
    if not explicit:
        return query
    rest = query.text
    for text in sorted(explicit, key=len, reverse=True):
        rest = rest.replace(text.rstrip("/"), " ")
    said = frozenset[str]().union(*map(stems_of, explicit)) - stems_of(rest)
    return replace(query, terms=tuple((term, weight) for term, weight in query.terms if not stems_of(term) <= said))


def _folders_in(text: str, paths: Sequence[str], listed: str) -> tuple[str, ...]:
    """Return the folders of indexed files that a written path means, each with a slash at its end.

    The path stands at the top, else it is the end of a folder's; the first parts of one from elsewhere may be missing.
    ``listed`` has a line end before each of the paths.
    """
    parts = [part for part in text.split("/") if part not in {"", ".", ".."}]
    # A single name at the end of a longer path says too little.
    for start in range(max(len(parts) - 1, 1) if parts else 0):
        wanted = "/".join(parts[start:]) + "/"
        if f"\n{wanted}" in listed:
            return (wanted,)
        if f"/{wanted}" in listed:
            ends = {path[: at + 1 + len(wanted)] for path in paths if (at := path.find(f"/{wanted}")) >= 0}
            return tuple(sorted(ends, key=lambda folder: (folder.count("/"), folder))[:_MOST_FOLDERS])
    return ()


def central_in(folder: str, graph: SearchableGraph) -> tuple[Symbol, ...]:
    """Return at most ``MOST_OF_FOLDER`` definitions of a folder: one of each of its most central files, and so on."""
    modules = [module for module in graph.modules() if module.path.startswith(folder)]
    modules.sort(key=lambda module: (is_side_path(module.path), -module.rank, module.path))
    told = [symbol for module in modules if (symbol := _telling(module.path, folder, graph)) is not None]
    files = [_outer(module.path, graph) for module in modules[:_MOST_FILES]]
    found = [symbol for symbol in chain(*zip_longest(*files)) if symbol is not None]
    return tuple([*told, *found][:MOST_OF_FOLDER])


def _telling(path: str, folder: str, graph: SearchableGraph) -> Symbol | None:
    """Return the module of a file right in a folder whose documentation is the folder's; None for any other file."""
    name = path.removeprefix(folder)
    if "/" in name or name.partition(".")[0].lower() not in SPEAKS_FOR_FOLDER:
        return None
    module = next(iter(graph.symbols_in(path)), None)
    return module if module is not None and module.doc else None


def _outer(path: str, graph: SearchableGraph) -> list[Symbol]:
    """Return a file's outer definitions, types before all else: they say what is there."""
    symbols = graph.symbols_in(path)
    around = {symbol.id for symbol in symbols if symbol.kind in _AROUND}
    outer = [
        symbol
        for symbol in symbols
        if symbol.kind not in _AROUND and not symbol.is_member and (symbol.parent is None or symbol.parent in around)
    ]
    outer.sort(key=lambda symbol: (symbol.kind not in _TYPES, symbol.start_line))
    return outer[:_MOST_OF_FILE]
