import math
import ssl
from datetime import UTC, datetime

import httpx
import pytest

from ctxcode.llm.model_failure import Failure, Target, failure_of, retry_after_seconds, shown_words
from ctxcode.llm.providers import Endpoint
from ctxcode.llm.retry import RetryPolicy
from ctxcode.model.chat import DelayReason
from ctxcode.model.errors import ModelBusyError, ModelKeyError

NOW = datetime(2026, 1, 5, 12, 0, 0, tzinfo=UTC)
BUSY = ModelBusyError("busy")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("30", 30.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-4", 0.0),
        ("Mon, 05 Jan 2026 12:00:20 GMT", 20.0),
        ("Mon, 05 Jan 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("inf", math.inf),
        ("Mon, 05 Jan 2026 99999999999999999999:00:00 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header: str, seconds: float | None) -> None:
    assert seconds == retry_after_seconds(header, NOW)


def test_pauses_grow_and_are_spread() -> None:
    policy = RetryPolicy(attempts=4, first_pause_seconds=1.0)
    failure = Failure(BUSY, DelayReason.OVERLOADED)
    assert (0.5, 1.5) == (
        policy.pause(failure, 0, 0.0, is_local=False),
        policy.pause(failure, 0, 1.0, is_local=False),
    )
    assert (2.0, 4.0) == (
        policy.pause(failure, 1, 0.5, is_local=False),
        policy.pause(failure, 2, 0.5, is_local=False),
    )


def test_what_can_not_get_better_is_not_tried_again() -> None:
    assert RetryPolicy().pause(Failure(ModelKeyError("no")), 0, 0.5, is_local=False) is None


def test_the_last_attempt_is_not_followed_by_a_pause() -> None:
    assert RetryPolicy(attempts=3).pause(Failure(BUSY, DelayReason.OVERLOADED), 2, 0.5, is_local=False) is None


def test_a_server_that_says_when_is_believed_up_to_a_minute() -> None:
    policy = RetryPolicy()
    assert 59.0 == policy.pause(Failure(BUSY, DelayReason.OVERLOADED, retry_after_seconds=59.0), 0, 0.5, is_local=False)
    assert policy.pause(Failure(BUSY, DelayReason.OVERLOADED, retry_after_seconds=61.0), 0, 0.5, is_local=False) is None


def test_a_local_server_that_refuses_gets_one_quick_retry() -> None:
    refused = Failure(BUSY, DelayReason.NOTHING_ANSWERS)
    policy = RetryPolicy()
    assert policy.refused_pause_seconds == policy.pause(refused, 0, 0.5, is_local=True)
    assert policy.pause(refused, 1, 0.5, is_local=True) is None


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Incorrect API key provided: sk-proj-abcdef123456.", "Incorrect API key provided: …"),
        ("Authorization: Bearer abc.def.ghi failed", "Authorization: … failed"),
        ("my own secret: hunter2hunter2", "my own secret: …"),
        ("<html><body>502</body></html>", ""),
        ("two\n\nlines\x1b[31m", "two lines [31m"),
        ("Error code: 404", ""),
        ("x" * 300, "x" * 159 + "…"),
    ],
)
def test_the_words_of_a_server_are_shown_without_keys_markup_and_control_characters(said: str, shown: str) -> None:
    assert shown == shown_words(said, "hunter2hunter2")


def test_a_connection_that_is_not_safe_is_told_as_that() -> None:
    flaw = ssl.SSLCertVerificationError(1, "certificate verify failed")
    flaw.verify_message = "self-signed certificate"
    wrapped = httpx.ConnectError("all connection attempts failed")
    wrapped.__cause__ = flaw
    failure = failure_of(
        wrapped, Target("openai/x", Endpoint("openai", "https://127.0.0.1:9/v1", None, (), needs_key=False))
    )
    assert "There is no safe connection to https://127.0.0.1:9/v1: self-signed certificate." == str(failure.error)
    assert (None, True) == (failure.transient, "SSL_CERT_FILE" in failure.error.hint)


@pytest.mark.parametrize(
    ("header", "words"), [("30", "30 s"), ("900", "15 minutes"), ("7200", "2 hours"), ("inf", "for days")]
)
def test_how_long_a_server_asks_to_wait_is_told_in_words(header: str, words: str) -> None:
    response = httpx.Response(429, headers={"retry-after": header}, request=httpx.Request("POST", "http://x"))
    error = httpx.HTTPStatusError("", request=response.request, response=response)
    failure = failure_of(error, Target("openai/x", Endpoint("openai", "http://x/v1", None, (), needs_key=False)))
    assert f"It asks to wait {words}." in str(failure.error)


@pytest.mark.parametrize(
    ("said", "shown"), [("evil.example", "evil.example"), ("the key x is wrong", "the key … is wrong")]
)
def test_a_key_of_one_letter_is_not_looked_for_inside_of_words(said: str, shown: str) -> None:
    assert shown == shown_words(said, "x")


@pytest.mark.parametrize("key", ["pass!", "$ecret", "-"])
def test_a_short_key_that_begins_or_ends_with_a_sign_is_taken_out(key: str) -> None:
    assert "the key … is wrong" == shown_words(f"the key {key} is wrong", key)
