"""Type names out of annotations and type expressions: dotted, without arguments."""

import re
from collections.abc import Mapping
from functools import lru_cache

_DOTTED = re.compile(r"(?:[^\W\d]|\$)[\w$]*(?:\.(?:[^\W\d]|\$)[\w$]*)*", re.UNICODE)
_NOTHING = frozenset({"None", "null", "undefined", "void", "any", "unknown", "never"})
_PRIMITIVE = frozenset({
    "bigint", "boolean", "false", "number", "string", "symbol", "true", "object", "Function",
})  # fmt: skip
_QUOTES = frozenset("\"'`")
_CLASS_ITSELF = re.compile(r"(?:typing\.|t\.)?[Tt]ype\[(.*)\]", re.DOTALL)
_UNION = re.compile(r"(?:typing\.|t\.)?Union\[(.*)\]", re.DOTALL)
_SELF = re.compile(r"(?:[\w.]+\.)?Self")
_TUPLE = re.compile(r"(?:typing\.|t\.)?[Tt]uple\[(.*)\]", re.DOTALL)
_OPTIONAL = re.compile(r"(?:\w+\.)*(?:Optional|Annotated|Awaitable|ClassVar|Final)\[(.*)\]", re.DOTALL)
_COROUTINE = re.compile(r"(?:\w+\.)*Coroutine\[(.*)\]", re.DOTALL)
"""What is waited for: its last argument is what comes then."""
_COLLECTION = re.compile(r"(?:\w+\.)*(\w+)\[(.*)\]", re.DOTALL)
_SEQUENCES = frozenset({
    "AbstractSet", "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Collection", "Deque", "FrozenSet", "Generator",
    "Iterable", "Iterator", "KeysView", "List", "MutableSequence", "MutableSet", "Sequence", "Set", "ValuesView",
    "deque", "frozenset", "list", "set",
})  # fmt: skip
_MAPPINGS = frozenset({
    "DefaultDict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "WeakValueDictionary", "defaultdict", "dict",
})  # fmt: skip
_MANAGERS = frozenset({
    "AbstractAsyncContextManager", "AbstractContextManager", "AsyncContextManager", "ContextManager",
})  # fmt: skip
_UNAPPLIED = frozenset({"Callable", "Literal", "Protocol", "Generic", "Tuple", "tuple"})
_VARIABLE = re.compile(r"_*[A-Z]\d?|_\w*T|\w+_(?:co|contra)")
_MOST_NESTED = 3
_MOST_UNITED = 5
_LONGEST_KEPT = 200
_BRACKETS = frozenset("[<({]>)}")
_TYPESCRIPT_SEQUENCES = frozenset({
    "Array", "AsyncGenerator", "AsyncIterable", "AsyncIterableIterator", "Generator", "Iterable", "IterableIterator",
    "Iterator", "ReadonlyArray", "ReadonlySet", "Set",
})  # fmt: skip
_TYPESCRIPT_COLLECTION = re.compile(
    rf"({'|'.join(sorted(_TYPESCRIPT_SEQUENCES))}|Map|ReadonlyMap|Record|WeakMap)<(.*)>", re.DOTALL
)
_TYPESCRIPT_SAME = re.compile(
    r"(?:Awaited|InstanceType|NonNullable|Omit|Partial|Pick|Promise(?:Like)?|Readonly|Required)<(?:typeof\s)?(.*)>",
    re.DOTALL,
)
"""What gives a type with the members of another one, all or some; what is promised is waited for."""
_TYPESCRIPT_REFERENCE = re.compile(
    r"(?:React\.)?(?:ComputedRef|MutableRefObject|RefObject|ShallowRef|WritableComputedRef)<(.*)>", re.DOTALL
)
"""What React and Vue keep an object in."""
_TYPESCRIPT_MEMBER = re.compile(r"([\w$.]+)(?:<.*>)?((?:\[(?:'[\w$]+'|\"[\w$]+\")\])+)", re.DOTALL)
_TYPESCRIPT_TYPEOF = re.compile(
    r"(ReturnType<\s*)?typeof\s+(?!set(?:Immediate|Interval|Timeout)\b)([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(?(1)\s*>)"
)
"""The type of what has a name, and of what that gives."""
_MEMBER_NAME = re.compile(r"[\w$]+")
_GO_CHANNEL = re.compile(r"(?:(?:<-\s*)?chan\b(?:\s*<-)?\s*|atomic\.Pointer\[)(.*?)\]?", re.DOTALL)
_GO_COLLECTION = re.compile(r"(map)?\[([^\[\]]*)\](.*)", re.DOTALL)
_GO_SET = re.compile(r"bool|struct\s*\{\s*\}")
"""What is kept in a map of Go that is asked for its keys alone."""
_RUST_WRAPPER = re.compile(r"(?:std::\w+::)?(?:Box|Rc|Arc)<(.*)>", re.DOTALL)
_RUST_PREFIX = re.compile(r"&\s*|'\w+\s+|\b(?:mut|dyn|impl|const)\b\s*|\*\s*")
_JAVA_NOISE = re.compile(r"/\*.*?\*/|//[^\n]*|@[\w.]+\s*(?:\([^()]*\))?|\bfinal\b|\s+", re.DOTALL)
_JAVA_ARGUMENTS = re.compile(r"<[^<>]*>")
_LONGEST = 300


