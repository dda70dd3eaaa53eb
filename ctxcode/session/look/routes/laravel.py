"""What Laravel's lists of addresses name: methods of controllers, as Lumen and Slim have it, too."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ctxcode.model.errors import RepositoryError
from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind
from ctxcode.session.look.routes.own import edges_from, is_own, is_own_path, outer_first, paths_below
from ctxcode.session.ports import CodeGraph, FileTexts

_LIST, _FOLDER = "routes/web.php", "routes/"
"""One that nearly every application has, and where it has others."""
_MOST_LISTS = 10
_MOST_FILES = 500
"""Of one folder that are looked at."""
_LINKING = frozenset({EdgeKind.IMPORTS, EdgeKind.REFERENCES})
_LONGEST_FILE = 200_000
_MOST_CALLS = 300
"""In one file."""
_ROUTE = re.compile(
    r"(?:Route::|->)(?:get|post|put|patch|delete|any|options|match|(?P<all>(?:api)?[rR]esource|singleton))\(\s*"
    r"(?:\[[^\]\n]{0,80}\]\s*,\s*)?(?:'[^'\n]*'|\"[^\"\n]*\")\s*,\s*"
    r"(?:\[\s*(?P<type>[\w\\]+)::class\s*,\s*['\"](?P<method>\w+)['\"]\s*\]|(?P<one>[\w\\]+)::class"
    r"|['\"](?:(?P<old>[\w\\]+)[@:])?:?(?P<word>\w+)['\"])"
)
_ALIAS = re.compile(r"^use\s+(?:\w+\\)*(\w+)\s+as\s+(\w+);", re.MULTILINE)
_GROUP = re.compile(r"(?:Route::|->)controller\(\s*([\w\\]+)::class\s*\)")
_INVOKED = "__invoke"
_ACTIONS = ("index", "show", "create", "store", "edit", "update", "destroy")


@dataclass(frozen=True, slots=True)
class _List:
    """One list of addresses."""

    graph: CodeGraph
    text: str
    types: dict[str, Symbol]
    """The classes that the file speaks of, by name."""

    def named(self, written: str) -> Symbol | None:
        """Return the class that a name stands for: what the file imports, else the only one."""
        name = written.rpartition("\\")[2]
        if name in self.types:
            return self.types[name]
        found = [one for one in self.graph.symbols_named(name) if one.kind is SymbolKind.CLASS and is_own(one)]
        return found[0] if len(found) == 1 else None

    def actions(self, owner: Symbol, names: tuple[str, ...]) -> list[Symbol]:
        """Return some methods of a class that are there."""
        ids = [SymbolId(f"{owner.id}.{name}") for name in names]
        found = self.graph.symbols(ids)
        return [found[id_] for id_ in ids if id_ in found]


def listed_in_php(graph: CodeGraph, workspace: FileTexts) -> Iterator[Symbol]:
    """Yield what the product's own lists name, in their order."""
    found = {path.removesuffix("web.php") for path in graph.paths_like(_LIST) if path.endswith(_LIST)}
    paths = {path for folder in found | {_FOLDER} for path in islice(paths_below(graph, folder), _MOST_FILES)}
    own = [path for path in paths if path.endswith(".php") and is_own_path(path)]
    for path in sorted(own, key=outer_first)[:_MOST_LISTS]:
        try:
            text = workspace.read_text(path)[:_LONGEST_FILE]
        except RepositoryError:
            continue
        targets = graph.symbols({edge.target for edge in edges_from(graph, SymbolId(path), _LINKING)}).values()
        types = {one.name: one for one in targets if one.kind is SymbolKind.CLASS}
        types |= {alias: types[name] for name, alias in _ALIAS.findall(text) if name in types}
        yield from _listed(_List(graph, text, types))


def _listed(each: _List) -> Iterator[Symbol]:
    groups = [*islice(_GROUP.finditer(each.text), _MOST_CALLS)]
    starts = [group.start() for group in groups]
    for route in islice(_ROUTE.finditer(each.text), _MOST_CALLS):
        written = route["type"] or route["one"] or route["old"]
        names = (_ACTIONS if route["all"] else (_INVOKED,)) if route["one"] else (route["method"] or route["word"],)
        at = bisect_right(starts, route.start())
        if not written and at:
            written = groups[at - 1][1]
        owner = each.named(written) if written else None
        yield from each.actions(owner, names) if owner is not None else ()
