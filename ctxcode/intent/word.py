"""What a word is: a run of letters, and one that looks like a name from code."""

import re

WORD = re.compile(r"[\w$]+")
"""A run of letters, digits, underscores and dollar signs, in any script."""

_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
"""``queryset``'s second capital in ``QuerySet``; ``HTTPServer``, but not the plural ``URLs``."""


def is_identifier(word: str) -> bool:
    """Tell whether a word looks like a name from code: an underscore, a dollar sign or capitals inside."""
    if "_" in word.strip("_") or "$" in word or (word.startswith("_") and len(word) > 2 and word.strip("_")):
        return True
    return _HUMP.search(word) is not None
