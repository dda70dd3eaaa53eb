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
    "a/Price.kt": "package a\nclass Price { fun total() {} }\n",
    "a/User.kt": "package a\nclass User { fun run() { Foreign().total() } }\n",
    "b/Foreign.kt": "package b\nclass Foreign\n",
}
NOWHERE = ELSEWHERE | {"b/Foreign.kt": "package b\nclass Own\n"}


@pytest.mark.parametrize(
    ("files", "path", "old", "new"),
    [
        (MAKING, "source.ts", "constructor(", "again("),
        (MAKING, "source.ts", "(sink: Sink)", "(sink: Other)"),
        (MAKING, "source.ts", "end()", "begin()"),
        (MAKING, "user.ts", "export", "\nexport"),
        (ELSEWHERE, "a/User.kt", "package", "\npackage"),
        (NOWHERE, "a/User.kt", "package", "\npackage"),
        (ELSEWHERE, "b/Foreign.kt", "Foreign", "Own"),
    ],
)
def test_it_is_found_again(files: Mapping[str, str], path: str, old: str, new: str) -> None:
    before = {each: facts_from(each, source) for each, source in files.items()}
    after = before | {path: facts_from(path, files[path].replace(old, new))}
    assert before != after
    for one, other in ((before, after), (after, before)):
        updated = update(one, other)
        assert updated is None or build_graph(other) == updated
