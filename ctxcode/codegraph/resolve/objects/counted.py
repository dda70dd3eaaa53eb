"""What functions say that they return, and which of a name's overloads an expression means by its arguments."""

from ctxcode.codegraph.facts import is_returned
from ctxcode.codegraph.resolve.objects.value import Value
from ctxcode.codegraph.resolve.tables import MOST_OVERLOADS, Tables


def returned_by(tables: Tables, node: int) -> str:
    """Return what a function says that it returns; empty if it says nothing."""
    file = tables.file_of[node]
    return tables.returns[file].get(node - tables.first_node[file], "")


def gives_parts(tables: Tables, function: int) -> bool:
    """Return whether a function returns a tuple of which something is known."""
    file = tables.file_of[function]
    bound = tables.bindings[file].get(function - tables.first_node[file])
    return bound is not None and any(map(is_returned, bound))


def taking(tables: Tables, method: int, part: str) -> Value | None:
    """Return one of the overloads that give what ``f(2)`` gives, called with so many arguments."""
    count = part.rpartition("(")[2].removesuffix(")")
    nodes = tables.overloads[method]
    if len(nodes) > MOST_OVERLOADS:
        return None
    if count.isdecimal():
        nodes = [node for node in nodes if tables.takes(node, int(count))]
    said = {returned_by(tables, node): node for node in reversed(nodes)}
    return Value(next(iter(said.values())), is_object=False) if len(said) == 1 else None
