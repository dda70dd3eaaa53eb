"""Comparing by meaning, with the real table of words."""

import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from threading import Timer

import pytest
from command import run_here
from indexed_folder import IndexedFolder
from talk import turn

from ctxcode.intent.prompt import parse_prompt
from ctxcode.llm.embedding.static import StaticEmbedder
from ctxcode.model.canonical import text_digest
from ctxcode.model.engine.vector import Vector, similarity
from ctxcode.model.errors import ModelError, ModelUnknownError
from ctxcode.model.plan import ReasonType
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.retrieval.retrieve import retrieve
from ctxcode.retrieval.semantic import Embedder, Semantic
from ctxcode.session.strategy.past import Past
from ctxcode.store.vectors import KeptVectors

pytestmark = pytest.mark.skipif(find_spec("wordllama") is None, reason="wordllama has no wheel for this Python")

OTHER_WORDS = "create a folder for uploads and orders"
TABLE = "weights/l2_supercat_256.safetensors"
FILES = {
    "app/places.py": '''
def make_directory(path):
    """Make a directory for uploads."""
    return path


def make_invoice(order):
    """Make an invoice for an order."""
    return order
''',
}


@dataclass
class Counting:
    """Hands on to an embedder and notes what it was asked."""

    inner: Embedder
    asked: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.inner.id

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        self.asked += texts
        return self.inner.embed(texts)


@dataclass
class Broken:
    """Fails with an error."""

    error: ModelError
    id: str = "broken"

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        raise self.error


def installed() -> Path:
    found = find_spec("wordllama")
    assert found is not None
    return Path((found.submodule_search_locations or [""])[0])


def found(tmp_path: Path, question: str, semantic: Semantic | None) -> RetrievalSet:
    folder = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    for path, text in FILES.items():
        folder.write(path, text)
    folder.refresh()
    try:
        return retrieve(parse_prompt(question), folder.index, semantic)
    finally:
        folder.close()


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    """Return what has read the table: a third of a second for each that does."""
    return StaticEmbedder()


def test_words_that_mean_the_same_are_closer_than_others(embedder: StaticEmbedder) -> None:
    folder, directory, tomato = embedder.embed(["folder", "directory", "tomato"])
    assert similarity(folder, directory) > 2 * abs(similarity(folder, tomato))


def test_a_text_has_one_vector_whatever_it_is_asked_with(tmp_path: Path) -> None:
    texts = ["makeDirectory makes a directory", "", "how are invoices sent?", "…", "make_directory"]
    one = StaticEmbedder(kept=tmp_path)
    assert one.embed(texts) == tuple(StaticEmbedder(kept=tmp_path).embed([text])[0] for text in texts)
    assert tuple(reversed(one.embed(texts))) == one.embed(texts[::-1])
    assert (b"", b"") == (one.embed(texts)[1], one.embed(texts)[3])


@pytest.mark.parametrize("damage", [b"", b"\xff" * 64, (200).to_bytes(8, "little") + b"{" * 200])
def test_a_broken_table_is_named_with_what_to_do(tmp_path: Path, damage: bytes) -> None:
    shutil.copytree(installed() / "tokenizers", tmp_path / "tokenizers")
    (tmp_path / TABLE).parent.mkdir()
    (tmp_path / TABLE).write_bytes(damage)
    with pytest.raises(ModelError, match="can't be read") as caught:
        StaticEmbedder(tmp_path).embed(["folder"])
    assert "Install ctxcode again" in caught.value.hint


def test_what_is_read_of_the_table_is_kept_and_a_damaged_copy_made_anew(tmp_path: Path) -> None:
    texts = ["a folder", "HTTPServer", "zzyzx", "zzyzx zzyzx"]
    shutil.copytree(installed() / "tokenizers", tmp_path / "tokenizers")
    shutil.copytree(installed() / "weights", tmp_path / "weights")
    table, kept = tmp_path / TABLE, tmp_path / "kept"
    first = StaticEmbedder(tmp_path, kept).embed(texts)
    (copy,) = kept.iterdir()
    whole = copy.read_bytes()
    for damage in (b"", b"\0" * 64, whole[:-1]):
        copy.write_bytes(damage)
        assert first == StaticEmbedder(tmp_path, kept).embed(texts)
        assert whole == copy.read_bytes()
    table.write_bytes(bytes(table.stat().st_size))
    assert first == StaticEmbedder(tmp_path, kept).embed(texts)
    table.write_bytes(b"another size")
    with pytest.raises(ModelError, match="can't be read"):
        StaticEmbedder(tmp_path, kept).embed(texts)
    table.unlink()
    with pytest.raises(ModelError, match="No such file"):
        StaticEmbedder(tmp_path, kept).embed(texts)


