"""Names that somebody wants something to have: nothing is called so yet."""

import re

_TO = re.compile(
    r"\bre-?name[sd]?\b[^\n?!]{1,160}?\s(?:to|as|into)\s+[`'\"“]?([^\W\d][\w.]{0,120}\w[!?]?)"
    r"|\bcall (?:it|this|that)\s+[`'\"“]?([^\W\d]\w{1,120})[`'\"”]? instead\b",
    re.IGNORECASE,
)
_RENAMES_IT = re.compile(r"\b(?:re-?name|call) (?:it|this|that|them)\b", re.IGNORECASE)


def new_names(text: str) -> frozenset[str]:
    """Return what a request wants something to be called: ``b`` of ``rename a to b``, ``call it b instead``."""
    return frozenset(first or second for first, second in _TO.findall(text))


def renames_it(text: str) -> bool:
    """Tell whether a request gives another name to what was spoken of before: ``rename it to b``."""
    return _RENAMES_IT.search(text) is not None and bool(new_names(text))
