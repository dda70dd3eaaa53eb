"""Calls on elements: what collections hold, as their types say, taken out by loops, indexes and functions."""

import pytest
from resolved_edges import edges_between

STORE_TS = """
export class Item { weigh() {} }
export class Bag { weigh() {} }
export class Sack { weigh() {} }
export class Crate {
    items: Item[];
    shelves: ReadonlyArray<readonly Item[]>;
    named = new Map<string, Item>();
    byKind: Record<string, Item | undefined>;
    each(): Iterable<Item> { return this.items }
    all(): Promise<Item[]> { return x }
}
"""


@pytest.mark.parametrize(
    "body",
    [
        "for (const one of crate.items) one.weigh()",
        "for (const one of crate.each()) { one.weigh() }",
        "for (const [key, one] of crate.named) one.weigh()",
        "for (const [key, one] of Object.entries(crate.byKind)) one.weigh()",
        "for (const one of Object.values(crate.byKind)) one?.weigh()",
        "for (const one of crate.named.values()) one.weigh()",
        "crate.items.forEach(one => one.weigh())",
        "crate.items.filter(Boolean).map((one, number) => { one.weigh() })",
        "crate.shelves.forEach(shelf => shelf.some(one => one.weigh()))",
        "crate.named.forEach(one => one.weigh())",
        "crate.items[0].weigh()",
        "crate.items[0]!.weigh()",
        "crate.named.get('a')?.weigh()",
        "const one = crate.items.find(f); one.weigh()",
        "const all = await crate.all(); all[0].weigh()",
        "for (const one of crate.bags) {} for (const one of crate.items) one.weigh()",
        "crate.items.sort((one, other) => one.weigh() - other.weigh())",
        "crate.items.reduce((sum, one) => sum + one.weigh(), 0)",
        "const [one] = crate.items; one.weigh()",
        "const one = crate.items[crate.items.length - 1]; one.weigh()",
        "const all = [...crate.items]; all[0].weigh()",
    ],
)
def test_an_element_of_typescript_is_what_its_collection_is_said_to_hold(body: str) -> None:
    files = {
        "store.ts": STORE_TS,
        "use.ts": f"import {{ Crate }} from './store';\nasync function g(crate: Crate) {{ {body} }}\n",
    }
    drawn = {edge for edge in edges_between(files) if edge[0] == "use.ts::g" and "weigh" in edge[1]}
    assert {("use.ts::g", "store.ts::Item.weigh", "type 0.85")} == drawn


@pytest.mark.parametrize(
    "body",
    [
        "for (const one in crate.items) one.weigh()",
        "for (const one of crate.named) one.weigh()",
        "crate.items.weigh()",
        "crate.items.forEach((one: Bag) => {}); one.weigh()",
        "crate.items.reduce(one => one.weigh())",
        "const one = good ? crate.unknown : other; one.weigh()",
        "const all = [new Bag(), new Sack()]; all[1].weigh()",
        "const all = [...crate.items, other]; all[1].weigh()",
    ],
)
def test_what_is_no_element_is_not_taken_for_one(body: str) -> None:
    files = {
        "store.ts": STORE_TS,
        "use.ts": f"import {{ Crate }} from './store';\nasync function g(crate: Crate) {{ {body} }}\n",
    }
    surely = {edge for edge in edges_between(files) if edge[0] == "use.ts::g" and "ambiguous" not in edge[2]}
    assert set() == surely


