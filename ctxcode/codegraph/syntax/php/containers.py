"""What containers and test doubles of PHP give for the class they are asked for: ``$this->createMock(Cart::class)``."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import DOUBLED
from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"app", "mock", "resolve", "spy"})
_DOUBLING = frozenset({
    "createConfiguredMock", "createMock", "createPartialMock", "createStub", "getMockForAbstractClass",
})  # fmt: skip
_GIVING = frozenset({"get", "make"})
_CONTAINER = re.compile(r"(?:container|app|getContainer\(\)|app\(\))\Z", re.IGNORECASE)
_CALLS = frozenset({
    "function_call_expression", "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression",
})  # fmt: skip
_OWN = frozenset({"$this", "parent", "self", "static"})
_SAID = re.compile(rb"\bfunction\s++[&\\]?+\s*+(?:\w++\\)*+(\w++)")
"""What a file calls a function or method that it declares, or that it uses of others."""
_LONGEST = 100


def object_asked(call: "Node", page: Page) -> str:
    """Return the expression for an object that is asked for by its class, or a double of it; empty for all else.

    What is asked for something by a class may know things of that class, so that it has to be called a container.
    Functions and methods that the file itself has give what they say.
    """
    arguments = call.child_by_field_name("arguments") if call.type in _CALLS else None
    first = arguments.named_child(0) if arguments is not None and arguments.named_child_count else None
    value = first.named_child(0) if first is not None and first.named_child_count == 1 else None
    if value is None or value.type != "class_constant_access_expression":
        return ""
    written = page.of(value) if value.end_byte - value.start_byte <= _LONGEST else ""
    of, _, word = written.partition("::")
    if word.strip() != "class" or of in _OWN:
        return ""
    name = "".join(of.split()).replace("\\", ".").strip(".")
    if not _is_giving(call, page):
        return f"{name}().{DOUBLED}" if _is_doubling(call, page) else ""
    return f"{name}()"


def _is_doubling(call: "Node", page: Page) -> bool:
    """Whether a test makes a double with what PHPUnit's tests inherit."""
    name, of = call.child_by_field_name("name"), call.child_by_field_name("object") or call.child_by_field_name("scope")
    word = page.of(name) if name is not None and of is not None and page.of(of) in _OWN else ""
    return word in _DOUBLING and word not in _declared(page.source)


def _is_giving(call: "Node", page: Page) -> bool:
    if call.type == "function_call_expression":
        function = call.child_by_field_name("function")
        word = page.of(function).removeprefix("\\") if function is not None else ""
        return word in _FUNCTIONS and word not in _declared(page.source)
    name, of = call.child_by_field_name("name"), call.child_by_field_name("object") or call.child_by_field_name("scope")
    if name is None or of is None or page.of(name) not in _GIVING:
        return False
    end = page.text(max(of.start_byte, of.end_byte - _LONGEST), of.end_byte)
    return _CONTAINER.search(end) is not None


@lru_cache(maxsize=2)
def _declared(source: bytes) -> frozenset[str]:
    """Return the names, of those that give something for a class, by which a file has functions or methods."""
    names = {name.decode("utf-8", "replace") for name in _SAID.findall(source)}
    return frozenset(names & (_FUNCTIONS | _DOUBLING))
