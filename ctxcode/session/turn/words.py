"""How a turn opens and how it ends when it is not with an answer, and what is told of a plan."""

from dataclasses import replace

from ctxcode.action.limits import NOTHING_SENT
from ctxcode.action.reply import Verdict, verdict
from ctxcode.action.tool_call import MOST_REPAIRS
from ctxcode.context.candidate import SO_FAR
from ctxcode.context.turn.atom import NOTE
from ctxcode.feedback.usage import prompt_cost
from ctxcode.model.conversation import LoopStage, ModelInfo, StoppedBy
from ctxcode.model.event import ContextPlanned, DurableEvent, SectionTokens, SessionRenamed, TurnStarted, Withholding
from ctxcode.model.plan import ContextPlan, ReasonType
from ctxcode.session.assemble import Ask
from ctxcode.session.report import over_budget_hint, over_budget_sentence
from ctxcode.session.turn.reply import Reply

TITLE_CHARS = 60
_IN_CIRCLES = {
    LoopStage.ASK: Verdict(
        StoppedBy.LOOP_GUARD, "The model went in circles and was told to ask you.", "Answer it, or ask another way."
    ),
    LoopStage.STOP: Verdict(
        StoppedBy.LOOP_GUARD,
        "The model went in circles and had to answer with what it knew.",
        "Name the file or symbol it should look at, or ask another way.",
    ),
}
UNUSABLE_CALLS = Verdict(
    StoppedBy.ERROR,
    f"The model sent tool calls that can't be run {MOST_REPAIRS + 1} times in a row.",
    "Ask again, use another model, or turn tools off with `tools = false` in settings.toml.",
)

ONLY_THOUGHTS = Verdict(
    StoppedBy.ERROR,
    "The model thought, and then neither said anything nor called a tool.",
    "Ask again, in other words, or use another model.",
)


def opening(ask: Ask, *, has_title: bool) -> tuple[DurableEvent, ...]:
    """Return the events that open a turn; the first prompt also names the session."""
    started = TurnStarted(ask.turn, ask.prompt, ask.withheld)
    line = "" if has_title else " ".join(ask.prompt.split())
    title = line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"
    return (started, SessionRenamed(title)) if title else (started,)


def outcome(reply: Reply, stage: LoopStage | None, most_requests: int) -> Verdict:
    """Return how a turn ends with a reply; ``most_requests`` is above 0 when it had to, after so many."""
    end = reply.end
    if end is None:
        return Verdict(StoppedBy.ERROR, "The model's stream ended without an end.", "Send it again to retry.")
    if end.is_thought:
        return ONLY_THOUGHTS
    if stage is LoopStage.ASK or stage is LoopStage.STOP:
        return _IN_CIRCLES[stage]
    if most_requests:
        return _too_long(most_requests)
    return verdict(end.finish_reason, reply.text or reply.state or "")


def _too_long(requests: int) -> Verdict:
    """Return why a turn was ended that did not end by itself."""
    hint = 'The answer is from what was known by then; send "continue" to go on.'
    return Verdict(StoppedBy.LIMIT, f"The turn was ended after {requests} requests.", hint)


def _withheld(plan: ContextPlan) -> tuple[Withholding, ...]:
    """Return which rows of a plan something was taken out of."""
    return tuple(
        Withholding(item.title, reason.terms)
        for item in plan.included
        for reason in item.reasons
        if reason.type is ReasonType.SECRET
    )


def not_continued(refusal: Verdict) -> Verdict:
    """Return a refusal to send a request, told of the rest of a reply."""
    return replace(refusal, error=refusal.error.replace(NOTHING_SENT, "The rest of the reply was not asked for"))


def over_budget(plan: ContextPlan) -> Verdict:
    """Return why nothing was sent."""
    return Verdict(StoppedBy.LIMIT, f"Nothing was sent: {over_budget_sentence(plan)}", over_budget_hint(plan))


def context_planned(turn: int, plan: ContextPlan, model: ModelInfo) -> ContextPlanned:
    """Return what is told of a plan that was made for a request."""
    sections: dict[str, SectionTokens] = {}
    for item in plan.included:
        name = item.section.value
        before = sections.get(name, SectionTokens(name, 0, 0))
        # What is said behind the tools' results is told with them, and is none.
        is_result = item.id not in (NOTE, SO_FAR)
        sections[name] = SectionTokens(name, before.items + is_result, before.tokens + item.tokens)
    return ContextPlanned(
        turn=turn,
        plan_id=plan.id,
        mode=plan.mode,
        model=plan.model,
        active_tokens=plan.active_tokens,
        budget_tokens=plan.limits.budget_tokens,
        total_tokens=plan.tokens,
        sections=tuple(sections.values()),
        excluded=len(plan.excluded),
        cost_estimate=prompt_cost(model, plan.tokens),
        over_budget=plan.over_budget,
        strategy=plan.strategy,
        notice=plan.notice,
        search_notice=plan.search_notice,
        withheld=_withheld(plan),
    )