def is_bare_name(text: str) -> bool:
    """Whether a text is one plain name, as most are: a quick look that spares the others."""
    return len(text) <= _LONGEST and text.isascii() and text.isidentifier()


def dotted_name(text: str) -> str:
    """Return a dotted name cut off its type arguments, or an empty text where there is no single name."""
    if is_bare_name(text):
        return text
    name = text[:_LONGEST].partition("[")[0].partition("<")[0].replace("::", ".").strip().removeprefix(".")
    name = "".join(name.split()) if " " in name or "\n" in name else name
    return name if _DOTTED.fullmatch(name) else ""


def python_type(text: str) -> str:
    """Return the class an annotation names: quotes, ``Optional`` and ``| None`` taken away.

    ``type[C]`` is ``=C``: the class itself; ``typing.Self`` is ``Self``; ``list[C]`` is ``?C``, ``dict[K, C]`` ``%C``,
    ``ContextManager[C]`` is ``@C``, ``A | B`` is ``A|B`` and ``Box[C]`` is ``Box<~C>``.
    """
    text = text.strip().strip("\"'")
    if is_bare_name(text):
        return text
    # A repository writes a few types again and again.
    return _known_python_type(text) if len(text) <= _LONGEST_KEPT else _python_type(text)


def python_parts(text: str) -> list[str]:
    """Return the classes an annotation names that is a tuple's, by their places: ``tuple[A, B]``; none for another."""
    text = text.strip().strip("\"'").removesuffix("None").rstrip(" |") if "uple[" in text[:_LONGEST] else ""
    wrapped = _OPTIONAL.fullmatch(text)
    if (said := _TUPLE.fullmatch(wrapped[1].strip() if wrapped else text)) is None:
        return []
    parts = [part.strip() for part in _parts(said[1], ",") if part.strip()]
    return [python_type(part) for part in parts] if len(parts) > 1 and parts[1] != "..." else []


def python_arguments(text: str) -> list[str]:
    """Return what stands in the brackets behind a class, as written but without quotes: ``A``, ``B`` of ``C[A, B]``."""
    _, mark, given = text.strip().partition("[")
    is_whole = mark and given[-1:] == "]" and len(text) <= _LONGEST
    return [part.strip().strip("\"'") for part in _parts(given[:-1], ",") if part.strip()] if is_whole else []


def _python_type(text: str) -> str:
    itself = _CLASS_ITSELF.fullmatch(text)
    if itself:
        name = _single(itself[1].strip("\"'"))
        return f"={name}" if name else ""
    if _SELF.fullmatch(text):
        return "Self"
    united = _UNION.fullmatch(text)
    if united and united[1].count("[") == 0:
        text = united[1].replace(",", "|")
    if (awaited := _COROUTINE.fullmatch(text)) is not None:
        text = _parts(awaited[1], ",")[-1].strip()
    wrapped = _OPTIONAL.fullmatch(text)
    if wrapped:
        text = wrapped[1].partition(",")[0] if "[" not in wrapped[1] else wrapped[1]
    parts = _parts_with_methods(text)
    named = [_elements(part) or _applied(part.strip("\"'")) for part in parts[:_MOST_UNITED]]
    return "|".join(named) if len(named) == len(parts) and all(named) else ""


def _applied(text: str) -> str:
    """Return a class with what stands for its type parameters: ``Box<~Cart;>``; nothing for what can be anything."""
    name = dotted_name(text)
    if not name or "[" not in text or name.rpartition(".")[2] in _UNAPPLIED:
        return name
    types = [_argument(each) for each in python_arguments(text)]
    return f"{name}<~{';'.join(types)}>" if any(types) else name


def _argument(written: str) -> str:
    told = python_type(written)
    inner = told.lstrip("?%")
    return told if inner and inner[0] not in "=@" and "|" not in told and not is_variable_name(inner) else ""


def is_variable_name(name: str) -> bool:
    """Whether a name of Python looks like a type variable's, as most do that come from elsewhere."""
    return _VARIABLE.fullmatch(name) is not None


