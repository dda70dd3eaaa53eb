"""What Java's collections hold: as their types say it, and as lambdas get it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, MAKING, counted_expression
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import is_bare_name, java_type
from ctxcode.codegraph.facts import APPLIED

if TYPE_CHECKING:
    from tree_sitter import Node

_HOLDING = re.compile(r"(?:java\.util\.(?:\w+\.)*)?([A-Z]\w*(?:\.Entry)?)\s*<(.*)>", re.DOTALL)
_GENERIC = re.compile(r"[\w.]+\s*<(.*)>", re.DOTALL)
_BOUND = re.compile(r"\?\s*(?:extends|super)\s+|@\w+\s+")
_SEQUENCES = frozenset({
    "AbstractCollection", "AbstractList", "AbstractQueue", "AbstractSequentialList", "AbstractSet", "Array",
    "ArrayBlockingQueue", "ArrayDeque", "ArrayList", "AtomicReference", "BaseStream", "BlockingDeque", "BlockingQueue",
    "Callable", "Collection", "CompletableFuture", "CompletionStage", "ConcurrentLinkedDeque", "ConcurrentLinkedQueue",
    "CopyOnWriteArrayList", "CopyOnWriteArraySet", "Deferred", "Deque", "EnumSet", "Enumeration", "Flow", "Future",
    "HashSet", "Iterable", "Iterator", "Lazy", "LinkedBlockingDeque", "LinkedBlockingQueue", "LinkedHashSet",
    "LinkedList", "List", "ListIterator", "LiveData", "MutableCollection", "MutableIterable", "MutableIterator",
    "MutableList", "MutableLiveData", "MutableSet", "MutableSharedFlow", "MutableState", "MutableStateFlow",
    "NavigableSet", "Optional", "PriorityBlockingQueue", "PriorityQueue", "Provider", "Queue", "Reference", "Sequence",
    "Set", "SharedFlow", "SoftReference", "SortedSet", "Spliterator", "Stack", "State", "StateFlow", "Stream",
    "Supplier", "ThreadLocal", "TreeSet", "Vector", "WeakReference",
})  # fmt: skip
"""Types of Java and Kotlin that hold things of one type, or one thing."""
_MAPPINGS = frozenset({
    "AbstractMap", "ConcurrentHashMap", "ConcurrentMap", "ConcurrentNavigableMap", "ConcurrentSkipListMap", "EnumMap",
    "HashMap", "Hashtable", "IdentityHashMap", "LinkedHashMap", "Map", "Map.Entry", "Entry", "MutableMap",
    "NavigableMap", "SortedMap", "TreeMap", "WeakHashMap",
})  # fmt: skip
_STORES = frozenset({
    "BaseMapper", "CrudRepository", "JpaRepository", "ListCrudRepository", "ListPagingAndSortingRepository",
    "MongoRepository", "PagingAndSortingRepository",
})  # fmt: skip
"""Types of Spring Data and MyBatis that keep things of the first type they are given."""
COLLECTIONS = _SEQUENCES | _MAPPINGS
_OF_LANGUAGE = frozenset({
    "Boolean", "Byte", "CharSequence", "Character", "Class", "Double", "Float", "Integer", "Long", "Number", "Object",
    "Short", "String", "Void",
})  # fmt: skip
_ENDING = frozenset({"", "]", ">"})
_PAIR = 2
_LONGEST = 200
_FURTHEST = 100
"""White space between a call's bracket and the function that is given."""
_DEEPEST = 3
_SHORTEST = 2
"""Names as short are type parameters."""
_TAKING_EACH = frozenset({
    "allMatch", "anyMatch", "dropWhile", "filter", "flatMap", "forEach", "forEachOrdered", "forEachRemaining",
    "ifPresent", "ifPresentOrElse", "map", "mapToDouble", "mapToInt", "mapToLong", "mapToObj", "noneMatch", "peek",
    "removeIf", "replaceAll", "takeWhile", "thenAccept", "thenApply", "thenCompose", "updateAndGet",
})  # fmt: skip
"""What calls a function with each element."""
_TAKING_TWO = frozenset({"max", "min", "reduce", "sort", "sorted"})
"""What calls one with two of them."""


def java_collection(text: str) -> str:
    """Return the type a Java type expression names, with what a collection holds: ``List<A>``, ``Map<A>``, ``A[]``."""
    if is_bare_name(text):
        return text
    # A repository writes a few types again and again.
    return _known_collection(text) if len(text) <= _LONGEST else java_type(text)


