"""Changed, new and gone modules of Python give the graph of all files joined anew, however others get at them."""

from collections.abc import Mapping

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, changed_in, exchanged, is_updated, is_updated_and_undone, read, reworded

from ctxcode.codegraph.resolve.again import following
from ctxcode.codegraph.resolve.dependents import importers
from ctxcode.codegraph.resolve.graph import build_graph

ALL_IN = (
    "class Price:\n    def pay(self): ...\n    def more(self): make()\ndef make() -> Price: ...\n"
    "kept = make()\ndef again(): return kept\nother = make\nOther = Price\n"
)
SOURCES = (
    "",
    "LIMIT = 3\ndef make():\n    return Price()\nclass Price:\n    def pay(self): self.more()\n",
    "class Price:\n    def pay(self): ...\n    def more(self): make()\ndef make() -> Price: ...\nkept = make()\n",
    "from .const import make, LIMIT as MOST\nfrom . import const\ndef run(): make().pay(); const.make(); MOST\n",
    "from shop.deep import const as limits\nlimits.make().more()\nbound = limits.kept\n",
    "import shop.deep as far\nfar.const.make()\ndef get() -> far.const.Price: ...\nget().pay()\n",
    "import shop.deep.const\nimport shop\nshop.deep.const.make(); shop.const.make(); shop.kept.pay()\n",
    "from .deep import *\nmake().pay(); const.make(); kept.more(); far.const.make()\n",
    "from . import *\nfrom .. import const as c\nc.make()\nprice = c.Price()\nprice.pay()\n",
    "from shop.cart import far, limits, const, kept as k\nfar.const.make(); limits.make(); const.make(); k.pay()\n",
    "import const\nconst.make()\nfrom const import *\nPrice().more()\n",
    "from tool.const import make as build, Price\nclass Extra(Price):\n    def run(self): self.pay(); build().more()\n",
    "from shop import deep\nsame = deep\nsame.const.pay()\nclass Held:\n    here = deep\n    it = deep.const.Price()\n",
    "from shop.cart import same, Held\nsame.const.make(); Held.it.pay(); Held().it.more(); Held.here.const.make()\n",
    "import json\nimport shop.deep.json as own\njson.make(); own.make()\ndef deep(): own.kept.pay()\n",
    "from .const import Price as Base\nfrom shop import Price\nclass Extra(Base):\n    def run(self): self.pay()\n",
    "from shop.const import Extra\nclass More(Extra, Price):\n    def go(self): self.pay()\nmade = More()\n",
    "from shop.cart import *\nmade.more(); made.run()\nclass Own(More):\n    def be(self): self.pay(); self.more()\n",
    "from .cart import made, Own\nfrom .const import Extra\nmade.pay(); Own().more(); Own().be(); Extra().more()\n",
    (
        "from .const import make\ndef again():\n    made = make()\n    return made\n"
        "class Box:\n    @property\n    def last(self): return again()\n"
    ),
    "from shop.const import again, Box\ndef over(): return Box().last\nagain().pay(); over().more()\n",
    (
        "from shop.const import Price, Box\nclass Hand:\n    def __init__(self): self.it = Price()\n"
        "    def on(self, p: Price, b: Box): run(p.pay, b.last, self.it.more)\n"
    ),
    "from shop.cart import over\nfrom const import *\nover().pay(); again().more(); Box().last.pay()\n",
    (
        "class Pool:\n    def __enter__(self): return Price()\n    def pay(self): ...\n"
        "class Price:\n    def more(self): ...\n    def pay(self): ...\n"
    ),
    (
        "from .const import Pool\nwith Pool() as one: one.pay()\n"
        "def held():\n    with Pool() as two:\n        two.more()\n        return two\n"
    ),
    "from shop.cart import held\nfrom shop.deep import *\nheld().pay()\nwith held() as it: it.more()\n",
    (
        "from shop.const import Price\ndef maker():\n    def made(): return Price()\n    return made\n"
        "def kind(): return Price\nmake = maker()\nclass Held:\n    it = maker()\n    def at(self): self.it()\n"
    ),
    "from shop.cart import *\nfrom .cart import make as it, kind\nmake().pay(); it().more(); kind()().pay()\n",
    (
        "from shop.const import Pool, Price, make as built\ndef make():\n    made = Price()\n    if made:\n"
        "        made = Pool()\n    made.pay()\n    made = made.more()\n    return made\n"
        "def kept(made=None):\n    made = built()\n    made.pay()\n    made = made.pay()\n    made.more()\n"
    ),
    "from src.const import make, kept as k\nimport src.const\nmake().pay(); k.more(); src.const.Price().pay()\n",
    "import shop.const as c\nfrom shop import deep\nc.other().pay(); deep.other(); deep.const.other().more()\n",
    (
        "from shop.const import Other\nclass More(Other):\n    def go(self): self.more()\n"
        "def got(x: Other): x.pay()\nOther().more()\nclass Held:\n    def at(self):\n        self.it = Other\n"
        "        return self.it()\n    def go(self): self.at().pay(); self.it().more()\n"
    ),
    "from shop.cart import Held, More, got\nOther = More\nHeld().at().pay(); Other().pay(); Other().go()\n",
    (
        "from shop.const import make, Price\ndef both():\n    made = make()\n    return made, Price()\n"
        "def pair() -> tuple[Price, int]: ...\nclass Held:\n    def __init__(self): self.one, self.two = both()\n"
        "    def at(self):\n        def it(): return self.two, make()\n        return it()\n"
    ),
    (
        "from shop.cart import both, pair, Held\none, two = both()\none.pay(); two.more()\nit, _ = pair()\nit.more()\n"
        "Held().one.pay(); Held().two.more()\ndef go():\n    a, b = Held().at()\n    a.pay(); b.more()\n"
    ),
    f"__all__ = ['make', 'Price', 'Other']\n{ALL_IN}",
    f"__all__ = ['kept'] + ['again']\n{ALL_IN}",
    "from .const import *\nfrom .deep import *\n__all__ = ['make', 'kept']\nmake().pay(); kept.more(); Price().pay()\n",
    (
        "from shop.const import Price, make\nclass Cart(Price):\n    def sum(self): return self.pay, self.it.pay\n"
        "def read(x: Price, y: 'Other'):\n    made = make()\n    return x.pay, y.more, made.pay, made.more\n"
    ),
    (
        "from shop.cart import Cart\nclass Price:\n    @property\n    def pay(self): return Cart()\n"
        "def make(): return Price()\ndef read(x: Cart, many: list[Price]):\n"
        "    return x.sum, x.pay.more, [one.pay for one in many]\n"
    ),
    "def test_make(): make()\nclass TestPrice:\n    def test_pay(self): Price().pay(); x.more()\n",
)
PATHS = (
    *("shop/__init__.py", "shop/const.py", "shop/cart.py", "shop/deep/__init__.py", "shop/deep/const.py"),
    *("shop/deep/cart.py", "shop/deep/json.py", "const.py", "src/const.py", "tool/const.py", "tool/main.py"),
    *("lib/far/deep/__init__.py", "lib/far/deep/const.py", "shop/const/__init__.py"),
    *("shop/deep/const.pyi", "tests/test_const.py", "shop/far/deep/const.py"),
    *("tool/src/const.py", "docs/src/const.py", "tool/src/cart.py"),
)
trees = st.fixed_dictionaries({path: st.one_of(st.none(), st.sampled_from(SOURCES)) for path in PATHS})
PACKAGE = {
    "__init__.py": "from .const import DOMAIN\nfrom . import sensor\ndef setup(): return DOMAIN, sensor.make()\n",
    "const.py": "DOMAIN = 'x'\nLIMIT = 3\n",
    "sensor.py": "from .const import DOMAIN, LIMIT as MOST\nclass Sensor:\n    def go(self): MOST\ndef make(): ...\n",
}
"""What thousands of packages of one repository are like."""


