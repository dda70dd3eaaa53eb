"""Looking words of other languages up."""

from collections.abc import Collection
from pathlib import Path

import pytest

import ctxcode.retrieval.glossary
from ctxcode.intent.prompt import parse_prompt
from ctxcode.retrieval.glossary.language import is_plainly_english
from ctxcode.retrieval.glossary.spelling import folded
from ctxcode.retrieval.glossary.translate import translated
from ctxcode.retrieval.glossary.vocabulary import further_words, vocabulary

FILES = sorted(path for path in Path(*ctxcode.retrieval.glossary.__path__).glob("*.txt") if path.stem != "english")


@pytest.mark.parametrize(
    ("code", "word", "concepts"),
    [
        ("de", "Sitzungen", ("session",)),
        ("de", "gespeichert", ("save",)),
        ("de", "abzuspeichern", ("save",)),
        ("de", "Sitzungsverwaltung", ("session",)),
        ("de", "Benutzername", ("user", "name")),
        ("de", "Größe", ("size",)),
        ("de", "groesse", ("size",)),
        ("de", "löscht", ("delete",)),
        ("de", "loescht", ("delete",)),
        ("de", "loscht", ("delete",)),
        ("de", "Konfigurationsdatei", ("configure", "file")),
        ("de", "Donau", ()),
        ("fr", "échec", ("fail",)),
        ("fr", "ECHEC", ("fail",)),
        ("fr", "utilisatrices", ()),
        ("es", "archivos", ("file",)),
        ("es", "sesión", ("session",)),
        ("it", "salvati", ("save",)),
        ("pt", "sessões", ("session",)),
        ("nl", "wachtwoorden", ("password",)),
        ("pl", "ścieżkami", ("path",)),
        ("pl", "sciezkami", ("path",)),
        ("ru", "сессиями", ("session",)),
        ("ru", "сохранённый", ("save",)),
        ("uk", "зберігаються", ("save",)),
        ("ar", "الجلسات", ("session",)),
        ("ar", "وبالملفات", ("file",)),
        ("ar", "للمستخدمين", ("user",)),
        ("ar", "سيحفظها", ("save",)),
        ("ar", "نحفظ", ("save",)),
        ("ar", "الإلغاء", ("cancel",)),
        ("ar", "كيف", ()),
        ("ar", "ا" * 41, ()),
        ("tr", "KULLANICI", ("user",)),
        ("tr", "kullanıcının", ("user",)),
        ("tr", "İZİN", ("allow", "permission")),
    ],
)
def test_a_word_is_known_in_its_forms(code: str, word: str, concepts: tuple[str, ...]) -> None:
    assert concepts == vocabulary(code).find(folded(word))


@pytest.mark.parametrize(
    ("code", "run", "words"),
    [
        ("zh", "会话过期后没有清除缓存", ["会话", "过期", "清除", "缓存"]),
        ("zh", "資料庫連線逾時", ["資料庫", "連線", "逾時"]),
        ("ja", "データベースに接続", ["データベース", "接続"]),
        ("ko", "비밀번호를", ["비밀번호"]),
        ("zh", "", []),
    ],
)
def test_the_longest_words_of_a_run_are_read(code: str, run: str, words: list[str]) -> None:
    assert words == [word for word, _ in vocabulary(code).segments(run)]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_file_holds_what_programming_speaks_of_once_and_in_order(path: Path) -> None:
    rows = [line.partition(": ") for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    concepts = [concept for concept, _, _ in rows]
    assert sorted(set(concepts)) == concepts
    assert set() == set(concepts) - set(further_words())
    assert [] == [words for _, _, words in rows if not words.split() or len(set(words.split())) < len(words.split())]


@pytest.mark.parametrize(
    ("text", "is_english"),
    [
        ("how does the session expire", True),
        ("naïve — and with the “café” of a user", False),
        ("where — in “quotes” … is the end", True),
        ("Fix memory leak", False),
        ("Wo wird die Sitzung gespeichert", False),
        ("the error is: Datei nicht gefunden", False),
        ("", False),
    ],
)
def test_plain_english_is_known_without_looking_words_up(text: str, is_english: bool) -> None:  # noqa: FBT001
    assert is_english == is_plainly_english(text)


class FewWords:
    """Code that says little, in English."""

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        return frozenset(words) - {"session", "tests", "documentation", "test", "restore", "close", "fail", "handler"}


@pytest.mark.parametrize(
    ("text", "wants_tests"),
    [
        ("какие тесты проверяют сессию", True),
        ("哪些单元测试覆盖会话", True),
        ("dónde está la documentación de la sesión", True),
        ("где создаётся тест сессии", False),
        (f"какие тесты проверяют сессию {'и так далее ' * 40}", False),
    ],
)
def test_tests_are_wanted_in_any_language(text: str, wants_tests: bool) -> None:  # noqa: FBT001
    assert wants_tests == translated(parse_prompt(text), FewWords())[0].wants_tests


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("die Methode force_close des ResponseHandler wiederherstellen", {"restore"}),
        ("la méthode fermer de ResponseHandler", {"close"}),
        ("restaurar force_close", {"restore"}),
        ("pourquoi send_from_directory de blueprint_registry échoue", {"fail"}),
        ("restore force_close of ResponseHandler", set()),
        ("fix die_cast", set()),
    ],
)
def test_the_parts_of_names_in_code_say_nothing_of_the_language(text: str, read: set[str]) -> None:
    query, _ = translated(parse_prompt(text), FewWords())
    assert read == {english for english, _ in query.readings}
