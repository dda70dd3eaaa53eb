"""Which names of a file may be hidden by others of it, and where they stand."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings, OutermostSpans
from ctxcode.codegraph.extract.names.grammars import Grammar
from ctxcode.codegraph.extract.names.occurrences import occurrences, without
from ctxcode.codegraph.facts import SCRIPT

if TYPE_CHECKING:
    from ctxcode.codegraph.extract.page import Page

HEAD = re.compile(r"(=|\(\d+\.\d+\)|[\w$.]++&=)?((?:[^\W\d]|\$)[\w$]*)")
"""What stands before the first name of an expression that is followed, and that name."""
MAKING = "new"
"""The word before what an object is made of, as it stands in receivers, without a blank behind it."""
_GOING_ON = frozenset(b"(.[")
"""What follows no name that is bound."""
_OF_OTHERS = frozenset({"field", "method", "variant"})
"""Kinds that nothing calls by its bare name."""
_INNER = (re.compile(rb"for\b([^:;=]{1,200}?)\bin\b"), re.compile(rb"lambda\b([^:]{1,400})"))
"""Where names may be bound for less than a function, in Python. Two that begin with a text are quicker than one."""
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_FUNCTIONS = frozenset({"function", "method"})


def is_followed(bound: str) -> bool:
    """Whether a binding's type, or one of several, is to be followed."""
    if "|" in bound:
        return any(map(is_followed, bound.split("|")))
    return bound[:1] in {"=", "("} or bound[-1:] == ")" or "&=" in bound


def candidates(
    findings: Findings, page: "Page", grammar: Grammar, placed: tuple[Sequence[int], Sequence[str]]
) -> list[tuple[int, bytes]]:
    """Return (byte, name) of what code begins with and that may mean something outside of where it stands."""
    said = {receiver or name for _, name, receiver in findings.calls}
    rows = (*findings.bindings, *findings.parameters, *findings.attributes)
    said.update([each for _, _, bound in rows if is_followed(bound) for each in bound.split("|")])
    plain = set(filter(str.isidentifier, said))
    heads = plain.union([head[2] for each in said - plain if (head := HEAD.match(each)) is not None]) - grammar.own
    if grammar.makes:
        heads |= {head.removeprefix(MAKING) for head in heads if head.startswith(MAKING) and head != MAKING}
    parents, kinds = placed[0][1:], placed[1][1:]
    source = without(page.source, findings.import_spans)
    if grammar.is_wide or findings.package == SCRIPT or any(fact.name == "*" for fact in findings.imports):
        return occurrences(source, _encoded(heads), going_on=_GOING_ON)
    outer, inner = {fact.alias for fact in (*findings.imports, *findings.told_imports)}, set[str]()
    for found, parent, kind in zip(findings.definitions, parents, kinds, strict=True):
        if kind not in _OF_OTHERS:
            (inner if parent else outer).add(found.name)
    spans = OutermostSpans(findings.definitions)
    for at, name, _ in findings.bindings:
        if "." not in name:
            (inner if spans.enclose(at) else outer).add(name)
    if grammar.has_blocks:
        # What is known of a local name is known nowhere but in its block.
        outer.update([name for _, name, _ in (*findings.parameters, *findings.bindings)])
    outer |= grammar.brought
    inner &= heads - outer
    everywhere = (heads & outer) | inner
    if inner and not grammar.has_blocks:
        everywhere -= inner - _inner_names(source)
    found_at = occurrences(source, _encoded(everywhere), going_on=_GOING_ON)
    rest = _encoded(inner - everywhere)
    if rest:
        for start, end in _nested(findings.definitions, kinds):
            nested = occurrences(source[start:end], rest, going_on=_GOING_ON)
            found_at += [(start + at, name) for at, name in nested]
    return found_at


def _encoded(names: Iterable[str]) -> dict[bytes, str]:
    return {name.encode(): name for name in names}


def _nested(definitions: Sequence[Definition], kinds: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Return the bytes of the functions in functions, the outermost of them."""
    reach = done = 0
    for found, kind in zip(definitions, kinds, strict=True):
        if kind not in _FUNCTIONS or found.start < done:
            continue
        if found.start < reach:
            done = found.end
            yield found.start, found.end
        reach = max(reach, found.end)


def _inner_names(source: bytes) -> set[str]:
    """Return what loops, comprehensions and lambdas of Python may bind, and some more."""
    words = _WORD.findall(b" ".join([piece for kind in _INNER for piece in kind.findall(source)]))
    return {word.decode("utf-8", "replace") for word in words}
