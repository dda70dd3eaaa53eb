"""What can be known of an expression, and what the languages call the object a method belongs to."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ctxcode.codegraph.facts import ANYTHING, LIKE, PackedCalls
from ctxcode.codegraph.resolve.named.companions import APPLY
from ctxcode.codegraph.resolve.objects.wrappers import FUNCTION
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables
from ctxcode.codegraph.resolve.targets import EXTERNAL, UNKNOWN


class Value(NamedTuple):
    """What is known of an expression."""

    node: int
    """The class of an object, else the definition itself; EXTERNAL for what stands outside the repository."""
    is_object: bool
    wraps: str = ""
    """A sign for each wrapper around it, the outermost first: ``?``, and ``%`` for collections that have keys."""
    others: tuple[int, ...] = ()
    """More that a value of a Rust type parameter is: each trait that bounds it."""
    either: "tuple[Value, ...]" = ()
    """What it may be, all of it, where it is this or that; ``node`` is the first one's that is ours."""
    inside: str = ""
    """What a struct without a name is called inside of the definition that ``node`` is, ``{0}``."""
    given: tuple[tuple[int, str], ...] = ()
    """(where it is written, type) of what stands for each type parameter of a class of Java; empty for no type."""
    is_told: bool = False
    """Nothing but documentation says so: what its class has not, an heir of it may have."""


OUTSIDE = Value(EXTERNAL, is_object=True)
"""What the repository does not define."""
_MOST_EITHER = 5
VALUE_KINDS = frozenset({"constant", "variable", "type"})
DEEPEST = 20
"""Expressions that explain one another; a hostile chain ends here."""
MOST_BEHIND = 3
"""Parts behind what a path names that are taken for members: a variant's field, a function of a type."""


def either(values: Iterable[Value | None]) -> Value | None:
    """Return what is one of several things, without those of which nothing is known; None for none, and for many."""
    found = dict[Value, None]()
    for value in values:
        if value is not None:
            # Objects of one class are one thing, whatever types it is given.
            found.update(
                dict.fromkeys([one._replace(given=()) if one.given else one for one in value.either or (value,)])
            )
    if len(found) < 2 or len(found) > _MOST_EITHER:
        return next(iter(found), None) if len(found) == 1 else None
    first = next((value for value in found if value.node >= 0), None)
    return OUTSIDE if first is None else first._replace(either=tuple(found))


def one_of(said: Sequence[str], of: Callable[[str], Value | None], family: str) -> Value | None:
    """Return what is one of several things, by what is said of each: ANYTHING and LIKE among them.

    In families without types one of which nothing is known may be anything. In others these are several ways to read
    what is written.
    """
    values = [of(one) if one != ANYTHING else None for one in said if one != LIKE]
    found = either(values)
    is_doubtful = found is not None and None in values and family in _UNTYPED and LIKE not in said
    return (either([found, OUTSIDE]) or found) if is_doubtful else found


def made_by(tables: Tables, node: int) -> int:
    """Return the class of which a call of a definition makes an object; UNKNOWN for none."""
    if tables.kinds[node] in CLASS_KINDS:
        return UNKNOWN if _gives_other(tables, node) else node
    is_of_rust = tables.kinds[node] == "variant" and tables.families[tables.file_of[node]] == "rust"
    return tables.parents[node] if is_of_rust else UNKNOWN


def _gives_other(tables: Tables, node: int) -> bool:
    """Whether the object beside a class of Scala says that it gives something else to who calls their name."""
    beside, file = tables.companions.of(node), tables.file_of[node]
    giving = tables.children.get(beside, {}).get(APPLY, UNKNOWN) if beside >= 0 else UNKNOWN
    if giving < 0 or tables.facts[file].language != "scala":
        return False
    returns, first = tables.returns[file], tables.first_node[file]
    said = [returns.get(each - first, "") for each in tables.overloads.get(giving, [giving])]
    return any(one and one.partition("<")[0].rpartition(".")[2] != tables.name_of(node) for one in said)


_VARIANTS = frozenset({"python", "rust"})
"""Families in which a variant is known as such, and as an object where something is asked of it."""


def of_enum(tables: Tables, value: Value) -> Value:
    """Return the object of its enum that a variant of Rust or Python is; all else is what it is."""
    is_variant = value.node >= 0 and not value.is_object and tables.families[tables.file_of[value.node]] in _VARIANTS
    return (variant_of(tables, value.node) or value) if is_variant else value


def variant_of(tables: Tables, node: int) -> Value | None:
    """Return the object of its enum that a variant is, None for what is none."""
    is_variant = node >= 0 and tables.kinds[node] == "variant"
    return Value(tables.parents[node], is_object=True) if is_variant else None


def of_receiver(family: str, returned: str) -> str:
    """Return what a method gives if the object it is called on tells: ``self.make()``, which an heir may define."""
    said = returned.removeprefix("=")
    return said if said.startswith(_OF_RECEIVER.get(family, ("self.", "cls.", "this."))) else ""


