"""What is left to say of Swift: kinds of classes, extensions, imports."""

from functools import partial
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.matched.dialect import Dialect, by_modifier, slash_doc
from ctxcode.codegraph.syntax.narrowed.tests import narrow

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {"struct": "struct", "enum": "enum", "class": "class", "actor": "class", "extension": "extension"}


def _refined(kind: str, node: "Node", page: Page) -> str:
    del page
    if kind == "class":
        return next((_KINDS[child.type] for child in node.children if child.type in _KINDS), kind)
    return kind


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    """Return a name; an extension's is that of the type it extends."""
    text = page.of(node).strip("`")
    return node, text.partition("<")[0].rpartition(".")[2].strip() if node.type == "user_type" else text, ""


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    module = page.of(node).split()[-1]
    return [ImportFact(module, "", module.partition(".")[0], 0, page.line(node.start_byte), is_reexport=False)]


def _type_name(text: str) -> str:
    written = text.strip().rstrip("?!")
    name = dotted_name(written)
    # What ``Box.Type`` is said of is the type itself.
    return f"={name.removesuffix('.Type')}" if name.endswith(".Type") else name


SWIFT = Dialect(
    is_doc=slash_doc,
    visibility=by_modifier("internal"),
    imports=_imports,
    declared=_declared,
    refined=_refined,
    type_name=_type_name,
    narrow=partial(narrow, type_name=_type_name),
    makes_by_name=True,
)
