"""What Python says of its names: annotations, constructors, assignments, returned types."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import CALLED, call_of, plain_expression
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import python_parts, python_type
from ctxcode.codegraph.syntax.python.picked import PICKING, SAME_ELEMENTS, element_said, picked

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
_MAKER = re.compile(rb"(?!self\.|cls\.)((?:\w+\.)*_*[A-Z]\w*)\s*\(", re.ASCII)
_MAKING = re.compile(r"(?!self\.|cls\.)(?:\w+\.)*_*[A-Z]\w*", re.ASCII)
"""The same without the bracket."""
_TARGET = re.compile(rb"(self\.|cls\.)?(\w+)(?=\s*(:?=|:))", re.ASCII)
"""With what follows it: a colon alone stands before a type."""
_TARGET_BEFORE = re.compile(rb"[ \t]*((?:self\.)?[A-Za-z_]\w*) = ")
_LONGEST_ELEMENT = 150
_COPY = re.compile(rb"(self\.|cls\.)?(\w+)\s*=\s*(?:await\s+)?([A-Za-z_]\w*(?:\.\w+)*)\s*\Z", re.ASCII)
_CLASS = re.compile(r"(?!self\.|cls\.)(?:[^\W\d]\w*\.)*_*[A-Z]\w*[a-z]\w*", re.ASCII)
_YIELDED = re.compile(rb"\byield[ \t]+(?:(self)\b(?![.\w(\[])|((?:\w+\.)*_*[A-Z]\w*)\()")
_VARIABLE = re.compile(
    rb"^(\w+)[ \t]*=[ \t]*(?:\w+\.)?TypeVar\([^()=]{1,80}\bbound[ \t]*=[ \t]*([\w.\"']{1,80})", re.MULTILINE | re.ASCII
)
_PAIR, _MOST_CAUGHT = 2, 5
_UNTYPED = frozenset({"ClassVar", "Final"})
"""Annotations that leave the type to the value."""
_SEVERAL = {"list_splat_pattern": "list[{}]", "dictionary_splat_pattern": "dict[str, {}]"}
"""What parameters hold that stand for several."""
_CAST = re.compile(r"(?:typing\.|t\.)?cast")
_LONGEST_MANAGER, _LONGEST_HEAD = 20_000, 1_000
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_HOLDING = re.compile(r"(?:^|\.)(?:ForeignKey|OneToOneField|ParentalKey|Instance|relationship)\Z")
"""What declares an attribute that holds objects of another class: Django's, traitlets', SQLAlchemy's."""
_MAPPED = re.compile(r"(?:\w+\.)?Mapped\[(.*)\]", re.DOTALL)
"""What SQLAlchemy's attributes are marked with; objects have what stands in the brackets."""
_GETTING = re.compile(r"(?:^|\.)a?get_object_or_404\Z")
"""What gives one of the objects of the class that it is given: Django's."""
_FROM_QUERIES = re.compile(r"((?:\w+\.)*\w+)\.as_manager|((?:\w+\.)*\w+)\.from_queryset\(\s*((?:\w+\.)*\w+)\s*\)")
"""What makes a manager of Django's that has the methods of a query set."""
_QUERIES = re.compile(r"\.(?:as_manager|from_queryset)")
"""A part of it that is found quicker."""
_GIVEN_CLASS = re.compile(r"ForeignKey|OneToOneField|ParentalKey|Instance|relationship|a?get_object_or_404")
"""The last part of what ``_HOLDING`` and ``_GETTING`` look for."""
_DEPENDING = re.compile(r"(?:\w+\.)?(?:Depends|Security)\(\s*((?:\w+\.)*\w+)\s*[,)]")
"""What a function of FastAPI is given by default: what another one returns."""
_OWN_CLASS = re.compile(r"\A(?:self\.__class__|type\(self\))(?=[.(]|\Z)")
_CLOSING = re.compile(rb"(?:\w+\.)?(?:aclosing|closing|nullcontext)\(")
"""What gives ``with`` what it is given."""
_PARTIAL, _PARTLY = "partial", re.compile(r"(?:functools\.)?partial\(((?:\w+\.)*\w+)[,)]")
_GIVEN_FIRST = re.compile(r"\w+\(\s*((?!__)[^\W\d]\w*)\s*[,)]")
"""What a module makes of something that has a name: ``lazy(translate, str)``."""
_SPACE = frozenset(b" \t")
_WAITING = frozenset({"shield", "wait_for"})
_STAYING = frozenset({"classmethod", "partialmethod", "staticmethod"})
"""What gives the function that it is given."""
_HANDING_ON = {
    "async_add_executor_job": 0, "cached_property": 0, "classmethod": 0, "partial": 0, "partialmethod": 0,
    "property": 0, "run_in_executor": 1, "run_sync": 0, "shield": 0, "staticmethod": 0, "to_thread": 0, "wait_for": 0,
}  # fmt: skip
"""What calls a function that it is given, or waits for what it is given: the place among its arguments."""
_INTO_STACK = re.compile(r"\.enter_(async_)?context\Z")


