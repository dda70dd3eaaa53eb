"""The orientation scaffold: a module tree folded to a token limit."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple, Protocol

from ctxcode.context.render import CountTokens
from ctxcode.model.naming.folder import is_text_path
from ctxcode.model.naming.number import counted
from ctxcode.model.naming.shown import on_one_line
from ctxcode.model.symbol import ModuleEntry

NOTE = (
    "Only part of this repository is shown below. Every tenth line carries its number.\n"
    "If you need code that is not shown, name the symbol or file: the user can pin it.\n"
)
NOTE_WITH_TOOLS = (
    "Only part of this repository is shown below. Lines carry their numbers.\n"
    "If you need code that is not shown, call request_code_context with its symbol or a few words.\n"
)
_TEST_WEIGHT = 0.1
_MOST_FOLDERS = 24
"""Of more subfolders the best known ones are named on one line."""
_MOST_NAMES = 12
_MAX_MISSES = 16
"""Folders in a row that do not fit before the tree is taken as full."""


@dataclass(slots=True)
class _Folder:
    """A folder of the tree while it is being folded."""

    name: str
    path: str
    depth: int
    folders: dict[str, "_Folder"] = field(default_factory=dict)
    files: list[ModuleEntry] = field(default_factory=list)
    file_count: int = 0
    symbol_count: int = 0
    rank: float = 0.0
    is_open: bool = False
    is_in_crowd: bool = False
    """One of so many that only those that open have a row of their own."""


class TreeWords(NamedTuple):
    """What goes with a tree."""

    note: str = NOTE
    """Tells the model how to get at code that is not shown."""
    why: str = ""
    """Tells the user by what the tree is folded where that is not how central its files are."""


BY_CENTRALITY = TreeWords()


class DrawTree(Protocol):
    """``module_tree``, or what gives the same."""

    def __call__(self, modules: Iterable[ModuleEntry], count: CountTokens, *, limit_tokens: int) -> str:
        """Return the tree."""
        ...


def module_tree(modules: Iterable[ModuleEntry], count: CountTokens, *, limit_tokens: int) -> str:
    """Return the repository's folders and files as an indented tree of at most ``limit_tokens`` tokens.

    Folders open in the order of their centrality until the limit; a folded one says what it holds. Empty when there
    are no modules or the limit is too small for one line.
    """
    root = _grown(modules)
    if not root.file_count or limit_tokens <= 0:
        return ""
    _open_folders(root, count, limit_tokens)
    text = _rendered(root)
    return text if count(text) <= limit_tokens else _cut(text, count, limit_tokens)


def _open_folders(root: _Folder, count: CountTokens, limit_tokens: int) -> None:
    """Open folders in the order of their centrality as long as the rows they add fit."""
    root.is_open = True
    used = _opening_cost(root, count)
    closed = [(_priority(folder), folder) for folder in root.folders.values()]
    heapq.heapify(closed)
    misses = 0
    while closed and misses < _MAX_MISSES:
        _, folder = heapq.heappop(closed)
        cost = _opening_cost(folder, count)
        if used + cost > limit_tokens:
            misses += 1
            continue
        misses = 0
        used += cost
        folder.is_open = True
        for child in folder.folders.values():
            heapq.heappush(closed, (_priority(child), child))


def _opening_cost(folder: _Folder, count: CountTokens) -> int:
    """Return the tokens of the rows that opening a folder adds."""
    own = [_folder_row(folder)] if folder.is_in_crowd else []
    rows = [_folder_row(child) for child in folder.folders.values() if not child.is_in_crowd]
    return sum(count(row + "\n") for row in [*own, *rows, *_crowd_rows(folder), *_file_rows(folder)])


def _grown(modules: Iterable[ModuleEntry]) -> _Folder:
    folders = {"": _Folder("", "", -1)}
    for module in sorted(modules, key=attrgetter("path")):
        if is_text_path(module.path):
            continue
        place = module.path.rpartition("/")[0]
        folder = folders.get(place) or _folder(place, folders)
        folder.files.append(module)
        folder.file_count += 1
        folder.symbol_count += module.symbols
        folder.rank += (module.rank + 1e-6) * (_TEST_WEIGHT if module.is_test else 1.0)
    # A folder comes after the one it is in.
    for path, folder in reversed(folders.items()):
        for child in folder.folders.values():
            child.is_in_crowd = len(folder.folders) > _MOST_FOLDERS
        if path:
            outer = folders[path.rpartition("/")[0]]
            outer.file_count += folder.file_count
            outer.symbol_count += folder.symbol_count
            outer.rank += folder.rank
    return folders[""]


def _folder(path: str, folders: dict[str, _Folder]) -> _Folder:
    """Return the folder at a path; it and those around it are made where they are missing."""
    if path not in folders:
        outer, _, name = path.rpartition("/")
        above = _folder(outer, folders)
        folders[path] = above.folders[name] = _Folder(name, f"{path}/", above.depth + 1)
    return folders[path]


def _priority(folder: _Folder) -> tuple[float, int, str]:
    return (-folder.rank, folder.depth, folder.path)


def _folder_row(folder: _Folder) -> str:
    held = counted(folder.file_count, "file")
    if folder.symbol_count:
        held += f", {counted(folder.symbol_count, 'symbol')}"
    size = "" if folder.is_open else f" ({held})"
    return f"{'  ' * folder.depth}{folder.name}/{size}"


def _rendered(root: _Folder) -> str:
    rows: list[str] = []
    stack: list[_Folder] = [root]
    while stack:
        folder = stack.pop()
        if folder.depth >= 0:
            rows.append(_folder_row(folder))
        if folder.is_open:
            shown = [child for child in folder.folders.values() if child.is_open or not child.is_in_crowd]
            stack.extend(sorted(shown, key=lambda child: child.name, reverse=True))
            rows.extend([*_crowd_rows(folder), *_file_rows(folder)])
    return "\n".join(map(on_one_line, rows)) + "\n"


def _crowd_rows(folder: _Folder) -> list[str]:
    """Return the row that names the best known of an open folder's many closed subfolders."""
    crowd = [child for child in folder.folders.values() if child.is_in_crowd and not child.is_open]
    closed = sorted(crowd, key=_priority)
    names = [f"{child.name}/" for child in closed[:_MOST_NAMES]]
    if len(closed) > len(names):
        names.append(f"… {len(closed) - len(names):,} more folders")
    return ["  " * (folder.depth + 1) + " ".join(names)] if names else []


def _file_rows(folder: _Folder) -> list[str]:
    """Return an open folder's own files, best known first, on lines of about a hundred characters."""
    if not folder.files:
        return []
    names = [entry.path.rpartition("/")[2] for entry in sorted(folder.files, key=lambda e: (-e.rank, e.path))]
    shown = names[:12]
    if len(names) > len(shown):
        shown.append(f"… {len(names) - len(shown)} more")
    return ["  " * (folder.depth + 1) + " ".join(shown)]


def _cut(text: str, count: CountTokens, limit_tokens: int) -> str:
    """Return as many whole lines as fit, saying how many do not."""
    rows = text.splitlines()
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high + 1) // 2
        if count("\n".join(rows[:middle]) + f"\n… {len(rows) - middle} more\n") <= limit_tokens:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return ""
    return "\n".join(rows[:low]) + f"\n… {len(rows) - low} more\n"
