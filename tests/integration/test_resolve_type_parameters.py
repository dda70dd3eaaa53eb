"""What type arguments of TypeScript say of variables, fields, parameters and of what methods give."""

import pytest
from resolved_edges import edges_between

BOX = """
export class Cart { pay() {} }
export class Line { pay() {} }
export interface Row<T> { get(at: number): T | undefined; all(): T[]; readonly first: T; same(): Row<T> }
export class Box<A, B = Line> {
  kept: A;
  constructor(private readonly second: B) {}
  get value(): A | undefined { return this.kept; }
  async take(): Promise<B> { return this.second; }
  turned(): Box<B, A> { return null!; }
  other<A>(it: A): A { return it; }
  mapped<A>(it: A): Box<A, A> { return null!; }
}
export class Own<X> extends Box<X, Cart> {}
export interface Rows<X> extends Row<X> {}
export type Ref<T> = Box<T, Line>;
"""


def paying(source: str) -> set[str]:
    """Return whose ``pay`` a file calls, for sure."""
    files = {"box.ts": BOX, "use.ts": f'import {{ Box, Cart, Line, Own, Ref, Row, Rows }} from "./box";\n{source}'}
    return {target for _, target, tier in edges_between(files) if target.endswith(".pay") and tier.startswith("type")}


@pytest.mark.parametrize(
    "source",
    [
        "function f(it: Row<Cart>) { it.get(1)!.pay(); }",
        "function f(it: Row<Cart>) { it.first.pay(); }",
        "function f(it: Row<Cart>) { for (const one of it.all()) one.pay(); }",
        "function f(it: Row<Cart>) { it.same().same().first.pay(); }",
        "function f(it: Row<Cart>[]) { it[0].first.pay(); }",
        "function f(it: Rows<Cart> | undefined) { it?.get(0)?.pay(); }",
        "const it = new Box<Cart, Line>(null!); function f() { it.value?.pay(); }",
        "class User { it: Box<Cart>; f() { this.it.value.pay(); this.it.kept.pay(); } }",
        "class User { it = new Box<Line, Cart>(null!); async f() { (await this.it.take()).pay(); } }",
        "class User { constructor(private it: Box<Line, Cart>) {} f() { this.it.turned().value.pay(); } }",
        "function make(): Box<Cart> { return null!; } function f() { make().value.pay(); }",
        "function f(it: Own<Cart>) { it.value.pay(); }",
        "function f(it: Own<Line>) { const one = it.turned(); one.value.pay(); }",
        "function f(it: Ref<Cart>) { it.value.pay(); }",
        "const boxes = new Set<Box<Cart>>(); function f() { for (const one of boxes) one.value.pay(); }",
    ],
)
def test_a_type_argument_of_typescript_stands_for_the_type_parameter(source: str) -> None:
    assert {"box.ts::Cart.pay"} == paying(source)


@pytest.mark.parametrize(
    "source",
    [
        "function f<T>(it: Row<T>) { it.first.pay(); }",
        "function f(it: Row<any>) { it.first.pay(); }",
        "function f(it: Box<Cart>) { it.other(1).pay(); }",
        "function f(it: Box<Cart>) { it.mapped(1).kept.pay(); }",
        "function f<Cart>(it: Row<Cart>) { it.first.pay(); }",
        "import { Row as Far } from 'far'; function f(it: Far<Cart>) { it.first.pay(); }",
    ],
)
def test_what_no_type_argument_says_is_nobodys_for_sure(source: str) -> None:
    assert set() == paying(source)


def test_what_a_type_parameter_extends_another_one_of_its_name_does_not() -> None:
    files = {
        "box.ts": """
        export class Line { pay() {} }
        export class Row<T> { first: T; all(use: (it: T) => void) {} }
        export class Store<T extends Line> { first: T; one(): T { return null!; } all(use: (it: T) => void) {} }
        """,
        "use.ts": """
        import { Row, Store } from "./box";
        import { Far } from "far";
        function far(it: Row<Far>, any: Row) { it.first.pay(); any.first.pay(); it.all((one) => one.pay()); }
        function first(it: Store) { it.first.pay(); }
        function one(it: Store) { it.one().pay(); }
        function all(it: Store) { it.all((one) => one.pay()); }
        """,
    }
    edges = edges_between(files)
    surely = {source for source, target, tier in edges if target.endswith(".pay") and tier.startswith("type")}
    assert {f"use.ts::{name}" for name in ("first", "one", "all")} == surely
