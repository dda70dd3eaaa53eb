"""``ctxcode symbol``, ``refs``, ``path`` and ``map`` as processes on a real folder."""

import os
import subprocess
from pathlib import Path

import pytest
from command import Outcome, run_here
from sample_repository import write_sample


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    repository = write_sample(tmp_path_factory.mktemp("shop"))
    (repository / "shop" / "basket.py").write_text("from shop.cart import Cart\n\n\nclass Basket(Cart):\n    pass\n")
    (repository / "shop" / "names.py").write_text("import numpy as np\nimport shop.cart as c\n")
    return tmp_path_factory.mktemp("home"), repository


def look(shop: tuple[Path, Path], *words: str) -> Outcome:
    home, repository = shop
    return run_here(home, *words, "--repo", str(repository))


def test_a_definition_is_shown_with_place_signature_and_use(shop: tuple[Path, Path]) -> None:
    outcome = look(shop, "symbol", "Cart.checkout")
    assert (0, "") == (outcome.code, outcome.err)
    assert outcome.out.startswith("shop/cart.py:16  method shop.cart.Cart.checkout\n")
    assert "def checkout(self) -> int" in outcome.out
    assert "lines 16-18, 1 reference" in outcome.out
    assert "    line 5, " in look(shop, "symbol", "VAT_PERCENT").out


def test_a_definition_as_json_tells_its_span_and_members(shop: tuple[Path, Path]) -> None:
    found = look(shop, "symbol", "Cart", "--format", "json").json()
    (cart,) = found["definitions"]
    assert ("Cart", True) == (found["name"], found["exists"])
    assert ("class", "shop/cart.py", 6, 18) == (cart["kind"], cart["path"], cart["start_line"], cart["end_line"])
    assert "shop.cart.Cart.checkout" in [member["symbol"] for member in cart["members"]]


def test_an_inherited_member_is_found_at_its_base(shop: tuple[Path, Path]) -> None:
    found = look(shop, "symbol", "Basket.checkout", "--format", "json").json()
    assert "Cart.checkout" == found["respelled"]
    assert ["shop.cart.Cart.checkout"] == [one["symbol"] for one in found["definitions"]]


def test_a_private_member_of_javascript_is_found_by_its_sign(tmp_path: Path) -> None:
    repository = tmp_path / "till"
    repository.mkdir()
    (repository / "till.ts").write_text("class Till { #count() {} pay() { this.#count(); } }\n")
    for name in ("#count", "Till.#count", "Till#count"):
        assert look((tmp_path, repository), "symbol", name).out.startswith("till.ts:1  method till.Till.#count\n")
    assert "till.Till.pay calls it" in look((tmp_path, repository), "refs", "#count").out
    assert look((tmp_path, repository), "symbol", "Till#pay").out.startswith("till.ts:1  method till.Till.pay\n")


def test_a_script_comes_before_the_declarations_of_what_it_defines(tmp_path: Path) -> None:
    repository = tmp_path / "till"
    repository.mkdir()
    (repository / "till.js").write_text("export class Till { pay() {} }\n")
    (repository / "till.d.ts").write_text("export class Till { pay(): void }\nexport function open(): Till;\n")
    for name in ("Till", "Till.pay"):
        found = look((tmp_path, repository), "symbol", name, "--format", "json").json()
        assert ["till.js", "till.d.ts"] == [one["path"] for one in found["definitions"]]


def test_a_name_leads_to_what_an_import_stands_for(shop: tuple[Path, Path]) -> None:
    found = look(shop, "symbol", "c.Cart", "--format", "json").json()
    assert ["shop.cart.Cart"] == [one["symbol"] for one in found["definitions"]]
    assert "c stands for shop.cart in shop/names.py:2" == found["because"]


def test_what_is_not_proved_absent_is_not_said_to_be(shop: tuple[Path, Path]) -> None:
    found = look(shop, "symbol", "np.checkout", "--format", "json").json()
    assert (False, False) == (found["exists"], found["proved"])
    assert ["np stands for numpy in shop/names.py:1, which leads to nothing in the index."] == found["because"]
    assert ["shop.cart.Cart.checkout"] == [one["symbol"] for one in found["namesakes"]]
    text = look(shop, "symbol", "numpy").out
    assert "but it is written here:\n  shop/names.py:1  import numpy as np" in text


