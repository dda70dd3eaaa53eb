"""What is read of Java's calls without parsing them: arguments, parameters, receivers."""

import pytest

from ctxcode.codegraph.extract.arguments import argument_shapes
from ctxcode.codegraph.extract.expressions import MAKING, counted_expression
from ctxcode.codegraph.extract.type_names import java_parameters, java_type


@pytest.mark.parametrize(
    ("written", "shapes"),
    [
        ("()", "()"),
        ("( /* none */ )", "()"),
        ("(a, this, null, true)", "a,this,null,:boolean"),
        ('("x, y", \'(\', """\na "b", c""")', ":String,:char,:String"),
        ("(1, 2L, -3, 0x1F, 1.5, 2f)", ":int,:long,:int,:int,:double,:float"),
        ('("a" + b, a.b(c, d).e, f[1], g())', ":String,a.b().e,f[],g()"),
        ("(new Box<A, B>(1, 2), new int[] {1, 2}, new a.Box(), new Box().open())", ":Box,:int[],:a.Box,?"),
        ('(new long[][] {{1}}, new A[2][], "a".getBytes(b))', ":long[][],:A[][],String.getBytes()"),
        ("(new long[][] {{1}}[0], new int[] {1}[0], new int[2][])", ":long[],:int,:int[][]"),
        ("((char[]) a, (List<String>) b, (int) c.d())", ":char[],:List,:int"),
        ("(x -> { a(b, c); }, (a, b) -> a, Box::open, Box.class)", "->,->,->,:Class"),
        ("(!a, a == b, a < b, a && b, a ? b : c, a + 1)", ":boolean,:boolean,:boolean,:boolean,?,?"),
    ],
)
def test_arguments_are_known_by_what_they_look_like(written: str, shapes: str) -> None:
    assert shapes == argument_shapes(written)


def test_arguments_that_never_close_are_looked_at_once() -> None:
    assert "?" == argument_shapes("(" + "(" * 900 + ")")
    assert 450 == argument_shapes("(" + "a<," * 450 + ")").count(",")


@pytest.mark.parametrize(
    ("written", "types"),
    [
        ("()", ""),
        ("(final int a, Map<K, List<V>> b, T... c)", "int,Map,T..."),
        ('(@Named("a, b") String[] a, int b[], java.util.List<A> c)', "String[],int[],java.util.List"),
        ("(Outer this, /* one */ int a)", "int"),
    ],
)
def test_parameters_are_their_types(written: str, types: str) -> None:
    assert types == java_parameters(written)


def test_types_keep_their_brackets_and_lose_their_arguments() -> None:
    assert ["Map", "int[][]", "a.Box[]", "var"] == [
        java_type(text) for text in ("Map<A, B[]>", "int[][]", "a.Box<C>[]", "var")
    ]


@pytest.mark.parametrize(
    ("written", "counted"),
    [
        ("a.b(c,d(e,f)).g()", "a.b(2:c).g(0)"),
        ("a.of(T.class).b(this,c).d(null)", "a.of(1:T!).b(2:this).d(1)"),
        ("a.b(c.d).e(f(g),h)", "a.b(1).e(2)"),
        ("newBox<A,B>(x).y", "newBox(1:x).y"),
        ("Lists.<String>of(1)", "Lists.of(1)"),
        ("a.add(\"b,c\").add('(')", "a.add(1).add(1)"),
        ("a.of(newint[]{1,2})", "a.of(1)"),
        (f'a.of(new{MAKING}Box(1,"b.c()"),d)', "a.of(2:Box^)"),
        ("a.of(newBox(1))", "a.of(1)"),
        (f"a.of(new{MAKING}Box().b())", "a.of(1)"),
        (f"a.of(new{MAKING}Box()==null?b:c)", "a.of(1)"),
        (f"new{MAKING}Box(1).a()", "newBox(1).a(0)"),
        ("a[0].b()", ""),
        ("a(b", ""),
        ("(a+b).c()", ""),
    ],
)
def test_expressions_keep_the_number_of_each_calls_arguments(written: str, counted: str) -> None:
    assert counted == counted_expression(written)
