"""A graph brought in step with files that have come or gone equals the graph of all files joined anew."""

from collections.abc import Mapping
from functools import cache

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import BODIES, CALLS, assert_as_anew, facts_from, facts_of, is_updated_and_undone, update

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.graph import build_graph

SOURCES = {
    "py": (
        "",
        "def total(items):\n    return make()\ndef make():\n    return Price()\n",
        "from shop.price import Price\nclass Extra(Price):\n    def add(self): self.with_tax()\nspare = Extra()\n",
        "class Price:\n    def add(self): self.with_tax()\n    def more(self): pass\n",
        "class Extra: pass\ndef more() -> Extra: ...\nmade = more()\n",
        "from extra import total, Extra as Spare\ndef run(it: Spare): total([]); it.add()\n",
        "import extra\nimport shop.extra\ndef run(): extra.total(1); shop.extra.make(); shop.more()\n",
        "globals().update(made())\n",
        "from .extra import *\ndef run(): total(1); spare.add(); made.add(); more()\n",
        "from . import extra as cart, price\ncart.make()\nkept = price.spare\n",
        "from shop.cart import spare as extra\ndef run(): extra.add(); extra.more()\n",
        "from deep.price import total\nfrom .cart import make\ndef test_total(): total(make())\n",
        "class TestExtra:\n    def test_it(self): Extra().more(); self.add()\n",
    ),
    "ts": (
        "export function total() { make(); }\n",
        "export const spare = 1;\nexport function make() { return total(); }\n",
        "import { make as total } from './extra';\nexport function run() { total(); spare.pay(); }\n",
        "import * as extra from './cart';\nexport * from './extra';\nfunction run() { extra.make(); }\n",
        "import up from '..';\nimport { make } from '../web';\nfunction run() { make(); up(); }\n",
        "export class Extra { pay() { this.total(); } }\n",
        "import { Extra } from './extra';\nExtra.prototype.make = function () { this.pay(); };\nnew Extra().make();\n",
        "export interface Paid { pay(): void }\nexport class Extra implements Paid { pay() {} make() {} }\n",
        "import { Extra, Paid } from './cart';\nclass Own extends Extra { run(it: Paid) { it.pay(); this.make(); } }\n",
        "import { Extra } from './extra';\nfunction run(it: Extra) { it.pay(); }\n",
        "import { make } from '@it';\nimport { total } from 'kit';\nfunction run() { make(); total(); }\n",
        "import own from '#own';\nimport * as kit from 'kit';\nimport '@it';\nfunction run() { own(); kit.run(); }\n",
        "import { make } from '#own';\nimport { total } from 'kit/go';\nfunction run() { make(); total(); }\n",
    ),
    "pyi": (
        "def total(items) -> Price: ...\nclass Price:\n    def with_tax(self) -> Price: ...\n",
        "from shop.cart import total as total\ndef more() -> Extra: ...\nclass Extra: ...\nmade: Extra\n",
    ),
    "json": (
        '{"name": "kit", "exports": {".": "./dist/main.js", "./go": "./cart.js"}, "imports": {"#own": "./extra.js"}}',
        '{"name": "kit"}',
        '{"compilerOptions": {"paths": {"@it": ["web/cart"], "kit/*": ["web/*"]}}}',
        '{"compilerOptions": {"paths": {"@it": ["web/gone", "web/extra"], "kit": ["web"]}, "baseUrl": "."}}',
    ),
    "md": ("# Price\n\nWhat it costs.\n", "# Cart\n\n## Price\n"),
    "go": (
        "package shop\nfunc Extra() { Total() }\n",
        'package shop\nimport "a.b/go/more"\nfunc Total() { more.Run() }\n',
    ),
    "rs": ("pub fn make() { crate::cart::pay() }\n", "use crate::extra::make;\nfn run() { make() }\n"),
}
COMING = (
    *(
        "shop/__init__.py",
        "shop/extra.py",
        "extra.py",
        "shop/deep/price.py",
        "shop/cart.py",
        "shop/user.py",
        "shop/price.py",
        "shop/extra.pyi",
        "shop/__init__.pyi",
    ),
    *("tests/test_extra.py", "tests/test_price.py", "tool/extra.py", "src/shop/extra.py", "src/lib.rs", "src/extra.rs"),
    *(
        "web/extra.ts",
        "web/extra/user.ts",
        "web/cart.ts",
        "web/index.ts",
        "web/extra/index.ts",
        "web.ts",
        "web/a.test.ts",
        "web/main.ts",
        "web/package.json",
        "tsconfig.json",
    ),
    *("README.md", "docs/price.md", "tests/price.md", "go/extra.go", "go/total.go"),
)
trees = st.fixed_dictionaries(
    {path: st.one_of(st.none(), st.sampled_from(SOURCES[path.rpartition(".")[2]])) for path in COMING}
)


@cache
def facts_in(path: str, source: str) -> FileFacts:
    return facts_from(path, source)