def own_class(written: str) -> str:
    """Return an expression without white space in which the class of the object itself is called ``cls``."""
    return _OWN_CLASS.sub("cls", written)


def add_bindings(findings: Findings, page: Page, captures: Captures) -> None:
    """Add what assignments, ``with`` and annotations bind."""
    bindings = findings.bindings
    for node in captures.get("made", ()):
        _add_made(bindings, page, node)
    for node in captures.get("element", ()):
        target, right = _TARGET.match(page.source, node.start_byte), node.child_by_field_name("right")
        element = element_said(page, right) if right is not None and _is_short(right) else ""
        if target and target[3] != b":" and element:
            bindings.append((node.start_byte, _target_name(target), element))
    for node in captures.get("annotated", ()):
        target, annotation = _TARGET.match(page.source, node.start_byte), node.child_by_field_name("type")
        mapped = _MAPPED.fullmatch(page.of(annotation)) if annotation is not None else None
        said = mapped[1] if mapped is not None else page.of(annotation) if annotation is not None else ""
        type_name = python_type(said) if target else ""
        if type_name.rpartition(".")[2] in _UNTYPED:
            value = node.child_by_field_name("right")
            type_name = made(page, value) if value is not None and value.type == "call" else ""
        if target and type_name:
            bindings.append((node.start_byte, _target_name(target), type_name))
    for node in captures.get("with", ()):
        _add_entered(bindings, page, node)
    for node in captures.get("caught", ()):
        _add_caught(bindings, page, node)
    _add_parameters(findings, page, captures)
    for node in captures.get("same", ()):
        copy = _COPY.match(page.source[node.start_byte : min(node.end_byte, node.start_byte + 200)])
        if copy is not None and not copy[1]:
            bindings.append((node.start_byte, copy[2].decode(), f"={copy[3].decode()}"))


def limits(captures: Captures, page: Page) -> Iterator[tuple[str, int, int, str]]:
    """Yield (name, from where, to where, class) of type variables that are bound to one: ``[T: Cart]``, ``TypeVar``."""
    for node in captures.get("limited", ()):
        owner = node.parent
        for limited in [child.named_children[0] for child in node.named_children if child.named_child_count]:
            if limited.type == "constrained_type" and limited.named_child_count == _PAIR and owner is not None:
                name, bound = (page.of(part) for part in limited.named_children)
                yield name, owner.start_byte, owner.end_byte, python_type(bound)
    for found in _VARIABLE.finditer(page.source) if b"TypeVar(" in page.source else ():
        yield found[1].decode(), 0, len(page.source), python_type(found[2].decode())


def add_returned(findings: Findings, page: Page, function: "Node", decorators: tuple[str, ...]) -> None:
    """Add what a function says that it returns; a property's attribute is bound to it."""
    name, annotation = function.child_by_field_name("name"), function.child_by_field_name("return_type")
    if name is None:
        return
    parts = python_parts(page.of(annotation)) if annotation is not None else []
    for place, part in enumerate(parts):
        findings.add_returned(name.start_byte, part, str(place))
    type_name = python_type(page.of(annotation)) if annotation is not None and not parts else ""
    if any("contextmanager" in decorator for decorator in decorators):
        # What stands behind ``as`` is what it yields.
        type_name = f"@{type_name[1:]}" if type_name[:1] == "?" else type_name or _yielded(page, function)
    if not type_name:
        return
    at = name.start_byte
    if any("property" in decorator for decorator in decorators):
        findings.attributes.append((at, f"self.{page.of(name)}", type_name))
    else:
        findings.add_returned(at, type_name)


