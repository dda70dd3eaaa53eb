"""What is said of a plan that can't be sent: what does not fit, into which limit, and what to do about it."""

from plan_inputs import file_candidate, request, words

from ctxcode.context.candidate import PinnedCandidate
from ctxcode.context.planner import plan
from ctxcode.model.pin import PinKind
from ctxcode.session.report import over_budget_hint, over_budget_sentence

LONG = "word " * 5_000


def test_a_message_longer_than_the_models_window_is_told_of_the_window_and_not_to_raise_the_budget() -> None:
    made = plan(request(prompt=LONG, budget=8_000, window=4_000), words).plan
    expected = "your message does not fit into 4,000 tokens, all that 'navigator' can read beside its answer."
    assert expected == over_budget_sentence(made)
    hint = over_budget_hint(made)
    assert (True, True, False) == ("fewer words" in hint, "/model NAME" in hint, "/context budget" in hint)


def test_a_message_longer_than_the_budget_is_told_of_the_budget() -> None:
    made = plan(request(prompt=LONG, budget=800), words).plan
    assert "your message does not fit into the budget of 800 tokens." == over_budget_sentence(made)
    expected = "Say it in fewer words, or raise the limit with /context budget N or --budget N."
    assert expected == over_budget_hint(made)


def test_a_pin_that_does_not_fit_is_to_be_unpinned() -> None:
    pin = PinnedCandidate(file_candidate("a.py", 5_000), PinKind.STICKY)
    made = plan(request(pins=[pin], budget=800), words).plan
    assert "'a.py' does not fit into the budget of 800 tokens." == over_budget_sentence(made)
    assert over_budget_hint(made).startswith("Unpin something in the context overlay, or raise the limit")
