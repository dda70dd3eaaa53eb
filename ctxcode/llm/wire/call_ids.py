"""The ids of tool calls, as the provider takes them that a request goes to: another may have made them.

Mistral, its models' templates on any server too, insists on nine letters and digits; Claude takes no signs and Bedrock
64 characters, OpenAI 40. litellm leaves them as they are, or for Claude puts in place of each sign the same other one.
A provider's own ids fit and stay: Gemini wants back what its thousands of characters hold, Kimi its signs.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from ctxcode.model.plan import PayloadMessage

_NINE = re.compile(r"[A-Za-z0-9]{9}")
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SHORT = re.compile(r".{1,40}")
_MISTRAL = re.compile(r"(?:mi|mini|code|dev|magi)stral|[mp]ixtral", re.IGNORECASE)
_OPENAI = frozenset({"openai", "azure"})
_CLAUDE = frozenset({"anthropic", "bedrock", "bedrock_converse"})
_OWN_ADDRESS = "https://api.openai.com"
_LETTERS = 9


def shape_of(model: str, provider: str, api_base: str | None) -> re.Pattern[str] | None:
    """Return what the ids of calls must look like for a model; None where any will do.

    Servers that only speak OpenAI's protocol may lead to Gemini: theirs are left as they are.
    """
    if provider == "mistral" or _MISTRAL.search(model):
        return _NINE
    if provider in _CLAUDE or "claude" in model.casefold():
        return _PLAIN
    is_own = provider in _OPENAI and (provider != "openai" or not api_base or api_base.startswith(_OWN_ADDRESS))
    return _SHORT if is_own else None


def fitted(messages: Sequence[PayloadMessage], shape: re.Pattern[str]) -> tuple[PayloadMessage, ...]:
    """Return messages whose calls and results have ids of a shape: those that fit stay, others are made from them.

    The same id becomes the same in every request, so that a provider's cache of the conversation stays of use.
    """
    ids = dict.fromkeys(call.id for message in messages for call in message.calls)
    ids |= dict.fromkeys(message.call_id for message in messages if message.call_id)
    fitting = {one for one in ids if shape.fullmatch(one)}
    if len(fitting) == len(ids):
        return tuple(messages)
    names, taken = {one: one for one in fitting}, set(fitting)
    for one in ids:
        if one not in names:
            names[one] = _made(one, taken)
            taken.add(names[one])
    return tuple(
        replace(
            message,
            calls=tuple(replace(call, id=names[call.id]) for call in message.calls),
            call_id=names.get(message.call_id, ""),
        )
        for message in messages
    )


def _made(call_id: str, taken: set[str]) -> str:
    """Return nine letters and digits that no other id of the request has; they fit everywhere."""
    made = blake2b(call_id.encode("utf-8", "replace")).hexdigest()
    return next(made[at : at + _LETTERS] for at in range(len(made)) if made[at : at + _LETTERS] not in taken)
