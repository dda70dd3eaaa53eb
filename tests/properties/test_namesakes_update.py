"""Projects side by side that call things alike: what changes in one is joined as if all were joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import is_updated, read

ROOTS = ("a", "b", "b/deep", "docs/c", "tests/d")
FILES: dict[str, dict[str, tuple[str, ...]]] = {
    "python": {
        "shop/__init__.py": ("def main(): ...\n", "from shop.price import Price\n", ""),
        "tests/test_price.py": ("def test_it(): ...\n", "class PriceTest:\n    def test_it(self): ...\n"),
        "shop/price.py": ("class Price:\n    def pay(self): ...\n", "def total(): ...\n", "from shop import main\n"),
        "queue.py": ("def put(): ...\n",),
        "json/__init__.py": ("def dumps(): ...\n",),
        "lib/json/decoder.py": ("import json\nimport queue\n\ndef run():\n    json.dumps()\n    queue.put()\n",),
        "use.py": (
            "import json.decoder\nimport queue\n\ndef run():\n    json.decoder.run()\n    queue.put()\n",
            "import shop.price\nfrom shop import main\n\ndef run():\n    main()\n    shop.price.Price().pay()\n",
            "from shop.price import *\nfrom shop import Price\n\ndef run(it: Price):\n    it.pay()\n    total()\n",
            "import shop\n\ndef run():\n    shop.main()\n    shop.Price().pay()\n",
        ),
    },
    "rust": {
        "Cargo.toml": ('[package]\nname = "shop"\n', '[package]\nname = "other"\n'),
        "src/lib.rs": ("pub mod price;\npub fn main() { price::total() }\n", "pub use crate::price::Price;\n"),
        "src/price.rs": ("pub struct Price;\nimpl Price { pub fn pay(&self) {} }\n", "pub fn total() {}\n"),
        "src/main.rs": (
            "use shop::price::Price;\nfn run(it: Price) { it.pay(); shop::main() }\n",
            "fn run() { crate::price::total(); super::main(); price::Price.pay() }\n",
        ),
    },
    "java": {
        "src/Price.java": ("package shop;\nclass Price { static void make() {} void pay() {} }\n", "package other;\n"),
        "src/Use.java": (
            "package shop;\nclass Use { void run(Price it) { it.pay(); Price.make(); new Price(); } }\n",
            "package other;\nimport shop.Price;\nclass Use { Price own; void run() { own.pay(); Cart.add(); } }\n",
            "package other;\nimport shop.*;\nclass Use extends Price { void run() { pay(); shop.Cart.add(); } }\n",
        ),
        "src/Cart.java": ("package shop;\nclass Cart extends Price { static void add() {} }\n", ""),
    },
    "kotlin": {
        "Price.kt": ("package shop\nclass Price { fun pay() {} }\nfun total() {}\n", "package shop\n"),
        "Use.kt": (
            "package shop\nfun run(it: Price) { it.pay(); total(); it.more() }\n",
            "package other\nimport shop.*\nclass Use : Price() { fun run() { pay(); total() } }\n",
        ),
        "More.kt": ("package shop\nfun Price.more() = pay()\n", "package shop\nclass Price\n"),
    },
    "csharp": {
        "Price.cs": ("namespace Shop;\nclass Price { public static void Make() {} public void Pay() {} }\n", ""),
        "More.cs": (
            "namespace Shop;\npartial class Price { public void More() { Pay(); } }\n",
            "namespace Shop;\nstatic class Ext { public static void Sum(this Price it) { it.Pay(); } }\n",
        ),
        "Use.cs": (
            "namespace Shop.Deep;\nclass Use { void Run(Price it) { it.Pay(); Price.Make(); it.Sum(); it.More(); } }\n",
            "using Shop;\nclass Use : Price { void Run() { Pay(); Shop.Price.Make(); } }\n",
        ),
    },
    "php": {
        "Price.php": (
            (
                "<?php\nnamespace Shop;\nclass Price { static function make() {} function pay() {} }\n"
                "function total() {}\n"
            ),
            "<?php\nnamespace Other;\n",
        ),
        "Use.php": (
            "<?php\nnamespace Shop;\nclass Cart extends Price { function run() { $this->pay(); total(); } }\n",
            (
                "<?php\nuse Shop\\Price;\n"
                "function run(Price $it) { $it->pay(); Price::make(); new Price(); \\Shop\\total(); }\n"
            ),
        ),
    },
    "ruby": {
        "app/price.rb": ("class Price\n  def self.make; end\n  def pay; end\nend\n", "module Price\nend\n"),
        "lib/more.rb": ("class Price\n  def more; pay; end\nend\n", "class Cart < Price\nend\n"),
        "lib/use.rb": (
            "class Use\n  def run\n    Price.make\n    Price.new.pay\n    Cart.new.more\n  end\nend\n",
            "class Cart < Price\n  def run\n    pay\n    more\n  end\nend\n",
        ),
    },
    "lua": {
        "price.lua": ("local M = {}\nfunction M.pay() end\nreturn M\n", "return { total = function() end }\n"),
        "shop/init.lua": ("local M = {}\nfunction M.add() end\nreturn M\n",),
        "use.lua": (
            "local price = require('price')\nlocal function run() price.pay() price.total() end\n",
            "local shop = require('shop')\nlocal function run() shop.add() require('price').pay() end\n",
        ),
    },
    "shell": {
        "price.sh": ("pay_it() { :; }\n", "log_it() { :; }\n"),
        "use.sh": ('. "$HERE/price.sh"\nrun() { pay_it; log_it; }\n', "run() { pay_it; }\n"),
    },
    "c": {
        "include/price.h": ("void pay(void);\nstruct price { int sum; };\n", "#define pay(x) total(x)\n"),
        "src/price.c": ('#include "price.h"\nvoid pay(void) {}\n', "static void pay(void) {}\n"),
        "src/use.c": ('#include "price.h"\nint run(void) { pay(); total(1); }\n', "int total(int a) { pay(); }\n"),
    },
    "cpp": {
        "include/price.hpp": ("class Price { public: static void make(); void pay(); };\n", "class Price;\n"),
        "src/price.cpp": ('#include "price.hpp"\nvoid Price::pay() { make(); }\nvoid Price::make() {}\n',),
        "src/use.cpp": ('#include "price.hpp"\nint run(Price it) { it.pay(); Price::make(); }\n', "class Price {};\n"),
    },
}
Tree = Mapping[str, str]


def trees(language: str) -> st.SearchStrategy[dict[str, str]]:
    sources = FILES[language]
    paths = [(f"{root}/{name}", texts) for root in ROOTS for name, texts in sources.items()]
    files = [st.tuples(st.just(path), st.sampled_from(texts)) for path, texts in paths]
    return st.lists(st.one_of(files), min_size=5, max_size=3 * len(sources) + 3).map(dict)


@pytest.mark.parametrize("language", list(FILES))
def test_what_comes_goes_or_changes_in_one_project_is_joined_as_if_all_were(language: str) -> None:
    joined = []

    @examples(30)
    @given(
        trees(language), trees(language), st.sets(st.integers(0, 30), min_size=1, max_size=2), st.sampled_from((0, 1))
    )
    def check(tree: Tree, other: Tree, places: set[int], come_again: int) -> None:
        paths = sorted({*tree, *other})
        chosen = {paths[place % len(paths)] for place in places}
        kept = {path: text for path, text in tree.items() if path not in chosen}
        come = {path: other[path] for path in chosen if come_again and path in other}
        joined.append(is_updated(read(tree), read({**kept, **come})))

    check()
    assert sum(joined) * 5 > len(joined)
