"""Sources that are not tidy: encodings, line ends, syntax errors, hostile shapes."""

import random

import pytest
from tree_sitter import Node, Parser

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import calls_of, uses_of
from ctxcode.codegraph.languages import LANGUAGES, captured, language_of, load_grammar
from ctxcode.codegraph.parse import decode_source, parse_source

TWO = "def first():\n    return 1\n\n\ndef second():\n    '''Zweite: ü.'''\n    return first()\n"
DEEP = 10_000


def lines_of(source: bytes) -> dict[str, tuple[int, int]]:
    facts = parse_source(source, "python", "two.py")
    return {symbol.name: (symbol.start_line, symbol.end_line) for symbol in facts.symbols[1:]}


@pytest.mark.parametrize(
    "source",
    [
        TWO.encode(),
        TWO.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TWO.encode(),
        b"\xff\xfe" + TWO.encode("utf-16-le"),
        b"\xfe\xff" + TWO.encode("utf-16-be"),
        TWO.rstrip("\n").encode(),
        TWO.encode("latin-1"),
    ],
    ids=["unix", "windows", "utf-8 mark", "utf-16 le", "utf-16 be", "no final newline", "latin-1"],
)
def test_lines_are_the_same_in_every_encoding(source: bytes) -> None:
    assert {"first": (1, 2), "second": (5, 7)} == lines_of(source)


def test_lines_count_line_feeds_only() -> None:
    source = "x.y = '\x0c\x85\u2028'\rx.z = 1\ndef f(): pass\n"
    text = decode_source(source.encode())
    assert text is not None
    assert text.split("\n")[1] == "def f(): pass"
    assert {"f": (2, 2)} == lines_of(source.encode())


def test_text_that_is_not_utf8_is_read_as_latin1() -> None:
    facts = parse_source(TWO.encode("latin-1"), "python", "two.py")
    assert facts.symbols[2].doc == "Zweite: ü."


def test_a_byte_order_mark_belongs_to_nothing() -> None:
    assert decode_source(b"\xef\xbb\xbfx") == "x"
    assert decode_source(b"\xff\xfe" + "ü".encode("utf-16-le")) == "ü"
    assert decode_source(b"x\0y") is None


def test_a_binary_source_is_refused() -> None:
    with pytest.raises(ValueError, match="NUL"):
        parse_source(b"a\0b", "python", "x.py")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_file_is_a_module(language: str) -> None:
    facts = parse_source(b"", language, "src/empty.x")
    assert [("empty", "module", 1, 1)] == [(s.name, s.kind, s.start_line, s.end_line) for s in facts.symbols]


def test_index_files_are_named_after_their_folder() -> None:
    assert "shop" == parse_source(b"", "python", "a/shop/__init__.py").symbols[0].name
    assert "wire" == parse_source(b"", "rust", "src/wire/mod.rs").symbols[0].name
    assert "__init__" == parse_source(b"", "python", "__init__.py").symbols[0].name


