"""Three hints for the first run, each shown until what it tells of was done; once they are over they stay away."""

from dataclasses import dataclass, replace

from ctxcode.tui.glyphs import Glyphs

ALL_SEEN = 3


@dataclass(frozen=True, slots=True)
class Hints:
    """How far a user has come, and what there is to see."""

    seen: int = ALL_SEEN
    """Of the three."""
    has_turns: bool = False
    is_answering: bool = False
    is_overlay_open: bool = False
    examples: int = 0
    """How many questions a digit asks."""

    def moved_on(self, **now: object) -> "Hints":
        """Return it for what there is to see now; what a hint tells of was done, so the next one comes."""
        made = replace(self, **now)  # type: ignore[arg-type]  # Hints' own fields
        if made.seen == 0 and made.has_turns:
            made = replace(made, seen=1)
        if made.seen < ALL_SEEN - 1 and made.is_overlay_open:
            made = replace(made, seen=2)
        if made.seen == ALL_SEEN - 1 and not made.is_overlay_open:
            made = replace(made, seen=ALL_SEEN)
        return made

    def words(self, glyphs: Glyphs) -> str:
        """Return the hint for now; empty for none."""
        short = glyphs.keyboard.short
        hidden = f" {glyphs.dot} {short('chat.escape')} hides the hints"
        match self.seen:
            case 0:
                digits = {0: "", 1: ", or press 1", 2: ", or press 1 or 2"}
                more = f", or press 1 to {self.examples}"
                return f"1 of 3  ask about this code{digits.get(self.examples, more)}{hidden}"
            case 1 if self.has_turns and not self.is_answering:
                return f"2 of 3  {short('chat.context')} shows exactly what the model saw, and why{hidden}"
            case 2:
                pin, drop, why = (short(f"context.{name}") for name in ("pin", "drop", "why"))
                return f"3 of 3  {pin} pins a row, {drop} leaves it out, {why} says why"
        return ""
