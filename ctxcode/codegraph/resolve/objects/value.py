"""What can be known of an expression, and what the languages call the object a method belongs to."""

from typing import NamedTuple

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


OUTSIDE = Value(EXTERNAL, is_object=True)
"""What the repository does not define."""
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
IMPLICIT_SELF = frozenset({"java", "csharp", "c", "ruby", "swift"})
"""Families in which a method may leave out what it calls its object."""
