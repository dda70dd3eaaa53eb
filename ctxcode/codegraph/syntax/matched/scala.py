"""What is left to say of Scala: imports."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.matched.dialect import Dialect, block_doc, by_modifier
from ctxcode.codegraph.syntax.matched.overloads import BY_TYPES

if TYPE_CHECKING:
    from tree_sitter import Node

_ALIAS = re.compile(r"(?<!\s)\s*+(?:=>|\bas\b)\s*+")


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    """Return what ``import a.b.{C, D => E}, x._`` binds."""
    line, facts = page.line(node.start_byte), list[ImportFact]()
    for clause in re.split(r",(?![^{]*\})", page.of(node).removeprefix("import")):
        path, brace, names = clause.strip().partition("{")
        module = "".join(path.split()).rstrip(".")
        if not brace:
            module, _, names = module.rpartition(".")
        for selector in names.rstrip("} \n").split(","):
            name, alias = (*_ALIAS.split(selector.strip(), maxsplit=1), "")[:2]
            if name in {"_", "*", "given"}:
                facts.append(ImportFact(module, "*", "", 0, line, is_reexport=False))
            elif name and alias != "_":
                facts.append(ImportFact(module, name, alias or name, 0, line, is_reexport=False))
    return facts


SCALA = Dialect(is_doc=block_doc, visibility=by_modifier("public"), imports=_imports, overloads=BY_TYPES)
