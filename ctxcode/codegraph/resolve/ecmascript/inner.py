"""What stands in functions and makes objects all the same: prototypes, and what functions called on the spot return.

And what several declarations of one name say together.
"""

from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import KEPT, RETURNED, FileFacts, SymbolFact

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.tables import Tables

_AROUND_PROTOTYPES = frozenset({"constant", "function", "method", "module", "namespace", "variable"})
_PROTOTYPED = frozenset({"class", "constant", "function", "variable"})
_GIVEN = frozenset({"constant", "variable"})
_STANDING = frozenset({"class", "function"})
_SAYING_MORE = {
    "interface": frozenset({"class", "interface"}),
    "namespace": frozenset({"class", "enum", "namespace"}),
}
"""Kinds of declarations to the kinds of those they say more of.

No namespace says more of a function: what that holds is known inside of it by its bare name, and what stands in the
namespace is not.
"""
_TYPES = frozenset({"interface", "type"})
_NOTHING = frozenset[str]()


def says_more(kind: str, known: str) -> bool:
    """Whether a declaration of TypeScript says more of what another one of its name has declared before, by kinds."""
    return known in _SAYING_MORE.get(kind, _NOTHING)


def is_rather_type(kind: str, other: str) -> bool:
    """Whether of two declarations of a name, given their kinds, the first is the one that is meant as a type.

    A namespace holds values: beside what is but a type it is none.
    """
    return kind in _TYPES or (kind == "namespace" and other not in _TYPES)


def prototyped(symbols: Sequence[SymbolFact]) -> Iterator[tuple[int, int]]:
    """Yield (method, owner) of what gets its methods one by one inside of a function: ``F.prototype.m = …``."""
    known: dict[str, int] = {}
    for at, symbol in enumerate(symbols):
        if symbol.parent <= 0 or symbol.kind != "method" or symbols[symbol.parent].kind not in _AROUND_PROTOTYPES:
            continue
        around = symbol.qualname.rpartition(".")[0]
        if around == symbols[symbol.parent].qualname:
            continue
        known = known or {each.qualname: row for row, each in enumerate(symbols) if each.kind in _PROTOTYPED}
        owner = known.get(around, 0)
        if owner and symbols[owner].parent == symbol.parent:
            yield at, owner


def kept(facts: FileFacts, classes: Container[str]) -> Iterator[tuple[int, str, int]]:
    """Yield (owner, name, function) of what ``this`` is given; what a method gives it objects of its class have."""
    symbols = facts.symbols
    for scope, name, _ in facts.bindings:
        if name == KEPT:
            owner = symbols[scope].parent
            around = symbols[max(owner, 0)].parent
            is_method = owner > 0 and around > 0 and symbols[around].kind in classes
            yield around if is_method else owner, symbols[scope].name, scope


def made_on_the_spot(facts: FileFacts) -> Iterator[tuple[int, int]]:
    """Yield (variable, what it stands for): ``const Menu = (function () { function Menu() {} return Menu; })()``."""
    symbols = facts.symbols
    given = [(scope, said[1:]) for scope, name, said in facts.bindings if name == RETURNED and said[0] == "="]
    given = [(scope, name) for scope, name in given if symbols[scope].kind in _GIVEN]
    standing = ((each.parent, each.name, at) for at, each in enumerate(symbols) if given and each.kind in _STANDING)
    inside = {(parent, name): at for parent, name, at in standing}
    for scope, name in given:
        if (scope, name) in inside:
            yield scope, inside[scope, name]


def attach_inner(tables: "Tables", base: int, facts: FileFacts, classes: Container[str]) -> None:
    """Make members of what has a prototype inside of a function; note what names stand for that is made there."""
    symbols = facts.symbols
    for at, owner in prototyped(symbols):
        node, siblings = base + at, tables.children[base + symbols[at].parent]
        if siblings.get(symbols[at].name) == node:
            del siblings[symbols[at].name]
        tables.inner_owners[node] = base + owner
        tables.add_member(base + owner, node)
    for owner, name, node in kept(facts, classes):
        tables.kept.setdefault(base + owner, {}).setdefault(name, base + node)
    tables.made_on_the_spot.update((base + variable, base + made) for variable, made in made_on_the_spot(facts))
