"""Functions that stand outside a type and are called like its methods: C#'s and Kotlin's extensions."""

import re
from collections.abc import Sequence

from ctxcode.codegraph.edges import Tier
from ctxcode.codegraph.extract.arguments import JAVA_NAMES
from ctxcode.codegraph.extract.expressions import plain_expression
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Candidates, Found
from ctxcode.codegraph.resolve.named.common_names import given_functions, is_common
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, Value
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, EXTENSION, MOST_OVERLOADS, Tables, is_extension
from ctxcode.codegraph.resolve.targets import UNKNOWN

EXTENDING = frozenset({"csharp", "kotlin"})
_MOST_ASKED = 6
_ANYTHING = frozenset({"T", "Object"})
_BUILT_IN = re.compile(
    r"""["'@$\d]|(?:typeof|nameof|sizeof|default)\(|(?:string|char|bool|object|byte|sbyte|u?(?:int|long|short)|float"""
    r"""|double|decimal)(?=\.|\?|\[|\Z)"""
)
"""Receivers of the language's own types."""


_HOLDING = re.compile(
    r"T(?:[A-Z]\w*)?|[A-Z]|I?(?:Array|Async|Atomic|Blocking|Concurrent|Copy|Completable|Hash|Immutable|Keyed|Linked|List"
    r"|Mutable|Navigable|ObjectModel|Observable|On|Ordered|Priority|Read|Only|Shared|Soft|Sorted|State|Tree|Value|Weak|Write)*"
    r"(?:Array|Bag|Callable|Collection|Comparable|Deferred|Deque|Dictionary|Enumerable|Enumerator|Enumeration|Flow|Func"
    r"|Future|Grouping|Iterable|Iterator|KeyValuePair|Lazy|List|LiveData|Lookup|Map|Memory|Optional|Provider|Queryable"
    r"|Queue|Reference|Segment|Sequence|Set|Span|Stack|State|Stream|Supplier|Task|Vector)"
)
"""What something may be called that holds others: by a language, or as a type parameter."""
_NEW = re.compile(r"\Anew(?=[A-Z_])")
_MADE = re.compile(r"([^\W\d_]\w*)\(\)")


def is_made_elsewhere(tables: Tables, family: str, expression: str) -> bool:
    """Whether an expression is an object, made or cast to, of a type that no file here has: ``ArrayList()``."""
    made = _MADE.fullmatch(expression)
    return made is not None and made[1][0].isupper() and not tables.is_defined(family, made[1])


