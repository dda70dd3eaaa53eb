"""What hangs on something that no changed file names: the graph brought in step is that of all files joined anew."""

from collections.abc import Mapping

import pytest
from updated_graph import facts_from, is_updated_and_undone, update

from ctxcode.codegraph.resolve.graph import build_graph

MAKING = {
    "source.ts": (
        "export class Sink { next() {} }\nexport class Source {\n"
        "  constructor(run?: (sink: Sink) => void) {}\n  end() {}\n}\n"
    ),
    "heir.ts": "import { Source } from './source';\nexport class Heir extends Source {}\n",
    "user.ts": "import { Heir } from './heir';\nexport const made = () => new Heir((it) => it.next());\n",
    "other.ts": "export class Other { next() {} }\n",
}
ELSEWHERE = {
    "a/Price.kt": "package a\nclass Price { fun wrap() {} }\n",
    "a/User.kt": "package a\nclass User { fun run(it: Int) = Foreign(it).wrap() }\n",
    "b/Bytes.scala": "package b\nclass Bytes { def drop(n: Int): Int = n }\n",
    "b/User.scala": "package b\nobject User { def run() = Foreign(3).drop(1) }\n",
    "c/Cart.cs": "namespace C; class Cart { public void Pay() {} }\n",
    "c/User.cs": "namespace C; class User { void Run(int it) { new Foreign(it).Pay(); } }\n",
    "d/Own.kt": "package d\nclass Own\n",
}


@pytest.mark.parametrize(
    ("files", "path", "old", "new"),
    [
        (MAKING, "source.ts", "end()", "begin()"),
        (MAKING, "user.ts", "export", "\nexport"),
        (ELSEWHERE, "a/User.kt", "package", "\npackage"),
        (ELSEWHERE, "b/User.scala", "package", "\npackage"),
        (ELSEWHERE, "c/User.cs", "namespace", "\nnamespace"),
        (ELSEWHERE, "d/Own.kt", "Own", "Foreign"),
    ],
)
def test_what_means_something_else_is_joined_again(files: Mapping[str, str], path: str, old: str, new: str) -> None:
    before = {each: facts_from(each, source) for each, source in files.items()}
    after = before | {path: facts_from(path, files[path].replace(old, new))}
    assert before != after
    assert is_updated_and_undone(before, after)


@pytest.mark.parametrize(("old", "new"), [("constructor(", "again("), ("(sink: Sink)", "(sink: Other)")])
def test_all_is_joined_where_a_class_is_made_otherwise(old: str, new: str) -> None:
    before = {each: facts_from(each, source) for each, source in MAKING.items()}
    after = before | {"source.ts": facts_from("source.ts", MAKING["source.ts"].replace(old, new))}
    assert build_graph(before) != build_graph(after)
    assert update(before, after) is None
    assert update(after, before) is None
