"""The conversation database on a real disk."""

import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxcode.model.canonical import canonical_json, text_hash
from ctxcode.model.check import CheckStatus
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.errors import StoreError, UsageError
from ctxcode.model.event import (
    DurableEvent,
    ModeChanged,
    ModelChanged,
    SessionRenamed,
    SessionStarted,
    TurnCompleted,
    TurnStarted,
)
from ctxcode.model.ids import ItemId, PlanId, RetrievalId, SessionId, TextHash
from ctxcode.model.plan import (
    ContextMode,
    ContextPlan,
    Detail,
    Payload,
    PayloadMessage,
    PlanItem,
    PlanLimits,
    PlannedRequest,
    Reason,
    ReasonType,
    Section,
)
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.store.check import journal_check, sqlite_check
from ctxcode.store.disk import keep_log
from ctxcode.store.failure import store_error
from ctxcode.store.journal import SqliteJournal

ANN = SessionId("ann")
BEN = SessionId("ben")

WRITER = """
import sys
from pathlib import Path
from ctxcode.model.event import TurnStarted
from ctxcode.model.ids import SessionId
from ctxcode.store.journal import SqliteJournal

path, session, count = Path(sys.argv[1]), SessionId(sys.argv[2]), int(sys.argv[3])
journal = SqliteJournal(path)
for turn in range(1, count + 1):
    journal.append(session, TurnStarted(turn, f"question {turn}"), float(turn))
    sys.stdout.write(f"{turn}\\n")
    sys.stdout.flush()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "conversations.db"


@pytest.fixture
def journal(path: Path) -> Iterator[SqliteJournal]:
    with SqliteJournal(path) as opened:
        yield opened


def planned(plan_id: str, text: str = "def run(): ...", prompt: str = "why?") -> PlannedRequest:
    payload = Payload((PayloadMessage("user", text + prompt),))
    item = PlanItem(
        ItemId("symbol:a.py::run"),
        Section.TOUCHPOINT,
        "function",
        "run",
        included=True,
        detail=Detail.BODY,
        tokens=9,
        score=0.5,
        reasons=(Reason(ReasonType.LEXICAL, 0.5, ("run",)),),
        text=text_hash(text),
    )
    plan = ContextPlan(
        id=PlanId(plan_id),
        retrieval_id=None,
        mode=ContextMode.LIGHT,
        model="navigator",
        tokenizer="o200k_base",
        index_revision="r1",
        strategy="sliding-window",
        prompt=prompt,
        limits=PlanLimits(100_000, 8_000, 4_000),
        tokens=20,
        overhead_tokens=3,
        items=(item,),
        payload_hash=text_hash(canonical_json(payload.wire)),
    )
    return PlannedRequest(plan, payload, ((text_hash(text), text),))


def start_writer(path: Path, session: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), session, str(count)], stdout=subprocess.PIPE, text=True
    )


def test_events_come_back_in_order_also_after_reopening(path: Path) -> None:
    events: list[DurableEvent] = [
        SessionStarted(ANN, ContextMode.LIGHT, "navigator"),
        TurnStarted(1, "a\x00b\ud800 ünïcode ' -- 漢字"),
        TurnCompleted(1, StoppedBy.ANSWER),
    ]
    with SqliteJournal(path) as journal:
        for at, event in enumerate(events):
            journal.append(ANN, event, float(at))
        journal.append(BEN, ModeChanged(ContextMode.OFF), 9.0)
    with SqliteJournal(path) as journal:
        assert tuple(events) == journal.events(ANN)
        assert journal.notices == ()


def test_an_unknown_session_has_no_events(journal: SqliteJournal) -> None:
    assert journal.events(SessionId("nobody\ud800")) == ()


def test_files_and_folders_are_private(journal: SqliteJournal, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_events_of_a_newer_version_are_left_out_with_a_notice(journal: SqliteJournal, path: Path) -> None:
    journal.append(ANN, TurnStarted(1, "hello"), 1.0)
    other = sqlite3.connect(path)
    with other:
        other.execute(
            "INSERT INTO event (session, kind, version, at, body) VALUES ('ann', 'dream-dreamt', 1, 2.0, x'7b7d')"
        )
        other.execute(
            "INSERT INTO event (session, kind, version, at, body) VALUES ('ann', 'turn-started', 99, 2.0, x'7b7d')"
        )
    other.close()
    assert (TurnStarted(1, "hello"),) == journal.events(ANN)
    assert len(journal.notices) == 2
    assert "dream-dreamt" in journal.notices[0]


def test_sessions_are_listed_newest_first_with_title_turns_and_model(journal: SqliteJournal) -> None:
    journal.append(ANN, SessionStarted(ANN, ContextMode.LIGHT, "navigator"), 1.0)
    journal.append(ANN, TurnStarted(1, "  How does\nit retry? "), 2.0)
    journal.append(ANN, TurnStarted(2, "And then?"), 3.0)
    journal.append(BEN, SessionStarted(BEN, ContextMode.LIGHT, "navigator"), 4.0)
    journal.append(BEN, ModelChanged("local/model"), 5.0)
    journal.append(BEN, TurnStarted(1, "x" * 500), 6.0)
    journal.append(BEN, SessionRenamed("Retries"), 7.0)
    journal.append(SessionId("empty"), SessionStarted(SessionId("empty"), ContextMode.LIGHT, "navigator"), 8.0)
    rows = [(row.id, row.title, row.turns, row.updated_at, row.model) for row in journal.sessions()]
    assert rows == [("ben", "Retries", 1, 6.0, "local/model"), ("ann", "How does it retry?", 2, 3.0, "navigator")]
    assert len(journal.sessions(limit=1)) == 1


def test_another_title_makes_no_session_a_newer_one(journal: SqliteJournal) -> None:
    old, new = SessionId("old"), SessionId("new")
    for at, session in ((1.0, old), (2.0, new)):
        journal.append(session, TurnStarted(1, "why?"), at)
    journal.append(old, SessionRenamed("Joins"), 3.0)
    assert [(new, 2.0), (old, 1.0)] == [(row.id, row.updated_at) for row in journal.sessions()]


def test_a_plan_comes_back_whole_with_texts_payload_and_retrieval(journal: SqliteJournal) -> None:
    request = planned("abc123", text="long line\n" * 1000)
    retrieval = RetrievalSet(RetrievalId("r9"), "why?", "r1", ())
    journal.save_plan(request, retrieval, ANN, 5.0)
    assert journal.plan("abc123") == request.plan
    assert journal.retrieval(PlanId("abc123")) == retrieval
    assert journal.text(text_hash("long line\n" * 1000)) == "long line\n" * 1000
    assert request.plan.payload_hash is not None
    assert request.payload is not None
    assert journal.text(request.plan.payload_hash) == canonical_json(request.payload.wire)


def test_what_is_not_stored_is_none(journal: SqliteJournal) -> None:
    assert journal.plan("abc") is None
    assert journal.retrieval(PlanId("abc")) is None
    assert journal.text(TextHash("abc")) is None


def test_storing_a_plan_twice_keeps_one_and_makes_it_the_newest(journal: SqliteJournal) -> None:
    for plan_id, at in (("aa", 1.0), ("bb", 2.0), ("aa", 3.0)):
        journal.save_plan(planned(plan_id), None, None, at)
    assert [(plan.id, at) for plan, at in journal.plans()] == [("aa", 3.0), ("bb", 2.0)]


def test_an_ambiguous_prefix_names_the_plans_it_could_mean(journal: SqliteJournal) -> None:
    for plan_id in ("ab1", "ab2", "ab", "cd"):
        journal.save_plan(planned(plan_id), None, None, 1.0)
    with pytest.raises(UsageError, match="ab1, ab2"):
        journal.plan("a")
    found = journal.plan("c"), journal.plan("ab")
    assert [plan.id for plan in found if plan] == ["cd", "ab"]


def test_hostile_texts_are_stored_as_they_are(journal: SqliteJournal) -> None:
    text = "\x00'); DROP TABLE event; --\ud800\x1b[2J"
    journal.save_plan(planned("abc", text=text, prompt=text), None, SessionId("\udcff"), 1.0)
    found = journal.plan("abc")
    assert found is not None
    assert found.prompt == text
    assert journal.text(text_hash(text)) == text


def test_a_plan_that_can_not_be_read_leaves_the_others(journal: SqliteJournal, path: Path) -> None:
    journal.save_plan(planned("aa"), None, None, 1.0)
    journal.save_plan(planned("bb"), None, None, 2.0)
    other = sqlite3.connect(path)
    with other:
        other.execute("UPDATE plan SET body = x'00' WHERE id = 'bb'")
    other.close()
    assert [plan.id for plan, _ in journal.plans()] == ["aa"]
    assert "left out" in journal.notices[0]
    with pytest.raises(StoreError):
        journal.plan("bb")


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    SqliteJournal(path).close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 999")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer ctxcode") as caught:
        SqliteJournal(path)
    assert "Upgrade" in caught.value.hint
    assert before == path.read_bytes()


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE event (note)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program") as caught:
        SqliteJournal(path)
    assert "Move it away" in caught.value.hint
    assert before == path.read_bytes()


@pytest.mark.parametrize("damage", [b"this is no database at all " * 400, b"SQLite format 3\x00" + b"\xff" * 9000])
def test_a_damaged_file_is_kept_aside_and_a_new_one_begun(path: Path, damage: bytes) -> None:
    path.parent.mkdir()
    for number in (1, 2):
        path.write_bytes(damage)
        with SqliteJournal(path) as journal:
            journal.append(ANN, TurnStarted(1, "again"), 1.0)
            assert len(journal.events(ANN)) == 1
            assert f".corrupt-{number}" in journal.notices[0]
        assert path.with_name(f"{path.name}.corrupt-{number}").read_bytes() == damage


def test_a_file_that_was_emptied_is_told_of_and_used(path: Path) -> None:
    with SqliteJournal(path) as journal:
        assert journal.claim(ANN)
        journal.append(ANN, TurnStarted(1, "lost"), 1.0)
    path.write_bytes(b"")
    with SqliteJournal(path) as journal:
        assert f"{str(path)!r} was empty" in journal.notices[0]
        assert "is gone" in journal.notices[0]
        journal.append(ANN, TurnStarted(1, "again"), 1.0)
        assert (TurnStarted(1, "again"),) == journal.events(ANN)
    path.write_bytes(b"")
    assert (CheckStatus.NOTE, True) == ((check := journal_check(path)).status, "was empty" in check.detail)
    with SqliteJournal(path) as journal:
        assert () == journal.notices


def test_a_file_that_was_emptied_gets_back_what_its_log_holds(path: Path, tmp_path: Path) -> None:
    with SqliteJournal(path) as journal:
        assert journal.claim(ANN)
        journal.append(ANN, TurnStarted(1, "kept"), 1.0)
        left = {each.name: each.read_bytes() for each in path.parent.iterdir() if not each.name.endswith("-shm")}
    for name, content in left.items():
        (tmp_path / name).write_bytes(b"" if name == path.name else content)
    with SqliteJournal(tmp_path / path.name) as journal:
        assert (TurnStarted(1, "kept"),) == journal.events(ANN)
        assert "came back from its log" in journal.notices[0]


def test_an_emptied_file_that_another_process_has_begun_again_keeps_its_pages(path: Path) -> None:
    with SqliteJournal(path) as journal:
        assert journal.claim(ANN)
        journal.append(ANN, TurnStarted(1, "kept"), 1.0)
        with journal._database.read() as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        before = path.read_bytes()
        # As late as can be: it was empty when this process looked.
        keep_log(path)
        assert before == path.read_bytes()


def test_a_new_file_is_not_told_of(tmp_path: Path) -> None:
    path = tmp_path / "conversations.db"
    path.touch()
    with SqliteJournal(path) as journal:
        assert () == journal.notices


def test_damage_inside_a_large_file_is_found_at_the_start_after_it_was_met(path: Path) -> None:
    with SqliteJournal(path) as journal:
        for turn in range(2600):
            journal.append(ANN, TurnStarted(turn, "x" * 4000), 1.0)
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xff" * (path.stat().st_size - 4096 * 4))
    with SqliteJournal(path) as journal, pytest.raises(StoreError, match="damaged"):
        journal.events(ANN)
    with SqliteJournal(path) as journal:
        assert "was damaged" in journal.notices[0]
        assert journal.events(ANN) == ()


def test_a_file_that_can_not_be_created_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="can't be opened") as caught:
        SqliteJournal(tmp_path / "file" / "conversations.db")
    assert "XDG_DATA_HOME" in caught.value.hint
    with pytest.raises(StoreError):
        SqliteJournal(tmp_path)


def test_a_full_disk_is_a_clear_error_and_loses_nothing(journal: SqliteJournal) -> None:
    journal.append(ANN, TurnStarted(1, "kept"), 1.0)
    with journal._database.read() as connection:
        connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreError, match="disk is full") as caught:
        journal.append(ANN, TurnStarted(2, "x" * 200_000), 2.0)
    assert "Free some space" in caught.value.hint
    assert (TurnStarted(1, "kept"),) == journal.events(ANN)


@pytest.mark.parametrize(("free_bytes", "words"), [(40_000, "the disk is full"), (9_000_000, "can't be read or wri")])
def test_a_failure_where_there_is_no_room_is_told_as_that(
    path: Path, monkeypatch: pytest.MonkeyPatch, free_bytes: int, words: str
) -> None:
    path.parent.mkdir()
    room = shutil.disk_usage(path.parent)._replace(free=free_bytes)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: room)
    failure = sqlite3.OperationalError("disk I/O error")
    failure.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert words in str(store_error(failure, path))


def test_a_read_only_file_is_a_clear_error(journal: SqliteJournal) -> None:
    with journal._database.read() as connection:
        connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="read-only"):
        journal.append(ANN, TurnStarted(1, "lost"), 1.0)


def test_using_a_closed_journal_is_a_store_error(path: Path) -> None:
    journal = SqliteJournal(path)
    journal.close()
    journal.close()
    with pytest.raises(StoreError):
        journal.events(ANN)


def test_threads_share_a_journal(journal: SqliteJournal) -> None:
    def write(first: int) -> None:
        for turn in range(first, first + 25):
            journal.append(ANN, TurnStarted(turn, "hi"), 1.0)

    threads = [threading.Thread(target=write, args=(100 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(journal.events(ANN)) == 100


def test_what_a_killed_writer_acknowledged_is_kept(path: Path) -> None:
    with start_writer(path, "ann", 100_000) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout if line.endswith("\n")]
    with SqliteJournal(path) as journal:
        turns = [event.turn for event in journal.events(ANN) if isinstance(event, TurnStarted)]
        assert turns[: len(acknowledged)] == acknowledged
        assert journal.damage() == ""
        assert journal.notices == ()


def test_two_processes_lose_nothing_and_may_create_the_file_at_once(path: Path) -> None:
    writers = [start_writer(path, name, 60) for name in ("ann", "ben")]
    assert [len(writer.communicate()[0].split()) for writer in writers] == [60, 60]
    with SqliteJournal(path) as journal:
        assert [len(journal.events(ANN)), len(journal.events(BEN))] == [60, 60]
        assert journal.damage() == ""


def test_the_doctor_looks_at_sqlite_and_the_journal(path: Path) -> None:
    assert sqlite_check().status is CheckStatus.OK
    assert "none yet" in journal_check(path).detail
    with SqliteJournal(path) as journal:
        journal.append(ANN, TurnStarted(1, "hello"), 1.0)
    assert "1 session," in journal_check(path).detail
    path.write_bytes(b"no database " * 1000)
    assert journal_check(path).status is CheckStatus.NOTE
    assert journal_check(path.parent).status is CheckStatus.FAILED