def _yielded(page: Page, function: "Node") -> str:
    """Return the type of what a context manager without annotations gives, if that is seen: ``yield Session()``."""
    body = function.child_by_field_name("body")
    if body is None:
        return ""
    found = _YIELDED.search(page.source, body.start_byte, min(body.end_byte, body.start_byte + _LONGEST_MANAGER))
    return "" if found is None else "@Self" if found[1] else f"@{found[2].decode()}"


def _add_entered(bindings: list[tuple[int, str, str]], page: Page, item: "Node") -> None:
    """Add what stands behind ``as`` in a ``with``: ``f().__enter__()``."""
    named = item.named_children[0]
    alias, value = named.child_by_field_name("alias"), named.named_children[0]
    given = value.child_by_field_name("arguments") if value.type == "call" else None
    if alias is not None and given is not None and _CLOSING.match(page.source, value.start_byte):
        closed = _closed(page, given.named_children[0]) if given.named_child_count else ""
        bindings += [(alias.start_byte, page.of(alias), closed)] if closed else []
        return
    entered = _expression(page, value)
    statement = item.parent.parent if item.parent is not None else None
    if alias is not None and entered and statement is not None:
        is_async = any(child.type == "async" for child in statement.children[:1])
        bindings.append((alias.start_byte, page.of(alias), f"{entered}.{_entering(is_async=is_async)}"))


def _closed(page: Page, value: "Node") -> str:
    written = page.of(value) if value.type != "call" and _is_short(value) else ""
    return made(page, value) if value.type == "call" else f"={written}" if _DOTTED.fullmatch(written) else ""


def _add_caught(bindings: list[tuple[int, str, str]], page: Page, clause: "Node") -> None:
    """Add what an exception is that is caught: of one class, or of one of several."""
    caught = next(child for child in clause.named_children if child.type == "as_pattern")
    alias, kinds = caught.child_by_field_name("alias"), caught.named_children[0]
    named = [kinds] if kinds.type != "tuple" else [one for one in kinds.named_children if one.type != "comment"]
    types = [python_type(page.of(one)) if one.type in {"attribute", "identifier"} else "" for one in named]
    if alias is not None and all(types) and 0 < len(types) <= _MOST_CAUGHT:
        bindings.append((alias.start_byte, page.of(alias), "|".join(types)))


def _entering(*, is_async: bool) -> str:
    return "__aenter__()" if is_async else "__enter__()"


def _expression(page: Page, value: "Node") -> str:
    """Return a name or a call as an expression that can be followed."""
    if value.type != "call":
        written = page.of(value) if _is_short(value) else ""
        return written if _DOTTED.fullmatch(written) else ""
    found = made(page, value)
    return found if not found or found.endswith(")") else f"{found}()"


def _add_made(bindings: list[tuple[int, str, str]], page: Page, node: "Node") -> None:
    target = _TARGET.match(page.source, node.start_byte)
    if target is None or target[3] == b":":
        # What is annotated says so itself.
        return
    value = node.child_by_field_name("right") or node.child_by_field_name("value")
    found = made(page, value) if value is not None else ""
    if found[-2:] == "()" and value is not None and _is_at_margin(page, node.start_byte):
        given = _GIVEN_FIRST.match(page.of(value)) if _is_short(value) else None
        found = f"={found[:-1]}1:{given[1]})" if given is not None and found[:-2].isidentifier() else found
    if found:
        bindings.append((node.start_byte, _target_name(target), found))
        nearest = max(0, node.start_byte - _LONGEST_ELEMENT)
        line = page.source[page.source.rfind(b"\n", nearest, node.start_byte) + 1 or nearest : node.start_byte]
        if line[-2:] == b"= " and (before := _TARGET_BEFORE.fullmatch(line)) is not None:
            # Of ``a = b = Cart()`` it is the inner one.
            bindings.append((node.start_byte - len(line.lstrip()), before[1].decode(), found))


def _is_at_margin(page: Page, at: int) -> bool:
    return at == 0 or page.source[at - 1 : at] == b"\n"


def _is_short(node: "Node") -> bool:
    return node.end_byte - node.start_byte <= _LONGEST_ELEMENT


