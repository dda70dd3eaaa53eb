"""What changed from one plan to another."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.ids import PlanId
from ctxcode.model.plan import PlanItem, Reason


class ChangeKind(StrEnum):
    """How an item's place in the payload changed."""

    ENTERED = "entered"
    LEFT = "left"
    RICHER = "richer"
    """Shown at a fuller detail level."""
    POORER = "poorer"
    TEXT = "text"
    """Shown as before, with another text: the code or the wording changed."""
    SECTION = "section"
    """The same text, but in another section: a touchpoint that was pinned, say."""


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item that is not in both payloads the same way."""

    kind: ChangeKind
    before: PlanItem | None
    """The decision in the first plan, also when it was left out there; None when it was no candidate."""
    after: PlanItem | None
    reasons: tuple[Reason, ...]
    """Why: what speaks for it now, or against it; empty when it is no candidate any more."""

    @property
    def item(self) -> PlanItem:
        """The newer decision there is."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - a change has at least one side
        return found

    @property
    def tokens(self) -> int:
        """What the change adds to the payload, negative for what it saves."""
        spent = [item.tokens if item is not None and item.included else 0 for item in (self.before, self.after)]
        return spent[1] - spent[0]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A condition that the two plans were made under and that differs."""

    name: str
    """``mode``, ``model``, ``budget``, ``window``, ``strategy``, ``tokenizer``, ``index`` or ``prompt``."""
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlanDifference:
    """From one plan to another."""

    before: PlanId
    after: PlanId
    tokens: tuple[int, int]
    """The whole requests."""
    active_tokens: tuple[int, int]
    settings: tuple[SettingChange, ...]
    changes: tuple[ItemChange, ...]
    """In payload order of the second plan, then what left, in the first plan's order."""
    unchanged: int
    """Items that are in both payloads the same way."""
    kept_prefix: int
    """Items at the beginning of both payloads that are equal: what a provider's prompt cache can keep."""
