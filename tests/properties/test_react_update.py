"""A graph of components and slices brought in step with what has changed equals the graph of all files joined anew."""

from trees_of_lines import edits_are_joined, exchanges_are_joined

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
    "export function isTill(it: unknown): it is Till { load(); }\nexport function load(a) { isTill(a) && a.run(); }",
    "import { isTill, Till } from './b';\nexport function load(a: unknown) { if (isTill(a)) a.open(); isTill(a).go; }",
    "export function Menu(menu: Props['menu']) { const [it] = useState(() => new Till()); it.open(); menu.run(); }",
    "export const Menu = (p) => { const it = useRef<Till>(null); it.current?.run(); useState(load)[0].open(); };",
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


def test_edited_components_give_the_graph_of_all_files_joined_anew() -> None:
    edits_are_joined(LINES, PATHS)


def test_components_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    exchanges_are_joined(LINES, PATHS)