def made(page: Page, value: "Node") -> str:
    """Return the class a call makes an object of, ``f()`` for what another call returns, or an empty text."""
    call = value if value.type == "call" else value.named_children[0]
    function = call.child_by_field_name("function")
    if function is None or function.type == "subscript":
        return _made_of_types(page, function) if function is not None else ""
    start, end = function.byte_range
    is_plain = end - start <= _LONGEST_ELEMENT and page.source.startswith(b"(", end)
    told = _made_by(page.text(start, end)) if is_plain else None
    if told is not None:
        return told
    stacked = _INTO_STACK.search(page.text(start, end)) if end - start <= _LONGEST_ELEMENT else None
    arguments = call.child_by_field_name("arguments") if stacked else None
    if stacked and arguments is not None and arguments.named_children:
        entered = _expression(page, arguments.named_children[0])
        return f"{entered}.{_entering(is_async=bool(stacked[1]))}" if entered else ""
    if is_plain and (given := _handed_on(page, call, page.text(start, end))):
        return given
    if _CAST.fullmatch(page.text(start, min(end, start + _LONGEST_ELEMENT))):
        arguments = call.child_by_field_name("arguments")
        said = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        return python_type(page.of(said)) if said is not None else ""
    if end - start <= _LONGEST_ELEMENT and _HOLDING.search(page.text(start, end)):
        return _held(page, call)
    written = page.text(start, min(end, start + _LONGEST_ELEMENT))
    if _GETTING.search(written) and (held := _held(page, call)) and _CLASS.fullmatch(held):
        return held
    if (queries := _FROM_QUERIES.fullmatch(written)) is not None:
        return queries[1] or f"{queries[3]}&{queries[2]}"
    maker = _MAKER.match(page.source, start)
    if maker and maker.end(1) == end:
        return page.text(start, end)
    called = page.text(start, end)
    return picked(page, call, called) or call_of(called)


@lru_cache(maxsize=20_000)
def _made_by(callee: str) -> str | None:
    """Return the same for what is called alone, which a repository writes again and again; None if more tells it."""
    is_told_by_arguments = callee in PICKING or callee in SAME_ELEMENTS or _CAST.fullmatch(callee) is not None
    last = callee.rpartition(".")[2]
    is_told_by_arguments = is_told_by_arguments or last in _HANDING_ON or _GIVEN_CLASS.fullmatch(last) is not None
    has_queries = _QUERIES.search(callee) is not None and _FROM_QUERIES.search(callee) is not None
    if is_told_by_arguments or has_queries or _INTO_STACK.search(callee) is not None:
        return None
    return callee if _MAKING.fullmatch(callee) else call_of(own_class(callee))


def _made_of_types(page: Page, function: "Node") -> str:
    """Return what a call makes of a class with type arguments, ``Box[Cart]()``, or what stands behind an index."""
    base = function.child_by_field_name("value")
    if base is None or not _is_short(function):
        return ""
    if _CLASS.fullmatch(page.of(base)):
        return python_type(page.of(function))
    element = plain_expression("".join(page.of(function).split()))
    return f"{element}.{CALLED}" if element.endswith(")") else ""


def _handed_on(page: Page, call: "Node", callee: str) -> str:
    """Return what a call gives of what it is given: a function that it calls later, or what is waited for."""
    place = _HANDING_ON.get(callee.rpartition(".")[2], -1)
    arguments = call.child_by_field_name("arguments") if place >= 0 else None
    given = [one for one in arguments.named_children if one.type != "comment"] if arguments is not None else []
    if not 0 <= place < len(given) or not _is_short(given[place]):
        return ""
    written = "".join(page.of(given[place]).split())
    if given[place].type == "call" and (partly := _PARTLY.match(written)) is not None:
        written = partly[1]
    if callee.rpartition(".")[2] in _WAITING:
        return made(page, given[place]) if given[place].type == "call" else ""
    if _DOTTED.fullmatch(written) is None:
        return ""
    if callee.rpartition(".")[2] in _STAYING:
        return f"={written}"
    if callee.endswith(_PARTIAL):
        # What a module makes so is known by the name that it has there.
        nearest = max(0, call.start_byte - _LONGEST_HEAD)
        is_of_module = page.source[page.source.rfind(b"\n", nearest, call.start_byte) + 1 or nearest] not in _SPACE
        return "" if is_of_module else f"={written}"
    return f"{own_class(written)}()"


