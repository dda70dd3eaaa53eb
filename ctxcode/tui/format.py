"""Words and numbers: how reasons, token counts, prices, meters and plans are put for people. Knows no terminal."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ctxcode.model.engine.capsule import is_capsule
from ctxcode.model.engine.event import StrategyRemembered
from ctxcode.model.event import ContextPlanned
from ctxcode.model.naming.number import counted
from ctxcode.model.pin import Pin, PinKind
from ctxcode.model.plan import ContextPlan, Detail, Limit, PlanItem, Reason, ReasonType, Relation, Section
from ctxcode.model.retrieval import Retrieved
from ctxcode.tui.bill.bound import sacrifice
from ctxcode.tui.bill.place import fitting_place
from ctxcode.tui.clean import clean_line, clean_name
from ctxcode.tui.glyphs import UNICODE, Glyphs, meter
from ctxcode.tui.number import adding_up, dollars, mode_label, percent, thousands
from ctxcode.tui.rows import Part, Row, RowKind, bill
from ctxcode.tui.state.view import TurnView

_RELATIONS = {
    Relation.CALLS: "calls",
    Relation.CALLED_BY: "called by",
    Relation.INHERITS: "inherits from",
    Relation.INHERITED_BY: "inherited by",
    Relation.IMPLEMENTS: "implements",
    Relation.IMPLEMENTED_BY: "implemented by",
    Relation.IMPORTS: "imports",
    Relation.IMPORTED_BY: "imported by",
    Relation.RE_EXPORTS: "re-exports",
    Relation.RE_EXPORTED_BY: "re-exported by",
    Relation.CONTAINS: "contains",
    Relation.CONTAINED_IN: "inside",
}
_PLAIN_REASONS = {
    ReasonType.PINNED: "pinned by you",
    ReasonType.LEASED: "pinned for some turns",
    ReasonType.MENTIONED: "you named it",
    ReasonType.SEMANTIC: "close in meaning",
    ReasonType.CENTRAL: "central in the graph",
    ReasonType.RECENT: "recent",
    ReasonType.ANCHOR: "in the state anchor",
    ReasonType.STRATEGY: "part of every request",
    ReasonType.BUDGET: "did not fit the budget",
    ReasonType.LEASE_EXPIRED: "its lease has ended",
    ReasonType.MODE: "this mode leaves it out",
    ReasonType.DUPLICATE: "already there",
    ReasonType.STALE: "the file has changed since",
    ReasonType.OUT_OF_SCOPE: "outside what was asked",
    ReasonType.DROPPED_BY_USER: "dropped by you",
    ReasonType.OUTSIDE_WINDOW: "older than the window",
    ReasonType.SECRET: "may hold a secret",
    ReasonType.BELOW_THRESHOLD: "scored too low",
    ReasonType.UNREADABLE: "can't be read",
}
_LIMITS: dict[str, str] = {
    Limit.MODE: "did not fit this mode's share for code",
    Limit.LEASES: "did not fit the share of leases",
    Limit.WINDOW: "did not fit the model's window",
}
_GROUPS = {
    ReasonType.BUDGET: "did not fit",
    ReasonType.LEASE_EXPIRED: "lease ended",
    ReasonType.MODE: "left out by the mode",
    ReasonType.DUPLICATE: "duplicates",
    ReasonType.STALE: "changed since",
    ReasonType.OUT_OF_SCOPE: "out of scope",
    ReasonType.DROPPED_BY_USER: "dropped by you",
    ReasonType.OUTSIDE_WINDOW: "older than the window",
    ReasonType.SECRET: "possible secrets",
    ReasonType.BELOW_THRESHOLD: "below the threshold",
    ReasonType.UNREADABLE: "can't be read",
    ReasonType.STRATEGY: "left out by the strategy",
}
_EMPTY = {
    Part.PINNED: "nothing pinned yet; p on a row pins it",
    Part.RETRIEVED: "nothing was retrieved",
    Part.EXCLUDED: "nothing was left out",
    Part.SUGGESTED: "none yet; what keeps coming up is suggested here",
}


def quoted(terms: Iterable[str], glyphs: Glyphs = UNICODE) -> str:
    """Return words in quotation marks, separated by commas."""
    return ", ".join(f"{glyphs.quotes[0]}{clean_line(term, 60)}{glyphs.quotes[1]}" for term in terms)


def longest(terms: Sequence[str]) -> list[str]:
    """Return terms without those that only repeat how a word of another begins: “resolve” beside “url resolver”."""
    kept: list[str] = []
    for number, term in enumerate(terms):
        begins = re.compile(rf"(?<![^\W_]){re.escape(term)}", re.IGNORECASE)
        others = [*terms[:number], *(other for other in terms[number + 1 :] if other.casefold() != term.casefold())]
        if not any(begins.search(other) for other in others):
            kept.append(term)
    return kept


def bare(item_id: str) -> str:
    """Return an item id or dotted name without its kind and path: ``Query.join``."""
    if is_capsule(item_id):
        return clean_line(f"summary of {item_id.split(':', 2)[-1] or './'}", 120)
    text = item_id.partition(":")[2] if item_id.startswith(("symbol:", "file:", "lines:")) else item_id
    return clean_line(text.rpartition("::")[2] or text, 120)


def reason_words(reason: Reason, glyphs: Glyphs = UNICODE) -> str:
    """Return one reason in words: ``called by Query.join``, ``matches “retry”``."""
    match reason.type:
        case ReasonType.LEXICAL:
            in_body = "your words in its body" if reason.subject == "body" else "matches your words"
            return f"matches {quoted(longest(reason.terms), glyphs)}" if reason.terms else in_body
        case ReasonType.MENTIONED if reason.terms:
            return f"{'nearest name to' if reason.subject else 'you named'} {quoted(longest(reason.terms), glyphs)}"
        case ReasonType.GRAPH:
            relation = _RELATIONS[reason.relation] if reason.relation else "linked to"
            return f"{relation} {bare(reason.subject)}" if reason.subject else f"{relation} something included"
        case ReasonType.CENTRAL | ReasonType.STALE | ReasonType.UNREADABLE if reason.subject:
            return clean_line(reason.subject, 60)
        case ReasonType.DEPENDENCY:
            return f"needed by {bare(reason.subject)}" if reason.subject else "needed by something included"
        case ReasonType.SECRET if reason.terms:
            return f"withheld: {', '.join(clean_line(term, 60) for term in reason.terms)}"
        case ReasonType.DUPLICATE if reason.subject:
            return f"already there in {bare(reason.subject)}"
        case ReasonType.STRATEGY if reason.terms:
            return f"holds {' and '.join(clean_line(term, 40) for term in reason.terms)}"
        case ReasonType.STRATEGY if reason.subject:
            return f"in the {clean_line(reason.subject, 40)} instead"
    words = _PLAIN_REASONS[reason.type]
    return _LIMITS.get(reason.subject, words) if reason.type is ReasonType.BUDGET else words


def reasons_words(item: PlanItem, glyphs: Glyphs = UNICODE, pin: Pin | None = None) -> str:
    """Return an item's reasons in one line, a pin's remaining turns first."""
    if item.section is Section.MESSAGE:
        return "what you ask"
    words = [item_reason_words(item, reason, glyphs) for reason in item.reasons]
    if item.kind == "instructions":
        always = _PLAIN_REASONS[ReasonType.STRATEGY]
        words = ["how this repository asks to be worked on" if word == always else word for word in words]
    if pin is not None:
        words = [pin_words(pin), *(word for word in words if word not in _PIN_WORDS)]
    return f" {glyphs.dot} ".join(dict.fromkeys(words))


def item_reason_words(item: PlanItem, reason: Reason, glyphs: Glyphs = UNICODE) -> str:
    """Return a reason in words; a tree is no code that could be central, but is folded by what is."""
    is_folded = item.kind == "tree" and reason.type is ReasonType.CENTRAL and not reason.subject
    return "where things are, opened where files are most central" if is_folded else reason_words(reason, glyphs)


_PIN_WORDS = frozenset({_PLAIN_REASONS[ReasonType.PINNED], _PLAIN_REASONS[ReasonType.LEASED]})


def pin_words(pin: Pin) -> str:
    """Return what a pin is: ``sticky, by you``, ``leased, 3 turns left``, ``leased for the task``."""
    by = "you" if pin.by == "user" else f"the {pin.by}"
    if pin.kind is PinKind.STICKY:
        return f"sticky, by {by}"
    left = "for the task" if pin.turns_left is None else f"{counted(pin.turns_left, 'turn')} left"
    words = f"{pin.kind.value} {left}" if pin.turns_left is None else f"{pin.kind.value}, {left}"
    return f"{words}, {clean_line(pin.evidence, 80)}" if pin.evidence else words


def memory_words(made: StrategyRemembered) -> str:
    """Return what the transcript says of a memory: ``turns 1–5 folded into a summary by gpt-x, /strategy shows it``."""
    by = f" by {clean_line(made.model, 60)}" if made.model else ""
    return f"{clean_line(made.note, 120)}{by}; /strategy memory shows it, /strategy revert takes it back"


def why_lines(item: PlanItem, glyphs: Glyphs = UNICODE) -> list[str]:
    """Return every reason of an item with its weight, and its score."""
    weights = adding_up([reason.weight for reason in item.reasons], item.score)
    lines = [
        f"{f'{weight:.3f}' if reason.weight else '':>6}  {item_reason_words(item, reason, glyphs)}"
        for reason, weight in zip(item.reasons, weights, strict=True)
    ]
    return [*lines, f"{item.score:6.3f}  score"] if item.score else lines


def place(item: PlanItem) -> str:
    """Return ``path:line``, the path alone, or nothing."""
    path = clean_name(item.path)[:300]
    if not path or item.path == item.title:
        return f":{item.start_line}" if path and item.start_line > 1 else ""
    return f"{path}:{item.start_line}" if item.start_line else path


def heading(item: PlanItem) -> str:
    """Return what a row calls an item; a path with every space it has."""
    return clean_name(item.title)[:200] if item.title == item.path else clean_line(item.title, 200)


def part_tokens(row: Row) -> str:
    """Return the right end of a section's heading: its tokens, or how many items were left out."""
    if row.part is Part.EXCLUDED:
        return counted(len(row.items), "item")
    return thousands(row.tokens) if row.part is not Part.SUGGESTED else ""


