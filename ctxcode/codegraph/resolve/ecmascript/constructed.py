"""What objects of JavaScript are made with that is no class, and what nothing but documentation says that they are."""

from collections.abc import Callable, Sequence

from ctxcode.codegraph.facts import BY_NAME_ALONE
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, Value
from ctxcode.codegraph.resolve.tables import SCOPE_KINDS
from ctxcode.codegraph.resolve.targets import UNKNOWN

_FAMILY = "ecmascript"
_SIGNS = "?%"
Types = Callable[[str, str], Sequence[int]]
"""From a family and a name to the types of the product."""


def constructed(lookup: Lookup, maker: Value | None) -> int:
    """Return the function, or the class by another name, of which something makes objects; UNKNOWN for another."""
    if (maker := maker or OUTSIDE).is_object:
        return UNKNOWN
    made = lookup.literals.meant(maker.node)
    is_maker = made >= 0 and (lookup.tables.kinds[made] in SCOPE_KINDS or lookup.tables.kinds[made] == "class")
    return made if is_maker else UNKNOWN


class Documented:
    """What files of the product mean by types that nothing but their documentation names."""

    def __init__(self, lookup: Lookup, types: Types) -> None:
        self._tables, self._types, self._targets = lookup.tables, types, lookup.targets

    def of(self, scope: int, bound: str) -> Value | None:
        """Return an object of the only class of the name that a binding says; None where there is none or several.

        Tests and the like have classes of their own, which are not told apart from the product's; and what another
        package has, whoever means it imports.
        """
        written = bound.removeprefix(BY_NAME_ALONE)
        name = written.lstrip(_SIGNS)
        file_of, file = self._tables.file_of, self._tables.file_of[scope]
        nodes = () if self._tables.is_aside[file] else self._types(_FAMILY, name)
        if len(nodes) != 1 or not self._targets.are_in_one_package(file, file_of[nodes[0]]):
            return None
        return Value(nodes[0], is_object=True, wraps=written.removesuffix(name), is_told=True)
