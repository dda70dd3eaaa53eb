"""What type parameters of TypeScript extend, each where it is known: ``class Box<T extends Cart> { … }``."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import behind_signs, typescript_type

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNS = "?%@"


class Spans:
    """Parts of a file, of which some stand in others; none begins in one and ends outside of it."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        """Take them as (start, end), in the order of their starts, the outer ones first."""
        self._starts, self._ends, self._outer = list[int](), list[int](), list[int]()
        around = -1
        for start, end in spans:
            while around >= 0 and self._ends[around] <= start:
                around = self._outer[around]
            self._starts.append(start)
            self._ends.append(end)
            self._outer.append(around)
            around = len(self._starts) - 1

    def innermost(self, at: int) -> int:
        """Return which of them is the innermost around a byte, -1 for none."""
        place = bisect_right(self._starts, at) - 1
        while place >= 0 and self._ends[place] <= at:
            place = self._outer[place]
        return place


class Bounds:
    """The type parameters of one file."""

    def __init__(self, captures: dict[str, list["Node"]], page: Page) -> None:
        """Read what each of them extends, and where it is known."""
        declared = defaultdict[str, list[tuple[int, int, str]]](list)
        for name in captures.get("parameter_name", ()):
            parameter = name.parent
            around = parameter.parent.parent if parameter is not None and parameter.parent is not None else None
            if parameter is None or around is None:
                continue
            constraint = parameter.child_by_field_name("constraint")
            known = page.of(name)
            told = typescript_type(page.of(constraint).removeprefix("extends")) if constraint is not None else known
            declared[known].append((around.start_byte, -around.end_byte, told))
        bound = {name: sorted(rows) for name, rows in declared.items() if any(told != name for *_, told in rows)}
        self._spans = {name: Spans((start, -end) for start, end, _ in rows) for name, rows in bound.items()}
        self._told = {name: [told for *_, told in rows] for name, rows in bound.items()}
        extended = {name: set(every) - {name} for name, every in self._told.items()}
        self._alike = {name: next(iter(every)) if len(every) == 1 else "" for name, every in extended.items()}

    def behind(self, at: int, told: str) -> str:
        """Return a type with its name replaced by what it extends, empty where that can be anything.

        Outside of what declares it, as the name of an arrow function is, it is what all of the file say alike.
        """
        name = told.lstrip(_SIGNS)
        spans = self._spans.get(name)
        if spans is None:
            return told
        place, every = spans.innermost(at), self._told[name]
        extended = every[place] if place >= 0 else self._alike[name]
        return behind_signs(told, {name: extended})
