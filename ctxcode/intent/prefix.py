"""The prefix of a question that says what it is about before what it wants, as commits have it: ``net/http: …``."""

import re

_PREFIX = re.compile(
    r"\s{0,20}(?:\*\*([\w./ ,@-]{2,60}?):?\*\*:?\s"
    r"|[^\W\d_]{2,12}\(([\w./ ,@*-]{2,60})\)!?:\s"
    r"|\[([\w./ ,-]{2,40})\]:?\s"
    r"|([\w./@-]{2,60}(?:, ?[\w./@-]{2,60}){0,4}):\s)"
)
_SUFFIX = re.compile(r"\.\w{1,4}$")
_KINDS_TEXT = """
bug bugfix build chore ci debug docs enh error feat feature fix hotfix info note perf question refactor revert style
test tests todo trace warn warning
"""
_KINDS = frozenset(_KINDS_TEXT.split())
"""Kinds of change and of remark: they say nothing of a place."""


def prefixes(prose: str) -> tuple[str, ...]:
    """Return what a question is prefixed with, as written without a file's ending; each a name or a path.

    ``mark/expression, config: …`` gives two.
    """
    found = _PREFIX.match(prose)
    if found is None:
        return ()
    written = next(group for group in found.groups() if group)
    names = [_SUFFIX.sub("", name).strip("/.") for name in re.split(r"[,\s]+", written)]
    return tuple(name for name in names if name and name.lower() not in _KINDS)
