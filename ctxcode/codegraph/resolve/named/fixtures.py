"""Which fixture of pytest's a parameter means: in its class, its module, the nearest ``conftest.py`` around."""

from collections.abc import Callable, Iterator

from ctxcode.codegraph.facts import FIXTURE
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.counted import returned_by
from ctxcode.codegraph.resolve.objects.value import Value
from ctxcode.codegraph.resolve.targets import UNKNOWN


class Fixtures:
    """Answers over one repository; None where nothing is known."""

    def __init__(
        self,
        lookup: Lookup,
        of: Callable[[int, str], Value | None],
        of_bound: Callable[[int, str], Value | None],
    ) -> None:
        """Take what tells what an expression stands for in a definition, and what a binding does."""
        self._lookup = lookup
        self._tables = lookup.tables
        self._of = of
        self._of_bound = of_bound

    def given(self, function: int, name: str) -> Value | None:
        """Return what a test or a fixture gets for a parameter of a name."""
        node = self.asked(function, name)
        said = returned_by(self._tables, node).removeprefix(FIXTURE) if node >= 0 else ""
        return self._of_bound(node, said) if said else None

    def asked(self, user: int, name: str) -> int:
        """Return the fixture that a test, another one or a class asks for by its name; negative for none of ours."""
        return next((node for node in self._called(user, name) if node != user), UNKNOWN)

    def _called(self, user: int, name: str) -> Iterator[int]:
        """Yield the fixtures of a name, the nearest first."""
        tables = self._tables
        for owner in tables.classes_around(user):
            member = self._lookup.member(owner, name)
            if member >= 0 and self._is_fixture(member):
                yield member
        file = tables.file_of[user]
        folders = [f"{fact}." for fact in tables.imports[file] if fact.startswith(FIXTURE)]
        for before in ("", *folders):
            found = self._of(tables.first_node[file], f"{before}{name}")
            if found is not None and found.node >= 0 and not found.is_object and self._is_fixture(found.node):
                yield found.node

    def _is_fixture(self, node: int) -> bool:
        return returned_by(self._tables, node).startswith(FIXTURE)
