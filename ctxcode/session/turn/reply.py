"""A reply while it arrives, over all the requests it takes."""

from dataclasses import dataclass, field

from ctxcode.action.continuation import MOST_CONTINUATIONS, Seam
from ctxcode.action.reply import spoken
from ctxcode.action.state_block import StateBlockFilter
from ctxcode.model.chat import FinishReason, ReplyEnd


@dataclass(slots=True)
class Reply:
    """What the model has said since its last tool calls."""

    end: ReplyEnd | None = None
    """Of its newest request; None until that has ended."""
    continuations: int = 0
    _said: list[str] = field(default_factory=list)
    """As the model wrote it, state block and all."""
    _shown: list[str] = field(default_factory=list)
    _state: StateBlockFilter = field(default_factory=StateBlockFilter)
    _seam: Seam = field(default_factory=lambda: Seam(""))
    _has_begun: bool = False
    _gets_on: bool = False
    """The newest request has brought more than was there already."""

    @property
    def said(self) -> str:
        """All of it as the model wrote it."""
        return "".join(self._said)

    @property
    def text(self) -> str:
        """What may be shown of it, once it is over without what turns out to be a thought."""
        return spoken("".join(self._shown))

    @property
    def state(self) -> str | None:
        """Its state block; None while there is none."""
        return self._state.state

    @property
    def has_begun(self) -> bool:
        """Whether the newest request has brought text."""
        return self._has_begun

    @property
    def goes_on(self) -> bool:
        """Whether it was cut at the output limit, got on with its last request, and may be continued."""
        is_cut = self.end is not None and self.end.finish_reason is FinishReason.LENGTH and not self.end.calls
        return is_cut and self._gets_on and self.continuations < MOST_CONTINUATIONS

    def go_on(self) -> None:
        """Begin another request for the rest of it."""
        self.continuations += 1
        self.end, self._has_begun, self._gets_on, self._seam = None, False, False, Seam(self.said)

    def take(self, text: str) -> str:
        """Return what may be shown after one more piece."""
        self._has_begun = True
        return self._taken(self._seam.feed(text))

    def pause(self) -> str:
        """Return what was held back at the end of a request, as far as the reply may go on."""
        return self._taken(self._seam.finish())

    def finish(self) -> str:
        """Return what was held back, at the end of the reply; a second call returns nothing."""
        rest = self.pause()
        last = self._state.finish()
        self._shown.append(last)
        return rest + last

    def _taken(self, text: str) -> str:
        if not text:
            return ""
        self._said.append(text)
        self._gets_on = True
        shown = self._state.feed(text)
        self._shown.append(shown)
        return shown
