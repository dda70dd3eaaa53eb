"""What one file says of itself: the facts a worker extracts and the resolver joins.

Plain tuples with names: a large repository has a million of them, and they cross a process border.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ctxcode.model.symbol import KindWord, VisibilityWord


class SymbolFact(NamedTuple):
    """A definition. Index 0 of a file's symbols is the module itself."""

    name: str
    qualname: str
    """Within the file, joined with dots: ``Query.join``; empty for the module."""
    kind: KindWord
    """A SymbolKind value."""
    start_line: int
    """First line with decorators or attributes, 1-based."""
    end_line: int
    header_line: int
    """The line of the name."""
    header_end_line: int
    """The last line of the signature."""
    signature: str
    """On one line, at most 300 characters."""
    doc: str
    """First paragraph of the documentation, at most 500 characters."""
    decorators: tuple[str, ...]
    visibility: VisibilityWord
    parent: int
    """Index of the enclosing symbol; -1 for the module."""
    text: str
    """Its own source for full-text search: the definition without nested definitions, at most 20,000 characters."""


class CallFact(NamedTuple):
    """A call site, the first of each name and receiver in each symbol."""

    caller: int
    """Index of the innermost enclosing symbol."""
    name: str
    """The called name's last part."""
    receiver: str
    """What stands before it, as written and without white space: ``self``, ``a.b``, ``Type``; empty for a bare name.

    A local name of Go or Rust that blocks of a function bind to several things is numbered: ``a²``; one that hides
    another's and of which nothing is known has a zero: ``a⁰``. What a function of Python gives to a name again has
    numbers behind it: ``a⁰¹``, ``a⁰¹ⁿ²`` where either may be meant. What something of Rust holds is ``a.#``, what
    stands behind an index ``a.##``.
    """
    line: int


class PackedCalls(NamedTuple):
    """A file's calls as columns: as tuples they would be most of what joining a large repository holds in memory."""

    callers: bytes = b""
    """Unsigned integers of the machine, four bytes each."""
    lines: bytes = b""
    """The same."""
    names: str = ""
    """One after the other, with NUL between."""
    receivers: str = ""
    """The same."""
    arguments: str = ""
    """The same, what each call's arguments look like; empty in languages without overloads."""


class UseFact(NamedTuple):
    """A place that names a definition without calling it; the first of each name in each symbol."""

    user: int
    """Index of the innermost enclosing symbol."""
    name: str
    """Dotted: ``Query``, ``models.Query``; the called last part of ``Query.make()`` is left out. See READ, FIXTURE."""
    line: int


class PackedUses(NamedTuple):
    """A file's uses as columns, like its calls: there are as many."""

    users: bytes = b""
    lines: bytes = b""
    names: str = ""


class ImportFact(NamedTuple):
    """A name an import binds."""

    module: str
    """As written: ``a.b``, ``./x``, ``crate::a::b``, ``java.util``; without Python's leading dots."""
    name: str
    """The imported name; empty when the module itself is bound, ``*`` for everything."""
    alias: str
    """The local name; empty for side-effect imports and ``*``, but of that ``inside`` in Rust's modules in braces."""
    level: int
    """Python's leading dots; elsewhere 1 for what is found another way: ``#[macro_use]`` and ``require_relative``."""
    line: int
    is_reexport: bool


def inside(modules: Iterable[str]) -> str:
    """Return what is said of a ``*`` that modules in braces pass on, given their names, the outermost first."""
    return "".join([f"::{name}" for name in modules])


class BaseFact(NamedTuple):
    """A base class, implemented interface or trait."""

    symbol: int
    name: str
    """Dotted, without type arguments."""
    line: int = 0
    """Where it is said, if that is not where the symbol's own name stands."""


