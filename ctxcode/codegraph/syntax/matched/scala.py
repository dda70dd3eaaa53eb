"""What is left to say of Scala: imports, and what is called without brackets."""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import ITSELF, plain_expression
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.references import LONGEST_CALLEE
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Match, Named, block_doc, by_modifier
from ctxcode.codegraph.syntax.matched.overloads import BY_TYPES
from ctxcode.codegraph.syntax.notation import tidy
from ctxcode.codegraph.syntax.scala.elements import held_type, narrow
from ctxcode.codegraph.syntax.scala.values import expression

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE = re.compile(r"[A-Z]\w*")
_PARTS = {"field_expression": ("value", "field"), "infix_expression": ("left", "operator")}
_TAKING = re.compile(rb"[ \t]*(?:[(\[{]|=(?![=>]))")
"""What follows a name that is called with brackets, or that something is given to."""
_NOTHING = Named((), ())
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


def _asked(match: Match, page: Page) -> Named:
    """Return the call of what is asked of something without brackets: ``cart.total``, ``cart add line``.

    It may be a field as well, so that it is a call only where the type is known; a value of an enum has a capital.
    """
    if "asking" not in match:
        return _NOTHING
    whole = match["asking"][0]
    of, name = (whole.child_by_field_name(part) for part in _PARTS[whole.type])
    if of is None or of.end_byte - of.start_byte > LONGEST_CALLEE or name is None or name.type != "identifier":
        return _NOTHING
    receiver = plain_expression(tidy(page.of(of), ""))
    is_taking = whole.type == "field_expression" and _TAKING.match(page.source, whole.end_byte) is not None
    if not receiver or is_taking or page.of(name)[:1].isupper():
        return _NOTHING
    asked = receiver if _TYPE.fullmatch(receiver) else f"{receiver}.{ITSELF}"
    return Named([(name.end_byte - 1, page.of(name), asked)], ())


SCALA = Dialect(
    is_doc=block_doc,
    visibility=by_modifier("public"),
    imports=_imports,
    named=_asked,
    bound_type=held_type,
    expression=expression,
    narrow=narrow,
    blocks_of="scala",
    overloads=BY_TYPES,
)
