"""Types of Scala with an object of the same name beside them: the name is the type's, and leads to what that has."""

import re
from collections.abc import Sequence

from ctxcode.codegraph.facts import FileFacts, SymbolFact

_OBJECT = re.compile(r"(?:^|\s)object\s")
_TYPES = frozenset({"class", "interface", "trait"})


class Companions:
    """Which types have such an object, by node."""

    def __init__(self) -> None:
        self._objects: dict[int, int] = {}
        self.objects: set[int] = set()
        """The objects themselves."""

    def of(self, node: int) -> int:
        """Return the object beside a type, -1 for none."""
        return self._objects.get(node, -1)

    def join(self, facts: FileFacts, base: int, top: dict[str, int], children: dict[int, dict[str, int]]) -> None:
        """Let the names of a file's types that have such an object be theirs.

        Nodes are counted from ``base``; ``children`` has the members of nodes, ``top`` those of the file.
        """
        symbols = facts.symbols
        for at, beside in _pairs(symbols).items() if facts.language == "scala" else ():
            around = top if symbols[at].parent == 0 else children.setdefault(base + symbols[at].parent, {})
            around[symbols[at].name] = base + at
            self._objects[base + at] = base + beside
            self.objects.add(base + beside)


def _pairs(symbols: Sequence[SymbolFact]) -> dict[int, int]:
    """Return the types of a file that have such an object, with that one, both by their places."""
    types: dict[tuple[int, str], int] = {}
    objects: dict[tuple[int, str], int] = {}
    for at, symbol in enumerate(symbols):
        if symbol.kind in _TYPES:
            is_object = _OBJECT.search(symbol.signature.partition(symbol.name)[0]) is not None
            (objects if is_object else types)[symbol.parent, symbol.name] = at
    return {types[key]: at for key, at in objects.items() if key in types}
