"""Real worker processes: what they skip, what kills them, and what survives."""

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import pytest
from indexed_folder import IDLE

from ctxcode.bootstrap.index.early import start_parser
from ctxcode.codegraph.codec import EncodedRows, encode_facts, encode_rows
from ctxcode.codegraph.extract.rows import file_rows
from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.isolation.idle import IdleWorkers
from ctxcode.codegraph.isolation.intake import parse_patience
from ctxcode.codegraph.isolation.lane import Run
from ctxcode.codegraph.isolation.process import WorkerGoneError, WorkerProcess
from ctxcode.codegraph.isolation.program import end_program, start_program
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.pool import ParseOutcome, ParsePool
from ctxcode.model.errors import IndexingError
from ctxcode.model.source import SkipReason
from ctxcode.settings.directory import directories, repository_key

HANG = (b"a<" * 200 + b"\n") * 200
"""Keeps the Java grammar busy for a quarter of a minute; it takes some 500 MB more each second."""


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[ParsePool]:
    with ParsePool(tmp_path, workers=2, timeout_seconds=20.0) as opened:
        yield opened


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[ParsePool]:
    """Yield a pool for what is read of files, with the worker that other tests have left: it started and imported."""
    with ParsePool(tmp_path, workers=1, timeout_seconds=20.0, idle=IDLE) as opened:
        yield opened


def write(root: Path, files: dict[str, bytes]) -> list[tuple[str, str]]:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return [(name, "java" if name.endswith(".java") else "python") for name in files]


def many(count: int) -> dict[str, bytes]:
    return {f"pkg/m{number:04}.py": f"def f{number}():\n    return g({number})\n".encode() for number in range(count)}


def outcomes(pool: ParsePool, paths: list[tuple[str, str]]) -> dict[str, ParseOutcome]:
    found = {outcome.path: outcome for outcome in pool.parse(paths)}
    assert {path for path, _ in paths} == set(found)
    return found


def reasons(found: dict[str, ParseOutcome]) -> dict[str, SkipReason]:
    return {path: outcome.skipped.reason for path, outcome in found.items() if outcome.skipped is not None}


