"""What sessions came to, as text: for the page and for ``ctxcode stats``."""

from collections.abc import Iterable, Sequence

from ctxcode.model.engine.stats import ItemStats, ModelStats, SectionStats, Stats, ToolStats, TurnPromotion
from ctxcode.model.naming.number import counted
from ctxcode.model.plan import Section
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import dollars, percent, thousands

_STOPPED = {
    "answer": "answered",
    "loop-guard": "went in circles",
    "limit": "at a limit",
    "error": "failed",
    "running": "still running",
}
_SECTIONS: dict[str, str] = {
    Section.SYSTEM: "system prompt",
    Section.TOOLS: "what the tools are",
    Section.PIN: "pinned",
    Section.SUMMARY: "summary of earlier turns",
    Section.ANCHOR: "state anchor",
    Section.TOUCHPOINT: "retrieved",
    Section.MESSAGE: "your message",
    Section.TOOL_ATOM: "tool results",
}
"""What is called otherwise on the screen than in the journal."""
_NAME_CHARS = 80


def stats_text(stats: Stats, glyphs: Glyphs) -> str:
    """Return statistics as lines of text."""
    if not stats.turns and not stats.checks:
        return "Nothing was asked yet. What turns take and what comes of them is counted here once there are some."
    blocks = [
        _head(stats, glyphs),
        _models(stats.models, glyphs),
        _sections(stats.sections),
        _use(stats),
        _tools(stats.tools),
        _items("Used most", stats.used),
        _items("Shown most, never used", stats.unused),
        _promotions(stats.promotions),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _head(stats: Stats, glyphs: Glyphs) -> list[str]:
    ended = _listed((_STOPPED.get(name, name), count) for name, count in stats.outcomes)
    spent = f" {glyphs.dot} {dollars(stats.cost)}" if stats.cost else ""
    lines = [f"{counted(stats.turns, 'turn')} in {counted(stats.sessions, 'session')}: {ended}{spent}"]
    if stats.good or stats.bad:
        lines.append(f"answers you marked: {stats.good} good, {stats.bad} bad")
    if stats.edits:
        lines.append(f"changed files: {_listed(stats.edits)}")
    if stats.checks:
        lines.append(f"commands: {_listed(stats.checks)}")
    return lines


def _models(rows: Sequence[ModelStats], glyphs: Glyphs) -> list[str]:
    lines = []
    for row in rows:
        sent = [counted(row.requests, "request"), f"{thousands(row.estimated)} tokens estimated"]
        if row.measured and row.measured_estimate:
            of = "" if row.measured == row.requests else f" in {counted(row.measured, 'request')}"
            factor = row.prompt / row.measured_estimate
            sent.append(f"{thousands(row.prompt)} counted{of}, {factor:.2f} for each estimated one")
        got = [f"{thousands(row.completion)} tokens answered"] if row.completion else []
        got += [dollars(row.cost)] if row.cost else []
        if row.unpriced and row.model != "navigator":
            got.append(f"{counted(row.unpriced, 'request')} without a known price")
        if row.good or row.bad:
            got.append(f"{row.good} good, {row.bad} bad")
        lines.append(clean_line(row.model, _NAME_CHARS))
        lines += [f"    {f' {glyphs.dot} '.join(parts)}" for parts in (sent, got) if parts]
    return lines


def _sections(rows: Sequence[SectionStats]) -> list[str]:
    rows = [row for row in rows if row.tokens]
    if not rows:
        return []
    total = sum(row.tokens for row in rows)
    lines = [f"{'tokens':>10}  {'share':>5}  {'items':>7}  {'requests':>8}  what requests held"]
    lines += [
        f"{thousands(row.tokens):>10}  {percent(row.tokens, total):>5}  {_many(row.items):>7}  {row.requests:>8}"
        f"  {_SECTIONS.get(row.section, row.section)}"
        for row in rows
    ]
    return lines


def _many(items: int) -> str:
    return thousands(items) if items else "-"


def _use(stats: Stats) -> list[str]:
    rows = [row for row in stats.sections if row.shown_items]
    if not rows:
        return []
    head = f"{'shown':>10}  {'used':>7}  {'rate':>5}  {'tokens':>10}  {'used':>10}"
    lines = [f"{head}  code shown, then used"]
    counts = [
        (row.shown_items, row.used_items, row.shown_tokens, row.used_tokens, _SECTIONS.get(row.section, row.section))
        for row in rows
    ]
    if len(rows) > 1:
        tokens, used = sum(row.shown_tokens for row in rows), sum(row.used_tokens for row in rows)
        counts.append((stats.shown_items, stats.used_items, tokens, used, "all"))
    lines += [
        f"{thousands(shown):>10}  {thousands(used):>7}  {percent(used, shown):>5}"
        f"  {thousands(tokens):>10}  {thousands(used_tokens):>10}  {name}"
        for shown, used, tokens, used_tokens, name in counts
    ]
    return lines


def _tools(rows: Sequence[ToolStats]) -> list[str]:
    if not rows:
        return []
    lines = [f"{'calls':>10}  {'errors':>7}  {'tokens':>10}  tool"]
    lines += [
        f"{thousands(row.calls):>10}  {_or_dash(row.errors):>7}  {thousands(row.tokens):>10}"
        f"  {clean_line(row.tool, 40)}: {_listed(row.statuses)}"
        for row in rows
    ]
    return lines


def _items(title: str, rows: Sequence[ItemStats]) -> list[str]:
    if not rows:
        return []
    lines = [title]
    for row in rows:
        ways = f"  {_listed((kind.value, count) for kind, count in row.ways)}" if row.ways else ""
        times = f"{row.used} of {row.shown}" if row.used else f"{row.shown}"
        lines.append(f"{times:>10}  {_name(row.item)}{ways}")
    return lines


def _promotions(rows: Sequence[TurnPromotion]) -> list[str]:
    if not rows:
        return []
    lines = ["Leased because it was named, or not, newest first"]
    for row in rows:
        what = "leased" if row.is_leased else "not"
        lines.append(f"{f'turn {row.turn}':>10}  {what:<6}  {_name(row.promotion.item)}: {row.promotion.evidence}")
    return lines


def _name(item: str) -> str:
    return clean_line(item.partition(":")[2] or item, _NAME_CHARS)


def _listed(rows: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{thousands(count)} {clean_line(name, 40)}" for name, count in rows) or "none"


def _or_dash(number: int) -> str:
    return thousands(number) if number else "-"
