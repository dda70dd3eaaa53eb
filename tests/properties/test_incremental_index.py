"""Whatever happens to a tree, the index kept in step equals one built afresh."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexed_folder import IndexedFolder, contents

from ctxcode.codegraph.pool import ParsePool

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
