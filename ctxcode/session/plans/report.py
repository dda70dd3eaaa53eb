"""Plan differences, replays and exports as the plain objects the command line prints as JSON."""

from collections.abc import Iterable

from ctxcode.model.canonical import plain
from ctxcode.model.engine.difference import ItemChange, PlanDifference
from ctxcode.model.event import DurableEvent
from ctxcode.model.plan import ContextPlan, PlanItem
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.session.plans.replay import Replay
from ctxcode.session.report import plan_object, reason_object
from ctxcode.session.told import event_object

EXPORT_FORMAT = "ctxcode-plan/1"


def difference_object(made: PlanDifference) -> dict[str, object]:
    """Return the way from one plan to another."""
    return {
        "from": made.before,
        "to": made.after,
        "tokens": list(made.tokens),
        "active_tokens": list(made.active_tokens),
        "settings": {row.name: [row.before, row.after] for row in made.settings},
        "unchanged": made.unchanged,
        "kept_prefix": made.kept_prefix,
        "changes": [_change_object(change) for change in made.changes],
    }


def _change_object(change: ItemChange) -> dict[str, object]:
    item = change.item
    return {
        "change": change.kind.value,
        "id": item.id,
        "symbol": item.dotted or item.title,
        "path": item.path or None,
        "tokens": change.tokens,
        "before": _side(change.before),
        "after": _side(change.after),
        "reasons": [reason_object(reason) for reason in change.reasons],
    }


def _side(item: PlanItem | None) -> dict[str, object] | None:
    if item is None:
        return None
    return {
        "included": item.included,
        "section": item.section.value,
        "detail": item.detail.value,
        "tokens": item.tokens,
    }


def replay_object(made: Replay) -> dict[str, object]:
    """Return a stored request, its verification and what has changed since."""
    return {
        "plan_id": made.plan.id,
        "model": made.plan.model,
        "payload_hash": made.plan.payload_hash,
        "verified": made.is_intact,
        "broken": list(made.broken),
        "files": [{"path": s.path, "state": s.state.value, "items": s.items} for s in made.sources],
        **made.payload.wire,
    }


def export_object(
    plan: ContextPlan, replay: Replay | None, retrieval: RetrievalSet | None, events: Iterable[DurableEvent]
) -> dict[str, object]:
    """Return everything that is known of a plan in one object: decision, payload, candidates and what came of it.

    ``replay`` is None for a plan that was over budget; ``events`` are those of its request, oldest first.
    """
    return {
        "format": EXPORT_FORMAT,
        "plan": {**plan_object(plan), "prompt": plan.prompt, "payload_hash": plan.payload_hash},
        "sources": [{"path": source.path, "digest": source.digest} for source in plan.sources],
        "messages": None,
        **(replay.payload.wire if replay is not None else {}),
        "verified": replay.is_intact if replay is not None else None,
        "retrieval": plain(retrieval),
        "events": [event_object(event) for event in events],
    }
