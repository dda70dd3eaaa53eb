"""Folders a question names: what stands there comes first."""

import pytest
from memory_graph import MemoryGraph, ask, entry_of, ids, symbol

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.plan import ReasonType
from ctxcode.model.retrieval import Query
from ctxcode.model.symbol import SymbolKind
from ctxcode.retrieval.place.folder import central_in, named_folders


def shops() -> MemoryGraph:
    listed = [
        symbol("shop/__init__.py", doc="All that sells."),
        symbol("shop/cart.py"),
        symbol("shop/cart.py", "retry_add"),
        symbol("shop/cart.py", "Cart", SymbolKind.CLASS, (20, 60)),
        symbol("shop/stock/shelf.py", "Shelf", SymbolKind.CLASS),
        symbol("shop/stock/shelf.py", "put", doc="retry"),
        symbol("net/client.py", "retry_send", doc="retry retry"),
        symbol("net/shop/till.py", "Till", SymbolKind.CLASS),
    ]
    return MemoryGraph(listed)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what does shop/stock/ do?", ("shop/stock/",)),
        ("explain shop/stock.", ("shop/stock",)),
        ("what is in the stock folder and the net package?", ("stock", "net")),
        ("read and/or write", ("and/or",)),
        ("this folder, my directory, a package", ()),
        ("shop/cart.py and `shop/stock` and @net/ and https://a.example/b/c/", ()),
        ("src/**/x is 'src/*'", ()),
        (" ".join(f"a{number}/b" for number in range(30)), tuple(f"a{number}/b" for number in range(10))),
    ],
)
def test_words_that_may_be_folders(question: str, expected: tuple[str, ...]) -> None:
    assert expected == parse_prompt(question).folders


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("shop", ("shop/",)),
        ("shop/stock/", ("shop/stock/",)),
        ("stock", ("shop/stock/",)),
        ("/home/me/work/shop/stock", ("shop/stock/",)),
        ("./net/shop", ("net/shop/",)),
        ("home/shop", ()),
        ("sto", ()),
        ("/", ()),
    ],
)
def test_a_path_means_a_folder_of_the_repository(written: str, expected: tuple[str, ...]) -> None:
    found = named_folders(Query(written, folders=(written,)), shops())
    assert expected == tuple(folder.path for folder in found)


def test_of_a_folder_its_documentation_comes_first_then_types_of_each_file() -> None:
    names = [one.qualname or one.path for one in central_in("shop/", shops())]
    assert ["shop/__init__.py", "Cart", "Shelf", "retry_add", "put"] == names


@pytest.mark.parametrize("question", ["what does @shop/ do?", "explain `shop/`", "shop/", "@shop/stock and @shop/"])
def test_a_named_folder_is_answered_with_what_stands_there_and_says_so(question: str) -> None:
    entries = ask(question, shops()).entries
    of_folder = [entry for entry in entries if entry.symbol.path.startswith("shop/")]
    assert of_folder == list(entries[: len(of_folder)])
    assert all(ReasonType.MENTIONED in {reason.type for reason in entry.reasons} for entry in of_folder)
    assert {"shop/__init__.py", "shop/cart.py::Cart", "shop/stock/shelf.py::Shelf"} <= {
        one.symbol.id for one in of_folder
    }


@pytest.mark.parametrize("question", ["explain @stock", "`stock`"])
def test_a_single_name_that_nothing_else_has_is_a_folders(question: str) -> None:
    assert ids(ask(question, shops()))[0] == "shop/stock/shelf.py::Shelf"


def test_what_is_asked_of_a_folder_decides_in_it() -> None:
    assert ["net/client.py::retry_send"] == ids(ask("where is the retry?", shops()))[:1]
    found = ids(ask("where is the retry in @shop/stock?", shops()))
    assert ["shop/stock/shelf.py::put", "shop/stock/shelf.py::Shelf"] == found[:2]


def test_a_word_that_is_said_beside_a_folder_of_its_name_counts() -> None:
    graph = MemoryGraph([symbol("shop/stock/a.py", "Shelf", SymbolKind.CLASS), symbol("shop/stock/b.py", "stock_up")])
    assert ids(ask("what does @shop/stock do?", graph))[0] == "shop/stock/a.py::Shelf"
    assert ids(ask("where does @shop/stock stock up?", graph))[0] == "shop/stock/b.py::stock_up"


def test_a_folder_named_in_passing_gains_less_and_a_word_that_is_none_nothing() -> None:
    found = [ask(text, shops()) for text in ("retry `shop/`", "retry in shop/")]
    parts = [{term.name: term.value for term in entry_of(one, "shop/cart.py::retry_add").terms} for one in found]
    assert parts[0]["mention"] > parts[1]["mention"] > 0.0
    assert ids(ask("retry send", shops())) == ids(ask("retry and/or send", shops()))