def fold_words(row: Row) -> str:
    """Return what a fold holds: ``+14 signatures in 6 files``, ``over budget``, ``query.py, 3 items``."""
    if row.label:
        return f"{clean_line(row.label, 200)}, {counted(len(row.items), 'item')}"
    if row.reason is not None:
        return _GROUPS[row.reason]
    files = len({item.path for item in row.items if item.path})
    return f"+{counted(len(row.items), 'signature')} in {counted(files, 'file')}"


def empty_words(part: Part, *, has_pins: bool = False) -> str:
    """Return what would fill an empty section; ``has_pins`` when something is pinned now, whatever was before."""
    if part is Part.PINNED and has_pins:
        return "nothing in this request; new pins go with the next"
    return _EMPTY.get(part, "empty")


def used_tokens(turn: TurnView) -> tuple[int, bool]:
    """Return what a turn's request took of the active context, and whether the provider has counted it.

    A provider counts the whole request, in tokens of its own; the active context has the share of it that it was
    planned to have.
    """
    if turn.plan is None:
        return 0, False
    if turn.usage is None or turn.usage.prompt is None:
        return turn.plan.active_tokens, False
    return round(turn.usage.prompt * turn.plan.active_tokens / max(turn.plan.total_tokens, 1)), True


def turn_cost(turn: TurnView) -> float | None:
    """Return dollars: the provider's when known, else the plan's estimate."""
    if turn.spent is not None and turn.spent.cost is not None:
        return turn.spent.cost
    return turn.plan.cost_estimate if turn.plan else None


