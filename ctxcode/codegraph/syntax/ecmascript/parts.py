"""What JavaScript and TypeScript take apart, what functions return of what they belong to, and objects in objects."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import INDEXED
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import typescript_type, typescript_union
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.ecmascript.callbacks import imported_by, is_of_type, keys
from ctxcode.codegraph.syntax.ecmascript.objects import (
    Binding,
    Captures,
    literal,
    members,
    returned,
    state_of,
    unwrapped,
    value_of,
)
from ctxcode.codegraph.syntax.react.handed_back import is_given_methods

if TYPE_CHECKING:
    from tree_sitter import Node

_GETTER = b"get "
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_NOBODYS = re.compile(rb"(?:Array|Boolean|Date|JSON|Math|Number|Object|Promise|Reflect|String|Symbol)\b[.(]")
_GIVEN = re.compile(rb"(?<![\w$.])([A-Za-z_$][\w$]*)\s{0,9}(?:\|\||&&|\?\?)?=(?![=>])")
_CALLED = frozenset({"arrow_function", "function_expression", "method_definition", "object"})
_MOST_KEYS, _DEEPEST = 50, 4
"""Of an object literal, and literals inside of one another: larger ones are tables of data."""
_PROMISES = re.compile(r"Promise\.all(?:Settled)?")


def taken_apart(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield what names stand for that a value is taken apart into: ``const { a, b: c } = d``.

    A module, too, that is taken in where it is needed: ``import("m").then(({ a }) => a())``.
    """
    for node in captures.get("apart", ()):
        pattern, said = node.child_by_field_name("name"), value_of(node.child_by_field_name("value"), page)
        if pattern is None or not (said[:1] == "=" or said.endswith("()")):
            continue
        for name, key in keys(pattern, page):
            yield name.start_byte, page.of(name), f"={said.removeprefix('=')}.{key}"
    for node in captures.get("each", ()):
        module, function = imported_by(node, page), node.child_by_field_name("arguments")
        inner = (
            function.named_children[0].child_by_field_name("parameters") if module and function is not None else None
        )
        patterns = inner.named_children[:1] if inner is not None else []
        for pattern in [each.child_by_field_name("pattern") or each for each in patterns]:
            for name, key in keys(pattern, page) if pattern.type == "object_pattern" else ():
                yield name.start_byte, page.of(name), f"={module}.{key}"
    yield from _listed(captures, page)