BROKEN = {
    "python": "def a():\n    return 1\n\nx = = (\n\ndef b():\n    return 2\n",
    "javascript": "function a() {}\nlet = = ;;\nfunction b() {}\n",
    "typescript": "function a(): void {}\ntype = = ;;\nfunction b(): void {}\n",
    "tsx": "function a() {}\nlet = = ;;\nfunction b() { return <p/>; }\n",
    "rust": "fn a() {}\nlet = = ;\nfn b() {}\n",
    "go": "package p\n\nfunc a() {}\n\nvar = =\n\nfunc b() {}\n",
    "java": "class a {}\nint = = ;\nclass b {}\n",
    "c": "int a(void) { return 1; }\nint = = ;\nint b(void) { return 2; }\n",
    "cpp": "class a {};\nint = = ;\nclass b {};\n",
    "csharp": "class a {}\nint = = ;\nclass b {}\n",
    "ruby": "def a\nend\n\nx = = (\n\ndef b\nend\n",
    "php": "<?php\nfunction a() {}\n$x = = ;\nfunction b() {}\n",
    "kotlin": "fun a() {}\n\nval x: = 1\n\nfun b() {}\n",
    "swift": "func a() {}\n\nlet ) ) (;\n\nfunc b() {}\n",
    "scala": "class a\n\nval = = ;\n\nclass b {}\n",
    "bash": "a() { :; }\n\n( = ; ) )\n\nb() { :; }\n",
    "lua": "function a() end\n\nlocal = = \n\nfunction b() end\n",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_syntax_error_costs_only_what_is_around_it(language: str) -> None:
    facts = parse_source(BROKEN[language].encode(), language, "broken")
    assert facts.parse_errors > 0
    assert {"a", "b"} <= {symbol.name for symbol in facts.symbols}


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("go", "package a\n\nfunc b() { x := append() }\n"),
        ("go", "package a\n\nfunc b() {}\n\nvar _ I = new()\n"),
        ("go", f"package a\n\nfunc b() {{ x := {'*' * DEEP}y }}\n"),
        ("java", "class b<> { T of; T get() { return of; } }\n"),
        ("java", "class b { <> T get(T one) { return one; } }\n"),
        ("ruby", "def b\nend\n\ndescribe() { described_class.new }\n"),
        ("ruby", "def b\nend\n\nlet() { Cart.new }\n"),
        ("rust", "fn b() { let x = Box::new(); let y = (); }\n"),
    ],
)
def test_what_is_not_written_to_its_end_is_read(language: str, source: str) -> None:
    assert "b" in {symbol.name for symbol in parse_source(source.encode(), language, "half").symbols}


def test_macros_before_definitions_do_not_hide_them() -> None:
    source = b"""#define LIB_API __attribute__((x))
LIB_BEGIN_NAMESPACE
class LIB_API Box { public: LIB_NODISCARD int size() const { return LIB_SIZE; } };
static bool _LIB_PURE
check (int a)
{
  return a > LIB_SIZE;
}
"""
    assert {"LIB_API", "Box", "size", "check"} <= {s.name for s in parse_source(source, "cpp", "a.h").symbols}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_and_token_soup_give_facts_all_the_same(language: str, seed: int) -> None:
    dice = random.Random(f"{language} {seed}")  # noqa: S311 - repeatable noise, no secret
    tokens = [*BROKEN[language].split(), *'(){}"@é\n', "/*", "//", "class", "=>", "@x", "import"]
    soup = " ".join(dice.choice(tokens) for _ in range(1_500)).encode()
    noise = bytes(dice.randrange(1, 256) for _ in range(4_000))
    for source in (soup, noise):
        facts = parse_source(source, language, "noise")
        assert facts == parse_source(source, language, "noise")
        count = len(facts.symbols)
        assert all(0 <= call.caller < count for call in calls_of(facts))
        assert all(0 <= symbol.parent < count for symbol in facts.symbols[1:])
        assert all(symbol.start_line <= symbol.header_line <= symbol.end_line for symbol in facts.symbols)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("opening", ["(", "[", "{", "f("])
def test_deep_nesting_does_not_end_the_process(language: str, opening: str) -> None:
    facts = parse_source((opening * DEEP).encode(), language, "deep")
    assert facts.symbols[0].kind == "module"


def test_functions_nested_very_deeply_keep_short_names() -> None:
    source = "".join(f"{' ' * depth}def nested_function_number_{depth}():\n" for depth in range(400))
    facts = parse_source((source + " " * 400 + "pass\n").encode(), "python", "deep.py")
    assert len(facts.symbols) == 401
    assert max(len(symbol.qualname) for symbol in facts.symbols) < 1_000


def test_long_chains_of_calls_do_not_grow_their_receivers() -> None:
    facts = parse_source(("x" + ".go(1)" * 3_000).encode(), "python", "chain.py")
    receivers = [call.receiver for call in calls_of(facts)]
    assert ["x", "x.go(1)"] == receivers[:2]
    assert len(set(receivers)) == len(receivers)
    assert {"go"} == {call.name for call in calls_of(facts)}
    assert max(len(call.receiver) for call in calls_of(facts)) <= 200


