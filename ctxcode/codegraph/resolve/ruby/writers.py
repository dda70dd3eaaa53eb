"""Methods of Ruby that give an object another value, ``cart.size = 1``, where one word makes them and what reads it."""

from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import WRITER, FileFacts

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.tables import Tables

RUBY = "ruby"
WRITTEN = "="
"""What the names of such methods end in."""


def written_by(facts: FileFacts) -> Iterator[tuple[int, str]]:
    """Yield (position, the name by which it is written) of what one word of a file makes with what reads it."""
    for scope, name, _ in facts.bindings if facts.language == RUBY else ():
        if name == WRITER:
            yield scope, f"{facts.symbols[scope].name}{WRITTEN}"


def add_writers(facts: FileFacts, base: int, children: dict[int, dict[str, int]]) -> None:
    """Let what can be written go by that name, too; ``base`` is the node of the file's module."""
    for position, name in written_by(facts):
        children.setdefault(base + facts.symbols[position].parent, {}).setdefault(name, base + position)


def with_writers(tables: "Tables", family: str, name: str, named: Callable[[str], Sequence[int]]) -> Sequence[int]:
    """Return the methods of a name, given a function that does, with those that go by it where they are written."""
    found = named(name)
    if family != RUBY or name[-1:] != WRITTEN:
        return found
    # A class that defines such a method itself has that one alone.
    read = [node for node in named(name[:-1]) if tables.children.get(tables.parents[node], {}).get(name) == node]
    return list(merge(found, read))
