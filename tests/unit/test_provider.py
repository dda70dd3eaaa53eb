import pytest

from ctxcode.llm.providers import (
    PLACEHOLDER_KEY,
    endpoint_for,
    is_local_address,
    shown_address,
    suggestions,
)


def test_key_and_address_come_from_the_given_environment() -> None:
    environment = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "https://proxy.example/v1"}
    endpoint = endpoint_for("openai", None, environment)
    assert ("https://proxy.example/v1", "sk-1") == (endpoint.api_base, endpoint.sent_key)


def test_the_process_environment_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://evil.example")
    endpoint = endpoint_for("openai", None, {})
    assert ("https://api.openai.com/v1", None) == (endpoint.api_base, endpoint.sent_key)


def test_an_explicit_address_comes_first() -> None:
    endpoint = endpoint_for("openai", "http://127.0.0.1:9/v1", {"OPENAI_BASE_URL": "https://proxy.example/v1"})
    assert "http://127.0.0.1:9/v1" == endpoint.api_base


def test_a_hosted_provider_without_a_key_is_known_to_fail() -> None:
    assert endpoint_for("anthropic", None, {"ANTHROPIC_API_KEY": " "}).is_missing_key
    assert not endpoint_for("anthropic", None, {"ANTHROPIC_API_KEY": "k"}).is_missing_key


def test_a_server_the_user_points_at_may_do_without_a_key() -> None:
    endpoint = endpoint_for("openai", "http://10.0.0.7:8000/v1", {})
    assert (False, PLACEHOLDER_KEY) == (endpoint.is_missing_key, endpoint.sent_key)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104 - a value of OLLAMA_HOST, nothing is bound
        ("127.0.0.1:1234", "http://127.0.0.1:1234"),
        ("box.local:9999", "http://box.local:9999"),
        ("https://ollama.example", "https://ollama.example"),
        ("[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_ollama_host_is_understood_in_its_own_notation(host: str, address: str) -> None:
    assert address == endpoint_for("ollama_chat", None, {"OLLAMA_HOST": host}).api_base


def test_an_unknown_provider_uses_the_key_variable_named_after_it() -> None:
    assert "k" == endpoint_for("new-provider", None, {"NEW_PROVIDER_API_KEY": "k"}).sent_key


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        ("http://localhost:11434", True),
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000", True),
        ("http://0.0.0.0:80", True),
        ("https://localhost.evil.example", False),
        ("http://192.168.1.5:8000", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_local_addresses_are_told_from_others(address: str, is_local: bool) -> None:  # noqa: FBT001 - a table's column
    assert is_local == is_local_address(address)


def test_an_address_is_shown_without_user_password_and_query() -> None:
    assert "https://host:8443/v1" == shown_address("https://user:secret@host:8443/v1/?key=secret")


def test_a_key_alone_is_only_suggested() -> None:
    assert ("OPENAI_API_KEY is set: ctxcode --model gpt-5.1",) == suggestions({"OPENAI_API_KEY": "k", "HOME": "/"})
    assert () == suggestions({"OPENAI_API_KEY": ""})