def test_a_word_the_table_has_not_is_like_its_own_family_only(embedder: StaticEmbedder) -> None:
    one, family, other, known = embedder.embed(["zzyzxes", "zzyzx", "qwfpgj", "folder"])
    assert similarity(one, family) == 1.0
    assert max(abs(similarity(one, other)), abs(similarity(one, known))) < 0.4


def test_vectors_are_made_once_and_kept_by_content(tmp_path: Path, embedder: StaticEmbedder) -> None:
    counting = Counting(embedder)
    first = KeptVectors(counting, tmp_path / "vectors.db").embed(["folder", "invoice", "folder"])
    assert ["folder", "invoice"] == counting.asked
    again = KeptVectors(counting, tmp_path / "vectors.db")
    assert first[:2] == again.embed(["folder", "invoice"])
    assert ["folder", "invoice"] == counting.asked


def test_vectors_that_another_repository_has_are_taken_from_there(tmp_path: Path, embedder: StaticEmbedder) -> None:
    texts = [f"folder {number}" for number in range(20)]
    for number, name in enumerate(("empty", "first", "damaged")):
        (tmp_path / name).mkdir()
        place = tmp_path / name / "vectors.db"
        if name == "first":
            kept = KeptVectors(embedder, place)
            expected = kept.embed(texts[:15])
            kept.close()
        else:
            place.write_bytes(b"no database" * 100 * number)
    counting = Counting(embedder)
    (tmp_path / "own").mkdir()

    def others() -> Iterable[Path]:
        return (tmp_path / "gone/vectors.db", *tmp_path.glob("*/vectors.db"))

    for _ in range(2):
        own = KeptVectors(counting, tmp_path / "own/vectors.db", others)
        assert expected == own.embed(texts)[:15]
        assert texts[15:] == counting.asked
        own.close()
    assert embedder.embed(texts[:2]) == KeptVectors(counting, tmp_path / "few.db", others).embed(texts[:2])
    assert [*texts[15:], *texts[:2]] == counting.asked


def test_what_another_repository_writes_just_then_or_has_wrong_is_not_waited_for_or_taken(
    tmp_path: Path, embedder: StaticEmbedder
) -> None:
    texts = [f"folder {number}" for number in range(20)]
    key = text_digest(texts[0], size_bytes=16)
    with closing(sqlite3.connect(tmp_path / "odd.db")) as connection:
        connection.execute("CREATE TABLE vector (model TEXT, text TEXT, vector)")
        connection.execute("INSERT INTO vector VALUES (?, ?, 'words')", (embedder.id, key))
        connection.commit()
    other = KeptVectors(embedder, tmp_path / "other.db")
    other.embed(texts)
    other.close()
    with closing(sqlite3.connect(tmp_path / "other.db", check_same_thread=False)) as writing:
        writing.execute("PRAGMA journal_mode = delete")
        writing.execute("BEGIN EXCLUSIVE")
        release = Timer(3.0, writing.rollback)
        release.start()
        counting = Counting(embedder)
        own = KeptVectors(counting, tmp_path / "own.db", lambda: tmp_path.glob("o*.db"))
        assert embedder.embed(texts) == own.embed(texts)
        own.close()
        release.cancel()
        release.join()
    assert texts == counting.asked


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be looked at" * 40, b"SQLite format 3\0"])
def test_a_damaged_file_of_vectors_is_done_without(tmp_path: Path, content: bytes, embedder: StaticEmbedder) -> None:
    (tmp_path / "vectors.db").write_bytes(content)
    assert embedder.embed(["folder"]) == KeptVectors(embedder, tmp_path / "vectors.db").embed(["folder"])


