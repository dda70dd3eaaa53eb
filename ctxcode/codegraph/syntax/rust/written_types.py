"""What Rust's type expressions stand for.

An ``Option`` or ``Result`` of a type, a collection of it, and what else has to be opened to get at it, is the type with
a question mark before it; of a map it is the values'. A type parameter stands for the trait that bounds it.
"""

import re
from collections.abc import Iterable

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import APPLIED

_PREFIX = re.compile(r"(?:&\s*|'\w+\s*,?\s*|(?:mut|dyn|impl|const)\b\s*|\*\s*)+")
_ITERATOR = re.compile(r"(?:\w+::)*(?:\w*Iterator|Stream)\s*<\s*Item\s*=(.*)>(?:\s*\+[^<>]*)?", re.DOTALL)
_GENERIC = re.compile(r"((?:\w+\s*::\s*)*)(\w+)\s*<(.*)>", re.DOTALL)
_WRAPPERS = frozenset({"Mutex", "OnceCell", "Option", "Poll", "RefCell", "Result", "RwLock", "Vec"})
_COLLECTIONS = frozenset({
    "ArrayVec", "BTreeSet", "BinaryHeap", "FxHashSet", "HashSet", "IndexSet", "LinkedList", "OnceLock", "SmallVec",
    "ThinVec", "VecDeque",
})  # fmt: skip
_MAPS = frozenset({"BTreeMap", "FxHashMap", "HashMap", "IndexMap"})
_POINTERS = frozenset({
    "Arc", "Box", "Cow", "Lazy", "LazyLock", "MutexGuard", "Pin", "Rc", "Ref", "RefMut", "RwLockReadGuard",
    "RwLockWriteGuard",
})  # fmt: skip
_ADAPTERS = frozenset({"Cloned", "Copied", "Cycle", "Fuse", "Peekable", "Rev", "Skip", "StepBy", "Take"})
"""Iterators that give what another one gives."""
_ITERATORS = frozenset({"Drain", "IntoIter", "Iter", "IterMut"})
_ITERATED = frozenset({"slice", "vec", "vec_deque", "btree_set", "hash_set", "option"})
_LANGUAGE_TRAITS = frozenset({
    "AsMut", "AsRef", "Borrow", "BorrowMut", "Clone", "Copy", "Debug", "Default", "Display", "Eq", "Error", "From",
    "FromStr", "Hash", "Into", "Ord", "PartialEq", "PartialOrd", "Send", "Sized", "Sync", "ToOwned", "ToString",
    "Unpin",
})  # fmt: skip
_MOST_BOUNDS = 6
_FUNCTION = re.compile(
    r"(?:&\s*|(?:mut|dyn|impl)\b\s*|(?:\w+::)*Box\s*<|for\s*<[^<>]*>\s*|'\w+\s*)*(?:\w+::)*(?:Fn|FnMut|FnOnce|fn)\s*\("
)
_FRAMEWORKS = frozenset({"actix_web", "axum", "axum_extra", "poem", "rocket"})
_EXTRACTING = frozenset({
    "ConnectInfo", "Data", "Extension", "Form", "Json", "Path", "Query", "ReqData", "State", "TypedHeader",
})  # fmt: skip
"""Of such crates, what points at a part of a request or of the program: ``State<App>``."""
_MADE = frozenset({"enum", "struct", "trait"})
_INSIDE = frozenset({"crate", "self", "super"})
_DEEPEST = 6
_LONGEST = 300
_ARGUMENT = re.compile(r"\?*(?:\w+\.)*[A-Z]\w+")
"""One letter is a type parameter, which can be anything."""
_PATH = re.compile(r"\s*::\s*")


def named_bounds(texts: Iterable[str]) -> str:
    """Return the traits among some bounds that are not the language's, with ``&`` between."""
    names = dict.fromkeys(dotted_name(text.strip()) for text in texts)
    return "&".join([name for name in names if name and name not in _LANGUAGE_TRAITS][:_MOST_BOUNDS])


