"""What went wrong in a call, told by its cause: one sentence, one thing to do, and whether trying again may help."""

import json
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ctxcode.llm.providers import Endpoint
from ctxcode.model.chat import DelayReason
from ctxcode.model.errors import (
    ModelBusyError,
    ModelError,
    ModelKeyError,
    ModelOverflowError,
    ModelReplyError,
    ModelUnknownError,
    ModelUnreachableError,
)

_OVERFLOW = re.compile(
    r"context_length_exceeded|context window|context length|context size|prompt is too long|input is too long"
    r"|too many (?:input )?tokens|exceeds? the (?:maximum|available) (?:number of tokens|context)|exceed_context_size",
    re.IGNORECASE,
)
_NO_PROVIDER = re.compile(r"LLM Provider NOT provided", re.IGNORECASE)
_NO_KEY = re.compile(r"missing credentials|missing .{0,40}api key|api_key client option must be set", re.IGNORECASE)
_WANTS_THOUGHTS = re.compile(r"reasoning_content.{0,80}(?:pass|missing|requir|provid)", re.IGNORECASE | re.DOTALL)
_NO_CREDIT = re.compile(r"insufficient_quota|insufficient credit|exceeded your current quota", re.IGNORECASE)
_REPEATING = re.compile(r"repeating the same chunk", re.IGNORECASE)
_PREFIX = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception)\b\s*[:\-]\s*)+", re.IGNORECASE)
_SECRET = re.compile(r"\b(?:sk|pk|gsk|xai|key|AIza)[-_][\w\-*.]{6,}|AIza[\w\-]{10,}|Bearer\s+\S+", re.IGNORECASE)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+")
_KEY_CHARS = 8
_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_OVERLOADED = frozenset({503, 529})


