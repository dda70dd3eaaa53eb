"""What an expression stands for: an object of a class, or a definition itself; by what files say of their names.

An expression is dotted, and its calls are written with empty brackets: ``self.request.user()``.
"""

from ctxcode.codegraph.extract.expressions import CALLED, DOUBLED, EACH, ELEMENT, INDEXED
from ctxcode.codegraph.facts import APPLIED, BY_NAME_ALONE, FIXTURE, HELD
from ctxcode.codegraph.resolve.ecmascript.constructed import Documented, Types, constructed
from ctxcode.codegraph.resolve.java.given import Given
from ctxcode.codegraph.resolve.java.handed_back import HandedBack
from ctxcode.codegraph.resolve.java.streams import Streams
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.memory import Memory
from ctxcode.codegraph.resolve.modules.naming import PACKAGED
from ctxcode.codegraph.resolve.named.common_names import GIVEN_OBJECTS
from ctxcode.codegraph.resolve.named.fixtures import Fixtures
from ctxcode.codegraph.resolve.objects.arrows import SIGNS as ARROWS
from ctxcode.codegraph.resolve.objects.arrows import is_declared, pointed, starred
from ctxcode.codegraph.resolve.objects.counted import doubled, entered, gives_parts, is_collection, meant, returned_by
from ctxcode.codegraph.resolve.objects.inherited import above, own_type
from ctxcode.codegraph.resolve.objects.value import (
    CLASS_ITSELF,
    DEEPEST,
    IMPLICIT_SELF,
    OUTSIDE,
    SELF_NAMES,
    UNASKED,
    VALUE_KINDS,
    Value,
    either,
    field_meant,
    function_given,
    given_by_enum,
    is_applied,
    is_asked_by_call,
    made_by,
    of_receiver,
    one_of,
)
from ctxcode.codegraph.resolve.objects.variables import Attributes, Variables, is_local
from ctxcode.codegraph.resolve.objects.wrappers import (
    ELEMENTS,
    ENTERING,
    FUNCTION,
    GIVING_ELEMENTS,
    POINTED,
    SIGNS,
    TYPED,
    collection_said,
    spoken,
    wraps_after,
)
from ctxcode.codegraph.resolve.relations.namespaces import any_namesake
from ctxcode.codegraph.resolve.rust.paths import path_meant
from ctxcode.codegraph.resolve.rust.unwritten import meant_before, unwritten
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, HOLDING_KINDS, SCOPE_KINDS
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN

_NO_NAMES, _NO_BINDINGS, _SIGNS = frozenset[str](), dict[str, str](), "".join(SIGNS)
_OF_OTHERS = frozenset({"(", BY_NAME_ALONE})
_IN_CPP = {EACH: "begin", INDEXED: "operator[]"}  # What signs and words of C++ call.


