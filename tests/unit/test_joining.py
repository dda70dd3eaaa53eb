"""What joining remembers from one refresh to the next."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from ctxcode.codegraph.codec import decode_facts, encode_facts
from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.rank import ranked
from ctxcode.codegraph.resolve.again.early import early_graph
from ctxcode.codegraph.resolve.again.said import CALLED, IMPORTED, MEMBER, TAKEN, words_said
from ctxcode.codegraph.resolve.again.told import BOUND, EVERYTHING, RENAMED
from ctxcode.codegraph.resolve.again.update import update_graph
from ctxcode.codegraph.resolve.graph import build_graph
from ctxcode.codegraph.words import WordIndex
from ctxcode.session.index.joining import FactMemory, FactTools, SettledGraph
from ctxcode.store.index.graph import PublishedGraph

TOOLS = FactTools(decode_facts, build_graph, update_graph, early_graph, ranked, words_said, WordIndex)


class Rows:
    """Stored facts by row; notes which were read."""

    def __init__(self, sources: Mapping[int, str]) -> None:
        self.stored = {row: encoded(source) for row, source in sources.items()}
        self.read: list[int] = []

    def facts(self, files: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        self.read += files
        yield from [(row, self.stored[row]) for row in files]


def encoded(source: str) -> bytes:
    return encode_facts(skeleton(parse_source(source.encode(), "python", "a.py")))


def test_what_was_decoded_lately_is_not_read_again() -> None:
    rows = Rows({1: "def f(): pass\n"})
    memory = FactMemory(TOOLS, rows)
    assert decode_facts(rows.stored[1]) == memory.facts(1)
    assert memory.facts(1) is memory.facts(1)
    assert [1] == rows.read


def test_only_so_much_is_kept() -> None:
    rows = Rows({0: "".join(f"def f{number}(): pass\n" for number in range(5_000))})
    rows.stored = dict.fromkeys(range(20), rows.stored[0])
    memory = FactMemory(TOOLS, rows)
    for row in range(20):
        memory.facts(row)
    memory.facts(0)
    assert [*range(20), 0] == rows.read


def test_who_says_a_name_is_known_without_reading_what_was_read_ahead() -> None:
    rows = Rows({1: "f()\n", 2: "from a import g\n", 3: "x: ff\n", 4: "def f(): pass\n"})
    memory = FactMemory(TOOLS, rows)
    memory.read_ahead({1, 2, 3, 4}, lambda: False)
    rows.read.clear()
    mentioning = memory.mentioning([1, 2, 3, 4])
    assert {1} == mentioning({"f"})
    assert {2, 3} == mentioning({"g", "ff", "elsewhere"})
    assert [] == rows.read


def test_what_was_not_read_ahead_is_looked_through_once() -> None:
    rows = Rows({1: "f()\n", 2: "g()\n", 3: "f()\n"})
    memory = FactMemory(TOOLS, rows)
    memory.read_ahead({1, 2}, lambda: False)
    rows.read.clear()
    mentioning = memory.mentioning([1, 2, 3])
    assert {1, 3} == mentioning({"f"})
    assert {2} == mentioning({"g"})
    assert [3] == rows.read


@pytest.mark.parametrize("read_ahead", [{1, 2, 3, 4}, {1}, set[int]()])
def test_who_binds_something_to_a_name_is_known_and_who_takes_in_all(read_ahead: set[int]) -> None:
    rows = Rows({1: "from a import b\n", 2: "import a.b as c\n", 3: "d = b\n", 4: "from b import *\n"})
    memory = FactMemory(TOOLS, rows)
    memory.read_ahead(read_ahead, lambda: False)
    mentioning = memory.mentioning([1, 2, 3, 4])
    assert {1, 2, 3} <= mentioning({f"{BOUND}b"})
    assert {2, 3} <= mentioning({f"{RENAMED}b"})
    assert {4} <= mentioning({EVERYTHING})
    others = {f"other{number}" for number in range(30)}
    assert {1, 2, 3} <= mentioning({f"{BOUND}b", *others})


@pytest.mark.parametrize("read_ahead", [{1, 2, 3, 4, 5}, {1}, set[int]()])
def test_how_a_name_of_a_module_is_said_is_known_of_what_was_read_ahead(read_ahead: set[int]) -> None:
    says_b = {1: "from a import b\n", 2: "import a\na.b()\n", 3: "import a\na.b().go()\n", 4: "from a import *\nb()\n"}
    rows = Rows({**says_b, 5: "b()\n"})
    memory = FactMemory(TOOLS, rows)
    memory.read_ahead(read_ahead, lambda: False)
    mentioning = memory.mentioning([1, 2, 3, 4, 5])
    for said, those in {f"{IMPORTED}b": {1}, f"{MEMBER}b": {2, 3}, f"{MEMBER}b{CALLED}": {3}, f"{TAKEN}b": {4}}.items():
        found = mentioning({said})
        assert those <= found
        assert those == found.intersection(read_ahead) or len(read_ahead) < len(rows.stored)


def test_nothing_is_read_ahead_while_something_else_is_wanted() -> None:
    rows = Rows({1: "f()\n"})
    FactMemory(TOOLS, rows).read_ahead({1}, lambda: True)
    assert [] == rows.read


def test_rows_that_are_gone_say_nothing() -> None:
    rows = Rows({1: "f()\n", 2: "f()\n"})
    memory = FactMemory(TOOLS, rows)
    memory.read_ahead({1, 2}, lambda: False)
    assert {2} == memory.mentioning([2])({"f"})
    memory.read_ahead({2}, lambda: False)
    assert {1, 2} == memory.mentioning([1, 2])({"f"})


def test_a_row_of_which_other_facts_are_stored_says_what_they_say() -> None:
    rows = Rows({1: "fetch()\n", 2: "fetch()\n"})
    memory = FactMemory(TOOLS, rows)
    memory.read_ahead({1, 2}, lambda: False)
    rows.stored[1] = encoded("gather()\n")
    memory.forget(1)
    assert {2} == memory.mentioning([1, 2])({"fetch"})
    assert {1} == memory.mentioning([1, 2])({"gather"})
    memory.read_ahead({1, 2}, lambda: False)
    rows.stored.clear()
    assert {2} == memory.mentioning([1, 2])({"fetch"})
    assert {1} == memory.mentioning([1, 2])({"gather"})


SETTLED = SettledGraph(PublishedGraph((), (), (), (), (), {}), {})


@pytest.mark.parametrize(("published", "asked", "expected"), [("3", "3", SETTLED), ("3", "4", None), ("", "", None)])
def test_what_was_published_before_edges_were_left_is_known_until_another_process_publishes_or_all_are_joined(
    published: str, asked: str, expected: SettledGraph | None
) -> None:
    memory = FactMemory(TOOLS, Rows({}))
    memory.settled = SETTLED
    memory.note_published(published)
    assert [expected, expected] == [memory.settled_before(asked), memory.settled_before(asked)]
