"""Definitions that several files have, word for word or nearly so."""

import pytest
from memory_graph import symbol

from ctxcode.retrieval.repeated.copies import Ranked, said_again

PLAIN, EDITION = "shop/src/com/shop/Cart.java", "android/shop/src/com/shop/Cart.java"
LONG = "Return the total of all that lies in the cart with what the customer saves and the tax of the country"


def ranked(*told: tuple[str, float], path_part: float = 0.1, names: str = "Cart.total") -> list[Ranked]:
    return [Ranked(node, symbol(path, names), score, path_part) for node, (path, score) in enumerate(told)]


def again(candidates: list[Ranked], *texts: str) -> list[str]:
    found = said_again(candidates, {node: f"Cart total\nplace\n{text}" for node, text in enumerate(texts)})
    return [candidates[node].symbol.path for node in sorted(found)]


def test_twin_trees_have_one_definition_though_a_word_differs() -> None:
    assert again(ranked((PLAIN, 1.0), (EDITION, 0.9)), LONG, f"{LONG} here") == [EDITION]
    assert again(ranked((PLAIN, 1.0), (EDITION, 0.9)), LONG, "Return nothing") == []


def test_of_two_copies_nearly_as_good_the_one_nearest_to_the_root_stands_for_both() -> None:
    for text in (LONG, f"{LONG} here"):
        assert again(ranked((EDITION, 1.0), (PLAIN, 0.9)), LONG, text) == [EDITION]
        assert again(ranked((EDITION, 1.0), (PLAIN, 0.5)), LONG, text) == [PLAIN]


def test_a_question_that_speaks_of_the_path_gets_that_edition() -> None:
    edition, plain = ranked((EDITION, 1.0), (PLAIN, 0.95))
    assert again([edition._replace(path_part=0.2), plain], LONG, LONG) == [PLAIN]


def test_each_of_three_copies_but_one_is_told() -> None:
    third = "old/android/shop/src/com/shop/Cart.java"
    for places in ((PLAIN, EDITION, third), (third, EDITION, PLAIN), (EDITION, PLAIN, third)):
        found = again(ranked(*((path, 1.0 - at / 100) for at, path in enumerate(places))), LONG, LONG, f"{LONG} here")
        assert sorted(found) == sorted({EDITION, third})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("core/commands/run.py", "files/commands/run.py"),  # one folder alike
        ("com/shop/Cart.java", "com/shop/Order.java"),
        (PLAIN, PLAIN),
    ],
)
def test_what_is_nearly_alike_elsewhere_is_no_copy(one: str, other: str) -> None:
    assert again(ranked((one, 1.0), (other, 0.9)), LONG, f"{LONG} here") == []


def test_overloads_of_one_file_are_copies_of_their_twins_only() -> None:
    count = 30
    plain = [(PLAIN, 1.0)] * count
    texts = [f"{LONG} by way {number}" for number in range(count)]
    assert again(ranked(*plain), *texts) == []
    assert again(ranked(*plain, *[(EDITION, 0.9)] * count), *texts, *texts) == [EDITION] * count
