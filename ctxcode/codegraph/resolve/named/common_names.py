"""Names that the languages bring along: methods of their own types, and the functions of C's library."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from ctxcode.codegraph.extract.names.grammars import BROWSER_OBJECTS, WINDOW
from ctxcode.codegraph.facts import SymbolFact

PYTHON_BUILTINS = frozenset({
    "bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "hash", "id", "input", "int", "len", "list",
    "memoryview", "open", "ord", "print", "range", "repr", "round", "set", "sorted", "str", "sum", "tuple", "type",
})  # fmt: skip
"""Names of Python that give, or are, nothing of a repository's."""
GIVEN_OBJECTS = {"ecmascript": BROWSER_OBJECTS, "python": PYTHON_BUILTINS}
"""Names that a family of languages brings along, and what they give, belong to nobody's repository."""


def is_of_browser(parts: Sequence[str]) -> bool:
    """Whether a dotted name of JavaScript is what a browser has, unless a file has something else of the name."""
    return parts[0] in BROWSER_OBJECTS or (parts[0] == WINDOW and (len(parts) == 1 or parts[1] in BROWSER_OBJECTS))


def is_of_all_files(family: str, name: str) -> bool:
    """Whether a function can be called by files that do not say where it is: in shells, whoever runs has sourced it.

    A name without an underscore may be a program's.
    """
    return family == "bash" and "_" in name


def is_common(family: str, name: str) -> bool:
    """Whether a method's name says nothing in a family of languages: Python's own ``__len__`` and the like, too."""
    return name in common_methods(family) or (family == "python" and name.startswith("__"))


def is_told(family: str, symbol: SymbolFact) -> bool:
    """Whether a definition can be meant from anywhere by its name: at the top of a file, or a method of an own name."""
    return symbol.parent == 0 or (symbol.kind == "method" and not is_common(family, symbol.name))


@cache
def common_methods(family: str) -> frozenset[str]:
    """Return the methods of a family's own types; empty for one without a list.

    Alone, they say nothing of whose method is called.
    """
    return _tables().get(family, frozenset())


@cache
def given_functions(language: str) -> frozenset[str]:
    """Return the functions that every file of a language can call by their bare names; empty for one without a list."""
    return _tables().get(f"functions of {language}", frozenset())


@cache
def library_functions() -> frozenset[str]:
    """Return functions of C's library that programs bring along for systems without: a call of one can mean either."""
    return _tables()["library of c"]


@cache
def _tables() -> dict[str, frozenset[str]]:
    text = files("ctxcode.codegraph.resolve.named").joinpath("common_methods.toml").read_text("utf-8")
    return {family: frozenset(words.split()) for family, words in tomllib.loads(text).items()}
