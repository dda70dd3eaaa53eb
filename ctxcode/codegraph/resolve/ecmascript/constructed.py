"""What ``new`` makes objects with that is no class: functions of JavaScript."""

from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, Value
from ctxcode.codegraph.resolve.tables import SCOPE_KINDS
from ctxcode.codegraph.resolve.targets import UNKNOWN


def constructed(lookup: Lookup, maker: Value | None) -> int:
    """Return the function, or the class by another name, of which something makes objects; UNKNOWN for another."""
    if (maker := maker or OUTSIDE).is_object:
        return UNKNOWN
    made = lookup.literals.meant(maker.node)
    is_maker = made >= 0 and (lookup.tables.kinds[made] in SCOPE_KINDS or lookup.tables.kinds[made] == "class")
    return made if is_maker else UNKNOWN
