"""What a finished reply means for the turn."""

import re
from dataclasses import dataclass

from ctxcode.model.chat import FinishReason
from ctxcode.model.conversation import StoppedBy

_END_OF_THOUGHT = re.compile(r"(?<![`\"'])</think>[ \t]*(?:\r?\n|\Z)")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a turn ends, with a sentence and an action when the reply is not whole."""

    stopped_by: StoppedBy
    error: str = ""
    hint: str = ""


def verdict(finish_reason: FinishReason, text: str) -> Verdict:
    """Return how a reply that ended so ends the turn. Only the provider's own word makes an answer."""
    match finish_reason:
        case FinishReason.STOP if text.strip():
            return Verdict(StoppedBy.ANSWER)
        case FinishReason.STOP:
            return Verdict(StoppedBy.ERROR, "The model sent an empty reply.", "Ask again, or choose another model.")
        case FinishReason.LENGTH:
            return Verdict(
                StoppedBy.LIMIT, "The reply reached the model's output limit.", 'Send "continue" to get the rest.'
            )
        case FinishReason.CONTENT_FILTER:
            return Verdict(
                StoppedBy.ERROR,
                "The provider's content filter stopped the reply.",
                "Rephrase, or choose another model.",
            )
        case FinishReason.CUT:
            return Verdict(
                StoppedBy.INTERRUPTED, "The connection ended before the reply was finished.", "Send it again to retry."
            )


def spoken(text: str) -> str:
    """Return a reply without what was thought aloud before it.

    Where the model's template opens the thought, and the server does not know of thoughts, only its end is in the text.
    """
    end = _END_OF_THOUGHT.search(text)
    if end is None or "<think>" in text[: end.start()] or text[: end.start()].count("```") % 2:
        return text
    return text[end.end() :].lstrip()
