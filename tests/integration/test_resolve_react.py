"""What React and Redux make of functions: components, callbacks, slices."""

import pytest
from resolved_edges import edges_between, facts_of

DATA = "export function load() {}\nexport class Legacy { render() {} }\n"


def kinds_of(source: str) -> set[tuple[str, str]]:
    (facts,) = facts_of({"a.tsx": source}).values()
    return {(symbol.qualname, symbol.kind) for symbol in facts.symbols[1:]}


def test_a_function_that_a_call_hands_on_goes_by_the_name_that_gets_it() -> None:
    source = """
    const Box = memo(function Box(props) { return null; });
    const Row = React.forwardRef<HTMLElement, Props>((props, ref) => null);
    export const Deep = memo(forwardRef((props, ref) => null));
    const Bare = memo(Row);
    function App() {
        const open = useCallback(() => {}, []);
        const total = useMemo(() => 1, []);
        const other = wrapped(() => {});
    }
    """
    assert {
        ("Box", "function"),
        ("Row", "function"),
        ("Deep", "function"),
        ("Bare", "constant"),
        ("App", "function"),
        ("App.open", "function"),
    } == kinds_of(source)


def test_calls_stand_in_the_callback_and_lead_to_it() -> None:
    files = {
        "data.ts": DATA,
        "app.tsx": """
        import { load } from "./data";
        export function App() {
            const open = useCallback(() => { load(); }, []);
            function run() { open(); }
            return <Box open={open} />;
        }
        const Box = memo(function Box(props) { load(); return null; });
        """,
    }
    assert {
        ("app.tsx::App.open", "data.ts::load", "import 1"),
        ("app.tsx::App.run", "app.tsx::App.open", "scope 1"),
        ("app.tsx::App", "app.tsx::Box", "scope 1"),
        ("app.tsx::Box", "data.ts::load", "import 1"),
    } == edges_between(files)


def test_what_is_remembered_is_what_is_made() -> None:
    files = {
        "data.ts": DATA,
        "app.tsx": """
        import { Legacy } from "./data";
        export function App() {
            const old = useMemo(() => new Legacy(), []);
            old.render();
        }
        """,
    }
    assert ("app.tsx::App", "data.ts::Legacy.render", "type 0.9") in edges_between(files)


@pytest.mark.parametrize("call", ["lazy", "React.lazy", "lazyWithRetry", "defineAsyncComponent"])
def test_a_component_that_is_imported_when_it_is_shown_uses_what_its_module_exports_by_default(call: str) -> None:
    files = {
        "page.tsx": "export default function Page() { return null; }\nexport function Other() {}\n",
        "app.tsx": f'const Shown = {call}(() => import("./page"));\nexport function App() {{ return <Shown />; }}\n',
    }
    assert {("app.tsx", "page.tsx::Page", "import 1")} == edges_between(files, "imports")
    assert ("app.tsx::Shown", "page.tsx::Page", "import 1") in edges_between(files, "references")
    assert {("app.tsx::App", "app.tsx::Shown", "scope 1")} == edges_between(files)


SLICE = """
import { load } from "./data";
export const cart = createSlice({
    name: "cart",
    reducers: {
        added(state) { load(); },
        removed: (state) => {},
        done: { reducer(state) { load(); }, prepare(item) { return item; } },
    },
});
export const { added, removed: gone } = cart.actions;
export default cart.reducer;
"""


def test_the_actions_of_a_slice_are_its_reducers() -> None:
    calls = "cart.actions.added(1); added(2); cart.actions.done(3);"
    user = f'import {{ cart, added }} from "./cart";\nfunction run() {{ {calls} }}\n'
    files = {"data.ts": DATA, "cart.ts": SLICE, "user.ts": user}
    assert {
        ("cart.ts::cart.added", "data.ts::load", "import 1"),
        ("cart.ts::cart.done", "data.ts::load", "import 1"),
        ("user.ts::run", "cart.ts::cart.added", "receiver 0.95"),
        ("user.ts::run", "cart.ts::cart.done", "receiver 0.95"),
        ("user.ts::run", "cart.ts::added", "import 1"),
    } == edges_between(files)
    referred = edges_between(files, "references")
    assert ("cart.ts::added", "cart.ts::cart.added", "receiver 0.95") in referred
    assert ("cart.ts::gone", "cart.ts::cart.removed", "receiver 0.95") in referred


