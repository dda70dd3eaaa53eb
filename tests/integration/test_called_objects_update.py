"""Objects of Python that are called: who calls one says no name that changes when its class gets or loses that."""

from itertools import permutations

import pytest
from resolved_edges import facts_of
from updated_graph import update

from ctxcode.codegraph.resolve.graph import build_graph

LIBRARIES = {
    "none": "class Price: ...\nclass Cart: ...\nCALL = Cart()\ndef make() -> Cart: ...\n",
    "its own": "class Price: ...\nclass Cart:\n    def __call__(self): ...\nCALL = Cart()\ndef make() -> Cart: ...\n",
    "inherited": (
        "class Price:\n    def __call__(self): ...\nclass Cart(Price): ...\nCALL = Cart()\ndef make() -> Cart: ...\n"
    ),
    "another's": "class Price: ...\nclass Cart: ...\nCALL = Price()\ndef make() -> Price: ...\n",
    "handed on": "class Price(Module):\n    def forward(it): ...\nclass Cart(Price): ...\nCALL = Cart()\nmake = Cart",
}
USE = """
from lib import CALL, Cart, make
def named(): CALL()
def local():
    cart = Cart()
    cart()
def given(cart: Cart): cart()
def made(): make()()
class Own:
    cart: Cart
    call = CALL
    def go(self): self.cart(), self.call()
class Heir(Cart):
    def go(self): self()
"""
FAR = """
from use import Heir, Own
def far(own: Own, heir: Heir): own.cart(), own.call(), heir()
"""


@pytest.mark.parametrize(("old", "new"), list(permutations(LIBRARIES, 2)))
def test_calls_of_objects_are_as_anew_when_their_class_changes(old: str, new: str) -> None:
    rest = {"use.py": USE, "far.py": FAR}
    before = facts_of({"lib.py": LIBRARIES[old], **rest})
    after = before | facts_of({"lib.py": LIBRARIES[new]})
    updated = update(before, after)
    assert updated is None or build_graph(after) == updated
    assert updated is not None or {old, new} != {"none", "another's"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_calls_of_objects_are_as_anew_when_the_file_of_their_class_comes_and_goes(library: str) -> None:
    without = facts_of({"use.py": USE, "far.py": FAR})
    whole = without | facts_of({"lib.py": LIBRARIES[library]})
    for before, after in ((without, whole), (whole, without)):
        updated = update(before, after)
        assert updated is None or build_graph(after) == updated
        assert updated is not None or library not in {"none", "another's"}
