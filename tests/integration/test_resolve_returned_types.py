"""Methods of what a call returns, in the languages whose functions say what that is."""

import pytest
from resolved_edges import edges_between

GO = {
    "box/box.go": """
    package box
    type Item struct{}
    func (i *Item) Weigh() {}
    type Box struct{ item *Item }
    func New() *Box { return &Box{} }
    func Open(name string) (*Box, error) { return nil, nil }
    func (b *Box) Pack() *Item { return b.item }
    """,
    "near/near.go": "package near\ntype Bag struct{}\nfunc (b Bag) Weigh() {}\nfunc (b Bag) Pack() {}\n",
}
JAVA = {
    "box/Item.java": "package box;\npublic class Item { public void weigh() {} }\n",
    "box/Box.java": """
    package box;
    public class Box {
        private Box inner;
        public static Box make() { return null; }
        public Item pack() { return null; }
        public Box itself() { return this; }
        void g() { pack().weigh(); }
        void h() { inner.pack().weigh(); }
    }
    """,
    "near/Bag.java": "package near;\npublic class Bag { public void weigh() {} }\n",
}
TYPESCRIPT = {
    "box.ts": """
    export class Item { weigh() {} }
    export class Box {
      made = 1;
      constructor() { this.made = this.pack(); }
      pack(): Item { return new Item(); }
      get first(): Item | undefined { return undefined; }
      async fetch(): Promise<Item> { return new Item(); }
    }
    export function make(): Box { return new Box(); }
    export const open = (name: string): Box => new Box();
    export const shared = make();
    """,
    "near.ts": "export class Bag { weigh() {} pack() {} }\n",
}


@pytest.mark.parametrize(
    "body",
    [
        "b := box.New(); b.Pack().Weigh()",
        "b, err := box.Open(name); i := b.Pack(); i.Weigh()",
        "box.New().Pack().Weigh()",
        "var b = box.New(); i := b.Pack(); i.Weigh()",
    ],
)
def test_go(body: str) -> None:
    use = f'package main\nimport "example.com/me/box"\nimport "example.com/me/near"\nfunc g(name string) {{ {body} }}\n'
    calls = edges_between({**GO, "main.go": use})
    assert {("main.go::g", "box/box.go::Item.Weigh")} == {edge[:2] for edge in calls if edge[1].endswith("Weigh")}


@pytest.mark.parametrize(
    "body",
    [
        "Box.make().itself().pack().weigh();",
        "var item = Box.make().pack(); item.weigh();",
        "Box box = null; var item = box.pack(); item.weigh();",
        "new Box().pack().weigh();",
    ],
)
def test_java(body: str) -> None:
    use = f"package app;\nimport box.Box;\nclass Use {{ void g() {{ {body} }} }}\n"
    calls = edges_between({**JAVA, "app/Use.java": use})
    found = {edge[:2] for edge in calls if edge[1].endswith("weigh")}
    assert {
        ("app/Use.java::Use.g", "box/Item.java::Item.weigh"),
        ("box/Box.java::Box.g", "box/Item.java::Item.weigh"),
        ("box/Box.java::Box.h", "box/Item.java::Item.weigh"),
    } == found


@pytest.mark.parametrize(
    "body",
    [
        "const b = make(); b.pack().weigh();",
        "const item = open('x').pack(); item.weigh();",
        "make().first?.weigh();",
        "const item = await make().fetch(); item.weigh();",
        "shared.pack().weigh();",
        "new Box().pack().weigh();",
    ],
)
def test_typescript(body: str) -> None:
    use = f"import {{ Box, make, open, shared }} from './box';\nasync function g() {{ {body} }}\n"
    calls = edges_between({**TYPESCRIPT, "use.ts": use})
    assert {("use.ts::g", "box.ts::Item.weigh")} == {edge[:2] for edge in calls if edge[1].endswith("weigh")}
