"""How source files are coloured, by their names."""

import pytest

from ctxcode.tui.widgets.code import coloured, language_of


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", "def total(): pass"),
        ("deploy.sh", "if true; then exit; fi"),
        ("lib/cart.ex", "def total(cart), do: cart"),
        ("web/shop.scss", "$gap: 1px;"),
        ("main.tf", 'resource "a" "b" {}'),
        ("Cart.hs", "module Cart where"),
        ("pom.xml", "<project/>"),
        ("views/show.erb", "<%= total %>"),
    ],
)
def test_a_file_is_coloured_as_its_name_says(path: str, code: str) -> None:
    assert coloured(code, language_of(path)).spans


def test_a_name_that_says_nothing_leaves_the_text_plain() -> None:
    assert "" == language_of("LICENSE") == language_of("a.zzz")
    assert not coloured("def total(): pass", "").spans
