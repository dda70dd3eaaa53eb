"""Call sites become edges, tier by tier: scope, import, self, qualified, type, unique name, a few candidates."""

import re
from collections.abc import Iterable, Sequence

from ctxcode.codegraph.edges import FoundEdges, Tier
from ctxcode.codegraph.extract.expressions import IMPLIED, plain_expression
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.facts import BY_NAME_ALONE
from ctxcode.codegraph.resolve.ecmascript.typed import in_literal
from ctxcode.codegraph.resolve.java.nested import EXPLICIT, Nested
from ctxcode.codegraph.resolve.labels.taking import LABELLED
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.modules.braces import ABOVE, holder_inside
from ctxcode.codegraph.resolve.named.alone import NamesAlone
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Candidates, Found, on_either, same_as
from ctxcode.codegraph.resolve.named.overloaded import chooser
from ctxcode.codegraph.resolve.objects.asserted import SPELLED, of_made, spelled, without_arrows
from ctxcode.codegraph.resolve.objects.extensions import EXTENDING, Extensions, is_made_elsewhere
from ctxcode.codegraph.resolve.objects.inherited import said_to_super
from ctxcode.codegraph.resolve.objects.value import IMPLICIT_SELF, SELF_NAMES, Value, makes_by_word, of_enum
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.objects.wrappers import GUARD
from ctxcode.codegraph.resolve.relations.foreign import is_foreign
from ctxcode.codegraph.resolve.relations.namespaces import inside
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, GLOBAL_FAMILIES, HOLDING_KINDS, SCOPE_KINDS, VALUE_KINDS
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN

_NO_OWN_MEMBERS = frozenset({"go", "ecmascript", "lua", "bash"})
"""Families in which a bare name never means a member of the class around it."""
_OWN_FIRST = frozenset({"csharp", "kotlin", "scala", "swift"})
"""Languages in which members of the classes around hide what stands at the top."""
_OWN_CLASS = frozenset({"cls", "Self", "self", "static"})
"""What a method calls to make an object of its own class."""
_OF_OBJECTS = ("self", "this", "super", "Self", "cls")
_NO_NAMES, _NO_MEMBERS, _NO_BINDINGS = frozenset[str](), dict[str, int](), dict[str, str]()
_SUPER = re.compile(r"super\b(?:\((?:[^()]|\([^()]*\))*\))?")
_NEW = re.compile(r"new(?=[A-Z_$]|[a-z]\w*(?:\.\w+)?\.[A-Z]\w*\()")
_FIRST, _PLAIN = re.compile(r"[^\W\d]\w*"), re.compile(r"[\w$#.?!:]+")
_GIVEN, _HOLDERS = VALUE_KINDS | {"variant"}, CLASS_KINDS | {"module", "namespace"}
_MEANT = CLASS_KINDS | {"function"}
_TYPED = frozenset({"java", "go"})
"""Families in which every value has a type that is written down."""
_NAMED_TIERS = (Tier.CALLS_IN_SCOPE, Tier.CALLS_IMPORTED, Tier.CALLS_LINKED, Tier.CALLS_UNIQUE_NAME)
"""By nearness."""