def contents(planned: ContextPlanned, plan: ContextPlan | None = None) -> list[str]:
    """Return what a request held, in words: ``scaffold``, ``9 cards``, ``2 pins``."""
    items = {section.section: section.items for section in planned.sections}
    words = ["scaffold"] if items.get(Section.SCAFFOLD) else []
    if plan is not None:
        levels = Counter(item.detail for item in plan.included if item.section is Section.TOUCHPOINT)
        for level, noun in ((Detail.BODY, "body"), (Detail.EXCERPT, "excerpt"), (Detail.CARD, "card")):
            if levels[level]:
                words.append(counted(levels[level], noun, "bodies" if noun == "body" else ""))
        if tail := levels[Detail.SIGNATURE] + levels[Detail.NAME]:
            words.append(counted(tail, "signature"))
    elif items.get(Section.TOUCHPOINT):
        words.append(counted(items[Section.TOUCHPOINT], "symbol"))
    for section, noun in ((Section.PIN, "pin"), (Section.HISTORY, "turn"), (Section.TOOL_ATOM, "tool result")):
        if items.get(section):
            words.append(counted(items[section], noun))
    return words


def turn_meter(
    turn: TurnView,
    plan: ContextPlan | None = None,
    glyphs: Glyphs = UNICODE,
    *,
    fits: Callable[[str], bool] = lambda _line: True,
) -> str:
    """Return the budget-meter line of a user message, without what matters least until it ``fits``."""
    if turn.plan is None and turn.prompt.startswith("!"):
        was_run = turn.stopped_by is None or turn.reply
        return "run here, told to the model with your next message" if was_run else "not run"
    if turn.plan is None:
        return "planning" if turn.stopped_by is None else "not sent"
    used, is_actual = used_tokens(turn)
    amount = f"{'' if is_actual else '~'}{thousands(used)} / {thousands(turn.plan.budget_tokens)} tok"
    gap = used - turn.plan.active_tokens if is_actual else 0
    held = contents(turn.plan, plan)
    mode, key, cost = mode_label(turn.plan.mode), glyphs.keyboard.short("chat.context"), dollars(turn_cost(turn))
    short = f"{amount} ({gap:+,})" if gap else amount
    forms = [[mode, *held, f"{amount} ({gap:+,} to the estimate)", cost, key]] if gap else []
    # The key stands in the footer too.
    forms += [[mode, *held, short, cost, key], [mode, *held, short, cost], [mode, *held, amount, cost, key]]
    forms += [[mode, *held[:count], short, cost, key] for count in range(len(held) - 1, -1, -1)]
    forms += [[mode, amount, key], [amount, key], [amount]]
    lines = [f" {glyphs.dot} ".join(filter(None, parts)) for parts in forms]
    return next((line for line in lines if fits(line)), lines[-1])


