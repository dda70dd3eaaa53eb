"""Who asks for a fixture of pytest's uses it: by a parameter, by a text, through a ``conftest.py`` or a plugin."""

from resolved_edges import edges_between

CONFTEST = """
import pytest
import pytest_asyncio

@pytest.fixture
def shop(): ...

@pytest.fixture(name="cart")
def make_cart(shop): ...

@pytest_asyncio.fixture
async def till(): ...

def plain(): ...
"""


def test_parameters_of_tests_and_fixtures_are_references_to_the_nearest_fixture() -> None:
    files = {
        "conftest.py": CONFTEST,
        "tests/conftest.py": """
        import pytest

        @pytest.fixture
        def till(till): ...
        """,
        "tests/test_shop.py": """
        import pytest

        @pytest.fixture
        def local(shop): ...

        class TestShop:
            @pytest.fixture
            def shop(self, shop): ...

            def test_shop(self, shop, local, request, other, plain): ...

        class TestMore(TestShop):
            def test_more(self, shop): ...

        def test_typed(cart: "Cart", till: int, *, shop, more=1): ...

        @pytest.mark.parametrize("shop", [1])
        def test_given(shop, cart): ...

        def run(shop): ...
        """,
    }
    assert {
        ("conftest.py::make_cart", "conftest.py::shop", "scope 1"),
        ("tests/conftest.py::till", "conftest.py::till", "import 1"),
        ("tests/test_shop.py::local", "conftest.py::shop", "import 1"),
        ("tests/test_shop.py::TestShop.shop", "conftest.py::shop", "import 1"),
        ("tests/test_shop.py::TestShop.test_shop", "tests/test_shop.py::TestShop.shop", "scope 1"),
        ("tests/test_shop.py::TestShop.test_shop", "tests/test_shop.py::local", "scope 1"),
        ("tests/test_shop.py::TestMore.test_more", "tests/test_shop.py::TestShop.shop", "scope 1"),
        ("tests/test_shop.py::test_typed", "conftest.py::make_cart", "import 1"),
        ("tests/test_shop.py::test_typed", "tests/conftest.py::till", "import 1"),
        ("tests/test_shop.py::test_typed", "conftest.py::shop", "import 1"),
        ("tests/test_shop.py::test_given", "conftest.py::make_cart", "import 1"),
    } == edges_between(files, "references")


def test_texts_that_ask_for_fixtures_are_references_to_them() -> None:
    files = {
        "conftest.py": CONFTEST,
        "test_shop.py": """
        import pytest

        pytestmark = [pytest.mark.usefixtures("shop")]

        @pytest.mark.usefixtures("cart", "nothing")
        class TestShop:
            pytestmark = pytest.mark.usefixtures("till")

            @pytest.mark.usefixtures("shop")
            def test_shop(self): ...

        def test_later(request):
            return request.getfixturevalue("cart"), "usefixtures('till')"
        """,
    }
    assert {
        ("conftest.py::make_cart", "conftest.py::shop", "scope 1"),
        ("test_shop.py", "conftest.py::shop", "import 1"),
        ("test_shop.py::TestShop", "conftest.py::make_cart", "import 1"),
        ("test_shop.py::TestShop", "conftest.py::till", "import 1"),
        ("test_shop.py::TestShop.test_shop", "conftest.py::shop", "import 1"),
        ("test_shop.py::test_later", "conftest.py::make_cart", "import 1"),
    } == edges_between(files, "references")


def test_fixtures_of_plugins_that_a_conftest_names_are_known_below_it() -> None:
    files = {
        "conftest.py": 'pytest_plugins = ["tests.plugins.shops", "pytest_django"]\n',
        "tests/plugins/shops.py": CONFTEST,
        "tests/test_shop.py": "def test_shop(shop): ...\n",
        "test_plugins.py": 'pytest_plugins = ("tests.plugins.shops",)\n\ndef test_till(till): ...\n',
    }
    assert {
        ("tests/plugins/shops.py::make_cart", "tests/plugins/shops.py::shop", "scope 1"),
        ("tests/test_shop.py::test_shop", "tests/plugins/shops.py::shop", "import 1"),
        ("test_plugins.py::test_till", "tests/plugins/shops.py::till", "import 1"),
    } == edges_between(files, "references")
    assert ("conftest.py", "tests/plugins/shops.py", "import 1") in edges_between(files, "imports")
