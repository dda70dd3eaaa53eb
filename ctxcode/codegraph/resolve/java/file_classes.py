"""The classes that nobody writes of which Java calls functions of Kotlin's files: ``CartKt.open()`` of ``Cart.kt``."""

import re
from collections.abc import Iterator

from ctxcode.codegraph.facts import FILE_CLASS, PARAMETERS, FileFacts

_KINDS = frozenset({"function", "method"})
_ENDING = ".kt"
ENDING = "Kt"
"""How the class of a file is called that says nothing of it, behind the file's name."""
_UNFIT = re.compile(r"[^\w$]")
"""What no name of Java's has: an underscore stands for it, ``Cart_jvmKt`` of ``Cart.jvm.kt``."""


def add_file_class(top: dict[str, int], path: str, facts: FileFacts, base: int) -> None:
    """Note the functions that stand in no type in a file of Kotlin by the class that others call them of."""
    said = _said(facts)
    name = said.get(0) or named_after(path)
    if not name:
        return
    for node in _functions(facts):
        top.setdefault(f"{name}.{said.get(node) or facts.symbols[node].name}", base + node)


def functions_by_name(facts: FileFacts) -> dict[str, list[int]]:
    """Return the functions that a file's class has, by name: of one there are those of several types, say."""
    found: dict[str, list[int]] = {}
    said = _said(facts)
    for node in _functions(facts):
        found.setdefault(said.get(node) or facts.symbols[node].name, []).append(node)
    return found


def _said(facts: FileFacts) -> dict[int, str]:
    """Return what Java is told to call a file's class, 0, or else functions.

    Of a file that says both no function is found by its other name: where not all files are read, nothing leads there.
    """
    said = {bound.scope: bound.type for bound in facts.bindings if bound.name == FILE_CLASS}
    return {0: said[0]} if 0 in said else said


def _functions(facts: FileFacts) -> Iterator[int]:
    """Yield the functions that stand in no type; what extends one that its own file defines is held by that."""
    on = {bound.scope: bound.type for bound in facts.bindings if bound.name == PARAMETERS}
    for node, symbol in enumerate(facts.symbols[1:], start=1):
        is_outside = symbol.parent == 0 or on.get(node, "").startswith(f"this {facts.symbols[symbol.parent].name}")
        if is_outside and symbol.kind in _KINDS:
            yield node


def named_after(path: str) -> str:
    """Return what the class of a file is called that says nothing of it; scripts have none that others call."""
    if not path.endswith(_ENDING):
        return ""
    name = _UNFIT.sub("_", path.rpartition("/")[2].removesuffix(_ENDING))
    return f"{name[:1].upper()}{name[1:]}{ENDING}"
