"""The definitions that a written name means: with its owners, spelt otherwise, or misspelt."""

import re

from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.graph_port import SearchableGraph

MOST_NAMESAKES = 8
"""Of a name with more definitions, only so many are surely meant."""
_FEW = 3
_LIKE_ENOUGH = 0.8
_SELF = frozenset({"self", "this", "cls", "super", "crate"})
OF_PLATFORMS = re.compile(r"(?:javax?|jdk|kotlin|scala|System|sun\.(?:misc|net|nio|reflect|security|util))\.[\w$]+\.")
"""What names of the platforms' own packages begin with: in a trace stand many, and their last parts are common."""


def definitions_named(text: str, graph: SearchableGraph) -> tuple[Symbol, ...]:
    """Return the definitions of a name, or of its longest tail that exists: ``self.a.run`` means ``run``."""
    if OF_PLATFORMS.match(text):
        return graph.symbols_named(text)
    parts = text.split(".")
    for start in dict.fromkeys((*range(min(len(parts), 4)), max(len(parts) - 2, 0))):
        symbols = graph.symbols_named(".".join(parts[start:]))
        if symbols:
            return _under(parts[:start], symbols)
    if text.startswith("$"):
        return definitions_named(text.lstrip("$"), graph)
    if text.endswith(("!", "?")):
        return definitions_named(text[:-1], graph)
    if "$" in text.strip("$"):
        # How Java writes an inner class; elsewhere a name may hold the sign.
        return definitions_named(text.replace("$", "."), graph)
    if "-" in text:
        return _joined(text, graph)
    return graph.symbols_named(parts[-1]) if len(parts) > 4 else ()


def _joined(text: str, graph: SearchableGraph) -> tuple[Symbol, ...]:
    """Return the definitions of a name of an option, a rule or a component: ``max-size`` is ``max_size`` in code."""
    first, *more = text.split("-")
    titles = "".join(part[:1].upper() + part[1:] for part in more)
    spelt = ("_".join((first, *more)), first + titles, first[:1].upper() + first[1:] + titles)
    return next(filter(None, map(graph.symbols_named, spelt)), ())


def _under(owners: list[str], symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    """Return the symbols below the first of the written owners, or all: a package may re-export what it defines.

    An object is often called like its type: ``cart.add``, ``http_client.send``.
    """
    if not owners or (owners[0] in _SELF and len(owners) == 1):
        return symbols
    below = tuple(symbol for symbol in symbols if owners[0] in symbol.dotted.split("."))
    owner = _flat(owners[-1])
    below = below or tuple(one for one in symbols if owner in map(_flat, _owners(one)))
    if below or (len(symbols) > _FEW and owners[0] not in _SELF):
        return below
    if owners[0] in _SELF:
        return symbols
    return tuple(symbol for symbol in symbols if not (symbol.is_member and "." in symbol.qualname))


def _owners(symbol: Symbol) -> list[str]:
    return symbol.qualname.split(".")[:-1]


def _flat(name: str) -> str:
    return name.replace("_", "").lower()


def respelled(text: str, graph: SearchableGraph) -> tuple[Symbol, ...]:
    """Return the definitions of the name most like a misspelt one; none when nothing is like enough."""
    from difflib import SequenceMatcher, get_close_matches  # noqa: PLC0415 - for a name that is not there only

    owner, _, last = text.rpartition(".")
    if owner:
        members = _members(owner.rpartition(".")[2], graph)
        close = get_close_matches(last, [member.name for member in members], 1, _LIKE_ENOUGH)
        if close:
            return tuple(member for member in members if member.name == close[0])
    wanted = last.lower()
    for name in graph.nearest_names(wanted, 1):
        if SequenceMatcher(None, name.lower(), wanted, autojunk=False).ratio() >= _LIKE_ENOUGH:
            return graph.symbols_named(name)
    return ()


def _members(owner: str, graph: SearchableGraph) -> list[Symbol]:
    """Return what the types of a name hold."""
    types = [symbol for symbol in graph.symbols_named(owner)[:MOST_NAMESAKES] if symbol.kind is not SymbolKind.MODULE]
    return [member for one in types for member in graph.symbols_in(one.path) if member.parent == one.id]


def members_like_files(text: str, graph: SearchableGraph) -> tuple[Symbol, ...]:
    """Return what a name means that ends like a file's: ``self.lock``, ``Response.json``; only what stands there."""
    *owners, last = text.split(".")
    if not owners or not owners[-1] or "/" in text:
        return ()
    if owners[0] in _SELF:
        return graph.symbols_named(last)
    owner = owners[-1].lower()
    return tuple(one for one in graph.symbols_named(last) if owner in one.dotted.lower().split(".")[:-1])
