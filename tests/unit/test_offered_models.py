import pytest

from ctxcode.llm.offered.local_servers import LocalServer, Place
from ctxcode.llm.offered.models import KEYED, LISTED, SERVED, Named, Servers, listed, place_of, ranked, used_here


def names(*named: Named, typed: str = "", limit: int = 9) -> list[str]:
    return [one.name for one in ranked(named, typed, limit)]


def test_what_is_nearer_at_hand_comes_first() -> None:
    assert ["z", "y", "x", "w"] == names(Named("w", LISTED), Named("x", KEYED), Named("y", SERVED), *used_here(["z"]))


def test_what_is_typed_in_full_comes_before_all_that_contains_it() -> None:
    assert ["gpt-5", "gpt-5-mini"] == names(Named("gpt-5-mini", SERVED), Named("gpt-5", LISTED), typed="GPT-5")


def test_what_begins_so_comes_before_what_contains_it_and_newer_versions_before_older() -> None:
    listing = ("a/old-son-9", "a/son-4", "a/son-4-2026-08-31", "a/son-4-5-20250929", "a/son-4-5", "a/son-10", "a/other")
    expected = ["a/son-10", "a/son-4-5", "a/son-4-5-20250929", "a/son-4", "a/son-4-2026-08-31", "a/old-son-9"]
    assert expected == names(*(Named(name, LISTED) for name in listing), typed="son")


def test_a_model_is_offered_once_with_the_best_reason() -> None:
    served, used = Named("m", SERVED, "Ollama"), used_here(["m"])
    assert (Named("m", 0, "in use"),) == ranked((Named("m", LISTED), served, *used), "", 9)
    assert 2 == len(ranked((Named(str(number), LISTED) for number in range(9)), "", 2))


def test_whose_key_is_set_and_whose_is_not_known() -> None:
    found = listed({"a": ["a/1"], "b": ["b/1"], "c": ["c/1"]}, frozenset("a"), frozenset("ab"))
    assert ["a/1", "b/1", "c/1"] == names(*found)


@pytest.mark.parametrize(
    ("address", "provider", "expected"),
    [
        ("http://127.0.0.1:8281/v1", "openai", ("its server", 8281, "/v1/models", "openai")),
        ("http://localhost:8281/v1/", "", ("its server", 8281, "/v1/models", "openai")),
        ("http://localhost:11434", "ollama_chat", ("Ollama", 11434, "/api/tags", "ollama_chat")),
        ("http://127.0.0.1", "hosted_vllm", ("vLLM", 80, "/models", "hosted_vllm")),
    ],
)
def test_a_server_here_lists_its_models_beside_its_address(
    address: str, provider: str, expected: tuple[str, int, str, str]
) -> None:
    place = place_of(address, provider)
    assert place is not None
    assert expected == (place.server, place.port, place.path, place.provider)


@pytest.mark.parametrize(
    "address",
    [
        "https://api.example.com/v1",
        "https://127.0.0.1/v1",
        "http://127.0.0.1:x",
        "http://127.0.0.1/a b",
        "http://[::1]",
        "",
    ],
)
def test_no_other_server_is_asked(address: str) -> None:
    assert place_of(address, "openai") is None


def test_servers_are_not_asked_for_every_letter() -> None:
    asked: list[tuple[str, ...]] = []

    def look(places: object) -> tuple[LocalServer, ...]:
        assert isinstance(places, tuple)
        asked.append(tuple(place.path for place in places if isinstance(place, Place)))
        return (LocalServer("Ollama", "http://127.0.0.1:11434", ("ollama_chat/a",)),)

    servers = Servers(look)
    assert [Named("ollama_chat/a", SERVED, "Ollama")] * 2 == [*servers.models("", ""), *servers.models("", "")]
    servers.models("http://127.0.0.1:9/v1", "openai")
    assert [4, 1] == [len(paths) for paths in asked]
    assert () == Servers(lambda _: ()).models("https://api.example.com", "openai")
