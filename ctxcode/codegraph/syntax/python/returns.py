"""What functions of Python return that don't say so: what each ``return`` of theirs says, where all say the same."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import plain_expression
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.candidates import is_followed
from ctxcode.codegraph.extract.names.shadows import HIDDEN, Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import SAME
from ctxcode.codegraph.syntax.python.bindings import own_class
from ctxcode.codegraph.syntax.python.picked import elements_of, picked
from ctxcode.codegraph.syntax.python.values import value_said

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_LONGEST, _DEEPEST = 150, 20
_NOTHING = frozenset({"none", "None", "NotImplemented"})
_MADE_AGAIN = "cls()"
_ITSELF = frozenset({"self", _MADE_AGAIN})
_OWN = re.compile(r"(?:self|cls)(?:\.\w+)*\.\w+\(\)")
_MAKER = re.compile(r"(?:\w+\.)*_*[A-Z]\w*\(\)")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_WRAPS = re.compile(r"@?(?:functools\.)?wraps\((\w+)\)")
_FIRST_PARAMETER = re.compile(rb"\w+\s*\(\s*([A-Za-z_]\w*)")
_COPY = re.compile(r"(?:copy\.)?(?:deep)?copy\(([\w.]+)\)")
_SAYS_LITTLE = re.compile(r"\b(?:Any|Callable)\b")
_UNKNOWN, _SEQUENCE = "", "?"
_UNCHANGING = frozenset({"classmethod", "staticmethod"})
"""Decorators that leave what a function gives as it is."""
_COLLECTED = frozenset({
    "dictionary", "dictionary_comprehension", "list", "list_comprehension", "set", "set_comprehension", "subscript",
})  # fmt: skip
_TUPLES = frozenset({"expression_list", "tuple"})
_MOST_PARTS = 8
_Parts = dict[str, str]
"""What is returned: of a tuple each part by its place, anything else without a place."""


def add_inferred(
    findings: Findings, page: Page, captures: Captures, meant: Callable[[int, str], str], fixtures: Collection[int] = ()
) -> None:
    """Add what functions return whose annotations don't tell; nothing of generators, and of what returns this or that.

    A property's attribute is bound to it. Of ``fixtures``, by where their names stand, it is what they yield, too.
    ``meant`` tells what an expression is that stands on a byte.
    """
    said = _said(page, captures, meant, fixtures, findings)
    if not said:
        return
    functions = {definition.header: definition for definition in findings.definitions}
    bound = {name for _, name, _ in (*findings.bindings, *findings.parameters)}
    bound.update([found.name for found in findings.definitions], [fact.alias for fact in findings.imports])
    wrapping = _wrapping(findings)
    for at, (name, parts) in said.items():
        function = functions.get(at)
        if function and parts.get("", "")[:1] == "=" and _gives_back(page, function, parts[""][1:], wrapping):
            findings.parameters.append((at, SAME, "="))
        is_attribute = any("property" in decorator for decorator in (function.decorators if function else ()))
        for place, written in parts.items():
            # So are an element of what a generator gives, and all it gives.
            each = written.lstrip(_SEQUENCE)
            is_own = (
                each[:1] == "="
                and "." not in each
                and each[-1] != ")"
                and each[1:].partition(HIDDEN)[0] not in bound
                and at not in fixtures
            )
            if written == _UNKNOWN or is_own:
                continue
            if not is_attribute:
                findings.add_returned(at, written, place)
            elif not place and ("." in written or written[0] != "="):
                findings.attributes.append((at, f"self.{name}", written))


def _wrapping(findings: Findings) -> dict[str, list[tuple[int, str]]]:
    """Return, by name, (byte, name of the other) of functions that stand for another one, by ``functools.wraps``."""
    wrapping: dict[str, list[tuple[int, str]]] = {}
    for found in findings.definitions:
        for decorator in found.decorators:
            if (wrapped := _WRAPS.fullmatch(decorator)) is not None:
                wrapping.setdefault(found.name, []).append((found.header, wrapped[1]))
    for rows in wrapping.values():
        rows.sort()
    return wrapping


def _gives_back(
    page: Page, function: Definition, returned: str, wrapping: Mapping[str, Sequence[tuple[int, str]]]
) -> bool:
    """Whether what a function returns is what it is given first, or stands for that."""
    first = _FIRST_PARAMETER.match(page.source, function.header)
    if first is None:
        return False
    rows = wrapping.get(returned, ())
    row = bisect_right(rows, (function.header, ""))
    is_inside = row < len(rows) and rows[row][0] < function.end
    return (rows[row][1] if is_inside else returned) == first[1].decode()


def _said(
    page: Page,
    captures: Captures,
    meant: Callable[[int, str], str],
    fixtures: Collection[int],
    findings: Findings,
) -> dict[int, tuple[str, _Parts]]:
    """Return (name, what all returns say) of functions that don't say what they return, by where the name stands."""
    functions = sorted(captures.get("function", ()), key=lambda node: (node.start_byte, -node.end_byte))
    giving = {str(node.start_byte) for node in functions if fixtures and _name_at(node) in fixtures}
    open_ones = {str(node.start_byte): node for node in functions if node.child_by_field_name("return_type") is None}
    if giving:
        # What a fixture gives nobody else says.
        open_ones |= {
            start: node for node in functions if (start := str(node.start_byte)) in giving and _says_little(page, node)
        }
    if not open_ones:
        return {}
    around = Regions([(*node.byte_range, str(node.start_byte)) for node in functions])
    yields = [(around.name(node.start_byte), node) for node in captures.get("yield", ())]
    closed = {function for function, _ in yields} - giving
    given = [(around.name(node.start_byte), node) for node in captures.get("returned", ())]
    given += [(function, node) for function, node in yields if function in giving and node.named_children]
    given_once, values = _given_once(findings, around), dict[str, _Parts]()
    for function, node in given:
        if function not in open_ones or function in closed:
            continue
        parts = _parts(node.named_children[0])
        known = values.setdefault(function, {})
        for place, value in parts.items():
            for said in _written(page, value):
                written = meant(node.start_byte, said) if is_followed(said) else said
                written = given_once.get((function, written), written)
                if written not in _NOTHING and known.setdefault(place, written) != written:
                    known[place] = _UNKNOWN
        if "" in known and len(known) > 1:
            # Sometimes it is a tuple.
            values[function] = {"": _UNKNOWN}
    found = {}
    for function, known in values.items():
        name = open_ones[function].child_by_field_name("name")
        if name is not None and any(known.values()):
            found[name.start_byte] = page.of(name), known
    return found | _generated(findings, page, [(open_ones.get(function), node) for function, node in yields], meant)


