"""What is written where a variable, field or method of Java is declared."""

from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.counted import returned_by
from ctxcode.codegraph.resolve.objects.values import Values
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, SCOPE_KINDS

_NO_BINDINGS: dict[str, str] = {}


class Declarations:
    """Types as written, not what they mean."""

    def __init__(self, lookup: Lookup, values: Values) -> None:
        self._lookup = lookup
        self._values = values
        self._tables = lookup.tables

    def of(self, scope: int, expression: str) -> tuple[int, str] | None:
        """Return (where, the type) as written where what an expression ends in is declared."""
        head, _, last = expression.rpartition(".")
        name, tables = last.removesuffix("()"), self._tables
        owners = list(tables.classes_around(scope))
        if head and head != "this":
            value = self._values.of(scope, head)
            owners = [value.node] if value is not None and value.node >= 0 else []
        elif not head and name == last:
            file, node = tables.file_of[scope], scope
            while tables.parents[node] >= 0:
                bound = tables.bindings[file].get(node - tables.first_node[file], _NO_BINDINGS).get(name)
                if bound is not None and tables.kinds[node] in SCOPE_KINDS:
                    return node, bound
                node = tables.parents[node]
        for owner in owners:
            if tables.kinds[owner] in CLASS_KINDS:
                found = self._declared_in(owner, name, is_called=name != last)
                if found is not None:
                    return found
        return None

    def _declared_in(self, owner: int, name: str, *, is_called: bool) -> tuple[int, str] | None:
        tables = self._tables
        if is_called:
            node = self._lookup.member(owner, name)
            nodes = tables.overloads.get(node, (node,)) if node >= 0 else ()
            said = {(each, returned_by(tables, each)) for each in nodes}
            return said.pop() if len({written for _, written in said}) == 1 and min(said)[1] else None
        for link in self._lookup.mro(owner):
            bound = tables.bindings[tables.file_of[link]].get(link - tables.first_node[tables.file_of[link]])
            if bound is not None and f"self.{name}" in bound:
                return link, bound[f"self.{name}"]
        return None
