"""How a written name leads to a definition: by its whole path, or by the package that stands around its file."""

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
