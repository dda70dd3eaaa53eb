"""Who documents a type it does not import means the only class of the name, whichever that is after a change."""

from functools import cache

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import facts_from, is_updated, update

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.graph import build_graph

TEXTS = {
    "line.js": (
        "export class Line { cut() {} }\n",
        "export class Line { fold() {} }\n",
        "class Other { cut() {} }\n",
        "",
    ),
    "more.js": ("export class Line { cut() {} }\n", "class Two extends Line { bend() {} }\n", "const Line = 1;\n", ""),
    "test/line.test.js": ("class Line { cut() {} }\n", ""),
    "plane.js": (
        (
            "/** @param {Line} line */\nexport function meets(line) { line.cut(); line.bend(); }\n"
            "export class Plane {\n    /** @param {Line} line */\n    constructor(line) { this.line = line; }\n"
            "    all() { this.line.cut(); }\n}\n"
        ),
        (
            '/** @typedef {import("./line").Line} Line */\n/** @param {Line} line */\n'
            "export function meets(line) { line.cut(); }\nexport class Plane {}\n"
        ),
    ),
    "far.js": (
        "/** @param {Plane} plane */\nexport function far(plane) { plane.line.cut(); }\n",
        'import { Plane } from "./plane.js";\nexport function far() { const one = new Plane(); one.line.cut(); }\n',
    ),
}


@cache
def facts_in(path: str, source: str) -> FileFacts:
    return facts_from(path, source)


def trees() -> st.SearchStrategy[dict[str, FileFacts]]:
    """Return the facts of a small repository, of which the empty files are not there."""
    texts = st.fixed_dictionaries({path: st.sampled_from(each) for path, each in TEXTS.items()})
    return texts.map(lambda chosen: {path: facts_in(path, text) for path, text in chosen.items() if text})


def test_a_class_that_comes_or_goes_is_no_longer_the_only_one() -> None:
    joined = []

    @examples(60)
    @given(trees(), trees())
    def check(before: dict[str, FileFacts], after: dict[str, FileFacts]) -> None:
        joined.append(is_updated(before, after))

    check()
    assert sum(joined) * 3 > len(joined)


def test_a_second_class_of_the_name_is_found_without_joining_all_files_anew() -> None:
    before = {path: facts_in(path, texts[0]) for path, texts in TEXTS.items() if path != "more.js"}
    after = {**before, "more.js": facts_in("more.js", TEXTS["more.js"][0])}
    assert build_graph(after) == update(before, after)