RETURNED = "()"
"""The name to which a function binds what it says that it returns; of a tuple each part, by its place: ``()0``."""
PARAMETERS = "(,)"
"""The name to which a function that can have overloads binds the types of its parameters: ``int,String,Object...``.

In Swift with their labels: ``:Int,with:String=``.
"""
CONTRACT = "self.(->)"
"""What stands before the place of a parameter in the names that an interface of Java binds which has one method for
others to define: ``self.(->)0``; ``<1>`` is what stands for the interface's own second type parameter. What a method
says of the type arguments of its first parameter is ``(0.<1>)``."""
SAME = "(=)"
"""The name that a method of Java binds which gives what it is given first, ``=``, or an object of that class, ``%``."""
CONST = "const "
"""What stands before those of methods of C++ that change nothing."""
HELD = "self.<>"
"""The name to which a class binds the collection that it is: ``List<Item>``."""
ARGUMENTS, APPLIED = f"{HELD}.", "~"
"""What stands before the name of a base in what a class of Java binds to the base's type arguments: ``Cart,,<0>`` for
an own type, what is none, and its own first type parameter; and before those of any other type: ``Box<~Cart;;<0>>``."""
PARAMETER = "(<)"
"""The name that a method of Java binds which gives what stands for a type parameter of its class: ``0``, and ``?0`` for
a collection of it. A class binds ``self.(<).x`` for an attribute ``x``."""
ACCESSOR = "self.(get)."
"""What stands before a method of Java that nobody writes, ``self.(get).getName``, which a type binds to the field that
it gives and its type, ``=name String``, or to nothing where it leads to the type itself: Lombok's ``builder``."""
COMPANION = "self.(object)"
"""The name that an object of Scala binds, and one of Kotlin that stands in a type as its companion."""
FIXTURE = "~"
"""What stands before what pytest's fixtures give, before parameters for one, ``~.client``, and in names of modules."""
OF = "(impl)"
"""The name that a method of Rust binds to the path that its block names its type by: ``impl shop::Cart``."""
READ = "="
"""What stands before the names of uses that read something of an object: ``=order.total``."""
VALUE = "="
"""What stands before the name of a use of TypeScript, of a name alone, where only a value can be meant."""
ALTERNATIVE = "(|)"
"""The name that definitions bind of which each can be meant by their name."""
FILE_CLASS = "(file)"
"""The name that a file of Kotlin binds to what it says that others call the class of its functions, and each of these:
``@JvmName``."""
STATIC = "(.)"
"""The name that a method of JavaScript or Ruby binds that is its class's own, not that of the objects of it."""
TELLING = "(is)"
"""The name that a function of TypeScript binds to the type that it tells its argument to be: ``x is Cart``."""
MEMBER = "(:)"
"""The name that a method of Ruby binds which a symbol makes of what a Struct holds: ``:x`` of ``Struct.new(:x)``."""
WRITER = "(:=)"
"""The name that a method of Ruby binds that can be given a value, too: ``attr_accessor :x`` makes a ``x=``."""
SPACE = "self.(::)"
"""The name that a type of C++ binds which is but another name of a namespace."""
AT_TOP = "::"
"""What stands before the name of a type of C++ that is none of those within the types around it."""
LEFT = "(-)"
"""The name that a method of a trait of PHP binds that it leaves to the classes that use it: ``abstract``."""
WHOLE = "exports"
"""What stands, behind a dot, before the name of what a module of CommonJS exports as a whole."""
KEPT = "(this)"
"""The name that a function of JavaScript binds which the object has that the function around it makes."""
GLOBAL = "Global"
"""What begins a name of PHP that no namespace is looked in for, ``\\A``: a word that names nothing there."""
PART = "partial."
"""What stands before its own name where a type of C# says that it is a part of what is written elsewhere, too, and an
enum of C++ that it is a class, outside of which its values have no names."""
ASSERTED = " is "
"""What stands in the name of a base that a file of Go or Rust says a type of another one to have: ``A is B``."""
BROUGHT = "extend."
"""What stands before the name of a module of Ruby that another gives to the classes that include it."""
OFFERED = "*"
"""The name to which a module of Python binds the names that ``import *`` takes of it: ``,a,b``."""
ANYTHING = "_"
"""What stands for what is not known among the types that something may be: ``A|_``."""
LIKE = "__"
"""What stands there where what is not known of the others is most often the like of what is."""
OPEN = "*"
"""What it binds to that where its ``__all__`` is not written down, so that it may be anything."""
OWN = "!"
"""What such a method of Rust binds it to if its type has it of its own and gets others by traits."""
BY_NAME_ALONE = "§"
"""What stands before a type that documentation of JavaScript says and its file does not know: the only class of that
name is meant."""
TOLD_BY_FUNCTIONS = frozenset({RETURNED, PARAMETERS, ALTERNATIVE})


