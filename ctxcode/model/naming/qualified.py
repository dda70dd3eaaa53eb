"""How a written name leads to a definition: by its whole path, or by the package that stands around its file."""

import re
from collections.abc import Iterator

_BREAKS = re.compile(r"::|[#/\\:]")
_BEFORE_PRIVATE = re.compile(r"::|(?<=[\w$])(?=#)|[/\\:]")
_OWN = frozenset({"crate", "self", "super", "this"})
"""First parts that say *from here*, as in ``crate::args::Args``."""


def skipped_parts(name: str, module: str, qualname: str) -> int | None:
    """Return how many parts of a module's path a dotted name leaves out; None when it means something else.

    A name may begin anywhere on the path: 0 for each ending of it. Only parts of the module are ever left out, as the
    file is in ``http.HttpResponse`` of Python, which a package passes on, in ``commands.Execute`` of Go and in
    ``com.google.common.collect.ImmutableList``: what a definition stands in is always said, as it says which is meant.
    """
    whole = f"{module}.{qualname}" if qualname else module
    if f".{whole}".endswith(f".{name}"):
        return 0
    if not qualname or not name.endswith(f".{qualname}"):
        return None
    asked = name.removesuffix(f".{qualname}").split(".")
    if asked[0] in _OWN:
        asked = asked[1:]
    left = module.split(".")
    length = len(left)
    for part in reversed(asked):
        while left and left[-1] != part:
            left.pop()
        if not left:
            return None
        left.pop()
    return length - len(left) - len(asked)


def dotted_name(name: str) -> str:
    """Return a name with dots alone between its parts: of ``Shop::Cart``, ``Cart#add``, ``shop/cart``."""
    return _BREAKS.sub(".", name).strip(".")


def spellings(name: str) -> Iterator[str]:
    """Yield what a written name can be among dotted ones, the likeliest first."""
    dotted = dotted_name(name)
    # A private member of JavaScript has its sign in the name, that of Java and Ruby stands between two.
    private = _BEFORE_PRIVATE.sub(".", name).strip(".")
    yield from dict.fromkeys((private, dotted) if f".{private}" == f".{name}" else (dotted, private))
    if "." in dotted:
        # In a shell, what looks like a path is one name.
        yield dotted.replace(".", ":")
