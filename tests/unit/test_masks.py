"""What is masked for a second try keeps every byte in its place, and is taken where it is read with fewer errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.parse import parse_source
from ctxcode.codegraph.syntax.masks import second_tries

PIECES = {
    "kotlin": [
        "class A", "\n", " ", "@Inject", "internal", "constructor(a: Int)", " { ", " }", "fun(x) { x }", "fun f() ",
        "dynamic", "override", ".name", " -> ", "catch (e: E) ", "try ", ", >", "= []", "; private set",
        "is A if b ", "context(a: A)\n", "val a = ",
    ],
    "javascript": [
        "// @flow\n", "type A = ", "{|", "|}", "+a: ?B,", "...", "?(", "): ", "(a: any)", "import typeof A from 'a';\n",
        "component Card(", " => ", "\n", "opaque type B = C;\n", "declare export ", "static +A: 1;", "class D {", "}",
    ],
    "typescript": ["<const T>", "<in out T>", "import('./a').B", "<'x'>", "declare const a: ", "\n", "f", "(a: ", ")"],
    "tsx": ["<const T,>", "import('./a').B", "<A />", "const a = ", "\n", "(", ")", " => "],
    "swift": ["#if A\n", "#endif\n", "switch a {", "case .b: ", "}", "nonisolated(unsafe)", "@_spi", "~Copyable", "("],
    "csharp": ["#if A\n", "#else\n", "#endif\n", "class A : ", "B", ",", "{", "}", "int a = 1;", "#region x\n"],
    "rust": ["try!(a)", "safe fn a();", "unsafe extern {", "}", "fn f() {", "static A: B = 1;", "\n"],
    "python": ["class A[T = int]:\n", "    pass\n", "def f[**P = [int]]() -> P: ...\n", "type A[*T = B] = C\n"],
    "scala": ["def f(enum: A) = ", "enum.b", "\n", "class A extends ", "super[B].C", " { ", " }", "enum D { case E }"],
    "bash": [
        "[[ a =~ ^(b|c)$ ]]", "!(a|b)", "${a%%[({]*}", "\n", "if ", "then ", "fi", "f() { ", "}", "case a in ",
        "b) ;& ", "c) ;;& ",
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(PIECES))
@given(data=st.data())
def test_a_second_try_is_as_long(language: str, data: st.DataObject) -> None:
    source = "".join(data.draw(st.lists(st.sampled_from(PIECES[language]), max_size=12))).encode()
    for masked, other in second_tries(source, language):
        assert len(masked) == len(source)
        assert masked != source or other != language
    facts = parse_source(source, language, "a")
    lines = source.count(b"\n") + 1
    assert all(1 <= symbol.start_line <= symbol.end_line <= lines for symbol in facts.symbols)


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("javascript", "// @flow\nfunction f(a: ?string): void {}\n"),
        ("kotlin", "fun f(dynamic: Int) = dynamic.toString()\n"),
        ("kotlin", "class A\n@Inject\ninternal constructor(a: Int) : B {\n fun f() {}\n}\n"),
        ("kotlin", "fun f() = when (x) {\n    is A if x.y -> 1\n    else -> 2\n}\n"),
        ("kotlin", 'context(a: A, b: B<C>)\nfun f() = $$"{ $$a $b }"\n'),
        ("kotlin", "sealed interface A { fun f() }\n"),
        ("typescript", "declare const f: import('./a').B<'x'>\ndeclare const b: number\n"),
        ("typescript", "/** A. */\nconst A = 1\nfunction f<const T>(a: T): void {}\n"),
        ("typescript", "type A<type> = type extends string ? `\\`${type}\\`` : never\nfunction f() {}\n"),
        ("bash", "case $1 in\n  a) b ;&\n  *) c !(d) ;;&\nesac\nfor x do y; done\nf() { :; }\n"),
        ("rust", 'fn f() { try!(a) }\nunsafe extern "C" { safe fn b(); }\n'),
        ("python", "class A[T: int = bool, **P = [int, str]]:\n    def f[S = int](self) -> S: ...\n"),
        ("csharp", "class A { void f() {\n#if A\nvar a = b(\n#else\nvar a = c(\n#endif\n1); } }\n"),
        ("scala", "def f(enum: Enum) = enum.values\nclass A extends super[B].C { val macro = 1 }\n"),
        ("swift", "func f() -> Int {\n    return a\n        * b\n}\n"),
        ("c", "void printflike(2, 3)\nf(int a, const char *b, ...)\n{\n}\n"),
    ],
)
def test_what_the_grammar_alone_does_not_read_is_read_without_errors(language: str, source: str) -> None:
    facts = parse_source(source.encode(), language, "a")
    assert facts.parse_errors == 0
    assert "f" in {symbol.name for symbol in facts.symbols}


def test_types_of_another_module_are_exported() -> None:
    facts = parse_source(b"export type * from './a'\nexport type * as b from './b'\n", "typescript", "index.ts")
    assert [(fact.module, fact.name, fact.alias) for fact in facts.imports] == [("./a", "*", ""), ("./b", "", "b")]


def test_a_constant_behind_a_comment_stays() -> None:
    source = b"function f<const T>(a: T) {}\n/** A. */\nconst Key = 1\n"
    assert {"f", "Key"} <= {symbol.name for symbol in parse_source(source, "typescript", "a.ts").symbols}


def test_what_is_no_flow_is_read_as_javascript() -> None:
    facts = parse_source(b"function f() {\nreturn (\n}\nlet a = <T>b;\n", "javascript", "a.js")
    assert facts.parse_errors > 0
    assert facts.language == "javascript"


@pytest.mark.parametrize(("signatures", "is_first"), [(3, False), (30, True)])
def test_many_call_signatures_without_semicolons_are_ended_before_other_tries(
    signatures: int, *, is_first: bool
) -> None:
    held = "".join(f"  /** {n} */\n  <A>(a: A): Box<A>\n" for n in range(signatures))
    source = f"interface Box<out T> {{\n{held}}}\n".encode()
    first, *_ = second_tries(source, "typescript")
    assert is_first == (first[0].count(b";") == signatures)
