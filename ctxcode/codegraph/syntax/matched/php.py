"""What is left to say of PHP: names with backslashes and dollar signs, use declarations, included files."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.matched.dialect import Dialect, block_doc, by_modifier
from ctxcode.codegraph.syntax.php.flow import tell_apart
from ctxcode.codegraph.syntax.php.given_again import join_given
from ctxcode.codegraph.syntax.php.narrowing import narrow
from ctxcode.codegraph.syntax.php.written_types import callback, dotted, expression, given, returned, told, type_name

if TYPE_CHECKING:
    from tree_sitter import Node

_ALIAS = re.compile(r"(?<!\s)\s++as\s++", re.IGNORECASE)
_KEYWORD = re.compile(r"(?<!\s)\s*+(?:function|const)\s++", re.IGNORECASE)
_INCLUDED = re.compile(r"""["'](/?[\w./-]+\.(?:php|inc))["']""")


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    container, at = "", node.parent
    if at is not None and at.type == "property_promotion_parameter":
        while at is not None and not at.type.endswith(("class_declaration", "trait_declaration")):
            at = at.parent
        name = at.child_by_field_name("name") if at is not None else None
        container = page.of(name) if name is not None else ""
    return node, page.of(node).lstrip("$"), container


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    r"""Return what ``use A\B, A\{C, D as E};`` binds, or the file a ``require`` names."""
    line, text = page.line(node.start_byte), page.of(node)
    if not text.startswith("use"):
        path = _INCLUDED.search(text)
        return [ImportFact(path[1].lstrip("/"), "*", "", 1, line, is_reexport=True)] if path else []
    outer, brace, names = text.removeprefix("use").rstrip("; ").partition("{")
    prefix = f"{dotted(_KEYWORD.sub('', outer))}." if brace else ""
    facts = []
    for clause in (names.rstrip("} ") if brace else outer).split(","):
        written, alias = (*_ALIAS.split(_KEYWORD.sub("", clause.strip()), maxsplit=1), "")[:2]
        module, _, name = f"{prefix}{dotted(written)}".rpartition(".")
        if name:
            facts.append(ImportFact(module, name, alias.strip() or name, 0, line, is_reexport=False))
    return facts


def _settle(findings: Findings, page: Page, root: "Node", returned: Mapping[tuple[int, str], list[int]]) -> None:
    tell_apart(findings, page, root, returned)
    join_given(findings)


PHP = Dialect(
    is_doc=block_doc,
    visibility=by_modifier("public"),
    imports=_imports,
    declared=_declared,
    type_name=type_name,
    package=dotted,
    expression=expression,
    used=callback,
    told=told,
    given=given,
    returned=returned,
    narrow=narrow,
    settle=_settle,
    base_word="parent",
)
