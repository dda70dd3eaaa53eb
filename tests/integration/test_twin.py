"""A copy of the process that resolves half of a large repository, each time in an interpreter without other threads."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux only")

BEGIN = """
import os, signal, threading
from ctxcode.codegraph.edges import FoundEdges
from ctxcode.codegraph.resolve.twin import Twin, can_copy

def found(count):
    edges = FoundEdges()
    for number in range(count):
        edges.add(number, number + 1, number % 20, number * 3)
    return edges
"""
LARGE = """
from contextlib import contextmanager
from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.resolve.graph import build_graph

def source(file):
    lines = [f"from pkg.m{(file + 7) % 24} import f{file}, C{file} as Other"]
    for number in range(500):
        lines += [f"class C{number}(Other):", f"    def f{number}(self):", f"        self.f{number}(); f{number - 1}()"]
        lines += [f"def f{number}():", f"    Other().f{file}(); C{number}().f{number}()"]
    return "\\n".join(lines).encode()

files = {f"pkg/m{file}.py": skeleton(parse_source(source(file), "python", f"pkg/m{file}.py")) for file in range(24)}
copies = []
os.register_at_fork(before=lambda: copies.append(os.getpid()))

@contextmanager
def meanwhile():
    thread = threading.Thread(target=lambda: None)
    thread.start()
    yield
    thread.join()

alone = build_graph(files, may_copy=False)
assert not copies
shared = build_graph(files, meanwhile)
assert len(copies) == min(1, (os.cpu_count() or 1) - 1), copies
assert alone == shared
assert alone.edge_count > 25_000, alone.edge_count
"""


def run(script: str) -> None:
    command = [sys.executable, "-W", "error", "-c", BEGIN + script]
    # As the application loads numpy: its own threads would be others.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_large_repository_resolved_in_halves_gives_the_same_graph() -> None:
    run(LARGE)


def test_what_a_copy_found_comes_back_whole() -> None:
    run("with Twin(lambda: found(100_000)) as twin:\n    assert twin.found() == found(100_000)")


@pytest.mark.parametrize(
    "work", ["os.kill(os.getpid(), signal.SIGKILL)", "1 / 0", "os._exit(0)", "[found(3), os.close(3), os.close(4)]"]
)
def test_a_copy_that_fails_has_found_nothing(work: str) -> None:
    run(f"with Twin(lambda: {work}) as twin:\n    assert twin.found() is None")


def test_a_copy_that_is_not_waited_for_ends() -> None:
    run(
        "with Twin(lambda: signal.pause()) as twin:\n    child = twin._id\n"
        "try:\n    os.kill(child, 0)\nexcept ProcessLookupError:\n    pass\nelse:\n    raise SystemExit(1)"
    )


def test_no_copy_is_made_beside_other_threads() -> None:
    run("stop = threading.Event()\nthreading.Thread(target=stop.wait).start()\nassert not can_copy()\nstop.set()")
