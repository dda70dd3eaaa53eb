"""Names of Lua: functions that go by a local name."""

from resolved_edges import edges_between


def test_a_local_name_stands_for_the_function_it_is_given() -> None:
    files = {
        "shop/tools.lua": """
        local tools = {}
        function tools.cut(x) end
        function tools.bind(x) end
        return tools
        """,
        "shop/cart.lua": """
        local tools = require "shop.tools"
        local insert, cut = table.insert, tools.cut
        local M = {}
        local handler
        function M.go(callback)
          local bound = tools.bind
          insert(1); cut(2); bound(3); callback(4); handler(5)
        end
        return M
        """,
    }
    assert {
        ("shop/cart.lua::M.go", "shop/tools.lua::tools.cut", "type 0.85"),
        ("shop/cart.lua::M.go", "shop/tools.lua::tools.bind", "type 0.85"),
    } == edges_between(files)


def test_what_a_table_is_written_with_belongs_to_it() -> None:
    files = {
        "cart.lua": """
        local cart = { go = function() return 1 end, ["stop"] = function() end }
        local function run() return cart.go() + cart.stop() end
        local function own()
          local cart = { go = function() return 2 end }
          return cart.go()
        end
        return cart
        """,
        "other.lua": "local Other = {}\nfunction Other.go() end\nreturn Other\n",
        "use.lua": "local cart = require('cart')\nlocal function use() return cart.go() end\n",
    }
    assert {
        ("cart.lua::run", "cart.lua::cart.go", "receiver 0.95"),
        ("cart.lua::run", "cart.lua::cart.stop", "receiver 0.95"),
        ("use.lua::use", "cart.lua::cart.go", "receiver 0.95"),
    } == {edge for edge in edges_between(files) if edge[0] != "cart.lua::own"}
