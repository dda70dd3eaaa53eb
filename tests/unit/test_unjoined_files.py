from resolved_edges import facts_of

from ctxcode.codegraph.codec import decode_facts
from ctxcode.codegraph.edges import EDGE_KINDS, PackedGraph
from ctxcode.codegraph.facts import BindingFact, FileFacts, skeleton, symbols_alone
from ctxcode.codegraph.resolve.graph import build_graph

SHOP = {
    "cart.py": "from price import total\n\ndef add(item):\n    return total(item)\n",
    "price.py": "def total(item):\n    return item\n",
    "store.py": "from cart import add\n\ndef keep(item):\n    return add(item)\n",
}
KEPT = {
    "shelf.py": "class Shelf:\n    def put(self): ...\n\nshelf = Shelf()\n",
    "shop.py": "from shelf import shelf\n\ndef keep():\n    shelf.put()\n",
}


def test_a_file_that_fails_by_itself_keeps_its_symbols_and_costs_the_others_nothing() -> None:
    files = {path: skeleton(facts) for path, facts in facts_of(SHOP).items()}
    # Of what is bound to nothing at all no first letter can be asked for.
    broken = {**files, "price.py": files["price.py"]._replace(bindings=(BindingFact(0, "self.price", ""),))}
    graph = build_graph(broken)
    assert [(one.path, one.detail) for one in graph.unjoined] == [("price.py", "IndexError: string index out of range")]
    assert is_as_if(graph, {**files, "price.py": symbols_alone(files["price.py"])})
    assert calls(graph) == calls(build_graph(files)) == 2


def test_a_file_that_fails_with_others_alone_keeps_its_symbols() -> None:
    files = {path: skeleton(facts) for path, facts in facts_of(KEPT).items()}
    broken = {**files, "shelf.py": files["shelf.py"]._replace(bindings=(BindingFact(0, "shelf", ">"),))}
    graph = build_graph(broken)
    assert [one.path for one in graph.unjoined] == ["shop.py"]
    assert graph.unjoined[0].detail.startswith("RecursionError: ")
    assert is_as_if(graph, {**broken, "shop.py": symbols_alone(files["shop.py"])})


def test_what_is_left_of_a_file_can_be_stored() -> None:
    files = {path: skeleton(facts) for path, facts in facts_of(SHOP).items()}
    cart = files["cart.py"]
    (unjoined,) = build_graph({**files, "cart.py": cart._replace(bindings=(BindingFact(0, "a", ""),))}).unjoined
    left = decode_facts(unjoined.facts)
    assert left.symbols == cart.symbols
    assert not left.calls.names
    assert not left.imports


def test_of_files_that_can_be_joined_none_is_named() -> None:
    assert build_graph(facts_of({**SHOP, **KEPT})).unjoined == ()


def test_a_file_of_java_that_is_being_typed_is_joined() -> None:
    typed = "class Store {\n    Cart cart;\n    void run() { cart.add(); }\n    cart.open(Shelf.LARGE);\n"
    graph = build_graph(facts_of({"Store.java": typed, "Cart.java": "class Cart {\n    void add() {}\n}\n"}))
    assert ((), 1) == (graph.unjoined, calls(graph))


def is_as_if(graph: PackedGraph, files: dict[str, FileFacts]) -> bool:
    """Return whether a graph is that of other facts, but for what it says of failures."""
    other = build_graph(files)
    return all(getattr(graph, name) == getattr(other, name) for name in PackedGraph.__slots__ if name != "unjoined")


def calls(graph: PackedGraph) -> int:
    """Return how many call edges a graph has."""
    return sum(EDGE_KINDS[kind] == "calls" for kind in graph.kinds)
