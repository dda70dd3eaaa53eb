"""Values whose type is told by the signs they are written with: Go's literals and type assertions, C++'s arrows."""

import re

from ctxcode.codegraph.extract.expressions import POINTED_AT, RECEIVED, plain_expression
from ctxcode.codegraph.extract.type_names import go_type
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.arrows import behind_arrows
from ctxcode.codegraph.resolve.objects.value import Value
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.targets import EXTERNAL

_ASSERTION = re.compile(r".*\.\(([\w.*]+)\)", re.DOTALL)
_LITERAL = re.compile(r"\(?&?([^\W\d][\w.]*)(?:\[[\w.,]*\])?\{.*\}\)?", re.DOTALL)
_CONVERSION = re.compile(r"\(\*([^\W\d][\w.]*)\)\(.*\)", re.DOTALL)
_POINTED = re.compile(r"\(([*&]|<-)([^\W\d][\w.]*)\)")
_NEW = re.compile(r"new\(([^\W\d][\w.]*)(?:\[[\w.,*\[\]]*\])?\)")
_INSTANCE = re.compile(r"([^\W\d]\w*(?:\.\w+)?)\[[^()]*\]\([^()]*\)", re.DOTALL)
_BEHIND = re.compile(r"(.*\.\([\w.*]+\)|\(?&?[^\W\d][\w.]*\{[^{}]*\}\)?)(\.[^{}]+)", re.DOTALL)
_LANGUAGE = frozenset({"any", "error", "string"})
SPELLED = frozenset({"c", "go"})
"""Families in which what stands before a called name may tell its type by how it is written."""


def spelled(lookup: Lookup, values: Values, call: tuple[int, str, str]) -> Value | None:
    """Return what stands before a called name, given as (scope, that, the name); None for what tells no type itself."""
    scope, receiver, name = call
    if lookup.tables.families[lookup.tables.file_of[scope]] == "c":
        return behind_arrows(lookup, receiver, lambda written: values.of(scope, written), name)
    is_told = receiver[-1] in ")}" or ".(" in receiver or "{" in receiver
    return go_value(values, scope, receiver) if is_told else None


def without_arrows(receiver: str) -> str:
    """Return a receiver of C++ in which an arrow is a dot."""
    return receiver.replace(f".{POINTED_AT}", "")


def go_value(values: Values, scope: int, receiver: str) -> Value | None:
    """Return what ``x.(T)``, ``T{...}``, ``new(T)`` and ``(*T)(x)`` is in a definition; None for what tells no type.

    So it is with what stands behind one, ``x.(T).Owner().Name``, and with ``(*x)``, ``(&x)``, ``(<-x)``, ``f[T](x)``.
    """
    if (pointed := _POINTED.fullmatch(receiver)) is not None:
        return values.of(scope, pointed[2] if pointed[1] != "<-" else f"{pointed[2]}.{RECEIVED}")
    if (instance := _INSTANCE.fullmatch(receiver)) is not None:
        return values.of(scope, f"{instance[1]}()")
    kinds = (_ASSERTION, _LITERAL, _CONVERSION, _NEW)
    match = next((found for kind in kinds if (found := kind.fullmatch(receiver)) is not None), None)
    if match is None:
        behind = _BEHIND.fullmatch(receiver)
        path = plain_expression(f"x{behind[2]}") if behind is not None else ""
        first = go_value(values, scope, behind[1]) if behind is not None and path else None
        return values.walk(first, path.split(".")[1:]) if first is not None else None
    name = go_type(match[1])
    if not name or name in _LANGUAGE:
        return Value(EXTERNAL, is_object=True)
    return values.of_bound(scope, name)


def of_made(lookup: Lookup, values: Values, scope: int, expression: str) -> Value | None:
    """Return what an expression stands for that begins with a class of which an object is made: ``Box(1).kept``.

    What an object of Scala beside the class gives to who calls its name is another thing.
    """
    first, *parts = expression.split(".")
    node = lookup.type_in(scope, first.partition("(")[0])
    is_beside = node >= 0 and lookup.tables.companions.of(node) >= 0
    return values.behind(node, parts) if is_beside else values.of(scope, expression)
