"""The classes that nobody writes of which Java calls functions of Kotlin's files: ``CartKt.open()`` of ``Cart.kt``."""

from ctxcode.codegraph.facts import FILE_CLASS, PARAMETERS, FileFacts

_FUNCTIONS = frozenset({"function", "method"})


def add_file_class(top: dict[str, int], path: str, facts: FileFacts, base: int) -> None:
    """Note the functions that stand in no type in a file of Kotlin by the class that others call them of."""
    said = next((bound.type for bound in facts.bindings if bound.name == FILE_CLASS), "")
    stem = path.rpartition("/")[2].partition(".")[0]
    name = said or f"{stem[:1].upper()}{stem[1:]}Kt"
    on = {bound.scope: bound.type for bound in facts.bindings if bound.name == PARAMETERS}
    for node, symbol in enumerate(facts.symbols[1:], start=1):
        # What extends a type that its own file defines is held by that.
        is_outside = symbol.parent == 0 or on.get(node, "").startswith(f"this {facts.symbols[symbol.parent].name}")
        if is_outside and symbol.kind in _FUNCTIONS:
            top.setdefault(f"{name}.{symbol.name}", base + node)
