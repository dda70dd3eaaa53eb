"""Tests and casts as several languages write them."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page, shallow
from ctxcode.codegraph.syntax.narrowed.casts import Cast, bind_casts
from ctxcode.codegraph.syntax.narrowed.inner import own_names
from ctxcode.codegraph.syntax.narrowed.patterns import hidden, matched, switched
from ctxcode.codegraph.syntax.narrowed.places import Test, held
from ctxcode.codegraph.syntax.narrowed.renaming import Region, rename
from ctxcode.codegraph.syntax.narrowed.scoped import bind_bounds, bounds, given, imply, looped, speaking

if TYPE_CHECKING:
    from tree_sitter import Node

_BRACKETS = frozenset({"parenthesized_expression", "tuple_expression"})
_GUARDED = "call_expression"
"""What may tell the class of its argument in TypeScript, as the function says that is called: ``isCart(x)``."""
_MADE_BY_NAME = frozenset({"csharp", "kotlin", "swift"})
"""Languages in which calls of a type's name, ``A()``, are understood as what makes an object of it."""
_ANYTHING = frozenset({"Any", "AnyObject", "any", "dynamic", "object", "unknown"})
_LONGEST = 200
_TESTED_AND_CLASS = 2


def narrow(
    findings: Findings,
    nodes: Iterable["Node"],
    page: Page,
    *,
    type_name: Callable[[str], str],
    language: str,
    regions: Iterable[Region] = (),
) -> None:
    """Tell the class of what is tested or cast, where it is called, given how a language's types are named.

    ``regions`` are those where something is known already.
    """
    tests, casts, regions = list[Test](), list[Cast](), list(regions)
    bounded, functions = list["Node"](), list["Node"]()
    for node in nodes:
        if node.type in _BRACKETS:
            casts += _cast(node, page, type_name)
        elif node.type == "case_clause":
            regions += matched(node, page, type_name)
        elif node.type == "switch_entry":
            regions += switched(node, page, type_name)
        elif node.type == "identifier":
            regions += list(looped(node, page)) or hidden(node, page, findings)
        elif node.type == "lambda_literal":
            functions.append(node)
        elif node.type == "type_parameter":
            bounded.append(node)
        else:
            tests += _test(node, page, type_name)
    near = shallow(functions)
    regions += [region for node in near for region in given(node, page)]
    imply(findings, [region for node in near for region in speaking(node, page)])
    bind_bounds(findings, bounds(bounded, page, type_name))
    bind_casts(findings, casts, is_made_by_name=language in _MADE_BY_NAME)
    told = [region for test in tests for region in held(test, page)]
    own = own_names(told, page, page.around(tests[0].node)[0], language) if told else ()
    rename(findings, [*regions, *told, *_untold(own, regions)])


def _untold(own: Iterable[Region], known: Iterable[Region]) -> list[Region]:
    """Return where names are others, but for those of functions and loops of which more is known than that."""
    rows: dict[tuple[int, str], list[Region]] = {}
    for region in own:
        rows.setdefault((region.end, region.held.name), []).append(region)
    for region in known:
        alike = rows.get((region.end, region.held.name), [])
        first = next((each for each in alike if each.held.at >= region.held.at), None)
        if first is not None:
            alike.remove(first)
    return [region for regions in rows.values() for region in regions]


def _cast(node: "Node", page: Page, type_name: Callable[[str], str]) -> Iterator[Cast]:
    """Yield what brackets around a cast hold: ``x as A``, ``x as? A``, ``(A) x``, ``<A>x``."""
    inner = node.named_children[0]
    is_in_front = inner.type in {"cast_expression", "type_assertion"}
    # ``as const`` names no type.
    has_type = inner.named_child_count > 1 and (is_in_front or inner.children[-1].is_named)
    written = inner.named_children[0 if is_in_front else -1] if has_type else None
    if written is not None and written.type == "type_arguments":
        written = written.named_children[0] if written.named_child_count else None
    if written is not None and node.end_byte - node.start_byte < _LONGEST:
        name = type_name(page.of(written))
        if name and name not in _ANYTHING:
            yield Cast(page.of(node), name)


def _test(node: "Node", page: Page, type_name: Callable[[str], str]) -> Iterator[Test]:
    named, is_true = _sides(node), not any(child.type == "!is" for child in node.children)
    if named is None:
        return
    name, of = "".join(page.of(named[0]).split()), _any_of(page, named[1], type_name)
    of = f"{of}()" if of and node.type == _GUARDED else of
    if of and of not in _ANYTHING and name.removeprefix("self.").removeprefix("this.").isidentifier():
        yield Test(node, name, of, is_true=is_true)


def _any_of(page: Page, written: "Node", type_name: Callable[[str], str]) -> str:
    """Return the class that is tested for, or several, ``A|B``; nothing for what can be anything."""
    if written.type != "tuple":
        return type_name(page.of(written))
    found = [type_name(page.of(each)) for each in written.named_children if each.type != "comment"]
    return "|".join(found) if all(each and each not in _ANYTHING for each in found) else ""


def _sides(node: "Node") -> "tuple[Node, Node] | None":
    """Return what is tested and the class it is tested for."""
    if node.type == "type_test":
        subject = _subject(node)
        return (subject, node.named_children[0]) if subject is not None else None
    if node.type == "call":
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        return (given[0], given[1]) if len(given) == _TESTED_AND_CLASS else None
    tested, of = node.named_children[0], node.named_children[-1]
    if node.type == _GUARDED:
        return of.named_children[0], tested
    return tested, of.named_children[0] if of.type == "constant_pattern" else of


def _subject(test: "Node") -> "Node | None":
    """Return what Kotlin's ``when`` looks at that a test stands in."""
    entry = test.parent
    whole = entry.parent if entry is not None else None
    subject = whole.named_children[0] if whole is not None and whole.type == "when_expression" else None
    if subject is None or subject.type != "when_subject":
        return None
    first = subject.named_children[0]
    return first.named_children[0] if first.type == "variable_declaration" else first
