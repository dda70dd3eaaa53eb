"""What containers and test doubles of PHP give for the class they are asked for: ``$this->createMock(Cart::class)``."""

import re
from typing import TYPE_CHECKING

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
_LONGEST = 100


def class_asked(call: "Node", page: Page) -> str:
    """Return the class an object of which is asked for by its name; empty for every other expression.

    What is asked for something by a class may know things of that class, so that it has to be called a container.
    """
    arguments = call.child_by_field_name("arguments") if call.type in _CALLS else None
    first = arguments.named_child(0) if arguments is not None and arguments.named_child_count else None
    value = first.named_child(0) if first is not None and first.named_child_count == 1 else None
    if (
        value is None
        or value.type != "class_constant_access_expression"
        or value.end_byte - value.start_byte > _LONGEST
    ):
        return ""
    of, _, word = page.of(value).partition("::")
    if word.strip() != "class" or of in {"self", "static", "parent"}:
        return ""
    return "".join(of.split()).replace("\\", ".").strip(".") if _is_giving(call, page) else ""


def _is_giving(call: "Node", page: Page) -> bool:
    if call.type == "function_call_expression":
        function = call.child_by_field_name("function")
        return function is not None and page.of(function).lstrip("\\") in _FUNCTIONS
    name, of = call.child_by_field_name("name"), call.child_by_field_name("object") or call.child_by_field_name("scope")
    if name is None or of is None:
        return False
    if page.of(name) in _DOUBLING:
        return True
    end = page.text(max(of.start_byte, of.end_byte - _LONGEST), of.end_byte)
    return page.of(name) in _GIVING and _CONTAINER.search(end) is not None