def is_returned(name: str) -> bool:
    """Return whether a name is one to which functions bind what they return."""
    return name.startswith(RETURNED) and "." not in name


class BindingFact(NamedTuple):
    """A local type the syntax tells: ``x = C()``, ``x: C``, a typed parameter, ``self.x = C()``."""

    scope: int
    """Index of the symbol whose body binds it; for ``self.x`` the class."""
    name: str
    """``x``, ``self.x``, RETURNED, PARAMETERS, ALTERNATIVE, STATIC, TELLING, MEMBER, WRITER, LEFT or OFFERED;
    ``.x`` and ``().x`` for what stands behind the scope, or
    behind what it returns; ``(0.1)`` for what it gives, as the second argument, to the function it is given as the
    first."""
    type: str
    """A type, dotted and without type arguments but for what Java's collections hold: ``Map<Item>``; ``a.f()`` for what
    a call returns, ``=a.b`` for the same thing; ``A&=x`` for what a test says to be an A, beside what x is;
    ``(0.1)a.f`` for what ``a.f`` gives to a function, ``(0/2.1)a.f`` for one of Java that takes two arguments;
    ``A|f()`` for either; ``^A`` for a function that gives an A."""


SCRIPT = "(script)"
"""The package of files of JavaScript and TypeScript that are no modules: what they declare all others of them know."""
MACRO = "macro"
"""What stands before the name of a macro of Rust that is looked for in the modules around."""


class FileFacts(NamedTuple):
    """Everything one file says."""

    language: str
    package: str
    """A declared package (Java, Go), SCRIPT for a script of JavaScript; else empty."""
    symbols: tuple[SymbolFact, ...]
    calls: PackedCalls
    """See ``calls_of``."""
    imports: tuple[ImportFact, ...]
    bases: tuple[BaseFact, ...]
    bindings: tuple[BindingFact, ...]
    uses: PackedUses
    """See ``uses_of``."""
    parse_errors: int
    """ERROR and MISSING nodes; the rest of the file is still used."""
    declared: str = ""
    """Functions and variables of C and C++ that others are to define, by qualified name, with NUL between."""


def packed_calls(
    calls: Sequence[tuple[int, str, str]], lines: Sequence[int], arguments: Sequence[str] = ()
) -> PackedCalls:
    """Return calls, given as (caller, name, receiver) and the line of each, as columns."""
    if not calls:
        return PackedCalls()
    callers, names, receivers = zip(*calls, strict=True)
    return PackedCalls(
        array("I", callers).tobytes(),
        array("I", lines).tobytes(),
        _BETWEEN.join(names),
        _BETWEEN.join(receivers),
        _BETWEEN.join(arguments),
    )


_BETWEEN = "\0"
"""Sources hold none."""
_as_call = partial(tuple.__new__, CallFact)
_as_use = partial(tuple.__new__, UseFact)


def calls_of(facts: FileFacts) -> Iterator[CallFact]:
    """Return a file's calls. Raises ValueError, at the latest at the end, for columns that are none of ours."""
    return map(_as_call, call_rows(facts))


def call_rows(facts: FileFacts) -> Iterator[tuple[int, str, str, int]]:
    """Return the same as plain (caller, name, receiver, line): quicker to go over by the hundred thousand."""
    packed = facts.calls
    callers, lines = array("I", packed.callers), array("I", packed.lines)
    if not callers and packed == PackedCalls():
        return iter(())
    names, receivers = packed.names.split(_BETWEEN), packed.receivers.split(_BETWEEN)
    return zip(callers, names, receivers, lines, strict=True)