def test_neither_a_short_name_nor_a_file_that_was_too_large_is_passed_over(tmp_path: Path) -> None:
    repository = tmp_path / "short"
    repository.mkdir()
    (repository / "app.py").write_text("def start(x):\n    x.db = connect()\n")
    (repository / "rows.py").write_text("row = 1\n" * 200_000)
    found = look((tmp_path, repository), "symbol", "db", "--format", "json").json()
    assert (False, 1) == (found["proved"], found["searched"]["unread"])
    text = look((tmp_path, repository), "symbol", "db").out
    assert "There is no" not in text
    assert "ctxcode index says why. It is written here:\n  app.py:2  x.db = connect()" in text


def test_a_name_that_is_only_spelled_in_another_way_is_not_said_to_be_nowhere(tmp_path: Path) -> None:
    repository = tmp_path / "spelled"
    repository.mkdir()
    (repository / "app.py").write_text("class Settings:\n    pass\n\n\ndef load(settings):\n    return settings\n")
    text = look((tmp_path, repository), "symbol", "settings").out
    assert text.startswith("No definition is called 'settings'; this is 'Settings'.\n")


def test_a_name_of_a_shell_is_found_as_it_is_written(tmp_path: Path) -> None:
    repository = tmp_path / "deploy"
    repository.mkdir()
    (repository / "deploy.sh").write_text("log::info() { echo; }\nlog::info started\n")
    for written in ("log::info", "log:info"):
        assert "1 reference to deploy.log:info\n  deploy.sh:2  deploy calls it\n" == (
            look((tmp_path, repository), "refs", written).out
        )


def test_where_uses_are_not_followed_the_text_tells_where_the_name_stands(tmp_path: Path) -> None:
    repository = tmp_path / "web"
    repository.mkdir()
    (repository / "shop.css").write_text(".checkout-total {\n  color: red;\n}\n.unused-name { color: red; }\n")
    (repository / "cart.html").write_text('<p class="checkout-total"></p>\n')
    (repository / "cart.lua").write_text("function alone() end\n")
    web = tmp_path, repository
    assert "What uses it is not followed in css; its name stands here:\n  cart.html:1  <p" in (
        look(web, "refs", "checkout-total").out
    )
    assert "What uses it is not followed in css.\n" in look(web, "refs", "unused-name").out
    assert "0 references to cart.alone\n" == look(web, "refs", "alone").out
    followed = [
        look(web, "refs", name, "--format", "json").json()["definitions"][0]["followed"]
        for name in ("checkout-total", "alone")
    ]
    assert [False, True] == followed


@pytest.mark.parametrize("command", ["symbol", "refs"])
def test_a_name_that_does_not_exist_is_proved_absent_with_nearest_names(shop: tuple[Path, Path], command: str) -> None:
    outcome = look(shop, command, "chekout", "--format", "json")
    found = outcome.json()
    assert (1, "", False) == (outcome.code, outcome.err, found["exists"])
    assert "checkout" == found["nearest"][0]
    assert (True, []) == (found["proved"], found["written"])
    assert found["searched"]["symbols"] > 10
    text = look(shop, command, "chekout").out
    assert text.startswith("There is no 'chekout' here: it is not among the ")
    assert "nearest: checkout" in text


def test_files_that_could_not_be_read_leave_a_name_unproved(tmp_path: Path) -> None:
    shop = tmp_path, write_sample(tmp_path / "shop")
    with open(os.fsencode(shop[1]) + b"/bad\xff.py", "wb"):  # noqa: PTH123 - a name that is no text
        pass
    outcome = look(shop, "path", "chekout", "Cart", "--format", "json")
    assert (1, False, 1) == (outcome.code, outcome.json()["proved"], outcome.json()["searched"]["unread"])
    text = look(shop, "symbol", "chekout").out
    assert text.startswith("No definition is called 'chekout' among the ")
    assert ". 1 file could not be read: ctxcode index says why.\n  nearest: checkout" in text
    text = look(shop, "refs", "Cart.total_of").out
    assert text.startswith("No definition is called 'Cart.total_of' in full, which does not prove")
    assert " 1 file could not be read" in text


