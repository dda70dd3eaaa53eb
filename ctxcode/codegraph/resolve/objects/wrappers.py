"""Wrappers that have to be opened to get at what is inside: those of Rust, and collections."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import (
    CALLED,
    EACH,
    ELEMENT,
    INDEXED,
    INDEXED_IN_RUST,
    ITSELF,
    POINTED_AT,
    RECEIVED,
)

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.objects.value import Value
    from ctxcode.codegraph.resolve.tables import Tables

ELEMENTS = {ELEMENT: "Item", INDEXED_IN_RUST: "Output"}
"""What stands for them, that behind an index too, to what a type calls them that is no wrapper itself."""
POINTED = {
    "c": frozenset({"get()", "lock()", "value()", INDEXED}),
    "csharp": frozenset({"ConfigureAwait()", "GetAwaiter()", "GetResult()", "Result", "WaitAsync()"}),
}
"""What gives what a pointer of C++ points at, or one of those, and what a task of C# gives, which is taken for that,
where its class has nothing of that name."""
OPENING = frozenset({"borrow", "borrow_mut", "expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else"})
"""Methods that give what is inside."""
_SAME = frozenset({
    "as_deref", "as_deref_mut", "as_mut", "as_pin_mut", "as_ref", "clone", "cloned", "copied", "get_mut", "lock",
    "map_err", "ok", "ok_or", "ok_or_else", "or", "or_else", "read", "take", "to_owned", "write",
})  # fmt: skip
"""Those that give the wrapper again, opened or not."""
KEEPING = OPENING | _SAME
"""Those that leave the type what it is, as far as nothing is left to open."""
_OF_COLLECTIONS = frozenset({
    "as_mut_slice", "as_slice", "back", "back_mut", "by_ref", "chain", "collect", "context", "cycle", "drain",
    "enumerate", "filter", "find", "first", "first_mut", "front", "front_mut", "fuse", "get", "inspect",
    "into_inner", "into_iter", "into_values", "iter", "iter_mut", "last", "last_mut", "max_by", "max_by_key",
    "min_by", "min_by_key", "next", "next_back", "nth", "peek", "peek_mut", "peekable", "pop", "pop_back",
    "pop_front", "reduce", "replace", "rev", "skip", "skip_while", "split_off", "step_by", "take_while", "to_vec",
    "try_lock", "values", "values_mut", "with_context",
})  # fmt: skip
"""Those that give as many of what is inside, one or none of it: it has to be opened as before."""


_SEQUENCE, _MAPPING, _MANAGER = "?", "%", "@"
POINTER = _MANAGER
"""What stands before the type of what an iterator or a pointer of C++ points at, where that is told."""
FUNCTION = "^"
"""What stands before the type of what a function gives that a name of Go or Rust is bound to."""
GUARD = "!"
"""What stands in the place of the sign of Rust's locks once they are locked: of some the guard is still to be opened,
``lock().unwrap()``, of others it is what it guards."""
_LOCKING = frozenset({"lock", "read", "write"})
SIGNS = frozenset({_SEQUENCE, _MAPPING, _MANAGER, FUNCTION})
"""What stands before the type of what something holds; ``@`` for a context manager of Python, a channel of Go or
a pointer of its ``atomic``, what React or Vue keep an object in."""
ENTERING = frozenset({"__aenter__()", "__enter__()", ITSELF})
"""What gives what stands behind ``as`` in a ``with``, or the object itself."""
_ELEMENTS = {
    "python": {
        _SEQUENCE: frozenset({"__next__()", "pop()", "popleft()", INDEXED}),
        _MAPPING: frozenset({"get()", "pop()", "setdefault()", INDEXED}),
        _MANAGER: ENTERING,
    },
    "ecmascript": {
        _SEQUENCE: frozenset({"__next__()", "at()", "find()", "findLast()", "pop()", "shift()", INDEXED, EACH}),
        _MAPPING: frozenset({"get()", INDEXED, EACH}),
        _MANAGER: frozenset({"current", "value"}),
    },
    "go": {
        _SEQUENCE: frozenset({INDEXED, EACH}), _MAPPING: frozenset({INDEXED, EACH}),
        _MANAGER: frozenset({"Load()", "Swap()", RECEIVED}),
    },
    "c": {
        _SEQUENCE: frozenset({
            "at()", "back()", "emplace_back()", "front()", "top()", "value()", INDEXED, EACH,
        }),
        _MAPPING: frozenset({"at()", "second", INDEXED}),
        POINTER: frozenset({"value()", EACH, INDEXED, POINTED_AT}),
    },
    "csharp": {
        _SEQUENCE: frozenset({
            "Current", "Dequeue()", "ElementAt()", "ElementAtOrDefault()", "Find()", "FindAsync()", "FindLast()",
            "First", "First()", "FirstAsync()", "FirstOrDefault()", "FirstOrDefaultAsync()", "GetValueOrDefault()",
            "Invoke()", "Last", "Last()", "LastAsync()", "LastOrDefault()", "LastOrDefaultAsync()", "Max", "MaxBy()",
            "Min", "MinBy()", "Peek()", "Pop()", "Single()", "SingleAsync()", "SingleOrDefault()",
            "SingleOrDefaultAsync()", "Target", "Value", INDEXED, EACH,
        }),
        _MAPPING: frozenset({
            "AddOrUpdate()", "GetOrAdd()", "GetValueOrDefault()", "Value", INDEXED,
        }),
    },
    "swift": {
        _SEQUENCE: frozenset({
            "first", "first()", "last", "last()", "max()", "min()", "popFirst()", "popLast()", "randomElement()",
            "remove()", "removeFirst()", "removeLast()", INDEXED, EACH,
        }),
        _MAPPING: frozenset({"removeValue()", "updateValue()", INDEXED}),
    },
    "java": {
        _SEQUENCE: frozenset({
            "await()", "call()", "ceiling()", "element()", "elementAt()", "find()", "findLast()", "first()",
            "firstElement()", "firstOrNull()", "floor()", "get()", "getAndSet()", "getAndUpdate()", "getById()",
            "getFirst()", "getLast()", "getNow()", "getOne()", "getOrElse()", "getOrNull()", "getReferenceById()",
            "getValue()", "higher()", "join()", "last()", "lastElement()", "lastOrNull()", "lower()", "maxBy()",
            "maxByOrNull()", "minBy()", "minByOrNull()", "next()", "nextElement()", "orElse()", "orElseGet()",
            "orElseThrow()", "peek()", "peekFirst()", "peekLast()", "poll()", "pollFirst()", "pollLast()", "pop()",
            "previous()", "random()", "remove()", "removeAt()", "removeFirst()", "removeLast()", "save()",
            "saveAndFlush()", "selectById()", "selectOne()", "set()", "single()", "singleOrNull()", "take()",
            "takeFirst()", "takeLast()", "updateAndGet()", INDEXED, EACH,
        }),
        _MAPPING: frozenset({
            "component2()", "computeIfAbsent()", "get()", "getOrDefault()", "getOrElse()", "getOrPut()", "getValue()",
            "put()", "putIfAbsent()", "remove()", INDEXED,
        }),
    },
}  # fmt: skip
"""What gives an element of a collection, by family."""
_COLLECTIONS = {
    "python": {
        _SEQUENCE: frozenset({"__iter__()", "copy()"}), _MAPPING: frozenset({"copy()"}), _MANAGER: frozenset[str](),
    },
    "ecmascript": {
        _SEQUENCE: frozenset({
            "__iter__()", "concat()", "filter()", "reverse()", "slice()", "sort()", "toReversed()", "toSorted()",
            "values()",
        }),
        _MAPPING: frozenset[str](),
        _MANAGER: frozenset[str](),
    },
    "go": {_SEQUENCE: frozenset[str](), _MAPPING: frozenset[str](), _MANAGER: frozenset[str]()},
    "c": {
        _SEQUENCE: frozenset({"first()", "last()", "subspan()"}),
        _MAPPING: frozenset({
            "begin()", "cbegin()", "end()", "find()", "lower_bound()", "rbegin()", "upper_bound()", EACH,
        }),
        POINTER: frozenset({"get()", "lock()"}),
    },
    "csharp": {
        _SEQUENCE: frozenset({
            "Append()", "AsEnumerable()", "AsNoTracking()", "AsParallel()", "AsQueryable()", "AsReadOnly()", "AsSpan()",
            "Concat()", "DefaultIfEmpty()", "Distinct()", "DistinctBy()", "Except()", "FindAll()", "GetEnumerator()",
            "GetRange()", "Include()", "Intersect()", "OrderBy()", "OrderByDescending()", "Prepend()", "Reverse()",
            "Skip()", "SkipWhile()", "Take()", "TakeLast()", "TakeWhile()", "ThenBy()", "ThenByDescending()",
            "ThenInclude()", "ToArray()", "ToArrayAsync()", "ToHashSet()", "ToImmutableArray()", "ToImmutableList()",
            "ToList()", "ToListAsync()", "Union()", "Where()", "WithCancellation()",
        }),
        _MAPPING: frozenset({
            "Current", "ElementAt()", "First()", "FirstOrDefault()", "GetEnumerator()", "Last()", "LastOrDefault()",
            "OrderBy()", "OrderByDescending()", "Single()", "SingleOrDefault()", "ToList()", "Where()", EACH,
        }),
    },
    "swift": {
        _SEQUENCE: frozenset({
            "dropFirst()", "dropLast()", "filter()", "lazy", "prefix()", "reversed()", "shuffled()", "sorted()",
            "suffix()",
        }),
        _MAPPING: frozenset({"filter()"}),
    },
    "java": {
        _SEQUENCE: frozenset({
            "asIterable()", "asReversed()", "asSequence()", "descendingIterator()", "descendingSet()", "distinct()",
            "distinctBy()", "drop()", "dropWhile()", "elements()", "filter()", "filterNot()", "filterNotNull()",
            "findAll()", "findAllById()", "findAny()", "findById()", "findFirst()", "findOne()", "headSet()",
            "iterator()", "limit()", "listIterator()", "max()", "min()", "onEach()", "or()", "orEmpty()",
            "parallelStream()", "reversed()", "saveAll()", "selectBatchIds()", "selectList()", "shuffled()", "skip()",
            "sortBy()", "sortWith()", "sorted()", "sortedBy()", "sortedByDescending()", "sortedDescending()",
            "sortedWith()", "stream()", "subList()", "subSet()", "tailSet()", "takeWhile()", "toList()",
            "toMutableList()", "toMutableSet()", "toSet()", "toTypedArray()",
        }),
        _MAPPING: frozenset({"descendingMap()", "headMap()", "subMap()", "tailMap()", EACH}),
    },
}  # fmt: skip
"""What gives one like it."""
TYPED = frozenset({"c", "csharp", "java"})
"""Families whose types may say what they hold by what they inherit from."""
GIVING_ELEMENTS = frozenset({EACH, INDEXED, RECEIVED, "__iter__()", "__next__()"})
"""What is written with signs or words of the language."""


_CALLED = {
    "distinct": "toList()", "entries": "entrySet()", "get": "get()", "head": "first()", "headOption": "findFirst()",
    "init": "toList()", "iterator": "iterator()", "last": "last()", "lastOption": "findFirst()", "max": "first()",
    "min": "first()", "next": "next()", "reverse": "toList()", "sorted": "sorted()", "tail": "toList()",
    "toArray": "toList()", "toIndexedSeq": "toList()", "toList": "toList()", "toSeq": "toList()", "toSet": "toSet()",
    "toVector": "toList()", "value": "getValue()", "values": "values()",
}  # fmt: skip
"""What Kotlin and Scala do not call, as Java does."""
_OPTIONAL = {
    "find()": "findFirst()", "get()": "", "maxByOption()": "findFirst()", "minByOption()": "findFirst()", "put()": "",
    "remove()": "",
}  # fmt: skip
"""What gives an option in Scala, to what gives one in Java; nothing for what does so of a map."""
_POINTING = frozenset({
    "begin()", "cbegin()", "data()", "end()", "find()", "lower_bound()", "rbegin()", "upper_bound()",
})  # fmt: skip
"""What gives an iterator of C++, or a pointer."""
_ALL_VALUES = frozenset({"Values", "values", "values()"})
_WITH_KEYS = ("Dictionary", "Entry", "Hashtable", "KeyValuePair", "Map", "SortedList", "map")
"""How those types of Java, C# and C++ end whose last type argument is not their only one."""