@examples(60)
@given(trees, trees, st.lists(st.sampled_from(COMING), min_size=1, max_size=3))
def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew(
    old: Mapping[str, str | None], new: Mapping[str, str | None], changed: list[str]
) -> None:
    before = {path: facts_in(path, text) for path, text in old.items() if text is not None}
    after = {
        path: facts_in(path, text)
        for path in COMING
        if (text := new[path] if path in changed else old[path]) is not None
    }
    assert_as_anew(before, after)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("shop/extra.py", SOURCES["py"][1]),
        ("extra.py", SOURCES["py"][4]),
        ("shop/deep/price.py", SOURCES["py"][1]),
        ("shop/deep/__init__.py", SOURCES["py"][2]),
        ("deep/__init__.py", SOURCES["py"][2]),
        ("tests/test_extra.py", SOURCES["py"][10]),
        ("web/extra.ts", SOURCES["ts"][0]),
        ("web/extra.ts", "export interface Told { tell(): void }\nexport class Post implements Told { tell() {} }\n"),
        ("docs/price.md", SOURCES["md"][0]),
        ("src/extra.rs", SOURCES["rs"][0]),
        (
            "src/extra.rs",
            "use super::*;\npub struct Extra;\nimpl Cart { fn more(&self) { self.pay() } }\nmod tests {}\n",
        ),
        ("go/extra.go", SOURCES["go"][0]),
        ("go/a.go", "package shop\ntype Line struct { Cart }\nfunc (l Line) Pay() { l.Add() }\n"),
    ],
)
def test_a_file_more_or_less_is_joined_with_who_speaks_of_it(path: str, source: str) -> None:
    without = {each: facts_of(each, CALLS[each.rpartition(".")[2]][1]) for each in BODIES}
    without["shop/user.py"] = facts_in("shop/user.py", SOURCES["py"][6])
    having = without | {path: facts_in(path, source)}
    assert is_updated_and_undone(without, having)


@pytest.mark.parametrize(
    "source",
    [
        "from shop.price import Price\nspare = Price()\n",
        "class Extra:\n    def __init__(self): run()\n    def get(self): run()\ndef run(): Extra().get()\n",
    ],
)
def test_what_many_say_who_do_not_name_the_file_that_comes_has_none_of_them_joined(source: str) -> None:
    user = "from shop.price import Price\ndef run(it): Price().more(); it.get(); super().__init__(); run()\n"
    without = {
        "shop/price.py": facts_in("shop/price.py", SOURCES["py"][3]),
        **{path: facts_in(path, user) for path in (f"shop/by{number}.py" for number in range(100))},
    }
    having = without | {"shop/extra.py": facts_in("shop/extra.py", source)}
    assert is_updated_and_undone(without, having)


@pytest.mark.parametrize(
    ("hidden", "path", "between", "user"),
    [
        ("shop/extra/__init__.py", "shop/extra.py", "from .extra import *\n", "from shop.cart import total\ntotal()\n"),
        ("src/extra.py", "extra.py", "from extra import *\n", "from shop.cart import total\ntotal()\n"),
        ("shop/extra.js", "shop/extra.ts", "export * from './extra';\n", "import { total } from './cart';\ntotal();\n"),
    ],
)
def test_a_file_that_hides_another_has_all_joined_that_get_to_what_that_one_holds(
    hidden: str, path: str, between: str, user: str
) -> None:
    ending = path.rpartition(".")[2]
    total = {"py": "def total(): pass\n", "ts": "export function total() {}\n"}[ending]
    without = {
        hidden: facts_in(hidden, total),
        f"shop/cart.{ending}": facts_in(f"shop/cart.{ending}", between),
        f"shop/user.{ending}": facts_in(f"shop/user.{ending}", user),
    }
    having = without | {path: facts_in(path, total.replace("total", "other"))}
    assert_as_anew(without, having)


@pytest.mark.parametrize("imports", ["import { Extra } from './extra';\n", "const { Extra } = require('./extra');\n"])
@pytest.mark.parametrize("without_type", [None, "export function make() {}\n"])
def test_members_that_stand_outside_a_type_that_comes_have_all_files_joined_anew(
    imports: str, without_type: str | None
) -> None:
    user = f"{imports}Extra.prototype.more = function () {{ this.pay(); }};\nnew Extra().more();\n"
    without = {"web/cart.ts": facts_in("web/cart.ts", user)}
    having = without | {"web/extra.ts": facts_in("web/extra.ts", "export class Extra { pay() {} }\n")}
    if without_type is not None:
        without["web/extra.ts"] = facts_in("web/extra.ts", without_type)
    assert build_graph(having).owners != build_graph(without).owners
    assert (None, None) == (update(without, having), update(having, without))


