"""What can be known of an expression."""

from typing import NamedTuple

from ctxcode.codegraph.resolve.targets import EXTERNAL


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
