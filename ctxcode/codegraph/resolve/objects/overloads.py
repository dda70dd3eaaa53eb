"""Which overloads of Java, Kotlin, Scala or C# a call means: by its number of arguments, then by their types."""

from typing import NamedTuple

from ctxcode.codegraph.edges import MOST_CANDIDATES, Tier
from ctxcode.codegraph.extract.arguments import ANY_ARGUMENTS, JAVA_NAMES, NO_ARGUMENTS
from ctxcode.codegraph.resolve.java.inherited import is_passed_on, without_overridden
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import Found
from ctxcode.codegraph.resolve.named.parts import is_part, other_parts
from ctxcode.codegraph.resolve.objects.declared import Declarations
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, MOST_OVERLOADS, takes
from ctxcode.codegraph.resolve.targets import UNKNOWN

_WIDTHS = {"byte": 1, "short": 2, "char": 2, "int": 3, "long": 4, "float": 5, "double": 6}
_BOXES = {
    "byte": "Byte", "short": "Short", "char": "Character", "int": "Integer", "long": "Long", "float": "Float",
    "double": "Double", "boolean": "Boolean",
}  # fmt: skip
_PRIMITIVES = frozenset(_BOXES)
_UNSIGNED = frozenset({"uint", "ulong", "ushort", "decimal"})
"""Types of C# that a number can be, too."""
_CLOSED = frozenset({"String", "Class", *_BOXES.values()})
"""Types of the language that are nothing but themselves and what stands in ``_ABOVE``."""
_ABOVE = frozenset({"Object", "Comparable", "Serializable", "Constable", "CharSequence", "Number", "Type", "T", "E"})
_FUNCTIONS = frozenset({"method", "function"})
_LONGEST_PARAMETER = 2
"""Names as short as these are type parameters, which can be anything."""
_EXACT, _NEAR, _POSSIBLE, _LAST, _IMPROBABLE, _BOXED = 16, 10, 6, 4, 2, 1
"""How well an argument fits a parameter: the same type, what it inherits from, perhaps, as anything, hardly, once
converted."""
_THROWN = ("Throwable", "Exception", "Error")
"""How what can be thrown ends."""
_GATHERED = ("Iterable", "Collection", "List", "Set", "Queue", "Deque")
"""How the language's collections end."""
_RETURNED = {
    "String": "toString substring trim toLowerCase toUpperCase concat replace replaceAll repeat getName getSimpleName "
    "getMessage format lineSeparator name join nameof ToString Substring",
    "int": "length size indexOf lastIndexOf hashCode intValue compareTo compare ordinal parseInt GetHashCode",
    "long": "longValue currentTimeMillis nanoTime getTime lastModified toMillis",
    "double": "doubleValue",
    "boolean": "equals isEmpty contains startsWith endsWith containsKey hasNext equalsIgnoreCase matches booleanValue",
    "char": "charAt charValue",
    "char[]": "toCharArray",
    "byte[]": "getBytes toByteArray",
    "[]": "toArray",
    "Class": "getClass",
    "Type": "typeof GetType",
    "Path": "toPath",
    "File": "toFile getAbsoluteFile getParentFile",
}
"""Types to the methods that give them, ``[]`` for an array of nobody says what."""
_CONSTANTS = frozenset({"MAX_VALUE", "MIN_VALUE", "NaN", "NEGATIVE_INFINITY", "POSITIVE_INFINITY"})
"""What classes of the language's numbers hold that is such a number."""
_BARE = frozenset({"GetType()", "nameof()", "typeof()"})
"""What C# calls on nothing."""
_METHODS = {name: written for written, names in _RETURNED.items() for name in names.split()}
"""What well-known methods of the language's own types return."""


class _Type(NamedTuple):
    """A type as written, and what it means in the repository."""

    name: str
    node: int


_NOTHING_KNOWN = _Type("", UNKNOWN)
_NO_BINDINGS: dict[str, str] = {}