def test_other_words_of_the_same_meaning_raise_a_candidate_and_are_told(
    tmp_path: Path, embedder: StaticEmbedder
) -> None:
    made = found(tmp_path, OTHER_WORDS, Semantic(lambda: embedder))
    shares = {e.symbol.name: sum(term.value for term in e.terms if term.name == "semantic") for e in made.entries}
    assert shares["make_directory"] > shares["make_invoice"] >= 0.0
    raised = next(entry for entry in made.entries if entry.symbol.name == "make_directory")
    assert ReasonType.SEMANTIC in {reason.type for reason in raised.reasons}
    assert all(abs(sum(term.value for term in entry.terms) - entry.score) < 1e-9 for entry in made.entries)
    assert made.id == found(tmp_path, OTHER_WORDS, Semantic(lambda: embedder)).id


@pytest.mark.parametrize("question", ["make_directory fails", "why does `make_invoice` fail?", "see app/places.py:3"])
def test_nobody_else_is_asked_of_a_question_that_names_code(
    tmp_path: Path, question: str, embedder: StaticEmbedder
) -> None:
    counting = Counting(embedder)
    found(tmp_path, question, Semantic(lambda: counting, is_asked=True))
    assert [] == counting.asked
    found(tmp_path, question, Semantic(lambda: counting))
    assert question == counting.asked[0]


def test_a_question_in_another_language_is_compared_as_it_was_read(tmp_path: Path, embedder: StaticEmbedder) -> None:
    question = "Wo wird ein Ordner erstellt?"
    counting = Counting(embedder)
    found(tmp_path, question, Semantic(lambda: counting))
    assert "folder create" == counting.asked.pop(0)
    counting.asked.clear()
    found(tmp_path, question, Semantic(lambda: counting, is_asked=True))
    assert f"folder create\n{question}" == counting.asked[0]


def test_a_failure_leaves_what_words_found_and_is_told(tmp_path: Path) -> None:
    failing = Semantic(lambda: Broken(ModelError("No vectors.", "Do this.")))
    made = found(tmp_path, OTHER_WORDS, failing)
    assert "Found by words only: No vectors. Do this." == made.notice
    assert found(tmp_path, OTHER_WORDS, None).entries == made.entries


def test_what_is_not_there_for_this_machine_is_told_by_the_doctor_and_not_with_every_question(tmp_path: Path) -> None:
    missing = Broken(ModelUnknownError("wordllama is not installed."))
    assert "" == found(tmp_path, OTHER_WORDS, Semantic(lambda: missing)).notice
    assert "not installed" in found(tmp_path, OTHER_WORDS, Semantic(lambda: missing, is_asked=True)).notice


def test_the_command_tells_the_term_and_can_do_without(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "places.py").write_text(FILES["app/places.py"])
    words = (
        "context",
        OTHER_WORDS,
        "--repo",
        str(tmp_path / "shop"),
        "--explain",
        "--format",
        "json",
    )
    for setting, is_compared in ((None, True), ("off", False)):
        made = run_here(tmp_path, *words, extra={"CTXCODE_SEMANTIC": setting} if setting else {}).json()
        assert is_compared == any("semantic" in row["terms"] for row in made["candidates"])


def test_earlier_turns_in_other_words_are_brought_back(embedder: StaticEmbedder) -> None:
    talked = ["how are folders created on disk?", "who sends invoices?", "why is the tax rounded?", "what is a cart?"]
    turns = [turn(number, prompt) for number, prompt in enumerate(talked, start=1)]
    question = "where does the directory come from"
    assert () == Past().search(turns, question).related(4)
    past, counting = Past(), Counting(embedder)
    for _ in range(2):
        search = past.search(turns, question, Semantic(lambda: counting))
        first = search.related(4)[0]
        assert (1, True) == (first.turn, first.is_meant)
        assert first == search.about(turns[0])
    assert 1 == sum("folders created" in text for text in counting.asked)
    assert () == past.search(turns, "go on", Semantic(lambda: counting)).related(4)
    failing = Semantic(lambda: Broken(ModelError("No vectors.")))
    assert () == Past().search(turns, question, failing).related(4)


def test_words_both_have_count_before_what_they_mean(embedder: StaticEmbedder) -> None:
    turns = [turn(1, "make a directory"), turn(2, "invoices are sent"), turn(3, "invoices again")]
    search = Past().search(turns, "are invoices sent", Semantic(lambda: embedder))
    assert (2, False, ("invoices", "sent")) == (
        (row := search.related(3)[0]).turn,
        row.is_meant,
        tuple(sorted(row.terms)),
    )
