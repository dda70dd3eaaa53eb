"""A graph of components and slices brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping
from functools import cache
from random import Random

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged_by_chance, facts_from, joined_as_anew

from ctxcode.codegraph.facts import FileFacts

LINES = (
    "",
    "import Page, { cart, added, Menu } from './b';",
    "import { cart } from './c';",
    "import { load } from './lib/d';",
    "const Shown = lazy(() => import('./b'));",
    "const Shown = React.lazy(() => import('./c'));",
    "export default function Page(p) { return <Shown on={p.run()} />; }",
    "export default Menu;",
    "export const Menu = memo(function Menu(props) { props.open(); load(); return <Page />; });",
    "export const Menu = forwardRef<A, Props>((it, ref) => { it.menu.open(); return <Shown />; });",
    "export const Menu: FC<Props> = (it) => <b>{it.menu.open()}{it.open()}</b>;",
    "interface Props { menu: Till; open(): Till }",
    "export class Till { open() { load(); } run() { this.open(); } #pay() {} }",
    "function App() { const open = useCallback(() => { load(); }, []); open(); return <Menu open={open} />; }",
    "function App(p: { open: () => void }) { const till = useMemo(() => new Till(), []); till.open(); p.open(); }",
    "export const cart = createSlice({ reducers: { added(s) { load(); }, done: { reducer(s) { load(); } } } });",
    "export const cart = createSlice({ reducers: { added: (s) => open(), more() { cart.actions.added(); } } });",
    "export const { added, done } = cart.actions;",
    "export default cart.reducer;",
    "export function load() { added(1); cart.actions.added(2); cart.actions.done(); cart.more(); }",
    "function open() { load(); new Till().run(); }",
)
PATHS = ("a.tsx", "b.tsx", "c.tsx", "lib/d.tsx")


@cache
def facts_in(path: str, source: str) -> FileFacts:
    return facts_from(path, source)


def trees() -> st.SearchStrategy[Mapping[str, str]]:
    """Return the sources of some files, line by line, of which not all are there."""
    source = st.lists(st.sampled_from(LINES), min_size=2, max_size=7).map("\n".join)
    return st.fixed_dictionaries(dict.fromkeys(PATHS[:2], source), optional=dict.fromkeys(PATHS[2:], source))


def facts_of_all(tree: Mapping[str, str]) -> dict[str, FileFacts]:
    return {path: facts_in(path, source) for path, source in tree.items()}


def test_edited_components_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(120)
    @given(trees(), st.sampled_from(PATHS), st.sampled_from(LINES), st.integers(0, 6))
    def check(tree: Mapping[str, str], path: str, line: str, at: int) -> None:
        lines = tree.get(path, "").split("\n")
        # An empty line stands for taking one out.
        lines[at : at + (not line)] = [line] if line else []
        before, after = facts_of_all(tree), facts_of_all({**tree, path: "\n".join(lines)})
        joined.append(joined_as_anew(before, after))

    check()
    assert sum(joined) * 5 > len(joined)


def test_components_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(120)
    @given(trees(), trees(), st.randoms(use_true_random=False))
    def check(tree: Mapping[str, str], other: Mapping[str, str], chance: Random) -> None:
        joined.append(joined_as_anew(facts_of_all(tree), facts_of_all(exchanged_by_chance(tree, other, chance))))

    check()
    assert sum(joined) * 5 > len(joined)
