"""Ruby's bare words that are calls, and its expressions cut down to what can be followed."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page, first_named
from ctxcode.codegraph.extract.type_names import dotted_name

if TYPE_CHECKING:
    from tree_sitter import Node

TOP = "Object"
"""The class that holds what stands at the top."""
_MOST_LINKS = 30
_NAMES = frozenset({"constant", "identifier", "self"})
_VARIABLES = frozenset({"class_variable", "instance_variable"})
_TYPES = frozenset({"class", "module"})
_CONSTANTS = frozenset({"constant", "scope_resolution"})
_DESCRIBED = "described_class"
"""What RSpec calls the class that tests are of."""
_DESCRIBING = frozenset({"context", "describe", "fdescribe", "xdescribe"})
_HIGHEST = 200
_NEAR = 40
"""What stands between a word and the class around it; each step takes as long as it is deep."""
_GROUP = re.compile(r"\(\?<([a-z_]\w*)>")
_MAKING = "new"
_METHODS = frozenset({"method", "singleton_method"})
_LETTERS = {
    "method": "m",
    "singleton_class": "c",
    "singleton_method": "s",
    **dict.fromkeys(("block", "do_block", "lambda"), "b"),
}
_OWN = re.compile("(?:b*(?:s|mc))?")
"""What stands around what a class says, up to the class itself: nothing, ``def self.f`` or ``class << self``."""
_GIVEN = re.compile(r"[(,|*&]\s*new\b|\bnew\s*(?:=(?![=~])|[,|):])")
"""Where ``new`` is a variable."""
_LONGEST_METHOD = 4_000


class Methods:
    """The methods of a file, by where they stand."""

    def __init__(self, spans: Iterable[tuple[int, int, str]]) -> None:
        """Take (first byte, end, name) of each."""
        self._spans = sorted(spans)
        self._starts = [start for start, _, _ in self._spans]

    def around(self, at: int) -> tuple[int, str]:
        """Return (number, name) of the method around a byte; -1 for none, and behind an inner one."""
        row = bisect_right(self._starts, at) - 1
        if row < 0 or at >= self._spans[row][1]:
            return -1, ""
        return row, self._spans[row][2]

    def span(self, row: int) -> tuple[int, int]:
        """Return from where to where a method of a number is; nowhere for none."""
        return self._spans[row][:2] if row >= 0 else (0, 0)


def called_words(
    words: Sequence[tuple[int, str]], local: Sequence[tuple[int, str]], named: Iterable[int], methods: Methods
) -> list[tuple[int, str]]:
    """Return the words, given as (byte, word), that are calls: those that nothing in their method gives a value.

    ``named`` are the bytes of words that are names of something.
    """
    bound = {(methods.around(at)[0], word) for at, word in local}
    taken = {*named, *[at for at, _ in local]}
    return [(at, word) for at, word in words if at not in taken and (methods.around(at)[0], word) not in bound]


def named_groups(patterns: Iterable["Node"], page: Page) -> list[tuple[int, str]]:
    """Return (byte, name) of what patterns give names to that stand before ``=~``: ``/(?<year>…)/ =~ text``.

    Those with values in them give none.
    """
    written = (
        (node.start_byte, page.of(node))
        for node in patterns
        if all(part.type != "interpolation" for part in node.named_children)
    )
    return [(at, name) for at, text in written for name in _GROUP.findall(text)]


def constant_path(text: str) -> str:
    """Return a constant's name with dots; what begins at the top, ``::A``, stands in ``Object``. Empty for no name."""
    name = dotted_name(text)
    return f"{TOP}.{name}" if name and text.startswith("::") else name


def from_the_top(node: "Node", page: Page) -> str:
    """Return the whole name of a constant that ``::A`` begins."""
    for _ in range(_MOST_LINKS):
        around = node.parent
        if around is None or around.type != node.type:
            break
        node = around
    return constant_path(page.of(node))


