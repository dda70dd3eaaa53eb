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


def test_a_namespace_is_no_use_of_the_class_of_its_name() -> None:
    files = {
        "Finder.php": "<?php\nnamespace Acme\\Finder;\nclass Finder {}\n",
        "Glob.php": "<?php\nnamespace Acme\\Finder;\nclass Glob { function made(): Finder {} }\n",
        "Find.php": "<?php\nnamespace Acme\\Finder { class Find {} }\n",
    }
    assert {("Glob.php::Glob.made", "Finder.php::Finder", "scope 1")} == edges_between(files, "references")


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("class Kid extends Base { use Soft; function go() { $this->delete(); } }", "Soft.delete"),
        ("class Kid extends Base { use Soft; } function go(Kid $it) { $it->delete(); }", "Soft.delete"),
        (
            "class Kid extends Base { use Soft; } class A extends Kid { function go() { parent::delete(); } }",
            "Soft.delete",
        ),
        ("class Kid extends Base { use Soft; function go() { parent::delete(); } }", "Base.delete"),
        ("class Kid extends Base { use Soft; function go() { parent::made()->show(); } }", "Base.show"),
        ("class Kid extends Base { use Asking; function go() { $this->delete(); } }", "Base.delete"),
        ("class Kid { use Asking; function go() { $this->delete(); } }", "Asking.delete"),
        ("class Kid extends Base { use Soft; function delete() {} function go() { $this->delete(); } }", "Kid.delete"),
        ("enum Kid { use Soft; function go() { $this->delete(); } }", "Soft.delete"),
    ],
)
def test_a_trait_comes_before_the_class_that_is_inherited_from(body: str, called: str) -> None:
    source = f"""<?php
trait Soft {{ public function delete(): void {{}} function show() {{}} function made(): Soft {{}} }}
trait Asking {{ abstract public function delete(): void; }}
class Base {{ public function delete(): void {{}} function show() {{}} function made(): Base {{}} }}
{body}
"""
    drawn = {edge for edge in edges_between({"a.php": source}) if edge[0].endswith("go")}
    assert {f"a.php::{called}"} == {target for _, target, _ in drawn if not target.endswith(".made")}
    assert not any("ambiguous" in how for _, _, how in drawn)


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("[$this, 'each']", {"Router.each"}),
        ('[self::class, "all"]', {"Router.all"}),
        ("[Posts::class, 'index']", {"Posts.index", "Posts"}),
        ("[\\App\\Posts::class, 'index']", {"Posts.index", "Posts"}),
        ("[Posts::class, 'no such']", {"Posts"}),
        ("[$it, 'each'], [$this->it, 'each'], [$this, 'each', 'all'], [$this, 'its'], ['a' => $this, 'each']", set()),
    ],
)
def test_a_method_that_is_to_be_called_back_is_referred_to(written: str, named: set[str]) -> None:
    files = {
        "a.php": "<?php\nnamespace App;\nclass Posts { function index() {} }\n",
        "b.php": (
            "<?php\nnamespace Web;\nuse App\\Posts;\nclass Router {\n    private $its;\n    function each() {}\n"
            f"    static function all() {{}}\n    function go() {{ add({written}); }}\n}}\n"
        ),
    }
    assert named == {target.partition("::")[2] for _, target, _ in edges_between(files, "references")}


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("add_action('init', 'boot')", {"boot"}),
        ('usort($all, "boot")', {"boot"}),
        ("new TwigFilter('start', 'boot', ['is_safe' => true])", {"boot"}),
        ("new \\Twig\\TwigFunction('all', 'Web\\Till::all'), new Other('all', 'boot')", {"Till.all"}),
        ("array_map('\\\\Web\\\\Till::all', $all)", {"Till.all"}),
        ("array_map('Web\\Till::all', $all)", {"Till.all"}),
        ("call_user_func(['Web\\Till', 'all'])", {"Till.all"}),
        ("call_user_func('self::own')", {"Shop.own"}),
        ("add_action('boot', 'other'), add_filter('x', 'boot now'), strlen('boot'), 'boot'", set()),
        ("call_user_func([$it, 'own'], 'boot'), array_map(['boot' => 1, 2], [1, 'boot'])", set()),
    ],
)
def test_a_text_that_names_what_is_to_be_called_back_refers_to_it(written: str, named: set[str]) -> None:
    files = {
        "boot.php": "<?php\nfunction boot() {}\n$other = 1;\n",
        "till.php": "<?php\nnamespace Web;\nclass Till { static function all() {} }\n",
        "shop.php": (
            "<?php\nclass Shop {\n    static function own() {}\n"
            f"    function go($all, $it) {{ return [{written}]; }}\n}}\n"
        ),
    }
    assert named == {target.partition("::")[2] for _, target, _ in edges_between(files, "references")}


