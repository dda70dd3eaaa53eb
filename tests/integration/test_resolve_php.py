"""Names of PHP: qualified names, types that are written and documented, chains of calls."""

import pytest
from resolved_edges import edges_between

_STORE = """<?php
namespace Shop;
class Store {
    private $rows;
    /** @var Row[] kept */
    private array $kept;
    function __construct(Row $rows) { $this->rows = $rows; }
    public function with($x): static { return $this; }
    public function plain($x) { return $this; }
    /** @return array<string, Row>|null the rows */
    public function rows() { return []; }
    public function row(): Row {}
    public function made() { return new Row(); }
    public function either($x) { if ($x) { return new Row(); } return $x; }
    public function all($parent) {
        $this->rows->draw();
        foreach ($this->kept as $one) { $one->paint(); }
        $parent->paint();
    }
}
"""
_FILES = {
    "src/Store.php": _STORE,
    "src/Row.php": (
        "<?php\nnamespace Shop;\nclass Row { function draw() {} function paint() {} function cut() {} }\n"
        "class Sheet { function draw() {} function paint() {} function cut() {} }\n"
    ),
}


def _calls(body: str) -> set[tuple[str, str, str]]:
    """Return the edges of a method's body; without the types each name would have two candidates."""
    cart = f"<?php\nnamespace Shop\\App;\nuse Shop\\Store;\nclass Cart {{ {body} }}\n"
    edges = edges_between({**_FILES, "src/Cart.php": cart})
    return {edge for edge in edges if edge[0] == "src/Cart.php::Cart.go"}


def test_what_a_method_returns_is_followed_along_a_chain() -> None:
    found = _calls('function go(Store $s) { $s->with("a), (b")->plain(1)->row()->draw(); $r = $s->made(); $r->cut(); }')
    assert {
        ("src/Cart.php::Cart.go", "src/Store.php::Store.with", "type 0.9"),
        ("src/Cart.php::Cart.go", "src/Store.php::Store.plain", "type 0.85"),
        ("src/Cart.php::Cart.go", "src/Store.php::Store.row", "type 0.85"),
        ("src/Cart.php::Cart.go", "src/Row.php::Row.draw", "type 0.85"),
        ("src/Cart.php::Cart.go", "src/Store.php::Store.made", "type 0.9"),
        ("src/Cart.php::Cart.go", "src/Row.php::Row.cut", "type 0.85"),
    } == found


def test_what_returns_one_thing_or_another_is_not_known() -> None:
    found = _calls("function go(Store $s) { $s->either(1)->paint(); }")
    assert {
        ("src/Cart.php::Cart.go", "src/Store.php::Store.either", "type 0.9"),
        ("src/Cart.php::Cart.go", "src/Row.php::Row.paint", "ambiguous 0.25"),
        ("src/Cart.php::Cart.go", "src/Row.php::Sheet.paint", "ambiguous 0.25"),
    } == found


def test_elements_have_the_type_that_is_documented() -> None:
    found = _calls(
        "function go(Store $s) { foreach ($s->rows() as $key => $row) { $row->draw(); } $s->rows()->cut(); }"
    )
    assert {
        ("src/Cart.php::Cart.go", "src/Store.php::Store.rows", "type 0.9"),
        ("src/Cart.php::Cart.go", "src/Row.php::Row.draw", "type 0.85"),
    } == found


def test_documented_parameters_variables_and_caught_errors_have_types() -> None:
    found = _calls(r"""
        /** @param \Shop\Row|null $row */
        function go($row, $x) {
            $row->draw(); /** @var \Shop\Sheet $x */ $x->cut(); try {} catch (\Error $e) { $e->paint(); }
        }
    """)
    assert {
        ("src/Cart.php::Cart.go", "src/Row.php::Row.draw", "type 0.9"),
        ("src/Cart.php::Cart.go", "src/Row.php::Sheet.cut", "type 0.9"),
    } == found


def test_properties_get_the_types_of_parameters_and_documentation() -> None:
    assert {
        ("src/Store.php::Store.all", "src/Row.php::Row.draw", "type 0.85"),
        ("src/Store.php::Store.all", "src/Row.php::Row.paint", "type 0.85"),
        ("src/Store.php::Store.all", "src/Row.php::Row.paint", "ambiguous 0.25"),
        ("src/Store.php::Store.all", "src/Row.php::Sheet.paint", "ambiguous 0.25"),
    } == {edge for edge in edges_between(_FILES) if edge[0] == "src/Store.php::Store.all"}


def test_a_class_may_be_called_like_a_namespace() -> None:
    files = {
        "Node.php": "<?php\nnamespace Lang;\ninterface Node {}\n",
        "Node/Name.php": "<?php\nnamespace Lang\\Node;\nclass Name implements \\Lang\\Node {}\n",
        "Node/Name/Full.php": "<?php\nnamespace Lang\\Node\\Name;\nclass Full extends \\Lang\\Node\\Name {}\n",
        "a.php": (
            "<?php\nnamespace Lang\\Parse;\nuse Lang\\Node;\nuse Lang\\Node\\Name;\n"
            "function go() { new Node\\Name; new Name; new Name\\Full; new \\Lang\\Node\\Name\\Full; }\n"
        ),
        "b.php": "<?php\nnamespace Lang;\nfunction near() { new Node\\Name\\Full; }\n",
    }
    assert {
        ("a.php::go", "Node/Name.php::Name", "receiver 0.95"),
        ("a.php::go", "Node/Name.php::Name", "import 1"),
        ("a.php::go", "Node/Name/Full.php::Full", "receiver 0.95"),
        ("b.php::near", "Node/Name/Full.php::Full", "receiver 0.95"),
    } == edges_between(files)


@pytest.mark.parametrize(
    "body",
    [
        "$one = $it ?? new Item(); $one->weigh();",
        "$one = $good ? new Item() : null; $one?->weigh();",
        "$one = $good ?: new Item(); $one->weigh();",
        "$one = $it; $one->weigh();",
        "$one = $it->same() ?? null; $one->weigh();",
        "$crate->made()->weigh();",
        "$crate->kept->weigh();",
    ],
)
def test_values_of_php_are_followed_that_are_chosen(body: str) -> None:
    source = f"""<?php
class Item {{ function weigh() {{}} function same(): ?Item {{ return $this; }} }}
class Bag {{ function weigh() {{}} }}
class Crate {{
    private $own; public $kept;
    function __construct($kept = null) {{ $this->kept = $kept ?? new Item(); }}
    function made() {{ return $this->own ??= new Item(); }}
}}
function g(?Item $it, Crate $crate, $good) {{ {body} }}
"""
    drawn = {edge for edge in edges_between({"a.php": source}) if edge[0] == "a.php::g" and "weigh" in edge[1]}
    assert {("a.php::g", "a.php::Item.weigh")} == {edge[:2] for edge in drawn}
    assert not any("ambiguous" in edge[2] for edge in drawn)
