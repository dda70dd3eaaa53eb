"""Calls on objects of Python classes: what annotations, constructors, attributes and returned types tell."""

import pytest
from resolved_edges import edges_between

STORE = """
class Item:
    kind = "item"
    def weigh(self): pass

class Box:
    item_class = Item
    spare: type[Item]
    def __init__(self, item: Item, other: "Item | None" = None):
        self.item = item
        self.other = other
        self.made = self.pack()
    def pack(self) -> Item: ...
    def itself(self) -> Self: return self
    @property
    def first(self) -> Item | None: ...
    @contextmanager
    def opened(self) -> Iterator[Item]: ...

def find(name) -> Optional[Item]: ...
def find_all(name) -> list[Item]: ...
async def fetch() -> Item: ...

default = Box(Item())
again = default
alias = find
"""
WEIGHED = "store.py::Item.weigh"


@pytest.mark.parametrize(
    "body",
    [
        "def g(box: Box): box.item.weigh()",
        "def g(box: Box): box.other.weigh()",
        "def g(box: Box): box.made.weigh()",
        "def g(box: Box): box.first.weigh()",
        "def g(box: Box): box.pack().weigh()",
        "def g(box: Box): box.itself().itself().pack().weigh()",
        "def g():\n    item = find('x')\n    item.weigh()",
        "def g():\n    item = find(len('x'), [1])\n    item.weigh()",
        "async def g():\n    item = await fetch()\n    item.weigh()",
        "def g(box: Box):\n    if (item := box.pack()): item.weigh()",
        "def g(box: Box):\n    with box.opened() as item: item.weigh()",
        "def g(box: Box):\n    item = box.item\n    item.weigh()",
        "def g(box: Box):\n    item = box.item_class()\n    item.weigh()",
        "def g(box: Box): box.spare().weigh()",
        "def g(): default.item.weigh()",
        "def g(): again.item.weigh()",
        "def g(): store.default.pack().weigh()",
        "def g(items: Union[Item, None]): items.weigh()",
        "class Heir(Box):\n    def g(self): self.item.weigh()",
        "class Heir(Box):\n    def g(self): super().pack().weigh()",
    ],
)
def test_a_method_is_found_through_what_the_names_before_it_are(body: str) -> None:
    files = {
        "store.py": STORE,
        "near.py": "class Bag:\n    def weigh(self): pass\nclass Sack:\n    def weigh(self): pass\n",
        "use.py": f"import store\nfrom store import Box, Item, again, default, fetch, find\n\n{body}\n",
    }
    found = {(target, how) for source, target, how in edges_between(files) if target.endswith("weigh")}
    assert found in ({(WEIGHED, "type 0.85")}, {(WEIGHED, "type 0.9")})


def test_a_method_of_what_an_imported_class_holds_is_called() -> None:
    files = {
        "model.py": "class Manager:\n    def made(self): pass\nclass Other:\n    def made(self): pass\n"
        "class Model:\n    objects = Manager()\n",
        "use.py": "from model import Model\nimport model\ndef f(): Model.objects.made()\n"
        "def g(): model.Model.objects.made()\n",
    }
    found = {edge for edge in edges_between(files) if edge[1].endswith("made")}
    assert {(f"use.py::{name}", "model.py::Manager.made", "type 0.85") for name in "fg"} == found


def test_a_class_or_function_that_goes_by_another_name_is_called() -> None:
    files = {
        "store.py": STORE,
        "use.py": """
        from store import Box, alias
        def g(box: Box):
            box.item_class()
            alias()
        class Own(Box):
            def g(self):
                self.item_class()
                maker = self.spare
                maker()
        """,
    }
    assert {
        ("use.py::g", "store.py::Item", "type 0.85"),
        ("use.py::g", "store.py::find", "type 0.85"),
        ("use.py::Own.g", "store.py::Item", "type 0.85"),
    } == edges_between(files) - edges_between({"store.py": STORE})


def test_what_a_call_of_something_outside_gives_is_nobodys_here() -> None:
    files = {
        "store.py": STORE,
        "use.py": """
        import outside
        from outside import make, Thing
        def g(text: str):
            a = make()
            a.weigh()
            b = outside.deep.make().next()
            b.weigh()
            with open(text) as c:
                c.weigh()
            Thing(1).part.weigh()
        class Heir(Thing):
            def g(self):
                self.weigh()
                dict.__init__(self)
        """,
    }
    assert edges_between(files) == edges_between({"store.py": STORE})


def test_a_missing_method_of_a_class_whose_bases_are_all_here_is_guessed() -> None:
    files = {
        "mixin.py": "class Mixin:\n    def g(self): self.settle()\n",
        "own.py": "from mixin import Mixin\nclass Own(Mixin):\n    def settle(self): pass\n",
    }
    assert {("mixin.py::Mixin.g", "own.py::Own.settle", "unique-name 0.6")} == edges_between(files)