def test_texts_hold_a_definition_without_what_is_nested_in_it() -> None:
    source = b"import os\n\nclass A:\n    x = 1\n\n    def m(self):\n        return 2\n"
    module, outer, member, method = parse_source(source, "python", "a.py").symbols
    assert module.text == "import os\n\n\n"
    assert outer.text == "class A:\n    x = 1\n\n    "
    assert not member.text
    assert method.text == "def m(self):\n        return 2"


def test_texts_signatures_and_docs_have_a_limit() -> None:
    source = f"def f({', '.join(f'a{n}=1' for n in range(9_000))}):\n    '''{'doc ' * 900}'''\n    return 1\n"
    function = parse_source(source.encode(), "python", "long.py").symbols[1]
    assert len(function.signature) == 300
    assert len(function.doc) == 500
    assert len(function.text) == 20_000


@pytest.mark.parametrize(
    ("path", "source", "signature"),
    [
        ("a.py", "def total(a, # first\n    b): pass", "def total(a, b)"),
        ("a.py", "class A(  # first\n    B,\n): pass", "class A(B)"),
        ("a.py", "X = [  # first\n    ('#', 1),  # second\n]", "X = [('#', 1)]"),
        ("A.java", "@Ann // why\n@Other(1)\n// and\npublic /* b */ class A<T> {}", "public class A<T>"),
        ("A.java", "class A {\n  int sum(int a, // first\n      int b /* second */) { return 1; }\n}", None),
        ("a.ts", "export function sum(a: number, // first\n  b: number) { return a }", None),
        ("a.ts", "export interface Sum<\n  /** @ts-ignore */\n  out T\n> {}", "export interface Sum< out T >"),
        ("a.ts", "export const sum = /* @__PURE__ */ made(1);", "export const sum = made(1)"),
        ("a.go", "package a\n\nfunc Sum(a int, // first\n\tb int) int { return a }", "func Sum(a int, b int) int"),
        ("a.rs", "pub fn sum(\n    a: i32, // first\n    b: i32,\n) -> i32 { a }", "pub fn sum(a: i32, b: i32) -> i32"),
        ("a.c", "int sum(int a, /* first */\n        int b) { return a; }", "int sum(int a, int b)"),
        ("A.cs", "class A {\n  int Sum(int a, // first\n    int b) { return 1; }\n}", None),
        ("a.kt", "fun sum(a: Int, // first\n  b: Int): Int { return a }", None),
    ],
)
def test_a_signature_is_without_the_comments_inside(path: str, source: str, signature: str | None) -> None:
    found = parse_source(source.encode(), language_of(path) or "", path).symbols[-1]
    assert "first" not in found.signature
    assert found.signature == signature if signature else ("//" not in found.signature and "/*" not in found.signature)


def test_macros_are_found_in_the_midst_of_what_the_parser_cannot_read() -> None:
    source = b"int t[] = {\n#define A(x) \\\n  (x)\n  A(1),\n#include <b.h>\n#define B 2\n};\n#define C 3\n"
    facts = parse_source(source, "c", "t.c")
    macros = {(found.name, found.start_line, found.end_line) for found in facts.symbols if found.kind == "macro"}
    assert ["b.h"] == [fact.module for fact in facts.imports]
    assert {("A", 2, 3), ("B", 6, 6), ("C", 8, 8)} == macros


def test_swift_is_read_around_what_its_grammar_does_not_know() -> None:
    source = b"""
struct Price {
  static func == (one: Price, other: Price) -> Bool { true }
  func read(_ work: sending @escaping () -> Void) {
    switch self {
    #if os(iOS)
    case .one: return
    #endif
    default: return
    }
  }
  func last() {}
}
"""
    facts = parse_source(source, "swift", "Price.swift")
    assert ["", "Price", "Price.==", "Price.read", "Price.last"] == [symbol.qualname for symbol in facts.symbols]
    assert 0 == facts.parse_errors


