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