class Extensions:
    """Chooses among the extensions that a file can see."""

    def __init__(self, lookup: Lookup, values: Values, candidates: Candidates, file: int) -> None:
        self._lookup = lookup
        self._values = values
        self._tables = lookup.tables
        self._candidates = candidates
        self._file = file
        self._is_csharp = lookup.tables.families[file] == "csharp"

    def instead(self, found: Found, caller: int, receiver: str, name: str) -> Found:
        """Return what a call means, given what was found without extensions.

        What is only known by its name is no extension that the file does not see.
        """
        targets, tier = found
        if not receiver:
            return found if targets or self._is_csharp else self._bare(caller, name)
        if targets and tier < Tier.CALLS_UNIQUE_NAME:
            return found
        seen, value = self._inside(caller, name) or self._seen(name), self._receiver(caller, receiver)
        if seen and value is None and self._is_method(name):
            return found
        fitting = [node for node in seen if self._fits(node, value)]
        if value is not None and (value.node < 0 or value.wraps) and is_common(self._tables.families[self._file], name):
            # What the type itself has under the name comes first, as long as it is not the one that is extended.
            written = self._written(caller, receiver)
            fitting = [node for node in fitting if not written or written == self._extended(node)]
        if fitting:
            return tuple(fitting), Tier.CALLS_ON_ATTRIBUTE if value is None else Tier.CALLS_ON_TYPE
        if not targets or value is not None:
            return found if value is None or value.either else NOTHING
        left = tuple(node for node in targets if not is_extension(self._tables, node))
        return (left, tier) if left else NOTHING

    def _bare(self, caller: int, name: str) -> Found:
        """Return what a file sees of a name that stands alone.

        In a class, which need not be what is extended, a function may be meant that the language brings along.
        """
        seen, is_given = self._seen(name), name in given_functions("kotlin")
        is_doubtful = is_given and self._tables.class_of(caller) is not None
        return (tuple(seen), Tier.CALLS_UNIQUE_NAME if is_doubtful else Tier.CALLS_ON_ATTRIBUTE) if seen else NOTHING

    def _is_method(self, name: str) -> bool:
        """Whether some type has a method of a name, so that an extension need not be meant."""
        methods = self._candidates.methods(self._tables.families[self._file], name, is_aside=False)
        return any(not is_extension(self._tables, node) for node in methods[:_MOST_ASKED])

    def _inside(self, caller: int, name: str) -> Sequence[int]:
        """Return what the innermost class around a call of Kotlin that does so extends other types with."""
        tables = self._tables
        for owner in () if self._is_csharp else tables.classes_around(caller):
            node = self._lookup.member(owner, name)
            nodes = tables.overloads.get(node, [node]) if node >= 0 else ()
            extending = [each for each in nodes if is_extension(tables, each) and self._stands_inside(each)]
            if extending:
                return extending
        return ()

    def _stands_inside(self, node: int) -> bool:
        """Whether a function stands in the class that it is a member of, which it need not extend."""
        tables = self._tables
        file, parent = tables.file_of[node], tables.parents[node]
        symbols, first = tables.facts[file].symbols, tables.first_node[file]
        own, around = symbols[node - first], symbols[parent - first]
        is_around = around.start_line <= own.start_line and own.end_line <= around.end_line
        return is_around and tables.kinds[parent] in CLASS_KINDS and node not in tables.owners

    def _seen(self, name: str) -> Sequence[int]:
        tables, key = self._tables, f"{EXTENSION}{name}"
        fact = tables.imports[self._file].get(name)
        if fact is not None and fact.name:
            node = self._lookup.import_target(self._file, fact._replace(name=f"{EXTENSION}{fact.name}"))
        else:
            node = self._lookup.visible(self._file, key)
        if node < 0:
            return ()
        nodes = tables.extensions.get(node, [node])
        return nodes if len(nodes) <= MOST_OVERLOADS else ()

    def _receiver(self, caller: int, receiver: str) -> Value | None:
        """Return what is known of a receiver."""
        if _BUILT_IN.match(receiver):
            return OUTSIDE
        expression = plain_expression(receiver.replace("?", "").replace("!", ""))
        expression = _NEW.sub("", expression) if self._is_csharp else expression
        if is_made_elsewhere(self._tables, self._tables.families[self._file], expression):
            return OUTSIDE
        found = self._values.of(caller, expression) if expression else None
        return found if found is not None and (found.is_object or found.node < 0) else None

    def _fits(self, node: int, value: Value | None) -> bool:
        """Whether a function extends what a receiver is."""
        if value is None:
            return True
        written = self._extended(node)
        if written in _ANYTHING:
            return True
        wanted = UNKNOWN if written in JAVA_NAMES.values() else self._lookup.type_in(node, written)
        if value.wraps:
            return wanted < 0 and _HOLDING.fullmatch(written) is not None
        if value.node < 0:
            return wanted < 0
        return wanted in self._lookup.mro(value.node) if wanted >= 0 else self._lookup.is_open(value.node)

    def _extended(self, node: int) -> str:
        """Return the type that a function extends, as it is written."""
        return self._tables.parameters_of(node).partition(",")[0].removeprefix("this ")

    def _written(self, caller: int, receiver: str) -> str:
        """Return a receiver's type as it is written, if it is declared or made by that name; else nothing."""
        tables, node = self._tables, caller
        made = _MADE.match(_NEW.sub("", receiver))
        if made is not None:
            return made[1]
        first = tables.first_node[self._file]
        while tables.parents[node] >= 0:
            bindings = tables.bindings[self._file].get(node - first, {})
            bound = bindings.get(receiver) or bindings.get(f"self.{receiver}")
            if bound is not None:
                return bound.partition("&")[0].partition("<")[0].rpartition(".")[2]
            node = tables.parents[node]
        return ""
