"""The state block at the end of a reply: found, taken out while it streams, never mistaken."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ctxcode.action.state_block import StateBlockFilter, state_block

BLOCK = "---STATE---\nGoal: ship\nResolved: # not a heading\n---END STATE---"
EXAMPLES = settings(max_examples=500, deadline=None)
pieces = st.lists(
    st.sampled_from(
        ["---STATE---", "---END STATE---", "---", "text", "\n", "\r\n", "```", "~~~", "> ", " ", "Goal: x", "-", "  "]
    ),
    max_size=24,
).map("".join)


@pytest.mark.parametrize(
    ("reply", "shown", "state"),
    [
        ("Done.\n\n" + BLOCK, "Done.", "Goal: ship\nResolved: # not a heading"),
        ("Done.\n" + BLOCK + "\n\n", "Done.", "Goal: ship\nResolved: # not a heading"),
        ("a\n---STATE---\nold\n---END STATE---\nb\n---STATE---\nnew\n---END STATE---", "a\nb", "new"),
        ("Done.", "Done.", None),
        ("Done.\n---STATE---\nGoal: cut", "Done.\n---STATE---\nGoal: cut", None),
        ("```\n" + BLOCK + "\n```\n", "```\n" + BLOCK + "\n```\n", None),
        ("~~~~\n```\n" + BLOCK + "\n~~~~", "~~~~\n```\n" + BLOCK + "\n~~~~", None),
        ("> ---STATE---\n> x\n> ---END STATE---", "> ---STATE---\n> x\n> ---END STATE---", None),
        ("It writes `---STATE---` lines.", "It writes `---STATE---` lines.", None),
        ("    ---STATE---\n    x\n    ---END STATE---", "    ---STATE---\n    x\n    ---END STATE---", None),
        ("a\n---STATE---\nlost\n" + BLOCK, "a\n---STATE---\nlost", "Goal: ship\nResolved: # not a heading"),
        ("a\n---END STATE---\nb", "a\n---END STATE---\nb", None),
        ("a\n--- STATE ---\nx\n--- END STATE ---", "a", "x"),
        (BLOCK, "", "Goal: ship\nResolved: # not a heading"),
        ("", "", None),
    ],
)
def test_the_last_complete_block_outside_fences_and_quotations_counts(
    reply: str, shown: str, state: str | None
) -> None:
    assert (shown, state) == state_block(reply)


@EXAMPLES
@given(pieces, st.lists(st.integers(0, 200), max_size=12))
@example("```\n---STATE---\nx\n---END STATE---\n```", [1, 2])
@example("a\r\n---STATE---\r\nx\r\n---END STATE---\r\n", [4, 15, 16])
def test_how_a_reply_arrives_does_not_matter(reply: str, cuts: list[int]) -> None:
    places = sorted({0, len(reply), *(cut for cut in cuts if cut < len(reply))})
    taken = StateBlockFilter()
    shown = "".join(taken.feed(reply[a:b]) for a, b in pairwise(places)) + taken.finish()
    assert state_block(reply) == (shown, taken.state)


@EXAMPLES
@given(pieces)
def test_nothing_is_lost_where_there_is_no_block(reply: str) -> None:
    shown, state = state_block(reply)
    assert shown == reply if state is None else len(shown) < len(reply)


def test_a_block_is_bounded() -> None:
    shown, state = state_block("ok\n---STATE---\n" + "x" * 100_000 + "\n---END STATE---\n")
    assert ("ok", 8_000) == (shown, len(state or ""))
