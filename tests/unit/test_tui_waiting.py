import pytest

from ctxcode.model.chat import DelayReason
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.event import Event, TurnCompleted, TurnStarted
from ctxcode.model.passing.event import IndexAwaited, IndexProgressed, ReplyBegun, ReplyChunked, ReplyDelayed
from ctxcode.tui.glyphs import UNICODE
from ctxcode.tui.screens.status import Elapsed, status_line
from ctxcode.tui.state.fold import durable, folded
from ctxcode.tui.waiting import waiting_words

LIMITED = ReplyDelayed(1, DelayReason.RATE_LIMIT, 12.0, 2, 5)
STARTED = TurnStarted(1, "why")


@pytest.mark.parametrize(
    ("waited_seconds", "words"),
    [
        (0.0, "rate limited by the server: trying again in 12 s (2 of 5)"),
        (0.4, "rate limited by the server: trying again in 12 s (2 of 5)"),
        (1.0, "rate limited by the server: trying again in 11 s (2 of 5)"),
        (11.9, "rate limited by the server: trying again in 1 s (2 of 5)"),
        (12.0, "rate limited by the server: trying again (2 of 5)"),
        (30.0, "rate limited by the server: trying again (2 of 5)"),
    ],
)
def test_a_pause_counts_down_and_then_says_that_it_is_over(waited_seconds: float, words: str) -> None:
    assert words == waiting_words(LIMITED, waited_seconds)


@pytest.mark.parametrize("reason", DelayReason)
def test_every_reason_of_a_pause_has_words(reason: DelayReason) -> None:
    assert waiting_words(ReplyDelayed(1, reason, 0.3, 2, 3)).endswith(": trying again in 1 s (2 of 3)")


@pytest.mark.parametrize(
    ("waiting", "words"),
    [
        (IndexAwaited(1, None), "waiting for the index"),
        (IndexAwaited(1, 8.2), "waiting for the index, for 7 s at most"),
        (
            IndexAwaited(1, 24.9, IndexProgressed(1_204, 2_818, "parsing")),
            "indexing the rest first, 1,204 / 2,818 files, for 23 s at most",
        ),
        (IndexAwaited(1, None, IndexProgressed(12, 300, "parsing")), "indexing changed files first, 12 / 300 files"),
        (IndexAwaited(1, 24.9, IndexProgressed(300, 300, "resolving")), "resolving names in 300 files first"),
        (IndexAwaited(1, 24.9, IndexProgressed(300, 300, "storing")), "storing the index first"),
        (IndexAwaited(1, 24.9, IndexProgressed(0, 0, "scanning")), "looking for changed files first"),
        (
            IndexAwaited(1, None, IndexProgressed(1_204, 2_818, "elsewhere")),
            "waiting for another ctxcode to index, 1,204 / 2,818 files",
        ),
    ],
)
def test_a_wait_for_the_index_says_for_how_much_and_how_long(waiting: IndexAwaited, words: str) -> None:
    assert words == waiting_words(waiting, 2.0)


@pytest.mark.parametrize(
    "then",
    [
        ReplyBegun(1),
        ReplyChunked(1, "It is "),
        TurnCompleted(1, StoppedBy.INTERRUPTED),
        TurnStarted(2, "and now"),
    ],
)
def test_what_is_waited_for_is_gone_with_what_comes_next(then: Event) -> None:
    assert LIMITED == folded([STARTED, LIMITED]).waiting
    assert folded([STARTED, LIMITED, then]).waiting is None


def test_what_is_waited_for_is_not_kept() -> None:
    assert folded([STARTED]) == durable(folded([STARTED, LIMITED]))


def test_the_status_line_says_what_a_turn_waits_for_and_how_to_stop_it() -> None:
    state = folded([STARTED, LIMITED])
    line = status_line(state, ("", False), Elapsed(9.0, waiting_seconds=4.0), queued="", glyphs=UNICODE)
    assert "rate limited by the server: trying again in 8 s (2 of 5) · Esc interrupts" == line.plain


def test_a_wait_without_an_end_says_how_long_it_has_been() -> None:
    state = folded([STARTED, IndexAwaited(1, None)])
    line = status_line(state, ("", False), Elapsed(9.0, waiting_seconds=4.0), queued="", glyphs=UNICODE)
    assert "waiting for the index 9 s · Esc interrupts" == line.plain


def test_what_was_counted_down_says_how_long_it_has_been() -> None:
    line = status_line(folded([STARTED, LIMITED]), ("", False), Elapsed(19.0, 14.0), queued="", glyphs=UNICODE)
    assert "rate limited by the server: trying again (2 of 5) 19 s · Esc interrupts" == line.plain
