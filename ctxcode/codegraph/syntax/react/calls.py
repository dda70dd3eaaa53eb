"""Calls that are given functions, and components that are imported when they are shown."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.ecmascript.commonjs import module_alias

if TYPE_CHECKING:
    from tree_sitter import Node

_LAZY = re.compile(r"(?:[\w$]+\.)?(?:lazy\w*|loadable|dynamic|defineAsyncComponent)")
_MOST_ARGUMENTS = 4
_LONGEST = 300


def imported_lazily(captures: dict[str, list["Node"]], page: Page) -> dict[int, str]:
    """Return where modules are named of which components are that are imported when they are shown.

    With what the component goes by in the file: that of ``lazy(() => import("./Page"))`` is the module's default.
    """
    found = dict[int, str]()
    for node in captures.get("made_by_call", ()):
        value = node.child_by_field_name("value")
        given = first_argument(value) if value is not None and _LAZY.fullmatch(callee(value, page)) else None
        body = given.child_by_field_name("body") if given is not None and given.type == "arrow_function" else None
        function = body.child_by_field_name("function") if body is not None else None
        module = first_argument(body) if body is not None and function is not None else None
        if module is not None and function is not None and function.type == "import":
            found[module.start_byte] = f"{module_alias(page.of(module)[1:-1])}$default"
    return found


def callee(call: "Node", page: Page) -> str:
    """Return what a call calls, as written; empty for what is long."""
    function = call.child_by_field_name("function")
    return page.of(function) if function is not None and function.end_byte - function.start_byte < _LONGEST else ""


def first_argument(call: "Node") -> "Node | None":
    """Return what a call is given first."""
    given_to = call.child_by_field_name("arguments")
    values = [each for each in given_to.named_children[:_MOST_ARGUMENTS] if each.type != "comment"] if given_to else []
    return values[0] if values else None
