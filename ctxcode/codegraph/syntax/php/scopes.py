"""The functions of a file of PHP, closures among them, and the names that are each one's own."""

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.findings import Definition
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_CLOSURES = (re.compile(rb"function(?<!\wfunction)\s*+&?+\s*+\("), re.compile(rb"fn(?<!\wfn)\s*+&?+\s*+\("))
"""Two that begin with a text are quicker than one."""
_FUNCTIONS = frozenset({"function", "method"})
_ANONYMOUS, _ARROW = "anonymous_function", "arrow_function"
_REF = "by_ref"
_MOST_CLOSURES = 2_000
"""In a file: what stands around each takes longer to find the deeper it stands."""


class Scope(NamedTuple):
    """A function, by bytes."""

    start: int
    end: int
    body: int
    """Where its parameters are behind."""
    kind: str
    """Empty for one with a name, which is a definition."""
    own: frozenset[str] = frozenset()
    """The parameters of a closure."""
    used: frozenset[str] = frozenset()
    """What it takes from outside: ``use ($x)``."""
    shared: frozenset[str] = frozenset()
    """What of that stays one variable: ``use (&$x)``."""


class Scopes:
    """Tells in which function a byte means a name."""

    def __init__(self, definitions: Iterable[Definition], page: Page, root: "Node") -> None:
        named = [Scope(one.first, one.end, one.header_end, "") for one in definitions if one.kind in _FUNCTIONS]
        rows = sorted([*named, *_closures(page, root)], key=lambda one: (one.start, -one.end))
        self._rows = rows
        self._around = Regions([(one.start, one.end, str(row)) for row, one in enumerate(rows)])
        self.sharing = [one for one in rows if one.shared]
        """Closures of which some variables are those of the function around."""

    def around(self, at: int) -> Scope | None:
        """Return the innermost function around a byte."""
        row = self._around.name(at)
        return self._rows[int(row)] if row else None

    def of(self, at: int, name: str, is_given: Callable[[Scope, str], bool]) -> tuple[Scope | None, int]:
        """Return (the function whose own a name is on a byte, the byte of it from which that is meant).

        ``is_given`` tells whether a function gives something to a name.
        """
        scope = self.around(at)
        while scope is not None and scope.kind and not is_given(scope, name):
            is_outer = name not in scope.own if scope.kind == _ARROW else name in scope.used
            if not is_outer:
                break
            at = scope.start - 1
            scope = self.around(at)
        return scope, at


def _closures(page: Page, root: "Node") -> Iterable[Scope]:
    matches = (match for kind in _CLOSURES for match in kind.finditer(page.source))
    for match in islice(matches, _MOST_CLOSURES):
        word = root.descendant_for_byte_range(match.start(), match.start() + 2)
        node = word.parent if word is not None else None
        if node is None or node.type not in {_ANONYMOUS, _ARROW}:
            continue
        parameters = node.child_by_field_name("parameters")
        body = node.child_by_field_name("body")
        taken = [each for each in node.named_children if each.type == "anonymous_function_use_clause"]
        used = [page.of(each).lstrip("&$ ") for clause in taken for each in clause.named_children]
        shared = [
            page.of(each).lstrip("&$ ") for clause in taken for each in clause.named_children if each.type == _REF
        ]
        own = [each.child_by_field_name("name") for each in parameters.named_children] if parameters is not None else []
        yield Scope(
            *node.byte_range,
            body.start_byte if body is not None else node.end_byte,
            node.type,
            frozenset([page.of(name).lstrip("$") for name in own if name is not None]),
            frozenset(used),
            frozenset(shared),
        )
