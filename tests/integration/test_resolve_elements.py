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
    ],
)
def test_what_is_no_element_is_not_taken_for_one(body: str) -> None:
    files = {
        "store.ts": STORE_TS,
        "use.ts": f"import {{ Crate }} from './store';\nasync function g(crate: Crate) {{ {body} }}\n",
    }
    surely = {edge for edge in edges_between(files) if edge[0] == "use.ts::g" and "ambiguous" not in edge[2]}
    assert set() == surely


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