@dataclass(frozen=True, slots=True)
class Target:
    """The model a call is for."""

    name: str
    endpoint: Endpoint

    @property
    def key_advice(self) -> str:
        """What to do about a key."""
        variables = self.endpoint.key_variables
        where = " or ".join(variables) if variables else "the provider's key variable"
        return (
            f"Set {where} in the environment and start ctxcode again, or choose another model: /model NAME, or --model."
        )


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt."""

    error: ModelError
    transient: DelayReason | None = None
    """What may be over in a while; None where trying again does not help."""
    retry_after_seconds: float | None = None
    """What the server asked for."""
    wants_thoughts: bool = False
    """The server refuses an earlier reply without what was thought before it."""


def missing_key(target: Target) -> ModelKeyError:
    """Return the error for a call that needs a key nobody gave."""
    variable = target.endpoint.key_variables[0] if target.endpoint.key_variables else "the key variable"
    return ModelKeyError(f"{target.name!r} needs a key, and {variable} is not set.", target.key_advice)


def failure_of(error: BaseException, target: Target, *, has_begun: bool = False) -> Failure:
    """Return what an exception of a call means, walking through every wrapper to its cause.

    ``has_begun`` when something of the reply had come.
    """
    chain = tuple(_chain(error))
    words = " ".join(str(link) for link in chain)
    told = _told_by_words(words, target)
    if told is not None:
        return Failure(told)
    status = _status(chain)
    if status is not None:
        return _told_by_status(status, words, chain, target)
    return _told_by_transport(chain, target) or _told_by_content(chain, target, has_begun=has_begun)


def _told_by_words(words: str, target: Target) -> ModelError | None:
    """Return the errors litellm tells apart only in prose."""
    if _NO_PROVIDER.search(words):
        provider, _, model = target.name.rpartition("/")
        before = f"{provider!r} is none. " if provider else ""
        return ModelUnknownError(
            f"No provider is known for the model {target.name!r}.",
            f"{before}Write one before it: openai/{model}, anthropic/{model}, ollama_chat/{model}, …",
        )
    if _OVERFLOW.search(words):
        return ModelOverflowError(
            f"The request is longer than {target.name!r} can read.",
            "Lower the budget (/context budget N, or --budget N), drop items, or choose a model with a longer window.",
        )
    if _NO_KEY.search(words):
        return missing_key(target)
    if _REPEATING.search(words):
        return ModelReplyError(f"{target.name!r} kept repeating itself and was stopped.", "Send the message again.")
    return None


def _told_by_status(status: int, words: str, chain: tuple[BaseException, ...], target: Target) -> Failure:
    address = target.endpoint.shown_address
    said = _said(chain, target)
    if status == 402 or (status == 429 and _NO_CREDIT.search(words)):
        return Failure(ModelKeyError(f"The account at {address} has no credit left{said}.", "Check its billing page."))
    if status in (401, 403):
        verb = "refused the key" if status == 401 else f"does not allow {target.name!r} with this key"
        return Failure(ModelKeyError(f"{address} {verb} ({status}).", target.key_advice))
    if status == 404:
        hint = "Check the model's name; an address of an OpenAI-compatible server usually ends in /v1."
        return Failure(ModelUnknownError(f"{address} knows no model {target.name!r}{said}.", hint))
    if status == 413:
        return Failure(
            ModelOverflowError(
                f"The request is too long for {address}.", "Lower the budget: /context budget N, or --budget N."
            )
        )
    wait = _retry_after(chain)
    if status == 429:
        later = f" It asks to wait {_span(wait)}." if wait else ""
        message = f"{address} limits the rate of requests (429).{later}"
        hint = "Send it again then, or choose another model." if wait else "Wait a little and send it again."
        return Failure(ModelBusyError(message, hint), DelayReason.RATE_LIMIT, wait)
    if status >= 500 or status in _RETRYABLE:
        message = f"{address} failed with status {status}{said}."
        failed = DelayReason.OVERLOADED if status in _OVERLOADED else DelayReason.SERVER_FAILED
        return Failure(ModelBusyError(message, "Send it again later."), failed if status in _RETRYABLE else None, wait)
    refused = ModelError(
        f"{address} refused the request ({status}){said}.", "Try another model: /model NAME, or --model."
    )
    return Failure(refused, wants_thoughts=status == 400 and bool(_WANTS_THOUGHTS.search(words)))


def _unsafe(flaw: ssl.SSLError, target: Target) -> ModelError:
    """Return what keeps a connection from being encrypted."""
    why = flaw.verify_message if isinstance(flaw, ssl.SSLCertVerificationError) else flaw.reason or "no TLS there"
    said = shown_words(str(why), target.endpoint.api_key)
    hint = "Check the address, http or https too. SSL_CERT_FILE names certificates of your own."
    return ModelUnreachableError(f"There is no safe connection to {target.endpoint.shown_address}: {said}.", hint)


def _led_away(chain: tuple[BaseException, ...], target: Target) -> ModelError | None:
    """Return where an address leads instead of answering, or that it never ends."""
    import httpx  # noqa: PLC0415 - litellm has loaded it by now

    from ctxcode.llm.one_address import LeadsAwayError  # noqa: PLC0415 - as above
    from ctxcode.llm.wire.unpacked import EndlessReplyError  # noqa: PLC0415 - as above

    address = target.endpoint.shown_address
    for link in chain:
        if isinstance(link, httpx.TooManyRedirects):
            return ModelUnreachableError(f"{address} leads round in a circle.", "Check --api-base.")
        if isinstance(link, LeadsAwayError):
            host = shown_words(str(link), target.endpoint.api_key)
            hint = "Nothing was sent there. If that is the right place, give it with --api-base."
            return ModelUnreachableError(f"{address} leads to another address: {host}.", hint)
        if isinstance(link, EndlessReplyError):
            return ModelReplyError(f"{target.name!r} sent a reply without end.", "Use another model.")
    return None


def _told_by_transport(chain: tuple[BaseException, ...], target: Target) -> Failure | None:
    """Return what the network did; None when it is not to blame."""
    import httpx  # noqa: PLC0415 - litellm has loaded it by now

    address = target.endpoint.shown_address
    network = "Check the network connection and the address."
    away = _led_away(chain, target)
    if away is not None:
        return Failure(away)
    flaw = next((link for link in chain if isinstance(link, ssl.SSLError)), None)
    if flaw is not None:
        return Failure(_unsafe(flaw, target))
    if any(isinstance(link, httpx.ConnectError | ConnectionRefusedError) for link in chain):
        hint = "Start the model server there, or give another --api-base." if target.endpoint.is_local else network
        return Failure(ModelUnreachableError(f"Nothing answers at {address}.", hint), DelayReason.NOTHING_ANSWERS)
    if any(isinstance(link, httpx.ConnectTimeout) for link in chain):
        return Failure(ModelUnreachableError(f"Connecting to {address} took too long.", network))
    if any(isinstance(link, httpx.TimeoutException | TimeoutError) for link in chain):
        return Failure(ModelUnreachableError(f"{address} stopped answering.", "Send the message again."))
    if any(isinstance(link, httpx.InvalidURL | httpx.UnsupportedProtocol) for link in chain):
        hint = "Write --api-base, or the variable it comes from, as http://host:port/v1."
        return Failure(ModelUnreachableError("The model server's address is no URL that can be called.", hint))
    if any(isinstance(link, httpx.DecodingError) for link in chain):
        return None
    if any(isinstance(link, httpx.TransportError | ConnectionError) for link in chain):
        message = f"The connection to {address} broke before the reply was complete."
        return Failure(ModelUnreachableError(message, "Send the message again."), DelayReason.CONNECTION_BROKEN)
    return None


def _told_by_content(chain: tuple[BaseException, ...], target: Target, *, has_begun: bool) -> Failure:
    """Return what is left: the server answered, and the answer is of no use."""
    from ctxcode.llm.wire.unpacked import NoReplyError  # noqa: PLC0415 - brings httpx, which is loaded by now

    address = target.endpoint.shown_address
    if any(isinstance(link, UnicodeDecodeError) for link in chain):
        message = f"{address} sent bytes that are no UTF-8."
    elif any(isinstance(link, ValueError | NoReplyError) for link in chain):
        if has_begun:
            message = f"The reply of {address} broke off: what it sent next can't be read."
            return Failure(ModelReplyError(message, "Send the message again; what had come is kept."))
        message = f"{address} sent something that is no chat reply."
    else:
        message = f"{address} reported an error{_said(chain, target)}."
    return Failure(ModelReplyError(message, "Send it again, or check that the address belongs to a chat model."))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and what it wraps, outermost first; litellm hides causes in an attribute of its own."""
    link: BaseException | None = error
    seen: set[int] = set()
    while link is not None and id(link) not in seen and len(seen) < 16:
        seen.add(id(link))
        yield link
        hidden = getattr(link, "original_exception", None)
        link = hidden if isinstance(hidden, BaseException) else link.__cause__ or link.__context__