@pytest.mark.parametrize(
    "body",
    [
        "function g(one = new Item()) { one.weigh() }",
        "class Use { constructor(private one = new Item()) {} g() { this.one.weigh() } }",
        "function g(it?: Item) { const one = it ?? new Item(); one.weigh() }",
        "function g(it) { const one = it || new Item(); one.weigh() }",
        "function g(good) { const one = good ? new Item() : null; one?.weigh() }",
        "const all = { one: new Item(), other: make() }\nfunction g() { all.one.weigh(); all.other.weigh() }",
        "function g() { const one = [new Item()]; one[0].weigh() }",
        "async function g() { const [bag, one] = await Promise.all([new Bag(), make()]); one.weigh() }",
        "function g() { made().then(one => one.weigh()) }",
        "class Use { one?: Item; made() { return this.one ??= new Item() } g() { this.made().weigh() } }",
        "class Item2 extends Item { static of() { return new this() } }\nfunction g() { Item2.of().weigh() }",
        "function g(it?: Item) { const one = it!; one.weigh() }",
        "function g() { return { none: [], one: [...[]], some: make() } }\nfunction h() { g().some.weigh() }",
    ],
)
def test_values_of_typescript_are_followed_that_are_chosen_made_or_kept(body: str) -> None:
    use = f"""import {{ Item, Bag }} from './store';
function make(): Item {{ return x }}
async function made(): Promise<Item> {{ return x }}
{body}
"""
    drawn = {edge[1:] for edge in edges_between({"store.ts": STORE_TS, "use.ts": use}) if "weigh" in edge[1]}
    assert {"store.ts::Item.weigh"} == {target for target, _ in drawn}
    assert not any("ambiguous" in how for _, how in drawn)


STORE_GO = """package store

type Item struct{}
func (i *Item) Weigh() {}
type Items []*Item
type Bag struct{}
func (b Bag) Weigh() {}
type Sack struct{}
func (s Sack) Weigh() {}
type Crate struct {
    items []*Item
    named map[string]*Item
    shelves [][]Item
    bags []Bag
    line chan *Item
}
func (c *Crate) All() Items { return nil }
"""


@pytest.mark.parametrize(
    "body",
    [
        "for _, one := range crate.items { one.Weigh() }",
        "for _, one := range crate.named { one.Weigh() }",
        "for _, shelf := range crate.shelves { for _, one := range shelf { one.Weigh() } }",
        "for _, one := range crate.All() { one.Weigh() }",
        "for _, one := range more { one.Weigh() }",
        "for _, one := range []*Item{{}, {}} { one.Weigh() }",
        "for _, one := range crate.bags { _ = one }; for _, one := range crate.items { one.Weigh() }",
        "for _, one := range crate.items { _ = one }; for _, one := range f(1)[0] { _ = one }; crate.items[0].Weigh()",
        "crate.items[0].Weigh()",
        "crate.shelves[1][i].Weigh()",
        "crate.All()[0].Weigh()",
        "one := crate.items[0]; one.Weigh()",
        "if one, ok := crate.named[key]; ok { one.Weigh() }",
        "made := make(map[string]Item, 3); made[key].Weigh()",
        "made := make([]Items, 3); made[0][1].Weigh()",
        "one := <-crate.line; one.Weigh()",
        "for one := range crate.line { one.Weigh() }",
        "select { case one := <-crate.line: one.Weigh() }",
        "if one, ok := <-crate.line; ok { one.Weigh() }",
        "some := crate.items[1:]; some[0].Weigh()",
        "some := append(crate.items, nil); some[0].Weigh()",
    ],
)
def test_an_element_of_go_is_what_its_collection_is_said_to_hold(body: str) -> None:
    files = {
        "store.go": STORE_GO,
        "use.go": f"package store\n\nfunc g(crate *Crate, more ...*Item) {{ {body} }}\n",
    }
    drawn = {(source, target) for source, target, _ in edges_between(files) if target.endswith("Weigh")}
    assert {("use.go::g", "store.go::Item.Weigh")} == drawn


def test_an_element_of_something_unknown_is_none_of_another_loop() -> None:
    body = "for _, one := range crate.items { _ = one }; for _, one := range f(1)[0] { one.Weigh() }"
    files = {"store.go": STORE_GO, "use.go": f"package store\n\nfunc g(crate *Crate) {{ {body} }}\n"}
    assert {"ambiguous 0.167"} == {edge[2] for edge in edges_between(files) if edge[1].endswith("Weigh")}


