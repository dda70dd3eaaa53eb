"""Types of Scala with an object of the same name beside them: the name is the type's, and leads to what that has."""

import re
from collections.abc import Sequence

from ctxcode.codegraph.facts import FileFacts, SymbolFact

_OBJECT = re.compile(r"(?:^|\s)object\s")
_TYPES = frozenset({"class", "interface", "trait"})


def companions(symbols: Sequence[SymbolFact]) -> dict[int, int]:
    """Return the types of a file that have such an object, with that one, both by their places."""
    places: dict[tuple[int, str], int] = {}
    objects: dict[tuple[int, str], int] = {}
    for at, symbol in enumerate(symbols):
        if symbol.kind in _TYPES:
            is_object = _OBJECT.search(symbol.signature.partition(symbol.name)[0]) is not None
            (objects if is_object else places)[symbol.parent, symbol.name] = at
    return {places[key]: at for key, at in objects.items() if key in places}


def joined(facts: FileFacts, base: int, top: dict[str, int], children: dict[int, dict[str, int]]) -> dict[int, int]:
    """Let the names of a file's types that have such an object be theirs; return which object each has.

    Nodes are counted from ``base``; ``children`` has the members of nodes, ``top`` those of the file.
    """
    symbols, found = facts.symbols, companions(facts.symbols) if facts.language == "scala" else {}
    for at in found:
        around = top if symbols[at].parent == 0 else children.setdefault(base + symbols[at].parent, {})
        around[symbols[at].name] = base + at
    return {base + at: base + beside for at, beside in found.items()}