def withheld_words(turn: TurnView, glyphs: Glyphs = UNICODE) -> str:
    """Return what was kept from the model: ``withheld: API key in your message, private key in dev.py``, or nothing."""
    found = [f"{', '.join(dict.fromkeys(turn.withheld))} in your message"] if turn.withheld else []
    if turn.plan is not None:
        found += [f"{', '.join(one.kinds)} in {clean_line(one.title, 60)}" for one in turn.plan.withheld]
    results = [(call, result) for made in turn.rounds for call, result in zip(made.calls, made.results, strict=False)]
    found += [
        f"{', '.join(dict.fromkeys(result.withheld))} in the result of {clean_line(call.name, 60)}"
        for call, result in results
        if result.withheld
    ]
    if not found:
        return ""
    words = list(dict.fromkeys(found))
    rest = f" and {counted(len(words) - _SHOWN_PLACES, 'more place')}" if len(words) > _SHOWN_PLACES else ""
    return f"withheld: {f' {glyphs.dot} '.join(words[:_SHOWN_PLACES])}{rest}"


_SHOWN_PLACES = 3


def forecast(plan: ContextPlan, cost: float | None, glyphs: Glyphs = UNICODE) -> str:
    """Return what sending would come to: ``next ≈ 2,640 tok · 23 left out · $0.004``."""
    if plan.over_budget:
        return f"{unfitting(plan)} {glyphs.dot} {glyphs.keyboard.short('chat.context')}"
    parts = [
        f"next {glyphs.about} {thousands(plan.tokens)} tok",
        sacrifice(plan),
        dollars(cost),
    ]
    return f" {glyphs.dot} ".join(part for part in parts if part)