def expression(node: "Node", page: Page) -> str:
    """Return names, dots and calls without their arguments, ``A()`` for ``A.new(…)``; empty for what is more."""
    parts: list[str] = []
    at: Node | None = node
    for _ in range(_MOST_LINKS):
        if at is None:
            return ""
        kind = at.type
        if kind in _NAMES:
            made, word = implied_if_free(at, page), page.of(at)
            parts.append(f"{made}()" if made else (_described(at, page) or word) if word == _DESCRIBED else word)
        elif kind in _VARIABLES:
            parts += (page.of(at).lstrip("@"), "self")
        elif kind == "scope_resolution":
            parts.append(constant_path(page.of(at)))
        elif kind == "parenthesized_statements" and at.named_child_count == 1:
            at = at.named_children[0]
            continue
        elif kind == "call":
            name, receiver = at.child_by_field_name("method"), at.child_by_field_name("receiver")
            word = page.of(name) if name is not None and name.type in _NAMES else ""
            if not word.isidentifier():
                return ""
            parts.append(f"{word}()")
            if receiver is not None:
                at = receiver
                continue
            made = implied(name, page) if name is not None else ""
            parts[-1] = f"{made or word}()"
        else:
            return ""
        return _made(parts, node, page)
    return ""


def implied(word: "Node", page: Page) -> str:
    """Return the class that a bare ``new`` makes an object of, which only a class says; empty for all other words."""
    if page.of(word) != _MAKING:
        return ""
    way = ""
    for around in page.around(word)[: -_NEAR - 1 : -1]:
        if around.type in _TYPES:
            is_own = around.type == "class" and _OWN.fullmatch(way) is not None
            return _name_of(around, page) if is_own else ""
        way += _of_class(around)
    return ""


def implied_if_free(word: "Node", page: Page) -> str:
    """Return the same for a word that may be a variable."""
    made = implied(word, page)
    return made if made and not _is_given(word, page) else ""


def _described(word: "Node", page: Page) -> str:
    """Return the class that tests around a word are of: ``RSpec.describe Cart do``; empty for none."""
    for around in page.around(word)[: -_HIGHEST - 1 : -1]:
        method = around.child_by_field_name("method") if around.type == "call" else None
        if method is not None and page.of(method) in _DESCRIBING:
            named = first_named(around.child_by_field_name("arguments"))
            if named is not None and named.type in _CONSTANTS:
                return constant_path(page.of(named))
    return ""


def _of_class(around: "Node") -> str:
    """Return the letter of what tells whose words stand in it, ``?`` for another object's; empty for all else."""
    letter = _LETTERS.get(around.type, "")
    if letter not in {"c", "s"}:
        return letter
    said = around.child_by_field_name("value" if letter == "c" else "object")
    return letter if said is not None and said.type == "self" else "?"


def _is_given(word: "Node", page: Page) -> bool:
    """Whether the method around a word may give it something; what is very long is not read."""
    around = _nearest(page.around(word), _METHODS, _NEAR)
    is_long = around is None or around.end_byte - around.start_byte > _LONGEST_METHOD
    return around is None or is_long or _GIVEN.search(page.of(around)) is not None


def _made(parts: list[str], node: "Node", page: Page) -> str:
    """Return an expression of its parts, the last first."""
    text = ".".join(reversed(parts))
    if text.startswith("self.class()"):
        text = f"{_class_around(node, page) or 'self'}{text.removeprefix('self.class()')}"
    return text.replace(".new()", "()", 1) if text[:1].isupper() else text


def _class_around(node: "Node", page: Page) -> str:
    """Return the name of the class or module that something stands in, as written there."""
    return _name_of(_nearest(page.around(node), _TYPES, _HIGHEST), page)


def _nearest(around: Sequence["Node"], kinds: Collection[str], most: int) -> "Node | None":
    """Return the innermost of the nodes around one that is of some types; None where none is so near."""
    return next((each for each in around[: -most - 1 : -1] if each.type in kinds), None)


def _name_of(around: "Node | None", page: Page) -> str:
    name = around.child_by_field_name("name") if around is not None and around.type in _TYPES else None
    return constant_path(page.of(name)) if name is not None else ""