@pytest.mark.parametrize("folder", ["shop", "tests"])
def test_what_is_known_by_its_name_alone_is_found_where_nobody_imports_a_file_that_comes(folder: str) -> None:
    extra = "class Rebate:\n    def rebated(self): pass\n    def get(self): pass\n"
    without = {
        "shop/user.py": facts_in("shop/user.py", "def run(it): it.rebated(); it.get()\nclass Own(Rebate): pass\n"),
        "tests/test_user.py": facts_in("tests/test_user.py", "def test_run(it): it.rebated(); it.get()\n"),
        "tests/test_rebate.py": facts_in("tests/test_rebate.py", "class TestRebate:\n    def test_it(self): pass\n"),
    }
    for left_out in without:
        rest = {path: facts for path, facts in without.items() if path != left_out}
        having = rest | {f"{folder}/extra.py": facts_in(f"{folder}/extra.py", extra)}
        assert_as_anew(rest, having)


@pytest.mark.parametrize(
    "between",
    ["from .extra import *\n", "from .extra import Price as Cost\n", "from . import extra\nCost = extra.Price\n"],
)
@pytest.mark.parametrize("user", ["from shop.cart import Price, Cost\n", "from shop.cart import *\n"])
def test_what_a_file_that_comes_imports_is_found_where_it_is_passed_on(between: str, user: str) -> None:
    run = "def run(): Price().with_tax(); Cost().with_tax()\n"
    without = {
        "shop/price.py": facts_in("shop/price.py", "class Price:\n    def with_tax(self): pass\n"),
        "shop/cart.py": facts_in("shop/cart.py", between),
        "shop/user.py": facts_in("shop/user.py", user + run),
    }
    extra = "from shop.price import Price\nfrom shop.price import Price as Cost\n"
    having = without | {"shop/extra.py": facts_in("shop/extra.py", extra)}
    assert build_graph(without) != build_graph(having)
    assert is_updated_and_undone(without, having)


@pytest.mark.parametrize(
    "path",
    ["tests/__init__.py", "web/cart/index.ts", "src/main.rs", "go/more/more.go", "web.ts", "web/package.json"],
)
def test_files_that_more_hangs_on_than_names_have_all_files_joined_anew(path: str) -> None:
    without = {each: facts_of(each, CALLS[each.rpartition(".")[2]][1]) for each in BODIES}
    having = without | {path: facts_in(path, SOURCES[path.rpartition(".")[2]][0])}
    assert (None, None) == (update(without, having), update(having, without))


@pytest.mark.parametrize("manifest", ["web/package.json", "tsconfig.json"])
@pytest.mark.parametrize("said", SOURCES["json"])
@pytest.mark.parametrize("path", ["web/extra.ts", "web/main.ts", "web/cart.ts", "web/index.ts", "web/gone.ts"])
def test_a_file_that_manifests_may_name_is_joined_with_who_means_it(manifest: str, said: str, path: str) -> None:
    without = {
        manifest: facts_in(manifest, said),
        **{f"web/by{number}.ts": facts_in(f"web/by{number}.ts", SOURCES["ts"][-number]) for number in (1, 2, 3)},
    }
    having = without | {path: facts_in(path, SOURCES["ts"][1] + SOURCES["ts"][0])}
    assert_as_anew(without, having)


@pytest.mark.parametrize("stub", [None, *SOURCES["pyi"], "def total(it): ...\ndef more(): ...\n"])
@pytest.mark.parametrize("stub_then", SOURCES["pyi"])
@pytest.mark.parametrize(
    "user",
    [
        "from shop import extra\nextra.total(1).with_tax()\nextra.more()\nextra.made.pay()\n",
        "from shop.extra import total, more\nfrom .extra import Price\ntotal(more())\nPrice().with_tax()\n",
        "from shop.extra import *\ntotal(more())\nmade.pay()\n",
        "import shop.extra as it\nclass Own(it.Price):\n    def pay(self): self.with_tax()\n",
    ],
)
def test_what_a_stub_says_beside_a_module_is_found_for_who_imports_that(
    stub: str | None, stub_then: str, user: str
) -> None:
    rest = {
        "shop/__init__.py": facts_in("shop/__init__.py", ""),
        "shop/extra.py": facts_in("shop/extra.py", "globals().update(made())\ndef run(): pass\n"),
        "shop/cart.py": facts_in("shop/cart.py", "def total(): pass\n"),
        "shop/user.py": facts_in("shop/user.py", user),
        "shop/between.py": facts_in("shop/between.py", "from shop.extra import *\n"),
        "shop/last.py": facts_in("shop/last.py", "from shop.between import total\ntotal()\n"),
    }
    before = rest if stub is None else rest | {"shop/extra.pyi": facts_in("shop/extra.pyi", stub)}
    assert_as_anew(before, rest | {"shop/extra.pyi": facts_in("shop/extra.pyi", stub_then)})
    assert_as_anew(rest | {"shop/extra.pyi": facts_in("shop/extra.pyi", stub_then)}, before)
