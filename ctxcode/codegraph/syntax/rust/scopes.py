"""Local names of Rust, which blocks bind anew all the time: each gets a name of its own for each thing it stands for.

``match v { A(x) => x.f(), B(x) => x.g() }`` binds ``x`` and ``x²``.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import raised
from ctxcode.codegraph.extract.page import Page

_FIRST = re.compile(r"(?:[?^]*=?|\(\d+\.\d+\))?([^\W\d]\w*)(?!\w*::)")
_DEEPEST = 60
"""Bindings of one name within one another that are climbed."""


class Local(NamedTuple):
    """A name that a pattern binds."""

    start: int
    """The byte from which on it means that."""
    end: int
    at: int
    """Where it stands."""
    name: str
    bound: str
    """A type or an expression, as bindings have it; empty for what nobody tells."""
    said_at: int
    """Where that expression stands."""


class _Bindings:
    """What one name of a function is bound to, by where that holds; each holds up to the end of a block."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.names: list[str] = []
        self.around: list[int] = []
        """The nearest binding around each that holds longer; -1 for none."""
        self.known: dict[str, str] = {}
        """What the name is bound to, to the name that has."""

    def row(self, at: int) -> int:
        """Return the binding in force on a byte; -1 for none."""
        row = bisect_right(self.starts, at) - 1
        for _ in range(_DEEPEST):
            if row < 0 or at < self.ends[row]:
                return row
            row = self.around[row]
        return -1

    def add(self, local: Local, bound: str, *, is_apart: bool) -> str:
        """Add a binding that starts behind all others; return the name it has, never its own where it ``is_apart``."""
        if not bound and self.starts and self.starts[-1] == local.start:
            # Another alternative of one pattern: all of them bind the same.
            return self.names[-1]
        known = self.known.get(bound)
        if known is None:
            number = raised(len(self.known) + 1) if self.known or is_apart else ""
            known = self.known[bound] = f"{local.name}{number}"
        around = self.row(local.start)
        while around >= 0 and self.ends[around] <= local.end:
            around = self.around[around]
        self.starts.append(local.start)
        self.ends.append(local.end)
        self.names.append(known)
        self.around.append(around)
        return known


class Outside:
    """What a file says of names that no function binds."""

    def __init__(self, findings: Findings, page: Page) -> None:
        self._source = page.source
        self.said = {receiver or name for at, name, receiver in findings.calls if self._is_said(at, name, receiver)}
        """What is called by itself, and what paths begin with."""
        self.imported = {fact.alias for fact in findings.imports}

    def is_in_path(self, at: int, name: str) -> bool:
        """Return whether a name that ends on a byte stands behind colons: no local name is before those."""
        start = at + 1 - len(name.encode())
        return self._source[start - 2 : start] == b"::"

    def _is_said(self, at: int, name: str, receiver: str) -> bool:
        return not receiver or (receiver.isidentifier() and self.is_in_path(at, name))


class Scopes:
    """The local names of one file."""

    def __init__(self, functions: Iterable[tuple[int, int]], locals_: Iterable[Local], outside: Outside) -> None:
        """Take where functions begin and end, what they bind, and what is said of names outside of them."""
        self._outside = outside
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(functions):
            if not self._ends or start >= self._ends[-1]:
                self._starts.append(start)
                self._ends.append(end)
        self._bindings: dict[tuple[int, str], _Bindings] = {}
        self._several: set[str] = set()
        """The names that mean several things in some function."""
        self.facts: list[tuple[int, str, str]] = []
        """(byte, name, type), as findings have it."""
        for local in sorted(locals_):
            self._add(local)

    def set_apart(self, findings: Findings) -> None:
        """Add what is bound, rename what calls are called on, and leave out calls of local names: of closures."""
        findings.parameters += self.facts
        if self._several:
            findings.calls = [
                (at, name, self._received(at, name, receiver))
                for at, name, receiver in findings.calls
                if receiver or self.meant(at, name) == name
            ]

    def _received(self, at: int, name: str, receiver: str) -> str:
        meant = self.meant(at, receiver)
        return receiver if meant != receiver and self._outside.is_in_path(at, name) else meant

    def meant(self, at: int, expression: str) -> str:
        """Return an expression that stands on a byte with its first name as it is bound there."""
        match = _FIRST.match(expression)
        if match is None or match[1] not in self._several:
            return expression
        bindings = self._bindings.get((self._function(at), match[1]))
        row = bindings.row(at) if bindings is not None else -1
        if bindings is None or row < 0:
            return expression
        return f"{expression[: match.start(1)]}{bindings.names[row]}{expression[match.end(1) :]}"

    def _add(self, local: Local) -> None:
        function = self._function(local.at)
        if function < 0:
            return
        is_said = local.bound.lstrip("?^")[:1] in {"=", "("} or local.bound[-1:] == ")"
        bound = self.meant(local.said_at, local.bound) if is_said else local.bound
        bindings = self._bindings.setdefault((function, local.name), _Bindings())
        # ``let pair = pair::new()``: a module goes on to be called so where that stands.
        is_hiding = not bindings.starts and is_said and local.bound.lstrip("?^=").startswith(f"{local.name}.")
        outside = self._outside
        is_apart = is_hiding or local.name in outside.said or (not bound and local.name in outside.imported)
        name = bindings.add(local, bound, is_apart=is_apart)
        if len(bindings.known) > 1 or is_apart:
            self._several.add(local.name)
        if bound:
            self.facts.append((local.at, name, bound))

    def _function(self, at: int) -> int:
        row = bisect_right(self._starts, at) - 1
        return row if row >= 0 and at < self._ends[row] else -1
