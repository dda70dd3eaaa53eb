"""What calls of frameworks and the language hand back of what they are given, unless a file has its own functions."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_MERGING = "Object.assign"
_HANDING_BACK = frozenset({
    _MERGING, "Object.freeze", "Object.seal", "markRaw", "reactive", "readonly", "shallowReactive",
})  # fmt: skip
"""What gives the object again that it is given."""
_INJECTING = "inject"
"""What Angular calls the function that gives an object of a class."""
_METHODS = frozenset({"arrow_function", "function_expression", "method_definition"})
_DECLARED = re.compile(rb"\b(?:function|const|let)\s+(createRef|ref|shallowRef|useRef|useState)\b")
_NEAR_IMPORT = re.compile(rb"^import\s*\{([^{}]*)\}\s*from\s*[\"']\.", re.MULTILINE)
_NAME = re.compile(rb"\w+")
_OF_FRAMEWORKS = re.compile(
    rb"\bimport\s*\{[^{}]*\}\s*from\s*[\"'](?:@angular/|@?vue\b|#)|\{[^{}]*\}\s*=\s*(?:Vue\b|require\([\"']@?vue\b)"
)
"""What takes in the functions of Angular and Vue by their names."""
_OTHERS = rb"(Object|inject|markRaw|reactive|readonly|shallowReactive)"
_BOUND = re.compile(
    rb"\b(?:as|class|const|function|import|let|var)\b[\s*]{1,9}" + _OTHERS + rb"\b"
    rb"|[({,]\s{0,99}" + _OTHERS + rb"\s{0,9}[,)}]|(?<![\w$.])" + _OTHERS + rb"\s{0,9}=(?!=)"
)
"""What declares, takes in or has as a parameter something else by such a name."""


def handed_back(written: str, call: "Node", page: Page) -> "Node | None":
    """Return what a call gives that it is given, or the class of which it gives an object: ``inject(Cart)``."""
    is_known = written in _HANDING_BACK or written == _INJECTING
    is_known = is_known and written.partition(".")[0] not in _names_of_others(page.source)
    given = call.child_by_field_name("arguments") if is_known else None
    first = given.named_children[0] if given is not None and given.named_children else None
    kind = "identifier" if written == _INJECTING else "new_expression"
    if first is None or first.type != kind or (written == _MERGING and is_given_methods(call)):
        return None
    return first


def is_given_methods(call: "Node") -> bool:
    """Whether a call makes something of an object with methods: these are what the function's own object has."""
    given = call.child_by_field_name("arguments")
    objects = [each for each in given.named_children if each.type == "object"] if given is not None else []
    members = [member for each in objects for member in each.named_children]
    values = [member.child_by_field_name("value") or member for member in members]
    return any(value.type in _METHODS for value in values)


@lru_cache(maxsize=2)
def _names_of_others(source: bytes) -> frozenset[str]:
    """Return which of the names that hand something back a file has for something of its own or of another package."""
    found = _BOUND.finditer(_OF_FRAMEWORKS.sub(b"", source))
    return frozenset([match[match.lastindex or 0].decode() for match in found])


@lru_cache(maxsize=2)
def own_names(source: bytes) -> frozenset[str]:
    """Return the names that a file declares or imports from files near by: what is called so may not be React's."""
    near = [name for found in _NEAR_IMPORT.finditer(source) for name in _NAME.findall(found[1])]
    return frozenset([name.decode("utf-8", "replace") for name in (*near, *_DECLARED.findall(source))])