@pytest.mark.parametrize("names", [1, 99])
def test_names_with_a_dollar_are_found_among_few_names_and_among_many(names: int) -> None:
    imported = ", ".join(f"Other{row}" for row in range(names))
    source = f"import {{ $Check, {imported} }} from './a';\nlet one: $Check, two: Mine$Check;\n".encode()

    assert [("$Check", 2)] == [(use.name, use.line) for use in uses_of(parse_source(source, "typescript", "b.ts"))]


def test_a_dollar_is_part_of_a_name_behind_a_dot_too() -> None:
    source = b"import * as core from './a';\ninterface Mine extends core.$Check { one: core.$Type<1>; }\n"
    facts = parse_source(source, "typescript", "b.ts")

    assert ["core.$Check"] == [base.name for base in facts.bases]
    assert {"core.$Check", "core.$Type"} == {use.name for use in uses_of(facts)}


@pytest.mark.parametrize("comment", ["", "  # why"])
def test_imported_names_stand_on_their_own_lines_however_the_statement_is_written(comment: str) -> None:
    source = (
        f"from a.b import (\n    one,{comment}\n\n    two ,\n)\nfrom .  import three,\tfour\n"
        f"from ..c import (five\n, six)\nfrom x import ({comment}\n  seven, eight)\n"
    )
    found = [
        (fact.level, fact.module, fact.name, fact.line)
        for fact in parse_source(source.encode(), "python", "m.py").imports
    ]

    assert [(0, "a.b", "one", 2), (0, "a.b", "two", 4), (1, "", "three", 6), (1, "", "four", 6)] == found[:4]
    assert [(2, "c", "five", 7), (2, "c", "six", 8), (0, "x", "seven", 10), (0, "x", "eight", 10)] == found[4:]


def test_a_name_that_is_only_imported_is_not_used() -> None:
    source = (
        b"from a import (\n    One,\n    Two,\n)\n\n\ndef f(x: One) -> None:\n    from a import Three\n    g(Three)\n"
    )
    facts = parse_source(source, "python", "m.py")

    assert [("One", 7)] == [(use.name, use.line) for use in uses_of(facts) if use.name != "Three"]
    assert [9] == [use.line for use in uses_of(facts) if use.name == "Three"]


def test_a_package_offers_what_it_imports_at_the_beginning_of_a_line() -> None:
    source = b"from .a import one\nif x:\n    from .b import two\nfrom .c import (three, four)\n"
    facts = parse_source(source, "python", "pkg/__init__.py")

    assert ["one", "three", "four"] == [fact.name for fact in facts.imports if fact.is_reexport]


@pytest.mark.parametrize(
    ("line", "visibility"),
    [
        ("private def f; end", "private"),
        ("private_class_method def self.f; end", "private"),
        ("protected(def f; end)", "protected"),
        ("privateer def f; end", "public"),
        ("protect def f; end", "public"),
    ],
)
def test_rubys_words_before_a_definition_say_who_may_call_it(line: str, visibility: str) -> None:
    facts = parse_source(f"class A\n  {line}\nend\n".encode(), "ruby", "a.rb")
    assert {("f", visibility)} == {(symbol.name, symbol.visibility) for symbol in facts.symbols[2:]}


@pytest.mark.parametrize("unset", ["void 0", "undefined"])
def test_an_export_that_is_set_further_down_is_defined_there_alone(unset: str) -> None:
    source = f"exports.Menu = {unset};\nclass Menu {{}}\nexports.Menu = Menu;\nexports.NONE = null;\n"
    found = parse_source(source.encode(), "javascript", "lib/menu.js").symbols[1:]
    assert [("class", "Menu", 2), ("constant", "NONE", 4)] == [(one.kind, one.name, one.start_line) for one in found]


