"""A graph of Go brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping
from functools import cache

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged, facts_from, is_updated

from ctxcode.codegraph.facts import FileFacts

LINES = (
    "",
    "",
    "type Cart struct { Price; own *Price; lines []Line }",
    "type Cart struct { *price.Price; all Lines }",
    "type Price struct { cart *Cart; held map[string]Cart }",
    "type Price interface { Pay(); Made() *Cart }",
    "type Line struct { Cart }",
    "type Line struct { Cart; Pay func(); Made func() *Price }\nfunc (l Line) Rebated() { l.Pay(); l.Made().Pay() }",
    "type Lines []Line",
    "type Lines []price.Price",
    "type Cost = Price",
    "type Cost price.Price",
    "func (c *Cart) Add() { c.own.Pay(); c.Pay(); Total() }",
    "func (c *Cart) Given() { run(c.Add, c.Pay, c.Given) }",
    "func Hand(c *Cart, p Price) { made := New(); run(c.Add, p.Pay, made.Made, c.own.Pay) }",
    "func (p Price) Given() { run(p.Pay, p.Given, cart.Add) }",
    "func (c Cart) Pay() { c.Made().Add(); for _, line := range c.lines { line.Add() } }",
    "func (Cart) Made() *Price { return New() }",
    "func (p *Price) Pay() { p.cart.Add(); for _, one := range p.held { one.Pay() } }",
    "func (p Price) Made() *Cart { p.Rebated(); return nil }",
    "func (l Line) Rebated() { l.Add(); l.own.Rebated(); String() }",
    "func (l Lines) String() { for _, one := range l { one.Rebated(); one.String() } }",
    "func (c Cost) String() { c.Pay(); kept.Add() }",
    "func New() *Price { var cart Cart; cart.Add(); return price.New() }",
    "func New() Lines { return price.All }",
    "type Price struct { cart chan *Cart; held []Line }",
    "func (p *Price) Rebated() { one := <-p.cart; one.Add(); for two := range p.cart { two.Pay() } }",
    "func Total(in <-chan Price) { select { case p := <-in: p.Pay(); some := p.held[1:]; some[0].Add() } }",
    "func Made() (Cart, *Price, error) { one, two, err := New2(); one.Pay(); two.Add(); return }",
    "func New2() (a, b Line, c Lines) { _, two := price.Made(); two.Pay(); return }",
    "func table() { for _, one := range []struct{ a Cart; b []*Price }{} { one.a.Pay(); one.b[0].Pay() } }",
    "func Total() { New().Pay(); price.Total(); kept.Add(); for _, one := range All { one.Add() } }",
    "func String() { price.New().Made().Add(); cart.New().Rebated(); x.Rebated() }",
    "func run(x any) { x.(Cart).Pay(); x.Made(); x.(*price.Cart).Add(); price.Kept.Pay(); (Line{}).Add() }",
    "var _ Price = (*Cart)(nil)\nvar _ price.Price = &Line{}",
    "var (\n\t_ price.Price = Cart{}\n\t_ Price = new(Lines)\n)",
    "type Line struct { last atomic.Pointer[Cart]; lost atomic.Pointer[price.Price] }",
    "func (l *Line) Pay() { l.last.Load().Add(); one := l.lost.Swap(nil); one.Pay(); some := New[int](); some.Add() }",
    "func Made() Cart { (*Cart).Add(nil); some := append([]price.Price{}, kept); some[0].Pay(); return New[Line]() }",
    "func bounded[T Price, U price.Price](c T, all []U) { c.Pay(); all[0].Made(); d := &all[0]; e := *d; e.Pay() }",
    "type Of[T Price] struct { of T }\nfunc (o *Of[C]) Pay(c C) { c.Made(); o.of.Pay() }",
    "type List[T any] struct { Last T; of []T; next *List[T] }\nfunc (l *List[T]) Same() *List[T] { return l }",
    "type List[K, V any] struct { price.List[V] }\ntype Cart struct { List[Price, Line]; all price.List[*Line] }",
    "func (l *List[T]) Head() T { panic(0) }\nfunc (l *List[K, V]) All() (map[K]V, V) { panic(0) }",
    "var kept List[Line]\nfunc String() { kept.Head().Rebated(); kept.Last.Add(); kept.Same().Head().Pay() }",
    "func (c Cart) Total(l []price.List[Cart]) { l[0].Head().Add(); c.Head().Pay(); c.all.Last.Pay(); c.Last.Pay() }",
    "func use(c Cost, l Lines, p price.Lines) { c.Pay(); l.String(); for _, one := range p { one.Rebated() } }",
    (
        "type Set map[*Cart]bool\n"
        "func (s Set) A(t map[price.Line]struct{}) { for c := range t { c.Add() }; for d := range s { d.Pay() } }"
    ),
    "type Set chan Line\nfunc Total(s Set, t price.Set) { for c := range s { c.Pay() }; for c := range t { c.Add() } }",
    "type Maker struct { make func() *Cart; all map[string]func(int) (price.Price, error) }",
    'func (m *Maker) Run() { m.make().Pay(); one, err := m.all["a"](1); one.Pay(); m.all["b"](2).Add() }',
    "func Each(make func() Line, all []func() *Price) func() Cart { make().Add(); for _, f := range all { f() } }",
    "func Every() { Each(nil, nil)().Pay(); one := Each(nil, nil); one().Add(); var m Maker; m.Run() }",
    "func main() { New(); Total(); price.Total() }",
    "func TestTotal() { Total(); New(); price.New() }",
    "var kept = New()",
    "var kept Cart",
    "var Kept = price.New()",
    "var All = New()",
    "const LIMIT = 3",
    "type line struct{ of *cost }\ntype cost func(line) cost",
    "type cost struct{ line }\nvar held = map[string]line{}",
    "func paid(l *line) cost { return paid }\nfunc free(line *line, held int) { _ = held }",
    "var paid, line = held, 3",
    "func spent() { table := paid; run(table); use(kept, held, line) }",
    "const (\n\tkept Cart = iota\n\tKept\n)",
    "const All, Kept price.Price = 1, 2",
    "func init() { Kept.Pay(); price.Kept.Pay(); price.All.Rebated(); kept.Add() }",
    'import "a.b/shop/price"',
    'import "a.b/shop/cart"',
    'import "c.d/shop/price"',
    'import "shop/price"',
    'import price "a.b/shop/cart"',
    'import . "a.b/shop/price"',
    'import price "a.b/shop"',
    'import price "a.b/shop/v2/price"',
    'import _ "a.b/shop/price"',
    'import "fmt"',
)
PATHS = (
    *("shop/a.go", "shop/b.go", "shop/b_test.go", "shop/price/c.go", "shop/price/d.go", "shop/price/d_test.go"),
    *("cart/e.go", "cart/f_linux.go", "cart/f_test.go", "shop/cart/g.go", "h.go", "i.go"),
    *("shop/price/gen.go", "shop/gen.go", "shop/price/price.go", "shop/doc.go"),
)
MODULES = ("module a.b", "module a.b/shop", "module a.b/shop/price", "module c.d/shop/price", "module a.b/shop/v2", "")
MANIFESTS = ("go.mod", "shop/go.mod", "shop/price/go.mod", "cart/go.mod")


@cache
def facts_in(path: str, source: str) -> FileFacts:
    if path in MANIFESTS:
        return facts_from(path, source)
    folder = path.rpartition("/")[0]
    is_program = path.endswith("gen.go") and "main" in source
    package = "main" if is_program else {"shop/price": "price", "shop": "shop", "": "main"}.get(folder, "cart")
    is_outside = path.endswith("d_test.go") or source.startswith("type")
    lines = source.split("\n")
    imports = [line for line in lines if line.startswith("import")]
    rest = [line for line in lines if not line.startswith("import")]
    suffix = "_test" if path.endswith("_test.go") and is_outside else ""
    return facts_from(path, "\n".join([f"package {package}{suffix}", *imports, *rest]))


trees = st.builds(
    dict[str, str].__or__,
    st.dictionaries(st.sampled_from(MANIFESTS), st.sampled_from(MODULES), max_size=2),
    st.dictionaries(
        st.sampled_from(PATHS), st.lists(st.sampled_from(LINES), min_size=1, max_size=7).map("\n".join), min_size=2
    ),
)


def edited(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> dict[str, str]:
    """Return files after lines were put in, or taken out, which is what an empty one says."""
    now = dict(tree)
    for path, line, at in changes:
        if path in now:
            lines = now[path].split("\n")
            lines[at : at + (not line)] = [line] if line else []
            now[path] = "\n".join(lines)
    return now


def facts_of_all(tree: Mapping[str, str]) -> dict[str, FileFacts]:
    return {path: facts_in(path, source) for path, source in tree.items()}


def test_edited_files_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(
        trees,
        st.lists(
            st.tuples(st.sampled_from((*PATHS, *MANIFESTS[:2])), st.sampled_from(["", *LINES]), st.integers(0, 6)),
            min_size=1,
            max_size=3,
        ),
    )
    def check(tree: Mapping[str, str], changes: list[tuple[str, str, int]]) -> None:
        before, after = facts_of_all(tree), facts_of_all(edited(tree, changes))
        joined.append(is_updated(before, after))

    check()
    assert sum(joined) * 2 > len(joined)


def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees, st.sets(st.sampled_from((*PATHS, *MANIFESTS)), max_size=1), trees)
    def check(tree: Mapping[str, str], gone: set[str], come: Mapping[str, str]) -> None:
        kept = exchanged(tree, gone, come)
        before, after = facts_of_all(tree), facts_of_all(kept)
        joined.append(is_updated(before, after))

    check()
    assert sum(joined) * 8 > len(joined)


def test_who_imports_a_module_s_folder_by_its_path_in_the_repository_is_joined_again() -> None:
    tree = {"shop/price/go.mod": "module a.b", "shop/price/d.go": "", "shop/a.go": 'import "a.b/shop/price"'}
    assert is_updated(facts_of_all(tree), facts_of_all(tree | {"shop/price/c.go": ""}))