STORE_CS = """namespace Store;
class Item { public void Weigh() {} public Item Lid; }
class Bag { public void Weigh() {} }
class Items : List<Item> {}
class Crate {
    public List<Item> All; public Item[] Few; public Dictionary<string, List<Item>> Named; public Lazy<Item> Late;
    IReadOnlyDictionary<string, Item> One { get; set; }
    public Task<IEnumerable<Item>> Each() => null;
    public Items Own;
}
static class Extensions { public static Bag Packed(this IEnumerable<Item> items) => null; }
"""


@pytest.mark.parametrize(
    "body",
    [
        "foreach (var one in crate.All) one.Weigh();",
        "foreach (var one in crate.Few) { one.Weigh(); }",
        "foreach (var (key, some) in crate.Named) foreach (var one in some) one.Weigh();",
        "foreach (var pair in crate.Named) pair.Value[0].Weigh();",
        "foreach (var some in crate.Named.Values) some.First().Weigh();",
        "foreach (var one in await crate.Each()) one.Weigh();",
        "foreach (var one in crate.Own) one.Weigh();",
        "crate.All.Where(x => true).OrderBy(x => x.Lid).First().Weigh();",
        "crate.All.ForEach(one => one.Weigh());",
        "crate.All.Select((one, number) => one.Lid.Weigh());",
        "crate.Named[key].Any(one => { one.Weigh(); return true; });",
        "var sum = from one in crate.All where one.Weigh() select one;",
        "if (crate.One.TryGetValue(key, out var one)) one.Weigh();",
        "crate.All[0].Weigh(); crate.Few[1].Lid.Weigh();",
        "crate.Late.Value.Weigh();",
        "var one = crate.All[0]; one.Weigh(); var few = crate.Named[key]; few.Last().Weigh();",
        "var one = crate.All.FirstOrDefault(x => x != null); one?.Weigh();",
        "var one = new Bag(); crate.All.ForEach(x => x.Weigh());",
        "var one = good ? new Item() : null; one.Weigh();",
    ],
)
def test_an_element_of_csharp_is_what_its_collection_is_said_to_hold(body: str) -> None:
    use = f"namespace Store;\nclass Use {{ async Task G(Crate crate, string key) {{ {body} }} }}\n"
    drawn = {edge for edge in edges_between({"Store.cs": STORE_CS, "Use.cs": use}) if edge[1].endswith("Weigh")}
    assert {("Use.cs::Use.G", "Store.cs::Item.Weigh")} == {edge[:2] for edge in drawn}
    assert not any("ambiguous" in edge[2] for edge in drawn)


def test_what_extends_collections_of_csharp_is_called_on_them_and_bounds_are_types() -> None:
    body = "crate.All.Packed(); crate.All.Where(x => true).Packed(); it.Weigh();"
    use = f"namespace Store;\nclass Use {{ void G<T>(Crate crate, T it) where T : class, Item {{ {body} }} }}\n"
    drawn = {edge for edge in edges_between({"Store.cs": STORE_CS, "Use.cs": use}) if edge[0] == "Use.cs::Use.G"}
    called = {edge[1:] for edge in drawn if edge[1].endswith(("Packed", "Weigh"))}
    assert {("Store.cs::Item.Weigh", "type 0.9"), ("Store.cs::Extensions.Packed", "type 0.9")} == called


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.cs", f"{STORE_CS}class Use {{ void G(bool b) {{ var x = b ? new Item() : new Bag(); x.Weigh(); }} }}"),
        (
            "a.kt",
            (
                "class Item { fun weigh() {} }\nclass Bag { fun weigh() {} }\n"
                "fun g(b: Boolean) { val x = if (b) Item() else Bag(); x.weigh() }"
            ),
        ),
        (
            "a.java",
            (
                "class Item { void weigh() {} }\nclass Bag { void weigh() {} }\n"
                "class Use { void g(boolean b) { var x = b ? new Item() : new Bag(); x.weigh(); } }"
            ),
        ),
        (
            "a.php",
            (
                "<?php\nclass Item { function weigh() {} }\nclass Bag { function weigh() {} }\n"
                "function g($b) { $x = $b ? new Item() : new Bag(); $x->weigh(); }"
            ),
        ),
    ],
)
def test_what_is_this_or_that_is_not_taken_for_the_first(path: str, source: str) -> None:
    drawn = {edge for edge in edges_between({path: f"{source}\n"}) if "eigh" in edge[1]}
    assert {"ambiguous 0.25"} == {edge[2] for edge in drawn}