_known_python_type = lru_cache(maxsize=2_000)(_python_type)


def _elements(text: str) -> str:
    """Return the type of a collection's elements behind a sign for each collection around them."""
    signs = ""
    for _ in range(_MOST_NESTED):
        collection = _COLLECTION.fullmatch(text) if len(text) <= _LONGEST else None
        if collection is None:
            break
        name, inside = collection[1], [part.strip() for part in _parts(collection[2], ",")]
        is_mapping = name in _MAPPINGS and len(inside) > 1
        is_row = name in {"Tuple", "tuple"} and inside[1:] == ["..."]
        if not (is_mapping or is_row or name in _SEQUENCES or name in _MANAGERS):
            break
        signs += "%" if is_mapping else "@" if name in _MANAGERS else "?"
        text = _only_part(inside[1 if is_mapping else 0].strip("\"'"))
    itself = _CLASS_ITSELF.fullmatch(text)
    inner = f"={_single(itself[1])}" if itself else _applied(text)
    return f"{signs}{inner}" if signs and inner.rpartition(".")[2] not in {"", "=", "Any", "object"} else ""


def typescript_type(text: str) -> str:
    """Return the type an annotation names: the colon, ``| null | undefined`` and Flow's ``?`` taken away.

    ``C[]`` is ``?C``, ``Map<K, C>`` is ``%C``, ``RefObject<C>`` is ``@C``, ``C['a']`` is ``=C.a``, ``typeof C`` is
    ``=C`` and ``ReturnType<typeof f>`` is ``f()``.
    """
    text = text.strip().removeprefix(":").strip().removeprefix("?").lstrip()
    if is_bare_name(text):
        return text
    return _known_typescript_type(text) if len(text) <= _LONGEST_KEPT else _typescript_type(text)


def _typescript_type(text: str) -> str:
    signs, outer, inner = _opened(text)
    member = _TYPESCRIPT_MEMBER.fullmatch(inner) if inner[-1:] == "]" else None
    if member is not None:
        return "" if signs else f"={'.'.join([member[1], *_MEMBER_NAME.findall(member[2])])}"
    if "typeof" in inner and (same := _TYPESCRIPT_TYPEOF.fullmatch(inner)) is not None:
        return "" if signs else f"{same[2]}()" if same[1] else f"={same[2]}"
    name = dotted_name(inner)
    if signs and (not name or name in _NOTHING):
        return "Array" if outer.endswith("]") else dotted_name(outer)
    return f"{signs}{name}" if name else ""


_known_typescript_type = lru_cache(maxsize=2_000)(_typescript_type)


def typescript_union(text: str) -> list[str]:
    """Return the types an annotation names of which something is one, without what nobody's methods are called on.

    None where one of them is more than a name.
    """
    written = text.strip().removeprefix(":").strip() if "|" in text and len(text) <= _LONGEST else ""
    parts = [part for part in _parts_with_methods(written) if part not in _PRIMITIVE and part[:1] not in _QUOTES]
    return parts if written and all(map(_DOTTED.fullmatch, parts)) and len(parts) <= _MOST_UNITED else []


def typescript_arguments(text: str) -> list[str]:
    """Return what stands in the place of the type parameters of the type that an annotation names, as written."""
    signs, _, inner = _opened(text.strip().removeprefix(":").strip())
    name, mark, given = inner.partition("<")
    is_whole = mark and inner[-1] == ">" and len(text) <= _LONGEST and (not signs or dotted_name(name) not in _NOTHING)
    return [part.strip() for part in _parts(given[:-1], ",")] if is_whole else []


def _opened(text: str) -> tuple[str, str, str]:
    """Return (a sign for each collection, the only part of a type of TypeScript, that of what the collections hold)."""
    signs, outer = "", _only_part(text[:_LONGEST])
    inner = outer
    for _ in range(_MOST_NESTED):
        inner = inner.removeprefix("readonly ").strip()
        if (same := _TYPESCRIPT_SAME.fullmatch(inner)) is not None:
            inner = _only_part(next(iter(_parts(same[1], ",")), "").strip())
            continue
        if (reference := _TYPESCRIPT_REFERENCE.fullmatch(inner)) is not None:
            signs, inner = f"{signs}@", _only_part(reference[1].strip())
            continue
        collection = _TYPESCRIPT_COLLECTION.fullmatch(inner)
        inside = [part.strip() for part in _parts(collection[2], ",")] if collection else []
        if inner.endswith("[]"):
            signs += "?"
            inner = inner[:-2].strip()
            inner = _only_part(inner[1:-1].strip() if inner[:1] == "(" and inner[-1:] == ")" else inner)
        elif collection and (collection[1] in _TYPESCRIPT_SEQUENCES or len(inside) == 2):
            signs += "?" if collection[1] in _TYPESCRIPT_SEQUENCES else "%"
            inner = _only_part(inside[-1] if signs[-1] == "%" else inside[0])
        else:
            break
    return signs, outer, inner


