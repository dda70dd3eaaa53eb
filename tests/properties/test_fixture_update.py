"""Fixtures that change, come and go, and the files they stand in, give the graph of all files joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, changed_in, is_updated, is_updated_and_undone, read, reworded

from ctxcode.codegraph.resolve.again import following
from ctxcode.codegraph.resolve.dependents import importers

SHOP = "class Price:\n    def pay(self): ...\n    def swap(self): return self\n"
SOURCES = (
    f"{SHOP}class Debt:\n    def pay(self): ...\n    def swap(self): return Price()\n",
    f"{SHOP}class Debt(Price):\n    def more(self): ...\n",
    "import pytest\nfrom shop import Price\n@pytest.fixture\ndef one(): return Price()\n",
    "import pytest\nfrom shop import Debt\n@pytest.fixture\ndef one():\n    yield Debt()\ndef two(): return Debt()\n",
    "import pytest\n@pytest.fixture\ndef two(one): return one.swap()\n@pytest.fixture\ndef one(one): return one\n",
    (
        "import pytest\nfrom shop import Debt, Price\n@pytest.fixture(name='two')\ndef other() -> Debt: ...\n"
        "@pytest.fixture\ndef one():\n    def make():\n        return Price()\n    return make\n"
    ),
    "from shop import *\nfrom tests.brought import *\nfrom conftest import one as two\n",
    "from .brought import one, two\ndef test_one(one, two): one.pay(); two.pay(); one().swap()\n",
    "def test_one(one, two): one.pay(); two.swap().pay(); one().more()\n",
    (
        "import pytest\nclass TestOne:\n    @pytest.fixture\n    def two(self, one): return one\n"
        "    def test_one(self, one, two): one.swap().pay(); two.pay(); two().pay()\n"
    ),
    "import pytest\n@pytest.mark.parametrize('one', [1])\ndef test_one(one, two): one.pay(); two.pay()\n",
    (
        "import pytest\nfrom shop import *\npytestmark = pytest.mark.usefixtures('one')\n"
        "@pytest.mark.usefixtures('one', 'two')\nclass TestOne:\n    def test_one(self, one: 'Price'): ...\n"
        "def test_two(request): request.getfixturevalue('two')\n"
    ),
    "pytest_plugins = ['tests.brought', 'shop']\n",
    (
        "import pytest\nfrom .brought import TestOne\nclass TestTwo(TestOne):\n"
        "    def test_one(self, one, two): one.pay(); two.pay()\n"
    ),
)
PATHS = (
    *("shop.py", "conftest.py", "tests/conftest.py", "tests/brought.py", "tests/__init__.py", "tests/test_one.py"),
    *("tests/deep/conftest.py", "tests/deep/test_one.py", "other/test_one.py", "other/conftest.py"),
)
trees = st.fixed_dictionaries({path: st.one_of(st.none(), st.sampled_from(SOURCES)) for path in PATHS})


@pytest.mark.parametrize("few", [10, -1])
@examples(60)
@given(trees, trees, st.lists(st.sampled_from(PATHS), min_size=1, max_size=3))
def test_fixtures_that_change_come_and_go_give_the_graph_of_all_files_joined_anew(
    few: int, old: Mapping[str, str | None], new: Mapping[str, str | None], changed: list[str]
) -> None:
    before, after = changed_in(old, new, changed)
    with pytest.MonkeyPatch.context() as patch:
        # Of so few files all would be looked at, whatever their place.
        patch.setattr(following, "_FEW", few)
        patch.setattr(importers, "_FEW", few)
        assert_as_anew(before, after)


ASKING = {
    "shop.py": SOURCES[0],
    "conftest.py": SOURCES[2],
    "tests/conftest.py": SOURCES[5],
    "tests/deep/test_one.py": SOURCES[8],
    "other/test_one.py": SOURCES[8],
    **{f"more/m{number}.py": "def run(one): one.pay()\n" for number in range(30)},
}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("conftest.py", "return Price()", "return Price().swap()"),
        ("tests/conftest.py", "-> Debt", "-> Price"),
        ("tests/conftest.py", "        return Price()", "        return Debt()"),
        ("tests/conftest.py", "name='two'", "name='three'"),
        ("shop.py", "return self", "return Debt()"),
    ],
)
def test_who_asks_for_a_fixture_is_joined_again_when_it_gives_something_else(path: str, old: str, new: str) -> None:
    assert is_updated(read(ASKING), read(reworded(ASKING, [(path, old, new)])))


def test_a_file_of_fixtures_that_comes_or_goes_is_followed_by_who_asks_for_one() -> None:
    without = {path: source for path, source in ASKING.items() if path != "tests/conftest.py"}
    assert is_updated_and_undone(read(ASKING), read(without))
