"""A graph of modules of CommonJS brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping
from functools import cache
from random import Random

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged_by_chance, facts_from, joined_as_anew

from ctxcode.codegraph.facts import FileFacts

LINES = (
    "",
    "function Base() { this.open(); } Base.prototype.open = function () { this.shut(); };",
    "Base.prototype.shut = function () { Base.made = new Menu(); };",
    "function Menu() { Base.call(this); this.base = new Base(); }",
    "Menu.prototype.run = function () { this.base.open(); this.open(); };",
    "var Menu = exports.Menu = function () { this.run(); };",
    "var Menu = (function () { function Menu() { this.run(); } Menu.prototype.run = function () {}; return Menu; })();",
    "var Menu = (function () { function Base() { shared(); } return Base; })();",
    "class Menu extends Base { shut() { this.open(); } }",
    "util.inherits(Menu, Base);",
    "Menu.prototype = Object.create(b.Base.prototype);",
    "var kept = (() => { function inner() { shared(); } return { open: inner, shut() { inner(); } }; })();",
    "var kept = (function () { function open() { kept.shut(); } return { open: open, shut: shared }; }());",
    "kept = { open: function () { shared(); } };",
    "function shared() { return new Menu(); }",
    "function Shop() { var self = this; this.open = function () { self.shut(); }; self.shut = () => shared(); }",
    "function Menu() { this.shut = function () { this.open(); }; } Menu.prototype.open = function () { this.shut(); };",
    "function buy() { const one = new Shop(); one.open(); one.shut(); new Menu().shut(); }",
    "class Shop extends Base { constructor() { this.run = () => this.open(); } }",
    "exports.shared = function () { return exports.kept.open(); };",
    "exports.kept = kept;",
    "Menu.open = shared;",
    "Base.more = b.shared;",
    "kept.deep = Base;",
    "exports.Menu = Menu;",
    "var shop = exports;",
    "var shop = module.exports = {};",
    "shop.open = kept.open;",
    "shop.shared = b.shared;",
    "exports.Base = require('./b').Base;",
    "shop.Menu = require('./c').Menu;",
    "function asked() { require('./a').kept.open(); require('./c').open(); module.exports.kept.open(); }",
    "var Menu = module.exports;",
    "module.exports = Menu;",
    "module.exports = new Menu();",
    "module.exports = make();",
    "exports = module.exports = shop.Menu = function () { this.run(); };",
    "function make() { return { open: shared, shut() { shared(); } }; }",
    "const shop = {};",
    "module.exports = again();",
    "function again() { return exports; }",
    "exports.exports = exports;",
    "function anew() { return new exports(exports()); }",
    "var b = require('./b');",
    "const { Menu, Base } = require('./a');",
    "const Menu = require('./c');",
    "function ask() { b.open(); b.shut(); b.base.open(); Menu.run(); Menu.open(); b.Base.more(); new kept.deep(); }",
    "function use() { new Menu().open(); b.kept.open(); exports.open(); new b.Menu().run(); shop.shared(); }",
    "function Held() { this.kind = exports.Menu; this.own = Base; this.made = new this.kind(); this.made.run(); }",
    "function more() { const menu = new shop.Menu(); menu.run(); menu.base.shut(); kept.shut(); }",
)
PATHS = ("a.js", "b.js", "c.js", "lib/d.js")


@cache
def facts_in(path: str, source: str) -> FileFacts:
    return facts_from(path, source)


def trees() -> st.SearchStrategy[Mapping[str, str]]:
    """Return the sources of some files, line by line, of which not all are there."""
    source = st.lists(st.sampled_from(LINES), min_size=2, max_size=7).map("\n".join)
    return st.fixed_dictionaries(dict.fromkeys(PATHS[:2], source), optional=dict.fromkeys(PATHS[2:], source))


def facts_of_all(tree: Mapping[str, str]) -> dict[str, FileFacts]:
    return {path: facts_in(path, source) for path, source in tree.items()}


def test_edited_modules_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(120)
    @given(trees(), st.sampled_from(PATHS), st.sampled_from(LINES), st.integers(0, 6))
    def check(tree: Mapping[str, str], path: str, line: str, at: int) -> None:
        lines = tree.get(path, "").split("\n")
        # An empty line stands for taking one out.
        lines[at : at + (not line)] = [line] if line else []
        before, after = facts_of_all(tree), facts_of_all({**tree, path: "\n".join(lines)})
        joined.append(joined_as_anew(before, after))

    check()
    assert sum(joined) * 5 > len(joined)


def test_modules_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(120)
    @given(trees(), trees(), st.randoms(use_true_random=False))
    def check(tree: Mapping[str, str], other: Mapping[str, str], chance: Random) -> None:
        joined.append(joined_as_anew(facts_of_all(tree), facts_of_all(exchanged_by_chance(tree, other, chance))))

    check()
    assert sum(joined) * 5 > len(joined)


def test_what_a_module_exports_is_called_by_that_name_whether_all_files_are_joined_or_one() -> None:
    said = "module.exports = { open: 1 };"
    assert joined_as_anew(facts_of_all({"a.js": said}), facts_of_all({"a.js": f"{said}\nexports();"}))
