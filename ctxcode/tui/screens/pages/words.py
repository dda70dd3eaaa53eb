"""The pages as text: what the conversation cost, what was said."""

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcode.model.naming.number import counted
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import dollars, thousands
from ctxcode.tui.state.view import TurnView

_SHOWN_TURNS = 40


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence the status line showed."""

    at: str
    """The time of day."""
    words: str
    is_error: bool


def usage_text(turns: Sequence[TurnView], others: int, glyphs: Glyphs) -> str:
    """Return what each turn of a branch took with all its requests, and together.

    ``others`` is the number of turns on other branches.
    """
    rows = [turn for turn in turns if turn.plan is not None]
    if not rows:
        return "Nothing was sent yet. A turn's tokens and price are listed here once it is."
    lines = [f"{'turn':>4}  {'estimate':>9}  {'prompt':>9}  {'answer':>8}  {'cost':>9}  model"]
    if len(rows) > _SHOWN_TURNS:
        lines.append(f"{glyphs.ellipsis} {counted(len(rows) - _SHOWN_TURNS, 'earlier turn')}")
    lines += [_usage_row(turn) for turn in rows[-_SHOWN_TURNS:]]
    usages = [turn.taken for turn in rows if turn.taken is not None]
    prompt = sum(usage.prompt for usage in usages if usage.prompt is not None)
    answer = sum(usage.completion for usage in usages if usage.completion is not None)
    costs = [usage.cost for usage in usages if usage.cost is not None]
    estimated = sum(usage.estimated for usage in usages)
    total = dollars(sum(costs)) if costs else "-"
    lines += ["", f"{'all':>4}  {thousands(estimated):>9}  {_or_dash(prompt)}  {_or_dash(answer, 8)}  {total:>9}"]
    unpriced = len(rows) - len(costs)
    lines.append("")
    if unpriced:
        lines.append(f"{counted(unpriced, 'turn')} without a price: the model's is not known, or nothing was reported.")
    if others:
        lines.append(f"{counted(others, 'turn')} on other branches; /switch NAME and /cost show them.")
    lines.append("Estimates are made before a request, the other figures are the provider's.")
    return "\n".join(lines)


def _usage_row(turn: TurnView) -> str:
    usage = turn.taken
    estimated = thousands(usage.estimated) if usage is not None else "-"
    prompt, answer = (usage.prompt, usage.completion) if usage is not None else (None, None)
    cost = dollars(usage.cost) if usage is not None and usage.cost is not None else "-"
    said = f"{_or_dash(prompt or 0)}  {_or_dash(answer or 0, 8)}  {cost:>9}"
    return f"{turn.number:>4}  {estimated:>9}  {said}  {clean_line(turn.model, 40)}"


def _or_dash(number: int, cells: int = 9) -> str:
    return f"{thousands(number) if number else '-':>{cells}}"


def messages_text(said: Sequence[Said]) -> str:
    """Return what the status line said, newest first."""
    if not said:
        return "Nothing was said yet. Errors and confirmations of this run are kept here."
    return "\n".join(f"{row.at}  {'! ' if row.is_error else '  '}{row.words}" for row in reversed(said))
