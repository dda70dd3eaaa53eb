"""Whether a function of Swift takes the arguments of a call: labels and order decide, as they are part of its name."""

from functools import lru_cache
from typing import NamedTuple

from ctxcode.codegraph.extract.arguments import ANY_ARGUMENTS, NO_ARGUMENTS, STATIC

FUNCTION = "->"
_TRAILING = "^"
_NO_FUNCTIONS = frozenset({
    "String", "Substring", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64", "Double", "Float", "CGFloat", "Bool", "URL", "Data", "Date", "UUID", "Error", "[]", "[:]",
})  # fmt: skip
"""Types that are not another name of a function's."""


class Parameter(NamedTuple):
    """What a function says of one of its parameters."""

    label: str
    type_name: str
    """``->`` for a function; ``[]``, ``[:]`` for collections; empty for what has no name."""
    is_open: bool
    """Whether it can be left out."""
    is_variable: bool
    """Whether it can be given many times."""


class Argument(NamedTuple):
    """What a call gives."""

    label: str
    shape: str


@lru_cache(maxsize=20_000)
def parameters(written: str) -> tuple[Parameter, ...]:
    """Return the parameters of ``:Int,with:String=,of:Row...``."""
    listed = written.removeprefix(STATIC)
    return tuple([_parameter(each) for each in listed.split(",")]) if listed else ()


def _parameter(written: str) -> Parameter:
    label, _, type_name = written.partition(":")
    is_open, is_variable = type_name.endswith("="), type_name.rstrip("=").endswith("...")
    return Parameter(label, type_name.removesuffix("=").removesuffix("..."), is_open or is_variable, is_variable)


@lru_cache(maxsize=20_000)
def arguments(written: str) -> tuple[Argument, ...] | None:
    """Return the arguments of ``:x,with::String,^->``; None for those that are not known."""
    if written in {"", ANY_ARGUMENTS}:
        return None
    return () if written == NO_ARGUMENTS else tuple([_argument(each) for each in written.split(",")])


def _argument(written: str) -> Argument:
    if written.startswith(_TRAILING):
        return Argument(_TRAILING, written[1:])
    label, _, shape = written.partition(":")
    return Argument(label, shape)


@lru_cache(maxsize=50_000)
def aligned(taken: str, given: str) -> tuple[tuple[str, str], ...] | None:
    """Return (type of the parameter, shape) of each argument of a call; None where a function does not take them.

    What its arguments are is not known of every call: those any function takes.
    """
    wanted, said = parameters(taken), arguments(given)
    if said is None:
        return ()
    return _align(wanted, said)


def _align(wanted: tuple[Parameter, ...], said: tuple[Argument, ...]) -> tuple[tuple[str, str], ...] | None:
    pairs, row = list[tuple[str, str]](), 0
    for place, argument in enumerate(said):
        if argument.label == _TRAILING:
            row = _row_of_function(wanted, row, is_last=place == len(said) - 1)
        elif not (row and wanted[row - 1].is_variable and not argument.label):
            while row < len(wanted) and wanted[row].label != argument.label and wanted[row].is_open:
                row += 1
            row = row + 1 if row < len(wanted) and wanted[row].label == argument.label else 0
        if not row:
            return None
        pairs.append((wanted[row - 1].type_name, argument.shape))
    return tuple(pairs) if all(each.is_open for each in wanted[row:]) else None


def _row_of_function(wanted: tuple[Parameter, ...], row: int, *, is_last: bool) -> int:
    """Return the number of the parameter that a function behind the brackets is given to, 0 for none.

    That is the first that is a function; if none is, the last that may be called so by another name.
    """
    possible = 0
    for number in range(row, len(wanted)):
        each = wanted[number]
        is_end = not is_last or all(other.is_open for other in wanted[number + 1 :])
        if each.type_name == FUNCTION and is_end:
            return number + 1
        if each.type_name not in _NO_FUNCTIONS and is_end:
            possible = number + 1
        if not each.is_open:
            break
    return possible
