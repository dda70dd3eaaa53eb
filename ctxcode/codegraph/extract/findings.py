"""What an extractor hands over: definitions and references, placed by byte."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ctxcode.codegraph.facts import PARAMETERS, RETURNED, ImportFact

if TYPE_CHECKING:
    from tree_sitter import Node


_DEEPEST_PACKAGE = 20

TEST = "test"
"""The kind of a function that is called after something it is no member of."""


class Definition(Struct, gc=False):
    """A definition before it knows its place among the others; positions are byte offsets."""

    name: str
    kind: str
    start: int
    """Where its text begins, with a leading doc comment."""
    first: int
    """Where it begins with decorators or attributes."""
    end: int
    header: int
    """Where its name stands."""
    signature: str
    header_end: int
    """The last byte of the signature plus one."""
    doc: str = ""
    decorators: tuple[str, ...] = ()
    visibility: str = "public"
    container: str = ""
    """The type it belongs to where the syntax does not enclose it: Go receivers, Rust impl blocks."""
    is_kept: bool = False
    """Whether the object has it that is made in the function around it: ``this.open = function () {}``."""
    is_leaf: bool = False
    """Whether its text stays its owner's, with the calls in it: a field, a variant without a body."""


class Findings(Struct):
    """Everything an extractor found in one file."""

    definitions: list[Definition] = field(default_factory=list)
    calls: list[tuple[int, str, str]] = field(default_factory=list)
    """(a byte of the called name, name, receiver)."""
    arguments: dict[int, str] = field(default_factory=dict)
    """What the arguments of the call on a byte look like, where a name can have overloads."""
    imports: list[ImportFact] = field(default_factory=list)
    told_imports: list[ImportFact] = field(default_factory=list)
    """Those that no statement says: in comments, and what the packages around Scala's have."""
    import_spans: list[tuple[int, int]] = field(default_factory=list)
    """The bytes of statements that do nothing but import, in source order; empty where a language does not tell."""
    bases: list[tuple[int, str]] = field(default_factory=list)
    """(the byte its definition's name stands on, name of the base)."""
    base_lines: dict[tuple[int, str], int] = field(default_factory=dict)
    """The lines of those that are said elsewhere."""
    bases_by_name: list[tuple[int, tuple[str, str], str]] = field(default_factory=list)
    """(where it is said, name of a type as it is written and as the file says it, name of the base)."""
    asserted: list[tuple[str, str]] = field(default_factory=list)
    """(name of a type of another file, name of the base)."""
    bindings: list[tuple[int, str, str]] = field(default_factory=list)
    """(byte, name, type); ``self.x`` goes to the enclosing type."""
    parameters: list[tuple[int, str, str]] = field(default_factory=list)
    """(byte, name, type) of what exists in functions only."""
    returned_at: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    """Where functions return what is said of them, by (byte of the function's name, what is said)."""
    attributes: list[tuple[int, str, str]] = field(default_factory=list)
    """(a byte inside a method, ``self.x``, type) of what a method makes an attribute of its class."""
    uses: list[tuple[int, str]] = field(default_factory=list)
    """(byte, dotted name) of uses that stand where something else would be called or bound: ``case Cart():``."""
    fields: set[int] = field(default_factory=set)
    """The bytes on which fields are named as other things could be: keys of a struct's literal."""
    declared: list[tuple[int, str]] = field(default_factory=list)
    """(a byte of it, name) of functions and variables that are declared for another file to define."""
    package: str = ""
    doc: str = ""
    """The module's own documentation."""
    decorators: tuple[str, ...] = ()
    """What it says of itself as a whole: ``#![cfg(unix)]``."""
    bare: "dict[str, list[Node]] | None" = None
    """What the language's query captures of names that nothing imports: nodes of the tree."""

    def add_returned(self, at: int, type_name: str, place: str = "") -> None:
        """Note what the function whose name stands on a byte says that it returns, if that can have methods.

        Of a tuple it is what stands in a ``place``. One letter is a type parameter, which can be anything.
        """
        if len(type_name) > 1 and type_name != "void":
            self.parameters.append((at, f"{RETURNED}{place}", type_name))

    def add_given(self, at: int, rows: Iterable[tuple[int, str, str]]) -> None:
        """Note what is said, by a value on a byte, of what the functions give whose names stand on others."""
        for row in rows:
            self.parameters.append(row)
            for each in row[2].split("|"):
                self.returned_at.setdefault((row[0], each), [at])

    def enter_package(self, name: str, line: int) -> None:
        """Go into a package inside of the one so far, all of which is known in it."""
        if self.package.count(".") < _DEEPEST_PACKAGE:
            if self.package:
                self.told_imports.append(ImportFact(self.package, "*", "", 1, line, is_reexport=False))
            self.package = f"{self.package}.{name}" if self.package else name

    def add_parameters(self, at: int, types: str) -> None:
        """Note the types of the parameters of the function whose name stands on a byte."""
        if types:
            self.parameters.append((at, PARAMETERS, types))


class OutermostSpans:
    """Tells the module's own level from everything inside definitions."""

    def __init__(self, definitions: list[Definition], more: Iterable[tuple[int, int]] = ()) -> None:
        """Take definitions, and the bytes of others that are none yet."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        reach = -1
        for start, end in sorted([*[(found.first, found.end) for found in definitions], *more]):
            if start >= reach:
                self._starts.append(start)
                self._ends.append(end)
                reach = end

    def enclose(self, at: int) -> bool:
        """Whether a byte stands inside one of the definitions."""
        row = bisect_right(self._starts, at) - 1
        return row >= 0 and at < self._ends[row]


def end_circles(moved: list[int], parents: list[int]) -> None:
    """Leave types where they are written that would stand in themselves: ``A.B = class {}; B.A = class {}``."""
    is_placed = [True, *([False] * (len(moved) - 1))]
    for index in range(1, len(moved)):
        chain, at = dict[int, None](), index
        while not is_placed[at]:
            if at in chain:
                for one in list(chain)[list(chain).index(at) :]:
                    moved[one] = parents[one]
                chain, at = {}, index
            else:
                chain[at] = None
                at = moved[at]
        for one in chain:
            is_placed[one] = True
