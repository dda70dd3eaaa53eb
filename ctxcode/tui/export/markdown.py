"""A conversation as Markdown."""

from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextPlan
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.export.conversation import Conversation
from ctxcode.tui.export.words import meter_words, row_words, tool_words


def conversation_markdown(conversation: Conversation) -> str:
    """Return each turn with its question, what its request held, and the answer as it came."""
    title = clean_line(conversation.title, 200) or "Conversation"
    where = f"{clean_line(conversation.repository, 200)}, branch {conversation.branch}, session {conversation.session}"
    rows = [f"# {title}", "", where]
    if not conversation.exchanges:
        rows += ["", "Nothing was asked on this branch."]
    for exchange in conversation.exchanges:
        turn, plan = exchange.turn, exchange.plan
        rows += ["", f"## Turn {turn.number}", ""]
        rows += [f"> {line}".rstrip() for line in clean(turn.prompt).split("\n")]
        rows += ["", f"*{meter_words(exchange)}*"]
        rows += ["", *(f"    {line}".rstrip() for line in tool_words(turn))] if turn.rounds else []
        rows += ["", clean(turn.reply).rstrip() or "(no answer)"]
        if plan is not None:
            rows += _plan(plan)
    return "\n".join(rows) + "\n"


def _plan(plan: ContextPlan) -> list[str]:
    rows = ["", "<details><summary>What the model saw</summary>", "", "| item | place | level | tokens | why |"]
    rows.append("|---|---|---|---:|---|")
    rows += ["| " + " | ".join(map(_cell, row_words(item))) + " |" for item in plan.included]
    if plan.excluded:
        rows += ["", f"Left out: {counted(len(plan.excluded), 'item')}."]
    return [*rows, "", "</details>"]


def _cell(text: str) -> str:
    return "".join(f"\\{character}" if character in "|\\`*_<>[]" else character for character in text)