@pytest.mark.parametrize("few", [10, -1])
@examples(60)
@given(trees, trees, st.lists(st.sampled_from(PATHS), min_size=1, max_size=3))
def test_modules_that_change_come_and_go_give_the_graph_of_all_files_joined_anew(
    few: int, old: Mapping[str, str | None], new: Mapping[str, str | None], changed: list[str]
) -> None:
    before, after = changed_in(old, new, changed)
    with pytest.MonkeyPatch.context() as patch:
        # Of so few files all would be looked at, whatever their place.
        patch.setattr(following, "_FEW", few)
        patch.setattr(importers, "_FEW", few)
        assert_as_anew(before, after)


@pytest.fixture(scope="module")
def many() -> dict[str, str]:
    packages = [f"home/parts/p{number:03}" for number in range(150)]
    around = dict.fromkeys(["home/__init__.py", "home/parts/__init__.py"], "")
    return around | {f"{folder}/{name}": PACKAGE[name] for folder in packages for name in PACKAGE}


@pytest.mark.parametrize("name", PACKAGE)
def test_who_says_what_a_module_is_called_and_means_another_one_is_not_joined_again(
    many: Mapping[str, str], name: str
) -> None:
    path = f"home/parts/p077/{name}"
    without = read(exchanged(many, [path], {}))
    assert is_updated_and_undone(read(many), without)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("const.py", "DOMAIN = 'x'\n", ""),
        ("const.py", "LIMIT", "DOMAIN = LIMIT"),
        ("sensor.py", "", "def setup(): ...\nDOMAIN = 3\n"),
        ("sensor.py", "LIMIT as MOST", "LIMIT"),
        ("__init__.py", "from . import sensor", "from . import sensor as made"),
        ("__init__.py", "from .const import DOMAIN", "from .const import *"),
        ("sensor.py", "class Sensor:", "class Sensor(Base):"),
        ("const.py", "", "class Base:\n    def fresh(self): ...\n"),
    ],
)
def test_so_it_is_when_a_module_defines_or_imports_something_else(
    many: Mapping[str, str], name: str, old: str, new: str
) -> None:
    assert is_updated(read(many), read(reworded(many, [(f"home/parts/p077/{name}", old, new)])))


