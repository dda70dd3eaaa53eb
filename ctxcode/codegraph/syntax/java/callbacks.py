"""What functions that are given to methods of Java get: as interfaces and methods say it, and as lambdas take it."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import CONTRACT, SAME
from ctxcode.codegraph.syntax.java.elements import COLLECTIONS, expression, inside, java_collection, type_argument
from ctxcode.codegraph.syntax.java.parameters import named_parameters

if TYPE_CHECKING:
    from tree_sitter import Node

_TAKING = {
    "BiConsumer": (0, 1), "BiFunction": (0, 1), "BiPredicate": (0, 1), "BinaryOperator": (0, 0), "Comparator": (0, 0),
    "Consumer": (0,), "Function": (0,), "IntFunction": (), "ObjIntConsumer": (0,), "Predicate": (0,),
    "ToDoubleFunction": (0,), "ToIntBiFunction": (0, 1), "ToIntFunction": (0,), "ToLongFunction": (0,),
    "UnaryOperator": (0,),
}  # fmt: skip
"""Which of their type arguments the functions get that interfaces of the language stand for."""
_PARAMETER = re.compile(r"([\w.]+)\s*(?:<(.*)>)?\s*((?:\[\s*\]|\.\.\.)?)\s*\w+", re.DOTALL)
_BESIDE = re.compile(r"@[\w.]+(?:\s*\([^()]*\))?|\bfinal\b|/\*.*?\*/|//[^\n]*", re.DOTALL)
_MODIFIED = re.compile(r"\b(?:default|static|private)\b")
_OF_CLASS = re.compile(r"(?:\?\s*extends\s+)?(\w+)")
_LONGEST = 1_000
_HIGHEST = 30
"""Blocks around a ``return`` that are climbed."""
_ENDING = frozenset({"class_body", "lambda_expression", "method_declaration"})


def _is_long(node: "Node") -> bool:
    return node.end_byte - node.start_byte > _LONGEST


def contracts(methods: Iterable["Node"], page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield (byte, name, type) for what interfaces bind that have one method for others to define.

    ``methods`` are those of the file's interfaces.
    """
    open_methods: dict[int, list[Node]] = {}
    for node in methods:
        body = node.parent
        if body is None or node.child_by_field_name("body") is not None or body.type != "interface_body":
            continue
        name = node.child_by_field_name("name")
        if name is not None and not _MODIFIED.search(_BESIDE.sub("", page.text(node.start_byte, name.start_byte))):
            open_methods.setdefault(body.start_byte, []).append(node)
    for alone in [nodes[0] for nodes in open_methods.values() if len(nodes) == 1]:
        interface = alone.parent.parent if alone.parent is not None else None
        name = interface.child_by_field_name("name") if interface is not None else None
        parameters = alone.child_by_field_name("parameters")
        if interface is None or name is None or parameters is None or _is_long(parameters):
            continue
        own = named_parameters(interface, page)
        for row, (type_name, arguments) in enumerate(_parameters(page.of(parameters))):
            written = f"<{own.index(type_name)}>" if type_name in own else java_collection(f"{type_name}{arguments}")
            if written:
                yield name.start_byte, f"{CONTRACT}{row}", written


def promised(method: "Node", parameters: "Node", returned: str, page: Page) -> Iterator[tuple[str, str]]:
    """Yield (name, type) for what a method says of the type arguments of its parameters, and if it gives the first."""
    if _is_long(parameters):
        return
    written = page.of(parameters)
    is_own = len(returned) > 0 and returned in named_parameters(method, page)
    if "<" in written:
        yield from _promised(written)
    if is_own:
        name, arguments = next(iter(_parameters(written)), ("", ""))
        of_class = _OF_CLASS.fullmatch(arguments[1:-1].strip()) if name == "Class" else None
        if name == returned and not arguments:
            yield SAME, "="
        elif of_class is not None and of_class[1] == returned:
            yield SAME, "%"