def _generated(
    findings: Findings, page: Page, yields: "Iterable[tuple[Node | None, Node]]", meant: Callable[[int, str], str]
) -> dict[int, tuple[str, _Parts]]:
    """Return what generators give that don't say it, one thing after the other, by where their names stand."""
    decorated = {one.header for one in findings.definitions if not _UNCHANGING.issuperset(one.decorators)}
    found = dict[int, tuple[str, _Parts]]()
    for function, node in yields:
        name = function.child_by_field_name("name") if function is not None else None
        if name is None or name.start_byte in decorated or not node.named_children:
            continue
        text, value = page.of(name), node.named_children[0]
        if any(child.type == "from" for child in node.children):
            over = elements_of(page, value)
            said = meant(node.start_byte, f"{over}.__iter__()") if over else _UNKNOWN
            if over.endswith(f".{text}()"):
                # What it gives of its own kind it gives itself, too.
                continue
        else:
            said = value_said(page, value)
            said = meant(node.start_byte, said) if is_followed(said) else said
            said = "Self" if said == "=self" else f"={said}" if said[-1:] == ")" else said
            said = f"{_SEQUENCE}{said}" if said else _UNKNOWN
        if found.setdefault(name.start_byte, (text, {"": said}))[1][""] != said:
            found[name.start_byte] = text, {"": _UNKNOWN}
    return found


def _given_once(findings: Findings, around: Regions) -> dict[tuple[str, str], str]:
    """Return what is returned as ``=x`` where ``x`` is given but one thing, which the object itself decides on.

    By (function, ``=x``): of another class than the one that is written there it may give something else.
    """
    rows = [(at, name, said) for at, name, said in findings.bindings if said == _MADE_AGAIN or _OWN.fullmatch(said)]
    if not rows:
        return {}
    names = {name for _, name, _ in rows}
    counts = Counter((around.name(at), name) for at, name, _ in findings.bindings if name in names)
    return {
        (function, f"={name}"): "Self" if said == _MADE_AGAIN else said
        for at, name, said in rows
        if counts[function := around.name(at), name] == 1
    }


def _parts(value: "Node") -> "dict[str, Node]":
    """Return what stands in a tuple, by its place; any other value as it is, without a place."""
    while value.type == "parenthesized_expression" and value.named_child_count == 1:
        value = value.named_children[0]
    parts = [part for part in value.named_children if part.type != "comment"]
    is_told = value.type in _TUPLES and 1 < len(parts) <= _MOST_PARTS
    if not is_told or any(part.type == "list_splat" for part in parts):
        return {"": value}
    return {str(place): part for place, part in enumerate(parts)}


def _says_little(page: Page, function: "Node") -> bool:
    """Whether a function says that it returns what is called, or anything."""
    said = function.child_by_field_name("return_type")
    return said is not None and _SAYS_LITTLE.search(page.of(said)) is not None


def _name_at(function: "Node") -> int:
    name = function.child_by_field_name("name")
    return name.start_byte if name is not None else -1


def _written(page: Page, value: "Node", depth: int = 0) -> list[str]:
    """Return what a value says of itself: a class, ``f()``, ``=a.b``, ``Self``; empty for what can't be followed."""
    while value.type in {"parenthesized_expression", "await"} and value.named_child_count == 1:
        value = value.named_children[0]
    if value.type == "none":
        return ["none"]
    if value.type == "conditional_expression" and depth < _DEEPEST:
        branches = (value.named_children[0], value.named_children[-1])
        return [said for branch in branches for said in _written(page, branch, depth + 1)]
    if value.type in _COLLECTED:
        return [value_said(page, value)]
    callee = value.child_by_field_name("function") if value.end_byte - value.start_byte > _LONGEST else None
    if (
        value.type not in {"attribute", "call", "identifier"}
        or (callee or value).end_byte - value.start_byte > _LONGEST
    ):
        return [_UNKNOWN]
    text = "".join(page.of(value if callee is None else callee).split()) + ("" if callee is None else "()")
    if callee is None and value.type == "call" and (some := picked(page, value, text.partition("(")[0])):
        return [some]
    copied = _COPY.fullmatch(text)
    text = copied[1] if copied else text
    if text in _NOTHING:
        return [text]
    if value.type == "identifier" or copied:
        return ["Self" if text == "self" else f"={text}"]
    if value.type == "attribute":
        return [f"={text}" if _DOTTED.fullmatch(text) else _UNKNOWN]
    expression = plain_expression(own_class(text))
    if expression in _ITSELF:
        return ["Self"]
    # A class of one letter would be taken for a type parameter.
    is_class = _MAKER.fullmatch(expression) is not None and len(expression) > len("T()")
    return [expression[:-2] if is_class else expression]