@pytest.mark.parametrize(
    ("path", "user", "source"),
    [
        ("home/parts/p001/const.py", "home/far.py", "import home.parts.p001 as one\none.const.DOMAIN\n"),
        ("home/parts/p001/sensor.py", "tool/far.py", "from p001 import sensor\nsensor.make()\n"),
        (
            "home/parts/p001/sensor.py",
            "home/far.py",
            "from home.parts.p001 import *\nsensor.make(); Sensor().go()\n",
        ),
        (
            "home/parts/p001/sensor.py",
            "home/far.py",
            "from .parts.p001.sensor import make as it\nclass A:\n    it = it\n",
        ),
    ],
)
def test_who_gets_at_a_module_from_far_is_joined_again(
    many: Mapping[str, str], path: str, user: str, source: str
) -> None:
    using = read(
        {**many, user: source, "home/more.py": f"from {user[:-3].replace('/', '.')} import it, A, one\nit()\n"}
    )
    assert is_updated(using, {each: facts for each, facts in using.items() if each != path})


PIECES = (
    "class Price:\n    def pay(self): ...\n    def more(self): make()\n",
    "class Price(Base):\n    def more(self): self.go()\n    def pay(self): kept()\n",
    "def make() -> Price: ...\n",
    "def make() -> Held: ...\n",
    "kept = make()\n",
    "def kept(): make().pay()\n",
    "from shop.cart import Cart as Base\n",
    "class Held:\n    it = make()\n    def at(self) -> Price: ...\n    def at(self): self.it\n    at = kept\n",
    "class Held(Price):\n    at = 1\n    def it(self): ...\n    class Price: ...\n",
)
USING = {
    "shop/__init__.py": "from .price import *\n",
    "shop/cart.py": "from .price import make, kept, Held\nclass Cart:\n    def go(self): Held().at().pay()\n",
    "shop/far.py": "import shop\nshop.make().pay(); shop.kept.pay(); shop.Held().it.more()\nown = shop.Held\n",
    "tool.py": "from shop.far import own\nown().pay(); own().at.pay()\nclass A(own): ...\nA().more(); x.more()\n",
}
pieces = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)


@examples(60)
@given(pieces, pieces)
def test_definitions_that_change_places_give_the_graph_of_all_files_joined_anew(old: str, new: str) -> None:
    before, after = (read({**USING, "shop/price.py": source}) for source in (old, new))
    assert_as_anew(before, after)


@pytest.mark.parametrize("order", [(0, 8, 2, 4), (8, 4, 2, 0), (2, 0, 8, 4), (4, 8, 0)])
def test_definitions_that_change_places_are_joined_with_who_means_them(order: tuple[int, ...]) -> None:
    before = read({**USING, "shop/price.py": "".join([PIECES[at] for at in (0, 2, 4, 8)])})
    assert is_updated(before, read({**USING, "shop/price.py": "".join([PIECES[at] for at in order])}))


@pytest.mark.parametrize("offered", ["['Price']", "['make']", "[]"])
def test_who_takes_in_all_of_a_module_is_joined_again_when_that_offers_something_else(offered: str) -> None:
    made = "def make(): return Price()\nclass Price:\n    def pay(self): ...\n"
    files = {
        "shop.py": f"__all__ = ['make', 'Price']\n{made}",
        "other.py": made,
        "all.py": "from other import *\nfrom shop import *\nbound = make\n",
        "use.py": "import all as every\nfrom all import Price, bound\nevery.make().pay(); Price(); bound().pay()\n",
    }
    now = reworded(files, [("shop.py", "['make', 'Price']", offered)])
    assert build_graph(read(files)) != build_graph(read(now))
    assert is_updated_and_undone(read(files), read(now))
