"""How many examples a property is tried with: a few at the keyboard, a thousand where the environment says so.

``CTXCODE_EXAMPLES`` says it of every property, ``CTXCODE_PLAN_EXAMPLES`` of what holds for every plan and every branch.
"""

import os

from hypothesis import settings

WANTED = int(os.environ.get("CTXCODE_EXAMPLES", "0"))
WANTED_OF_PLANS = int(os.environ.get("CTXCODE_PLAN_EXAMPLES", "0"))


def examples(usual: int) -> settings:
    """Return settings for a property; which examples are tried, the profile says, and that is the same ones each time.

    Some tests count what their examples have in common.
    """
    return settings(max_examples=max(usual, WANTED), deadline=None)


def plan_examples(usual: int) -> settings:
    """Return settings for a property of every plan or every branch."""
    return examples(max(usual, WANTED_OF_PLANS))
