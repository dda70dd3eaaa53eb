"""Rust's paths at the beginning of an expression: ``crate::shop::Cart::new().pay()``."""

from collections.abc import Sequence

from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.braces import dotted_inside
from ctxcode.codegraph.resolve.objects.value import MOST_BEHIND
from ctxcode.codegraph.resolve.targets import UNKNOWN


def path_meant(lookup: Lookup, scope: int, parts: Sequence[str], length: int) -> tuple[int, int]:
    """Return (definition, parts) of the longest path that parts begin with, of which so many can be it."""
    for cut in range(length, max(1, length - MOST_BEHIND), -1):
        node = dotted_inside(lookup, scope, [*parts[: cut - 1], parts[cut - 1].removesuffix("()")])
        if node >= 0:
            return node, cut
    return UNKNOWN, 0
