"""Who documents a type it does not import means the only class of the name, whichever that is after a change."""

from collections.abc import Mapping

from examples import examples
from hypothesis import given
from trees_of_lines import variants_of
from updated_graph import facts_from, is_updated, read, update

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
trees = variants_of(TEXTS)


def test_a_class_that_comes_or_goes_is_no_longer_the_only_one() -> None:
    joined = []

    @examples(60)
    @given(trees, trees)
    def check(before: Mapping[str, str], after: Mapping[str, str]) -> None:
        joined.append(is_updated(read(before), read(after)))

    check()
    assert sum(joined) * 3 > len(joined)


def test_a_second_class_of_the_name_is_found_without_joining_all_files_anew() -> None:
    before = {path: facts_from(path, texts[0]) for path, texts in TEXTS.items() if path != "more.js"}
    after = {**before, "more.js": facts_from("more.js", TEXTS["more.js"][0])}
    assert build_graph(after) == update(before, after)
