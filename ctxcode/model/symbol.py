"""Symbols, edges between them, and what the graph can say about a repository."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ctxcode.model.ids import SymbolId


class SymbolKind(StrEnum):
    """What a definition is; languages map their own words onto these."""

    MODULE = "module"
    NAMESPACE = "namespace"
    CLASS = "class"
    INTERFACE = "interface"
    TRAIT = "trait"
    STRUCT = "struct"
    ENUM = "enum"
    TYPE = "type"
    FUNCTION = "function"
    METHOD = "method"
    CONSTANT = "constant"
    VARIABLE = "variable"
    FIELD = "field"
    VARIANT = "variant"
    """One of an enum's values."""
    MACRO = "macro"
    SECTION = "section"
    """Of a text: what stands under a heading."""
    EXTENSION = "extension"
    """More members of a type that stands elsewhere, perhaps in somebody else's code: Swift's, Ruby's of its
    core, what TypeScript's interfaces add to what everybody knows."""


if TYPE_CHECKING:
    KindWord: TypeAlias = str
    VisibilityWord: TypeAlias = str
else:
    # Whatever decodes one of a few words gives the same object for it every time, and takes a third of the time.
    KindWord = Literal[tuple([kind.value for kind in SymbolKind])]
    VisibilityWord = Literal["public", "protected", "internal", "private"]

MEMBER_KINDS = frozenset({SymbolKind.FIELD, SymbolKind.VARIANT})
"""What its owner's card and text show; found by name, never retrieved for its words."""


class EdgeKind(StrEnum):
    """How one symbol depends on another; the edge points from the dependent to what it needs."""

    CONTAINS = "contains"
    IMPORTS = "imports"
    CALLS = "calls"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    """An interface, a trait or a protocol."""
    RE_EXPORTS = "re-exports"
    """An import that is also offered to others: ``__init__`` files, barrel files, ``pub use``."""
    REFERENCES = "references"
    """Names it without calling it: a type in an annotation, a definition as a value."""
    TESTS = "tests"
    """From a test to what it tests."""
    OVERRIDDEN = "overridden-by"
    """From a method to one of an heir that may run in its place: a step of a chain, which no index holds."""


class Resolution(StrEnum):
    """How an edge's target was found, strongest first."""

    SCOPE = "scope"
    IMPORT = "import"
    RECEIVER = "receiver"
    LINKAGE = "linkage"
    """Declared where the name stands, and defined once in a file that a linker adds; or by another script."""
    TYPE = "type"
    NAMING = "naming"
    """The name of a test says what it tests."""
    USE = "use"
    """A test calls or imports few things of the product."""
    UNIQUE_NAME = "unique-name"
    AMBIGUOUS = "ambiguous"


UNSURE = frozenset({Resolution.UNIQUE_NAME, Resolution.AMBIGUOUS})
"""Found by the name alone."""
CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "constructor", "__construct", "initialize", "init"})
"""What runs when their type is called."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named definition in the repository."""

    id: SymbolId
    name: str
    """The simple name: ``join``."""
    qualname: str
    """The name within its file: ``Query.join``; empty for a module."""
    kind: SymbolKind
    path: str
    """Repository-relative, with forward slashes."""
    language: str
    module: str
    """The dotted module path: ``django.db.models.sql.query``."""
    start_line: int
    """First line of the whole definition with its decorators or attributes, 1-based."""
    end_line: int
    """Last line, inclusive."""
    header_line: int
    """The line the definition's keyword and name stand on."""
    header_end_line: int
    """The last line of the signature."""
    signature: str
    """The declaration on one line, white space folded, at most 300 characters."""
    doc: str = ""
    """First paragraph of its documentation, at most 500 characters."""
    decorators: tuple[str, ...] = ()
    """Decorators, attributes or annotations as written, each on one line."""
    visibility: str = "public"
    parent: SymbolId | None = None

    @property
    def dotted(self) -> str:
        """The name people use: module path and qualified name."""
        return f"{self.module}.{self.qualname}" if self.qualname else self.module

    @property
    def is_member(self) -> bool:
        """Whether its owner's text shows it, so that it is found by its name, never retrieved for its words.

        So are fields and an enum's values; in Python also a module's variables and a class's constants.
        """
        is_value = self.kind is SymbolKind.VARIABLE or (self.kind is SymbolKind.CONSTANT and "." in self.qualname)
        return self.kind in MEMBER_KINDS or (is_value and self.language == "python")


@dataclass(frozen=True, slots=True)
class Edge:
    """A dependency between two symbols, with how it was resolved."""

    source: SymbolId
    target: SymbolId
    kind: EdgeKind
    resolution: Resolution
    confidence: float
    """0 to 1."""
    line: int = 0
    """Where in the source's file, 1-based; 0 when it has no single place."""


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """One language's share of an index."""

    language: str
    files: int
    symbols: int


@dataclass(frozen=True, slots=True)
class IndexStats:
    """What an index holds."""

    revision: str
    """Digest over every indexed file's path and content; equal trees give equal revisions. One whose edges are still to
    be settled has a revision of its own."""
    files: int
    symbols: int
    edges: int
    languages: tuple[LanguageCount, ...]
    unread: int = 0
    """Files that may define something and could not be read: while there are some, no name is proved absent."""
    pending: int = 0
    """Files that were found and are not parsed yet; the same holds."""

    @property
    def is_whole(self) -> bool:
        """Whether all that can be known of the files is known; of an index that nobody has published nothing is."""
        return bool(self.revision) and not self.unread and not self.pending


class OtherName(NamedTuple):
    """A name that a file gives to what is defined under another one, or to an object."""

    name: str
    path: str
    line: int
    """Of its import; 0 where the file binds it without one."""
    module: str
    """As the import says it: ``./external``; empty without one."""
    target: str
    """What it is called in that module, empty for the module itself; without an import ``=b`` for what the file itself
    calls b, ``C`` for an object of C, ``f()`` for what f returns."""

    @property
    def is_returned(self) -> bool:
        """Whether it is what a call gives, of which nothing more is known here."""
        return self.target.endswith(")")


class ImportedName(NamedTuple):
    """A name that a file imports, as it is written there."""

    path: str
    line: int
    module: str
    name: str
    """Empty for the module itself, ``*`` for all that it has."""
    is_here: bool
    """An edge leads from its line to what is defined here."""


class ModuleEntry(NamedTuple):
    """A file as the scaffold's module tree sees it."""

    path: str
    module: str
    language: str
    symbols: int
    rank: float
    """Sum of its symbols' centrality."""
    is_test: bool
    """In a test, example, benchmark or vendored folder."""
