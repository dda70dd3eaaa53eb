"""What a query file can't say of a language."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name
from ctxcode.codegraph.facts import ImportFact

if TYPE_CHECKING:
    from tree_sitter import Node


Match = dict[str, list["Node"]]
"""What a pattern of a query captures, by the names of its captures."""
PROTOTYPE = "prototype"
"""The kind of what is no definition but says that another file has one."""


def is_reader(match: Match) -> bool:
    """Whether a field of Ruby is made by a call: ``attr_reader :a, :b``, ``Struct.new(:a)``."""
    return "field" in match and match["field"][0].type in {"call", "simple_symbol"}


class Shape(NamedTuple):
    """What decides who sees a definition."""

    name: str
    kind: str
    modifiers: str
    """What stands before the name, without attributes."""
    access: str
    """The last word such as ``private:`` that stands above it in the same body; empty for none."""
    node: "Node"
    page: Page


class Told(NamedTuple):
    """What documentation says of types."""

    returned: list[tuple[int, str]]
    """(the byte a function's name stands on, type)."""
    parameters: list[tuple[int, str, str]]
    """(a byte inside a function, name, type)."""
    fields: list[tuple[int, str, str]]
    """(a byte inside a type, ``self.x``, type)."""


class Named(NamedTuple):
    """What names itself name where the language has values for them: symbols."""

    calls: Sequence[tuple[int, str, str]]
    """(byte, name, receiver)."""
    uses: Sequence[tuple[int, str]]
    """(byte, dotted name)."""


ELEMENT = "unwrap()"
"""What gives an element of a collection, as if it were a method of it."""


def nothing_told(comment: "Node", page: Page) -> Told:
    """Return what comments say where they say nothing of types."""
    del comment, page
    return Told([], [], [])


def _as_written(node: "Node", page: Page) -> str:
    del node, page
    return ""


def _no_pairs(names: "Node", values: "Node", page: Page) -> list[tuple[int, str, str]]:
    del names, values, page
    return []


def _nothing_returned(node: "Node", page: Page) -> tuple[int, str]:
    del node, page
    return -1, ""


def nothing_read(match: Match) -> Iterable[Match]:
    """Return what is read of what a query leaves unread where it leaves nothing."""
    del match
    return ()


def _into_nothing(node: "Node", page: Page) -> "tuple[Node | None, str]":
    del node, page
    return None, ""


def _in_no_name(word: "Node", page: Page) -> "Node | None":
    del word, page
    return None


def _no_imports(node: "Node", page: Page) -> list[ImportFact]:
    del node, page
    return []


def _written(name: "Node", page: Page) -> tuple["Node", str, str]:
    return name, page.of(name), ""


def _as_captured(kind: str, node: "Node", page: Page) -> str:
    del node, page
    return kind


def _never_outside(receiver: str) -> bool:
    del receiver
    return False


def _never(node: "Node") -> bool:
    del node
    return False


class Overloading(NamedTuple):
    """What tells functions of one name apart."""

    parameters: Callable[["Node", Page], str]
    """From a function to what it says of its parameters; empty for none."""
    shapes: Callable[["Node", Page], str]
    """From a called name, or the call if that is captured, to what its arguments look like; empty for what is no call.
    """
    binds_values: bool = True
    """Whether what a variable is given is noted as it is written, not as what a call returns."""
    tells_one_alone: bool = True
    """Whether the parameters are of interest of a function that is the only one of its name in a file."""


def without(marks: str) -> Mapping[int, None]:
    """Return the table that takes signs out of a text."""
    return dict.fromkeys(map(ord, marks))


class Dialect(NamedTuple):
    """A language's own rules; each has a default that suits most."""

    is_doc: Callable[[str], bool]
    visibility: Callable[[Shape], str]
    imports: Callable[["Node", Page], list[ImportFact]] = _no_imports
    declared: Callable[["Node", Page], tuple["Node", str, str]] = _written
    """From a name or declarator to (node of the simple name, the name, its container)."""
    refined: Callable[[str, "Node", Page], str] = _as_captured
    """From (captured kind, definition) to its kind; empty for what is none after all, PROTOTYPE for a declaration."""
    type_name: Callable[[str], str] = dotted_name
    bound_type: Callable[[str], str] | None = None
    """The same for what variables are and functions return, with what collections hold; as elsewhere if None."""
    is_method: Callable[["Node"], bool] = _never
    """Whether what is captured as a member is a method: its type is what it returns."""
    doc_text: Callable[[str], str] = str.strip
    """From a doc comment's words to what people read."""
    package: Callable[[str], str] = str.strip
    makers: frozenset[str] = frozenset()
    """Methods of a type that make one of it: ``new``."""
    makes_by_name: bool = False
    """Whether ``x = Type(…)`` makes one: what is bound to a call is then a type when it is capitalised."""
    asks_last_base_first: bool = False
    """Whether what a type inherits from last is asked for a member before what it inherits from first."""
    finish: Callable[[Findings, list[tuple[int, Match]], Page], None] | None = None
    """What all matches of a file together say of its findings is added to these."""
    expression: Callable[["Node", Page], str] = _as_written
    """From what stands before a called name to names, dots and calls; empty to take it as it is written."""
    implied: Callable[["Node", Page], str] = _as_written
    """From a called name with nothing before it to what it is called of; empty for what the look-up tells."""
    used: Callable[["Node", Page], str] = _as_written
    """From a name that is used to names and dots; empty to take it as it is written."""
    told: Callable[["Node", Page], Told] = nothing_told
    """What a comment tells of the types of what follows it."""
    given: Callable[["Node", Page], str] = _as_written
    """From a variable to the type of the parameter that it is."""
    returned: Callable[["Node", Page], tuple[int, str]] = _nothing_returned
    """From what is captured as giving something to (the byte its function's name stands on, the type of what it makes).
    """
    read_on: Callable[[Match], Iterable[Match]] = nothing_read
    """From what is captured as not read by the query to the matches of one that reads it."""
    mixed_into: Callable[["Node", Page], "tuple[Node | None, str]"] = _into_nothing
    """From a call that mixes something into a type to (the type's name, what stands before the names of what it mixes).
    """
    keeping: Callable[["Node", Page], "Node | None"] = _in_no_name
    """From the called name of what makes an object to the name that the object gets; None for none."""
    named: Callable[[Match, Page], Named] | None = None
    """From a match to what is named in it by values."""
    paired: Callable[["Node", "Node", Page], list[tuple[int, str, str]]] = _no_pairs
    """From lists of names and of values to (byte, name, what it is bound to)."""
    base_word: str = ""
    """What a method calls the class that its own inherits from, where that isn't ``super``."""
    narrow: Callable[[Findings, list["Node"], Page], None] | None = None
    """What tests of a file say of variables is added to its findings."""
    settle: Callable[[Findings, Page, "Node", Mapping[tuple[int, str], list[int]]], None] | None = None
    """Variables that a function gives several things are told apart, given the root of the tree and the places of what
    functions return, by (the byte of the function's name, expression)."""
    blocks_of: str = ""
    """The language, where blocks may give a name of their function to something else."""
    overloads: Overloading | None = None
    """How functions of one name are told apart, where a name can mean several."""
    captures_bare: bool = False
    """Whether the language's one query captures the names that nothing imports, too."""
    name_marks: Mapping[int, None] = without("?!")
    """Signs in called names beside letters, digits and underscores."""
    own_words: frozenset[str] = frozenset()
    """Called names that are the language's."""
    pointed: Callable[[str], str] = str
    """From a callee with an arrow in it to the same with what the arrows mean."""
    is_outside: Callable[[str], bool] = _never_outside
    """Whether what stands before a called name is never of the project: the language's own library."""

    def whole(self, matches: Iterable[tuple[int, Match]]) -> Iterator[tuple[int, Match]]:
        """Yield matches with what is read on of those that the query leaves unread."""
        for pattern, match in matches:
            if "unread" in match:
                for each in self.read_on(match):
                    yield pattern, each
            else:
                yield pattern, match


def any_comment(comment: str) -> bool:
    """Whether a comment can be documentation: any can."""
    del comment
    return True


def block_doc(comment: str) -> bool:
    """Whether a comment is ``/** … */``."""
    return comment.startswith("/**") and not comment.startswith("/**/")


def slash_doc(comment: str) -> bool:
    """Whether a comment is ``///`` or ``/** … */``."""
    return (comment.startswith("///") and not comment.startswith("////")) or block_doc(comment)


_ACCESS = re.compile(r"\b(public|protected|private|internal|fileprivate|open)\b(?!\(set\))")
"""Who may give a variable of Swift something, ``private(set) var``, does not say who may read it."""
_SAME = {"open": "public", "fileprivate": "private"}


def by_modifier(default: str) -> Callable[[Shape], str]:
    """Return the rule that a written modifier decides, and else a default."""

    def visibility(shape: Shape) -> str:
        found = _ACCESS.search(shape.modifiers)
        return _SAME.get(found[1], found[1]) if found else default

    return visibility
