"""A graph of modules of CommonJS brought in step with what has changed equals the graph of all files joined anew."""

from trees_of_lines import edits_are_joined, exchanges_are_joined
from updated_graph import is_updated, read

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
    "function make() { const own = { open: shared, shut() { shared(); } }; return own; }\nexports.make = make;",
    "exports.shared = function () { return make(); };\nfunction make() { return require('./b').shared(); }",
    "function asked() { require('./a').shared().open(); require('./b').make().shut(); require('./c').make().open(); }",
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


def test_edited_modules_give_the_graph_of_all_files_joined_anew() -> None:
    edits_are_joined(LINES, PATHS)


def test_modules_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    exchanges_are_joined(LINES, PATHS)


def test_what_a_module_exports_is_called_by_that_name_whether_all_files_are_joined_or_one() -> None:
    said = "module.exports = { open: 1 };"
    assert is_updated(read({"a.js": said}), read({"a.js": f"{said}\nexports();"}))