@lru_cache(maxsize=2_000)
def _promised(written: str) -> tuple[tuple[str, str], ...]:
    found = list[tuple[str, str]]()
    for row, (name, arguments) in enumerate(_parameters(written)):
        simple = name.rpartition(".")[2]
        if not arguments or simple == "Class" or (simple in COLLECTIONS and simple not in _TAKING):
            continue
        types = [type_argument(each) or "?" for each in inside(arguments[1:-1])]
        if simple in _TAKING:
            places = [(f"({row}.{at})", types[which]) for at, which in enumerate(_TAKING[simple]) if which < len(types)]
        else:
            places = [(f"({row}.<{at}>)", each) for at, each in enumerate(types)] if any(types) else []
        if any(each != "?" for _, each in places):
            found += places if simple not in _TAKING else [row for row in places if row[1] != "?"]
    return tuple(found)


def _parameters(written: str) -> list[tuple[str, str]]:
    """Return (type, type arguments in their brackets) of each parameter in ``(final A<B> a, C... c)``."""
    found = list[tuple[str, str]]()
    for each in inside(_BESIDE.sub(" ", written).strip()[1:-1]):
        match = _PARAMETER.fullmatch(each.strip())
        if match is None:
            found.append(("", ""))
        elif not each.strip().endswith(" this"):
            found.append((match[1], f"<{match[2]}>" if match[2] is not None else ""))
    return found if written.strip("() \n") else []


def given_by(function: "Node", page: Page) -> tuple[str, str, str]:
    """Return what stands before and behind the place of a parameter in what a lambda's parameters are bound to.

    That is ``("(1/2.", ")a.f", "")`` for the second of two arguments of ``a.f``, the last part the type of what the
    lambda is the value of: a variable, or what a method returns. Empty texts where nothing tells.
    """
    around = function.parent
    if around is None:
        return "", "", ""
    saying = _saying_type(around)
    if saying is not None:
        of = saying.child_by_field_name("type")
        return ("", "", page.of(of)) if of is not None and not _is_long(of) else ("", "", "")
    call = around.parent if around.type == "argument_list" else None
    callee = _callee(call, page) if call is not None else ""
    if not callee:
        return "", "", ""
    given = [child for child in around.named_children if not child.type.endswith("comment")]
    at = sum(child.end_byte <= function.start_byte for child in given)
    return f"({at}/{len(given)}.", f"){callee}", ""


def _saying_type(around: "Node") -> "Node | None":
    """Return the node that says of which type a lambda is: its variable, a cast, or the method that returns it."""
    if around.type in {"variable_declarator", "cast_expression"}:
        return around if around.type == "cast_expression" else around.parent
    if around.type != "return_statement":
        return None
    at: Node | None = around
    for _ in range(_HIGHEST):
        at = at.parent if at is not None else None
        if at is None or at.type in _ENDING:
            break
    return at if at is not None and at.type == "method_declaration" else None


def _callee(call: "Node", page: Page) -> str:
    if call.type == "object_creation_expression":
        of = call.child_by_field_name("type")
        made = dotted_name(page.of(of)) if of is not None else ""
        return f"={made}" if made else ""
    name, receiver = call.child_by_field_name("name"), call.child_by_field_name("object")
    if call.type != "method_invocation" or name is None:
        return ""
    over = expression(receiver, page) if receiver is not None else ""
    return f"{over}.{page.of(name)}" if over else page.of(name) if receiver is None else ""


def given(function: "Node", names: Iterable["Node"], page: Page) -> list[str]:
    """Return what each of a lambda's parameters is bound to; empty where nothing tells."""
    before, behind, written = given_by(function, page)
    every = list(names)
    if not written:
        return [f"{before}{at}{behind}" if before else "" for at in range(len(every))]
    name, _, arguments = written.partition("<")
    types = [type_argument(each) or "?" for each in inside(arguments.rstrip()[:-1])] if arguments else []
    simple = name.strip().rpartition(".")[2]
    if simple in _TAKING:
        of_places = [types[which] if which < len(types) else "?" for which in _TAKING[simple]]
        return [of_places[at] if at < len(of_places) and of_places[at] != "?" else "" for at in range(len(every))]
    of_type = dotted_name(name.strip())
    behind = f"<{','.join(types)}>" if types else ""
    return [f"(/.{at}){of_type}{behind}" if of_type else "" for at in range(len(every))]
