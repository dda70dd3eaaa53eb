"""What the body of a class of Python says by names that it defines itself: its own, as if ``self`` stood before them.

``class Order: class State: ...; state = State()``. Functions inside don't know such names without ``self``.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from operator import attrgetter

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.shadows import Bound, Regions

_FOLLOWED = re.compile(r"(=?)([^\W\d]\w*)([\w.()]*)")
"""A type, or what is followed, with its first name."""
_IN_ORDER = attrgetter("start", "end")
_CLASS, _MODULE, _SELF = "class", "", "self"
_KINDS = frozenset({_CLASS, "function"})
"""Kinds of what has a body."""


def say_own(findings: Findings) -> None:
    """Put ``self`` before what bodies of classes call, and give to attributes, of what they defined above."""
    definitions = sorted(findings.definitions, key=_IN_ORDER)
    named: dict[str, dict[str, Definition]] = defaultdict(dict)
    for around, found in _inside_others(definitions):
        named[around].setdefault(found.name, found)
    top = named.pop(_MODULE, {})
    names = {name for own in named.values() for name in own}
    calls = [row for row, call in enumerate(findings.calls) if (call[2].partition(".")[0] or call[1]) in names]
    if not calls and not names.intersection(_first_names(findings)):
        return
    bodies = _Bodies([found for found in definitions if found.kind in _KINDS], named)
    for row in calls:
        at, name, receiver = findings.calls[row]
        if own := bodies.own(at, receiver.partition(".")[0] or name, is_class=bool(receiver)):
            findings.calls[row] = (at, name, f"{own}.{receiver}" if receiver else own)
    known = {*top, *[fact.alias for fact in findings.imports]}
    for rows in (findings.bindings, findings.attributes):
        rows[:] = [bodies.meant(bound, known) for bound in rows]


def _inside_others(definitions: list[Definition]) -> Iterator[tuple[str, Definition]]:
    """Yield (where its class's name stands, definition) of what the body of a class or the module itself has."""
    around: list[Definition] = []
    for found in definitions:
        while around and around[-1].end <= found.start:
            around.pop()
        if not around or around[-1].kind == _CLASS:
            yield str(around[-1].header) if around else _MODULE, found
        if found.kind in _KINDS:
            around.append(found)


def _first_names(findings: Findings) -> Iterator[str]:
    for _, _, said in (*findings.bindings, *findings.attributes):
        for each in said.split("|"):
            if (match := _FOLLOWED.match(each)) is not None:
                yield match[2]


class _Bodies:
    """The bodies of one file's classes and functions; headers and decorators belong to the body around."""

    def __init__(self, definitions: list[Definition], named: Mapping[str, Mapping[str, Definition]]) -> None:
        """Take what has a body, and what each class defines."""
        self._named = named
        self._nested = {name for own in named.values() for name, found in own.items() if found.kind == _CLASS}
        self._bodies = Regions([(found.header_end, found.end, str(found.header)) for found in definitions])
        self._wholes = Regions([(found.start, found.end, str(found.header)) for found in definitions])
        self._classes = {str(found.header): found for found in definitions if found.kind == _CLASS}

    def own(self, at: int, name: str, *, is_class: bool = False) -> str:
        """Return by what the class around has what a name on a byte means, ``self``; empty if it is not defined above.

        It may have to be a class. What a class inside is decorated with is the other's, whose name that has then.
        """
        body, whole = self._bodies.name(at), self._wholes.name(at)
        found = self._named[body].get(name) if body in self._named else None
        if found is None or found.header >= at or (is_class and found.kind != _CLASS):
            return ""
        if whole == body or whole not in self._classes:
            return _SELF
        around = self._classes[body]
        is_decorator = at < self._classes[whole].header and not self._wholes.name(around.start - 1)
        return around.name if is_decorator else ""

    def meant(self, bound: Bound, known: Container[str]) -> Bound:
        """Return what a name is bound to: by ``self`` if the class around defines that, else as the module knows it."""
        at, name, said = bound
        if name[:1] == "(":
            return bound
        return at, name, "|".join([self._each_meant(at, each, known) for each in said.split("|")])

    def _each_meant(self, at: int, said: str, known: Container[str]) -> str:
        match = _FOLLOWED.fullmatch(said)
        if match is None:
            return said
        is_type = not match[1] and said[-1] != ")"
        if self.own(at, match[2]) == _SELF:
            return f"=self.{said}()" if is_type else f"{match[1]}self.{match[2]}{match[3]}"
        # A class is seen in its class's body, not in what stands in that.
        return f"={said}()" if is_type and match[2] in self._nested and match[2] in known else said
