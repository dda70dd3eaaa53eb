"""The questions a repository is opened with have answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.session.look.starters import Starters, starters
from ctxcode.tui.screens.examples import example_questions

SHOP = {
    "shop/rate.py": "class Rate:\n    pass\n\n\ndef rate_of(item):\n    return Rate()\n",
    "shop/tax.py": "from shop.rate import rate_of\n\n\ndef tax_of(item):\n    return rate_of(item)\n",
    "shop/cart.py": "from shop.tax import tax_of\n\n\ndef total_of(x):\n    return [tax_of(each) for each in x]\n",
    "shop/pay.py": "from shop.cart import total_of\n\n\ndef pay(items):\n    return total_of(items)\n",
}
HELPING = {
    "shop/testing/seen.py": "class Seen:\n    pass\n\n\ndef seen(item):\n    return Seen()\n",
    "shop/testing/proof.py": "from shop.testing.seen import seen\n\n\ndef proof(item):\n    return seen(item)\n",
    **{
        f"shop/testing/by_{n}.py": f"from shop.testing.proof import proof\n\n\ndef by_{n}(x):\n    return proof(x)\n"
        for n in range(9)
    },
}
"""More central than the product itself."""
ALONE = {"words.py": "def one():\n    return 1\n\n\ndef two():\n    return one()\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    made = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    yield made
    made.close()


def asked(folder: IndexedFolder, files: dict[str, str]) -> Starters:
    for path, text in files.items():
        folder.write(path, text)
    folder.refresh()
    return starters(folder.index)


def test_the_first_question_is_about_two_names_of_which_one_reaches_the_other(folder: IndexedFolder) -> None:
    found = asked(folder, SHOP)
    assert found.reaches is not None
    start, end = found.reaches
    assert start.path != end.path
    assert len(folder.index.path_between([start.id], [end.id])) >= 2
    assert f"how does `{start.qualname}` reach `{end.qualname}`?" == example_questions(found)[0]


def test_what_is_asked_for_callers_has_some(folder: IndexedFolder) -> None:
    called = asked(folder, SHOP).called
    assert called is not None
    assert any(edge.target == called.id for edge in folder.index.edges_of(called.id) if edge.kind == "calls")


def test_a_chain_inside_of_one_file_is_no_first_question(folder: IndexedFolder) -> None:
    found = asked(folder, ALONE)
    assert found.reaches is None
    assert ("who calls `one`?", "what is in `words`?") == example_questions(found)


def test_of_two_definitions_of_a_name_the_one_an_answer_would_be_about_is_meant(folder: IndexedFolder) -> None:
    twins = {f"shop/{name}.py": "def pay(items):\n    return items\n" for name in ("card", "cash")}
    found = asked(folder, {**SHOP, **twins})
    assert found.reaches is not None
    start, end = found.reaches
    assert folder.index.path_between([start.id], [end.id])


def test_what_others_test_with_is_asked_about_last(folder: IndexedFolder) -> None:
    found = asked(folder, {**SHOP, **HELPING})
    assert found.reaches is not None
    assert found.called is not None
    assert found.place is not None
    assert all("testing" not in one.path for one in (*found.reaches, found.called, found.place))


@pytest.mark.parametrize("files", [{}, {"notes.md": "# Notes\n"}, {"empty.py": ""}])
def test_where_there_is_nothing_to_ask_nothing_is(folder: IndexedFolder, files: dict[str, str]) -> None:
    assert () == example_questions(asked(folder, files))


def test_what_has_gone_from_the_index_meanwhile_is_not_asked_about(
    folder: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(folder, {**SHOP, **ALONE})
    before = folder.index.central(40)
    for path in SHOP:
        (folder.root / path).unlink()
    folder.refresh()
    monkeypatch.setattr(folder.index, "central", lambda _limit: before)
    found = starters(folder.index)
    assert found.reaches is None
    assert found.called is not None
    assert "one" == found.called.name
