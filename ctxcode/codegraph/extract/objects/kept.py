"""What objects keep of names that only a function knows: ``this.cart = given || new Cart()``."""

import re
from collections.abc import Callable, Iterable, Sequence

from ctxcode.codegraph.facts import LIKE

_CLASS = re.compile(r"[A-Za-z_$][\w$.]*")
_HIDING = "⁰"
"""What stands behind a name that hides another's."""


class KeptNames:
    """The types of what the functions of a file are given and make, looked up when the first is asked for."""

    def __init__(self, bound: Callable[[], Iterable[tuple[int, str, str]]]) -> None:
        """Take what returns what names are bound to, as (definition, name, type)."""
        self._bound = bound
        self._types: dict[tuple[int, str], set[str]] | None = None

    def said(self, written: str, scopes: Sequence[int]) -> str:
        """Return what one of several things is, by types where the names are known to functions, innermost first."""
        parts = dict.fromkeys([self._type(part, scopes) if part[:1] == "=" else part for part in written.split("|")])
        known = [part for part in parts if part != LIKE]
        return known[0] if len(known) == 1 and LIKE in parts else "|".join(parts)

    def _type(self, part: str, scopes: Sequence[int]) -> str:
        if self._types is None:
            self._types = {}
            for scope, name, of in self._bound():
                self._types.setdefault((scope, name), set()).add(of)
        name = part[1:].removesuffix(_HIDING)
        for scope in scopes:
            found = self._types.get((scope, name))
            if found is not None:
                of = next(iter(found))
                return of if len(found) == 1 and _CLASS.fullmatch(of) else part
        return part
