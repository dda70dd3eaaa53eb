"""How many examples a property is tried with: a few at the keyboard, a thousand where CTXCODE_EXAMPLES says so."""

import os

from hypothesis import settings

WANTED = int(os.environ.get("CTXCODE_EXAMPLES", "0"))


def examples(usual: int) -> settings:
    """Return settings for a property; which examples are tried, the profile says, and that is the same ones each time.

    Some tests count what their examples have in common.
    """
    return settings(max_examples=max(usual, WANTED), deadline=None)
