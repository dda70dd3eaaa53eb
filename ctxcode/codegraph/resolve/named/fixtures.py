"""Which fixture of pytest's a parameter means: in its class, its module, the nearest ``conftest.py`` around."""

from collections.abc import Callable, Iterator

from ctxcode.codegraph.facts import FIXTURE
from ctxcode.codegraph.resolve.objects.counted import returned_by
from ctxcode.codegraph.resolve.objects.value import Value
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables

_NO_MEMBERS: dict[str, int] = {}


class Fixtures:
    """Answers over one repository; None where nothing is known."""

    def __init__(
        self,
        tables: Tables,
        of: Callable[[int, str], Value | None],
        of_bound: Callable[[int, str], Value | None],
    ) -> None:
        """Take what tells what an expression stands for in a definition, and what a binding does."""
        self._tables = tables
        self._of = of
        self._of_bound = of_bound

    def given(self, function: int, name: str) -> Value | None:
        """Return what a test or a fixture gets for a parameter of a name."""
        node = next((node for node in self._called(function, name) if node != function), None)
        if node is None:
            return None
        said = returned_by(self._tables, node).removeprefix(FIXTURE)
        return self._of_bound(node, said) if said else None

    def _called(self, function: int, name: str) -> Iterator[int]:
        """Yield the fixtures of a name, the nearest first."""
        tables = self._tables
        around = tables.parents[function]
        if tables.kinds[around] in CLASS_KINDS:
            member = tables.children.get(around, _NO_MEMBERS).get(name)
            if member is not None and self._is_fixture(member):
                yield member
        file = tables.file_of[function]
        folders = [f"{fact}." for fact in tables.imports[file] if fact.startswith(FIXTURE)]
        for before in ("", *folders):
            found = self._of(tables.first_node[file], f"{before}{name}")
            if found is not None and found.node >= 0 and not found.is_object and self._is_fixture(found.node):
                yield found.node

    def _is_fixture(self, node: int) -> bool:
        return returned_by(self._tables, node).startswith(FIXTURE)