def _status(chain: tuple[BaseException, ...]) -> int | None:
    """Return the HTTP status the server really sent; litellm makes up a 500 where there was none."""
    import httpx  # noqa: PLC0415 - litellm has loaded it by now

    for link in chain:
        if isinstance(link, httpx.HTTPStatusError):
            return link.response.status_code
    if any(isinstance(link, httpx.TransportError | OSError | ValueError) for link in chain):
        return None
    statuses = [status for link in chain if isinstance(status := getattr(link, "status_code", None), int)]
    return next((status for status in statuses if 400 <= status < 600 and status != 500), None)


def _retry_after(chain: tuple[BaseException, ...]) -> float | None:
    """Return the seconds a Retry-After header asks for."""
    for link in chain:
        headers = getattr(getattr(link, "response", None), "headers", None) or {}
        value = str(headers.get("retry-after") or "").strip()
        if value:
            return retry_after_seconds(value, datetime.now(UTC))
    return None


def retry_after_seconds(value: str, now: datetime) -> float | None:
    """Return a Retry-After header (seconds or an HTTP date) as seconds from ``now``; None when it is neither."""
    try:
        seconds = float(value)
    except ValueError:
        try:
            at = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        seconds = (at - now).total_seconds()
    return max(seconds, 0.0) if seconds == seconds else None  # noqa: PLR0124 - false for NaN only


def _span(seconds: float) -> str:
    """Return a length of time in words."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 5_400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3_600:.0f} hours" if seconds < 172_800 else "for days"


def _said(chain: tuple[BaseException, ...], target: Target) -> str:
    """Return the server's own words as ``: "…"``, safe to show; empty when there are none worth showing."""
    text = ""
    for link in chain:
        body = getattr(link, "body", None)
        if isinstance(body, dict) and isinstance(body.get("message"), str):
            text = body["message"]
            break
    text = shown_words(text or _in_json(_PREFIX.sub("", str(chain[0]))), target.endpoint.api_key)
    return f': "{text}"' if text else ""


def _in_json(text: str) -> str:
    """Return the message of an error that is told as JSON, with or without something around it; else the text."""
    try:
        told = json.loads(text[text.index("{") : text.rindex("}") + 1].replace("\\'", "'"))
    except (ValueError, RecursionError):
        return re.split(r" Original exception: |\s*Traceback \(most recent", text, maxsplit=1)[0]
    inner = told.get("error", told) if isinstance(told, dict) else told
    words = inner.get("message") if isinstance(inner, dict) else inner
    return words if isinstance(words, str) else text


def shown_words(text: str, secret: str | None) -> str:
    """Return a server's words on one line, at most 160 characters, without keys, markup and control characters."""
    if secret:
        # A short one is what a local server is content with (x, none): inside of other words it is no key.
        key = re.escape(secret)
        text = re.sub(key if len(secret) >= _KEY_CHARS else rf"(?<!\w){key}(?!\w)", "…", text)
    text = _SECRET.sub("…", text)
    if re.fullmatch(r"Error code: \d+", text) or re.search(r"<(?:html|!doctype|body|head)\b", text, re.IGNORECASE):
        return ""
    text = " ".join(_UNPRINTABLE.sub(" ", text).split()).rstrip(".")
    return text if len(text) <= 160 else text[:159].rstrip() + "…"