class Overloads:
    """Chooses among methods of one name in a class and what it inherits from."""

    def __init__(self, lookup: Lookup, values: Values) -> None:
        self._lookup = lookup
        self._values = values
        self._declarations = Declarations(lookup, values)
        self._tables = lookup.tables
        self._known: dict[int, list[int]] = {}
        """Methods to those of their name with what their class inherits."""

    def meant(self, caller: int, node: int, arguments: str) -> tuple[list[int], bool]:
        """Return the methods a call can mean, given the one found by name, and whether they take so many arguments.

        That one where nothing tells. What no method takes means something else: these are guesses. What Scala's
        functions give can be called, too, and some of what they take is given by nobody.
        """
        nodes = self._tables.overloads.get(node)
        if not arguments or self._tables.kinds[node] not in _FUNCTIONS:
            return [node], True
        if arguments == ANY_ARGUMENTS:
            return nodes or [node], True
        given = given_shapes(arguments)
        owner = self._tables.parents[node]
        is_open, is_whole = (
            self._lookup.is_open(owner),
            not is_part(self._tables, owner, self._lookup.base_names(owner)),
        )
        is_java = self._tables.facts[self._tables.file_of[caller]].language == "java"
        is_told = is_open and is_java
        if is_java and not given and self._tables.name_of(node) == "getClass":
            # Every object has that, and no class another one.
            return [node] if self._tables.takes(node, 0) else [], True
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._inherited(node, nodes or [node])
        is_alone = nodes is None and (not is_java or len(known) == 1)
        if is_alone and not is_told and is_whole and self._tables.takes(node, len(given)):
            return [node], True
        best = self._best(caller, known, given, are_fitting=is_told)
        best = without_overridden(self._tables, best) if is_java and 1 < len(best) <= MOST_OVERLOADS else best
        # With a base nobody sees, what takes these arguments can be that one's.
        if best or is_open:
            return best, True
        return known, self._tables.facts[self._tables.file_of[node]].language == "scala"

    def constructors(self, caller: int, owner: int, arguments: str) -> list[int]:
        """Return what makes an object of a class; the class where it says nothing of that."""
        parts = [owner, *other_parts(self._tables, owner, self._lookup.base_names)]
        nodes = [each for part in parts for each in self._tables.constructors.get(part, ())]
        if not nodes:
            return [owner]
        return self._best(caller, nodes, given_shapes(arguments)) or [owner]

    def chosen(self, caller: int, found: Found, arguments: str, *, is_explicit: bool) -> Found:
        """Return which of the overloads of what was found a call means; ``is_explicit`` for ``this()``, ``super()``."""
        targets, tier = found
        if not targets or (tier >= Tier.CALLS_UNIQUE_NAME and len(targets) > 1):
            return found
        if self._tables.kinds[targets[0]] == "field":
            # What gives it nobody wrote.
            return targets, max(tier, Tier.CALLS_ON_ATTRIBUTE)
        is_taken = True
        if len(targets) > 1:
            is_said = arguments not in {"", ANY_ARGUMENTS}
            meant = self._best(caller, list(targets), given_shapes(arguments)) if is_said else [*targets]
        elif is_explicit:
            meant = self.constructors(caller, targets[0], arguments)
        else:
            meant, is_taken = self.meant(caller, targets[0], arguments)
        tier = tier if is_taken else max(tier, Tier.CALLS_UNIQUE_NAME)
        if len(meant) > 1:
            tier = Tier.CALLS_ONE_OF_TWO + len(meant) - 2
        return (tuple(meant), tier) if len(meant) <= MOST_CANDIDATES else ((), tier)

    def _inherited(self, node: int, nodes: list[int]) -> list[int]:
        """Return methods with those of the same name that their class inherits, without what is overridden."""
        tables = self._tables
        name, found = tables.name_of(node), list(nodes)
        # What an override lets be left out is no other parameter.
        known = {tables.parameters_of(each) for each in found}
        known |= {written.replace("=", "") for written in known}
        for base in self._lookup.mro(tables.parents[node])[1:]:
            other = tables.children.get(base, {}).get(name)
            if other is None or tables.kinds[other] != "method":
                continue
            for each in tables.overloads.get(other, (other,)):
                if self._tables.parameters_of(each) not in known and is_passed_on(tables, each, node):
                    known.add(self._tables.parameters_of(each))
                    found.append(each)
        return found

    def _best(self, caller: int, nodes: list[int], given: list[str], *, are_fitting: bool = False) -> list[int]:
        """Return those of the methods that take the arguments best; all where there are too many to choose from.

        By their types perhaps none takes them, which counts for those that ``are_fitting``.
        """
        if len(nodes) > MOST_OVERLOADS:
            return nodes
        taking = [node for node in nodes if takes(self._parameters_of(node), len(given))]
        if len(taking) < 2 and not (taking and are_fitting):
            return taking
        types = [self._argument(caller, shape) for shape in given]
        scores = [self._score(node, types) for node in taking]
        most = max(scores)
        if are_fitting and not most[0]:
            return []
        best = [node for node, score in zip(taking, scores, strict=True) if score == most]
        is_told = all(of.name and (of.node < 0 or not self._lookup.is_open(of.node)) for of in types)
        if len(best) > 1 or not most[1] or is_told:
            return best
        fitting = [node for node, score in zip(taking, scores, strict=True) if score[0] and score != most]
        return best + [node for node in fitting if self._is_rival(node, best[0], types)]

    def _is_rival(self, node: int, best: int, types: list[_Type]) -> bool:
        """Whether a method takes what is known as well as the best, and for what is not wants another type."""
        wanted, other = ([each.rstrip("=") for each in self._parameters_of(at).split(",")] for at in (node, best))
        if not len(types) == len(wanted) == len(other) or wanted[-1].endswith("..."):
            return False
        rows = [row for row in zip(types, wanted, other, strict=True) if row[1] != row[2]]
        unseen = [row for row in rows if row[0].node >= 0 and self._is_by_unseen(row[0], row[2], best)]
        if any(row not in unseen and self._fits(row[0], row[1], node) < _POSSIBLE for row in rows):
            return False
        return any(not _is_anything(name) for _, name, _ in unseen) or any(
            not of.name and not {name, of_best} & _PRIMITIVES
            for of, name, of_best in rows
            if not _is_anything(name) and not _is_anything(of_best)
        )

    def _is_by_unseen(self, of: _Type, name: str, node: int) -> bool:
        """Whether an object fits a parameter by nothing but what its class inherits that nobody sees.

        That is as likely a type of the outside as one of the repository.
        """
        wanted = self._lookup.type_in(node, name)
        return wanted >= 0 and wanted not in self._lookup.mro(of.node)

    def _parameters_of(self, node: int) -> str:
        """Return the types of a method's parameters as written."""
        return self._tables.parameters_of(node)

    def _score(self, node: int, types: list[_Type]) -> tuple[bool, bool, int]:
        """Return how well arguments fit a method: whether at all, whether one to one, and the sum of each."""
        written = self._parameters_of(node)
        names = [each.rstrip("=") for each in written.split(",")] if written else []
        if names and names[0].startswith("this "):
            names = names[len(names) > len(types) :]
            names[:1] = [each.removeprefix("this ") for each in names[:1]]
        is_variable = written.endswith("...")
        total, spreads, is_sure = 0, is_variable, True
        if is_variable:
            whole, part = names[-1].replace("...", "[]"), names[-1].removesuffix("...")
            if len(types) == len(names) and types[-1].name.endswith("[]") and self._fits(types[-1], whole, node):
                names[-1], spreads = whole, False
            else:
                names[-1:] = [part] * (len(types) - len(names) + 1)
        for of, name in zip(types, names, strict=False):
            fit = self._fits(of, name, node)
            if not fit:
                return False, False, 0
            total += fit
            is_sure = is_sure and fit != _IMPROBABLE
        return True, is_sure and not spreads, total

    def _fits(self, of: _Type, name: str, node: int) -> int:
        """Return how well an argument fits a method's parameter, 0 for not at all."""
        if not of.name:
            return _POSSIBLE
        simple = name.rpartition(".")[2]
        if of.name.rpartition(".")[2] == simple:
            return _EXACT
        is_anything = _is_anything(simple)
        if of.name in _PRIMITIVES:
            return self._widened(of.name, simple) or (_LAST if is_anything else 0)
        if is_anything:
            return _LAST
        if of.name == "null":
            return 0 if name in _PRIMITIVES else _POSSIBLE
        if name in _PRIMITIVES:
            return _BOXED if _BOXES[name] == of.name else 0
        if of.name.endswith("[]") or name.endswith("[]"):
            return self._array(of, name, node)
        return self._class(of, simple, self._lookup.type_in(node, name))

    def _widened(self, name: str, wanted: str) -> int:
        """Return how well a primitive value fits another type."""
        if wanted in _WIDTHS:
            steps = _WIDTHS[wanted] - _WIDTHS.get(name, 9)
            return _EXACT - steps if steps > 0 and (wanted != "char") else 0
        if _BOXES[name] == wanted:
            return _BOXED + 1
        if name == "int" and wanted in _UNSIGNED:
            return _LAST
        return _BOXED if wanted in _ABOVE else 0

    def _array(self, of: _Type, name: str, node: int) -> int:
        if not (of.name.endswith("[]") and name.endswith("[]")):
            return 0
        inner, wanted = of.name.removesuffix("[]"), name.removesuffix("[]")
        if inner in _PRIMITIVES or wanted in _PRIMITIVES:
            return _EXACT if inner == wanted else 0
        fit = self._fits(_Type(inner, of.node), wanted, node)
        return max(fit, _NEAR) if fit else 0

    def _class(self, of: _Type, simple: str, wanted: int) -> int:
        """Return how well an object fits a parameter of a class or interface."""
        kinds = self._tables.kinds
        if of.name == "->":
            is_contract = wanted < 0 or kinds[wanted] in {"interface", "type", "trait"}
            return _POSSIBLE if is_contract and simple not in _CLOSED else 0
        if of.node >= 0 and wanted >= 0:
            if wanted in self._lookup.mro(of.node):
                return _NEAR
            return _LAST if self._lookup.is_open(of.node) and kinds[wanted] == "interface" else 0
        if of.name in _CLOSED:
            return _NEAR if wanted < 0 and simple in _ABOVE else 0
        if wanted >= 0:
            return _LAST if len(of.name) <= _LONGEST_PARAMETER else 0
        if of.node >= 0 and not self._lookup.is_open(of.node):
            return 0
        return 0 if simple in _CLOSED else self._outside(of, simple)

    def _outside(self, of: _Type, simple: str) -> int:
        """Return how well an object fits a parameter of a type that no file here has, by their names."""
        if of.name == "Object":
            return 0
        if of.node >= 0:
            above = {
                name.rpartition(".")[2] for link in self._lookup.mro(of.node) for name in self._lookup.base_names(link)
            }
            if simple in above:
                return _NEAR
        else:
            above = {of.name.rpartition(".")[2]}
        for endings in (_THROWN, _GATHERED):
            if simple.endswith(endings):
                return _POSSIBLE if any(name.endswith(endings) for name in above) else _IMPROBABLE
        return _POSSIBLE if simple in _ABOVE else _IMPROBABLE

    def _argument(self, caller: int, shape: str) -> _Type:
        """Return what is known of the type of an argument."""
        if shape in {"", "?"}:
            return _NOTHING_KNOWN
        if shape in {"null", "->"}:
            return _Type(shape, UNKNOWN)
        if shape[0] == ":":
            return self._named(caller, shape[1:])
        if shape == "this":
            return self._this(caller)
        if shape.endswith("[]"):
            of = self._argument(caller, shape[:-2])
            is_array = of.name.endswith("[]") and of.name != "[]"
            return self._named(caller, of.name[:-2]) if is_array else _NOTHING_KNOWN
        return self._of_expression(caller, shape)

    def _this(self, caller: int) -> _Type:
        """Return the type of the object a method belongs to; of a class without a name, what that inherits from."""
        tables, node = self._tables, caller
        while node >= 0 and tables.kinds[node] not in CLASS_KINDS:
            file = tables.file_of[node]
            bound = tables.bindings[file].get(node - tables.first_node[file], _NO_BINDINGS).get("super")
            if bound is not None:
                base = self._lookup.type_in(tables.parents[node], bound)
                return _Type(tables.name_of(base), base) if base >= 0 else _NOTHING_KNOWN
            node = tables.parents[node]
        return _Type(tables.name_of(node), node) if node >= 0 else _NOTHING_KNOWN

    def _named(self, scope: int, written: str) -> _Type:
        if self._tables.facts[self._tables.file_of[scope]].language != "java":
            written = JAVA_NAMES.get(written, written)
        simple = written.partition("[")[0]
        if len(simple) <= _LONGEST_PARAMETER and simple.isupper():
            return _NOTHING_KNOWN
        node = UNKNOWN if simple in _PRIMITIVES else self._lookup.type_in(scope, simple)
        return _Type(written, node)

    def _of_expression(self, caller: int, expression: str) -> _Type:
        found = self._declarations.of(caller, expression)
        if found is not None:
            scope, written = found
            if written[0] == "=" or written.endswith("()"):
                value = self._values.of_bound(scope, written)
                if value is None or value.node < 0 or not value.is_object or value.wraps:
                    return _NOTHING_KNOWN
                return _Type(self._tables.name_of(value.node), value.node)
            return self._named(scope, written.partition("<")[0])
        value = self._values.of(caller, expression)
        if value is None or value.node < 0:
            head, _, last = expression.rpartition(".")
            return _Type(written, UNKNOWN) if (written := self._of_language(head, last)) else _NOTHING_KNOWN
        node = value.node
        if self._tables.kinds[node] == "variant" and not value.wraps:
            node = self._tables.parents[node]
        elif not value.is_object or value.wraps:
            return _NOTHING_KNOWN
        return _Type(self._tables.name_of(node), node) if self._tables.kinds[node] in CLASS_KINDS else _NOTHING_KNOWN

    def _of_language(self, head: str, last: str) -> str:
        """Return the type of what the language's own types are known to give; empty for all else."""
        if last == "length":
            return "int"
        if last in _CONSTANTS:
            return next((name for name, box in _BOXES.items() if box == head), "")
        if last == "valueOf()" and head in _CLOSED:
            return head
        is_called = last.endswith("()") if head else last in _BARE
        return _METHODS.get(last.removesuffix("()"), "") if is_called else ""


def _is_anything(name: str) -> bool:
    """Whether anything fits a parameter of a type, that of all objects or a type parameter."""
    return name == "Object" or (len(name) <= _LONGEST_PARAMETER and name.isupper())


def given_shapes(arguments: str) -> list[str]:
    """Return what each of a call's arguments looks like."""
    return [] if arguments == NO_ARGUMENTS else arguments.split(",")
