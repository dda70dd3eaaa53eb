"""A graph of Lua and of shell scripts brought in step with what has changed equals that of all files joined anew."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, exchanged, is_updated, is_updated_and_undone, read, reworded

from ctxcode.codegraph.resolve.graph import build_graph

LINES = {
    "lua": (
        "local cart = { total = function() pay() end, add = function() end }\nfunction run() cart.add() end",
        "price = { add = function() cart.total() end, deep = { more = function() end } }\nprice.add(); cart.more()",
        "local M = {}\nfunction M.add(one) return one.total(), M.pay() end\nfunction M:pay() self:add() end\nreturn M",
        "local Cart = {}\nfunction Cart.pay() return total() end\nfunction Cart.made() Cart.pay() end",
        "local M = {}\nM.Cart = {}\nreturn M",
        "local Cart = {}\nfunction Cart.new() return setmetatable({}, Cart) end\nfunction Cart:add() end\nreturn Cart",
        "local M = setmetatable({}, { __index = Cart })\nfunction M:more() self:add(); self:pay() end\nreturn M",
        "local cart, M = require 'shop.cart', require 'shop'\nlocal a = cart.new()\na:add(); M.new():more()",
        "local C = require 'shop.cart'\nlocal T = setmetatable({}, { __index = C })\nfunction T:pay() self:add() end",
        "local C = require 'shop.cart'\nlocal T = setmetatable({}, { __index = C })\nfunction T.made() end\nreturn T",
        "local T = require 'a'\nlocal U = setmetatable({}, { __index = T })\nfunction U:run() self:add(); U:made() end",
        "local C = require 'shop.cart'\nlocal c = setmetatable({}, C)\nc:add(); c:pay(); c:made(); C.total()",
        "local cart = require 'shop.cart'\nlocal add = cart.add\nadd(); cart.pay(); cart.Cart.made()",
        "local Cart = require('shop.cart').Cart\nfunction Cart.more() pay() end\nfunction Cart:total() self:more() end",
        "local price = require('shop.price')\nfunction total() price.add(); price.cart.pay() end",
        "local shop = require 'shop'\nlocal cart = shop.cart\nshop.add(); shop.M.pay(); cart.add()",
        "local a, b = require 'a', require 'b'\na.total(); b.made()",
        "require 'shop.price'\nlocal function total() x.more(); y:pay() end\ntotal()",
        "function total() made(); add() end\nlocal made = total\nlocal M = { add = function() made() end }",
        "Cart = {}\nfunction Cart.total() Cart.add() end\nfunction add() Cart:total() end",
    ),
    "sh": (
        "source lib/shop.sh\nadd_one\ntotal",
        ". ./price.sh\nadd_one; made_all",
        'source "$HERE/lib/cart.sh"\nrun() { add_one; total; _hidden; }',
        "add_one() { total; }\ntotal() { made_all; }",
        "made_all() { add_one; }\nalias cart='total'",
        "total() { echo; }\n_hidden() { add_one; cart; }\nreadonly LIMIT=3",
        "add_one() { _hidden_one; }\n_hidden_one() { total; }",
        "made_all; total; cart; _hidden_one",
        "source b.sh",
    ),
}
PATHS = {
    "lua": (
        *("shop/cart.lua", "shop/price.lua", "shop/init.lua", "shop/cart/init.lua", "lua/shop/cart.lua", "a.lua"),
        *("b.lua", "lib/shop/price.lua", "spec/cart_spec.lua", "deep/b.lua"),
    ),
    "sh": (
        *("lib/shop.sh", "lib/cart.sh", "price.sh", "bin/price.sh", "bin/run.sh", "b.sh", "deep/b.sh", "test/a.sh"),
        *("deep/lib/cart.sh", "PKGBUILD"),
    ),
}
WORDS = ("add", "total", "pay", "made", "more", "Cart", "cart", "add_one", "made_all", "local ", "price")


def trees(ending: str) -> st.SearchStrategy[dict[str, str]]:
    source = st.lists(st.sampled_from(LINES[ending]), min_size=1, max_size=4).map("\n".join)
    return st.dictionaries(st.sampled_from(PATHS[ending]), source, min_size=3)


@pytest.mark.parametrize("ending", ["lua", "sh"])
def test_edited_files_give_the_graph_of_all_files_joined_anew(ending: str) -> None:
    """Other words are often joined in part, other lines seldom: only the first are counted."""
    joined = []
    path, old = st.sampled_from(PATHS[ending]), st.sampled_from(["", *WORDS])
    reworded_once = st.lists(st.tuples(path, old, st.sampled_from(WORDS)), min_size=1, max_size=2)
    lines = st.lists(st.tuples(path, old, st.sampled_from(LINES[ending])), max_size=2)

    @examples(50)
    @given(trees(ending), reworded_once, lines)
    def check(tree: Mapping[str, str], words: list[tuple[str, str, str]], more: list[tuple[str, str, str]]) -> None:
        now = reworded(tree, words)
        joined.append(is_updated(read(tree), read(now)))
        is_updated(read(now), read(reworded(now, more)))

    check()
    assert sum(joined) * 2 > len(joined)


@pytest.mark.parametrize("ending", ["lua", "sh"])
def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew(ending: str) -> None:
    joined = []

    @examples(50)
    @given(trees(ending), st.sets(st.sampled_from(PATHS[ending]), max_size=1), trees(ending))
    def check(tree: Mapping[str, str], gone: set[str], come: Mapping[str, str]) -> None:
        kept = exchanged(tree, gone, come)
        joined.append(is_updated(read(tree), read(kept)))

    check()
    assert sum(joined) * 4 > len(joined)


SHOP = {
    "shop/user.lua": "local extra = require 'shop.extra'\nfunction run() extra.add(); x.odd() end\n",
    "shop/other.lua": "local user = require 'shop.user'\nuser.run()\nuser.extra.add()\n",
    "bin/user.sh": "source lib/extra.sh\nspend() { total; all_made; }\n",
    "bin/other.sh": "source bin/user.sh\ntotal\n",
    "bin/more.sh": "all_made\n",
}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("shop/extra.lua", "local M = {}\nfunction M.add() end\nreturn M\n"),
        ("shop/extra/init.lua", "local M = {}\nfunction M.add() end\nreturn M\n"),
        ("shop/user.lua", "local M = {}\nfunction M.odd() end\nlocal other = require 'shop.other'\nother()\n"),
        ("lib/extra.sh", "total() { echo; }\nall_made() { total; }\n"),
        ("bin/other.sh", "source bin/more.sh\nall_made() { total; }\n"),
        ("bin/own.sh", "source bin/more.sh\nall_made() { spend; }\n"),
    ],
)
def test_a_file_or_an_import_more_or_less_is_joined_with_few(path: str, source: str) -> None:
    without = read(SHOP)
    having = read(SHOP | {path: SHOP.get(path, "") + source})
    assert build_graph(having).edge_count > build_graph(without).edge_count + 1
    assert is_updated_and_undone(without, having)


KEPT = "local cart = { add = function() end }\nfunction run() cart.add() end\n"
OFFERED = "price = { add = function() end }\n"
KNOWN = "local M = {}\nfunction M.add() end\nlocal function add() end\n"


@pytest.mark.parametrize(("before", "now"), [(KEPT, KEPT + OFFERED), (KNOWN, f"{KNOWN}return M\n")])
def test_which_table_stands_for_a_module_is_told_to_who_requires_it(before: str, now: str) -> None:
    heir = "local C = require 'shop.cart'\nlocal T = setmetatable({}, { __index = C })\nfunction T.made() end\nreturn T"
    user = "local cart = require 'shop.cart'\ncart.add()\n"
    old, new = ({"shop/cart.lua": one, "heir.lua": heir, "user.lua": user, "a.lua": KEPT} for one in (before, now))
    assert_as_anew(read(old), read(new))
