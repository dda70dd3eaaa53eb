"""What is written so that no file of a repository can have its type: texts, and what is made of a library's types."""

import re

from ctxcode.codegraph.resolve.objects.extensions import is_made_elsewhere
from ctxcode.codegraph.resolve.tables import Tables

_TEXTS = frozenset({"ecmascript", "lua", "python", "rust"})
"""Families in which nobody gives texts methods of their own, or is known to do so."""
_QUOTES = frozenset("\"'`")
_EMPTY = "[]"
_OF_CPP = re.compile(
    r"std\.(?:(?:basic_|w|u8|u16|u32)?(?:string|string_view|ostringstream|istringstream|stringstream|ifstream|ofstream)"
    r"|vector|deque|list|map|multimap|set|multiset|unordered_map|unordered_set|bitset|regex|thread)(?:<[^()]*>)?[({]"
    r"[^()]*[)}]"
)
_OF_RUST = re.compile(r"(?:std|core|alloc)::(?:[a-z]\w*::)*([A-Z]\w*)(?:::\w+)?\(\)")
_POINTERS = frozenset(
    {"Arc", "Box", "Cell", "Cow", "LazyLock", "Mutex", "OnceCell", "OnceLock", "Pin", "Rc", "RefCell"}
)
"""Types of Rust whose methods are also those of what they hold, or that hand it out."""


def is_foreign(tables: Tables, file: int, receiver: str) -> bool:
    """Whether what stands before a called name is of a type that nobody here defines, by how it is written."""
    family = tables.families[file]
    if receiver[:1] in _QUOTES or receiver == _EMPTY:
        return family in _TEXTS
    if family == "c":
        return receiver.startswith("std.") and _OF_CPP.fullmatch(receiver) is not None
    if family == "rust":
        made = _OF_RUST.fullmatch(receiver)
        return made is not None and made[1] not in _POINTERS
    if family != "php":
        return False
    # What is made may be imported by another name.
    fact = tables.imports[file].get(receiver.partition("(")[0])
    return is_made_elsewhere(tables, family, receiver if fact is None or not fact.name else f"{fact.name}()")
