"""A file that can't be joined, from the parser to what is reported: its facts are broken on their way."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder, contents

from ctxcode.codegraph.codec import encode_facts
from ctxcode.codegraph.facts import BindingFact
from ctxcode.codegraph.pool import ParseOutcome, ParsePool
from ctxcode.model.source import SkippedFile, SkipReason

UNJOINED = SkippedFile("price.py", SkipReason.NOT_JOINED, "IndexError: string index out of range")


class BreakingPool(ParsePool):
    """Parses like any other, and says of one file what no parser says."""

    def parse(self, paths: Sequence[tuple[str, str]], *, written: Collection[str] = ()) -> Iterator[ParseOutcome]:
        for outcome in super().parse(paths, written=written):
            if outcome.path == "price.py" and outcome.facts is not None and b"price" in outcome.encoded:
                facts = outcome.facts._replace(bindings=(BindingFact(0, "self.price", ""),))
                yield outcome._replace(facts=facts, encoded=encode_facts(facts))
            else:
                yield outcome


@pytest.fixture(params=[False, True], ids=["command", "app"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[IndexedFolder]:
    root = tmp_path / "root"
    root.mkdir()
    pool = BreakingPool(root, workers=1)
    indexed = IndexedFolder(root, tmp_path / "cache", pool=pool, is_kept=request.param)
    indexed.write("cart.py", "from price import total\n\ndef add(item):\n    return total(item)\n")
    indexed.write("store.py", "from cart import add\n\ndef keep(item):\n    return add(item)\n")
    yield indexed
    pool.close()
    indexed.close()


def test_its_symbols_are_indexed_and_the_report_says_what_went_wrong(folder: IndexedFolder) -> None:
    folder.write("price.py", "def total(price):\n    return rounded(price)\n\ndef rounded(price): ...\n")
    report = folder.refresh()
    assert report.skipped == (UNJOINED,)
    assert report.files == len(folder.index.modules()) == 3
    (total,) = folder.index.symbols_named("total")
    assert {edge.source for edge in folder.index.edges_of(total.id)} >= {"cart.py::add"}
    assert "price.py::total" not in {edge.source for edge in folder.index.edges_of(total.id)}


def test_others_are_joined_again_beside_it_and_it_is_once_it_has_changed(folder: IndexedFolder, tmp_path: Path) -> None:
    folder.write("price.py", "def total(price):\n    return rounded(price)\n\ndef rounded(price): ...\n")
    assert folder.refresh().skipped == (UNJOINED,)
    folder.write("store.py", "from cart import add\n\ndef keep(item):\n    return add(add(item))\n\ndef give(): ...\n")
    assert folder.refresh().skipped == (UNJOINED,)
    folder.write("price.py", "def total(item):\n    return rounded(item)\n\ndef rounded(item): ...\n")
    assert folder.refresh().skipped == ()
    fresh = IndexedFolder(folder.root, tmp_path / "fresh")
    fresh.refresh()
    assert contents(folder.index) == contents(fresh.index)
    fresh.close()
