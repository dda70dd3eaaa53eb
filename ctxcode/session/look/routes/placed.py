"""Files that answer requests by where they stand, as Next.js has it."""

import re
from collections.abc import Iterator
from itertools import islice

from ctxcode.model.errors import RepositoryError
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.session.look.routes.own import is_own, is_own_path, outer_first, paths_below
from ctxcode.session.ports import CodeGraph, FileTexts

_MANIFEST = "package.json"
_SETTINGS = ("next.config.js", "next.config.mjs", "next.config.ts")
_NEEDS = re.compile(r'"next"\s*:')
_FOLDERS = ("app/", "src/app/", "pages/", "src/pages/")
_ROUTE = re.compile(r"(?:^|/)app/(?:.*/)?route\.[jt]sx?$")
_PAGE = re.compile(r"(?:^|/)(?:app/(?:.*/)?page|pages/(?:api/.*|(?!_|api/)(?:.*/)?[^/_][^/]*))\.[jt]sx?$")
_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_DEFAULT = re.compile(
    r"^export\s+default\b(?:\s+(?:(?:async\s+)?(?:function\s+|class\s+)?|\w+\()([A-Za-z_$][\w$]*))?", re.MULTILINE
)
_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.CONSTANT, SymbolKind.VARIABLE})
_MOST_SITES = 10
_MOST_FILES = 2_000
"""Of one folder that are looked at."""
_MOST_PAGES = 20
"""Of one site that are read."""
_LONGEST_FILE = 200_000


def placed(graph: CodeGraph, workspace: FileTexts) -> Iterator[Symbol]:
    """Yield the handlers and pages of the repository's sites."""
    for site in _sites(graph, workspace):
        paths = [path for folder in _FOLDERS for path in islice(paths_below(graph, f"{site}{folder}"), _MOST_FILES)]
        pages = [path for path in paths if (_ROUTE.search(path) or _PAGE.search(path)) and is_own_path(path)]
        for path in sorted(pages, key=outer_first)[:_MOST_PAGES]:
            found = _verbs(graph, path) if _ROUTE.search(path) else _default(graph, workspace, path)
            yield from (one for one in found if is_own(one))


def _sites(graph: CodeGraph, workspace: FileTexts) -> list[str]:
    """Return the folders of sites, each with a slash behind; the repository's own is empty."""
    settings = [path for name in _SETTINGS for path in graph.paths_like(name) if path.endswith(name)]
    sites = {path.rpartition("/")[0] for path in settings if is_own_path(path)}
    if "" not in sites and _is_site(workspace):
        sites.add("")
    return [f"{site}/" if site else "" for site in sorted(sites, key=outer_first)[:_MOST_SITES]]


def _is_site(workspace: FileTexts) -> bool:
    try:
        return _NEEDS.search(workspace.read_text(_MANIFEST)[:_LONGEST_FILE]) is not None
    except RepositoryError:
        return False


def _verbs(graph: CodeGraph, path: str) -> list[Symbol]:
    return [one for one in graph.symbols_in(path) if one.qualname in _VERBS and one.visibility == "public"]


def _default(graph: CodeGraph, workspace: FileTexts, path: str) -> list[Symbol]:
    """Return what a file offers without a name; the module where that has none."""
    try:
        named = _DEFAULT.search(workspace.read_text(path)[:_LONGEST_FILE])
    except RepositoryError:
        return []
    symbols = graph.symbols_in(path) if named is not None else ()
    found = [one for one in symbols if named is not None and one.qualname == named[1] and one.kind in _KINDS]
    return found[:1] or list(symbols[:1])