def _listed(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield the same of lists: ``const [a] = as``, ``const [a, b] = await Promise.all([f(), g()])``."""
    for node in captures.get("apart_list", ()):
        pattern, value = node.child_by_field_name("name"), unwrapped(node.child_by_field_name("value"))
        if pattern is None or value is None:
            continue
        if state := state_of(value, page):
            first = _places(pattern)[0]
            if first is not None:
                yield first.start_byte, page.of(first), state
            continue
        each = _promised(value, page)
        said = value_of(value, page) if not each else ""
        for place, name in enumerate(_places(pattern)):
            if name is None:
                continue
            if each:
                bound = value_of(each[place], page) if place < len(each) else ""
            else:
                bound = f"{said.removeprefix('=')}.{INDEXED}" if said[:1] == "=" or said.endswith("()") else ""
            if bound:
                yield name.start_byte, page.of(name), bound


def _places(pattern: "Node") -> "list[Node | None]":
    """Return the names of a list's places; None for a place that is left out or taken apart again."""
    places: list[Node | None] = [None]
    for child in pattern.children[1:]:
        if child.type == ",":
            places.append(None)
        elif child.type == "identifier":
            places[-1] = child
    return places


def _promised(value: "Node", page: Page) -> "list[Node]":
    """Return what ``Promise.all([…])`` waits for; empty for everything else."""
    function, given = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    if function is None or given is None or not _PROMISES.fullmatch(page.of(function)) or not given.named_child_count:
        return []
    return given.named_children[0].named_children if given.named_children[0].type == "array" else []


def parameters_apart(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield the same of parameters that say their type: ``({ cart }: Props)``, ``({ cart }: { cart: Cart })``.

    So of those that are of a type without a name: ``(props: { cart: Cart })``.
    """
    for node in captures.get("apart_parameter", ()):
        pattern, annotation = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if pattern is None or annotation is None or not annotation.named_children:
            continue
        said = annotation.named_children[0]
        types = dict(fields(said, page)) if said.type == "object_type" else {}
        whole, type_name = f"${node.start_byte}", "" if types else typescript_type(page.of(annotation))
        if type_name:
            yield node.start_byte, whole, type_name
        for name, key in keys(pattern, page):
            bound = types.get(key, "") or (f"={whole}.{key}" if type_name else "")
            if bound:
                yield name.start_byte, page.of(name), bound
    yield from _of_no_name(captures, page)


def _of_no_name(captures: Captures, page: Page) -> Iterator[Binding]:
    """Yield what parameters hold whose type has no name: it goes by a number, the same for what holds the same."""
    numbers: dict[tuple[tuple[str, str], ...], int] = {}
    for node in captures.get("parameter", ()):
        name, annotation = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        said = annotation.named_child(0) if annotation is not None else None
        if name is None or said is None or said.type != "object_type" or is_of_type(node):
            continue
        types = dict(fields(said, page))
        whole = f"{{{numbers.setdefault(tuple(types.items()), len(numbers))}}}"
        yield node.start_byte, page.of(name), whole
        yield from ((node.start_byte, f"{whole}.{key}", bound) for key, bound in types.items() if bound)


def fields(said: "Node", page: Page) -> Iterator[tuple[str, str]]:
    """Yield (name, type) of what a type without a name holds; the type is empty for what can have no methods."""
    for child in said.named_children:
        name, annotation = child.child_by_field_name("name"), child.child_by_field_name("type")
        if child.type == "property_signature" and name is not None and annotation is not None:
            yield page.of(name), typescript_type(page.of(annotation))


def objects_returned(captures: Captures, page: Page, holders: dict[int, int]) -> "Iterator[tuple[int, Node]]":
    """Yield (byte of the function's name, object literal) of functions that return one, by a name of their own, too."""
    known: dict[int, dict[str, Node]] = {}
    objects: dict[int, Node] = {}
    values: list[Node] = []
    for value in captures.get("returned", ()):
        made = literal(value)
        if made is None and value.type == "identifier":
            body = value.parent.parent if value.parent is not None else None
            if body is not None and body.type == "statement_block":
                if body.id not in known:
                    known[body.id] = dict(_objects_in(body, page))
                made = known[body.id].get(page.of(value))
        if made is not None:
            values.append(value)
            objects[value.id] = made
    yield from ((at, objects[value.id]) for at, value in returned(values, holders))


def _objects_in(body: "Node", page: Page) -> "Iterator[tuple[str, Node]]":
    """Yield (name, object literal) of what stands in a block itself and is nothing else later: ``const it = { … }``."""
    changing: dict[bytes, tuple[Node, Node]] = {}
    for statement in body.named_children:
        if statement.type not in _DECLARATIONS:
            continue
        is_constant = statement.children[0].type == "const"
        for declared in statement.named_children:
            name, made = declared.child_by_field_name("name"), literal(declared.child_by_field_name("value"))
            if name is None or made is None:
                continue
            if is_constant:
                yield page.of(name), made
            else:
                changing[page.source[name.start_byte : name.end_byte]] = (name, made)
    if changing:
        for given in _GIVEN.finditer(page.source, body.start_byte, body.end_byte):
            if given[1] in changing and changing[given[1]][0].start_byte != given.start():
                del changing[given[1]]
    yield from ((page.of(name), made) for name, made in changing.values())


_MOST_RETURNED = 10
"""Places that return one thing which are told apart."""


def bind_returned(
    findings: Findings,
    captures: Captures,
    page: Page,
    holders: dict[int, int],
    known: tuple[frozenset[str], frozenset[int]],
) -> None:
    """Bind what functions return that don't say it, and types of others.

    ``known`` names stand for something, and of functions where known ones stand names stand for objects they return.
    Of what they belong to only what they do nothing else than return: ``get cart() { return this.own }``.
    """
    given: dict[int, list[Node]] = defaultdict(list)
    for at, value in returned(captures.get("returned", ()), holders):
        if page.of(value) != "undefined" and not (value.type == "identifier" and at in known[1]):
            given[at].append(value)
    for at, values in given.items():
        rows = dict[str, list[int]]()
        for value in values:
            said = _said_of_returned(value, page, known[0], is_alone=len(values) == 1)
            if said:
                rows.setdefault(said, []).append(value.start_byte)
        if rows:
            _bind_given(findings, page, at, rows)
    findings.parameters += _member_types(captures, page)


def _said_of_returned(value: "Node", page: Page, known: frozenset[str], *, is_alone: bool) -> str:
    """Return what a function says with a value it returns; what a call gives only where that is all it returns."""
    inner = unwrapped(value)
    if inner is None or literal(value) is not None:
        return ""
    if inner.type == "call_expression" and (not is_alone or is_given_methods(inner) or _is_nobodys(inner, page)):
        return ""
    if value.type == "member_expression" and not _is_all(value):
        return ""
    return value_of(value, page) if value.type != "identifier" or page.of(value) in known else ""


def _is_nobodys(call: "Node", page: Page) -> bool:
    """Whether a call is one of what the language has: ``String(it)``, ``Object.keys(it)``."""
    return _NOBODYS.match(page.source, call.start_byte) is not None


def _bind_given(findings: Findings, page: Page, at: int, rows: dict[str, list[int]]) -> None:
    """Bind what a function gives, each with where it is returned; a getter's field is bound to it."""
    for said, places in rows.items():
        findings.returned_at.setdefault((at, said), places[:_MOST_RETURNED])
    bound = "|".join(rows) if list(rows) != ["=this"] else "Self"
    if page.source[at - len(_GETTER) : at] == _GETTER:
        findings.attributes.append((at, f"self.{page.text(at, page.source.find(b'(', at)).strip()}", bound))
    else:
        findings.add_given(next(iter(rows.values()))[0], [(at, RETURNED, bound)])


def _is_all(value: "Node") -> bool:
    """Whether a function does nothing but return a value."""
    statement = value.parent
    block = statement.parent if statement is not None and statement.type == "return_statement" else None
    return block.named_child_count == 1 if block is not None else True


def _member_types(captures: Captures, page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield what types stand for: a member of another one, ``type Cart = Shop["cart"]``, or one of several."""
    for node in captures.get("type", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        said = typescript_type(page.of(value)) if value is not None and value.type == "lookup_type" else ""
        united = typescript_union(page.of(value)) if value is not None and value.type == "union_type" else []
        if name is not None and (said[:1] == "=" or len(united) > 1):
            yield name.start_byte, RETURNED, said or "|".join(united)


def made_for_want(captures: Captures, page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield what objects have that is made where there is none: ``this.cart = this.cart || new Cart()``."""
    for node in captures.get("this_wanted", ()):
        left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        other = value.child_by_field_name("left") if value is not None else None
        if left is not None and value is not None and other is not None:
            name = page.of(left)
            said = value_of(value.child_by_field_name("right") if page.of(other) == name else value, page)
            if said:
                yield node.start_byte, f"self.{name.removeprefix('this.')}", said


def nested_objects(captures: Captures, page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield what object literals hold that stand in others with a name: ``const api = { user: { make() {} } }``.

    The functions of all belong to the name: of a key is known what it holds where no other has something of that name.
    """
    for node in captures.get("declared", ()):
        name, made = node.child_by_field_name("name"), literal(node.child_by_field_name("value"))
        if name is None or name.type != "identifier" or made is None or made.named_child_count > _MOST_KEYS:
            continue
        inner = [row for row in _literals(made, page, 0) if row[0]]
        if not inner or len(inner) > _MOST_KEYS:
            continue
        counts = Counter([key for held in (made, *[row[1] for row in inner]) for key in _keys(held, page)])
        for key, held in inner:
            own, rows = _keys(held, page), list(members(held, page))
            is_useful = rows or any(_is_useful(child) for child in held.named_children)
            if is_useful and "" not in own and all(counts[each] == 1 for each in (key, *own)):
                yield made.start_byte + 1, f".{key}", f"={page.of(name)}"
                yield from ((made.start_byte + 1, f".{each}", said) for each, said in rows)


def _is_useful(child: "Node") -> bool:
    """Whether something in an object literal is a function or another one."""
    value = child if child.type == "method_definition" else child.child_by_field_name("value")
    return value is not None and value.type in _CALLED


def _literals(made: "Node", page: Page, depth: int) -> "Iterator[tuple[str, Node]]":
    """Yield (key, object literal) of those in another one."""
    for pair in made.named_children if depth < _DEEPEST and made.named_child_count <= _MOST_KEYS else ():
        value = pair.child_by_field_name("value") if pair.type == "pair" else None
        held = literal(value)
        # What is said of a type is surer: ``{ … } as Cart``.
        if held is not None and not value_of(value, page):
            yield _key(pair, page), held
            yield from _literals(held, page, depth + 1)


def _keys(made: "Node", page: Page) -> list[str]:
    """Return the names of what an object literal holds, empty ones for what nobody sees: ``...other``, ``[name]``."""
    return [_key(child, page) for child in made.named_children if child.type != "comment"]


def _key(child: "Node", page: Page) -> str:
    key = child.child_by_field_name("key") or child.child_by_field_name("name")
    if child.type == "shorthand_property_identifier":
        return page.of(child)
    return page.of(key).strip("\"'") if key is not None and key.type in {"property_identifier", "string"} else ""