class OwnTypes:
    """The names by which a file knows types of its repository: they may be those of the language's collections."""

    def __init__(self, findings: Findings) -> None:
        self._names = {found.name for found in findings.definitions}
        self._takes_all = any(fact.name == "*" for fact in findings.imports)
        self._known = self._names.union([fact.alias for fact in findings.imports])
        self._made = {found.name for found in findings.definitions if found.kind in _MADE}
        self._extracting = {
            fact.alias for fact in findings.imports if fact.module.partition("::")[0] in _FRAMEWORKS and fact.alias
        }
        self._names |= {fact.alias for fact in findings.imports if fact.module.partition("::")[0] in _INSIDE}

    def may_know(self, name: str) -> bool:
        """Whether a name may be that of a type which the file defines or takes in."""
        return name in self._known or (self._takes_all and len(name) > 1)

    def value_type(self, text: str) -> str:
        """Return the type a type expression dereferences to, a question mark for each wrapper to be opened."""
        text, opened = text[:_LONGEST].strip(), 0
        if text.isidentifier():
            return text
        for _ in range(_DEEPEST):
            prefix = _PREFIX.match(text)
            text = text[prefix.end() :].strip() if prefix else text
            inner, is_opened = self._inside(text)
            if not inner:
                break
            text, opened = inner, opened + is_opened
        if given := _given_by(text):
            told = self.value_type(given)
            return f"{'?' * opened}^{told}" if told and told[0] != "^" else ""
        name = dotted_name(text) if " + " not in text else named_bounds(text.split(" + "))
        return f"{'?' * opened}{name}{self._applied(text)}" if name else ""

    def _applied(self, text: str) -> str:
        """Return what a generic type is given, ``<~Cart>``, as far as these are types of one name."""
        generic = _GENERIC.fullmatch(text) if text[-1:] == ">" else None
        types = [self.value_type(each) for each in _arguments(generic[3])] if generic is not None else []
        types = [each if _ARGUMENT.fullmatch(each) else "" for each in types]
        return f"<{APPLIED}{';'.join(types)}>" if any(types) else ""

    def tuple_parts(self, text: str) -> list[str]:
        """Return the type expressions in a tuple that one is, or that has to be opened to get at it; else none.

        None for a map either: what it gives is pairs of a key and such a tuple.
        """
        text = text[:_LONGEST].strip()
        for _ in range(_DEEPEST):
            prefix = _PREFIX.match(text)
            text = text[prefix.end() :].strip() if prefix else text
            if text[:1] == "(" and text[-1:] == ")":
                return _arguments(text[1:-1])
            generic = _GENERIC.fullmatch(text)
            text, _ = self._inside(text) if generic is None or generic[2] not in _MAPS else ("", False)
        return []

    def bound_type(self, bounds: list[str]) -> str:
        """Return what stands for a type with some bounds: its traits, or for an iterator what that gives."""
        given = next((bound for bound in bounds if _ITERATOR.fullmatch(bound)), "")
        return (self.value_type(given) if given else "") or named_bounds(bounds)

    def _inside(self, text: str) -> tuple[str, bool]:
        """Return what a wrapper or pointer is of, and whether it has to be opened; empty for another type."""
        if text[:1] == "[" and text[-1:] == "]":
            return text[1:-1].rpartition(";")[0].strip() or text[1:-1].strip(), True
        iterator = _ITERATOR.fullmatch(text)
        if iterator:
            return iterator[1].strip(), True
        generic = _GENERIC.fullmatch(text)
        if generic is None:
            return "", False
        name, path = generic[2], _PATH.split(generic[1])
        if name in self._made and not generic[1]:
            return "", False
        is_extracting = name in _EXTRACTING and (path[0] or name) in self._extracting | _FRAMEWORKS
        if name in _WRAPPERS or name in _POINTERS or is_extracting:
            return _argument(generic[3], 0), name in _WRAPPERS
        if name in _ITERATORS and len(path) > 1 and path[-2] in _ITERATED:
            return _argument(generic[3], 0), True
        if name in self._names or path[0] in _INSIDE:
            return "", False
        if name in _MAPS:
            return _argument(generic[3], 1), True
        if name in _ADAPTERS:
            # Of what a type here gives, nothing is said in brackets.
            inner = _argument(generic[3], 0)
            return (inner, False) if self._inside(inner)[0] else ("", False)
        return (_argument(generic[3], 0), True) if name in _COLLECTIONS else ("", False)


def taken(text: str) -> list[str]:
    """Return the types that a function of a type takes: ``A, B`` of ``impl Fn(A, B) -> C``; none for another type."""
    text = text[:_LONGEST]
    found = _FUNCTION.match(text)
    if found is None:
        return []
    depth, start = 1, found.end()
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return _arguments(text[start:at])
    return []


def _given_by(text: str) -> str:
    """Return the type of what a function of a type gives: ``C`` of ``Fn(A, B) -> C``; empty for another type."""
    found = _FUNCTION.match(text)
    depth = 1 if found is not None else 0
    for at in range(found.end() if found is not None else len(text), len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            rest = text[at + 1 :].lstrip()
            return rest[2:].partition(" + ")[0].strip() if rest.startswith("->") else ""
    return ""


def _argument(arguments: str, number: int) -> str:
    """Return one of some type arguments."""
    found = _arguments(arguments)
    return found[number] if number < len(found) else ""


def _arguments(arguments: str) -> list[str]:
    """Return the type arguments that are no lifetimes."""
    depth, start = 0, 0
    found = list[str]()
    for at, character in enumerate(f"{arguments},"):
        # The arrow of a function closes nothing.
        is_closing = character in ")]" or (character == ">" and arguments[max(0, at - 1)] != "-")
        depth += (character in "<([") - is_closing
        if character == "," and depth == 0:
            piece = arguments[start:at].strip()
            start = at + 1
            if piece and piece[:1] != "'":
                found.append(piece)
    return found
