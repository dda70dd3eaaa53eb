"""What stands in the bodies of Ruby's modules and methods.

Asked of the tree: queries that reach so deep take half a second to compile.
"""

import re
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import IMPLIED
from ctxcode.codegraph.extract.page import Page, first_named
from ctxcode.codegraph.facts import BROUGHT
from ctxcode.codegraph.syntax.ruby_words import constant_path, expression, implied, implied_if_free

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"class", "module"})
_CONSTANTS = frozenset({"constant", "scope_resolution"})
_BLOCKS = frozenset({"block", "do_block"})
_BODIES = frozenset({"block_body", "body_statement"})
_OF_TYPES = frozenset({"Class", "Data", "Module", "Struct"})
"""What makes types, whose methods are not its own."""
_KEEPING = frozenset({"let", "let!", "subject", "subject!"})
_GIVING_BACK = frozenset({"call", "identifier", "instance_variable"})
_RETURNING = re.compile(r"\breturn\b(?!\s*(?:nil\b|if\b|unless\b|;|\n))")
_LONGEST, _LONGEST_METHOD = 150, 5_000
_HOOKS = frozenset({"included", "prepended", "extended"})
"""What is run for whoever includes a module: what is mixed in there is the module's own, too."""


def mixed_into(call: "Node", page: Page) -> "tuple[Node | None, str]":
    """Return (the name of the type that an ``include`` mixes something into, what stands before what is mixed in).

    The name is None where that can't be told. What a module extends its includers with is theirs: ``base.extend(A)``.
    """
    name = _type_around(call, page)
    around, body = (name.parent if name is not None else None), call.parent
    is_hooked = around is not None and around.type == "module" and body is not None and body.parent != around
    return name, BROUGHT if is_hooked and _named(call, "method", page) == "extend" else ""


def kept_by(word: "Node", page: Page) -> "Node | None":
    """Return the name that what a called word gives is given: a variable, or RSpec's of ``let(:cart) { Cart.new }``."""
    around = page.around(word)
    if around and around[-1].child_by_field_name("method") == word:
        around = around[:-1]
    if around and around[-1].type == "assignment":
        name = around[-1].child_by_field_name("left")
        return name if name is not None and name.type == "identifier" else None
    body, block, call = around[:-4:-1] if len(around) > 2 else (None, None, None)
    if body is None or block is None or call is None or block.type not in _BLOCKS or body.type not in _BODIES:
        return None
    if body.named_child_count != 1 or _named(call, "method", page) not in _KEEPING:
        return None
    arguments = call.child_by_field_name("arguments")
    name = first_named(arguments) if arguments is not None else call.child_by_field_name("method")
    return name if name is not None and name.type in {"identifier", "simple_symbol"} else None


def _type_around(call: "Node", page: Page) -> "Node | None":
    """Return the name of the type that an ``include`` mixes something into; None where that can't be told."""
    body, receiver = call.parent, call.child_by_field_name("receiver")
    around = body.parent if body is not None and body.type in _BODIES else None
    if around is None:
        return None
    if around.type == "singleton_method":
        is_told = receiver is not None and receiver.type == "identifier" and _named(around, "name", page) in _HOOKS
        return _module_of(around) if is_told else None
    if receiver is not None and receiver.type != "self":
        return None
    if around.type in _TYPES:
        return around.child_by_field_name("name")
    if around.type not in _BLOCKS or around.parent is None or around.parent.type != "call":
        return None
    caller = around.parent
    if caller.parent is not None and caller.parent.type == "assignment":
        name = caller.parent.child_by_field_name("left")
        return name if name is not None and name.type == "constant" else None
    return _module_of(caller) if _named(caller, "method", page) in _HOOKS else None


def made_at_the_end(method: "Node", page: Page) -> tuple[int, str]:
    """Return (the byte a method's name stands on, the type of what it makes last); (-1, "") for no such method."""
    name, last = method.child_by_field_name("name"), _last(method)
    if name is None or name.type != "identifier" or last is None or page.of(name) == "initialize":
        return -1, ""
    if last.type in {"assignment", "operator_assignment"}:
        last = last.child_by_field_name("right") or last
    word = last.child_by_field_name("method") if last.type == "call" else None
    maker = last.child_by_field_name("receiver") if last.type == "call" else None
    if implied_if_free(last, page) or (word is not None and maker is None and implied(word, page)):
        return name.start_byte, "Self"
    if maker is None or maker.type not in _CONSTANTS or _named(last, "method", page) != "new":
        return (name.start_byte, said) if (said := _given_back(method, last, page)) else (-1, "")
    made = page.of(maker)
    return (-1, "") if made.removeprefix("::") in _OF_TYPES else (name.start_byte, constant_path(made))


def _given_back(method: "Node", last: "Node", page: Page) -> str:
    """Return the expression for what a method gives last that is of others: ``self``, ``@cart``, ``make``, ``a.b``.

    Empty where it may give something else before. Whose methods its own are the object tells it is called on: what
    begins with a bare word is marked, ``=?make``, until it is known whether that is a variable.
    """
    if last.end_byte - last.start_byte > _LONGEST or method.end_byte - method.start_byte > _LONGEST_METHOD:
        return ""
    is_own = method.type == "method" and not _is_of_class(method)
    if last.type == "self":
        return "Self" if is_own and not _returns_before(method, page) else ""
    said = expression(last, page) if last.type in _GIVING_BACK else ""
    if not said or _returns_before(method, page):
        return ""
    first = said.partition(".")[0].partition("(")[0]
    if first[:1].isupper() or first == "self":
        return f"={said}" if is_own or first != "self" else ""
    return f"={IMPLIED}{said}" if is_own else f"={said}"


def _returns_before(method: "Node", page: Page) -> bool:
    """Whether a method may give something before its last statement."""
    is_written = page.source.find(b"return", method.start_byte, method.end_byte) >= 0
    return is_written and _RETURNING.search(page.of(method)) is not None


def _is_of_class(method: "Node") -> bool:
    """Whether a method stands in a ``class << self``."""
    around = method.parent.parent if method.parent is not None else None
    return around is not None and around.type == "singleton_class"


def _last(method: "Node") -> "Node | None":
    """Return the last statement of a method; all of one that is written as ``def name = …``."""
    body = method.child_by_field_name("body")
    if body is None or body.type != "body_statement":
        return body
    last = body.named_child(body.named_child_count - 1) if body.named_child_count else None
    while last is not None and last.type == "comment":
        last = last.prev_named_sibling
    return last


def _module_of(part: "Node") -> "Node | None":
    body = part.parent
    around = body.parent if body is not None and body.type == "body_statement" else None
    return around.child_by_field_name("name") if around is not None and around.type == "module" else None


def _named(node: "Node", field: str, page: Page) -> str:
    found = node.child_by_field_name(field)
    return page.of(found) if found is not None else ""