def given_by_enum(tables: Tables, value: Value, part: str) -> Value | None:
    """Return what an enum itself gives that nobody writes, one of its values or all: ``valueOf("A")``, ``cases()``.

    In Python, where it is a class that has values, these are its objects, too, whatever they are given.
    """
    family, members = tables.families[tables.file_of[value.node]], tables.children.get(value.node)
    if family not in _GIVEN_BY_ENUMS or not members:
        return None
    if family == "python" and part in members:
        return variant_of(tables, members[part])
    name = part.partition("(")[0]
    wraps = _GIVEN_BY_ENUMS[family].get(name) if not value.is_object and name not in members else None
    if wraps is None:
        return None
    is_enum = tables.kinds[value.node] == "enum" or (
        family == "python" and any(tables.kinds[one] == "variant" for one in members.values())
    )
    return Value(value.node, is_object=True, wraps=wraps) if is_enum else None


def field_meant(tables: Tables, owner: int, name: str) -> str:
    """Return the field that a part of what Kotlin takes apart means, ``component2`` for the second; else the name."""
    place = name.removeprefix(_COMPONENT)
    if place == name or not place.isdecimal() or len(place) > 1:
        return name
    # What a class is made of stands before all else in it.
    node = owner + int(place)
    last = min(node + 1, len(tables.kinds))
    is_field = all(tables.kinds[one] == "field" and tables.parents[one] == owner for one in range(owner + 1, last))
    return tables.name_of(node) if owner < node < len(tables.kinds) and is_field else name


def is_asked_by_call(language: str, part: str) -> bool:
    """Whether a call asks for what an object keeps: of Java's records, Ruby's objects, and a part of Kotlin's."""
    return language in {"java", "ruby"} or part.startswith(_COMPONENT)


def function_given(tables: Tables, value: Value) -> str | None:
    """Return what a function gives whose type has a name, ``type Maker func() *Cart``; None for what is none."""
    if value.wraps or tables.kinds[value.node] != "type":
        return None
    file = tables.file_of[value.node]
    said = tables.returns[file].get(value.node - tables.first_node[file], "")
    return said[1:] if said[:1] == FUNCTION else None


def is_applied(tables: Tables, value: Value, scope: int) -> bool:
    """Whether a call of what holds others gives one of these, as in Scala: ``carts(0)``."""
    return value.wraps != "" and scope >= 0 and tables.facts[tables.file_of[scope]].language == "scala"


def makes_by_word(tables: Tables, scope: int, expression: str) -> bool:
    """Whether an expression of a file, ``newBox()``, is an object that is made there: ``new Box()``.

    White space is gone, but what is made is called by its own name: ``Box``, not ``newBox``.
    """
    name = _MAKING.match(expression)
    return name is not None and name[0] not in _called_like_making(tables.facts[tables.file_of[scope]].calls)


@lru_cache(maxsize=20)
def _called_like_making(calls: PackedCalls) -> frozenset[str]:
    """Return what is called that begins like that, with what stands before its name."""
    called = zip(calls.names.split("\0"), calls.receivers.translate(_SIGNS).split("\0"), strict=True)
    paths = (f"{receiver}.{name}" if receiver else name for name, receiver in called)
    return frozenset([path.replace("..", ".") for path in paths if path.startswith("new")])


_MAKING = re.compile(r"new[\w$.]++(?=\()")
_SIGNS = str.maketrans({"?": "", "!": "", ":": "."})
_COMPONENT = "component"
_OF_RECEIVER = {"php": ("static.", "this.")}
_GIVEN_BY_ENUMS = {
    "java": {"entries": "?", "valueOf": "", "values": "?"},
    "php": {"cases": "?", "from": "", "tryFrom": ""},
    "python": {"__getitem__": "", "__iter__": "?"},
    "swift": {"allCases": "?"},
}
_UNTYPED = frozenset({"ecmascript", "lua", "php", "python", "ruby"})
UNASKED = Value(UNKNOWN, is_object=True)
"""What nobody has asked for yet."""

SELF_NAMES = {
    "python": frozenset({"self", "cls"}),
    "ecmascript": frozenset({"this"}),
    "java": frozenset({"this"}),
    "rust": frozenset({"self", "Self"}),
    "go": frozenset[str](),
    "c": frozenset({"this"}),
    "csharp": frozenset({"this"}),
    "php": frozenset({"this", "self", "static"}),
    "ruby": frozenset({"self"}),
    "swift": frozenset({"self", "Self"}),
    "lua": frozenset({"self"}),
}
"""What a method calls the object it belongs to, or its class, by family."""
CLASS_ITSELF = frozenset({"cls", "Self", "static"})
"""Which of them are the class."""
IMPLICIT_SELF = frozenset({"java", "csharp", "c", "ruby", "swift"})
"""Families in which a method may leave out what it calls its object."""
