"""What Kotlin's functions are given that get what they are called on, and what its type parameters extend."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, IMPLIED, plain_expression, without_functions
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Regions, raised
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region, in_functions

if TYPE_CHECKING:
    from tree_sitter import Node

_GIVING = frozenset({"also", "let", "takeIf", "takeUnless"})
"""What gives a function what it is called on."""
_GIVING_EACH = frozenset({
    "all", "any", "collect", "collectLatest", "count", "distinctBy", "dropWhile", "filter", "filterNot", "find",
    "findLast", "first", "firstOrNull", "flatMap", "forEach", "groupBy", "indexOfFirst", "last", "lastOrNull", "map",
    "mapNotNull", "maxBy", "minBy", "none", "observe", "onEach", "partition", "removeAll", "removeIf", "single",
    "singleOrNull", "sortedBy", "sortedByDescending", "sumBy", "takeWhile",
})  # fmt: skip
"""What gives it each of what a collection holds."""
_WITH_INDEX = frozenset({"filterIndexed", "forEachIndexed", "mapIndexed"})
"""What gives it the place of each, too, before that."""
_COUNTED = ".withIndex()"
_ENDING = frozenset({"block", "function_body", "lambda_literal", "when_entry"})
_HIGHEST = 12
_MOST_PARTS = 12
_SPEAKING = frozenset({"apply", "run"})
"""What makes ``this`` of what it is called on, inside of a function; so does ``with`` of its argument."""
_THIS, _MARK = "this", "\N{SUPERSCRIPT LATIN SMALL LETTER N}"
_UNNAMED = "it"
_LONGEST = 200
_PAIR = 2


def given(function: "Node", page: Page) -> Iterator[Region]:
    """Yield where a name stands for what a function is called on, ``x?.let { it.f() }``, or for what that holds."""
    if not _is_taken_apart(function):
        yield from _given(function, page)


def _is_taken_apart(function: "Node") -> bool:
    first = function.named_children[0] if function.named_child_count else None
    listed = first.named_children if first is not None and first.type == "lambda_parameters" else []
    return any(each.type == "multi_variable_declaration" for each in listed)


def _given(function: "Node", page: Page) -> Iterator[Region]:
    call = function.parent.parent if function.parent is not None else None
    callee = call.named_children[0] if call is not None else None
    if callee is None or callee.type != "navigation_expression" or callee.named_child_count <= 1:
        return
    on, method = callee.named_children[0], callee.named_children[-1]
    is_counted = page.of(method) in _WITH_INDEX
    is_each = is_counted or page.of(method) in _GIVING_EACH
    if not is_each and page.of(method) not in _GIVING:
        return
    said = _expression(on, page)
    for name, part in _names(function, page, is_counted=is_counted) if said else ():
        if name and said != name:
            bound = f"{said}.{EACH}" if is_each else said if said[-1] == ")" else f"={said}"
            bound = f"={bound.removeprefix('=')}.component{part}()" if part else bound
            yield Region(function.start_byte, function.end_byte, Held(function.start_byte, name, bound, is_other=True))


def speaking(function: "Node", page: Page) -> Iterator[Region]:
    """Yield where ``this`` is something else inside of a function: ``cart.apply { pay() }``, ``with(cart) { … }``."""
    call = function.parent.parent if function.parent is not None else None
    callee = call.named_children[0] if call is not None else None
    if callee is None or callee.named_child_count <= 1:
        return
    first, last = callee.named_children[0], callee.named_children[-1]
    if callee.type == "navigation_expression" and page.of(last) in _SPEAKING:
        on: Node | None = first
    elif callee.type == "call_expression" and page.of(first) == "with" and last.named_child_count == 1:
        on = last.named_children[0].named_children[0] if last.named_children[0].named_child_count else None
    else:
        return
    said = _expression(on, page) if on is not None else ""
    if said and said != _THIS:
        bound = said if said[-1] == ")" else f"={said}"
        yield Region(function.start_byte, function.end_byte, Held(function.start_byte, _THIS, bound, is_other=True))


def imply(findings: Findings, regions: Iterable[Region]) -> None:
    """Say what ``this`` is in some regions, and that what is called there on nothing may be called on it."""
    ordered, rows = sorted(regions, key=lambda one: (one.start, -one.end)), list[tuple[int, int, str]]()
    if not ordered:
        return
    functions = in_functions(findings)
    for number, (start, end, held) in enumerate(ordered, start=1):
        if functions.name(start):
            rows.append((start, end, f"{_THIS}{_MARK}{raised(number)}"))
            findings.bindings.append((held.at, rows[-1][2], held.type))
    if not rows:
        return
    known, calls = Regions(rows), list[tuple[int, str, str]]()
    for at, name, receiver in findings.calls:
        this = known.name(at) if not receiver or receiver.partition(".")[0] == _THIS else ""
        meant = f"{IMPLIED}{this}" if not receiver else f"{this}{receiver.removeprefix(_THIS)}"
        calls.append((at, name, meant if this else receiver))
    findings.calls = calls


def looped(name: "Node", page: Page) -> Iterator[Region]:
    """Yield where a name stands for what is gone over, or for a part of what is taken apart: ``val (a, b) = pair``."""
    around, part = name.parent.parent if name.parent is not None else None, 0
    if around is not None and around.type == "multi_variable_declaration":
        if around.named_child_count > _MOST_PARTS:
            return
        parts = [each.named_children[0].start_byte for each in around.named_children if each.named_child_count]
        part, around = parts.index(name.start_byte) + 1 if name.start_byte in parts else 0, around.parent
    if around is not None and part and around.type == "lambda_parameters" and around.parent is not None:
        yield from (each for each in _given(around.parent, page) if each.held.name == page.of(name))
        return
    if around is None or around.named_child_count <= 1:
        return
    text, end = page.of(name), around.end_byte
    if around.type == "for_statement":
        said = _expression(around.named_children[1], page)
        if part and said.endswith(_COUNTED):
            said, part = said.removesuffix(_COUNTED) if part == _PAIR else "", 0
        bound = f"{said}.{EACH}"
    elif part and around.type == "property_declaration":
        bound = said = _expression(around.named_children[-1], page)
        end = _end_of_block(around)
    else:
        return
    if said and said != text:
        bound = f"={bound}.component{part}()" if part else bound
        yield Region(name.end_byte, end, Held(name.start_byte, text, bound, is_other=True))


def _end_of_block(declared: "Node") -> int:
    around = declared.parent
    for _ in range(_HIGHEST):
        if around is None or around.type in _ENDING:
            break
        around = around.parent
    return around.end_byte if around is not None else declared.end_byte


def _expression(node: "Node", page: Page) -> str:
    if node.end_byte - node.start_byte > _LONGEST:
        return ""
    return plain_expression("".join(without_functions(page.of(node)).replace("?.", ".").replace("!!", "").split()))


def _names(function: "Node", page: Page, *, is_counted: bool) -> list[tuple[str, int]]:
    """Return (name, which part) of what a function calls what it gets, and the parts of that: ``{ (a, b) -> … }``."""
    first = function.named_children[0] if function.named_child_count else None
    if first is None or first.type != "lambda_parameters":
        return [(_UNNAMED, 0)] if not is_counted else []
    declared = first.named_children
    if len(declared) != 1 + is_counted:
        return []
    last = declared[-1]
    if last.type == "multi_variable_declaration":
        parts = [page.of(each.named_children[0]) if each.named_child_count == 1 else "" for each in last.named_children]
        return [(name if name != "_" else "", place) for place, name in enumerate(parts, start=1)]
    is_one = last.type == "variable_declaration" and last.named_child_count == 1
    return [(page.of(last.named_children[0]), 0)] if is_one else []


def bounds(
    parameters: Iterable["Node"], page: Page, type_name: Callable[[str], str]
) -> Iterator[tuple[str, int, int, str]]:
    """Yield (name, from where, to where, bound) of type parameters that extend something: ``<C : Cart>``."""
    for node in parameters:
        owner = node.parent.parent if node.parent is not None else None
        bound = type_name(page.of(node.named_children[-1])) if node.named_child_count > 1 else ""
        if owner is not None and bound:
            yield page.of(node.named_children[0]), owner.start_byte, owner.end_byte, bound


def bind_bounds(findings: Findings, bounds: Iterable[tuple[str, int, int, str]]) -> None:
    """Make what is said to be of a type parameter be of what that extends; ``bounds`` as above."""
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for name, start, end, bound in bounds:
        spans.setdefault(name, []).append((start, end, bound))
    if spans:
        known = {name: Regions(sorted(rows, key=lambda row: (row[0], -row[1]))) for name, rows in spans.items()}
        for rows in (findings.bindings, findings.parameters, findings.attributes):
            rows[:] = [(at, name, _bounded(known, at, said)) for at, name, said in rows]


def _bounded(known: dict[str, Regions], at: int, said: str) -> str:
    inner = said.lstrip("?%@=")
    bound = known[inner].name(at) if inner in known else ""
    return f"{said[: len(said) - len(inner)]}{bound}" if bound else said