def eventually(is_true: Callable[[], bool], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_true():
            return True
        os.sched_yield()
    return is_true()


def test_every_file_is_answered_once_with_the_facts_of_a_parse_here(tmp_path: Path, pool: ParsePool) -> None:
    files = many(300)
    paths = write(tmp_path, files)
    answers = list(pool.parse(paths))
    assert sorted(files) == sorted(answer.path for answer in answers)
    for answer in answers:
        facts = parse_source(files[answer.path], "python", answer.path)
        assert answer.facts == skeleton(facts)
        rows = file_rows(facts.symbols, answer.path)
        assert answer.rows == EncodedRows(*rows, *encode_rows(rows))
        assert answer.encoded == encode_facts(skeleton(facts))
        assert answer.size_bytes == len(files[answer.path])
        assert len(answer.content_hash) == 20


def test_nothing_to_parse_starts_nothing(pool: ParsePool) -> None:
    assert [] == list(pool.parse([]))
    assert () == pool.worker_ids


def test_programs_that_were_started_before_become_the_workers(tmp_path: Path) -> None:
    programs = [start_program(), start_program()]
    paths = write(tmp_path, many(200))
    with ParsePool(tmp_path, workers=2, programs=programs) as pool:
        assert {path for path, _ in paths} == set(outcomes(pool, paths))
        assert {program.pid for program in programs} >= set(pool.worker_ids) != set()
    assert all(program.poll() is not None for program in programs)


def test_a_program_nobody_needed_ends_with_the_pool(tmp_path: Path) -> None:
    programs = [start_program(), start_program()]
    with ParsePool(tmp_path, workers=1, programs=programs) as pool:
        assert set() == reasons(outcomes(pool, write(tmp_path, many(3)))).keys()
    assert all(program.poll() is not None for program in programs)


def test_a_parser_starts_early_only_where_there_is_no_index(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    write(tmp_path / "tree", many(1))
    (program,) = start_parser(tmp_path / "tree", environment)
    end_program(program)
    (directories(environment).cache / repository_key(tmp_path / "tree")).mkdir(parents=True)
    assert [] == start_parser(tmp_path / "tree", environment)
    assert [] == start_parser(tmp_path / "nowhere", environment)
    assert [] == start_parser(tmp_path / "tree/pkg/m0000.py", environment)


def test_idle_workers_are_kept_for_the_next_call(tmp_path: Path, pool: ParsePool) -> None:
    paths = write(tmp_path, many(3))
    outcomes(pool, paths)
    first = pool.worker_ids
    outcomes(pool, paths)
    assert first == pool.worker_ids
    assert len(first) == 1


def test_a_worker_that_waits_for_any_pool_reads_the_next_repository_too(tmp_path: Path) -> None:
    idle = IdleWorkers(1)
    with ParsePool(tmp_path / "a", workers=2, idle=idle) as first:
        outcomes(first, write(tmp_path / "a", many(300)))
    (waiting,) = idle.ids
    with ParsePool(tmp_path / "b", workers=1, idle=idle) as second:
        assert {"own.py"} == set(outcomes(second, write(tmp_path / "b", {"own.py": b"def own(): pass\n"})))
        assert (waiting,) == second.worker_ids
    os.kill(waiting, signal.SIGKILL)
    with ParsePool(tmp_path / "b", workers=1, idle=idle) as third:
        assert {} == reasons(outcomes(third, [("own.py", "python")]))
    assert waiting not in idle.ids
    idle.close()
    assert () == idle.ids


def test_files_not_worth_a_parse_are_skipped_with_a_reason(tmp_path: Path, reading: ParsePool) -> None:
    paths = write(
        tmp_path,
        {
            "binary.py": b"x = 1\0",
            "utf16.py": b"\xff\xfe" + "def f(): pass\n".encode("utf-16-le"),
            "huge.py": b"x" * 10_000_001,
            "large.py": b"x = 1\n" * 200_000,
            "min.py": b"a=1;" * 5_000,
            "generated.py": b"# Code generated by a tool. DO NOT EDIT.\nx = 1\n",
            "marked.py": b"# -*- x -*-\n\n# @generated\nx = 1\n",
            "licensed.go": b"//go:build x\n/*\n" + b"Licence.\n" * 20 + b"*/\n\n// Code generated by x. DO NOT EDIT.\n",
            "commented.go": b"// Licence.\n" * 20 + b"\n// Code generated by x. DO NOT EDIT.\npackage x\n",
            "configure": b"#!/bin/sh\n# Guess values.\n# Generated by GNU Autoconf 2.69 for shop.\nrun() { :; }\n",
            "below.go": b"package x\n" + b"// Text.\n" * 20 + b"\n// Code generated by x. DO NOT EDIT.\n",
            "about.py": b"TEXT = 'says DO NOT EDIT'\n",
            "fine.py": b"x = 1\n",
        },
    )
    found = outcomes(reading, [*paths, ("gone.py", "python"), ("", "python")])
    assert {
        "binary.py": SkipReason.BINARY,
        "huge.py": SkipReason.TOO_LARGE,
        "large.py": SkipReason.TOO_LARGE,
        "min.py": SkipReason.MINIFIED,
        "generated.py": SkipReason.GENERATED,
        "marked.py": SkipReason.GENERATED,
        "licensed.go": SkipReason.GENERATED,
        "commented.go": SkipReason.GENERATED,
        "configure": SkipReason.GENERATED,
        "gone.py": SkipReason.UNREADABLE,
        "": SkipReason.OUTSIDE,
    } == reasons(found)
    assert found["huge.py"].content_hash == ""
    assert found["large.py"].content_hash
    assert found["huge.py"].size_bytes == 10_000_001


def test_large_code_is_parsed_unless_its_lines_are_all_alike(tmp_path: Path, reading: ParsePool) -> None:
    names = [f"f{blake2b(b'%d' % number, digest_size=5).hexdigest()}" for number in range(30_000)]
    pieces = [f"def {name}(value):\n    return value.{other}()\n".encode() for name, other in pairwise(names)]
    written = b"".join(pieces)
    paths = write(
        tmp_path,
        {
            "written.py": written,
            "registers.py": b"".join(b"GPIO_BANK_%d_SHIFT = 0x%08x\n" % (number, number) for number in range(50_000)),
            "too_much.py": written * 5,
        },
    )
    (tmp_path / "data.json").write_bytes(b'{"%s": 1}' % b'": 1,\n"'.join(name.encode() for name in names * 3))
    found = outcomes(reading, [*paths, ("data.json", "json")])
    assert dict.fromkeys(("registers.py", "too_much.py", "data.json"), SkipReason.TOO_LARGE) == reasons(found)
    facts = found["written.py"].facts
    assert facts is not None
    assert {names[0], names[-2]} <= {symbol.name for symbol in facts.symbols}
    details = {path: outcome.skipped.detail for path, outcome in found.items() if outcome.skipped is not None}
    assert details == {
        "registers.py": "1.7 MB of lines that are all alike",
        "too_much.py": f"{len(written) * 5 / 1e6:.1f} MB; files over 5 MB are not parsed",
        "data.json": f"{(tmp_path / 'data.json').stat().st_size / 1e6:.1f} MB; files over 1 MB are not parsed",
    }


def test_a_large_file_may_take_longer() -> None:
    patience = [parse_patience(5.0, size_bytes) for size_bytes in (0, 1_000_000, 4_000_000, 1 << 40)]
    assert patience == [5.0, 5.0, 10.0, 12.5]


def test_what_well_known_tools_write_is_not_parsed(tmp_path: Path, reading: ParsePool) -> None:
    written = {
        "cython.c": b"/* Generated by Cython 3.0.10 */\n\nint x;\n",
        "bison.c": b"/* A Bison parser, made by GNU Bison 3.8.2.  */\nint x;\n",
        "lexer.java": b"// Generated from Lexer.g4 by ANTLR 4.13.1\nclass Lexer {}\n",
        "designer.cs": b"// <auto-generated>\nclass A {}\n",
    }
    people = {
        "0002_flag.py": b"# Generated by Django 5.2 on 2026-01-02 03:04\n\nx = 1\n",
        "about.py": b"# What is made by hand is not generated by a tool.\nx = 1\n",
        "build.py": b'"""Reads what was generated by Cython."""\n',
    }
    found = outcomes(reading, write(tmp_path, {**written, **people}))
    assert dict.fromkeys(written, SkipReason.GENERATED) == reasons(found)


def test_nothing_outside_the_repository_and_nothing_that_blocks_is_opened(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    paths = write(root, {"inside.py": b"def f(): pass\n", "pkg/dir.py/x": b""})
    (tmp_path / "secret.py").write_bytes(b"KEY = 1\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "m.py").write_bytes(b"x = 1\n")
    os.mkfifo(root / "fifo.py")
    (root / "out.py").symlink_to(tmp_path / "secret.py")
    (root / "folder").symlink_to(tmp_path / "other")
    (root / "loop.py").symlink_to(root / "loop.py")
    (root / "dangling.py").symlink_to(root / "nowhere.py")
    (root / "link.py").symlink_to(root / "inside.py")
    names = [
        "fifo.py", "out.py", "folder/m.py", "../secret.py", "loop.py", "dangling.py", "link.py", "pkg/dir.py",
        str(tmp_path / "secret.py"),
    ]  # fmt: skip
    with ParsePool(root, workers=1, idle=IDLE) as pool:
        found = outcomes(pool, [*paths[:1], *((name, "python") for name in names)])
    assert {
        "fifo.py": SkipReason.NOT_REGULAR,
        "out.py": SkipReason.OUTSIDE,
        "folder/m.py": SkipReason.OUTSIDE,
        "../secret.py": SkipReason.OUTSIDE,
        "loop.py": SkipReason.NOT_REGULAR,
        "dangling.py": SkipReason.UNREADABLE,
        "pkg/dir.py": SkipReason.NOT_REGULAR,
        str(tmp_path / "secret.py"): SkipReason.UNREADABLE,
    } == reasons(found)
    assert found["link.py"].facts is not None


def test_a_file_without_permission_is_unreadable(tmp_path: Path, reading: ParsePool) -> None:
    paths = write(tmp_path, {"closed.py": b"x = 1\n"})
    (tmp_path / "closed.py").chmod(0)
    if os.access(tmp_path / "closed.py", os.R_OK):
        (tmp_path / "closed.py").unlink()  # the superuser may read everything: a missing file is unreadable too
    assert {"closed.py": SkipReason.UNREADABLE} == reasons(outcomes(reading, paths))


def test_a_hanging_parser_costs_its_file_only(tmp_path: Path) -> None:
    paths = write(tmp_path, many(20) | {"pkg/m0005x.java": HANG} | {"z.py": b"def z(): pass\n"})
    with ParsePool(tmp_path, workers=1, timeout_seconds=1.0, memory_bytes=8 << 30) as pool:
        found = outcomes(pool, sorted(paths))
    assert {"pkg/m0005x.java": SkipReason.PARSER_TIMEOUT} == reasons(found)
    assert found["pkg/m0005x.java"].content_hash
    assert found["pkg/m0005x.java"].size_bytes == len(HANG)


def test_what_a_parser_does_not_survive_is_told_apart_from_the_same_as_a_generated_file(tmp_path: Path) -> None:
    paths = write(tmp_path, {"made.java": b"// Code generated by a tool. DO NOT EDIT.\n" + HANG})
    with ParsePool(tmp_path, workers=1, timeout_seconds=1.0, memory_bytes=8 << 30) as pool:
        (generated,) = pool.parse(paths)
        (written,) = pool.parse(paths, written={"made.java"})
    reasons = [one.skipped.reason for one in (generated, written) if one.skipped is not None]
    assert [SkipReason.GENERATED, SkipReason.PARSER_TIMEOUT] == reasons
    assert generated.content_hash != written.content_hash


@pytest.mark.skipif(sys.platform == "win32", reason="nobody counts there what a process has used")
def test_a_worker_ends_by_itself_when_it_has_had_a_processor_for_too_long(tmp_path: Path) -> None:
    write(tmp_path, {"hang.java": HANG, "fine.java": b"class Fine {}\n"})
    process = WorkerProcess(0.5, 8 << 30)
    process.send(str(tmp_path), [("fine.java", "java"), ("hang.java", "java")], [])
    assert "fine.java" == process.receive().path
    with pytest.raises(WorkerGoneError):
        process.receive()
    assert process.is_out_of_time
    process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="nobody counts there what a process has used")
def test_a_worker_that_gets_no_processor_for_a_while_does_not_hang(tmp_path: Path) -> None:
    paths = write(tmp_path, many(3))
    with ParsePool(tmp_path, workers=1, timeout_seconds=0.4) as pool:
        outcomes(pool, paths)
        (worker,) = pool.worker_ids
        os.kill(worker, signal.SIGSTOP)
        threading.Timer(1.2, os.kill, (worker, signal.SIGCONT)).start()
        assert {} == reasons(outcomes(pool, paths))
        assert (worker,) == pool.worker_ids


def test_a_parser_out_of_memory_costs_its_file_only(tmp_path: Path) -> None:
    hungry = b"def f():\n" + b"    x = ((((((((a))))))))\n" * 36_000
    paths = write(tmp_path, many(5) | {"hungry.py": hungry})
    with ParsePool(tmp_path, workers=1, timeout_seconds=30.0, memory_bytes=110 << 20) as pool:
        found = outcomes(pool, sorted(paths))
    assert {"hungry.py": SkipReason.PARSER_CRASH} == reasons(found)
    assert found["hungry.py"].content_hash


def test_killed_workers_lose_no_file(tmp_path: Path, pool: ParsePool) -> None:
    files = many(400)
    paths = write(tmp_path, files)
    found = []
    killed: tuple[int, ...] = ()
    for outcome in pool.parse(paths):
        found.append(outcome)
        if not killed:
            killed = pool.worker_ids
            for process in killed:
                os.kill(process, signal.SIGKILL)
    assert killed
    assert sorted(files) == sorted(outcome.path for outcome in found)
    assert {} == reasons({outcome.path: outcome for outcome in found})


def test_an_iterator_closed_early_leaves_no_worker_behind(tmp_path: Path, pool: ParsePool) -> None:
    paths = write(tmp_path, many(500))
    iterator = pool.parse(paths)
    next(iterator)
    assert pool.worker_ids
    iterator.close()  # type: ignore[attr-defined]  # a generator is promised as an iterator
    assert () == pool.worker_ids
    assert len(paths) == len(list(pool.parse(paths)))


def test_closing_the_pool_ends_its_processes_and_iterators(tmp_path: Path) -> None:
    paths = write(tmp_path, many(300))
    pool = ParsePool(tmp_path, workers=2)
    iterator = pool.parse(paths)
    next(iterator)
    processes = pool.worker_ids
    pool.close()
    assert len(list(iterator)) < len(paths)
    assert processes
    assert eventually(lambda: not any(Path(f"/proc/{process}").exists() for process in processes))
    with pytest.raises(IndexingError, match="closed"):
        next(pool.parse(paths))


def test_workers_that_cannot_start_are_an_error_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    paths = write(tmp_path, many(1))
    with ParsePool(tmp_path, workers=1) as pool, pytest.raises(IndexingError, match="can't start") as caught:
        list(pool.parse(paths))
    assert "doctor" in caught.value.hint


def test_a_worker_that_talks_nonsense_costs_no_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    liar = tmp_path / "liar"
    mark = tmp_path / "lied"
    liar.write_text(
        f'#!/bin/sh\nif [ -e "{mark}" ]; then exec "{sys.executable}" "$@"; fi\n: > "{mark}"\necho nonsense\n'
    )
    liar.chmod(0o755)
    paths = write(tmp_path, many(3))
    monkeypatch.setattr(sys, "executable", str(liar))
    with ParsePool(tmp_path, workers=1) as pool:
        with pytest.raises(IndexingError, match="can't start"):
            list(pool.parse(paths))
        assert {} == reasons(outcomes(pool, paths))


def test_the_facts_survive_the_way_through_the_pipe(tmp_path: Path, reading: ParsePool) -> None:
    source = "class Ünder:\n    'Größe'\n    def m(self): return self.x()\n".encode()
    outcome = outcomes(reading, write(tmp_path, {"ü.py": source}))["ü.py"]
    assert outcome.facts is not None
    assert encode_facts(outcome.facts) == encode_facts(skeleton(parse_source(source, "python", "ü.py")))


def test_a_worker_imports_only_what_it_needs(tmp_path: Path) -> None:
    import subprocess

    program = "import sys, ctxcode.codegraph.worker; print(*sys.modules)"
    loaded = set(subprocess.check_output([sys.executable, "-I", "-c", program], text=True, cwd=tmp_path).split())
    assert "tree_sitter" not in loaded
    assert set() == loaded & {"numpy", "asyncio", "textual", "litellm", "sqlite3", "subprocess"}


def test_workers_started_ahead_are_the_ones_that_parse_and_end_with_the_pool(tmp_path: Path) -> None:
    paths = write(tmp_path, many(3))
    pool = ParsePool(tmp_path, workers=2)
    pool.warm_up()
    outcomes(pool, paths)
    processes = pool.worker_ids
    assert 1 == len(processes)
    pool.close()
    assert eventually(lambda: not any(Path(f"/proc/{process}").exists() for process in processes))
    pool.warm_up()
    assert not pool.worker_ids


def test_workers_that_cannot_be_started_ahead_are_an_error_once_they_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    paths = write(tmp_path, many(1))
    with ParsePool(tmp_path, workers=1) as pool:
        pool.warm_up()
        with pytest.raises(IndexingError, match="can't start"):
            list(pool.parse(paths))


def test_workers_take_files_from_both_ends(pool: ParsePool) -> None:
    batches = [[(f"{name}.py", "python")] for name in "abcd"]
    run = Run(pool, deque(batches))
    taken = [run.next_batch(is_from_end=is_from_end) for is_from_end in (False, True, True, False, True)]
    assert [batches[0], batches[3], batches[2], batches[1], None] == taken
