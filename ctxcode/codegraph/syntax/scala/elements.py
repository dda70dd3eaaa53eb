"""What Scala's collections and options hold: as their types say it, and as functions, loops and patterns get it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, plain_expression, without_functions
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.syntax.java.elements import inside, looks_like_parameter
from ctxcode.codegraph.syntax.narrowed.inner import own_names
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region, rename
from ctxcode.codegraph.syntax.scala.patterns import bind_bounded, bind_parts, taken, typed

if TYPE_CHECKING:
    from tree_sitter import Node

_HOLDING = re.compile(r"(?:\w+\.)*([A-Z]\w*)\s*\[(.*)\]", re.DOTALL)
_SEQUENCES = frozenset({
    "Array", "ArrayBuffer", "ArrayDeque", "ArraySeq", "Buffer", "Future", "HashSet", "IndexedSeq", "Iterable",
    "Iterator", "LazyList", "LinearSeq", "List", "ListBuffer", "ListSet", "Option", "Queue", "Seq", "Set", "Some",
    "SortedSet", "Stack", "Stream", "Traversable", "TraversableOnce", "TreeSet", "Try", "Vector", "View",
})  # fmt: skip
"""Types that hold things of one type, or one thing."""
_MAPPINGS = frozenset({
    "HashMap", "LinkedHashMap", "ListMap", "Map", "SortedMap", "TreeMap", "TrieMap", "VectorMap", "WeakHashMap",
})  # fmt: skip
_OF_LANGUAGE = frozenset({
    "Any", "AnyRef", "AnyVal", "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Nothing", "Object",
    "Short", "String", "Unit",
})  # fmt: skip
_TAKING_EACH = frozenset({
    "collect", "collectFirst", "count", "distinctBy", "dropWhile", "exists", "filter", "filterNot", "find", "flatMap",
    "forall", "foreach", "groupBy", "indexWhere", "map", "maxBy", "minBy", "partition", "sortBy", "span", "takeWhile",
    "withFilter",
})  # fmt: skip
"""What calls a function with each element."""
_HOLDING_ONE = frozenset({"Some", "Success"})
_HOLDING_PATTERNS = frozenset({"case_clause", "for_expression", "val_definition"})
_LISTED = frozenset({"Array", "IndexedSeq", "List", "Seq", "Vector"})
"""What patterns take the first things out of, as many as they name."""
_UNNAMED = "_"
_PAIR = 2
_LONGEST = 200
_DEEPEST = 3
_GIVEN = frozenset({"arguments", "block", "case_block", "lambda_expression"})
"""What functions are given in, and where ``_`` is another one."""
_MOST_NODES = 100
"""Of an expression that is given with ``_`` in it."""


def held_type(text: str) -> str:
    """Return the type a type expression of Scala names, with what a collection holds: ``List<A>``, ``Map<A>``.

    What a function is given as often as one likes, ``Cart*``, is a ``Seq<Cart>`` in it.
    """
    if text.endswith("*"):
        text = f"Seq[{text[:-1].strip()}]"
    return _held(text.strip(), _DEEPEST) if "[" in text and len(text) <= _LONGEST else dotted_name(text)


@lru_cache(maxsize=2_000)
def _held(written: str, deep: int) -> str:
    holding = _HOLDING.fullmatch(written) if deep and "=>" not in written else None
    name, known = dotted_name(written), holding is not None and (holding[1] in _SEQUENCES or holding[1] in _MAPPINGS)
    if holding is None or not known:
        return name
    # Commas are looked for between signs as Java writes them.
    given = inside(holding[2].translate(_AS_JAVA))
    if len(given) != (_PAIR if holding[1] in _MAPPINGS else 1):
        return name
    inner = _held(given[-1].translate(_AS_SCALA).strip(), deep - 1)
    return name if not inner or inner in _OF_LANGUAGE or looks_like_parameter(inner) else f"{name}<{inner}>"


_AS_JAVA, _AS_SCALA = str.maketrans("[]", "<>"), str.maketrans("<>", "[]")


def narrow(findings: Findings, nodes: list["Node"], page: Page) -> None:
    """Tell what stands for each of what something holds, in functions, loops and patterns."""
    regions = [region for node in nodes for region in _regions(node, page)]
    regions += taken(findings, [node for node in nodes if node.type in _HOLDING_PATTERNS], page)
    bind_parts(findings, [node for node in nodes if node.type == "class_definition"], page, held_type)
    bind_bounded(findings, [node for node in nodes if node.type == "type_parameters"], page)
    named = {region.held.at: region for region in regions if region.held.name != _UNNAMED}
    own = own_names(list(named.values()), page, page.around(nodes[0])[0], "scala") if named else ()
    rename(findings, [*regions, *(region for region in own if region.held.at not in named)])


def _regions(node: "Node", page: Page) -> Iterator[Region]:
    match node.type:
        case "for_expression":
            for part in node.named_children:
                for each in part.named_children if part.type == "enumerators" else ():
                    yield from _looped(each, node.end_byte, page)
        case "match_expression":
            yield from _matched(node, page)
        case "lambda_expression":
            yield from typed(node, page, held_type)
        case "call_expression" | "infix_expression":
            yield from _of_call(node, page)


def _of_call(call: "Node", page: Page) -> Iterator[Region]:
    """Yield where a name stands for each of what a function is called for: ``carts.map(cart => …)``."""
    if call.type == "infix_expression":
        on, method = call.child_by_field_name("left"), call.child_by_field_name("operator")
        given = call.child_by_field_name("right")
    else:
        called, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        on = called.child_by_field_name("value") if called is not None else None
        method = called.child_by_field_name("field") if called is not None else None
    if on is None or given is None or method is None or given.type not in _GIVEN:
        return
    if page.of(method) not in _TAKING_EACH:
        return
    said = _expression(on, page)
    if said and given.type == "case_block":
        for clause in given.named_children:
            pattern = clause.child_by_field_name("pattern") if clause.type == "case_clause" else None
            if pattern is not None:
                yield from _bound(pattern, said, clause.byte_range, page)
    elif said:
        function = (
            given.named_children[0] if given.type != "lambda_expression" and given.named_child_count == 1 else given
        )
        yield from _of_function(function, said, page)


def _of_function(function: "Node", said: str, page: Page) -> Iterator[Region]:
    """Yield the same of a function: of its only parameter, which may be ``_``."""
    if function.type != "lambda_expression":
        yield from _of_placeholder(function, said)
        return
    named = function.child_by_field_name("parameters")
    if named is not None and named.type == "bindings" and named.named_child_count == 1:
        named = named.named_children[0]
        named = named.child_by_field_name("name") if named.named_child_count == 1 else None
    is_typed = any(child.type == ":" for child in function.children)
    if named is not None and named.type == "identifier" and not is_typed:
        yield _region(named, f"{said}.{EACH}", function.byte_range, page)


def _of_placeholder(expression: "Node", said: str) -> Iterator[Region]:
    """Yield the same of ``_``, which means something else among the arguments of what is called with it."""
    pending, count, is_given, inner = [expression], 0, False, list["Node"]()
    while pending and count < _MOST_NODES:
        node, count = pending.pop(), count + 1
        is_given |= node.type == "wildcard"
        if node.type in _GIVEN:
            inner.append(node)
        else:
            pending += node.named_children
    if is_given and not pending:
        spans = [(expression.byte_range, f"{said}.{EACH}"), *((node.byte_range, "") for node in inner)]
        yield from (Region(*span, Held(span[0], _UNNAMED, meant, is_other=True)) for span, meant in spans)


def _looped(enumerator: "Node", end: int, page: Page) -> Iterator[Region]:
    """Yield where a name of ``for (cart <- carts)`` stands for each of what is gone over: to the end of the loop."""
    parts = enumerator.named_children
    if len(parts) < _PAIR or not any(child.type == "<-" for child in enumerator.children):
        return
    said = _expression(parts[1], page)
    if said:
        yield from _bound(parts[0], said, (parts[1].end_byte, end), page)


def _matched(match: "Node", page: Page) -> Iterator[Region]:
    """Yield where a name of a pattern stands for what an option or a list holds: ``case Some(cart)``, ``cart :: _``."""
    value, body = match.child_by_field_name("value"), match.child_by_field_name("body")
    said = _expression(value, page) if value is not None else ""
    for clause in body.named_children if body is not None and said else ():
        pattern = clause.child_by_field_name("pattern") if clause.type == "case_clause" else None
        for name in _opened(pattern, page) if pattern is not None else ():
            yield from _bound(name, said, clause.byte_range, page)


def _opened(pattern: "Node", page: Page) -> "list[Node]":
    """Return the names of what a pattern takes out of what holds others."""
    if pattern.type == "infix_pattern":
        operator, left = pattern.child_by_field_name("operator"), pattern.child_by_field_name("left")
        return [left] if operator is not None and left is not None and page.of(operator) == "::" else []
    if pattern.type != "case_class_pattern" or not pattern.named_child_count:
        return []
    made, *names = pattern.named_children
    holder = page.of(made)
    return names if holder in _LISTED or (holder in _HOLDING_ONE and len(names) == 1) else []


def _bound(pattern: "Node", said: str, span: tuple[int, int], page: Page) -> Iterator[Region]:
    """Yield where names of a pattern stand for each of something, or for what a map has for its keys."""
    if pattern.type == "identifier":
        yield _region(pattern, f"{said}.{EACH}", span, page)
    elif pattern.type == "tuple_pattern" and pattern.named_child_count == _PAIR:
        value = pattern.named_children[-1]
        if value.type == "identifier":
            yield _region(value, f"{said}.{EACH}.getValue()", span, page)


def _region(name: "Node", said: str, span: tuple[int, int], page: Page) -> Region:
    """Return where a name is known: behind itself in a span, or all over one that begins later."""
    return Region(max(span[0], name.start_byte), span[1], Held(name.start_byte, page.of(name), said, is_other=True))


def _expression(node: "Node", page: Page) -> str:
    if node.end_byte - node.start_byte > _LONGEST:
        return ""
    return plain_expression("".join(without_functions(page.of(node)).split()))
