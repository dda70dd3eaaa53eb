"""What every strategy has to keep, as a test-suite that anybody can run on their own.

In a test of yours::

    import asyncio
    from ctxcode.context.strategies.invariants import breaches

    def test_my_strategy_keeps_the_rules() -> None:
        assert () == asyncio.run(breaches(MyStrategy()))
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

from ctxcode.context.candidate import PlanRequest
from ctxcode.context.candidates import exchange, message_candidate, system_candidate
from ctxcode.context.planner import plan
from ctxcode.context.strategies.offered import complaint, offered
from ctxcode.context.strategies.port import Completed, ComposeRequest, ContextStrategy, Memory, Proposal
from ctxcode.model.canonical import canonical_json
from ctxcode.model.conversation import StoppedBy, ToolCall, ToolResult, ToolRound, ToolStatus, Turn
from ctxcode.model.engine.strategy import Related
from ctxcode.model.errors import ModelError
from ctxcode.model.plan import ContextMode, PayloadMessage, PlanLimits, PlannedRequest, Section

_LENGTHS = (0, 1, 2, 7, 31)
_BUDGETS = (12, 160, 900, 8_000)
_WINDOW = 40_000
_RESERVE = 100
_ITERATIONS = (0, 12, 17, 25)
"""Requests of one turn: the later ones send less of the conversation."""
_PROMPTS = ("why does the retry back off", "continue", "fix the error in shop/price.py")


def _words(text: str) -> int:
    """Count tokens the simple way: one a word, one a line break."""
    return len(text.split()) + text.count("\n")


@dataclass(frozen=True, slots=True)
class _Search:
    """Finds every third turn, the less alike the older it is."""

    history: Sequence[Turn]

    def related(self, limit: int) -> tuple[Related, ...]:
        return tuple(self.about(turn) for turn in self.history[::-3])[:limit]

    def about(self, turn: Turn) -> Related:
        newest = self.history[-1].number
        return Related(turn.number, round(max(0.0, 0.9 - 0.04 * (newest - turn.number)), 4), ("retry",))


async def _writes(instruction: str, text: str, *, model: str = "") -> str:
    """Write a few words, and JSON among them for a strategy that wants some."""
    del instruction, model
    return f'{{"goal": "retry", "seen": {len(text)}}}'


async def _fails(instruction: str, text: str, *, model: str = "") -> str:
    """Fail as an unreachable model does."""
    del instruction, text, model
    raise ModelError("No model is there.")


async def breaches(strategy: ContextStrategy) -> tuple[str, ...]:
    """Return what a strategy does wrong in conversations of many kinds, each in a sentence; nothing when it is sound.

    An exception the strategy raises is raised here too, unless the model it let write had failed.
    """
    found: dict[str, None] = {}
    for length in _LENGTHS:
        history = _history(length)
        memory = Memory()
        for end in range(length + 1):
            # The conversation as it grew: a memory is made after each turn, as in a session.
            memory = await _remembered(strategy, history[:end], memory, found)
        for budget in _BUDGETS:
            for prompt in _PROMPTS:
                request = _request(history, memory, prompt, budget)
                for iteration in _ITERATIONS:
                    wrong = await _request_breaches(strategy, replace(request, iteration=iteration))
                    found |= dict.fromkeys(wrong)
    return tuple(found)


async def _request_breaches(strategy: ContextStrategy, request: ComposeRequest) -> list[str]:
    before = _state(strategy), canonical_json([request.history, request.memory])
    proposal = await strategy.compose(request)
    again = await strategy.compose(request)
    where = f"with {len(request.history)} turns and {request.budget_tokens} tokens"
    found = []
    if (_state(strategy), canonical_json([request.history, request.memory])) != before:
        found.append(f"compose changes something {where}")
    if proposal != again:
        found.append(f"compose answers differently the second time {where}")
    if wrong := complaint(proposal, request):
        return [*found, f"{wrong} ({where})"]
    planned = _planned(proposal, request, strategy.name)
    return [*found, *(f"{wrong} {where}" for wrong in _plan_breaches(planned, request))]


def _plan_breaches(planned: PlannedRequest, request: ComposeRequest) -> list[str]:
    made, payload = planned.plan, planned.payload
    found = []
    if payload is None:
        # Only the message itself may be too long for what the user allows.
        return [] if _words(request.prompt) > made.limits.budget_tokens else ["nothing can be sent"]
    if made.active_tokens > made.limits.budget_tokens or made.tokens > made.limits.window_tokens:
        found.append("the request is over budget")
    first, *between, last = payload.messages
    if first.role != "system" or not first.content.startswith(request.system):
        found.append("the system prompt is not first")
    if last.role != "user" or not last.content.endswith(request.prompt):
        found.append("the newest message is not last")
    if wrong := _orphan(between):
        found.append(wrong)
    told = sum(item.id.startswith(("turn:", "turns:")) for item in made.items)
    if (told == 0) is (len(request.history) > 0) or not all(item.reasons for item in made.items):
        found.append("something is neither in nor left out with a reason")
    sent = [item.id for item in made.included if item.section is Section.HISTORY]
    if sent != sorted(sent, key=lambda item: int(item.partition(":")[2])):
        found.append("the turns are not in their order")
    return found


def _orphan(messages: Sequence[PayloadMessage]) -> str:
    """Return what stands alone in a history: a question, an answer, a tool call or a result."""
    waiting: list[str] = []
    is_asked = False
    for message in messages:
        if message.role == "tool":
            if not waiting or waiting.pop(0) != message.call_id:
                return "a tool result stands without its call"
            continue
        if waiting:
            return "a tool call stands without its result"
        if (message.role == "user") is is_asked:
            return "a message stands without its answer"
        is_asked = message.role == "user" or bool(message.calls)
        waiting = [call.id for call in message.calls]
    return "a message stands without its answer" if is_asked or waiting else ""


def _planned(proposal: Proposal, request: ComposeRequest, name: str) -> PlannedRequest:
    talk = offered(proposal, request, lambda turn: exchange(turn, _words))
    budget = talk.budget_tokens or request.budget_tokens
    system = system_candidate(_words)
    return plan(
        PlanRequest(
            prompt=request.prompt,
            branch=request.branch,
            turn=request.turn,
            mode=ContextMode.OFF,
            strategy=name,
            model=request.model,
            tokenizer="words",
            limits=PlanLimits(_WINDOW, budget, _RESERVE),
            index_revision="",
            system=system,
            message=message_candidate(request.prompt, _words),
            message_overhead_tokens=4,
            history=talk.history,
            blocks=talk.blocks,
            untold=talk.untold,
            has_gaps=talk.has_gaps,
            iteration=request.iteration,
        ),
        _words,
    )


async def _remembered(
    strategy: ContextStrategy, history: Sequence[Turn], memory: Memory, found: dict[str, None]
) -> Memory:
    if not history:
        return memory
    done = Completed(history, memory, declined=0, budget_tokens=900, count=_words, write=_writes)
    failed = await _made(strategy, replace(done, write=_fails))
    if failed is not None and failed.through > memory.through:
        found["it forgets turns although the model failed"] = None
    made = await _made(strategy, done)
    if made is None:
        return memory
    if not 0 <= made.through <= history[-1].number:
        found["what it remembers stands for turns there are not"] = None
    return made


async def _made(strategy: ContextStrategy, done: Completed) -> Memory | None:
    """Return what a strategy remembers; None too when it could not use what the model wrote."""
    try:
        return await strategy.on_turn_complete(done)
    except ModelError:
        return None


def _request(history: Sequence[Turn], memory: Memory, prompt: str, budget: int) -> ComposeRequest:
    return ComposeRequest(
        prompt=prompt,
        branch="main",
        turn=len(history) + 1,
        iteration=0,
        mode=ContextMode.LIGHT,
        model="model",
        system=system_candidate(_words).richest.text,
        tools=(),
        retrieved=("shop.price.total_of",),
        history=history,
        window_turns=0,
        budget_tokens=budget,
        is_budget_fixed=False,
        memory=memory,
        search=_Search(history),
        tokens_of=lambda turn: exchange(turn, _words).candidate.richest.tokens,
        count=_words,
    )


def _history(length: int) -> tuple[Turn, ...]:
    """Return turns of many sizes; numbers have a hole where a turn was removed."""
    return tuple(
        Turn(
            number=number + (number > 3),
            prompt=f"question {number} about retry " + "and more " * (number * 7 % 40),
            reply=f"answer {number}: ```code```" + " because" * (number * 13 % 90),
            plan_id=None,
            stopped_by=StoppedBy.ANSWER,
            model="model",
            rounds=_rounds(number) if number % 3 == 0 else (),
        )
        for number in range(1, length + 1)
    )


def _rounds(number: int) -> tuple[ToolRound, ...]:
    """Return two rounds of tool calls, the first with two at once."""
    calls = [ToolCall(f"call{number}.{n}", "read_file", f'{{"path": "shop/{number + n}.py"}}') for n in range(3)]
    results = [ToolResult(ToolStatus.OK, f"line {n} " * (20 * n + 1)) for n in range(3)]
    return (
        ToolRound("I look.", tuple(calls[:2]), tuple(results[:2])),
        ToolRound("", (calls[2],), (results[2],)),
    )


def _state(strategy: ContextStrategy) -> str:
    """Return what a strategy holds, as text."""
    if is_dataclass(strategy):
        return repr([(row.name, getattr(strategy, row.name)) for row in fields(strategy)])
    return repr(vars(strategy))