@pytest.mark.parametrize(
    "component",
    [
        "export function Show(p: { render: () => void }) { return p.render(); }",
        "export function Show(props) { return props.render(); }",
        "export class Show extends Component { draw() { return this.props.render(); } }",
        "export function Show(p) { return <b>{p.render()}</b>; }",
        "export const Show = (p) => <b>{p.render()}</b>;",
        "interface Props { render: () => void }\nexport const Show: React.FC<Props> = (p) => p.render();",
    ],
)
def test_what_a_component_is_given_is_no_method_of_some_class(component: str) -> None:
    assert set() == edges_between({"data.ts": DATA, "show.tsx": component})


def test_what_a_component_is_given_has_the_type_that_its_declaration_says() -> None:
    files = {
        "data.ts": DATA,
        "show.tsx": """
        import { Legacy } from "./data";
        interface Props { old: Legacy; render: () => void }
        export const Show: FC<Props> = (it) => it.old.render();
        """,
    }
    assert {("show.tsx::Show", "data.ts::Legacy.render", "type 0.85")} == edges_between(files)


@pytest.mark.parametrize(
    "kept",
    [
        "const [old] = useState(() => new Legacy()); old.render()",
        "const [old, setOld] = React.useState(new Legacy()); old.render()",
        "const [old, setOld] = useState<Legacy | null>(null); old?.render()",
        "const [old] = useState(() => made()); old.render()",
        "const old = useMemo(() => made(), []); old.render()",
        "const old = useRef(new Legacy()); old.current.render()",
        "const old = React.useRef<Legacy>(null); old.current?.render()",
        "const old: RefObject<Legacy | null> = useOuter(); old.current!.render()",
        "const old = shallowRef<Legacy>(); old.value.render()",
    ],
)
def test_what_react_and_vue_keep_from_one_rendering_to_the_next_is_what_it_was_made_as(kept: str) -> None:
    files = {
        "data.ts": DATA,
        "show.tsx": f"""
        import {{ Legacy }} from "./data";
        class Other {{ render() {{}} }}
        function made() {{ return new Legacy() }}
        export function Show() {{ {kept} }}
        """,
    }
    edges = {edge[:2] for edge in edges_between(files) if edge[1].endswith("render")}
    assert {("show.tsx::Show", "data.ts::Legacy.render")} == edges


def test_what_is_kept_is_told_from_what_keeps_it() -> None:
    files = {
        "data.ts": DATA,
        "show.tsx": """
        import { Legacy } from "./data";
        class Other { render() {} }
        export function Show() { const old = useRef(new Legacy()); old.render(); }
        """,
    }
    assert set() == {edge for edge in edges_between(files) if edge[1].endswith("render") and edge[2][:4] == "type"}


@pytest.mark.parametrize(
    "own", ["import { useState, useRef } from './own'", "function useState(a) {}\nconst useRef = (a) => a"]
)
def test_a_function_of_the_project_that_is_called_as_one_of_react_is_not_it(own: str) -> None:
    files = {
        "data.ts": DATA,
        "own.ts": "export function useState(it) { return [] }\nexport function useRef(it) { return {} }",
        "show.tsx": """
        import { Legacy } from "./data";
        class Other { render() {} }
        export function Show() { const [old] = useState(new Legacy()); old.render(); }
        export function Draw() { const old = useRef(new Legacy()); old.current.render(); }
        """.replace("\n        import", f"\n{own}\nimport", 1),
    }
    assert set() == {edge for edge in edges_between(files) if edge[1].endswith("render") and edge[2][:4] == "type"}
