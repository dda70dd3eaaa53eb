"""The default strategy: the newest turns that fit, each whole."""

from collections.abc import Sequence

from ctxcode.context.candidate import Exchange
from ctxcode.context.candidates import exchange
from ctxcode.context.render import CountTokens
from ctxcode.model.conversation import StoppedBy, Turn

NAME = "sliding-window"


def history(turns: Sequence[Turn], count: CountTokens) -> tuple[Exchange, ...]:
    """Return the turns worth offering, oldest first; a turn that ended in an error without a reply is none."""
    return tuple(exchange(turn, count) for turn in turns if turn.reply or turn.stopped_by is not StoppedBy.ERROR)