def test_what_is_no_element_of_csharp_is_not_taken_for_one() -> None:
    body = "crate.All.Weigh(); crate.All.Zip(other, (one, two) => two.Weigh()); foreach (Bag x in crate.All) {}"
    use = f"namespace Store;\nclass Use {{ void G(Crate crate) {{ {body} }} }}\n"
    drawn = {edge for edge in edges_between({"Store.cs": STORE_CS, "Use.cs": use}) if edge[1].endswith("Weigh")}
    assert {"ambiguous 0.25"} == {edge[2] for edge in drawn}


STORE_KT = """package store
class Item { fun weigh() {}
  val own get() = this
  fun same() = this }
class Bag { fun weigh() {}
  fun pack() {} }
class Crate(val one: Item, val named: Map<String, Item>) {
  val late by lazy { Item() }
  fun first() = one
}
fun pack() {}
fun Item.lift() {}
"""


@pytest.mark.parametrize(
    "body",
    [
        "one.apply { weigh() }",
        "one?.run { weigh() }",
        "with(crate.one) { weigh() }",
        "crate.first().apply { listOf(1).forEach { weigh() } }",
        "one.apply { this.weigh() }",
        "bag.apply { one.run { weigh() } }",
        "Item().apply { x = 1 }.weigh()",
        "val made = Item().also { x = 1 }; made.weigh()",
        "for ((key, some) in crate.named) some.weigh()",
        "crate.named.forEach { (key, some) -> some.weigh() }",
        "crate.late.weigh()",
        "crate.first().own.same().weigh()",
        "val some = crate.named[key] ?: return; some.weigh()",
        "val some = found!!; some.weigh()",
        "val some = crate.named[key]; some?.weigh(); val more = crate.named[key]!!; more.weigh()",
        "val some = if (good) Item() else null; some?.weigh()",
    ],
)
def test_kotlin_calls_what_functions_and_loops_make_this_and_names_of(body: str) -> None:
    use = f"package store\nfun use(crate: Crate, one: Item, found: Item?, bag: Bag, key: String) {{ {body} }}\n"
    drawn = {edge for edge in edges_between({"Store.kt": STORE_KT, "Use.kt": use}) if edge[1].endswith("weigh")}
    assert {("Use.kt::use", "Store.kt::Item.weigh")} == {edge[:2] for edge in drawn}
    assert not any("ambiguous" in edge[2] for edge in drawn)


def test_inside_of_what_speaks_for_something_functions_are_called_as_everywhere() -> None:
    body = "one.apply { pack(); lift(); Crate(this, x) }; bag.apply { pack() }; unknown().run { pack() }"
    use = f"package store\nfun use(one: Item, bag: Bag) {{ {body} }}\n"
    drawn = {edge[1:] for edge in edges_between({"Store.kt": STORE_KT, "Use.kt": use}) if edge[0] == "Use.kt::use"}
    surely = {target for target, how in drawn if "ambiguous" not in how}
    assert {f"Store.kt::{name}" for name in ("pack", "Item.lift", "Crate", "Bag.pack")} <= surely


STORE_JAVA = """package store;
import java.util.*;
class Item { void weigh() {} }
class Bag { void weigh() {} }
record Crate(Item one, List<Item> all) {}
"""


@pytest.mark.parametrize(
    "body",
    [
        "crate.one().weigh();",
        "crate.all().get(0).weigh();",
        "for (var each : crate.all()) each.weigh();",
        "var same = one; same.weigh();",
        "var cast = (Item) found; cast.weigh();",
        "var made = good ? new Item() : null; made.weigh();",
        "all.sort((left, right) -> { left.weigh(); right.weigh(); return 0; });",
        "all.stream().reduce((left, right) -> { right.weigh(); return left; });",
        "bags.forEach((key, bag) -> {}); all.forEach(each -> each.weigh());",
    ],
)
def test_values_of_java_are_followed_that_records_keep_and_functions_get(body: str) -> None:
    use = f"""package store;
import java.util.*;
class Use {{ void g(Crate crate, Item one, Object found, List<Item> all, Map<String, Bag> bags) {{ {body} }} }}
"""
    files = {"store/Crate.java": STORE_JAVA, "store/Use.java": use}
    drawn = {edge for edge in edges_between(files) if edge[1].endswith("weigh")}
    assert {("store/Use.java::Use.g", "store/Crate.java::Item.weigh")} == {edge[:2] for edge in drawn}
    assert not any("ambiguous" in edge[2] for edge in drawn)


