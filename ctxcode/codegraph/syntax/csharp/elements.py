"""What C#'s collections hold: as their types say it, and as loops, queries and lambdas get it."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, INDEXED, plain_expression, without_functions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import APPLIED
from ctxcode.codegraph.syntax.java.elements import inside
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region

if TYPE_CHECKING:
    from tree_sitter import Node

_HOLDING = re.compile(r"(?:\w+(?:\.|::))*(\w+)\s*<(.*)>", re.DOTALL)
SEQUENCES = frozenset({
    "ArraySegment", "BlockingCollection", "Collection", "ConcurrentBag", "ConcurrentQueue", "ConcurrentStack", "DbSet",
    "Func", "HashSet", "IAsyncEnumerable", "IAsyncEnumerator", "ICollection", "IEnumerable", "IEnumerator", "IList",
    "IOrderedEnumerable", "IOrderedQueryable", "IQueryable", "IReadOnlyCollection", "IReadOnlyList", "IReadOnlySet",
    "ISet", "ImmutableArray", "ImmutableHashSet", "ImmutableList", "ImmutableQueue", "ImmutableStack", "Lazy",
    "LinkedList", "LinkedListNode", "List", "Memory", "Nullable", "ObservableCollection", "Queue", "ReadOnlyCollection",
    "ReadOnlyMemory", "ReadOnlySpan", "SortedSet", "Span", "Stack", "ThreadLocal", "AsyncLocal", "WeakReference",
})  # fmt: skip
"""Types that hold things of one type, or one thing."""
MAPPINGS = frozenset({
    "ConcurrentDictionary", "Dictionary", "IDictionary", "IReadOnlyDictionary", "ImmutableDictionary",
    "ImmutableSortedDictionary", "KeyValuePair", "ReadOnlyDictionary", "SortedDictionary", "SortedList",
})  # fmt: skip
_GROUPS = frozenset({"IGrouping", "PriorityQueue"})
"""What holds things of one type beside something else."""
TASKS = frozenset({"Task", "ValueTask"})
"""What they give is what is awaited."""
_PARAMETER = re.compile(r"T(?:[A-Z0-9]\w*)?|[A-Z]")
_PAIR = 2
_LONGEST = 200
_DEEPEST = 3
_TAKING_EACH = frozenset({
    "All", "AllAsync", "Any", "AnyAsync", "Average", "Count", "CountAsync", "DistinctBy", "Exists", "Find", "FindAll",
    "FindIndex", "FindLast", "First", "FirstAsync", "FirstOrDefault", "FirstOrDefaultAsync", "ForEach", "GroupBy",
    "Include", "Last", "LastOrDefault", "Max", "MaxBy", "Min", "MinBy", "OrderBy", "OrderByDescending", "RemoveAll",
    "RemoveWhere", "Select", "SelectMany", "Single", "SingleAsync", "SingleOrDefault", "SingleOrDefaultAsync",
    "SkipWhile", "Sum", "SumAsync", "TakeWhile", "ThenBy", "ThenByDescending", "ToDictionary", "ToLookup",
    "TrueForAll", "Where",
})  # fmt: skip
"""What calls a function with each element."""
_TAKING_OUT = frozenset({
    "TryDequeue", "TryGetTarget", "TryGetValue", "TryPeek", "TryPop", "TryRemove", "TryTake",
})  # fmt: skip
"""What gives an element to what is declared as an ``out`` argument."""


def held_type(text: str, deep: int = _DEEPEST) -> str:
    """Return the type an expression of C# names, with what a collection holds: ``List<A>``, ``Dictionary<A>``, ``A[]``.

    Of a task it is the type of what it gives.
    """
    written = text.strip()[:_LONGEST].removesuffix("?").rstrip()
    if written.endswith("]"):
        inner = held_type(written[: written.rindex("[")], deep - 1) if "[" in written and deep else ""
        return f"{inner}[]" if inner else ""
    holding = _HOLDING.fullmatch(written)
    if holding is None or not deep:
        return dotted_name(written.replace("global::", ""))
    outer, parts = holding[1], inside(holding[2])
    if outer in TASKS:
        return held_type(holding[2], deep)
    if len(parts) != (1 if outer in SEQUENCES else _PAIR if outer in MAPPINGS | _GROUPS else -1):
        name = dotted_name(written.replace("global::", ""))
        types = [type_argument(each, deep - 1) for each in parts]
        return f"{name}<{APPLIED}{';'.join(types)}>" if name and any(types) else name
    inner = held_type(parts[0] if outer == "PriorityQueue" else parts[-1], deep - 1)
    name = inner.rstrip("[]")
    is_ours = name[:1].isupper() and not _PARAMETER.fullmatch(name)
    return f"{outer}<{inner}>" if is_ours else outer


def type_argument(text: str, deep: int = _DEEPEST) -> str:
    """Return the type that a type argument names; empty for a parameter and one of the language."""
    inner = held_type(text, deep)
    name = inner.partition("<")[0].rstrip("[]")
    return inner if name[:1].isupper() and not _PARAMETER.fullmatch(name) else ""


def given(nodes: Iterable["Node"], page: Page) -> Iterator[Region]:
    """Yield where a name stands for what a collection holds: of loops, lambdas and queries."""
    for node in nodes:
        match node.type:
            case "foreach_statement":
                yield from _looped(node, page)
            case "lambda_expression":
                yield from _of_lambda(node, page)
            case "from_clause":
                yield from _queried(node, page)


def taken_out(node: "Node", page: Page) -> list[tuple[int, str, str]]:
    """Return what is bound where an element is asked for: ``TryGetValue(key, out var x)``."""
    name, call = node.child_by_field_name("name"), _call_around(node.parent)
    callee = call.child_by_field_name("function") if call is not None else None
    if name is None or callee is None or callee.type != "member_access_expression":
        return []
    on, method = callee.child_by_field_name("expression"), callee.child_by_field_name("name")
    said = _expression(on, page) if on is not None and method is not None and page.of(method) in _TAKING_OUT else ""
    return [(name.start_byte, page.of(name), f"{said}.{INDEXED}")] if said else []


def bounds(clause: "Node", page: Page) -> list[tuple[str, int, int, str]]:
    """Return (name, from where, to where, bound) of a type parameter that extends something: ``where T : Cart``."""
    owner, parts = clause.parent, clause.named_children
    kept = [part.child_by_field_name("type") for part in parts[1:] if part.type == "type_parameter_constraint"]
    types = [dotted_name(page.of(of)) for of in kept if of is not None]
    known = [name for name in types if name and name[0].isupper()]
    if owner is None or not known or not parts or parts[0].type != "identifier":
        return []
    return [(page.of(parts[0]), owner.start_byte, owner.end_byte, known[0])]


def _looped(loop: "Node", page: Page) -> Iterator[Region]:
    left, over = loop.child_by_field_name("left"), loop.child_by_field_name("right")
    said = _expression(over, page) if over is not None else ""
    if left is None or not said:
        return
    names = left.named_children if left.type == "tuple_pattern" else [left]
    if left.type == "tuple_pattern" and len(names) == _PAIR:
        # Only dictionaries give two things.
        names, said = names[1:], f"{said}.Values"
    if len(names) == 1 and names[0].type == "identifier":
        yield _each(names[0], said, (names[0].end_byte, loop.end_byte), page)


def _of_lambda(function: "Node", page: Page) -> Iterator[Region]:
    call = _call_around(function.parent)
    callee = call.child_by_field_name("function") if call is not None else None
    if callee is None or callee.type != "member_access_expression":
        return
    on, method = callee.child_by_field_name("expression"), callee.child_by_field_name("name")
    parameters = function.child_by_field_name("parameters")
    if on is None or method is None or parameters is None or page.of(method).partition("<")[0] not in _TAKING_EACH:
        return
    said, first = _expression(on, page), _first(parameters)
    if said and first is not None:
        yield _each(first, said, function.byte_range, page)


def _first(parameters: "Node") -> "Node | None":
    """Return the name of a lambda's first parameter, if it has no type."""
    if parameters.type != "parameter_list":
        return parameters
    first = parameters.named_children[0] if parameters.named_child_count else None
    is_bare = first is not None and first.child_by_field_name("type") is None
    return first.child_by_field_name("name") if first is not None and is_bare else None


def _queried(clause: "Node", page: Page) -> Iterator[Region]:
    name, query = clause.child_by_field_name("name"), clause.parent
    over = clause.named_children[-1] if clause.named_child_count > 1 else None
    said = _expression(over, page) if over is not None and over != name else ""
    if name is not None and said and query is not None and clause.child_by_field_name("type") is None:
        yield _each(name, said, (name.end_byte, query.end_byte), page)


def _each(name: "Node", said: str, span: tuple[int, int], page: Page) -> Region:
    return Region(*span, Held(name.start_byte, page.of(name), f"{said}.{EACH}", is_other=True))


def _call_around(argument: "Node | None") -> "Node | None":
    """Return the call that an argument is given to."""
    listed = argument.parent if argument is not None and argument.type == "argument" else None
    return listed.parent if listed is not None and listed.type == "argument_list" else None


def _expression(node: "Node", page: Page) -> str:
    if node.end_byte - node.start_byte > _LONGEST:
        return ""
    written = "".join(without_functions(page.of(node)).replace("?.", ".").replace("!", "").split())
    return plain_expression(written.removeprefix("await"))