def spoken(tables: "Tables", value: "Value", part: str) -> str:
    """Return a part of an expression behind something that holds others as Java says it: Scala gives options."""
    called = _OPTIONAL.get(f"{part.partition('(')[0]}()") if part[-1:] == ")" else None
    if called is None or tables.facts[tables.file_of[value.node]].language != "scala":
        return part
    return ("values()" if not called else part) if value.wraps[0] == _MAPPING else called or part


def wraps_after(wraps: str, part: str, family: str) -> str | None:
    """Return which wrappers are left around a value behind a part of an expression; None where that is unknown."""
    if wraps[0] == FUNCTION:
        return wraps[1:] if part == CALLED else None
    if family in _ELEMENTS:
        part = f"{part.partition('(')[0]}()" if part[-1:] == ")" else part
        if family == "java":
            part = _CALLED.get(part, part)
        if part == "entrySet()" and wraps[0] == _MAPPING:
            return _SEQUENCE + wraps
        if part in _ELEMENTS[family][wraps[0]]:
            return wraps[1:]
        if family == "c" and wraps[0] == _SEQUENCE and part in _POINTING:
            return POINTER + wraps[1:]
        if part in _ALL_VALUES and wraps[0] == _MAPPING:
            return _SEQUENCE + wraps[1:]
        return wraps if part in _COLLECTIONS[family][wraps[0]] else None
    if family == "rust" and wraps[0] == GUARD and not is_opening(part):
        wraps = wraps[1:]
    if part in ELEMENTS:
        return wraps[1:]
    name = part.removesuffix("()")
    if family == "rust" and name in _LOCKING and name != part:
        return GUARD + wraps[1:]
    if name == part or (name not in KEEPING and not (family == "rust" and name in _OF_COLLECTIONS)):
        return None
    return wraps[1:] if name in OPENING else wraps


def is_opening(part: str) -> bool:
    """Whether a part gives what is inside of one of Rust's wrappers: by a call, or by a pattern."""
    return part == ELEMENT or (part[-1:] == ")" and part.removesuffix("()") in OPENING)


def is_iterating(part: str) -> bool:
    """Whether a part is a call of a method that iterators have, and that gives what they give."""
    return part.removesuffix("()") in _OF_COLLECTIONS and part[-1:] == ")"


def collection_said(written: str) -> tuple[str, str, str]:
    """Return (name, sign, type of what it holds) of a type of Java's or C#'s: ``List<A>``; no name for ``A[]``."""
    outer, mark, held = written.partition("<")
    if not mark or written[-1] == "]":
        return "", _SEQUENCE, written.removesuffix("[]")
    return outer, _MAPPING if outer.endswith(_WITH_KEYS) else _SEQUENCE, held[:-1]