@pytest.mark.parametrize(
    ("call", "target"),
    [
        ("it.weigh()", "Item.weigh"),
        ("it.lid.weigh()", "Item.weigh"),
        ("Item.made().weigh()", "Item.weigh"),
        ("Item.made()", "Item.made"),
        ("Item.first.weigh()", "Item.weigh"),
        ("it.pack()", "Packed.pack"),
    ],
)
def test_a_type_of_scala_is_told_from_the_object_of_its_name(call: str, target: str) -> None:
    source = f"""class Item extends Packed {{ def weigh(): Unit = x; def lid: Item = x }}
object Item {{ def made(): Item = new Item; val first = new Item; def pack(): Unit = x }}
trait Packed {{ def pack(): Unit = x }}
class Bag {{ def weigh(): Unit = x; def pack(): Unit = x }}
class Use {{ def use(it: Item) = {call} }}
"""
    drawn = {edge[1] for edge in edges_between({"Store.scala": source}) if edge[0].endswith("Use.use")}
    assert f"Store.scala::{target}" in drawn
    assert "Store.scala::Bag.weigh" not in drawn
    assert "Store.scala::Bag.pack" not in drawn


STORE_SWIFT = """
class Item { func weigh() {}
  func pack() {} }
class Bag { func weigh() {} }
class Crate { var all: [Item] = []; var named: [String: Item]?; let some: Set<Item>; let shelves: [[Item]]
  func each() -> [Item] { all } }
extension Array { func packed() -> Bag { Bag() } }
"""


@pytest.mark.parametrize(
    "body",
    [
        "for one in crate.all { one.weigh() }",
        "for (key, one) in crate.named! { one.weigh() }",
        "for (place, one) in crate.all.enumerated() { one.weigh() }",
        "for shelf in crate.shelves { for one in shelf { one.weigh() } }",
        "for one in crate.each() { one.weigh() }",
        "crate.all[0].weigh()",
        "crate.all.first?.weigh()",
        "crate.named?[key]?.weigh()",
        "crate.some.forEach { $0.weigh() }",
        "crate.all.filter { _ in true }.forEach { one in one.weigh() }",
        "crate.all.sorted { $0.weigh() < $1.weigh() }",
        "crate.named?.values.forEach { $0.weigh() }",
        "let one = crate.all[0]; one.weigh()",
        "some.forEach { $0.weigh() }",
        "it.weigh()",
    ],
)
def test_an_element_of_swift_is_what_its_collection_is_said_to_hold(body: str) -> None:
    use = f"func use<T: Item>(crate: Crate, key: String, some: [Item?], it: T) {{ {body} }}\n"
    files = {"Sources/Shop/Store.swift": STORE_SWIFT, "Sources/Shop/Use.swift": use}
    drawn = {edge for edge in edges_between(files) if edge[1].endswith("weigh")}
    assert {("Sources/Shop/Use.swift::use", "Sources/Shop/Store.swift::Item.weigh")} == {edge[:2] for edge in drawn}
    assert not any("ambiguous" in edge[2] for edge in drawn)


def test_what_is_added_to_collections_of_swift_is_called_on_them() -> None:
    use = "func use(crate: Crate) { crate.all.packed(); crate.all.filter { $0.isEmpty }.packed() }\n"
    files = {"Sources/Shop/Store.swift": STORE_SWIFT, "Sources/Shop/Use.swift": use}
    assert "Sources/Shop/Store.swift::Array.packed" in {edge[1] for edge in edges_between(files)}