def _held(page: Page, call: "Node") -> str:
    """Return the class that what a class declares has objects of, by its first argument; empty if that says no name.

    A name in quotation marks may say where the class is, too: an application, a module.
    """
    arguments = call.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    written = page.of(first) if first is not None and _is_short(first) else ""
    if written[:1] in {'"', "'"}:
        written = written.strip("\"'").rpartition(".")[2]
    return "Self" if written == "self" else written if _DOTTED.fullmatch(written) else ""


def _target_name(target: re.Match[bytes]) -> str:
    return f"self.{target[2].decode()}" if target[1] else target[2].decode()


def _add_parameters(findings: Findings, page: Page, captures: Captures) -> None:
    """Add the types of parameters, and those of the attributes they are put into."""
    kept = captures.get("kept", ())
    # By position: the tree finds a node's parent from its root.
    functions = sorted([node.byte_range for node in captures.get("function", ())]) if kept else []
    typed: dict[tuple[int, int], dict[str, str]] = {}
    for node in (*captures.get("typed_parameter", ()), *captures.get("typed_default_parameter", ())):
        name, annotation = node.named_child(0), node.child_by_field_name("type")
        type_name = python_type(page.of(annotation)) if annotation is not None else ""
        if name.type in _SEVERAL and name.named_child_count:
            type_name, name = python_type(_SEVERAL[name.type].format(page.of(annotation))), name.named_children[0]
        if type_name and name.type == "identifier":
            at, text = name.start_byte, page.of(name)
            findings.parameters.append((at, text, type_name))
            row = bisect_right(functions, (at,)) - 1
            if row >= 0:
                typed.setdefault(functions[row], {})[text] = type_name
    for node in captures.get("default_parameter", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        given = (
            _DEPENDING.match(page.of(value)) if name is not None and value is not None and _is_short(value) else None
        )
        if name is not None and given is not None:
            is_class = _CLASS.fullmatch(given[1]) is not None
            findings.parameters.append((name.start_byte, page.of(name), given[1] if is_class else f"{given[1]}()"))
    if kept:
        _add_kept(findings, page, kept, functions, {str(span[0]): names for span, names in typed.items()})


def _add_kept(
    findings: Findings,
    page: Page,
    kept: Iterable["Node"],
    functions: list[tuple[int, int]],
    typed: Mapping[str, Mapping[str, str]],
) -> None:
    """Add what attributes get of parameters, classes, and names that a function makes objects of: ``self.a = a``."""
    around = Regions(
        [(start, end, str(start)) for start, end in sorted(functions, key=lambda span: (span[0], -span[1]))]
    )
    local: dict[tuple[str, str], set[str]] = {}
    for at, name, said in findings.bindings:
        if "." not in name:
            local.setdefault((around.name(at), name), set()).add(said)
    for node in kept:
        at = node.start_byte
        copy = _COPY.match(page.source[at : min(node.end_byte, at + 200)])
        function = around.name(at)
        if copy is None or not copy[1] or not function:
            continue
        name = copy[3].decode()
        type_name = typed.get(function, {}).get(name, "")
        made_here = local.get((function, name), ()) if not type_name else ()
        if len(made_here) == 1:
            # What is called, or has another name, is known by that in the function only.
            type_name = next((said for said in made_here if said[0] != "=" and not said.endswith(")")), "")
        head, mark, rest = name.partition(".")
        if mark and head not in {"self", "cls"}:
            type_name = _kept_of(typed.get(function, {}).get(head, ""), local.get((function, head), ()), rest)
        if not type_name and not made_here and _CLASS.fullmatch(name):
            type_name = f"={name}"
        if type_name:
            findings.bindings.append((at, f"self.{copy[2].decode()}", type_name))


def _kept_of(typed: str, made_here: Collection[str], rest: str) -> str:
    """Return what an attribute is given of something else's, which has a type or is made once: ``self.f = cart.f``."""
    said = typed or (next(iter(made_here)) if len(made_here) == 1 else "")
    if _CLASS.fullmatch(said):
        return f"={said}().{rest}"
    return f"={said}.{rest}" if said[-2:] == "()" and said.startswith(("self.", "cls.")) else ""