def test_methods_of_traits_by_other_names_and_of_an_enums_values_are_called() -> None:
    files = {
        "a.php": """<?php
trait Owed { function owe() {} }
trait Paid { function pay() {} function owe() {} }
enum Status: string { case Live = 'a'; case Gone = 'b'; const FIRST = self::Live; function label() {} }
class Other { function label() {} function settle() {} }
class Cart {
    use Owed, Paid { pay as settle; Paid::owe as protected borrow; Owed::owe as lend; pay as private; }
    function pay() { $this->lend(); }
    function go() { $this->settle(); $this->borrow(); }
}
class Kid extends Cart { function go() { $this->settle(); } }
function one(Cart $cart) { $cart->settle(); Status::Live->label(); }
function two() { $it = Status::Gone; $it->label(); }
""",
    }
    assert {
        ("a.php::Cart.go", "a.php::Paid.pay", "type 0.85"),
        ("a.php::Cart.go", "a.php::Paid.owe", "type 0.85"),
        ("a.php::Cart.pay", "a.php::Owed.owe", "type 0.85"),
        ("a.php::Kid.go", "a.php::Paid.pay", "type 0.85"),
        ("a.php::one", "a.php::Paid.pay", "type 0.85"),
        ("a.php::one", "a.php::Status.label", "type 0.85"),
        ("a.php::two", "a.php::Status.label", "type 0.85"),
    } == edges_between(files)


def test_a_call_that_may_mean_many_hides_no_method_that_is_referred_to() -> None:
    files = {
        "a.php": "<?php\nnamespace App;\nclass Posts { function pay() {} }\n",
        "b.php": "<?php\nnamespace Shop;\nclass Bills { function pay() {} }\n",
        "routes.php": (
            "<?php\nuse App\\Posts;\nRoute::post('/p', [Posts::class, 'pay']);\n"
            "Route::get('/s', fn($it) => $it->pay());\n"
        ),
    }
    assert (
        {
            ("routes.php", "a.php::Posts.pay", "receiver 0.95"),
            ("routes.php", "a.php::Posts", "import 1"),
        }
        >= edges_between(files, "references")
        > set()
    )
    assert ("routes.php", "a.php::Posts.pay", "ambiguous 0.25") in edges_between(files)


def test_what_is_inherited_or_named_behind_backslashes_is_what_those_lead_to() -> None:
    files = {
        "src/Exception.php": "<?php\nnamespace Shop;\nclass Exception extends \\Exception {}\nclass Bill {}\n",
        "src/Bill/Paper.php": "<?php\nnamespace Shop\\Bill;\nclass Paper { const SIZE = 4; }\n",
        "src/use.php": (
            "<?php\nnamespace Shop;\n"
            "use Other\\Bill\\Sheet;\nuse Shop\\Bill\\Paper as Page;\n"
            "class Own extends Exception {}\nclass Top extends \\Exception {}\n"
            "function caught() { try {} catch (\\Exception $e) {} }\n"
            "function known() { return Bill\\Paper::SIZE; }\n"
            "function unknown($it) { return $it instanceof \\Shop\\Bill\\Missing; }\n"
            "function whole($it) { return $it instanceof \\Shop\\Bill\\Paper; }\n"
        ),
    }
    assert {("src/use.php::Own", "src/Exception.php::Exception", "import 1")} == edges_between(files, "inherits")
    assert {
        ("src/use.php::known", "src/Bill/Paper.php::Paper.SIZE", "receiver 0.95"),
        ("src/use.php::whole", "src/Bill/Paper.php::Paper", "import 1"),
    } == edges_between(files, "references")