def unfitting(plan: ContextPlan) -> str:
    """Return what keeps an over-budget plan from being sent: ``QuerySet does not fit``, ``3 items do not fit``."""
    if len(plan.over_budget) == 1:
        item = next((item for item in plan.items if item.id == plan.over_budget[0]), None)
        name = "the message" if item is None or item.section is Section.MESSAGE else clean_line(item.title, 60)
        return f"{name} does not fit"
    return f"{counted(len(plan.over_budget), 'item')} do not fit"


def going_on(plan: ContextPlan, cells: int, glyphs: Glyphs) -> str:
    """Return which question a plan's question goes on from: ``goes on from “where is the cache reset?”``."""
    before = clean_line(plan.goes_on_from.strip().partition("\n")[0], cells + 1)
    if len(before) > cells:
        before = before[: max(cells - len(glyphs.ellipsis), 1)].rstrip() + glyphs.ellipsis
    return f"goes on from {glyphs.quotes[0]}{before}{glyphs.quotes[1]}" if before else ""


def plan_lines(plan: ContextPlan, width: int = 100, glyphs: Glyphs = UNICODE) -> list[str]:
    """Return a plan as plain text lines for the command line: the bill with every reason."""
    used, limit = plan.active_tokens, plan.limits.budget_tokens
    head = f" {glyphs.dot} ".join((f"plan {plan.id[:8]}", mode_label(plan.mode), clean_line(plan.strategy, 40)))
    lines = [
        _spread(head, f"{thousands(used)} / {thousands(limit)} tok {percent(used, limit)}", width),
        meter(used, limit, 20, glyphs),
        *(
            clean_line(notice, 200)
            for notice in (plan.notice, plan.search_notice, going_on(plan, 100, glyphs))
            if notice
        ),
    ]
    excluded = {f"fold:excluded:{reason.value}" for reason in ReasonType}
    for row in bill(plan, toggled=frozenset({"fold:signatures", *excluded})):
        if row.part is not Part.SUGGESTED:
            lines += _plan_row(row, width, glyphs)
    return [*lines, "", _spread("whole request", thousands(plan.tokens), width)]


def _plan_row(row: Row, width: int, glyphs: Glyphs) -> list[str]:
    match row.kind:
        case RowKind.SECTION:
            return ["", _spread(row.part.value.upper(), part_tokens(row), width)]
        case RowKind.FOLD:
            return [_spread(f"  {fold_words(row)}", thousands(row.tokens), width)]
        case RowKind.EMPTY:
            # Which key would fill it is told in the overlay, where there are keys.
            return [f"  {row.label or empty_words(row.part).partition(';')[0]}"]
        case RowKind.NOTE:
            # Told above all sections already.
            return []
        case RowKind.OVERHEAD:
            return [_spread("  separators and message overhead", thousands(row.tokens), width)]
    if row.item is None:
        return []
    right = f"{row.item.detail.value}  {thousands(row.tokens):>6}"
    name = f"  {heading(row.item)}  "
    what = name + fitting_place(place(row.item), width - len(right) - 1 - len(name), glyphs)
    return [_spread(what.rstrip(), right, width), f"      {reasons_words(row.item, glyphs)}"]


def _spread(left: str, right: str, width: int) -> str:
    room = max(10, width - len(right) - 1)
    if len(left) > room:
        left = left[: room - 1] + "…"
    return f"{left:<{room}} {right}"


def candidate_lines(entries: Sequence[Retrieved]) -> list[str]:
    """Return what was retrieved, best first, each score as the sum of its terms."""
    lines = ["", f"All {counted(len(entries), 'candidate')}; a score is the sum of its terms"] if entries else []
    for rank, entry in enumerate(entries, 1):
        symbol = entry.symbol
        place = clean_line(f"{symbol.path}:{symbol.header_line or 1} {symbol.qualname or symbol.module}")
        terms = " ".join(f"{term.name} {term.value:+.3f}" for term in entry.terms)
        lines.append(f"{rank:>4} {entry.score:.3f}  {place}  = {terms}")
    return lines
