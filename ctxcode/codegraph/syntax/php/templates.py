"""Type parameters that PHP's documentation gives to classes: what heirs put in their place, and what methods give."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ARGUMENTS

if TYPE_CHECKING:
    from tree_sitter import Node

_TEMPLATE = re.compile(r"@(?:phpstan-|psalm-)?template(?:-covariant|-contravariant)?\s+(\w+)")
_BOUNDED = re.compile(rf"{_TEMPLATE.pattern}\b(?:\s+(?:of|as)\s+([\w\\|]++)(?![-\[]|\s*\|))?")
_ARGUMENTS = re.compile(
    r"@(?:phpstan-|psalm-|template-)?(?:extends|implements|use)\s+([\w\\]+)\s*<([^<>\n]{1,200}(?:<[^<>\n]{1,100}>)?)>"
)
_TYPES = frozenset({"class_declaration", "interface_declaration", "trait_declaration"})
_LONGEST_COMMENT = 20_000
_MOST_TEMPLATES = 20
_MEMBER_DEPTH = 2
"""A class and its body stand around a member."""


def arguments(comment: str, node: "Node | None", type_name: Callable[[str], str]) -> list[tuple[int, str, str]]:
    """Return (byte of the type's name, name, arguments) of ``@extends Repo<Cart>`` above a type."""
    name = node.child_by_field_name("name") if node is not None and node.type in _TYPES else None
    if name is None or "<" not in comment:
        return []
    own, found = _TEMPLATE.findall(comment), list[tuple[int, str, str]]()
    for base, written in _ARGUMENTS.findall(comment):
        types = [f"<{own.index(one)}>" if one in own else type_name(one) for one in map(str.strip, written.split(","))]
        if any(types):
            found.append((name.start_byte, f"{ARGUMENTS}{base.rpartition(chr(92))[2]}", ",".join(types)))
    return found


def place(bound: str, member: "Node", page: Page) -> str:
    """Return the number of the type parameter that a documented type is, of the type around a member; else nothing.

    A sign before it says that it is a collection of these.
    """
    own = [name for name, _ in _templates(_said_of_type(member, page))]
    name = bound.lstrip("?")
    return f"{bound[: len(bound) - len(name)]}{own.index(name)}" if name in own else ""


def bounds(comment: str, member: "Node | None", page: Page, type_name: Callable[[str], str]) -> dict[str, str]:
    """Return what type parameters are one of at least, ``@template T of Cart``, by their names.

    They are those of a comment, and of the one above the type around a member.
    """
    found = dict[str, str]()
    for text in (_said_of_type(member, page) if member is not None else "", comment):
        for own, bound in _templates(text):
            least = type_name(bound)
            least = "" if "|" in least else least
            # One may be bound to another, and a function's own hides its type's.
            found[own] = found.get(least, least)
    return found


@lru_cache(maxsize=256)
def _templates(comment: str) -> Sequence[tuple[str, str]]:
    """Return the type parameters of a comment, and what each is bound to; each member asks for those of its type."""
    return _BOUNDED.findall(comment)[:_MOST_TEMPLATES] if "template" in comment else ()


def _said_of_type(member: "Node", page: Page) -> str:
    """Return the comment above the type around a member."""
    around = page.around(member)
    owner = around[-_MEMBER_DEPTH] if len(around) > _MEMBER_DEPTH else None
    comment = owner.prev_named_sibling if owner is not None and owner.type in _TYPES else None
    return page.of(comment)[:_LONGEST_COMMENT] if comment is not None and comment.type == "comment" else ""