def test_a_base_that_is_shared_is_asked_after_all_its_heirs() -> None:
    files = {
        "a.py": """
        class Top:
            def run(self): pass
        class Left(Top): pass
        class Right(Top):
            def run(self): pass
        class Both(Left, Right):
            def g(self): self.run()
        """
    }
    assert {("a.py::Both.g", "a.py::Right.run", "receiver 0.95")} == edges_between(files)


def test_names_that_explain_one_another_in_a_circle_end() -> None:
    files = {
        "a.py": "from b import y\nx = y\ndef f():\n    a = b.c()\n    b = a.d()\n    a.run()\n    x.run()\n",
        "b.py": "from a import x\ny = x\nclass K:\n    def run(self): pass\n    def twice(self): self.again.run()\n",
        "c.py": "class L:\n    def run(self): pass\n    at = L\n    again = again\n",
    }
    assert all(
        how.startswith("ambiguous") for _, _, how in edges_between(files) - edges_between({"c.py": files["c.py"]})
    )


CRATE = """
from collections.abc import Iterator, Mapping
from store import Item

class Crate:
    items: list[Item]
    named: "dict[str, Item] | None"
    shelves: Mapping[str, list["Item"]]
    kinds: tuple[type[Item], ...]
    def __init__(self, rows: Sequence[Item | None]):
        self.rows = rows
    def each(self) -> Iterator[Item]: ...
    def __iter__(self) -> Iterator[Item]: ...
    def __getitem__(self, key) -> Item: ...
"""


@pytest.mark.parametrize(
    "body",
    [
        "for one in crate.items: one.weigh()",
        "for one in sorted(crate.items, key=len): one.weigh()",
        "for one in crate.each():\n        one.weigh()",
        "for one in crate: one.weigh()",
        "for number, one in enumerate(crate.rows): one.weigh()",
        "for left, one in zip('ab', crate.rows): one.weigh()",
        "for key, one in crate.named.items(): one.weigh()",
        "for one in crate.named.values(): one.weigh()",
        "for key, shelf in crate.shelves.items():\n        for one in shelf: one.weigh()",
        "for kind in crate.kinds: kind().weigh()",
        "return [one.weigh() for one in crate.items if one]",
        "return any(one.weigh() for shelf in crate.shelves.values() for one in shelf)",
        "crate.items[0].weigh()",
        "crate.items[1:][-1].weigh()",
        "crate.shelves[f([1])][0].weigh()",
        "crate['a'].weigh()",
        "crate.named.get('a').weigh()",
        "one = crate.items[0]\n    one.weigh()",
        "one = crate.items.pop()\n    one.weigh()",
        "for one in crate.boxes: pass\n    for one in crate.items: one.weigh()",
        "for one in crate.items:\n        same = one\n        same.weigh()",
        "one = next((each for each in crate.items if each), None)\n    one.weigh()",
        "one = next(iter(crate.items))\n    one.weigh()",
        "one = max(crate.items, key=len)\n    one.weigh()",
        "some = sorted(crate.items)\n    some[0].weigh()",
        "some = [each for each in crate.items if each]\n    for one in some: one.weigh()",
        "one = crate.items[-1] if crate.items else None\n    one.weigh()",
        "one, *rest = crate.items\n    one.weigh()\n    rest[0].weigh()",
        "(one,) = crate.items\n    one.weigh()",
        "one = random.choice(list(crate.items))\n    one.weigh()",
    ],
)
def test_an_element_is_what_its_collection_is_said_to_hold(body: str) -> None:
    files = {
        "store.py": STORE,
        "near.py": "class Bag:\n    def weigh(self): pass\nclass Sack:\n    def weigh(self): pass\n",
        "crate.py": CRATE,
        "use.py": f"from crate import Crate\n\ndef g(crate: Crate):\n    {body}\n",
    }
    drawn = {edge for edge in edges_between(files) if edge[0] == "use.py::g" and "weigh" in edge[1]}
    assert {("use.py::g", WEIGHED, "type 0.85")} == drawn


@pytest.mark.parametrize(
    "body",
    [
        "for one in crate.items:\n        one = str(one)\n        one.weigh()",
        "for one in crate.items: pass\n    one.weigh()",
        "for one in crate.named: one.weigh()",
        "for one in crate.shelves.values(): one.weigh()",
        "for one in one.items: one.weigh()",
        "one = max(crate.items, other)\n    one.weigh()",
        "one = sorted(crate.named)[0]\n    one.weigh()",
        "one = next(each.name for each in crate.items)\n    one.weigh()",
    ],
)
def test_what_is_no_element_any_more_is_not_taken_for_one(body: str) -> None:
    files = {
        "store.py": STORE,
        "near.py": "class Bag:\n    def weigh(self): pass\nclass Sack:\n    def weigh(self): pass\n",
        "crate.py": CRATE,
        "use.py": f"from crate import Crate\n\ndef g(crate: Crate):\n    {body}\n",
    }
    surely = {edge for edge in edges_between(files) if edge[0] == "use.py::g" and "ambiguous" not in edge[2]}
    assert set() == surely


