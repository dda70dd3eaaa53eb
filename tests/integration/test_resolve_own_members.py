"""What classes of JavaScript have, and what their objects have."""

from resolved_edges import edges_to_lines


def test_a_class_has_its_own_methods_and_its_objects_those_of_the_prototype() -> None:
    files = {
        "shop.js": """
        function Shop() {}
        Shop.check = function () {};
        Shop.prototype.check = function () {};
        module.exports = Shop;
        """,
        "cart.js": """
        const Shop = require('./shop');
        class Cart extends Shop {
          check() {}
          static pay() {}
          send() { this.constructor.check(); }
        }
        class Gift extends Cart { pay() {} }
        function Row() {}
        Row.check = Shop.check;
        Row.prototype.check = function () {};
        Row.prototype.send = function () { this.constructor.check(); };
        function own() { Cart.check(); Gift.pay(); Row.check(); }
        function ofObjects() { new Cart().check(); new Gift().pay(); new Row().check(); }
        """,
        "other.js": """
        class Far { over() { this.constructor = Row; this.constructor.check(); } }
        class Row { static check() {} }
        """,
    }
    found = {edge[:3] for edge in edges_to_lines(files) if edge[1].endswith((".check", ".pay"))}
    assert {
        ("cart.js::Cart.send", "shop.js::Shop.check", 3),
        ("cart.js::Row.send", "shop.js::Shop.check", 3),
        ("cart.js::own", "shop.js::Shop.check", 3),
        ("cart.js::own", "cart.js::Cart.pay", 5),
        ("cart.js::ofObjects", "cart.js::Cart.check", 4),
        ("cart.js::ofObjects", "cart.js::Gift.pay", 8),
        ("cart.js::ofObjects", "cart.js::Row.check", 11),
        ("other.js::Far.over", "other.js::Row.check", 3),
    } == found
