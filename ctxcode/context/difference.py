"""What entered, left or changed from one plan to another, and why."""

from ctxcode.model.engine.difference import ChangeKind, ItemChange, PlanDifference, SettingChange
from ctxcode.model.plan import ContextPlan, PlanItem, Reason


def difference(before: ContextPlan, after: ContextPlan) -> PlanDifference:
    """Return the way from one plan to another; of a plan to itself it is empty."""
    old = {item.id: item for item in before.items}
    new = {item.id: item for item in after.items}
    changes = [change for item in after.included if (change := _change(old.get(item.id), item)) is not None]
    unchanged = len(after.included) - len(changes)
    changes += [
        ItemChange(ChangeKind.LEFT, item, new.get(item.id), _against(new.get(item.id)))
        for item in before.included
        if item.id not in new or not new[item.id].included
    ]
    return PlanDifference(
        before=before.id,
        after=after.id,
        tokens=(before.tokens, after.tokens),
        active_tokens=(before.active_tokens, after.active_tokens),
        settings=_settings(before, after),
        changes=tuple(changes),
        unchanged=unchanged,
        kept_prefix=_kept_prefix(before.included, after.included),
    )


def _change(before: PlanItem | None, after: PlanItem) -> ItemChange | None:
    """Return how an included item came to be as it is; None when it was so before."""
    if before is None or not before.included:
        return ItemChange(ChangeKind.ENTERED, before, after, after.reasons)
    if before.detail is not after.detail:
        is_richer = after.detail.richness > before.detail.richness
        return ItemChange(ChangeKind.RICHER if is_richer else ChangeKind.POORER, before, after, _gained(before, after))
    if before.text != after.text:
        return ItemChange(ChangeKind.TEXT, before, after, _gained(before, after))
    if before.section is not after.section:
        return ItemChange(ChangeKind.SECTION, before, after, _gained(before, after))
    return None


def _gained(before: PlanItem, after: PlanItem) -> tuple[Reason, ...]:
    """Return the reasons that are new; all of them when none is."""
    known = {(reason.type, reason.terms, reason.relation, reason.subject) for reason in before.reasons}
    gained = tuple(r for r in after.reasons if (r.type, r.terms, r.relation, r.subject) not in known)
    return gained or after.reasons


def _against(item: PlanItem | None) -> tuple[Reason, ...]:
    """Return why an item is left out now: its first reason; nothing when it is no candidate."""
    return item.reasons[:1] if item is not None else ()


def _settings(before: ContextPlan, after: ContextPlan) -> tuple[SettingChange, ...]:
    rows = (
        ("mode", before.mode.value, after.mode.value),
        ("model", before.model, after.model),
        ("budget", str(before.limits.budget_tokens), str(after.limits.budget_tokens)),
        ("window", str(before.limits.window_tokens), str(after.limits.window_tokens)),
        ("strategy", before.strategy, after.strategy),
        ("tokenizer", before.tokenizer, after.tokenizer),
        ("index", before.index_revision, after.index_revision),
        ("prompt", before.prompt, after.prompt),
    )
    return tuple(SettingChange(name, old, new) for name, old, new in rows if old != new)


def _kept_prefix(before: tuple[PlanItem, ...], after: tuple[PlanItem, ...]) -> int:
    kept = 0
    for old, new in zip(before, after, strict=False):
        if (old.id, old.section, old.text) != (new.id, new.section, new.text):
            break
        kept += 1
    return kept
