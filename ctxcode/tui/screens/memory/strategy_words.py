"""What the strategy commands say: the list of strategies, what one would change."""

from collections.abc import Sequence

from ctxcode.model.engine.difference import ChangeKind, PlanDifference
from ctxcode.model.engine.strategy import StrategyRow
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import reason_words
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import thousands

_SIGNS = {ChangeKind.ENTERED: "+", ChangeKind.LEFT: "-"}


def strategies_text(rows: Sequence[StrategyRow], glyphs: Glyphs) -> str:
    """Return the strategies, the one in use marked, with what each does and its settings."""
    lines: list[str] = []
    for row in rows:
        mark = "*" if row.is_open else " " if row.is_usable else glyphs.failed
        lines.append(f"{mark} {clean_line(row.name, 40)}")
        lines.append(f"    {clean_line(row.summary, 160)}")
        if row.settings:
            lines.append(f"    {clean_line(row.settings, 160)}")
    return "\n".join([*lines, "", "/strategy NAME uses one, /strategy preview NAME shows what it would change"])


def difference_text(made: PlanDifference, glyphs: Glyphs) -> str:
    """Return what another strategy would change about the next request."""
    before, after = made.tokens
    lines = [f"{thousands(before)} tokens now, {thousands(after)} then"]
    lines += [
        f"{row.name}: {clean_line(row.before, 60)} {glyphs.arrow} {clean_line(row.after, 60)}" for row in made.settings
    ]
    lines.append("")
    for change in made.changes:
        sign = _SIGNS.get(change.kind, "~")
        why = reason_words(change.reasons[0], glyphs) if change.reasons else ""
        lines.append(f"{sign} {clean_line(change.item.title, 80)}   {change.tokens:+,} tokens   {why}".rstrip())
    if not made.changes:
        lines.append("Nothing of the next request would change.")
    return "\n".join(lines)
