"""What types of Java have that nobody writes: methods that give a field, and what makes a builder."""

from collections.abc import Mapping

from ctxcode.codegraph.facts import ACCESSOR, FileFacts

_NO_NAMES: Mapping[str, int] = {}


def unwritten(facts: FileFacts, base: int, children: Mapping[int, Mapping[str, int]]) -> dict[int, dict[str, int]]:
    """Return, by type, the fields that such methods of a file lead to by their names, and the type by its builder's.

    ``base`` is the node of the file's module. Who writes a method of such a name has that one alone.
    """
    found = dict[int, dict[str, int]]()
    rows = [row for row in facts.bindings if row.name.startswith(ACCESSOR)] if facts.language == "java" else []
    if not rows:
        return found
    types = {row.scope for row in rows}
    fields = {
        (symbol.parent, symbol.name): at
        for at, symbol in enumerate(facts.symbols)
        if symbol.kind == "field" and symbol.parent in types
    }
    for owner, name, said in rows:
        field = said[1:].partition(" ")[0]
        method, at = name.removeprefix(ACCESSOR), fields.get((owner, field), owner if not field else -1)
        if at >= 0 and method not in children.get(base + owner, _NO_NAMES):
            found.setdefault(base + owner, {}).setdefault(method, base + at)
    return found
