"""Who means what in Ruby as more or fewer files speak of a type, or call a name."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ctxcode.codegraph.edges import Nodes
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.named.common_names import is_common
from ctxcode.codegraph.resolve.named.mentions import (
    NEVER,
    Counts,
    decode_counts,
    encode_counts,
    is_heard,
    may_be_heard_otherwise,
    recounted,
)
from ctxcode.codegraph.resolve.tables import CLASS_KINDS

RUBY = "ruby"


class Changing(NamedTuple):
    """A graph of which some files have changed."""

    nodes: Nodes
    """Those of before."""
    changed: Mapping[str, FileFacts | None]
    """What files say now, by path; None for those that are gone."""
    facts: Callable[[int], FileFacts]
    """What any file said, by its number then."""
    named: Callable[[str], Sequence[tuple[int, int, str]]]
    """The definitions of a name then: (file, position in it, kind)."""
    numbers: Mapping[str, int]
    """The number of each that was there."""


class Speakers:
    """Counts of before and now, and the methods that calls can mean, or can't any more, for nothing but those."""

    def __init__(self, changing: Changing) -> None:
        """Take the graph of before and what has changed."""
        nodes, changed, facts, named, numbers = changing
        self._nodes, self._facts, self._named = nodes, facts, named
        self._before: Counts = {}
        self._now: Counts = {}
        said = [facts(numbers[path]) for path in changed if path in numbers]
        says = [each for each in changed.values() if each is not None]
        self.is_concerned = any(each.language == RUBY for each in (*said, *says))
        """Whether a changed file is one of Ruby."""
        if self.is_concerned:
            self._before = decode_counts(nodes.spoken)
            self._now = recounted(self._before, said, says)

    @property
    def counts(self) -> bytes:
        """Those of now, encoded."""
        return encode_counts(self._now) if self.is_concerned else self._nodes.spoken

    def meant_otherwise(self) -> set[str]:
        """Return the names of the methods that may be called more or less than before."""
        words = {word for word in {*self._before, *self._now} if self._before.get(word) != self._now.get(word)}
        return {name for word in sorted(words) for name in self._methods_meant_otherwise(word)}

    def _methods_meant_otherwise(self, word: str) -> Iterator[str]:
        before, now = self._before.get(word, NEVER), self._now.get(word, NEVER)
        if before.naming != now.naming:
            for name in self._methods_of(word):
                called = self._now.get(name, NEVER).calling
                if is_heard(called, before.naming) != is_heard(called, now.naming):
                    yield name
        if may_be_heard_otherwise(before.calling, now.calling) and not is_common(RUBY, word):
            naming = {self._before.get(owner, NEVER).naming for owner in self._owners(word)}
            if any(is_heard(before.calling, many) != is_heard(now.calling, many) for many in naming):
                yield word

    def _owners(self, name: str) -> Iterator[str]:
        """Yield the names of the types that methods of a name belong to, and of what these stand in."""
        for file, position, kind in self._named(name):
            if kind == "method":
                symbols = self._facts(file).symbols
                around = symbols[symbols[position].parent]
                yield around.name if around.kind in CLASS_KINDS else symbols[position].qualname.split(".")[-2:][0]
                yield from symbols[position].qualname.split(".")[:-2]

    def _methods_of(self, name: str) -> Iterator[str]:
        """Yield the names of the methods of types of a name, and of those inside of them."""
        types = set[int]()
        for file, position, kind in self._named(name):
            if kind in CLASS_KINDS:
                first, symbols = self._nodes.first_node[file], self._facts(file).symbols
                outer = f"{symbols[position].qualname}."
                inner = [at for at, one in enumerate(symbols) if at == position or one.qualname.startswith(outer)]
                types.update([first + at for at in inner if symbols[at].kind in CLASS_KINDS])
                yield from [symbols[at].name for at in inner if symbols[at].kind == "method"]
        for node, owner in self._nodes.owners:
            if owner in types:
                file = bisect_right(self._nodes.first_node, node) - 1
                yield self._facts(file).symbols[node - self._nodes.first_node[file]].name
