"""Object literals of TypeScript whose type calls a method a field: ``const a: A = { b() {} }``, ``b: () => void``."""

from ctxcode.codegraph.edges import Tier
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Found


def in_literal(lookup: Lookup, file: int, called: tuple[str, str], found: Found) -> Found:
    """Return what was found for a call, given as (receiver, name); where nothing was, the method of the literal.

    That is what a constant has that the file knows by the receiver.
    """
    tables, (receiver, name) = lookup.tables, called
    if found[0] or tables.families[file] != "ecmascript":
        return found
    holder = lookup.visible(file, receiver)
    if holder < 0 or tables.kinds[holder] != "constant":
        return NOTHING
    node = tables.children.get(holder, {}).get(name, -1)
    return ((node,), Tier.CALLS_ON_ATTRIBUTE) if node >= 0 and tables.kinds[node] == "method" else NOTHING