@pytest.mark.parametrize(
    ("exports", "own"),
    [
        ("module.exports = { pay, Cart, max: LIMIT };", {"add"}),
        ("module.exports = pay;", {"add", "Cart", "LIMIT"}),
        ("module.exports = class Till { run() { add(); } };", {"pay", "add", "Cart", "LIMIT"}),
        ("exports.pay = pay;\nexports.run = function () { add(); };", {"add", "Cart", "LIMIT"}),
        ("exports['pay'] = pay;\nmodule.exports.Cart = Cart;", {"add", "LIMIT"}),
        ("Object.assign(module.exports, { pay, add });", {"Cart", "LIMIT"}),
        ("if (typeof module !== 'undefined') { module.exports = { pay, Cart }; }", {"add", "LIMIT"}),
        ("module.exports = made(pay);", {"add", "Cart", "LIMIT"}),
    ],
)
def test_what_a_module_of_commonjs_does_not_export_is_its_own(exports: str, own: set[str]) -> None:
    own_lines = "function pay() {}\nconst add = () => {};\nclass Cart { static of = 1; open() {} }\nvar LIMIT = 1;\n"
    source = f"{own_lines}{exports}\n"
    symbols = parse_source(source.encode(), "javascript", "a.js").symbols
    assert own == {symbol.name for symbol in symbols if symbol.visibility == "internal"}


def test_a_parameter_of_swift_without_a_name_has_no_label() -> None:
    facts = parse_source(b"func fold(_ name: String, @Built: () -> [Row]) {}\n", "swift", "a.swift")
    assert ("fold", ":String,:->") in {(facts.symbols[row.scope].name, row.type) for row in facts.bindings}


def test_what_a_query_finds_is_in_source_order() -> None:
    source = "\n".join(f"fn f{number}<T: Paid + Sent>(it: T) {{ it.pay(g{number}(h)); }}" for number in range(300))
    grammar = load_grammar("rust")
    found = captured(grammar.query, Parser(grammar.language).parse(source.encode()).root_node)
    places = {name: [node.byte_range for node in nodes] for name, nodes in found.items()}
    assert max(map(len, places.values())) >= 300
    assert places == {name: sorted(rows) for name, rows in places.items()}


def test_what_stands_around_a_node_is_told_in_whatever_order_it_is_asked_for() -> None:
    def around(node: Node) -> list[Node]:
        return [*around(node.parent), node.parent] if node.parent is not None else []

    source = b"class A\n  def f(one) = g(h(new(one), new { |it| it.a[new] }))\n  def b; new; end\nend\nx = (new(3))\n"
    nodes, page = [Parser(load_grammar("ruby").language).parse(source).root_node], Page(source)
    for node in nodes:
        nodes += node.children
    random.Random(3).shuffle(nodes)  # noqa: S311 - the same every time
    assert len(nodes) > 60
    assert [around(node) for node in nodes] == [[*page.around(node)] for node in nodes]


def test_of_several_bounds_the_first_counts_first() -> None:
    blocks = [f"impl<T: P{number}> Held<T> {{ fn f{number}(&self) {{}} }}" for number in range(9)]
    source = "\n".join(["pub struct Held<T> { pub it: T }", *blocks])
    facts = parse_source(source.encode(), "rust", "src/lib.rs")
    bounds = [binding.type for binding in facts.bindings if binding.name == "self.it"]
    assert bounds == ["&".join(f"P{number}" for number in range(9))]


def test_a_constant_of_kotlin_is_what_the_word_before_it_says() -> None:
    source = """
    val plain = 1
    const val MOST = 2
    @Named("a const") var named = 3
    class Cart {
        val size = 1
        companion object { private const val LEAST = 0; val none = 4 }
    }
    """
    facts = parse_source(source.encode(), "kotlin", "Cart.kt")
    kinds = {symbol.name: symbol.kind for symbol in facts.symbols[1:]}
    assert [name for name, kind in kinds.items() if kind == "constant"] == ["MOST", "LEAST"]
    assert {"plain", "named", "size", "none"} < kinds.keys()


