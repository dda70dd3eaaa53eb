"""What hangs on something that no changed file names: the graph brought in step is that of all files joined anew."""

from collections.abc import Mapping

import pytest
from updated_graph import facts_from, update

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
        (MAKING, "source.ts", "constructor(", "again("),
        (MAKING, "source.ts", "(sink: Sink)", "(sink: Other)"),
        (MAKING, "source.ts", "end()", "begin()"),
        (MAKING, "user.ts", "export", "\nexport"),
        (ELSEWHERE, "a/User.kt", "package", "\npackage"),
        (ELSEWHERE, "b/User.scala", "package", "\npackage"),
        (ELSEWHERE, "c/User.cs", "namespace", "\nnamespace"),
        (ELSEWHERE, "d/Own.kt", "Own", "Foreign"),
    ],
)
def test_it_is_found_again(files: Mapping[str, str], path: str, old: str, new: str) -> None:
    before = {each: facts_from(each, source) for each, source in files.items()}
    after = before | {path: facts_from(path, files[path].replace(old, new))}
    assert before != after
    for one, other in ((before, after), (after, before)):
        updated = update(one, other)
        assert updated is None or build_graph(other) == updated
