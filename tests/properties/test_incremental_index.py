"""Whatever happens to a tree, the index kept in step equals one built afresh."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from indexed_folder import TOOLS, IndexedFolder, contents

from ctxcode.codegraph.edges import PackedGraph
from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.pool import ParsePool
from ctxcode.codegraph.resolve.again.affected import Mentioning
from ctxcode.codegraph.resolve.again.telling import Named, StoredGraph
from ctxcode.codegraph.resolve.again.update import update_graph
from ctxcode.codegraph.resolve.graph import build_graph
from ctxcode.model.source import Guess, Scan
from ctxcode.workspace.files import FolderWorkspace

PATHS = (
    "a.py",
    "pkg/__init__.py",
    "pkg/b.py",
    "pkg/c.py",
    "web/d.ts",
    "web/e.ts",
    "src/lib.rs",
    "src/f.rs",
    "g/h.go",
    "test_b.py",
    "c/i.c",
    "c/j.c",
    "c/k.h",
    "c/k.hpp",
    "c/l.cpp",
)
TEXTS = {
    "py": (
        "def f(): pass\n",
        "def f(): K().f()\n",
        "\n\ndef f(): f()\n",
        "from pkg.b import f\ndef g(): f()\n",
        "class K:\n    def f(self): self.g()\n    def g(self): pass\n",
        "from .b import *\nfrom a import K\nclass L(K):\n    def g(self): super().f()\n",
        "import pkg.b\nx = pkg.b.f()\n# f f f\n",
        "from a import K\nimport pkg.b\ndef test_f(k: K): pkg.b.f(); return [K, pkg.b.K.g]\n",
        "",
        "\0",
    ),
    "ts": (
        "export function f() {}\n",
        "export function f() { f(); x.f(); }\n",
        "import { f } from './d';\nexport class K { f() { f(); this.f(); } }\n",
        "export * from './e';\nfunction g(k: K) { k.f(); }\n",
        "import { K } from './e';\nexport interface I { k: K }\nexport class L implements I { k: K[]; }\n",
        "namespace n { export function f() { g(); m.g(); } }\nnamespace n.m { export function g() { f(); } }\n",
        "function g() { n.f(); n.m.g(); o.f(); f(); }\nvar o = o || {};\no.g = function () { g(); };\n",
        "interface K { f(): void }\nfunction f(k: K) { k.f(); o.g(); g(); }\no.f = function () { n.f(); };\n",
    ),
    "rs": ("pub fn f() {}\nmod f;\n", "use crate::f;\npub struct K;\nimpl K { fn g(&self) { f(); self.g(); } }\n"),
    "go": (
        "package g\nfunc F() { F() }\n",
        "package g\nfunc F() { k.F() }\n",
        "package g\ntype K struct{}\nfunc (k K) F() { k.F() }\n",
    ),
    "c": (
        "int f(void) { return g(1); }\n",
        "static int f(void) { return f(); }\nint g(int a) { return f(); }\n",
        '#include "k.h"\nint g(int a) { return f() + M(a); }\nstruct K *h(struct K *k) { k->f(1); return h(k); }\n',
        "#define M(x) f(x)\nint h(int f) { return M(f); }\n",
    ),
    "h": (
        "int f(void); int g(int a);\n#define M(x) g(x)\n",
        (
            '#include "k.hpp"\nstruct K { int (*f)(int); };\ntypedef struct K K_t;\n'
            "static inline int f(K_t *k) { return k->f(1); }\n"
        ),
    ),
    "hpp": (
        "namespace n { class K { public: int f(); int g(); }; int f(int a); }\n",
        '#include "k.h"\nclass K { public: int f(); K *g() { return f(); } };\n',
    ),
    "cpp": (
        '#include "k.hpp"\nint n::K::f() { return g(); }\nint h(n::K k) { return k.f() + n::f(1); }\n',
        '#include "k.hpp"\nint K::f() { g()->f(); return M(1); }\nnamespace n { int f(int a) { return h(); } }\n',
    ),
}

SOURCES = {path: TEXTS[path.rpartition(".")[2]][0] for path in PATHS}
"""A tree in which every path is there."""

write = st.sampled_from(PATHS).flatmap(
    lambda path: st.tuples(st.just("write"), st.just(path), st.sampled_from(TEXTS[path.rpartition(".")[2]]))
)
delete = st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just(""))
swap = st.sampled_from([("a.py", "pkg/b.py"), ("web/d.ts", "web/e.ts"), ("pkg/c.py", "pkg/__init__.py")]).map(
    lambda pair: ("swap", *pair)
)
batches = st.lists(
    st.lists(st.one_of(write, write, write, delete, swap), min_size=4, max_size=4), min_size=5, max_size=5
)

flags = st.lists(st.booleans(), min_size=5, max_size=5)
patience = st.lists(st.one_of(st.just(0), st.integers(1, 60), st.just(10_000)), min_size=5, max_size=5)
"""After how many looks something else is wanted."""


def apply(root: Path, operation: tuple[str, str, str]) -> None:
    name, path, value = operation
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if name == "write":
        target.write_text(value, encoding="utf-8")
    elif name == "delete":
        target.unlink(missing_ok=True)
    elif target.exists() and (root / value).exists():
        target.rename(root / "aside")
        (root / value).rename(target)
        (root / "aside").rename(root / value)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ParsePool]:
    """Return a pool over one folder: no step waits for a worker's start."""
    with ParsePool(tmp_path_factory.mktemp("tree"), workers=1) as opened:
        yield opened


