"""What is left to say of shell scripts: sourced files, aliases, read-only variables."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Shape, any_comment

if TYPE_CHECKING:
    from tree_sitter import Node

_SOURCED = re.compile(r"""((?:[\w.@+-]+/)*[\w.@+-]+)["']?\s*$""")
_LONGEST_PATH = 1_000
_READ_ONLY = re.compile(r"readonly\b|(?:declare|typeset)\s+-\w*r")


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    return node, page.of(node).partition("=")[0].strip("\"'"), ""


def _refined(kind: str, node: "Node", page: Page) -> str:
    return "constant" if kind == "variable" and _READ_ONLY.match(page.of(node)[:40]) else kind


def _visibility(shape: Shape) -> str:
    return "private" if shape.name.startswith("_") else "public"


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    """Return the sourced file; what variables stand before its path is left to its last parts."""
    found = _SOURCED.search(page.of(node)[-_LONGEST_PATH:])
    module = re.sub(r"^(?:\.{1,2}/)+", "", found[1]) if found else ""
    return [ImportFact(module, "*", "", 1, page.line(node.start_byte), is_reexport=True)] if module else []


BASH = Dialect(is_doc=any_comment, visibility=_visibility, imports=_imports, declared=_declared, refined=_refined)
