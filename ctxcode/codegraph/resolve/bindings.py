"""What a file says that its names are bound to, as look-up tables."""

from ctxcode.codegraph.facts import PARAMETERS, RETURNED, TOLD_BY_FUNCTIONS, FileFacts
from ctxcode.codegraph.resolve.tables import OVERLOADED

_TELLING = OVERLOADED | {"cpp"}
"""Languages whose functions say what they take."""
_IN_BLOCKS = "ruby"
"""The language in which blocks have names of their own that are noted as if they were those of what is around them."""
_OR = "|"
_MOST_NAMED = 6
"""One more than there may be alternatives: of what may be more, nothing is known."""


def bindings_of(facts: FileFacts) -> dict[int, dict[str, str]]:
    """Return a file's local types: symbol index to name to type.

    The first of a name counts, but a type that is written says more than a call. What stands in blocks of Ruby, each of
    which has its own, is this or that.
    """
    bindings: dict[int, dict[str, str]] = {}
    is_ruby = facts.language == _IN_BLOCKS
    for scope, name, bound_type in facts.bindings:
        if name in TOLD_BY_FUNCTIONS:
            continue
        names = bindings.get(scope)
        if names is None:
            names = bindings[scope] = {}
        known = names.get(name)
        if known is None or (known[-1] == ")" and bound_type[-1] != ")"):
            names[name] = bound_type
        elif is_ruby and bound_type not in (types := known.split(_OR)) and len(types) < _MOST_NAMED:
            names[name] = f"{known}{_OR}{bound_type}"
    return bindings


def returns_of(facts: FileFacts) -> dict[int, str]:
    """Return what a file's functions say that they return, by symbol index."""
    return {scope: bound_type for scope, name, bound_type in facts.bindings if name == RETURNED}


def parameters_of(facts: FileFacts) -> dict[int, str]:
    """Return the types of the parameters of a file's functions that can have overloads, by symbol index."""
    if facts.language not in _TELLING:
        return {}
    return {scope: bound_type for scope, name, bound_type in facts.bindings if name == PARAMETERS}
