"""What calls of frameworks and the language hand back of what they are given, unless a file has its own functions."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page

if TYPE_CHECKING:
    from tree_sitter import Node

_HANDING_BACK = frozenset({
    "Object.assign", "Object.freeze", "Object.seal", "markRaw", "reactive", "readonly", "shallowReactive",
})  # fmt: skip
"""What gives the object again that it is given."""
_INJECTING = "inject"
"""What Angular calls the function that gives an object of a class."""
_DECLARED = re.compile(
    rb"\b(?:function|const|let)\s+"
    rb"(createRef|inject|markRaw|reactive|readonly|ref|shallowReactive|shallowRef|useRef|useState)\b"
)
_NEAR_IMPORT = re.compile(rb"^import\s*\{([^{}]*)\}\s*from\s*[\"']\.", re.MULTILINE)
_NAME = re.compile(rb"\w+")


def handed_back(written: str, call: "Node", page: Page) -> "Node | None":
    """Return what a call gives that it is given, or the class of which it gives an object: ``inject(Cart)``."""
    is_known = written in _HANDING_BACK or written == _INJECTING
    is_known = is_known and written not in own_names(page.source)
    given = call.child_by_field_name("arguments") if is_known else None
    first = given.named_children[0] if given is not None and given.named_children else None
    kind = "identifier" if written == _INJECTING else "new_expression"
    return first if first is not None and first.type == kind else None


@lru_cache(maxsize=2)
def own_names(source: bytes) -> frozenset[str]:
    """Return the names that a file declares or imports from files near by: what is called so may not be React's."""
    near = [name for found in _NEAR_IMPORT.finditer(source) for name in _NAME.findall(found[1])]
    return frozenset([name.decode("utf-8", "replace") for name in (*near, *_DECLARED.findall(source))])
