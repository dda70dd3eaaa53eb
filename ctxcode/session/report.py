"""Plans and indexes as the plain objects the command line prints as JSON."""

import json
from collections.abc import Mapping, Sequence

from ctxcode.model.plan import ContextPlan, Limit, PlanItem, Reason, ReasonType, Section
from ctxcode.model.retrieval import Retrieved
from ctxcode.model.source import IndexReport


def reason_object(reason: Reason) -> dict[str, object]:
    """Return a reason with its data in one ``detail`` string."""
    parts = [", ".join(reason.terms)] if reason.terms else []
    if reason.relation is not None:
        parts.append(f"{reason.relation.value} {reason.subject}")
    elif reason.subject:
        parts.append(reason.subject)
    return {"type": reason.type.value, "weight": round(reason.weight, 6), "detail": "; ".join(parts)}


def item_object(item: PlanItem, text: str | None = None) -> dict[str, object]:
    """Return one row of a plan; ``text`` is added when given."""
    row: dict[str, object] = {
        "id": item.id,
        "section": item.section.value,
        "kind": item.kind,
        "symbol": item.dotted or item.title,
        "path": item.path or None,
        "start_line": item.start_line or None,
        "end_line": item.end_line or None,
        "lines": [list(pair) for pair in item.lines],
        "detail": item.detail.value,
        "tokens": item.tokens,
        "score": round(item.score, 6),
        "included": item.included,
        "reasons": [reason_object(reason) for reason in item.reasons],
    }
    if text is not None:
        row["text"] = text
    return row


def plan_object(
    plan: ContextPlan, *, elapsed_ms: float | None = None, texts: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Return a plan as one JSON object: what was retrieved first, then the rest in payload order, then what is out.

    ``tokens`` is the whole request: the included items' tokens and ``overhead_tokens``.
    """
    made: dict[str, object] = {
        "plan_id": plan.id,
        "retrieval_id": plan.retrieval_id,
        "mode": plan.mode.value,
        "model": plan.model,
        "tokenizer": plan.tokenizer,
        "index_revision": plan.index_revision,
        "strategy": plan.strategy,
        "strategy_settings": json.loads(plan.strategy_settings or "{}"),
        "budget": plan.limits.budget_tokens,
        "window": plan.limits.window_tokens,
        "tokens": plan.tokens,
        "active_tokens": plan.active_tokens,
        "overhead_tokens": plan.overhead_tokens,
    }
    if elapsed_ms is not None:
        made["elapsed_ms"] = round(elapsed_ms, 1)
    if plan.notice:
        made["notice"] = plan.notice
    if plan.search_notice:
        made["search_notice"] = plan.search_notice
    if plan.goes_on_from:
        made["goes_on_from"] = plan.goes_on_from
    if plan.over_budget:
        made["over_budget"] = list(plan.over_budget)
    made["items"] = [
        item_object(item, texts.get(item.text or "") if texts is not None and item.included else None)
        for item in sorted(plan.items, key=_place)
    ]
    return made


def _place(item: PlanItem) -> int:
    """Return 0 for what was retrieved for the prompt, 1 for all else that is in, 2 for what is out."""
    return (0 if item.section is Section.TOUCHPOINT else 1) if item.included else 2


def candidate_object(entry: Retrieved) -> dict[str, object]:
    """Return a retrieved candidate with its score's terms; their sum is the score."""
    symbol = entry.symbol
    return {
        "id": symbol.id,
        "kind": symbol.kind.value,
        "symbol": symbol.dotted,
        "path": symbol.path,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "score": entry.score,
        "terms": {term.name: term.value for term in entry.terms},
        "reasons": [reason_object(reason) for reason in entry.reasons],
    }


def over_budget_sentence(plan: ContextPlan) -> str:
    """Return why a plan can't be sent: what must be in it and does not fit, and into which limit."""
    items = _unfitting(plan)
    which = ", ".join(item.title if item.section is Section.MESSAGE else repr(item.title) for item in items)
    verb = "does" if len(items) == 1 else "do"
    if _is_window_full(items):
        room = f"{plan.limits.window_tokens:,} tokens, all that {plan.model!r} can read beside its answer"
    else:
        room = f"the budget of {plan.limits.budget_tokens:,} tokens"
    return f"{which} {verb} not fit into {room}."


def over_budget_hint(plan: ContextPlan) -> str:
    """Return what the user can do about a plan that can't be sent."""
    items = _unfitting(plan)
    has_pins = any(item.section is Section.PIN and (item.included or item in items) for item in plan.items)
    first = "Unpin something in the context overlay" if has_pins else "Say it in fewer words"
    if not _is_window_full(items):
        return f"{first}, or raise the limit with /context budget N or --budget N."
    other = "or choose a model with a longer window: /model NAME"
    return f"{first}, {other}. If this one's is longer than assumed, set context_tokens in settings.toml."


def _unfitting(plan: ContextPlan) -> list[PlanItem]:
    return [item for item in plan.items if item.id in plan.over_budget]


def _is_window_full(items: Sequence[PlanItem]) -> bool:
    """Return whether the model's window bounds, not the budget; what is included outgrew the window as a whole."""
    return any(
        item.included
        or any(reason.subject == Limit.WINDOW for reason in item.reasons if reason.type is ReasonType.BUDGET)
        for item in items
    )


def index_object(report: IndexReport) -> dict[str, object]:
    """Return what an index refresh did."""
    return {
        "revision": report.revision,
        "files": report.files,
        "parsed": report.parsed,
        "removed": report.removed,
        "symbols": report.symbols,
        "edges": report.edges,
        "seconds": round(report.seconds, 3),
        "languages": dict(report.languages),
        "skipped": [{"path": s.path, "reason": s.reason.value, "detail": s.detail} for s in report.skipped],
        "other_files": report.other_files,
        "syntax_errors": {
            "files": report.broken_files,
            "most": [{"path": each.path, "errors": each.errors} for each in report.broken],
        },
        "complete": report.is_complete,
    }
