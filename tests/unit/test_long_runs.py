"""Texts that make a careless pattern look at every character for every other one: each is read in one go.

What is wrong here shows as a test that does not end.
"""

from pathlib import Path

import pytest

from ctxcode.codegraph.outline.gomod import module_path
from ctxcode.codegraph.outline.known import OUTLINES
from ctxcode.codegraph.parse import parse_source
from ctxcode.llm.navigator.question import Ask, parsed
from ctxcode.llm.wire.written import calls_in
from ctxcode.tui.widgets.text.portions import portions
from ctxcode.workspace.environment_file import environment_file_values

RUN = 100_000


@pytest.mark.parametrize(
    ("language", "source", "names"),
    [
        ("toml", f"[a]\nx = 1\n{'d' * RUN}!\n", {"a"}),
        ("toml", f"{'d' * RUN}!\ny = 1\n[{' ' * RUN}\n[ b ]\n", {"y", "b"}),
        ("markdown", f"# A{' ' * RUN}x\n\n## B{' ' * RUN}\n\n## {'#' * RUN} !\n", {"B"}),
        ("go", f"package a\ntype A struct{{}}\nvar _ I = {'(' * (RUN // 200)}*A{')' * (RUN // 200)}(nil)\n", {"A"}),
        ("go", "package a\ntype A struct{}\n" + "var _ I = (*A)(nil)\n" * (RUN // 5), {"A"}),
        ("java", f"import{' ' * RUN}!;\nimport a . b\n. C;\nclass D {{}}\n", {"D"}),
        ("csharp", f"using{' ' * RUN}!;\nusing A;\nclass B {{}}\n", {"B"}),
        ("kotlin", f"class B\nimport a{' ' * RUN}!\n", {"B"}),
        ("php", f"<?php\nuse A{' ' * RUN}! ;\nclass B {{}}\n", {"B"}),
        ("php", "<?php function f($a) { switch (true) {\n" + "# b\n" * RUN + "case $a instanceof A: }}\n", {"f"}),
        ("scala", f"class B\nimport a.{{b{' ' * RUN}!}}\n", {"B"}),
        ("bash", f"source {'a' * RUN}!\nf() {{ :; }}\n", {"f"}),
        ("typescript", f"function f(a: A): A;\n{'/**/ ' * (RUN // 100)}%\nfunction f(a: any) {{}}\n", {"f"}),
        ("javascript", "\n" * RUN + "function f() {}\n", {"f"}),
        ("javascript", f"//{' ' * RUN}!\nfunction f() {{}}\n", {"f"}),
        ("javascript", f"/** {'@typedef ' * (RUN // 10)}\n @param {{Line}} a */\nfunction f(a) {{}}\n", {"f"}),
        ("javascript", f"// @flow\n(a: {'b' * RUN});\ntype {'c' * RUN}\nfunction f(a: ?A) {{}}\n", {"f"}),
        ("javascript", f"// @flow\nf({'?' * RUN});\n{'{|' * (RUN // 200)}\nfunction f(a: ?A) {{}}\n", {"f"}),
        ("kotlin", f"fun f() {{}}\nclass A{' ' * RUN}!\n{'@a ' * (RUN // 10)}!\n", {"f"}),
        ("javascript", f"{'a.x = ' * (RUN // 10)}1;\nfunction f() {{}}\n", {"f"}),
        ("javascript", f"const a = {'b ? ' * (RUN // 100)}c{' : d' * (RUN // 100)};\nfunction f() {{}}\n", {"f"}),
        ("javascript", f"const a = {'b ?? ' * (RUN // 100)}new C();\nfunction f() {{}}\n", {"f"}),
        ("javascript", f"const a = {'[' * (RUN // 100)}b{']' * (RUN // 100)};\nfunction f() {{}}\n", {"f"}),
        ("javascript", f"const a = {'memo(' * (RUN // 200)}() => 1{')' * (RUN // 200)};\nfunction f() {{}}\n", {"f"}),
        ("javascript", "function F(p) { return <b />; }\n" * (RUN // 20) + "function f() {}\n", {"f"}),
        ("javascript", f"const a = createSlice({{ reducers: {{ {'b: { reducer() {} }, ' * (RUN // 50)} }} }});", {"b"}),
        ("javascript", "function f() {\n" + "if (a) { function f() {} f(); } f();\n" * (RUN // 10) + "}\n", {"f"}),
        ("javascript", f"const [{'a, ' * (RUN // 10)}] = b;\nfunction f() {{}}\n", {"f"}),
        ("javascript", f"{'a.sort((b, c) => ' * (RUN // 100)}b.d(){')' * (RUN // 100)};\nfunction f() {{}}\n", {"f"}),
        ("kotlin", f"fun f() {{ val a = listOf(C()) }}\n{'fun ' * (RUN // 100)}\nimport{' ' * RUN}!\n", {"f"}),
        (
            "php",
            f"<?php\nfunction f() {{ return app(A::class); }}\n// function{' ' * RUN}! function {'a' * RUN}!\n",
            {"f"},
        ),
        ("ruby", "class A\n" + "def f; g = h; g.i; g; end\n" * (RUN // 50) + "def g; end\nend\n", {"A", "f", "g"}),
        ("python", f"a = {'max(' * (RUN // 200)}b{')' * (RUN // 200)}\ndef f(): pass\n", {"f"}),
        ("python", f"a = {'[b for b in ' * (RUN // 5000)}c{']' * (RUN // 5000)}\ndef f(): pass\n", {"f"}),
        ("python", f"def f(): pass\n{'A = TypeVar(' * (RUN // 20)}\n", {"f"}),
        ("python", "def f():\n    g()\n" + "# a\n\n    # b\n" * (RUN // 10) + "    h()\n", {"f"}),
        ("python", f"def f(): pass\na = b{' or b' * (RUN // 50)}\nc = {'b if d else ' * (RUN // 50)}b\n", {"f"}),
        ("python", "def f(): pass\n" + "a = b = C(); d = partial(f);" * (RUN // 50) + "\n", {"f"}),
        ("python", f"def f():\n    return {'b if d else ' * (RUN // 50)}b\n", {"f"}),
        ("python", f"def f():\n    a = []\n{'    a.append(B())' * (RUN // 50)}\n    a[0].b()\n", {"f"}),
        ("python", f"A = TypeVar({'a' * RUN}bound=B\ndef f[{'T: A, ' * (RUN // 50)}U: A](): pass\n", set()),
        ("csharp", f"class A {{ void F() {{ {'foreach (var a in b) ' * (RUN // 100)}a.C(); }} }}\n", {"A", "F"}),
        (
            "csharp",
            f"class A {{ void F() {{ {'b.Any(a => ' * (RUN // 200)}a.C(){')' * (RUN // 200)}; }} }}\n",
            {"A", "F"},
        ),
        ("csharp", f"class A {{ {'List<' * (RUN // 200)}B{'>' * (RUN // 200)} F; B{'[]' * (RUN // 50)} G; }}\n", {"A"}),
        ("kotlin", f"fun f() {{ {'a.apply { ' * (RUN // 100)}b(){' }' * (RUN // 100)} }}\n", {"f"}),
        ("swift", f"func f() {{ {'a.map { ' * (RUN // 500)}$0.b(){' }' * (RUN // 500)} }}\n", {"f"}),
        ("swift", f"func f(a: {'[' * (RUN // 500)}B{']' * (RUN // 500)}) {{ for b in a {{}} }}\n", set()),
        ("java", f"class D {{ Object f() {{ return {'a.b.C + ' * (RUN // 200)}1; }} }}\n", {"D", "f"}),
        ("java", f"class D {{}}\n// {'a' * RUN}.{'b.' * (RUN // 2)}!\n", {"D"}),
        ("java", f"class D {{}}\n{'a' * RUN}\n{'public ' * (RUN // 10)}\n{'a<>' * (RUN // 10)}(\n", {"D"}),
        ("ruby", f"def f\n  {'::A' * (RUN // 10)}\nend\n", {"f"}),
        ("php", f"<?php\nfunction f() {{ {'return g(function() { ' * (RUN // 50)}{'}); ' * (RUN // 50)} }}\n", {"f"}),
        ("php", f"<?php function f({'B $b,' * (RUN // 10)}$c) {{ {'$this->c = $c ??new D();' * (RUN // 10)} }}", {"f"}),
        ("ruby", f"def f\n  a{'.b(c)' * (RUN // 20)}\nend\n", {"f"}),
        ("ruby", f"def f\n  {'g(' * (RUN // 10)}{')' * (RUN // 10)}\nend\n", {"f"}),
        ("ruby", f"class A\n  delegate {':f, ' * (RUN // 4)}to: :b\nend\n", {"A", "f"}),
        ("ruby", f"class A\n  def self.f\n    {'new(' * (RUN // 50)}1{')' * (RUN // 50)}\n  end\nend\n", {"A", "f"}),
        ("rust", f"fn f() {{ {'a::' * (RUN // 10)}b!(); {'b!(' * (RUN // 100)}{')' * (RUN // 100)}; }}\n", {"f"}),
        ("kotlin", f'fun f() = "{"$a ${b} " * (RUN // 200)}"\n', {"f"}),
        ("kotlin", f"fun f() {{ val a = {'b ?: ' * (RUN // 100)}c }}\n", {"f"}),
        ("java", f"class A {{ {'<T extends B> T f(T a) { T b = a; return b; }' * (RUN // 40)} }}\n", {"f"}),
        ("java", f"interface A {{ void f({'d' * RUN} a, {'B<' * (RUN // 100)}A{'>' * (RUN // 100)} c); }}\n", {"A"}),
        ("java", f"class A {{ void f() {{ a{'.b(x -> c' * (RUN // 100)}{')' * (RUN // 100)}; }} }}\n", {"f"}),
        ("kotlin", f"fun f() {{ {'a.let { ' * (RUN // 100)}it.b(){' }' * (RUN // 100)} }}\n", {"f"}),
        (
            "kotlin",
            f"fun f() {{ a{' { b }.c' * (RUN // 100)}(); d.let{'{ ' * (RUN // 100)}{' }' * (RUN // 100)} }}\n",
            {"f"},
        ),
        (
            "javascript",
            f"class A {{}}\nfunction f() {{ return {'(/** @type {A} */ ' * (RUN // 100)}x{').y()' * (RUN // 100)} }}\n",
            {"f"},
        ),
        ("go", "package a\nfunc f() {\n" + f'a("{"(" * 250}", // c\n"").b()\n' * (RUN // 250) + "}\n", {"f"}),
        ("go", f"package a\nvar f {'[]struct{ a ' * (RUN // 200)}int{'}' * (RUN // 200)}\n", {"f"}),
        ("go", f"package a\nfunc f() {{ x := {'a' * RUN}()[0](y) }}\n", {"f"}),
        ("gomod", f"module{' ' * RUN}!\nrequire a v1\n", {"module", "require"}),
        ("c", f"{'A_B ' * (RUN // 20)}\nint f(void) {{ return 1; }}\n", {"f"}),
        ("c", f"#if defined __cplusplus{' ' * RUN}x\nint f(void) {{ return 1; }}\n", {"f"}),
        ("c", f"int a = {'B(' * (RUN // 200)}c{')' * (RUN // 200)};\nAPI int f(void) {{ return 1; }}\n", {"a", "f"}),
        ("cpp", f"int f() {{}}\n{'template <class T> class A { ' * (RUN // 50)}{'};' * (RUN // 50)}\n", {"f", "A"}),
        ("cpp", f"template <{'A(1), ' * (RUN // 100)}B> void g() {{}}\nAPI int f() {{ return 1; }}\n", {"g", "f"}),
        ("javascript", f"function F() {{}}\n{'F.prototype = Object.create(a.' * (RUN // 200)}b)\n", {"F"}),
        ("javascript", f"F.prototype.a = 1;\n// {'inherits(a.' * (RUN // 20)}\nfunction F() {{}}\n", {"F"}),
        (
            "javascript",
            f"function f() {{ require('{'a' * RUN}').b(); require('a').{'b().' * (RUN // 100)}c() }}\n",
            {"f"},
        ),
        ("javascript", f"{'var a = (function () { ' * (RUN // 500)}return a{' })();' * (RUN // 500)}\n", {"a"}),
        ("proto", f"message A {{}}\n{' ' * RUN}!\nmessage{' ' * RUN}!\n{'message B { ' * (RUN // 20)}", {"A"}),
        ("proto", "// a\n" * (RUN // 5) + "message A {}\n" + '"' * RUN, {"A"}),
        ("graphql", f"{'union A' + chr(10)}" * (RUN // 500) + "type B @a\n" * (RUN // 500), {"A", "B"}),
        ("terraform", f'resource "a" "b" {{\n{"{" * RUN}', {"b"}),
        ("bash", f"f() {{ (( }}\n{'<<a' + chr(10)}" * (RUN // 100), {"f"}),
        ("bash", f"f() {{ (( }}\n{'f' * RUN}\n{'a=' * (RUN // 5)}\n" + "' \"\n" * (RUN // 5), {"f"}),
        ("make", f"a:\n\tb\n{'c ' * RUN}\n{'d' * RUN}\n" + "e: f\n" * (RUN // 100), {"a", "e"}),
    ],
)
def test_a_source_is_read(language: str, source: str, names: set[str]) -> None:
    facts = parse_source(source.encode(), language, f"a.{language}")
    assert names <= {symbol.name for symbol in facts.symbols}


@pytest.mark.parametrize("language", sorted({*OUTLINES} - {"gomod"}))
def test_an_outline_is_read(language: str) -> None:
    parts = ("a", "a ", "(", "{", "<a ", '"', "'", "=", ",", "*&", "a.b(", "a, ", "{#", "<!-- ", "#", "[a", '"""')
    lines = (
        "",
        "  a",
        "a(",
        "====\na",
        "def a",
        "function f(",
        "a :: ",
        "let a =",
        "[a]",
        "@a",
        "end",
        "a: b",
        "- (a)a",
    )
    for run in (*parts, *(f"{line}\n" for line in lines)):
        for source in (run * (RUN // 5 // len(run)), f"{run.strip() * (900 // len(run))}\n" * 20):
            module, *symbols = parse_source(source.encode(), language, "a.x").symbols
            assert module.end_line == max(1, source.count("\n") + (source[-1:] != "\n"))
            assert all(1 <= one.start_line <= one.header_line <= one.end_line <= module.end_line for one in symbols)


@pytest.mark.parametrize("suffix", ["vue", "svelte", "astro"])
@pytest.mark.parametrize("run", ["<script ", '<script a="', "<template>", "{{", "<a-", "@a='", "{a(", "---\n", "a.b?."])
def test_a_component_is_read(suffix: str, run: str) -> None:
    source = f"<script>\nfunction f() {{}}\n</script>\n{run * (RUN // len(run))}\n"
    facts = parse_source(source.encode(), "typescript", f"a.{suffix}")
    assert "f" in {symbol.name for symbol in facts.symbols}


def test_the_path_of_a_module_is_read() -> None:
    assert "a.b/c" == module_path(f"{' ' * RUN}\nmodule{' ' * RUN}!\nmodule a.b/c\n".encode())


def test_what_a_model_writes_is_read() -> None:
    pairs = "<arg_key>a</arg_key><arg_value>" * (RUN // 30)
    assert calls_in(f"<tool_call>f\n{pairs}</tool_call>", {"f": {}}) is None
    parameters = "<parameter=a" * (RUN // 10)
    assert calls_in(f"<tool_call>\n<function=f>\n{parameters}</function></tool_call>", {"f": {}}) is not None
    assert "!" in portions(f"|a|b|\n|-{' ' * RUN}!\n|-{'-' * RUN}!\n")[-1].source


def test_what_a_user_asks_is_read() -> None:
    for run in ("a", " ", "a_", "::", "`a", "a."):
        assert parsed(f"who calls {run * (RUN // len(run))}!").ask is Ask.FREE


def test_an_environment_file_is_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"A={' ' * 50_000}!\nexport {' ' * 5_000}B{' ' * 5_000}! \nC = 'c'\n", "utf-8")
    assert [("A", "!"), ("C", "c")] == environment_file_values(str(tmp_path))