def test_what_isinstance_says_of_a_name_holds_where_it_is_true() -> None:
    files = {
        "a.py": "class Box:\n    def unpack(self): ...\n\n\nclass Bag:\n    def unpack(self): ...\n",
        "b.py": """
        from a import Bag, Box

        def inside(x):
            if isinstance(x, Box) and x.unpack():
                x.unpack()
            elif x:
                x.other()

        def behind(x, of):
            if of is None or not isinstance(of.x, Box):
                return
            assert isinstance(x, Bag)
            x.unpack()

        def otherwise(x):
            return x.unpack() if isinstance(x, Bag) else None

        def changed(x):
            if isinstance(x, Box):
                x = other(x)
                x.unpack()

        class Shelf:
            def own(self):
                if not isinstance(self.box, Box):
                    raise TypeError
                self.box.unpack()
        """,
    }
    assert {
        ("b.py::inside", "a.py::Box.unpack", "type 0.9"),
        ("b.py::behind", "a.py::Bag.unpack", "type 0.9"),
        ("b.py::otherwise", "a.py::Bag.unpack", "type 0.9"),
        ("b.py::Shelf.own", "a.py::Box.unpack", "type 0.9"),
    } == {edge for edge in edges_between(files) if not edge[2].startswith("ambiguous")}


def test_a_case_says_what_is_matched_and_what_it_binds() -> None:
    source = """
    from uuid import UUID
    class Cart:
        def pay(self): pass
    class Gift:
        def pay(self): pass
    def whole(x):
        match x:
            case Cart(size=1):
                x.pay()
    def bound(x):
        match x.y:
            case Gift() as g if g.pay():
                pass
    def inside(x):
        match x:
            case [Cart() as first, *rest]:
                first.pay()
    def outside(x):
        match x:
            case UUID():
                x.pay()
    def given(x):
        match x:
            case Cart():
                x = other()
                x.pay()
    """
    assert {
        ("a.py::whole", "a.py::Cart.pay", "type 0.9"),
        ("a.py::bound", "a.py::Gift.pay", "type 0.9"),
        ("a.py::inside", "a.py::Cart.pay", "type 0.9"),
        ("a.py::given", "a.py::Cart.pay", "ambiguous 0.25"),
        ("a.py::given", "a.py::Gift.pay", "ambiguous 0.25"),
    } == edges_between({"a.py": source})


@pytest.mark.parametrize(
    "source",
    [
        "T = TypeVar('T', bound=Item)\ndef g(one: T): one.weigh()",
        "Kind = t.TypeVar('Kind', bound='Item')\ndef g(one: Kind, kind: type[Kind], some: list[Kind]): kind().weigh()",
        "def g[T: Item](one: T): one.weigh()",
        "class Box[T: Item, U]:\n    one: T\ndef g(box: Box): box.one.weigh()",
    ],
)
def test_a_type_variable_is_what_it_is_bound_to(source: str) -> None:
    files = {
        "store.py": STORE,
        "near.py": "class Bag:\n    def weigh(self): pass\nclass Sack:\n    def weigh(self): pass\n",
        "use.py": f"from store import Item\n\n{source}\n",
    }
    drawn = {edge for edge in edges_between(files) if edge[0] == "use.py::g" and "weigh" in edge[1]}
    assert {("use.py::g", WEIGHED)} == {edge[:2] for edge in drawn}
    assert not any("ambiguous" in edge[2] for edge in drawn)


def test_what_frameworks_of_python_make_of_classes_is_known() -> None:
    files = {
        "models.py": """
        class Line:
            def sold(self): ...

        class Bills(QuerySet):
            def paid(self): ...

        class Kept(Manager):
            def kept(self): ...

        class Order(Base):
            line: Mapped["Line"] = relationship()
            spare: orm.Mapped[Optional["Line"]] = relationship()
            lines: Mapped[list["Line"]] = relationship()
            objects = Bills.as_manager()
            others = Kept.from_queryset(Bills)()

            def total(self): self.line.sold()
            def more(self): self.spare.sold()
            def all(self): return [line.sold() for line in self.lines]

        def made() -> Order: ...
        """,
        "views.py": """
        from models import Order, made

        def show(key):
            order = get_object_or_404(Order, pk=key)
            order.total()

        def paid(): Order.objects.paid()
        def both(): Order.others.paid(), Order.others.kept()
        def given(order=Depends(made)): order.total()
        def own(order=fastapi.Depends(Order, use_cache=False)): order.more()
        def other(order=Depends(unknown), key=Query(made)): order.total(), key.total()
        """,
        "other.py": "class Other:\n    def sold(self): ...\n    def total(self): ...\n    def paid(self): ...\n",
    }
    surest = {(source.partition("::")[2], target) for source, target, how in edges_between(files) if "type" in how}
    assert {
        ("Order.total", "models.py::Line.sold"),
        ("Order.more", "models.py::Line.sold"),
        ("Order.all", "models.py::Line.sold"),
        ("show", "models.py::Order.total"),
        ("paid", "models.py::Bills.paid"),
        ("both", "models.py::Bills.paid"),
        ("both", "models.py::Kept.kept"),
        ("given", "models.py::Order.total"),
        ("own", "models.py::Order.more"),
    } == surest
