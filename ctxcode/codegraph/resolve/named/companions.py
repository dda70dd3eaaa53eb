"""Types with an object whose members are asked of them: of the same name beside them in Scala, inside in Kotlin.

The name of the former is the type's, and leads to what both have.
"""

from collections.abc import Collection, Sequence

from ctxcode.codegraph.facts import COMPANION, FileFacts, SymbolFact

APPLY = "apply"
"""What an object of Scala is asked for by a call of its name."""
_TYPES = frozenset({"class", "interface", "trait"})


class Companions:
    """Which types have such an object, by node."""

    def __init__(self) -> None:
        self._objects: dict[int, int] = {}
        self.objects: set[int] = set()
        """The objects themselves."""

    def of(self, node: int) -> int:
        """Return the object of a type, -1 for none."""
        return self._objects.get(node, -1)

    def join(self, facts: FileFacts, base: int, top: dict[str, int], children: dict[int, dict[str, int]]) -> None:
        """Note a file's types that have such an object; let their names be theirs where both share one.

        Nodes are counted from ``base``; ``children`` has the members of nodes, ``top`` those of the file.
        """
        symbols = facts.symbols
        objects = frozenset(companions_in(facts))
        if facts.language == "kotlin":
            self._objects.update((base + symbols[at].parent, base + at) for at in objects if symbols[at].parent > 0)
            return
        for at, beside in _pairs(symbols, objects).items() if objects else ():
            around = top if symbols[at].parent == 0 else children.setdefault(base + symbols[at].parent, {})
            around[symbols[at].name] = base + at
            self._objects[base + at] = base + beside
            self.objects.add(base + beside)


def companions_in(facts: FileFacts) -> list[int]:
    """Return the objects in a file that can be those of types, by their places."""
    return [scope for scope, name, _ in facts.bindings if name == COMPANION]


def applied_in(facts: FileFacts) -> set[str]:
    """Return the names of what gives something to who calls it by its name, in a file of Scala."""
    symbols = facts.symbols if facts.language == "scala" else ()
    return {symbols[symbol.parent].name for symbol in symbols if symbol.name == APPLY and symbol.parent > 0}


def _pairs(symbols: Sequence[SymbolFact], objects: Collection[int]) -> dict[int, int]:
    """Return the types of a file that have such an object beside them, with that one, both by their places."""
    types: dict[tuple[int, str], int] = {}
    beside: dict[tuple[int, str], int] = {}
    for at, symbol in enumerate(symbols):
        if symbol.kind in _TYPES:
            (beside if at in objects else types)[symbol.parent, symbol.name] = at
    return {types[key]: at for key, at in beside.items() if key in types}
