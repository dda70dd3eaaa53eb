"""What every form of an export says of a turn and of a plan's rows."""

from ctxcode.model.conversation import StoppedBy, Turn
from ctxcode.model.plan import PlanItem
from ctxcode.tui.clean import clean_line
from ctxcode.tui.export.conversation import Exchange
from ctxcode.tui.format import place, reasons_words
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.number import dollars, mode_label, thousands
from ctxcode.tui.widgets.turn.tool_lines import WHOLE, tool_lines


def meter_words(exchange: Exchange) -> str:
    """Return what a turn's request held and cost, in one line."""
    turn, plan = exchange.turn, exchange.plan
    parts = [turn.model]
    if plan is not None:
        estimate = f"{thousands(plan.active_tokens)} / {thousands(plan.limits.budget_tokens)} tok estimated"
        parts = [mode_label(plan.mode), estimate, plan.model, f"plan {plan.id[:8]}"]
    if turn.usage is not None and turn.usage.prompt is not None:
        parts.append(f"{thousands(turn.usage.prompt)} prompt tokens counted")
    if turn.usage is not None and turn.usage.cost:
        parts.append(dollars(turn.usage.cost))
    if exchange.is_running:
        parts.append("still running")
    elif turn.stopped_by is not StoppedBy.ANSWER:
        parts.append(turn.stopped_by.value)
    # A command that was run here went to no model.
    return clean_line(" · ".join(part for part in parts if part) or "run here", 300)


def tool_words(turn: Turn) -> list[str]:
    """Return what the model said and called on its way to the answer, line by line."""
    shown = tool_lines(turn.rounds, (), UNICODE, width=WHOLE).plain
    return shown.split("\n") if shown else []


def row_words(item: PlanItem) -> tuple[str, str, str, str, str]:
    """Return a row of a plan: name, place, detail, tokens, reasons."""
    where = place(item)
    where = f"{clean_line(item.path, 300)}{where}" if where.startswith(":") else where
    name = clean_line(item.title or str(item.id), 200)
    return name, where, item.detail.value, thousands(item.tokens), reasons_words(item)
