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
_MOST_READ = 60
"""Methods that read something of a name: which of more than these can write it, too, takes longer to see each time."""


def written_by(facts: FileFacts) -> Iterator[tuple[int, str]]:
    """Yield (position, the name by which it is written) of what one word of a file makes with what reads it."""
    for scope, name, _ in facts.bindings if facts.language == RUBY else ():
        if name == WRITER:
            yield scope, f"{facts.symbols[scope].name}{WRITTEN}"


def add_writers(facts: FileFacts, base: int, children: dict[int, dict[str, int]]) -> None:
    """Let what can be written go by that name, too; ``base`` is the node of the file's module."""
    for position, name in written_by(facts):
        children.setdefault(base + facts.symbols[position].parent, {}).setdefault(name, base + position)


def with_writers(tables: "Tables", family: str, name: str, named: Callable[[str, int], Sequence[int]]) -> Sequence[int]:
    """Return the methods of a name with those that go by it where they are written.

    ``named`` returns those of a name, at least so many if there are.
    """
    found = named(name, 0)
    read = named(name[:-1], _MOST_READ + 1) if family == RUBY and name[-1:] == WRITTEN else ()
    if not read or len(read) > _MOST_READ:
        return found
    # A class that defines such a method itself has that one alone.
    written = [node for node in read if tables.children.get(tables.parents[node], {}).get(name) == node]
    return list(merge(found, written))
