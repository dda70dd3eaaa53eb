"""Two tracks: what tools found is kept apart from what was said, so that neither drowns the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ctxcode.context.strategies.port import (
    Block,
    Completed,
    ComposeRequest,
    Memory,
    Offer,
    Proposal,
    left_out_but,
)
from ctxcode.context.strategies.sliding_window import newest
from ctxcode.context.turn.atom import aged, call_words
from ctxcode.model.conversation import ToolStatus, Turn

FINDINGS = "findings"
_RESULT_CHARS = 600
_FINDINGS_SHARE = 0.3
"""Most of the active context that findings take."""
_KEPT_EXCHANGES = 2
_KEPT_FINDINGS = 3
_WORTH_KEEPING = frozenset({ToolStatus.OK, ToolStatus.ABSENT})
_LOOKED_AT = 200
"""Turns that are searched for findings."""


@dataclass(frozen=True, slots=True)
class DualTrack:
    """Keeps what tools found apart from what was said, and less of what was said the longer a turn takes."""

    findings: int = 30
    """Results of earlier turns that are kept, the newest; the same call counts once."""
    trim_from: int = 10
    """The request of a turn from which on only the last two exchanges are sent."""
    urgent_from: int = 15
    """From which on only the last one is."""
    emergency_from: int = 20
    """From which on only the last three findings are."""
    name: ClassVar[str] = "dual-track"

    def __post_init__(self) -> None:
        """Refuse thresholds that do not rise."""
        if not 0 <= self.findings <= 1_000:
            raise ValueError("findings has to be from 0 to 1,000")
        if not 1 <= self.trim_from <= self.urgent_from <= self.emergency_from:
            raise ValueError("trim_from, urgent_from and emergency_from have to rise")

    async def compose(self, request: ComposeRequest) -> Proposal:
        """Offer the turns without their tool calls, and the findings in one block."""
        offers = tuple(Offer(offer.turn, is_bare=True) for offer in newest(request.history, request))
        if request.iteration >= self.trim_from:
            offers = offers[: _KEPT_EXCHANGES if request.iteration < self.urgent_from else 1]
        most = self.findings if request.iteration < self.emergency_from else min(self.findings, _KEPT_FINDINGS)
        text = _text(request, most)
        blocks = (Block(FINDINGS, "What tools found in earlier turns", text),) if text else ()
        return Proposal(offers, left_out_but(request.history, offers), blocks)

    async def on_turn_complete(self, done: Completed) -> Memory | None:
        """Remember nothing: the turns themselves hold the findings."""
        del done
        return None


def _text(request: ComposeRequest, most: int) -> str:
    """Return the newest findings, oldest first, within their share."""
    room = int(request.budget_tokens * _FINDINGS_SHARE)
    kept: list[str] = []
    seen: set[tuple[str, str]] = set()
    for call, text in _found(request.history[-_LOOKED_AT:]):
        if len(kept) >= most:
            break
        if call in seen:
            continue
        seen.add(call)
        cost = request.count(text)
        if cost > room:
            break
        room -= cost
        kept.append(text)
    return "\n".join(reversed(kept))


def _found(history: Sequence[Turn]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what tools found, newest first, with the call as its key."""
    for turn in reversed(history):
        for made in reversed(turn.rounds):
            for call, result in reversed(tuple(zip(made.calls, made.results, strict=False))):
                if result.status in _WORTH_KEEPING:
                    head = f"### Turn {turn.number}: {call_words(call)}\n"
                    yield (call.name, call.arguments), head + aged(result.text, _RESULT_CHARS, call).rstrip() + "\n"
