"""What functions say that they return, and which of a name's overloads an expression means by its arguments."""

from collections.abc import Callable, Iterator, Sequence

from ctxcode.codegraph.facts import is_returned
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import Value
from ctxcode.codegraph.resolve.orphans import declared_in, namesakes
from ctxcode.codegraph.resolve.tables import MOST_OVERLOADS, Tables

_PAIR = 2
_NO_BINDINGS: dict[str, str] = {}
_DOUBLE = "PHPUnit.Framework.MockObject.MockObject"


def returned_by(tables: Tables, node: int) -> str:
    """Return what a function says that it returns; empty if it says nothing, or is none."""
    if node < 0:
        return ""
    file = tables.file_of[node]
    return tables.returns[file].get(node - tables.first_node[file], "")


def is_collection(tables: Tables, node: int) -> bool:
    """Return whether a type is another name of one that holds others, a member in TypeScript, or one of several."""
    family, said = tables.families[tables.file_of[node]], returned_by(tables, node)
    is_held = said[:1] == "?" if family != "c" else said[-1:] == ">"
    is_held = is_held or (family == "ecmascript" and (said[:1] == "=" or "|" in said))
    is_held = is_held or (family == "python" and (said[:1] == "%" or "|" in said))
    return is_held and tables.kinds[node] == "type" and family != "go"


def gives_parts(tables: Tables, function: int) -> bool:
    """Return whether a function returns a tuple of which something is known."""
    file = tables.file_of[function]
    bound = tables.bindings[file].get(function - tables.first_node[file])
    return bound is not None and any(map(is_returned, bound))


def meant(lookup: Lookup, found: Value, part: str) -> Value | None:
    """Return one of the overloads of what was found by name that all give the same for ``f(2)``, so many arguments.

    Where none takes so many what was found counts. Of C++ it is each one that gives something else.
    """
    tables, method = lookup.tables, found.node
    if tables.families[tables.file_of[method]] == "c":
        return _each(tables, found)
    is_inheriting = tables.kinds[method] == "method" and tables.families[tables.file_of[method]] == "java"
    nodes: Sequence[int] = tables.overloads.get(method, ())
    if not nodes and not is_inheriting:
        return found
    if len(nodes) > MOST_OVERLOADS:
        return None
    count = part.rpartition("(")[2].removesuffix(")").partition(":")[0]
    is_bare = count != "0" or not tables.parameters_of(method)
    if not nodes and (not count.isdecimal() or (is_bare and tables.takes(method, int(count)))):
        return found
    if count.isdecimal():
        fitting = [node for node in nodes if tables.takes(node, int(count))]
        nodes = taking(lookup, method, int(count)) if is_inheriting else fitting
    if not nodes and method not in tables.overloads:
        return found
    said = {returned_by(tables, node): node for node in reversed(nodes)}
    return Value(next(iter(said.values())), is_object=False) if len(said) == 1 else None


def _each(tables: Tables, found: Value) -> Value:
    """Return a function of C++, or all that share its name where it stands and in its class and give other things."""
    node = found.node
    if tables.kinds[node] not in {"function", "method"} or not returned_by(tables, node):
        return found
    nodes, owner = namesakes(tables, node), tables.class_of(node)
    if owner is not None and tables.kinds[node] == "method":
        nodes = [*nodes, *declared_in(tables, owner, tables.name_of(node))]
    said = {returned: each for each in reversed(nodes) if (returned := returned_by(tables, each))}
    if len(said) < _PAIR:
        return found
    return found._replace(either=tuple([Value(said[each], is_object=False) for each in sorted(said)]))


def taking(lookup: Lookup, method: int, count: int) -> list[int]:
    """Return the overloads of a method that take so many arguments; a class's own come before those it inherits.

    What takes nothing comes before what takes any number.
    """
    of_classes = [lookup.tables.overloads.get(method, (method,)), *_inherited(lookup, method)]
    fitting = [[node for node in each if lookup.tables.takes(node, count)] for each in of_classes]
    bare = [[node for node in each if not count and not lookup.tables.parameters_of(node)] for each in fitting]
    return next(filter(None, [*bare, *fitting]), [])


def _inherited(lookup: Lookup, method: int) -> Iterator[Sequence[int]]:
    """Yield the methods of a method's name of each class that its own inherits from."""
    tables = lookup.tables
    name = tables.name_of(method)
    for base in lookup.mro(tables.parents[method])[1:]:
        other = tables.children.get(base, {}).get(name)
        if other is not None and tables.kinds[other] == "method":
            yield tables.overloads.get(other, (other,))


def doubled(lookup: Lookup, value: Value, scope: int) -> Value:
    """Return what a test double of an object is in a scope: that object, and PHPUnit's, which says what is expected."""
    double = lookup.type_in(scope, _DOUBLE) if scope >= 0 else -1
    return value._replace(others=(double,)) if double >= 0 else value


def entered(lookup: Lookup, value: Value, method: str, called: Callable[[Value, Value], Value | None]) -> Value | None:
    """Return what an object gives to a ``with``: itself, unless the method that is called then says otherwise."""
    tables, node = lookup.tables, lookup.member(value.node, method)
    returned = returned_by(tables, node)
    if not returned:
        return value
    file = tables.file_of[node]
    own = tables.bindings[file].get(node - tables.first_node[file], _NO_BINDINGS).get("self")
    return value if own == returned else called(Value(node, is_object=False), value)