@lru_cache(maxsize=2_000)
def _known_collection(text: str) -> str:
    return _collection(text, _DEEPEST)


def _collection(text: str, deep: int) -> str:
    written = java_type(text)
    holding = _HOLDING.fullmatch(text.strip()) if deep and written[-1:] != "]" else None
    if holding is None or not (holding[1] in _SEQUENCES or holding[1] in _MAPPINGS or holding[1] in _STORES):
        return written
    held = inside(holding[2])
    if holding[1] in _STORES:
        held = held[:1]
    if len(held) != (_PAIR if holding[1] in _MAPPINGS else 1):
        return written
    inner = type_argument(held[-1], deep - 1)
    return f"{written}<{inner}>" if inner else written


def java_generic(text: str) -> str:
    """Return the same, with the type arguments of all other types behind a sign: ``Box<~A;B>``."""
    known = java_collection(text)
    found = _GENERIC.fullmatch(text.strip()) if known != text and known[-1:] not in _ENDING else None
    types = [type_argument(each) for each in inside(found[1])] if found is not None and len(text) <= _LONGEST else []
    return applied(known, types) if known not in _OF_LANGUAGE else known


def applied(name: str, types: Sequence[str]) -> str:
    """Return a type with its arguments, some of which may be empty; the name alone where all are."""
    return f"{name}<{APPLIED}{';'.join(types)}>" if any(types) else name


def sign_of(name: str) -> str:
    """Return the sign of a collection: ``%`` for one with keys, else ``?``."""
    return "%" if name in _MAPPINGS else "?"


def type_argument(text: str, deep: int = _DEEPEST) -> str:
    """Return the type that a type argument names, ``? extends A``; empty for a parameter and one of the language."""
    inner = _collection(_BOUND.sub("", text.strip()), deep)
    name = inner.rstrip("[]")
    return "" if looks_like_parameter(name) or name in _OF_LANGUAGE else inner


def looks_like_parameter(name: str) -> bool:
    """Whether a type's name is as short as those of type parameters are."""
    return len(name) <= _SHORTEST and name.isupper()


def inside(text: str) -> list[str]:
    """Return what stands between commas outside of brackets."""
    depth, parts, start = 0, list[str](), 0
    for at, character in enumerate(text):
        depth += (character in "<(") - (character in ">)")
        if character == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def expression(node: "Node", page: Page) -> str:
    """Return names, dots and counted calls; empty for what is more."""
    if node.end_byte - node.start_byte >= _LONGEST:
        return ""
    return _expression("".join(page.of(node).replace("new ", f"new{MAKING}").split()))


def _expression(written: str) -> str:
    if written.isidentifier():
        return written
    return counted_expression(written) if len(written) < _LONGEST else ""


def lambda_elements(
    lambdas: Sequence["Node"], calls: Iterable[tuple[int, str, str]], page: Page
) -> Iterator[tuple["Node", list["Node"], list[str]]]:
    """Yield (lambda, names, expressions) of names that lambdas bind without a type.

    There is one for each name, empty where no collection gives it, and none where none gives any. ``calls`` are those
    of the file, as findings have them.
    """
    wanted = _TAKING_EACH | _TAKING_TWO
    each = {at: (receiver, name) for at, name, receiver in calls if receiver and name in wanted} if lambdas else {}
    for node in lambdas:
        parameters = node.child_by_field_name("parameters")
        if parameters is None or parameters.type == "formal_parameters":
            continue
        opening = len(page.source[max(0, node.start_byte - _FURTHEST) : node.start_byte].rstrip())
        receiver, method = each.get(max(0, node.start_byte - _FURTHEST) + opening - len(".("), ("", ""))
        over = _expression(receiver)
        names = [parameters] if parameters.type == "identifier" else parameters.named_children
        # Else only maps give two things.
        is_pair, is_two = len(names) == _PAIR, method in _TAKING_TWO
        if not over or len(names) > _PAIR or (is_two and not is_pair):
            yield node, names, []
        elif is_pair:
            yield node, names, [f"{over}.{EACH}"] * _PAIR if is_two else ["", f"{over}.values().{EACH}"]
        else:
            yield node, names, [f"{over}.{EACH}"]
