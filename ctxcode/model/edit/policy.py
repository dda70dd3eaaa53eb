"""Who decides on proposed edits before anybody was asked."""

from enum import StrEnum


class EditPolicy(StrEnum):
    """What happens to proposed edits where nobody has said anything yet."""

    ASK = "ask"
    ALLOW = "allow"
    DENY = "deny"
