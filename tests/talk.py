"""Conversations and compose requests for tests, their tokens counted in words."""

from collections.abc import Sequence

from plan_inputs import words

from ctxcode.context.candidates import exchange
from ctxcode.context.strategies.port import ComposeRequest, Memory
from ctxcode.model.conversation import StoppedBy, Turn
from ctxcode.model.plan import ContextMode
from ctxcode.session.strategy.past import Past


def turn(number: int, prompt: str = "", reply: str = "") -> Turn:
    """Return a completed turn."""
    return Turn(number, prompt or f"question {number}", reply or f"answer {number}", None, StoppedBy.ANSWER, "m")


def talk(*prompts: str) -> tuple[Turn, ...]:
    """Return turns with these prompts."""
    return tuple(turn(number, prompt) for number, prompt in enumerate(prompts, start=1))


def asked(
    history: Sequence[Turn],
    prompt: str = "what now",
    *,
    budget: int = 1_000,
    memory: Memory | None = None,
    window: int = 0,
) -> ComposeRequest:
    """Return the request for a prompt after some turns, searched as a session searches."""
    return ComposeRequest(
        prompt=prompt,
        branch="main",
        turn=history[-1].number + 1 if history else 1,
        iteration=0,
        mode=ContextMode.LIGHT,
        model="m",
        system="You are a companion.\n",
        tools=(),
        retrieved=(),
        history=history,
        window_turns=window,
        budget_tokens=budget,
        is_budget_fixed=False,
        memory=memory or Memory(),
        search=Past().search(history, prompt),
        tokens_of=lambda one: exchange(one, words).candidate.richest.tokens,
        count=words,
    )
