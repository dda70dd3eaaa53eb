"""A plan as Markdown, for pasting into another tool or reading on its own."""

from collections.abc import Mapping

from ctxcode.model.plan import ContextPlan, Detail, PlanItem, Section
from ctxcode.tui.clean import clean, clean_name
from ctxcode.tui.format import item_reason_words
from ctxcode.tui.number import mode_label, thousands

_TITLES = {
    Section.PIN: "Pinned",
    Section.SCAFFOLD: "The repository",
    Section.HISTORY: "Earlier turns",
    Section.TOUCHPOINT: "Code that may matter",
}
SHOWN_EXCLUDED = 20


def plan_markdown(plan: ContextPlan, texts: Mapping[str, str]) -> str:
    """Return a plan with the text of what it includes (``texts`` by key) and a list of what it leaves out."""
    used = f"{thousands(plan.active_tokens)} of {thousands(plan.limits.budget_tokens)} tokens ({plan.tokenizer})"
    rows = [f"# Context for: {clean(' '.join(plan.prompt.split()))}", ""]
    rows.append(f"Plan `{plan.id}`, {mode_label(plan.mode)}, {used}, {thousands(plan.tokens)} with the system prompt.")
    for section, title in _TITLES.items():
        items = [item for item in plan.included if item.section is section]
        if items:
            rows += ["", f"## {title}", *_section(items, texts)]
    rows += _left_out(plan)
    return "\n".join(rows) + "\n"


def _section(items: list[PlanItem], texts: Mapping[str, str]) -> list[str]:
    rows: list[str] = []
    tail = [item for item in items if item.detail is Detail.SIGNATURE]
    for item in items:
        if item.detail is Detail.SIGNATURE:
            continue
        place = f" `{clean_name(item.path)}:{item.start_line}-{item.end_line}`" if item.path else ""
        rows += ["", f"### {clean_name(item.title)}{place}", "", f"{_why(item)}; {item.tokens} tokens", ""]
        rows += _fenced(clean(texts.get(item.text or "", "")))
    path = ""
    for item in tail:
        if item.path != path:
            path = item.path
            rows += ["", f"`{clean_name(path)}`", ""]
        rows.append(f"- `{clean(texts.get(item.text or '', item.title)).strip()}`")
    return rows


def _fenced(text: str) -> list[str]:
    """Return a text in a fence longer than any run of back-ticks in it."""
    ticks = "```"
    while ticks in text:
        ticks += "`"
    return [ticks, text.rstrip("\n"), ticks]


def _why(item: PlanItem) -> str:
    return clean(", ".join(item_reason_words(item, reason) for reason in item.reasons))


def _left_out(plan: ContextPlan) -> list[str]:
    if not plan.excluded:
        return []
    rows = ["", f"## Left out ({len(plan.excluded)})", ""]
    shown = plan.excluded[:SHOWN_EXCLUDED]
    rows += [f"- {clean_name(item.title)} `{clean_name(item.path)}`: {_why(item)}" for item in shown]
    if len(plan.excluded) > SHOWN_EXCLUDED:
        rows.append(f"- … {len(plan.excluded) - SHOWN_EXCLUDED} more")
    return rows
