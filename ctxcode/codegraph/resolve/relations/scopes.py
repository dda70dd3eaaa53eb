"""In which definitions around it the names are looked for that a definition says."""

from collections.abc import Iterator

from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables


def scopes_around(tables: Tables, node: int, *, is_first: bool) -> Iterator[int]:
    """Yield what is around a definition, innermost first and without its file, itself before them if it is the first.

    Of a method that is written outside of its class it is then the class and what that stands in, as far as these are
    classes, before what the method stands in.
    """
    parents, at = tables.parents, node if is_first else tables.parents[node]
    owner = tables.class_of(node) if is_first and node in tables.owners else None
    if owner is not None:
        yield node
        at = parents[node]
        while tables.kinds[owner] in CLASS_KINDS:
            yield owner
            owner = parents[owner]
    while at >= 0 and parents[at] >= 0:
        yield at
        at = parents[at]


def knows(tables: Tables, node: int, owner: int) -> bool:
    """Tell whether a definition may say the names of what stands in one around it: in Python a class's body alone."""
    is_direct = tables.kinds[owner] not in CLASS_KINDS or tables.parents[node] == owner
    return is_direct or tables.families[tables.file_of[node]] != "python"