def test_what_python_gives_names_to_is_found_in_modules_and_classes() -> None:
    source = b"""
import os
from enum import Enum, IntFlag
app: App = App()
'''What runs.'''
if os.name:
    first, _second = 1, 2
else:
    app = None
    one = two = LIMIT = 3
os = app
__all__ = ["app"]
x.y = z[0] = 1
for row in app:
    hidden = row
def run():
    local = 1
class Colour(str, Enum):
    _ignore_ = []
    RED = "red"
    '''Stop.'''
    dark = auto()
    weight: int
    def lighter(self): ...
class Mode(IntFlag):
    READ = WRITE = 1
class Row:
    __slots__ = ()
    _ = 1
    MOST = 3
    name: str
    size, (other, _kept) = 1, (2, 3)
    if app:
        size = 2
"""
    facts = parse_source(source, "python", "rows.py")
    found = [(one.qualname, one.kind, one.start_line, one.visibility) for one in facts.symbols if not one.text]
    assert [
        ("app", "variable", 4, "public"),
        ("first", "variable", 7, "public"),
        ("_second", "variable", 7, "private"),
        ("one", "variable", 10, "public"),
        ("two", "variable", 10, "public"),
        ("LIMIT", "constant", 10, "public"),
        ("__all__", "variable", 12, "public"),
        ("Colour._ignore_", "field", 19, "private"),
        ("Colour.RED", "variant", 20, "public"),
        ("Colour.dark", "variant", 22, "public"),
        ("Colour.weight", "field", 23, "public"),
        ("Mode.READ", "variant", 26, "public"),
        ("Mode.WRITE", "variant", 26, "public"),
        ("Row.__slots__", "field", 28, "public"),
        ("Row.MOST", "constant", 30, "public"),
        ("Row.name", "field", 31, "public"),
        ("Row.size", "field", 32, "public"),
    ] == found
    assert {"app": "What runs.", "RED": "Stop."} == {one.name: one.doc for one in facts.symbols if one.doc}


def test_a_variable_of_a_module_may_be_called_like_what_is_inside_of_others() -> None:
    source = b"""
class Box:
    def lid(self): ...
def run():
    def inner(): ...
if run:
    def otherwise(): ...
lid = Box().lid
inner = run()
run = otherwise = 1
"""
    found = [(one.name, one.kind) for one in parse_source(source, "python", "a.py").symbols]
    assert [("otherwise", "function"), ("lid", "variable"), ("inner", "variable")] == found[-3:]


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.js", "Server.Server = class { open() {} };", ["Server.Server", "Server.Server.open"]),
        ("a.js", "A.B = class {}; B.A = class { go() {} };", ["A.B", "B.A", "B.A.go"]),
        ("a.js", "A.B = class {}; B.C = class {}; C.A = class {};", ["A.B", "B.C", "C.A"]),
        ("a.rb", "class A::A\n  def f; end\nend\n", ["A.A", "A.A.f"]),
        ("a.rb", "class A::B; end\nclass B::A; end\n", ["A.B", "B.A"]),
        ("a.cpp", "class A::A { int f(); };", ["A.A", "A.A.f"]),
        ("a.swift", "extension A.A { func f() {} }", ["A.A", "A.A.f"]),
    ],
)
def test_a_type_that_would_stand_in_itself_stays_where_it_is_written(
    path: str, source: str, expected: list[str]
) -> None:
    facts = parse_source(source.encode(), language_of(path) or "", path)
    assert expected == [symbol.qualname for symbol in facts.symbols[1:]]


def test_long_circles_of_types_are_ended_in_one_go() -> None:
    count = 5_000
    source = "".join([f"C{one}.C{(one + 1) % count} = class {{}};\n" for one in range(count)])
    facts = parse_source(source.encode(), "javascript", "a.js")
    assert {0} == {symbol.parent for symbol in facts.symbols[1:]}


