"""What a context mode allows."""

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.context.mode import candidates_for, limits_of
from ctxcode.model.plan import ContextMode

_SHORT_FORM_TOKENS = 11
"""What short one-line signatures take."""


@given(st.sampled_from([ContextMode.LIGHT, ContextMode.HEAVY]), st.integers(0, 50_000))
def test_there_are_more_candidates_than_fit(mode: ContextMode, budget_tokens: int) -> None:
    limits = limits_of(mode)
    room = limits.retrieval_share * budget_tokens
    lines = limits.max_rich + room * (1 - limits.rich_share) / _SHORT_FORM_TOKENS
    assert candidates_for(mode, budget_tokens) > lines


@given(st.sampled_from(list(ContextMode)), st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_larger_budget_never_has_fewer_candidates(mode: ContextMode, one: int, other: int) -> None:
    few, many = sorted((one, other))
    assert candidates_for(mode, few) <= candidates_for(mode, many)
