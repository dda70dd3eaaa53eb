"""Ruby's and JavaScript's classes and their objects: which methods each has; what Ruby's modules give to classes.

What is for the classes that include one stands in a module inside, by custom called ``ClassMethods``. So
``ActiveSupport::Concern`` wants it, and so do those who write ``def self.included(base)`` themselves.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import ALTERNATIVE, BROUGHT, STATIC
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

RUBY, _TWICE = "ruby", "ecmascript"
CLASS_METHODS = "ClassMethods"
"""What a module inside of another is called that has methods for the classes that include that one."""
_NOTHING: Mapping[str, int] = {}


class Concerns:
    """What the classes of Ruby and JavaScript have of their own, and what their objects have."""

    def __init__(self, tables: Tables, lookup: "Lookup") -> None:
        """Take the tables and the look-up that asks."""
        self._tables = tables
        self._lookup = lookup
        self._alternatives: dict[int, dict[int, tuple[int, ...]]] = {}
        self._known: dict[tuple[int, bool, str], int] = {}

    def class_methods(self, owner: int) -> list[int]:
        """Return the modules whose methods are called where one of Ruby is written, though it inherits from none.

        These are its own, for those who include it, and for one of these the ones that the module around it brings
        along.
        """
        tables = self._tables
        if tables.families[tables.file_of[owner]] != RUBY:
            return []
        around = tables.parents[owner]
        own = self._inside(owner)
        if around < 0 or tables.children.get(around, _NOTHING).get(CLASS_METHODS) != owner:
            return own
        brought = [each for base in self._lookup.bases(around) if base != owner for each in self._inside(base)]
        return [*own, *(each for each in brought if each != owner)]

    def _inside(self, owner: int) -> list[int]:
        found = self._tables.children.get(owner, _NOTHING).get(CLASS_METHODS)
        return [found] if found is not None and self._tables.kinds[found] in CLASS_KINDS else []

    def said_to_self(self, owner: int, name: str, caller: int) -> int:
        """Return the member of a class that is meant by what its ``caller`` says to itself.

        In Ruby that is the class in its body and in its own methods, and an object of it in others.
        """
        if self._tables.families[self._tables.file_of[owner]] != RUBY:
            return self._lookup.member(owner, name)
        is_class = self._tables.kinds[caller] in CLASS_KINDS or self.is_own(caller)
        return self._member(owner, name, is_own=is_class)

    def named_by(self, user: int, name: str) -> int:
        """Return the method that a symbol names in what a ``user`` says: one of the objects, unless that is no object.

        In the body of a class it tells what is done with those; no symbol names what has another name than a method.
        """
        owner = self._tables.class_of(user)
        if owner is None:
            return UNKNOWN
        is_class = self._tables.kinds[user] not in CLASS_KINDS and self.is_own(user)
        found = self._member(owner, name, is_own=is_class)
        is_method = found >= 0 and self._tables.kinds[found] == "method"
        return found if is_method and (is_class or not self.is_own(found)) else UNKNOWN

    def said_to(self, owner: int, name: str, *, is_class: bool) -> int:
        """Return what stands behind a type, or a module, said to itself or to an object of it."""
        tables = self._tables
        if tables.kinds[owner] not in CLASS_KINDS or tables.families[tables.file_of[owner]] != RUBY:
            return self._instead(owner, self._lookup.step(owner, name), name, is_own=is_class)
        found = self._member(owner, name, is_own=is_class)
        if is_class and found == UNKNOWN:
            # What stands in a module may be written where that has no methods of its own.
            return self._lookup.step(owner, name)
        return UNKNOWN if found >= 0 and not is_class and self.is_own(found) else found

    def _member(self, owner: int, name: str, *, is_own: bool) -> int:
        """Return what a class, or an object of it, has by a name; failing that what the other one has."""
        key = (owner, is_own, name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._find(owner, name, is_own=is_own)
        return found

    def member(self, owner: int, name: str, *, is_own: bool) -> int:
        """Return the member of a class; of JavaScript's its own or that of its objects, where both have one."""
        return self._instead(owner, self._lookup.member(owner, name), name, is_own=is_own)

    def _instead(self, owner: int, found: int, name: str, *, is_own: bool) -> int:
        """Return what a class of JavaScript has by a name that was found only for its objects, or the other way round.

        ``Cart.check = Shop.check`` makes no method: beside ``Cart.prototype.check`` nothing is found for the class.
        """
        tables, file = self._tables, self._tables.file_of[owner]
        is_class = tables.kinds[owner] == "class" and tables.families[file] == _TWICE
        if found < 0 or not is_class or tables.kinds[found] != "method" or self.is_own(found) == is_own:
            return found
        other = self._member(owner, name, is_own=is_own)
        if other >= 0 and self.is_own(other) == is_own:
            return other
        is_bound = f"self.{name}" in tables.bindings[file].get(owner - tables.first_node[file], ())
        return UNKNOWN if is_own and is_bound else found

    def _find(self, owner: int, name: str, *, is_own: bool) -> int:
        children, first = self._tables.children, UNKNOWN
        for link in self._lookup.mro(owner):
            node = children.get(link, _NOTHING).get(name)
            if node is None:
                continue
            if self._tables.kinds[node] != "method" or self.is_own(node) == is_own:
                return node
            twin = self._twin(node)
            if twin is not None:
                return twin
            first = node if first == UNKNOWN else first
        return first

    def is_own(self, node: int) -> bool:
        """Tell whether a method is one of a class, not of its objects."""
        tables = self._tables
        around = tables.parents[node]
        outer = tables.parents[around] if around >= 0 else -1
        is_brought = outer >= 0 and (
            tables.children.get(outer, _NOTHING).get(CLASS_METHODS) == around
            or f"{BROUGHT}{tables.name_of(around)}" in self._lookup.base_names(outer)
        )
        file = tables.file_of[node]
        return is_brought or STATIC in tables.bindings[file].get(node - tables.first_node[file], ())

    def _twin(self, node: int) -> int | None:
        """Return what an object has by the name by which its class has something, or the other way round."""
        file = self._tables.file_of[node]
        known = self._alternatives.get(file)
        if known is None:
            known = self._alternatives[file] = alternatives_in(self._tables, file)
        is_own = self.is_own(node)
        return next((each for each in known.get(node, ()) if self.is_own(each) != is_own), None)


def alternatives_in(tables: Tables, file: int) -> dict[int, tuple[int, ...]]:
    """Return the definitions of a file that are alternatives of one another, by each of them."""
    facts, base = tables.facts[file], tables.first_node[file]
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    for scope, name, _ in facts.bindings:
        if name == ALTERNATIVE:
            symbol = facts.symbols[scope]
            groups[symbol.parent, symbol.qualname].append(base + scope)
    return {node: tuple(nodes) for nodes in groups.values() for node in nodes}
