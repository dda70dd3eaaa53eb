"""What variables of PHP are that a function gives objects of several classes: any of these, wherever they are used."""

from bisect import bisect_right
from collections import defaultdict

from ctxcode.codegraph.extract.findings import Findings

_MOST_CLASSES = 5
_FUNCTIONS = frozenset({"function", "method"})


def join_given(findings: Findings) -> None:
    """Bind variables to all the classes, ``A|B``, of which the function around makes objects for them.

    What its parameters say of themselves is surer. Of more classes than a few nothing is known.
    """
    rows = findings.bindings
    classes: dict[str, set[str]] = defaultdict(set)
    for _, name, bound in rows:
        if _is_class(name, bound):
            classes[name].add(bound)
    several = {name for name, made in classes.items() if len(made) > 1}
    if not several:
        return
    spans = sorted((found.start, found.end) for found in findings.definitions if found.kind in _FUNCTIONS)
    starts = [start for start, _ in spans]
    given: dict[tuple[int, str], dict[str, None]] = defaultdict(dict)
    owners = list[int]()
    for at, name, bound in rows:
        owner = -1
        if name in several and _is_class(name, bound):
            # Functions inside of methods are rare: theirs are told from what stands behind them by where those end.
            owner = bisect_right(starts, at) - 1
            owner = owner if owner >= 0 and at < spans[owner][1] else len(spans)
            given[owner, name][bound] = None
        owners.append(owner)
    joined = list[tuple[int, str, str]]()
    for row, owner in zip(rows, owners, strict=True):
        made = given[owner, row[1]] if owner >= 0 else {row[2]: None}
        if len(made) <= _MOST_CLASSES:
            joined.append((row[0], row[1], "|".join(made)))
    findings.bindings = joined


def _is_class(name: str, bound: str) -> bool:
    return name.isidentifier() and bound.replace(".", "").isidentifier()
