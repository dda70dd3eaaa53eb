"""Full-text search over real symbols."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from indexed_folder import IndexedFolder

from ctxcode.store.index.reader import SqliteIndex
from ctxcode.store.index.search import phrases_of

FILES = {
    "net/retry_policy.py": '''
class RetryPolicy:
    """Decides when a request is sent again."""

    def backoffSeconds(self, attempt):
        jitter = attempt * 2
        return jitter
''',
    "net/http.py": "def send(request):\n    backoff_seconds = 1\n    return RetryPolicy\n",
    "net/union.py": "class DiscriminatedUnion: ...\n\ndef discriminated(): ...\n",
    "other/a.py": "def same(): pass\n",
    "other/b.py": "def same(): pass\n",
    "other/c.py": "def same(): pass\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteIndex]:
    base = tmp_path_factory.mktemp("search")
    folder = IndexedFolder(base / "root", base / "cache")
    for path, text in FILES.items():
        folder.write(path, text)
    folder.refresh()
    yield folder.index
    folder.close()


def found(index: SqliteIndex, *terms: tuple[str, float], limit: int = 300) -> list[str]:
    hits = index.search(terms, limit)
    symbols = index.symbols_at([hit.node for hit in hits])
    return [symbols[hit.node].id for hit in hits]


@pytest.mark.parametrize("word", ["retry_policy", "retry policy", "retry", "policies"])
def test_a_class_is_found_by_its_name_and_its_words(index: SqliteIndex, word: str) -> None:
    assert "net/retry_policy.py::RetryPolicy" in found(index, (word, 1.0))[:2]


def test_a_method_is_found_by_a_part_of_its_name_before_a_body_that_mentions_it(index: SqliteIndex) -> None:
    assert "net/retry_policy.py::RetryPolicy.backoffSeconds" == found(index, ("seconds", 1.0))[0]
    assert ["net/retry_policy.py::RetryPolicy.backoffSeconds"] == found(index, ("jitter", 1.0))
    assert {"net/http.py::send", "net/retry_policy.py::RetryPolicy.backoffSeconds"} == set(
        found(index, ("backoff_seconds", 1.0))
    )


def test_documentation_is_searched(index: SqliteIndex) -> None:
    assert "net/retry_policy.py::RetryPolicy" == found(index, ("decides", 1.0))[0]


def test_a_heavier_word_decides(index: SqliteIndex) -> None:
    jitter_first = found(index, ("jitter", 4.0), ("send", 1.0))
    send_first = found(index, ("jitter", 1.0), ("send", 4.0))
    assert ("net/retry_policy.py::RetryPolicy.backoffSeconds", "net/http.py::send") == (jitter_first[0], send_first[0])


def test_ties_stand_in_node_order_and_the_limit_cuts_the_last(index: SqliteIndex) -> None:
    every = found(index, ("same", 1.0))
    assert ["other/a.py::same", "other/b.py::same", "other/c.py::same"] == [one for one in every if "::" in one]
    assert every[:2] == found(index, ("same", 1.0), limit=2)
    assert [] == found(index, ("same", 1.0), limit=0)


def test_scores_fall(index: SqliteIndex) -> None:
    scores = [hit.score for hit in index.search([("retry", 1.0), ("same", 0.5)])]
    assert (sorted(scores, reverse=True), True) == (scores, scores[-1] > 0)


@pytest.mark.parametrize(
    "word",
    [
        '"',
        "'",
        "foo-bar",
        "C++",
        "a.b",
        "NEAR(",
        "AND",
        "OR",
        "NOT",
        "*",
        "col:x",
        "^",
        "{",
        "a\0b",
        "\ud800",
        "(",
        "-",
        "",
    ],
)
def test_nothing_in_a_word_is_query_syntax(index: SqliteIndex, word: str) -> None:
    assert "net/http.py::send" in found(index, (word, 1.0), ("send", 1.0))
    assert isinstance(index.search([(word, 1.0)]), tuple)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(max_size=20), st.floats(-1, 5)), max_size=60))
def test_any_text_is_a_query(index: SqliteIndex, terms: list[tuple[str, float]]) -> None:
    hits = index.search(terms, 5)
    assert len(hits) <= 5


def test_forty_terms_are_kept_the_heaviest_and_longest() -> None:
    terms = [(f"w{'x' * number}", 1.0) for number in range(60)] + [("heavy", 2.0), ("nothing", 0.0)]
    phrases = phrases_of(terms)
    assert (40, ('"heavy"', 2)) == (len(phrases), next(iter(phrases.items())))
    assert f'"w{"x" * 59}"' in phrases
    assert '"w"' not in phrases


def test_equal_weights_repeat_nothing() -> None:
    assert {'"bb"': 1, '"a"': 1} == phrases_of([("a", 0.5), ("bb", 0.5), ("a", 0.5)])
    assert {} == phrases_of([("++", 1.0), ("", 1.0)])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("requst", "request"),
        ("reqeust", "request"),
        ("requestx", "request"),
        ("reqeusts", "request"),
        ("policcies", "policy"),
        ("disciminated", "discriminated"),
        ("discriminatde", "discriminated"),
        ("discriminatoin", "discriminated"),
        ("request", None),
        ("requests", None),
        ("bequest", None),
        ("jita", None),
        ("zebra", None),
        ("retry_polic", None),
        ("an\0d", None),
        ("élan", None),
        ("", None),
    ],
)
def test_a_word_that_stands_nowhere_leads_to_the_nearest_that_does(
    index: SqliteIndex, word: str, meant: str | None
) -> None:
    assert meant == index.nearest_word(word)


def test_words_that_stand_nowhere_are_told_from_forms_of_those_that_do(index: SqliteIndex) -> None:
    words = ["requests", "Request", "zebra", "an\0d", '"', "", "\ud800", "*"]
    assert frozenset(words[2:]) == index.unknown_words(words)


@given(st.text(max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_may_be_taken_for_a_misspelt_word(index: SqliteIndex, word: str) -> None:
    meant = index.nearest_word(word)
    assert meant is None or meant[0] == word[0]


def test_what_was_asked_for_before_a_change_is_answered_as_by_an_index_opened_after_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    base = tmp_path_factory.mktemp("changed")
    folder = IndexedFolder(base / "root", base / "cache")
    for number in range(120):
        folder.write(f"shop/part_{number}.py", f"def pay_{number}(cart):\n    return cart.total + {number}\n")
    terms = [("pay", 1.0), ("cart", 0.5), ("total", 0.25)]
    folder.refresh()
    folder.index.search(terms, 20)
    for change in ("def pay_again(cart, total):\n    return cart\n", "def leave(): ...\n"):
        folder.write("shop/part_7.py", change)
        folder.refresh()
        opened = IndexedFolder(base / "root", base / "cache")
        assert opened.index.search(terms, 20) == folder.index.search(terms, 20)
        opened.close()
    folder.close()


def test_what_is_asked_for_while_files_are_read_lets_no_tests_into_later_answers(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    base = tmp_path_factory.mktemp("unpublished")
    folder = IndexedFolder(base / "root", base / "cache")
    for number in range(60):
        folder.write(f"shop/part_{number}.py", f"def pay_{number}(cart):\n    return cart.total + {number}\n")
        folder.write(f"shop/leave_{number}.py", "\n".join(f"def leave_{place}(): ...\n" for place in range(60)))
    folder.refresh()
    terms = [("pay", 1.0)]
    before = folder.index.search(terms, 100, with_aside=False)
    met = []

    def note(_done: int, _total: int, _phase: str) -> None:
        met.append(folder.index.search(terms, 100, with_aside=False))

    folder.write("tests/test_pay.py", "def pay_again(cart):\n    return cart\n")
    folder.indexing.refresh(note, lambda: False)
    assert met
    found = folder.index.search(terms, 100, with_aside=False)
    assert {hit.path for hit in before} == {hit.path for hit in found}
    opened = IndexedFolder(base / "root", base / "cache")
    assert opened.index.search(terms, 100, with_aside=False) == found
    opened.close()
    folder.close()