class FileCalls:
    """The call sites of one file."""

    def __init__(self, lookup: Lookup, values: Values, candidates: Candidates, file: int) -> None:
        self._lookup, self._values, self._file = lookup, values, file
        self._names, self._nesting = NamesAlone(lookup, candidates, file), Nested(lookup, values)
        self._tables = tables = lookup.tables
        self._first, self._family = tables.first_node[file], tables.families[file]
        language = tables.facts[file].language
        self._is_java, self._has_own_first = language == "java", language in _OWN_FIRST
        self._extensions = Extensions(lookup, values, candidates, file) if language in EXTENDING else None
        self._has_implicit_self = self._family in IMPLICIT_SELF
        self._self_names = SELF_NAMES.get(self._family, _NO_NAMES)
        self._callback_kinds = HOLDING_KINDS.get(self._family, _NO_NAMES)
        self._bindings, self._chains = tables.bindings[file], dict[int, tuple[int, ...]]()
        self._scopes: tuple[int, ...] = ()
        """The chain of the call at hand."""
        self._bare_at_top, self._at_top = dict[str, Found](), dict[tuple[str, str], Found]()

    def resolve(
        self, calls: Iterable[tuple[int, str, str, int]], graph: FoundEdges, arguments: Sequence[str] = ()
    ) -> None:
        """Add the edges of the file's calls, given as (caller, name, receiver, line).

        Where names have overloads, what the arguments of each call look like is given too.
        """
        if arguments:
            self._resolve_overloaded(zip(calls, arguments, strict=True), graph)
            return
        first, names, add, at = self._first, self._tables.names, graph.add, -1
        for caller, name, receiver, line in calls:
            if name not in names and name not in _OWN_CLASS:
                continue
            self._names.receiver = receiver
            if caller != at:
                at, self._scopes = caller, self._chain(caller)
            targets, tier = self._on_receiver(caller, receiver, name) if receiver else self._bare(caller, name)
            for target in targets:
                add(first + caller, target, tier, line)

    def _resolve_overloaded(self, calls: Iterable[tuple[tuple[int, str, str, int], str]], graph: FoundEdges) -> None:
        """Do the same where names have overloads, by the rules of their language."""
        first, names, at = self._first, self._tables.names, -1
        overloads = chooser(self._family, self._lookup, self._values)
        for (caller, name, receiver, line), shapes in calls:
            if name not in names and name not in EXPLICIT:
                continue
            if caller != at:
                at, self._scopes = caller, self._chain(caller)
            self._names.arguments, self._names.is_bare = shapes, receiver[:1] in {"", IMPLIED}
            found = self._found(caller, receiver, name)
            is_explicit = not receiver and name in EXPLICIT
            targets, tier = overloads.chosen(first + caller, found, shapes, is_explicit=is_explicit)
            for target in targets:
                graph.add(first + caller, target, tier, line)

    def _found(self, caller: int, receiver: str, name: str) -> Found:
        if receiver[:1] == IMPLIED:
            found = self._found(caller, receiver[1:], name)
            return found if found[0] and found[1] < Tier.CALLS_UNIQUE_NAME else self._found(caller, "", name)
        found = self._on_receiver(caller, receiver, name) if receiver else self._bare(caller, name)
        return self._extensions.instead(found, self._first + caller, receiver, name) if self._extensions else found

    def found(self, caller: int, receiver: str, name: str) -> Found:
        """Return what a call would lead to."""
        self._names.receiver, self._names.arguments, self._scopes = receiver, "", self._chain(caller)
        return self._found(caller, receiver, name)

    def _chain(self, caller: int) -> tuple[int, ...]:
        """Return the definitions around a call that can bind local names, innermost first; often none."""
        chain = self._chains.get(caller)
        if chain is None:
            tables, first = self._tables, self._first
            links, node = [], first + caller
            while tables.parents[node] >= 0:
                binds = node - first in self._bindings or node in tables.children or tables.is_closed(node, "_")
                if binds and (tables.kinds[node] in SCOPE_KINDS or tables.kinds[node] in self._callback_kinds):
                    links.append(node - first)
                node = tables.parents[node]
            chain = self._chains[caller] = tuple(links)
        return chain

    def _bare(self, caller: int, name: str) -> Found:
        if self._is_java:
            found = self._nesting.bare(self._first + caller, name)
            return found or self._named(self._lookup.visible(self._file, name), name)
        first, children = self._first, self._tables.children
        for scope in self._scopes:
            node = children.get(first + scope, _NO_MEMBERS).get(name)
            if node is not None and self._lookup.literals.is_local(node, first + scope):
                return (node,), Tier.CALLS_IN_SCOPE
            bound = self._bindings.get(scope, _NO_BINDINGS).get(name, "")
            if (bound[:1] == "=" or (self._family == "python" and bound not in {"", name})) and bound != f"={name}":
                return same_as(self._lookup, self._values.of_bound(first + scope, bound))
            if bound and (self._family == "ecmascript" or (self._family == "lua" and bound[0] != "=")):
                return NOTHING
        if self._family == "c":
            own = self._own_member(caller, name)
            if own[0] and self._tables.name_of(self._tables.class_of(first + caller) or 0) != name:
                return own
        if self._has_own_first and (around := self._lookup.member_around(first + caller, name)) >= 0:
            return (around,), Tier.CALLS_ON_SELF
        found = self._bare_at_top.get(name)
        if found is None:
            found = self._named(self._lookup.called(self._file, name), name)
            found = found if found[0] else same_as(self._lookup, self._values.variables.of(self._file, name))
            self._bare_at_top[name] = found
        found = self._names.taking(found, first + caller, name)
        if found[0] or self._family in _NO_OWN_MEMBERS:
            return found if found[0] else self._names.of_all_files(name)
        found = self._names.in_module(first + caller, name)
        return found if found[0] else self._bare_in_class(caller, name)

    def _bare_in_class(self, caller: int, name: str) -> Found:
        """Resolve what only a class around the call explains: ``cls()``, and Java's calls on an unwritten ``this``."""
        if self._family in IMPLICIT_SELF:
            found = self._on_self(caller, name) if self._family == "java" else self._own_member(caller, name)
            if found[0] or self._family not in GLOBAL_FAMILIES:
                return found
            few, owner = self._names.functions(name), self._tables.class_of(self._first + caller)
            if self._family == LABELLED:
                return self._named(few[0][0], name) if len(few[0]) == 1 else few
            # What a module of Ruby calls, it may get from the classes it is mixed into.
            is_mixed = self._family == "ruby" and owner is not None and self._tables.kinds[owner] == "trait"
            return self._names.find(name) if is_mixed and not few[0] else few
        node = self._first + caller
        owner = self._tables.class_of(node) if name in _OWN_CLASS else None
        return ((owner,), Tier.CALLS_ON_SELF) if owner is not None and owner != node else NOTHING

    def _own_member(self, caller: int, name: str) -> Found:
        owner = self._tables.class_of(self._first + caller)
        node = self._lookup.concerns.said_to_self(owner, name, self._first + caller) if owner is not None else UNKNOWN
        return ((node,), Tier.CALLS_ON_SELF) if node >= 0 else NOTHING

    def _named(self, node: int, name: str) -> Found:
        """Return the edge to a name found at the top of the file."""
        node = self._lookup.literals.meant(node)
        if node >= 0 and self._tables.kinds[node] == "macro":
            node = self._lookup.behind_macro(self._file, node, name)
        if node < 0 or self._tables.parents[node] < 0:
            return NOTHING
        if self._family == "lua" and self._tables.kinds[node] == "variable":
            return same_as(self._lookup, self._values.variables.of(self._file, name))
        return self._behind(node) or ((node,), _NAMED_TIERS[self._lookup.nearness(self._file, node, name)])

    def _on_receiver(self, caller: int, receiver: str, name: str) -> Found:
        if receiver in self._self_names:
            return self._on_self(caller, name)
        if self._is_java or (self._family in SPELLED and ("(" in receiver or "{" in receiver)):
            call = (self._first + caller, receiver, name)
            value = self._nesting.written(*call[:2]) if self._is_java else spelled(self._lookup, self._values, call)
            if value is not None:
                return self._on_value(
                    value, name, Tier.CALLS_ON_ATTRIBUTE if self._family == "c" else Tier.CALLS_ON_TYPE
                )
            receiver = without_arrows(receiver) if self._family == "c" else receiver
        if self._is_of_file(receiver):
            if (found := self._at_top.get(key := (receiver, name))) is None:
                found = in_literal(self._lookup, self._file, key, self._on_expression(caller, receiver, name))
                self._at_top[key] = found
            return found
        return self._on_expression(caller, receiver, name)

    def _is_of_file(self, receiver: str) -> bool:
        """Whether a receiver means the same everywhere in the file."""
        is_own = self._has_implicit_self or receiver.startswith(_OF_OBJECTS)
        if is_own or not self._scopes:
            return not is_own
        if not receiver.isidentifier():
            if (first := _FIRST.match(receiver)) is None or "(" in receiver:
                return False
            receiver = first[0]
        children, bindings, base = self._tables.children, self._bindings, self._first
        for scope in self._scopes:
            if receiver in bindings.get(scope, _NO_BINDINGS) or receiver in children.get(base + scope, _NO_MEMBERS):
                return False
        return 0 in self._tables.open_scopes(base, self._scopes, receiver)

    def _on_self(self, caller: int, name: str) -> Found:
        owner = self._tables.class_of(self._first + caller)
        if owner is None or self._tables.kinds[owner] not in CLASS_KINDS:
            return self._on_own_object(caller, name) if self._family == "ecmascript" else self._names.of_trait(name)
        node = self._lookup.concerns.said_to_self(owner, name, self._first + caller)
        if node >= 0:
            return self._behind(node) or ((node,), Tier.CALLS_ON_SELF)
        if (bound := self._values.attribute(owner, name)) is not None:
            return same_as(self._lookup, bound)
        return self._names.of_self(owner, name)

    def _on_own_object(self, caller: int, name: str) -> Found:
        """Resolve a method of the object literal, or of the function with a prototype, that a call stands in."""
        first = self._first + caller
        scope, bound = self._bound("this")
        if bound:
            return self._on_value(self._values.of_bound(self._first + scope, bound), name, Tier.CALLS_ON_TYPE)
        owner = self._lookup.literals.around(first)
        node = self._lookup.literals.member(owner, name) if owner is not None else UNKNOWN
        return ((node,), Tier.CALLS_ON_SELF) if node >= 0 and self._tables.parents[node] >= 0 else NOTHING

    def _on_super(self, caller: int, name: str) -> Found:
        owner = self._tables.class_of(self._first + caller)
        node = said_to_super(self._lookup, owner, name, self._first + caller) if owner is not None else UNKNOWN
        return ((node,), Tier.CALLS_ON_SELF) if node >= 0 else NOTHING

    def _on_expression(self, caller: int, receiver: str, name: str) -> Found:
        # Half of all receivers are one name.
        is_path, parts = receiver == ABOVE and self._family == "rust", [receiver]
        if not is_path and receiver.startswith("super") and _SUPER.fullmatch(receiver):
            return self._on_super(caller, name)
        if not receiver.isidentifier():
            if not _PLAIN.fullmatch(receiver):
                return self._on_result(caller, receiver, name)
            is_path, cleaned = "::" in receiver, receiver.replace("::", ".").replace("?", "").replace("!", "")
            parts = [part for part in cleaned.split(".") if part]
            if not parts:
                return self._names.at_top(name)
        if parts[0] in self._self_names and not (is_path and parts[0] == "self"):
            owner = self._tables.class_of(self._first + caller)
            if owner is None and self._family == "ecmascript":
                value = self._values.of(self._first + caller, ".".join(parts))
                return self._on_value(value, name, Tier.CALLS_ON_ATTRIBUTE)
            return self._on_attribute(owner, parts[1:], name)
        scope, bound = self._bound(parts[0]) if not is_path else (0, "")
        if bound:
            value = self._values.walk(self._values.of_bound(self._first + scope, bound), parts[1:])
            is_typed = len(parts) == 1 and bound[0] not in "=(" and bound[-1] != ")"
            return self._on_value(value, name, Tier.CALLS_ON_TYPE if is_typed else Tier.CALLS_ON_ATTRIBUTE)
        if self._family in IMPLICIT_SELF and not is_path:
            for owner in self._tables.classes_around(self._first + caller):
                if self._values.behind(owner, parts[:1]) is not None:
                    return self._on_attribute(owner, parts, name)
                if not self._is_java:
                    break
        found = self._on_qualified(caller, parts, name)
        # What a path begins with is no local variable.
        return NOTHING if is_path and found[1] >= Tier.CALLS_UNIQUE_NAME else found

    def _on_result(self, caller: int, receiver: str, name: str) -> Found:
        """Resolve a method of what a call returns, or of what several bounds know."""
        if is_foreign(self._tables, self._file, receiver):
            return self._names.of_outside(name)
        if "&" in receiver:
            bounds = [self._on_expression(caller, one, name) for one in receiver.split("&")]
            return next((one for one in bounds if one[0]), NOTHING)
        expression = plain_expression(receiver.replace("::", ".").replace("?", "").replace("!", ""))
        if not expression:
            return self._names.find(name)
        is_made = _NEW.match(expression) and makes_by_word(self._tables, self._first + caller, expression)
        expression = expression.removeprefix("new") if is_made else expression
        made = (self._lookup, self._values, self._first + caller, expression)
        value = of_made(*made) if is_made and self._has_own_first else self._values.of(*made[2:])
        if value is None and is_made and self._family == "ecmascript" and is_capitalised(expression):
            # Whatever the language itself makes: ``new Set()``.
            return NOTHING
        if value is None and self._has_own_first and is_made_elsewhere(self._tables, self._family, expression):
            return self._names.of_outside(name)
        tier = Tier.CALLS_ON_TYPE if is_capitalised(expression) else Tier.CALLS_ON_ATTRIBUTE
        return self._on_value(value, name, tier)

    def _bound(self, name: str) -> tuple[int, str]:
        """Return (where, what a name is bound to) as the facts say it for the call at hand; empty when they do not."""
        for scope in self._tables.open_scopes(self._first, self._scopes, name):
            bound = self._bindings.get(scope, _NO_BINDINGS).get(name)
            if bound is not None and (bound[0] != BY_NAME_ALONE or self._values.of_bound(self._first + scope, bound)):
                return scope, bound if bound not in {name, f"={name}"} else ""
        return 0, ""

    def _on_attribute(self, owner: int | None, parts: list[str], name: str) -> Found:
        """Follow ``.a.b`` from an object of a class through what its attributes are bound to."""
        if owner is None:
            return self._names.find(name) if self._family == "ruby" else self._names.of_trait(name)
        return self._on_value(self._values.behind(owner, parts), name, Tier.CALLS_ON_ATTRIBUTE)

    def _on_value(self, value: Value | None, name: str, tier: int) -> Found:
        """Resolve a method of something known, or of nothing known."""
        if value is None:
            return self._names.find(name)
        if value.either:
            return on_either(self._lookup, value.either, lambda one: self._on_value(one, name, tier))
        node = (value := of_enum(self._tables, value)).node
        if node < 0 or value.wraps.removeprefix(GUARD) or value.inside:
            # Bound, but to nothing of this repository: its methods are not ours.
            return self._names.of_outside(name)
        for other in value.others:
            if (found := self._on_type(other, name, tier))[0]:
                return found
        if value.is_object and self._tables.kinds[node] in SCOPE_KINDS:
            made = self._values.variables.made(node, name)
            return same_as(self._lookup, made) if made is not None else self._names.find(name)
        if not self._has_members(node):
            return self._names.find(name)
        found = self._on_type(node, name, tier if value.is_object else Tier.CALLS_QUALIFIED)
        if not found[0] and (self._lookup.points_anywhere(node) or self._lookup.literals.is_object(node)):
            return self._names.find(name)
        if found[0] or self._tables.kinds[node] not in CLASS_KINDS:
            return found
        if (found := same_as(self._lookup, self._values.attribute(node, name)))[0]:
            return found
        is_asked = value.is_told or (value.is_object and self._lookup.has_anything(node))
        return self._names.find(name) if is_asked else self._names.of_trait(name)

    def _behind(self, node: int) -> Found | None:
        """Return the edge to what a name of Python is given, ``find = search``; None where that is not known."""
        if self._family != "python" or self._tables.kinds[node] not in _GIVEN:
            return None
        found = same_as(self._lookup, self._values.defined(node), is_named=True)
        return found if found[0] not in {(), (node,)} else None

    def _has_members(self, node: int) -> bool:
        tables = self._tables
        return tables.parents[node] < 0 or tables.kinds[node] in _HOLDERS or self._lookup.literals.is_object(node)

    def _on_qualified(self, caller: int, parts: list[str], name: str) -> Found:
        """Resolve ``module.f``, ``Class.m`` and ``package.module.Class.m``."""
        lookup, tables, node, first = self._lookup, self._tables, UNKNOWN, self._first
        for scope in self._scopes:
            local = tables.children.get(first + scope, _NO_MEMBERS).get(parts[0])
            if local is not None and self._lookup.literals.is_local(local, first + scope):
                node = lookup.walk(local, parts[1:])
                break
        else:
            node = holder_inside(lookup, first + caller, parts)
            # A class of PHP may be called like the namespace that others stand in, functions too.
            is_php, known = self._family == "php", tables.kinds[node] if node >= 0 else ""
            made = lookup.dotted(self._file, [*parts, name]) if is_php or parts == ["Object"] else UNKNOWN
            called = self._nesting.of_path(self._file, parts, name) if self._is_java and node < 0 else ()
            meant = _MEANT if is_php and known not in CLASS_KINDS else CLASS_KINDS
            if called or (made >= 0 and tables.kinds[made] in meant):
                return self._names.taking((called or (made,), Tier.CALLS_QUALIFIED), first + caller, name)
        if node >= 0 and self._has_members(node) and tables.kinds[node] not in VALUE_KINDS:
            return self._on_type(node, name, Tier.CALLS_QUALIFIED)
        is_known_around = self._family == "java" and not self._is_java
        if node >= 0 or is_known_around or any(each in tables.variables or each in tables.attributes for each in parts):
            value = self._values.of(first + caller, ".".join(parts))
            if value is not None and (value.node >= 0 or self._family in _TYPED):
                return self._on_value(value, name, Tier.CALLS_ON_ATTRIBUTE)
        behind = self._names.behind(parts, name) if node == UNKNOWN else self._names.find(name)
        return NOTHING if node == EXTERNAL else behind

    def _on_type(self, owner: int, name: str, tier: int) -> Found:
        tables, said_to = self._tables, self._lookup.concerns.said_to
        if (node := inside(self._lookup, self._file, owner, name)) >= 0:
            return (node,), tier
        node = self._lookup.literals.meant(said_to(owner, name, is_class=tier == Tier.CALLS_QUALIFIED))
        if node == UNKNOWN and tables.parents[owner] < 0:
            file, variables = tables.file_of[owner], self._values.variables
            if (whole := variables.exported(file)) is not None:
                return self._on_value(whole, name, tier)
            return same_as(self._lookup, variables.of(file, name)) if self._family == "python" else NOTHING
        if node == UNKNOWN and self._family == "ecmascript" and tables.kinds[owner] in CLASS_KINDS:
            return same_as(self._lookup, self._values.attribute(owner, name))
        return self._behind(node) or ((node,), tier) if node >= 0 and tables.parents[node] >= 0 else NOTHING