def behind_signs(text: str, names: Mapping[str, str]) -> str:
    """Return a type with its name replaced by what stands for it, if anything does; empty where that is nothing."""
    inner = text.lstrip("?%@")
    known = names.get(inner, inner)
    return f"{text[: len(text) - len(inner)]}{known}" if known else ""


def rust_type(text: str) -> str:
    """Return the type a Rust type expression dereferences to: references, ``Box``, ``Rc`` and ``Arc`` taken away."""
    text = _RUST_PREFIX.sub("", text[:_LONGEST]).strip()
    for _ in range(3):
        wrapped = _RUST_WRAPPER.fullmatch(text)
        if wrapped is None:
            break
        text = wrapped[1].strip()
    return dotted_name(text.partition(" + ")[0])


def go_type(text: str) -> str:
    """Return the named type behind a Go type expression's pointers."""
    return dotted_name(text.lstrip("*& "))


def go_collection(text: str) -> str:
    """Return the named type behind a Go type expression, with a sign for each collection: ``[]*T`` is ``?T``.

    ``chan T`` is ``@T``, and so are ``atomic.Pointer[T]`` and a set, ``map[T]bool``: looped over, it gives those.
    """
    if is_bare_name(text):
        return text
    signs, inner = "", text[:_LONGEST].strip("*& ")
    for _ in range(_MOST_NESTED):
        collection = _GO_COLLECTION.fullmatch(inner)
        channel = _GO_CHANNEL.fullmatch(inner) if collection is None else None
        if channel is not None:
            signs, inner = f"{signs}@", channel[1].strip("*& ")
            continue
        if collection is None:
            break
        if collection[1] and _GO_SET.fullmatch(collection[3].strip()):
            signs, inner = f"{signs}@", collection[2].strip("*& ")
            break
        signs += "%" if collection[1] else "?"
        inner = collection[3].strip("*& ")
    name = go_type(inner)
    return f"{signs}{name}" if name and name != "map" else go_type(text)


def java_type(text: str) -> str:
    """Return the type a Java type expression names, without type arguments: ``Map``, ``int[]``."""
    if is_bare_name(text):
        return text
    name = dotted_name(text)
    return name + "[]" * text.count("[", text.rfind(">") + 1) if name else ""


@lru_cache(maxsize=10_000)
def java_parameters(text: str) -> str:
    """Return the types of the parameters of ``(final int a, Map<K, V> b, T... c)``: ``int,Map,T...``."""
    text = _JAVA_NOISE.sub(" ", text)
    while "<" in text:
        shorter = _JAVA_ARGUMENTS.sub("", text)
        if shorter == text:
            break
        text = shorter
    types = []
    for parameter in text.strip("() \n").split(","):
        written, _, name = parameter.replace("...", " ... ").strip().rpartition(" ")
        if name == "this":
            continue
        if "." in written and "..." not in written:
            written = written.replace(" ", "")
        types.append("".join(written.split()) + "[]" * name.count("["))
    return ",".join(types)


def is_capitalised(name: str) -> bool:
    """Whether the last part of a dotted name looks like a type."""
    return name.rpartition(".")[2].lstrip("_")[:1].isupper()


def _single(text: str) -> str:
    return dotted_name(_only_part(text))


def _only_part(text: str) -> str:
    """Return the only part of a union that can have methods; empty for several."""
    named = _parts_with_methods(text)
    return named[0] if len(named) == 1 else ""


def _parts_with_methods(text: str) -> list[str]:
    """Return the parts of a union that can have methods; an empty text stays one."""
    if "|" not in text:
        return [text]
    return [part.strip() for part in _parts(text, "|") if part.strip() and part.strip() not in _NOTHING]


def _parts(text: str, separator: str) -> list[str]:
    """Return what stands between separators outside of brackets."""
    if _BRACKETS.isdisjoint(text):
        return text[:_LONGEST].split(separator)
    depth, parts = 0, list[str]()
    current: list[str] = []
    for character in text[:_LONGEST]:
        depth += (character in "[<({") - (character in "]>)}")
        if character == separator and depth == 0:
            parts.append("".join(current))
            current = []
        else:
            current.append(character)
    parts.append("".join(current))
    return parts


def simple_name(text: str) -> str:
    """Return the last part of a type's name as written in any language, without its arguments."""
    text = text.partition("<")[0].partition("[")[0].strip()
    return re.split(r"::|\.|\\", text)[-1].strip("*&? ")
