"""What is one of several, overloaded, imported inside or made by a function: updated as if all were joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, changed_in

from ctxcode.codegraph.resolve.again import following
from ctxcode.codegraph.resolve.dependents import importers

KIND = "class Kind:\n    def sell(self): ...\n"
PYTHON = (
    f"{KIND}def f(): ...\ndef h(): ...\n",
    f"{KIND}    def f(self): ...\ndef f(): return Kind()\n",
    (
        "if q:\n    def f(): ...\n    def h(): ...\n"
        "else:\n    def f(): ...\n    class Kind:\n        def sell(self): ...\n"
    ),
    "try:\n    from b import f, Kind\nexcept ImportError:\n    from c import f, Kind\nf()\nKind().sell()\n",
    "try:\n    from b import f, h\nexcept ImportError:\n    def f(): ...\n    def h(): ...\nf()\nh()\n",
    "from use import f, h, Kind\nimport use\nf()\nh()\nuse.f()\nKind().sell()\nuse.Kind().sell()\n",
    (
        "def one():\n    from b import f, Kind\n    f()\n    Kind().sell()\n"
        "def two():\n    from c import f\n    f().sell()\n"
    ),
    (
        "from b import f\nimport use as m\ndef one():\n    import c as m\n    m.f()\n    return m.Kind()\n"
        "m.f()\nf()\none().sell()\n"
    ),
)
RUST = (
    "pub fn make() {}\npub fn go() { make() }\npub struct Poll;\nimpl Poll { pub fn wait(&self) {} }\n",
    "pub fn make() {}\npub struct Poll;\nimpl Poll { pub fn wait(&self) {} pub fn go(&self) {} }\n",
    (
        "mod b; mod c; use b as imp; use c as imp; pub use b::{go, Poll}; pub use c::{go, Poll};\n"
        "pub fn r(p: Poll) { imp::make(); go(); p.wait(); }\n"
    ),
    "use crate::go; use crate::Poll; pub fn s(p: Poll) { go(); p.wait(); crate::make(); }\n",
    (
        "mod b; mod c; pub use self::b::*; pub fn r() { make(); }\n"
        "mod tests { use super::*; use super::c::go; fn t() { go(); make(); } }\n"
    ),
    (
        "use crate::b::make; pub fn s() { make(); } pub fn t() { use crate::c::make; make(); }\n"
        "pub mod go { pub use super::make as go; }\n"
    ),
    (
        "#[cfg(a)] pub fn make() {} #[cfg(b)] pub fn make() {}\npub struct Poll; trait T { fn wait(&self); }\n"
        "impl T for Poll { fn wait(&self) {} } impl Poll { fn wait(&self) {} }\n"
        "pub fn go(p: Poll) { make(); p.wait(); }\n"
    ),
)
GO = (
    "package p\n\ntype T struct{}\n\nfunc Use(t T) { open(); t.Close(); fast() }\n",
    "package p\n\nfunc open() {}\n\nfunc (t T) Close() { open() }\n",
    "//go:build fast\n\npackage p\n\nfunc open() {}\n\nfunc fast() { open() }\n",
    "//go:build !fast\n\npackage p\n\nfunc fast() {}\n\nfunc (t T) Close() { fast() }\n",
    "package q\n\nfunc open() {}\n",
)
CPP = (
    (
        "struct Box { void add(int id); void add(Box &box, int n = 1); int &at(int id); };\n"
        "void make();\nvoid make(int id);\n"
    ),
    (
        "struct Box { void add(int id = 0) {} void add(Box &box) {} void add(char c, int n) {} };\n"
        "inline void make(int id) {}\n"
    ),
    (
        '#include "a.h"\nvoid Box::add(int id) {}\nvoid Box::add(Box &box, int n) {}\n'
        "void make() {}\nvoid make(int id) { make(); }\n"
    ),
    (
        '#include "a.h"\nvoid Box::add(Box &box, int n) { add(1); }\n'
        "void make(int id) {}\nvoid make(const char *name) {}\n"
    ),
    "template <class T>\nstruct Box {\n  void add(T &a) {}\n  void add(U &a) {}\n};\n",
    "template <class U>\nstruct Box {\n  void add(T &a) {}\n  void add(U &a) {}\n};\n",
    '#include "a.h"\nstruct T {};\nvoid use(Box &box, T &t) { box.add(t); box.add(1); }\n',
    (
        '#include "b.h"\nvoid use(Box &box) {\n'
        '  box.add(1); box.add(box); box.add(box, 2); box.at(1); make(); make(1); make("a");\n}\n'
    ),
    (
        '#include "a.h"\n#include "b.h"\nstruct Crate : Box {\n'
        "  void add(Crate &crate) {}\n  void go() { add(*this); make(2); Box::add(1); }\n};\n"
    ),
)
JAVASCRIPT = (
    "export function Box() {}\nBox.prototype = { add() { this.fill(); }, fill() {} };\n",
    "export class Box { add() {} fill() { this.add(); } }\nexport function make() { return new Box(); }\n",
    "export class Box { static add() {} add() {} static fill() { this.add(); } fill() { this.add(); Box.add(); } }\n",
    "export class Box { add() {} static add() {} fill() { this.add(); Box.add(); } static fill() { this.add(); } }\n",
    "export const Box = function () {};\nBox.prototype.add = function () {};\nexport const kept = new Box();\n",
    (
        "import { Box, make, kept } from './b';\nconst own = new Box();\n"
        "export function use() { own.add(); kept.fill(); make().add(); new Box().fill(); }\n"
    ),
    (
        "export * from './b';\nimport * as all from './c';\n"
        "export function far() { const one = new all.Box(); one.add(); one.fill(); }\n"
        "/** @param {all.Box} box */\nfunction told(box) { box.add(); }\n"
    ),
    (
        "import { Box } from './b';\n"
        "class Crate extends Box { go() { this.add(); super.fill(); } static at() { Box.add(); this.fill(); } }\n"
    ),
)
FAMILIES = {
    "javascript": (JAVASCRIPT, ("use.js", "b.js", "c.js", "d/b.js", "d/c.js")),
    "cpp": (CPP, ("a.h", "b.h", "a.cpp", "b.cpp", "c/d.cpp")),
    "python": (PYTHON, ("use.py", "b.py", "c.py", "d.py", "e/__init__.py", "e/f.py")),
    "rust": (RUST, ("src/lib.rs", "src/b.rs", "src/c.rs", "src/d.rs", "src/d/e.rs")),
    "go": (GO, ("p/a.go", "p/a_linux.go", "p/a_windows.go", "p/b.go", "p/c.go", "p/c_test.go")),
}


@st.composite
def changes(draw: st.DrawFn) -> tuple[Mapping[str, str | None], Mapping[str, str | None], list[str]]:
    """Draw two trees of one language, and the files that change from one to the other."""
    sources, paths = draw(st.sampled_from(sorted(FAMILIES.items())))[1]
    tree = st.fixed_dictionaries({path: st.one_of(st.none(), st.sampled_from(sources)) for path in paths})
    return draw(tree), draw(tree), draw(st.lists(st.sampled_from(paths), min_size=1, max_size=3))


@pytest.mark.parametrize("few", [10, -1])
@examples(60)
@given(changes())
def test_alternatives_that_change_come_and_go_give_the_graph_of_all_files_joined_anew(
    few: int, drawn: tuple[Mapping[str, str | None], Mapping[str, str | None], list[str]]
) -> None:
    before, after = changed_in(*drawn)
    with pytest.MonkeyPatch.context() as patch:
        # Of so few files all would be looked at, whatever their place.
        patch.setattr(following, "_FEW", few)
        patch.setattr(importers, "_FEW", few)
        assert_as_anew(before, after)