def arguments_of(facts: FileFacts) -> list[str]:
    """Return what the arguments of each of a file's calls look like; empty where nothing is said of them."""
    return facts.calls.arguments.split(_BETWEEN) if facts.calls.arguments else []


def callers_of(facts: FileFacts) -> set[int]:
    """Return the symbols that call something. Raises ValueError for columns that are none of ours."""
    packed = facts.calls
    callers = array("I", packed.callers)
    if not callers and packed == PackedCalls():
        return set()
    count = len(callers)
    texts = packed.names.count(_BETWEEN) + 1, packed.receivers.count(_BETWEEN) + 1
    said = packed.arguments.count(_BETWEEN) + 1 if packed.arguments else count
    if (*texts, said) != (count, count, count) or len(array("I", packed.lines)) != count:
        raise ValueError("columns of calls that differ in length")
    return set(callers)


def packed_uses(uses: Sequence[tuple[int, str]], lines: Sequence[int]) -> PackedUses:
    """Return uses, given as (user, name) and the line of each, as columns."""
    if not uses:
        return PackedUses()
    users, names = zip(*uses, strict=True)
    return PackedUses(array("I", users).tobytes(), array("I", lines).tobytes(), _BETWEEN.join(names))


def uses_of(facts: FileFacts) -> Iterator[UseFact]:
    """Return a file's uses. Raises ValueError, at the latest at the end, for columns that are none of ours."""
    return map(_as_use, use_rows(facts))


def use_rows(facts: FileFacts) -> Iterator[tuple[int, str, int]]:
    """Return the same as plain (user, name, line)."""
    packed = facts.uses
    users, lines = array("I", packed.users), array("I", packed.lines)
    if not users and packed == PackedUses():
        return iter(())
    return zip(users, packed.names.split(_BETWEEN), lines, strict=True)


def users_of(facts: FileFacts) -> set[int]:
    """Return the symbols that use something. Raises ValueError for columns that are none of ours."""
    packed = facts.uses
    users = array("I", packed.users)
    if not users and packed == PackedUses():
        return set()
    if packed.names.count(_BETWEEN) + 1 != len(users) or len(array("I", packed.lines)) != len(users):
        raise ValueError("columns of uses that differ in length")
    return set(users)


def declared_in(facts: FileFacts) -> list[str]:
    """Return the qualified names of the functions that a file declares for others to define."""
    return facts.declared.split(_BETWEEN) if facts.declared else []


def scopeless_enums(facts: FileFacts) -> frozenset[int]:
    """Return the enums of a file of C or C++ whose values have names around them: all but classes."""
    scoped = {base.symbol for base in facts.bases if base.name.startswith(PART)}
    enums = (at for at, one in enumerate(facts.symbols) if one.kind == "enum")
    return frozenset(at for at in enums if at not in scoped)


def joined_names(names: Iterable[str]) -> str:
    """Return names as one text, each once and in order."""
    return _BETWEEN.join(sorted(set(names)))


PRIVATE, HOLDER = 1, 2
_HOLDERS = frozenset({"module", "namespace"})


def traits(facts: FileFacts) -> bytes:
    """Return a byte per symbol: ``PRIVATE``, and ``HOLDER`` for what only holds others."""
    return bytes([(one.visibility == "private") + HOLDER * (one.kind in _HOLDERS) for one in facts.symbols])


def symbols_alone(facts: FileFacts) -> FileFacts:
    """Return facts without anything that leads from one symbol to another."""
    return facts._replace(calls=PackedCalls(), uses=PackedUses(), imports=(), bases=(), bindings=(), declared="")


def skeleton(facts: FileFacts) -> FileFacts:
    """Return what name resolution needs of a file's facts.

    Texts, signatures, docs and decorators are left out.
    """
    # A named tuple's own constructor would double the time.
    make = tuple.__new__
    symbols = tuple(
        [
            make(SymbolFact, (name, qualname, kind, 0, 0, header_line, 0, "", "", (), visibility, parent, ""))
            for name, qualname, kind, _, _, header_line, _, _, _, _, visibility, parent, _ in facts.symbols
        ]
    )
    return facts._replace(symbols=symbols)