processes = st.lists(st.sampled_from([0, 0, 1, 2]), min_size=5, max_size=5)
"""Which of several refreshes: two that are kept for the app, and one that starts for this."""


@settings(max_examples=40, deadline=None, derandomize=True)
@given(operations=batches, refreshing=processes, is_git=st.booleans())
def test_an_incremental_index_equals_a_fresh_one(
    pool: ParsePool, operations: Sequence[Sequence[tuple[str, str, str]]], refreshing: Sequence[int], *, is_git: bool
) -> None:
    """Forty sequences of twenty operations, refreshed after every fourth, by whatever process.

    In git, as if an hour had passed since: then what it listed is remembered.
    """
    root = Path(pool.root)
    shutil.rmtree(root)
    if is_git:
        subprocess.run(["git", "init", "-q", str(root)], check=True)
    clock = (lambda: time.time_ns() + 3_600 * 10**9) if is_git else time.time_ns
    with tempfile.TemporaryDirectory() as name:
        folders = [
            IndexedFolder(root, Path(name) / "kept", clock_ns=clock, pool=pool, is_kept=number < 2)
            for number in range(3)
        ]
        folder = folders[refreshing[-1]]
        for batch, number in zip(operations, refreshing, strict=True):
            for operation in batch:
                apply(root, operation)
            kept = folders[number].refresh()
        fresh = IndexedFolder(root, Path(name) / "fresh", pool=pool)
        built = fresh.refresh()
        words = ("f", "pkg", "def", "class")
        assert contents(fresh.index, words) == contents(folder.index, words)
        assert (built.revision, built.symbols, built.edges, built.skipped) == (
            kept.revision,
            kept.symbols,
            kept.edges,
            kept.skipped,
        )
        for each in (*folders, fresh):
            each.close()


@dataclass
class Hurry:
    """Joins of what changed nothing but these files while somebody waits, and notes what is joined behind that."""

    done: list[str] = field(default_factory=list)

    def update(
        self,
        stored: StoredGraph,
        changed: Mapping[str, FileFacts | None],
        facts: Callable[[int], FileFacts],
        named: Named,
        mentioning: Mentioning,
        *,
        is_patient: bool,
    ) -> PackedGraph | None:
        made = update_graph(stored, changed, facts, named, mentioning) if is_patient else None
        self.done.append("few" if made is not None else "none")
        return made

    def build(self, files: Mapping[str, FileFacts], check: Callable[[], None] = lambda: None) -> PackedGraph:
        made = build_graph(files, check)
        if files:
            self.done.append("all")
        return made


@dataclass
class ChangingTree:
    """A work tree in which something happens between the quick look and the scan."""

    workspace: FolderWorkspace
    meanwhile: list[tuple[str, str, str]]

    def scan(self) -> Scan:
        while self.meanwhile:
            apply(Path(self.workspace.info.root), self.meanwhile.pop())
        return self.workspace.scan()

    def guess(self) -> Guess | None:
        return self.workspace.guess()

    def is_as_in(self, snapshot: bytes) -> bool:
        return self.workspace.is_as_in(snapshot)


def wanted_after(looks: int) -> Callable[[], bool]:
    """Return what says, after it was asked so many times, that something else is wanted."""
    left = iter(range(looks))
    return lambda: next(left, None) is None


joined = list[str]()
"""How edges that were left were joined, of all examples."""


@examples(20)
@given(operations=batches, settling=patience, in_pairs=flags)
def check_what_is_left_to_be_joined(
    pool: ParsePool,
    operations: Sequence[Sequence[tuple[str, str, str]]],
    settling: Sequence[int],
    in_pairs: Sequence[bool],
) -> None:
    """Apply operations to a tree one by one; some answers are followed by the next change, others by what they left.

    That is left again when something else is wanted. Of pairs the second happens while it is looked for the first.
    """
    root, hurry, meanwhile = Path(pool.root), Hurry(), list[tuple[str, str, str]]()
    shutil.rmtree(root)
    tools = replace(TOOLS, update_graph=hurry.update, build_graph=hurry.build)
    with tempfile.TemporaryDirectory() as name:
        folder = IndexedFolder(
            root,
            Path(name) / "kept",
            pool=pool,
            is_kept=True,
            tools=tools,
            seen_through=lambda workspace: ChangingTree(workspace, meanwhile),
        )
        for path, text in SOURCES.items():
            folder.write(path, text)
        folder.refresh()
        for batch, looks, is_paired in zip(operations, settling, in_pairs, strict=True):
            step = 2 if is_paired else 1
            for first in range(0, len(batch), step):
                apply(root, batch[first])
                meanwhile.extend(batch[first + 1 : first + step])
                folder.indexing.refresh(lambda _done, _total, _phase: None, lambda: False, is_awaited=True)
                folder.indexing.settle(wanted_after(looks))
            folder.refresh()
            fresh = IndexedFolder(root, Path(name) / "fresh", pool=pool)
            fresh.refresh()
            assert contents(fresh.index) == contents(folder.index)
            fresh.close()
        folder.close()
    joined.extend(hurry.done)


def test_edges_that_are_joined_behind_an_answer_are_those_of_a_fresh_index(pool: ParsePool) -> None:
    joined.clear()
    check_what_is_left_to_be_joined(pool)
    # Most are found without joining all files.
    assert joined.count("few") > joined.count("all")
