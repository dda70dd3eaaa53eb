"""A source of C or C++ that its grammar can read, and what no tree of it shows."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ctxcode.codegraph.extract.findings import TEST, Definition, Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.c_family.directives import cut_apart
from ctxcode.codegraph.syntax.c_family.macros import MacroFunction, misplaced
from ctxcode.codegraph.syntax.c_family.tests import declared_by
from ctxcode.codegraph.syntax.c_family.tokens import Span, Token, merged, tokens_of
from ctxcode.codegraph.syntax.c_family.wrapped import unwrapped

_DEFINE = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)")
_INCLUDE = re.compile(rb"""#[ \t]*include[ \t]*(?:<([^<>"\s]+)>|"([^"\n]+)")""")
_CONTINUED = re.compile(rb"/\*(?:[^*/\n]|\*(?!/)|/(?!\*))*+\*/(?=[ \t]*\\\r?\n)")
"""A comment in a macro of several lines, which ends it for the grammars."""
_FUNCTIONS = frozenset({"function", "method", TEST})
_BLANK = re.compile(rb"[^\n]")


class Mended(NamedTuple):
    """A source with the same bytes in the same places, without what no grammar can read."""

    text: bytes
    blanked: list[Span]
    """What was taken out, in order and apart."""
    functions: list[MacroFunction]
    directives: list[Token]
    macros: list[Span]
    """Those among the blanked."""
    begun: set[int]
    """Where macros begin that are given the type of a function."""


def repaired(data: bytes, spans: Sequence[Span]) -> Mended:
    """Take out macros among the parts of a declaration, and conditions that cut a statement or a list in two.

    Only in some parts of a source. One branch of such a condition stays, of a list's all.
    """
    blanked = [found.span() for found in _CONTINUED.finditer(data)]
    functions, directives, macros, begun = list[MacroFunction](), list[Token](), list[Span](), set[int]()
    for span in spans:
        tokens = tokens_of(data, span)
        left, cut, heads = cut_apart(tokens)
        kept = unwrapped(left)
        removed, declared = misplaced(kept.left)
        blanked += cut
        macros += [*kept.blanked, *removed]
        begun |= kept.begun
        functions += declared
        functions += [MacroFunction(*head, head.end) for head in heads]
        directives += [token for token in tokens if token.kind == "directive"]
    macros = merged(macros)
    blanked = merged([*blanked, *macros])
    return Mended(_without(data, blanked), blanked, functions, directives, macros, begun)


def add_hidden(findings: Findings, page: Page, mended: Mended) -> None:
    """Add macros, includes and functions that the tree of a mended source does not show.

    The parenthesis that closes a macro around a function is no part of its signature.
    """
    for definition in findings.definitions:
        if definition.first in mended.begun:
            definition.signature = page.signature(definition.first, definition.header_end)
        signature = definition.signature
        if signature.endswith("))") and signature.count("(") < signature.count(")"):
            definition.signature = signature[:-1].rstrip()
    found = frozenset(definition.header for definition in findings.definitions)
    lines = frozenset(fact.line for fact in findings.imports)
    for token in mended.directives:
        define, line = _DEFINE.match(token.text), page.line(token.start)
        if define and token.start + define.start(1) not in found:
            findings.definitions.append(_macro(token, define, page))
        elif line not in lines and (include := _INCLUDE.match(token.text)):
            is_own = include[2] is not None
            module = (include[2] if is_own else include[1]).decode("utf-8", "replace")
            findings.imports.append(ImportFact(module, "*", "", int(is_own), line, is_reexport=True))
    findings.imports.sort(key=lambda fact: fact.line)
    begun = frozenset(one.first for one in findings.definitions if one.kind in _FUNCTIONS)
    for start, at, name_end, header_end, end in mended.functions:
        if not {start, at}.isdisjoint(found) or start in begun:
            continue
        signature, told = page.signature(start, header_end), declared_by(page.text(start, header_end))
        name, kind, suite = told[:3] if told else (page.text(at, name_end), "function", "")
        made = Definition(name[:200], kind, start, start, end, at, signature, header_end, container=suite)
        made.visibility = "private" if kind == TEST else made.visibility
        findings.definitions.append(made)


def _macro(token: Token, define: re.Match[bytes], page: Page) -> Definition:
    start, end, at = token.start, token.end, token.start + define.start(1)
    name, signature = page.text(at, token.start + define.end(1)), page.signature(start, end).rstrip("\\ ")
    return Definition(name, "macro", start, start, end, at, signature, end)


def _without(data: bytes, spans: list[Span]) -> bytes:
    parts, end = list[bytes](), 0
    for start, behind in spans:
        parts += [data[end:start], _BLANK.sub(b" ", data[start:behind])]
        end = behind
    return b"".join([*parts, data[end:]])