def test_what_is_hidden_or_declared_in_front_of_its_type_stands_where_it_belongs_in_cpp() -> None:
    source = b"""
namespace lib::inline v1 { int run(); void go() {} }
struct Parser { struct Options { int a; } options; enum Kind { kA } kind; };
namespace { int hidden(int a) { return a; } class Local { public: void x(); }; int count; }
namespace shop { namespace { void own() {} } void open() {} }
"""
    facts = parse_source(source, "cpp", "a.cpp")
    assert {
        *("lib.v1", "lib.v1.go", "Parser", "Parser.Options", "Parser.Options.a", "Parser.options"),
        *("Parser.Kind", "Parser.Kind.kA", "Parser.kind", "hidden", "Local", "Local.x", "count"),
        *("shop", "shop.own", "shop.open"),
    } == {symbol.qualname for symbol in facts.symbols[1:]}
    assert {"hidden", "Local", "count", "shop.own"} == {
        symbol.qualname for symbol in facts.symbols if symbol.visibility == "private"
    }
    assert ("self.options", "Options") in {(fact.name, fact.type) for fact in facts.bindings}


def test_types_of_csharp_without_a_body_and_their_bases_are_found() -> None:
    source = b"""class Boom(string m) : Exception(m);
class Empty;
interface IMark : IOther;
struct Pt(int x);
"""
    facts = parse_source(source, "csharp", "a.cs")
    found = [(one.name, one.kind, one.start_line) for one in facts.symbols[1:]]
    assert [("Boom", "class", 1), ("Empty", "class", 2), ("IMark", "interface", 3), ("Pt", "struct", 4)] == found
    assert [(1, "Exception"), (3, "IOther")] == [(base.symbol, base.name) for base in facts.bases]


def test_an_attribute_of_csharp_with_arguments_names_its_class_too() -> None:
    source = b"class A {\n  [LogIt, MyAttr(Max)]\n  void F() { G(x, Made(1)); }\n}\n"
    names = {use.name for use in uses_of(parse_source(source, "csharp", "a.cs"))}
    assert names >= {"LogItAttribute", "MyAttr", "MyAttrAttribute", "Max"}
    assert "MadeAttribute" not in names


def test_long_runs_of_comments_in_python_change_nothing_around_them() -> None:
    run = 100 * "    # f()\n\n# it's g() \\\n"
    inner = 100 * "        # f()\n"
    source = (
        f'class A:\n    """What\n{run}# A is."""\n    def a(\n        self,\n{inner}        b,\n    ):\n'
        f"        h()\n{inner}{run}        return k()\n{inner}{run}"
    )
    facts = parse_source(source.encode(), "python", "a.py")
    assert (0, ["h", "k"]) == (facts.parse_errors, [call.name for call in calls_of(facts)])
    assert [("A", 1, 910), ("a", 304, 909)] == [(one.name, one.start_line, one.end_line) for one in facts.symbols[1:]]
    assert "def a(self, b)" == facts.symbols[2].signature


def test_calls_are_worth_as_much_in_cpp_as_elsewhere_where_a_line_is_left_out_to_show_a_definition() -> None:
    source = b"void f({\n\tauto&a=g(){auto&b=h();i(j())(k(l<>(m())))"

    facts = parse_source(source, "cpp", "a.cpp")

    assert ["g", "h"] == [call.name for call in calls_of(facts)]


def test_constants_of_cpp_are_used_where_they_are_names() -> None:
    text = 'kFirst; int a = x + kOne /* kTwo */ + f("g_three", R"(kFour)", \'k\') - my_kFive * kSix; // g_seven\ng_last'
    deep = "int all() { return " + " + ".join(f"kPart{row}" for row in range(2_000)) + "; }"

    assert {"kFirst", "kOne", "kSix", "g_last"} == used(text)
    assert 2_000 == len(used(deep))


def used(source: str) -> set[str]:
    return {name for _, name, *_ in uses_of(parse_source(source.encode(), "cpp", "a.cpp"))}