class Values:
    """Memoised answers over one repository; None where nothing is known."""

    def __init__(self, lookup: Lookup, types: Types) -> None:
        self._lookup, self._tables, self._documented = lookup, lookup.tables, Documented(lookup, types)
        self._expressions, self._aliases = dict[tuple[int, str], Value | None](), dict[int, Value | None]()
        self._memory, self._streams = Memory(DEEPEST), Streams(lookup, self.of, self.walk)
        self.variables = Variables(lookup, self._memory, self.of_bound)
        self._given_in_java = Given(lookup, self.of, self.of_bound)
        self._handed_back = HandedBack(lookup, self.of, self.of_bound)
        self._attributes = Attributes(lookup, self._memory, self.of_bound, self._given_in_java.parameters)
        self.attribute, self.fixtures = self._attributes.of, Fixtures(lookup, self.of, self.of_bound)

    def of(self, scope: int, expression: str) -> Value | None:
        """Return what an expression stands for inside a definition."""
        key = (scope, expression)
        found = self._expressions.get(key, UNASKED)
        if found is UNASKED:
            found = self._memory.find(self._expressions, key, None, lambda: self._find(scope, expression))
        return found

    def behind(self, owner: int, parts: list[str]) -> Value | None:
        """Return what ``.a.b`` stands for behind an object of a class."""
        return self.walk(Value(owner, is_object=True), parts)

    def walk(self, found: Value | None, parts: list[str], scope: int = UNKNOWN) -> Value | None:
        """Return what the parts stand for, one after the other, behind a value; they are said in ``scope``."""
        for part in parts:
            if part in ARROWS:
                found = pointed(self._lookup, found, part, self._called) if found is not None else None
            elif found is None or found.node < 0:
                found = self._handed_back.of_outside(found, part, scope)
                if found is None or found.node < 0:
                    # What something from outside holds may be ours.
                    return None if part in ELEMENTS or not GIVING_ELEMENTS.isdisjoint(parts) else found
            elif found.either:
                found = either(self._step(one, part, scope) if one.node >= 0 else one for one in found.either)
            else:
                found = self._step(found, part, scope)
        return found

    def of_bound(self, scope: int, bound: str) -> Value | None:
        """Return what a binding says: a class, ``f()`` for what is returned, ``=x`` for the same as another name.

        ``(0.1)f`` is what ``f`` gives as its second argument to what it is given as the first.
        """
        if "|" in bound or "&=" in bound:
            return self._combined(scope, bound)
        if bound[0] in SIGNS:
            inner = self.of_bound(scope, bound[1:])
            return inner if inner is None or inner.node < 0 else inner._replace(wraps=bound[0] + inner.wraps)
        if bound[0] == "=" or bound.endswith("()"):
            return self.of(scope, bound.removeprefix("="))
        if bound[0] in _OF_OTHERS:
            told = self._documented.of if bound[0] == BY_NAME_ALONE else self._given_in_java.to_function
            return told(scope, bound)
        if bound[-1] in ">]" or bound[0] == "{":
            return self._of_collection(scope, bound)
        if "&" in bound:
            nodes = [node for one in bound.split("&") if (node := self._lookup.type_in(scope, one)) >= 0]
            return Value(nodes[0], is_object=True, others=tuple(nodes[1:])) if nodes else OUTSIDE
        if bound == "Self":
            return OUTSIDE if (owner := self._tables.class_of(scope)) is None else Value(owner, is_object=True)
        if bound.startswith("Self."):
            node = own_type(self._lookup, scope, bound.split(".")[1:])
            return (self._aliased(node) if self._tables.kinds[node] == "type" else None) if node >= 0 else OUTSIDE
        find = self._lookup.type_of_attribute if self._tables.kinds[scope] in CLASS_KINDS else self._lookup.type_in
        node = find(scope, bound)
        if node >= 0 and is_collection(self._tables, node):
            return self._aliased(node)
        if node == UNKNOWN and self._tables.families[self._tables.file_of[scope]] == "ecmascript":
            node = constructed(self._lookup, self.of(scope, bound))
        several = any_namesake(self._lookup, scope, bound) if node == UNKNOWN else None
        return Value(node, is_object=True) if node >= 0 else several or OUTSIDE

    def _of_collection(self, scope: int, bound: str) -> Value | None:
        """Return what a type of Java's says that holds others: ``List<A>``, ``A[]``; or a struct of Go's, ``{0}``."""
        if bound[0] == "{":
            return Value(scope, is_object=True, inside=bound)
        outer, sign, held = collection_said(bound)
        if found := self._given_in_java.typed(scope, outer, held, sign):
            return found
        inner = self.of_bound(scope, held) if held and held[0] != APPLIED else None
        return OUTSIDE if inner is None or inner.node < 0 else inner._replace(wraps=sign + inner.wraps)

    def _combined(self, scope: int, bound: str) -> Value | None:
        """Return this or that; or what a name stands for that a test says the class of, beside what else is known."""
        if "|" in bound:
            family = self._tables.families[self._tables.file_of[scope]]
            return one_of(bound.split("|"), lambda one: self.of_bound(scope, one), family)
        tested, name = bound.split("&=", maxsplit=1)
        known, node = self.of(scope, name), self.variables.tested(scope, tested, self.of)
        if known is None or known.node < 0 or known.wraps or not known.is_object or known.either:
            return Value(node, is_object=True) if node >= 0 else known if tested[-1] == ")" else OUTSIDE
        others = (node,) if node >= 0 and node not in self._lookup.mro(known.node) else ()
        return Value(known.node, is_object=True, others=others)

    def _find(self, scope: int, expression: str) -> Value | None:
        parts = expression.split(".")
        if parts[0] == FIXTURE and len(parts) > 1:
            return self.fixtures.given(scope, parts[1])
        if (made := self._handed_back.gathered(scope, parts)) is not None:
            return self.walk(made, parts[2:], scope)
        found = self.walk(self._first(scope, parts[0]), parts[1:], scope)
        return self._of_path(scope, parts) if found is None and len(parts) > 1 else found

    def _of_path(self, scope: int, parts: list[str]) -> Value | None:
        """Return what begins with a type whose name is a path: ``a.b.Type()``."""
        length = next((row for row, part in enumerate(parts, start=1) if part.endswith(")")), 0)
        if parts[0] in {"crate", "super"} and self._tables.families[self._tables.file_of[scope]] == "rust":
            return self._of_rust_path(scope, parts, length or len(parts))
        is_php = self._tables.families[self._tables.file_of[scope]] == "php"
        if length < 2 or parts[length - 1] in GIVING_ELEMENTS or (is_php and parts[0][:1].islower()):
            # PHP's variables look like what a path begins with.
            return None
        node = self._lookup.type_in(scope, ".".join(parts[:length]).partition("(")[0])
        if node >= 0:
            return self.walk(Value(node, is_object=True), parts[length:])
        owner = self._lookup.type_in(scope, ".".join(parts[: length - 1])) if node == UNKNOWN else node
        if owner >= 0:
            return self.walk(Value(owner, is_object=False), parts[length - 1 :])
        return OUTSIDE if EXTERNAL in {node, owner} else None

    def _of_rust_path(self, scope: int, parts: list[str], length: int) -> Value | None:
        """Return what begins with ``crate::`` or ``super::``, of which so many parts can be the path."""
        node, cut = path_meant(self._lookup, scope, parts, length)
        found = self.defined(node) if node >= 0 else None
        return self.walk(self._called(found, None) if cut and parts[cut - 1].endswith(")") else found, parts[cut:])

    def _first(self, scope: int, part: str) -> Value | None:
        name, tables, family = part.partition("(")[0], self._tables, self._tables.families[self._tables.file_of[scope]]
        if name in SELF_NAMES.get(family, _NO_NAMES) or name == "super":
            owner = self._lookup.literals.around(scope) if family == "ecmascript" else tables.class_of(scope)
            if owner is not None and name == "super":
                owner = next(iter(above(self._lookup, owner)), None)
            if owner is None:
                return self._named(scope, name) if name == part == "this" else None
            return Value(owner, is_object=name not in CLASS_ITSELF or part != name)
        # A name of Java that is called is no variable's.
        is_method = part != name and tables.facts[tables.file_of[scope]].language == "java"
        found = self._named(scope, name, is_method=is_method)
        if (is_method or family == "c") and found is not None and found.node >= 0 and not found.is_object:
            found = meant(self._lookup, found, part)
        if found is None and family in IMPLICIT_SELF and (part != name or not is_local(tables, scope, name)):
            for owner in tables.classes_around(scope):
                found = self._step(Value(owner, is_object=True), part, scope)
                if found is not None or family != "java":
                    return found
        return self._called(found, None, part, scope) if part != name else found

    def _named(self, scope: int, name: str, *, is_method: bool = False) -> Value | None:
        tables, node, file = self._tables, scope, self._tables.file_of[scope]
        family, first, bindings = tables.families[file], tables.first_node[file], tables.bindings[file]
        holding = VALUE_KINDS if family == "ecmascript" else HOLDING_KINDS.get(family, _NO_NAMES)
        while tables.parents[node] >= 0:
            if tables.kinds[node] in SCOPE_KINDS or tables.kinds[node] in holding:
                bound = bindings.get(node - first, _NO_BINDINGS).get(name) if not is_method else None
                if bound is not None:
                    return self.of_bound(node, bound) if bound not in {name, f"={name}"} else None
                local = tables.children.get(node, {}).get(name)
                if local is not None and self._lookup.literals.is_local(local, node):
                    return Value(tables.made_on_the_spot.get(local, local), is_object=False)
                if tables.is_closed(node, name):
                    break
            node = tables.parents[node]
        if not (is_closed := tables.parents[node] >= 0) and (found := self.variables.of(file, name)) is not None:
            return found
        if (target := self._lookup.visible(file, name)) >= 0:
            return self.defined(target) if not is_closed or tables.kinds[target] not in VALUE_KINDS else None
        return OUTSIDE if target == EXTERNAL or name in GIVEN_OBJECTS.get(family, _NO_NAMES) else None

    def defined(self, target: int) -> Value | None:
        """Return what a definition stands for: a constant for what it is bound to, all else for itself."""
        tables = self._tables
        if target in tables.made_on_the_spot:
            return Value(tables.made_on_the_spot[target], is_object=False)
        if tables.kinds[target] in VALUE_KINDS:
            owner, name = tables.parents[target], tables.name_of(target)
            if tables.kinds[owner] in CLASS_KINDS:
                return self.attribute(owner, name) or Value(target, is_object=False)
            bound = self.variables.of(tables.file_of[target], name)
            if bound is not None:
                return bound
        if tables.kinds[target] == "variant" and tables.families[tables.file_of[target]] == "java":
            return Value(tables.parents[target], is_object=True)
        return Value(target, is_object=False)

    def _step(self, value: Value, part: str, scope: int = UNKNOWN) -> Value | None:
        """Return what stands behind a value and a dot."""
        family = self._tables.families[self._tables.file_of[value.node]]
        value = meant_before(self._tables, value, part)
        if value.wraps:
            wraps = wraps_after(value.wraps, spoken(self._tables, value, part), family)
            return value._replace(wraps=wraps) if wraps is not None else self._streams.mapped(value, part, scope)
        found = self._by_rule(value, part) if part != DOUBLED else doubled(self._lookup, value, scope)
        if found is not UNASKED:
            return found
        for other in value.others:
            behind = self._step(Value(other, is_object=True), part, scope)
            if behind is not None:
                return behind
        name, node, tables = part.partition("(")[0], value.node, self._tables
        name = _IN_CPP.get(part, name) if family == "c" else name
        held = returned_by(self._tables, node) if part in GIVING_ELEMENTS and tables.kinds[node] == "type" else ""
        if held[:1] in SIGNS:
            return self.walk(self.of_bound(node, held), [part])
        if value.inside or tables.kinds[node] not in CLASS_KINDS:
            found = self._behind_other(value, name)
        else:
            found = self._given_in_java.held(value, part) or self._behind_type(value, name, is_called=part != name)
            if found is None and family in TYPED and value.is_object and part != name:
                # A collection itself, by what it inherits from outside.
                own = self.attribute(node, HELD.removeprefix("self."))
                if own is not None and own.wraps:
                    return self._step(own, part)
            if found is None and value.is_object and part in POINTED.get(family, _NO_NAMES):
                return value
            if found is None and family == "rust" and part != name:
                return unwritten(value, tables.kinds[node], part, lambda: self._associated(value, ELEMENTS[ELEMENT]))
        if part == name or found is None or found.node < 0:
            return found
        found = self._called(meant(self._lookup, found, part), value, part, scope)
        return starred(self._lookup, found, self._called) if part == EACH and family == "c" else found

    def _by_rule(self, value: Value, part: str) -> Value | None:
        """Return what stands behind a value for what is no name, UNASKED for a name."""
        if part in ELEMENTS:
            return self._associated(value, ELEMENTS[part])
        if (given := given_by_enum(self._tables, value, part)) is not None:
            return given
        if value.is_object:
            return entered(self._lookup, value, part.removesuffix("()"), self._called) if part in ENTERING else UNASKED
        return self._called(value, None) if part == CALLED else UNASKED

    def _associated(self, value: Value, name: str) -> Value | None:
        """Return an object of what a type of Rust has under a name of a trait's: ``type Item = …``."""
        node = self._lookup.member(value.node, name) if value.is_object else UNKNOWN
        return self._aliased(node) if node >= 0 and self._tables.kinds[node] == "type" else None

    def _aliased(self, node: int) -> Value | None:
        """Return an object of the type that another name stands for."""
        found = self._aliases.get(node, UNASKED)
        if found is UNASKED:
            written = returned_by(self._tables, node)
            ask = (lambda: self.of_bound(node, written)) if written else (lambda: Value(node, is_object=True))
            found = self._memory.find(self._aliases, node, None, ask)
        return found

    def _behind_type(self, value: Value, name: str, *, is_called: bool) -> Value | None:
        tables, node, family = self._tables, value.node, self._tables.families[self._tables.file_of[value.node]]
        if family == "php":
            # Properties and methods may be called alike.
            member = self._lookup.member(node, name) if is_called else UNKNOWN
            return Value(member, is_object=False) if member >= 0 else None if is_called else self.attribute(node, name)
        # So may those of Rust and Java, where a call means the method, and of Ruby, where that may say what it gives.
        is_told = family == "ruby" and is_called and returned_by(tables, self._lookup.member(node, name)) != ""
        found = self.attribute(node, name) if not (is_told or (is_called and family in {"java", "rust"})) else None
        member = self._lookup.concerns.member(node, name, is_own=not value.is_object) if found is None else EXTERNAL
        if member < 0:
            return self.attribute(node, field_meant(tables, node, name)) if is_called and family == "java" else found
        if is_called and tables.kinds[member] == "field":
            name = tables.name_of(member)
            return self._given_in_java.held(value, name) or self.attribute(node, name)
        if family in {"java", "ruby"} and not is_called and tables.kinds[member] in {"method", "variant"}:
            # A method that is not called is no value, but in Ruby and Scala its name calls it.
            is_calling = tables.facts[tables.file_of[member]].language in {"ruby", "scala"}
            called = self._called(Value(member, is_object=False), Value(node, is_object=True)) if is_calling else None
            return Value(node, is_object=True) if tables.kinds[member] == "variant" else called
        return Value(member, is_object=False)

    def _behind_other(self, value: Value, name: str) -> Value | None:
        """Return what stands behind a module, a function or what that makes, an object literal."""
        if value.inside:
            return self.variables.held(value, name)
        tables, node = self._tables, value.node
        of_variant = f"{tables.name_of(node)}.{name}" if tables.kinds[node] == "variant" else ""
        if of_variant and (held := self.attribute(tables.parents[node], of_variant)) is not None:
            return held
        if (value.is_object or name.isdigit()) and tables.kinds[node] in SCOPE_KINDS:
            # Functions of Go return more than one thing, told by their places where they can have methods of ours.
            return self.variables.made(node, name) or (OUTSIDE if not value.is_object else None)
        if value.is_object and not self._lookup.literals.is_object(node):
            return None
        target = self._lookup.step(node, name)
        if target >= 0:
            return self.defined(target)
        file = tables.file_of[node]
        if tables.parents[node] >= 0 or tables.families[file] in PACKAGED:
            return self.variables.inside(node, name)
        whole = self.variables.exported(file) if name != "default" else None
        return self.variables.of(file, name) or (self._step(whole, name) if whole is not None else None)

    def _called(
        self, value: Value | None, receiver: Value | None, part: str = "", scope: int = UNKNOWN
    ) -> Value | None:
        """Return what a call gives, written as ``part`` in a scope where that is known."""
        if value is None or value.node < 0:
            return self._handed_back.of_outside(value, part, scope)
        if value.either:
            each = [self._called(one, receiver, part, scope) for one in value.either]
            return either(each) if value.is_object or None not in each else None
        tables, node = self._tables, self._lookup.literals.meant(value.node)
        if value.is_object:
            named = function_given(tables, value)
            file = tables.file_of[receiver.node] if receiver is not None and receiver.is_object else UNKNOWN
            is_kept = (
                is_asked_by_call(tables.facts[file].language, part) if file >= 0 else is_declared(self._lookup, value)
            )
            gives = value.wraps[:1] == FUNCTION or is_applied(tables, value, scope)
            kept = value._replace(wraps=value.wraps[1:]) if gives else value if is_kept else None
            return self.of_bound(node, named) if named is not None else kept
        if (made := made_by(tables, node)) >= 0:
            return Value(made, is_object=True)
        file = tables.file_of[node]
        if receiver is not None and (given := self._given_in_java.parameters.given(node, receiver)) is not None:
            return given
        if ":" in part and (same := self._given_in_java.same(node, part.partition(":")[2][:-1], scope)) is not None:
            return same
        returned = tables.returns[file].get(node - tables.first_node[file])
        if returned is None:
            is_known = tables.families[file] == "ecmascript" or gives_parts(tables, node)
            return Value(node, is_object=True) if is_known else None
        if receiver and (s := of_receiver(tables.families[file], returned)) and (own := self.of(receiver.node, s)):
            return own
        if receiver is not None and returned.lstrip(_SIGNS).partition(".")[0] == "Self":
            return self._of_receiver(receiver, returned)
        return self._given_in_java.parameters.applied(node, self.of_bound(node, returned), receiver)

    def _of_receiver(self, receiver: Value, returned: str) -> Value | None:
        """Return what a method gives that returns its own type, or one that belongs to it: ``Option<Self::Item>``."""
        name = returned.lstrip(_SIGNS)
        wraps, parts = returned.removesuffix(name), name.split(".")[1:]
        if not parts:
            return Value(receiver.node, is_object=True, wraps=wraps)
        node = self._lookup.walk(receiver.node, parts)
        found = self._aliased(node) if node >= 0 and self._tables.kinds[node] == "type" else None
        return found._replace(wraps=wraps + found.wraps) if found is not None and found.node >= 0 else found
