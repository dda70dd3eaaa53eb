"""How languages give values to names, as their grammars call it, and where that is done."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node


def read_elsewhere(value: "Node", page: Page) -> str:
    """Return nothing, in languages whose values are told by their bindings."""
    del value, page
    return ""


class Language(NamedTuple):
    """What the grammar of a language calls things."""

    functions: frozenset[str]
    """Those that names do not leave; the outermost counts of those that are inner ones, too."""
    inner: frozenset[str]
    """Functions in which names around them are known."""
    choosing: frozenset[str]
    """Statements of which one branch is run."""
    branches: frozenset[str]
    passing: frozenset[str]
    """What may stand between a statement and its branches."""
    last: frozenset[str]
    """What says that a branch is run where no other one is."""
    loops: frozenset[str]
    chosen: Mapping[str, int]
    """What runs a part now and then: its first one, 0, or all but that, 1."""
    leaving: re.Pattern[bytes]
    """How a statement begins behind which nothing of its function is run."""
    nothing: frozenset[str]
    """Values that have no methods."""
    reads: Callable[["Node", Page], str] = read_elsewhere
    """From a value to what the name that is given it is bound to."""
    begins_in_blocks: bool = False
    """Whether a name that is first given something in an inner function is that one's own."""
    chained: frozenset[str] = frozenset()
    """Statements that, where they stand in what passes on, are more branches of the one around: ``else if``."""
    single: frozenset[str] = frozenset()
    """Statements that can be a branch without a block around them."""
    failing: frozenset[str] = frozenset()
    """What runs one of its branches no further than to a part of it, or goes on from it to the next one."""
    has_closures: bool = False
    """Whether inner functions may be run later, and mean what is given behind them, too."""


class Place(NamedTuple):
    """A place where a name is given something."""

    node: "Node"
    """The name."""
    value: "Node | None" = None
    """What it is given; None for what nobody knows."""
    behind: int = 0
    """The byte from which on it means that; 0 for the end of the name."""
    end: int = 0
    """Where the name ends that is declared there; 0 for the end of its function."""
    start: int = 0
    """Where it begins to be known, whatever it means."""
    is_default: bool = False
    """Whether it is given where it holds nothing."""
    is_bare: bool = False
    """Whether it is declared and given nothing."""


class Branch(NamedTuple):
    """What is run now and then."""

    start: int
    end: int
    statement: tuple[int, int] = (0, 0)
    """Where that begins and ends of which no other branch is run; empty where that says nothing."""
    is_left: bool = False
    """Whether its function ends with it."""

    def holds(self, at: int) -> bool:
        """Whether a byte stands in it."""
        return self.start <= at < self.end


class Event(NamedTuple):
    """Something that is given to a name."""

    at: int
    place: int
    """Where the name stands."""
    number: int
    end: int
    around: tuple[Branch, ...]
    """The innermost first."""
    loops: tuple[tuple[int, int], ...]
    is_default: bool
    """Whether it is given where the name holds nothing."""
    start: int = 0
    inner: tuple[tuple[int, int], ...] = ()
    """The inner functions around it that may be run at any time."""

    def is_apart(self, at: int) -> bool:
        """Whether it is given in an inner function, for what stands outside of that."""
        return any(not start <= at < end for start, end in self.inner)


class Around(NamedTuple):
    """What stands around a place."""

    function: "Node"
    branches: list[Branch]
    loops: list[tuple[int, int]]
    inner: tuple[int, int]
    """The innermost function around it in its function, if there is one."""
    is_tested: bool
    """Whether a branch is run for what the name itself holds."""
    closures: list[tuple[int, int]]
    """All inner functions around it."""
