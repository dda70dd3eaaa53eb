"""Casts in front of what is called: ``(x as A).run()``, ``((A) x).run()``."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.shadows import raised
from ctxcode.codegraph.syntax.narrowed.renaming import in_functions

_PUNCTUATION = re.compile(r"[^\w()<>\[\],]+")
_MARK = "as\N{SUPERSCRIPT LATIN SMALL LETTER N}"


class Cast(NamedTuple):
    """A cast in brackets, as written, and the class it leads to."""

    written: str
    type: str


def bind_casts(findings: Findings, casts: Iterable[Cast], *, is_made_by_name: bool) -> None:
    """Call what is cast by a name of its own, which is bound to the class it is cast to."""
    types = {_PUNCTUATION.sub("", cast.written): cast.type for cast in casts if cast.type}
    if not types:
        return
    numbers = {name: number for number, name in enumerate(sorted(set(types.values())), start=1)}
    functions, calls = in_functions(findings), []
    for at, name, receiver in findings.calls:
        end = _group_end(receiver) if receiver.startswith("(") else 0
        type_name = types.get(_PUNCTUATION.sub("", receiver[:end])) if end else None
        if type_name is None or (not functions.name(at) and not is_made_by_name):
            calls.append((at, name, receiver))
            continue
        if not functions.name(at):
            # Nothing outside of functions has a name that is its alone; there it is what makes an object of the class.
            calls.append((at, name, f"{type_name}(){receiver[end:].lstrip('?!')}"))
            continue
        own = f"{_MARK}{raised(numbers[type_name])}"
        calls.append((at, name, f"{own}{receiver[end:].lstrip('?!')}"))
        findings.parameters.append((at, own, type_name))
    findings.calls = calls


def _group_end(expression: str) -> int:
    """Return where the brackets end that an expression begins with; 0 if they don't."""
    depth = 0
    for place, sign in enumerate(expression):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return place + 1
    return 0
