"""Functions that are classes in all but name: what ``new`` makes with them inherits from their prototype."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.ecmascript.objects import Captures, value_of
from ctxcode.codegraph.syntax.ecmascript.parts import made_for_want, nested_objects

if TYPE_CHECKING:
    from tree_sitter import Node

CONSTRUCTOR = "constructor"
_NAME, _PATH = rb"[\w$]+", rb"[\w$]+(?:\.[\w$]+){0,5}"
# A fixed beginning is searched for many times as fast as a name.
_PROTOTYPE = re.compile(
    rb"\.prototype\b(?:\s{0,9}=\s{0,9}Object\.create\(\s{0,9}(?:%(path)s\s{0,9}&&\s{0,9})?(%(path)s)\.prototype\b"
    rb"|\s{0,9}=\s{0,9}new\s{1,9}(%(path)s)"
    rb"|\.__proto__\s{0,9}=\s{0,9}(%(path)s)\.prototype\b)?" % {b"path": _PATH}
)
_LAST_NAME = re.compile(rb"[\w$]+\Z")
_INHERITING = {
    word: re.compile(
        rb"%(word)s\(\s{0,9}(?:%(path)s\.)?(%(name)s)(?:\.prototype)?\s{0,9},\s{0,9}(%(path)s?)(?:\.prototype)?\s{0,9}\)"
        % {b"word": word, b"name": _NAME, b"path": _PATH}
    )
    for word in (b"inherits", b"inheritsLoose", b"__extends", b"setPrototypeOf")
}
_LONGEST = 150
_HOLDING = frozenset({"class", "constant", "function", "variable"})
_APPLYING = frozenset({"apply", "call"})
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+){0,5}")
_MOST_BASES = 5


def tell_classes(findings: Findings, functions: "Mapping[int, Node]", page: Page) -> None:
    """Make classes with a constructor of the functions whose prototype is spoken of.

    ``functions`` are what has a body, by where its name stands.
    """
    bases = defaultdict[str, list[str]](list)
    for name, base in _inheriting(page.source):
        known = bases[name]
        if base and base not in known and len(known) < _MOST_BASES:
            known.append(base)
    places: dict[int, int] = {}
    for found in [one for one in findings.definitions if one.kind == "function" and one.name in bases]:
        holder = functions.get(found.header)
        made = _constructor(found, holder) if holder is not None else None
        if made is None:
            continue
        found.kind = "class"
        findings.definitions.append(made)
        findings.bases += [(found.header, base) for base in bases.get(found.name, ()) if base != found.name]
        places[found.header] = made.start
    if places:
        findings.parameters = [
            (at if name.startswith(RETURNED) else places.get(at, at), name, said)
            for at, name, said in findings.parameters
        ]


def held_by_name(findings: Findings, captures: Captures, page: Page) -> list[tuple[int, str, str]]:
    """Return what functions, classes and objects of a file hold by other names: ``Menu.open = openMenu``."""
    holders = {one.name: one for one in reversed(findings.definitions) if not one.container and one.kind in _HOLDING}
    found: list[tuple[int, str, str]] = []
    for node in captures.get("assigned_name", ()):
        left, said = node.child_by_field_name("left"), value_of(node.child_by_field_name("right"), page)
        owner, name = (
            left.child_by_field_name(field) if left is not None else None for field in ("object", "property")
        )
        if owner is None or name is None or owner.type != "identifier" or said[:1] != "=":
            continue
        holder = holders.get(page.of(owner))
        if holder is not None:
            dot = "" if holder.kind == "class" else "."
            found.append((holder.header, f"{dot}{page.of(name)}", said))
    return [*found, *nested_objects(captures, page), *made_for_want(captures, page)]


def calls_on_others(findings: Findings) -> Iterator[tuple[int, str, str]]:
    """Yield the calls of what is called for another object: ``Base.call(this)``, ``Base.prototype.open.apply(this)``.

    Only what the file defines or imports is meant: everybody has an ``Array``.
    """
    known = {one.name for one in findings.definitions} | {fact.alias for fact in findings.imports}
    for at, name, written in findings.calls:
        if name in _APPLYING and _DOTTED.fullmatch(written) and written.partition(".")[0] in known:
            owner, _, called = written.replace(".prototype.", ".").rpartition(".")
            yield at, called, owner


def _inheriting(source: bytes) -> Iterator[tuple[str, str]]:
    """Yield (function, base) of what has a prototype; the base is empty where what it inherits from is not said."""
    for match in _PROTOTYPE.finditer(source):
        name = _LAST_NAME.search(source, max(0, match.start() - _LONGEST), match.start())
        if name is not None:
            base = next((part for part in match.groups() if part is not None), b"")
            yield name[0].decode("utf-8", "replace"), base.decode("utf-8", "replace")
    for word, pattern in _INHERITING.items():
        for match in pattern.finditer(source) if word in source else ():
            yield match[1].decode("utf-8", "replace"), match[2].decode("utf-8", "replace")


def _constructor(found: Definition, holder: "Node") -> Definition | None:
    """Return what makes the objects: all of a function behind its name; None for what ``new`` can't be said of."""
    given, body = holder.child_by_field_name("parameters"), holder.child_by_field_name("body")
    if given is None or body is None or holder.type == "arrow_function":
        return None
    at = given.start_byte
    return Definition(
        name=CONSTRUCTOR,
        kind="method",
        start=at,
        first=at,
        end=holder.end_byte,
        header=at,
        signature=found.signature,
        header_end=given.end_byte,
        visibility=found.visibility,
    )