def test_what_a_type_does_not_have_is_proved_absent_and_who_has_it_is_told(shop: tuple[Path, Path]) -> None:
    found = look(shop, "symbol", "Cart.total_of", "--format", "json").json()
    assert (False, True) == (found["exists"], found["proved"])
    text = look(shop, "symbol", "Cart.total_of").out
    assert text.startswith("There is no 'Cart.total_of' here. Cart (shop/cart.py:")
    assert "'total_of' by itself is:\n  shop/" in text


MEMBERS = {
    "kinds.py": "class Base:\n    limit = 3\n\n    def __init__(self):\n        self.size = limit(4)\n\n\n"
    "class Kind(Base):\n    CLOSE = 8\n    __slots__ = ('place',)\n",
    "view.js": "class View {\n  constructor() { this.width = 3; other.height = 4 }\n}\n",
    "shop.rb": "Point = Struct.new(:px, :py)\n",
    "box.go": "package box\n\ntype Box struct{ Width int }\n\nfunc wide(b Box) int { return b.Width }\n",
}


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a home and types whose members no definitions are."""
    home = tmp_path_factory.mktemp("kinds")
    (home / "kinds").mkdir()
    for name, text in MEMBERS.items():
        (home / "kinds" / name).write_text(text, encoding="utf-8")
    return home, home / "kinds"


@pytest.mark.parametrize(
    ("member", "place"),
    [
        ("Kind.size", "kinds.py:5  self.size = limit(4)"),
        ("Kind.place", "kinds.py:10  __slots__ = ('place',)"),
        ("View.width", "view.js:2  constructor() { this.width = 3; other.height = 4 }"),
    ],
)
def test_a_member_that_a_types_text_gives_is_not_proved_absent(
    kinds: tuple[Path, Path], member: str, place: str
) -> None:
    text = look(kinds, "symbol", member).out
    assert text.startswith(f"No definition is called '{member}' among the ")
    assert f"holds {member.partition('.')[2]} without such a definition. It is written here:\n  {place}\n" in text
    found = look(kinds, "symbol", member, "--format", "json").json()
    assert (False, place.partition("  ")[2]) == (found["proved"], found["written"][0]["text"])


@pytest.mark.parametrize(
    ("member", "place"),
    [
        ("Kind.CLOSE", "kinds.py:9  constant kinds.Kind.CLOSE\n    CLOSE = 8\n"),
        ("Base.limit", "kinds.py:2  field kinds.Base.limit\n    limit = 3\n"),
        ("Point.px", "shop.rb:1  method shop.Point.px\n"),
    ],
)
def test_what_a_class_gives_a_name_to_is_found(kinds: tuple[Path, Path], member: str, place: str) -> None:
    assert look(kinds, "symbol", member).out.startswith(place)


@pytest.mark.parametrize("member", ["Kind.width", "View.height", "Base.CLOSE", "Point.pz"])
def test_a_member_that_only_others_have_is_proved_absent(kinds: tuple[Path, Path], member: str) -> None:
    found = look(kinds, "symbol", member, "--format", "json").json()
    assert (True, []) == (found["proved"], found["written"])


def test_of_a_fields_uses_it_is_said_that_they_are_not_followed(kinds: tuple[Path, Path]) -> None:
    text = look(kinds, "refs", "Box.Width").out
    told = "What uses a field without the name of its type is not followed; its name stands here:"
    assert f"0 references to box.Box.Width\n{told}\n  box.go:5  func wide" in text
    assert [False] == [
        one["followed"] for one in look(kinds, "refs", "Box.Width", "--format", "json").json()["definitions"]
    ]


def test_references_tell_where_and_how_sure(shop: tuple[Path, Path]) -> None:
    found = look(shop, "refs", "total_of", "--format", "json").json()
    rows = {(row["kind"], row["symbol"], row["path"], row["line"]) for row in found["definitions"][0]["references"]}
    assert ("calls", "shop.cart.Cart.checkout", "shop/cart.py", 18) in rows
    assert all(0 < row["confidence"] <= 1 for row in found["definitions"][0]["references"])
    assert "  shop/cart.py:18  shop.cart.Cart.checkout calls it\n" in look(shop, "refs", "total_of").out


def test_tests_and_mere_names_are_references_of_their_own(shop: tuple[Path, Path]) -> None:
    tested = look(shop, "refs", "Cart.checkout", "--format", "json").json()["definitions"][0]["references"]
    assert {"calls", "tests"} == {row["kind"] for row in tested}
    assert {"naming"} == {row["resolution"] for row in tested if row["kind"] == "tests"}
    assert "  tests/test_cart.py:8  tests.test_cart.test_checkout_adds_tax calls and tests it\n" in (
        look(shop, "refs", "Cart.checkout").out
    )
    named = look(shop, "refs", "Price", "--format", "json").json()["definitions"][0]["references"]
    assert ("references", "shop.price.total_of") in {(row["kind"], row["symbol"]) for row in named}


def test_a_path_is_a_chain_of_edges(shop: tuple[Path, Path]) -> None:
    found = look(shop, "path", "Cart.checkout", "Price.with_tax", "--format", "json").json()
    assert (True, False) == (found["found"], found["reversed"])
    assert ["shop.price.total_of", "shop.price.Price.with_tax"] == [step["target"] for step in found["steps"]]
    assert "calls shop.price.total_of  at shop/cart.py:18" in look(shop, "path", "Cart.checkout", "Price.with_tax").out


def test_a_path_that_only_leads_back_says_so(shop: tuple[Path, Path]) -> None:
    outcome = look(shop, "path", "Price.with_tax", "Cart.checkout")
    assert 0 == outcome.code
    assert outcome.out.startswith("Nothing leads from shop.price.Price.with_tax to shop.cart.Cart.checkout; the other")


def test_no_path_is_a_failure_and_an_absent_end_is_proved(shop: tuple[Path, Path]) -> None:
    assert 1 == look(shop, "path", "sendCart", "Cart.checkout").code
    found = look(shop, "path", "Cart", "Kart", "--format", "json").json()
    assert ("Kart", False) == (found["name"], found["exists"])


def test_the_map_is_the_scaffold_a_model_sees(shop: tuple[Path, Path]) -> None:
    found = look(shop, "map", "--format", "json").json()
    assert "tree" == found["items"][0]["kind"]
    assert found["tokens"] == sum(item["tokens"] for item in found["items"]) <= 600
    text = look(shop, "map").out
    assert text == "".join(item["text"] for item in found["items"])
    assert "cart.py" in text


def test_an_empty_name_is_wrong_usage(shop: tuple[Path, Path]) -> None:
    assert 2 == look(shop, "symbol", " ").code
    assert 2 == look(shop, "path", "Cart", "").code


def test_the_map_shows_where_a_project_is_entered(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    (repository / "pyproject.toml").write_text(
        '[project.scripts]\nshop = "shop.price:total_of"\ngone = "shop.no:where"\n'
    )
    (repository / "main.go").write_text("package main\n\nfunc main() {\n}\n")
    (repository / "tests").mkdir(exist_ok=True)
    (repository / "tests" / "runner.py").write_text("def main():\n    pass\n")
    rows = look((tmp_path, repository), "map", "--mode", "heavy", "--format", "json").json()["items"]
    details = {row["symbol"]: row["reasons"][0]["detail"] for row in rows}

    assert "runs as shop" == details["shop.price.total_of"]
    assert ["main.go"] == [row["path"] for row in rows if row["reasons"][0]["detail"] == "entry point"]


def reasons(home: Path, files: dict[str, str]) -> dict[str, str]:
    """Return why the map shows each definition of a small repository."""
    repository = home / "made"
    for path, text in files.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    rows = look((home, repository), "map", "--mode", "heavy", "--format", "json").json()["items"]
    return {row["symbol"]: row["reasons"][0]["detail"] for row in rows}


def test_the_map_shows_routes(tmp_path: Path) -> None:
    files = {
        "app.py": "app = Flask(__name__)\n\n@app.route('/')\ndef index():\n    return ''\n\ndef other():\n    pass\n",
        "tests/test_app.py": "@app.route('/x')\ndef fake():\n    return ''\n",
    }
    assert "a route" == reasons(tmp_path, files)["app.index"]
    files = {
        "site/urls.py": "from . import views\n\nurlpatterns = [path('', views.home)]\n",
        "site/views.py": "def home(request):\n    pass\n\ndef helper():\n    pass\n",
    }
    assert "a route" == reasons(tmp_path / "two", files)["site.views.home"]


def test_the_map_shows_what_starts_a_program_without_a_main(tmp_path: Path) -> None:
    files = {
        "src/main.ts": "async function bootstrap() {}\nbootstrap();\n",
        "src/other.ts": "export function bootstrap() {}\n",
    }
    found = reasons(tmp_path, files)
    assert {"src.main.bootstrap": "entry point"} == {name: why for name, why in found.items() if why}
    files = {
        "Shop/Program.cs": 'var app = builder.Build();\napp.MapGet("/", () => "");\napp.MapGet("/x", Api.List);\n',
        "Shop/Api.cs": "public static class Api\n{\n    public static int List() => 1;\n}\n",
        "Tool/Program.cs": "class Program\n{\n    static void Main() { }\n}\n",
    }
    found = reasons(tmp_path / "two", files)
    assert {"Program": "entry point", "Api.Api.List": "a route"} == {name: why for name, why in found.items() if why}


def test_of_many_programs_one_is_shown_before_the_first_route(tmp_path: Path) -> None:
    files = {f"cmd/{name}/main.go": "package main\n\nfunc main() {\n}\n" for name in ("one", "two", "three")}
    files["api/list.go"] = (
        'package api\n\nfunc New(r *gin.Engine) {\n\tr.GET("/x", list)\n}\n\nfunc list(c *gin.Context) {\n}\n'
    )
    assert ["entry point", "a route"] == [*reasons(tmp_path, files).values()][1:3]


def test_the_map_shows_nothing_that_only_adds_to_types_of_others(tmp_path: Path) -> None:
    files = {
        "core_ext/object.rb": "class Object\n  def presence; self; end\n  def blank?; presence; end\nend\n",
        "cart.rb": "class Cart\n  def total; presence; end\n  def empty; presence; end\nend\n",
    }
    assert ["module tree", "cart.Cart"] == [*reasons(tmp_path, files)]


def test_the_map_shows_routes_made_by_calls(tmp_path: Path) -> None:
    files = {
        "routes/orders.js": (
            "const orders = require('../orders');\n"
            "router.get('/orders', auth, orders.list);\n"
            "router.post(\n  '/orders',\n  wrapped(orders.create),\n);\n"
            "const found = client.get('/no/route', orders.helper);\n"
        ),
        "orders.js": (
            "exports.list = function list(req, res) {};\nfunction create(req, res) {}\nfunction helper() {}\n"
            "module.exports.create = create;\n"
        ),
        "test/app.test.js": "function fake() {}\napp.get('/fake', fake);\n",
    }
    found = reasons(tmp_path, files)
    assert {"orders.list", "orders.create"} == {name for name, why in found.items() if why == "a route"}
    files = {"app.ts": "export function serve(app) {\n  app.get('/', (request, answer) => {});\n}\n"}
    assert "a route" == reasons(tmp_path / "two", files)["app.serve"]


@pytest.mark.parametrize(
    "written",
    [
        "router.route('/').get(first).post(auth, second);\n",
        "router\n  .route('/:id')\n  .get(auth, first) // anyone\n  // owners\n  .put(check({ a: [1] }), second)\n",
    ],
)
def test_the_map_shows_routes_of_a_chain(tmp_path: Path, written: str) -> None:
    files = {
        "routes/orders.js": f"const {{ first, second }} = require('../orders');\n{written}",
        "orders.js": "function first() {}\nfunction second() {}\nmodule.exports = { first, second };\n",
    }
    found = reasons(tmp_path, files)
    assert {"orders.first", "orders.second"} == {name for name, why in found.items() if why == "a route"}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # What builds, checks or generates the product comes after it, however far out it stands.
        (("build.go", "hack/verify.go", "cmd/shop/main.go", "cmd/shop/options.go", "cmd/gen/main.go"), "cmd/shop/main"),
        (("deps/sds/sds.c", "src/bench.c", "src/server.c", "CMake/probe.c"), "src/server"),
        (("tools/lint.c",), "tools/lint"),
        (("example_use.go", "cmd/shop/main.go"), "cmd/shop/main"),
    ],
)
def test_of_several_programs_the_map_shows_the_one_that_says_most(
    tmp_path: Path, files: tuple[str, ...], expected: str
) -> None:
    bodies = {
        "go": "package main\n\nfunc main() {\n}\n\nfunc Other%d() {\n}\n",
        "c": "int helper%d(void)\n{\n\treturn 1;\n}\n\nint main(void)\n{\n\treturn 0;\n}\n",
    }
    texts = {path: bodies[path.rpartition(".")[2]] % number for number, path in enumerate(files)}
    texts = {
        path: text.replace("main()", "mine()") if path.endswith("options.go") else text for path, text in texts.items()
    }
    texts["src/user.c"] = "int helper2(void);\n\nint use(void)\n{\n\treturn helper2();\n}\n"
    found = reasons(tmp_path, texts)
    assert [expected] == [
        name.rpartition(".")[0].replace(".", "/") for name, why in found.items() if why == "entry point"
    ]


def test_the_map_shows_what_stands_in_namespaces_not_those(tmp_path: Path) -> None:
    files = {
        "lib/base.rb": "module Shop\n  module Rules\n    class Base\n      def check; end\n    end\n  end\nend\n",
        "lib/tax.rb": "module Shop\n  module Rules\n    class Tax < Base\n    end\n  end\nend\n",
        "include/log.h": "namespace shop {\nclass Sink {\n public:\n  void write(int level);\n};\n}\n",
        "src/log.cpp": '#include "../include/log.h"\nnamespace shop {\nvoid Sink::write(int level) {}\n'
        "void log(Sink &sink) { sink.write(1); }\n}\n",
    }
    found = {name for name, why in reasons(tmp_path, files).items() if why == ""}
    assert {"lib.base.Shop.Rules.Base", "include.log.shop.Sink"} <= found
    assert not found & {"lib.base.Shop", "lib.base.Shop.Rules", "include.log.shop"}


def test_the_map_shows_the_file_whose_routes_have_handlers_without_a_name(tmp_path: Path) -> None:
    files = {
        "server.js": "const app = express();\napp.get('/', (req, res) => res.end());\n",
        "app.js": "router.route('/').get(function (req, res) {}).delete(unknown);\n",
    }
    found = reasons(tmp_path, files)
    assert {"server", "app"} == {name for name, why in found.items() if why == "a route"}


def test_the_map_shows_the_commands_and_the_offer_of_a_package(tmp_path: Path) -> None:
    files = {
        "package.json": '{"name": "tool", "bin": {"tool": "./dist/cli.js"}, "main": "lib"}',
        "src/cli.ts": "export function start() {}\n",
        "lib/index.js": "module.exports = require('./tool');\n",
        "lib/tool.js": "exports.cut = function () {};\n",
    }
    found = reasons(tmp_path, files)
    assert "runs as tool" == found["src.cli.start"]
    assert "what the package offers" == found["lib.tool.cut"]
    files = {
        "package.json": '{"main": "./index.cjs"}',
        "src/index.ts": "export function cut() {}\n",
        "index.cjs": "exports.cut = function () {};\n",
        "index.d.cts": "export declare function cut(): void;\n",
    }
    assert "what the package offers" == reasons(tmp_path / "built", files)["src.cut"]


def test_the_map_shows_what_a_crate_offers_and_not_what_builds_it(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "build.rs": "fn main() {}\n",
        "src/lib.rs": "mod cart;\npub use cart::Cart;\n",
        "src/cart.rs": "pub struct Cart;\n\nimpl Cart {\n    pub fn total(&self) -> u32 {\n        1\n    }\n}\n",
    }
    found = reasons(tmp_path, files)
    assert ["what the package offers"] == [why for name, why in found.items() if name.endswith("Cart")]
    assert "entry point" not in found.values()


def test_the_map_shows_first_the_program_that_is_called_like_its_crate(tmp_path: Path) -> None:
    bins = '[[bin]]\nname = "audit"\n\n[[bin]]\nname = "shop"\npath = "src/cli/run.rs"\n'
    files = {
        "Cargo.toml": f'[package]\nname = "shop"\n\n{bins}',
        "src/helper.c": "int main(void) { return 0; }\n",
        "src/cli/run.rs": "fn main() {}\n",
        "src/bin/audit.rs": "fn main() {}\n",
    }
    found = {name: why for name, why in reasons(tmp_path, files).items() if why}
    assert ("run.main", "runs as shop") == next((name[-len("run.main") :], why) for name, why in found.items())


def test_the_map_knows_where_a_program_of_a_crate_is_that_has_no_path(tmp_path: Path) -> None:
    for name, path in (("shop", "src/main.rs"), ("audit", "src/bin/audit/main.rs")):
        manifest = f'[package]\nname = "shop"\n\n[[bin]]\nname = "{name}"\n'
        assert f"runs as {name}" in reasons(tmp_path / name, {"Cargo.toml": manifest, path: "fn main() {}\n"}).values()


def test_the_map_shows_the_program_that_is_called_like_its_module(tmp_path: Path) -> None:
    files = {
        "go.mod": "module host.org/tools/shop/v2 // the shop\n\ngo 1.22\n",
        "cmd/audit/main.go": "package main\n\nfunc main() {\n\tcheck()\n}\n\nfunc check() {}\n",
        "cmd/shop/main.go": "package main\n\nfunc main() {}\n",
    }
    assert "runs as shop" in reasons(tmp_path, files).values()
    files = {"shop_main.lua": "local function main() end\nreturn main\n", "main.cc": "int main() { return 0; }\n"}
    assert ["main.main"] == [name for name, why in reasons(tmp_path / "hosted", files).items() if why]


def test_the_map_shows_all_of_a_script_that_offers_nothing_to_run(tmp_path: Path) -> None:
    files = {
        "package.json": '{"name": "lint", "bin": {"lint": "./bin/lint.js"}}',
        "bin/lint.js": "function readInput() {}\n(async () => { await readInput(); })();\n",
    }
    assert "runs as lint" == reasons(tmp_path, files)["bin.lint"]
    assert "runs as lint" == reasons(tmp_path / "bare", {**files, "bin/lint.js": "console.log(1);\n"})["bin.lint"]
    main = "import { other } from './other.js';\nexport function cli() {}\nexport function help() { other(); }\n"
    found = reasons(tmp_path / "named", {**files, "bin/lint.js": main, "bin/other.js": "export function other() {}\n"})
    assert "runs as lint" == found["bin.lint.cli"]


def test_the_map_shows_the_commands_of_gems_and_of_packages_of_php(tmp_path: Path) -> None:
    gem = {
        "exe/shop": "#!/usr/bin/env ruby\nShop::CLI.new.run\n",
        "lib/shop.rb": "module Shop\n  class CLI; end\nend\n",
    }
    found = reasons(tmp_path / "gem", {**gem, "shop.gemspec": "Gem::Specification.new\n"})
    assert "runs as shop" == found["exe.shop"]
    assert "runs as shop" not in reasons(tmp_path / "none", gem).values()
    php = {"composer.json": '{"bin": ["./bin/shop", 3]}', "bin/shop": "#!/usr/bin/env php\n<?php\nrun();\n"}
    assert "runs as shop" in reasons(tmp_path / "php", php).values()


@pytest.mark.parametrize(
    "manifest", ["[project", "[project]\nscripts = 3\n", '[project.scripts]\na = ["x"]\n', "a = " + "[" * 5_000]
)
def test_a_manifest_that_makes_no_sense_is_passed_over(tmp_path: Path, manifest: str) -> None:
    repository = write_sample(tmp_path / "shop")
    (repository / "pyproject.toml").write_text(manifest)
    (repository / "setup.cfg").write_text("[options\nentry_points = x")
    outcome = look((tmp_path, repository), "map", "--mode", "heavy")
    assert (0, "") == (outcome.code, outcome.err)


def test_a_name_with_a_line_feed_forges_no_line(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    (repository / "a\nshop\tb.py").write_text("def forged(): return forged_too()\ndef forged_too(): pass\n")
    (repository / "c\nskipped.py").write_bytes(b"\0")
    shop = (tmp_path, repository)
    listed = run_here(tmp_path, "index", str(repository)).out
    assert "skipped c␊skipped.py: binary" in listed
    assert "a␊shop␉b.py:1  function a␊shop␉b.forged" in look(shop, "symbol", "forged").out
    assert "a␊shop␉b.py:1  a␊shop␉b.forged calls it" in look(shop, "refs", "forged_too").out
    assert "from a␊shop␉b.forged, a␊shop␉b.py:1" in look(shop, "path", "forged", "forged_too").out


def test_many_files_left_out_are_counted_by_reason(tmp_path: Path) -> None:
    repository = write_sample(tmp_path / "shop")
    for number in range(23):
        (repository / f"n{number}.py").write_bytes(b"\0")
    (repository / "min.js").write_text("a=1;" * 5_000)
    listed = run_here(tmp_path, "index", str(repository)).out
    assert "… 4 more skipped; --format json lists all\nskipped in all: binary 23, minified 1\n" in listed


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    repository = tmp_path_factory.mktemp("endless")
    steps = "".join(f"def step{number}(): step{number + 1}()\n" for number in range(100))
    (repository / "chain.py").write_text(f"{steps}def step100(): pass\n")
    name = f"begin{'x' * 2_000}end"
    given = ",\n".join(["1"] * 900)
    (repository / "long.py").write_text(f"def short(): pass\n@made({given})\ndef {name}():\n    short()\n")
    return tmp_path_factory.mktemp("home"), repository


def test_of_a_long_path_both_ends_are_printed(endless: tuple[Path, Path]) -> None:
    outcome = look(endless, "path", "step0", "step100", "--limit", "5")
    rows = outcome.out.splitlines()
    assert 0 == outcome.code
    assert "100 steps from chain.step0, chain.py:1" == rows[0]
    assert ["step1", "step2", "step3", "step99", "step100"] == [
        row.split("chain.")[1].split()[0] for row in rows[1:] if " calls " in row
    ]
    assert "  … 95 more steps; --limit shows more, --format json all" == rows[4]
    assert 42 == len(look(endless, "path", "step0", "step100").out.splitlines())
    assert 101 == len(look(endless, "path", "step0", "step100", "--limit", "100").out.splitlines())
    assert 3 == len(look(endless, "path", "step0", "step100", "--limit", "1").out.splitlines())
    assert 100 == len(look(endless, "path", "step0", "step100", "--format", "json").json()["steps"])


def test_long_names_are_printed_without_their_middle(endless: tuple[Path, Path]) -> None:
    for words in (("refs", "short"), ("symbol", "long.py:903"), ("path", "long.py:903", "short")):
        outcome = look(endless, *words)
        assert 0 == outcome.code
        assert ("beginxx" in outcome.out, "xxend" in outcome.out) == (True, True)
        assert 500 > max(map(len, outcome.out.splitlines()))


def test_a_part_of_a_repository_that_lacks_what_is_asked_for_says_that_there_is_more(tmp_path: Path) -> None:
    folder = tmp_path / "shop" / "inner"
    folder.mkdir(parents=True)
    (tmp_path / "home").mkdir()
    (folder / "cart.py").write_text("def pay(): ...\n")
    (tmp_path / "shop" / "use.py").write_text("from inner.cart import pay\npay()\n")
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "shop")], check=True)
    home, hint = tmp_path / "home", f"the rest of the repository is in {tmp_path / 'shop'}.\n"
    for words in (("refs", "pay"), ("symbol", "missing"), ("path", "pay", "missing")):
        assert run_here(home, *words, "--repo", str(folder)).out.endswith(hint)
    assert "rest of the repository" not in run_here(home, "symbol", "missing", "--repo", str(tmp_path / "shop")).out
    assert "rest of the repository" not in run_here(home, "symbol", "pay", "--repo", str(folder)).out
