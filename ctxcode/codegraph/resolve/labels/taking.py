"""Whether definitions that a name leads to can be what a call means."""

from ctxcode.codegraph.resolve.labels.matching import aligned
from ctxcode.codegraph.resolve.tables import Tables

LABELLED = "swift"
"""The family of languages in which labels of arguments are a part of what a function is called."""
FUNCTIONS = frozenset({"method", "function"})


def takes(tables: Tables, node: int, arguments: str) -> bool:
    """Whether a function takes a call's arguments, as far as labels tell; what is no function takes any."""
    return tables.kinds[node] not in FUNCTIONS or aligned(tables.parameters_of(node), arguments) is not None


def is_possible(tables: Tables, node: int, arguments: str) -> bool:
    """Whether a function, or one of its overloads, takes a call's arguments."""
    return any(takes(tables, each, arguments) for each in tables.overloads.get(node, (node,)))
