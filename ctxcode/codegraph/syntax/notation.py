"""Expressions of many languages in one notation: names, dots and calls."""

import re

from ctxcode.codegraph.extract.expressions import POINTED_AT, without_functions
from ctxcode.codegraph.extract.references import receiver_of
from ctxcode.codegraph.facts import AT_TOP, GLOBAL

_LAST_PART = re.compile(r"(?:\?->|->|::|\?\.|&\.|!!\.|[.:\\])\s*([^\W\d]\w*[!?]?)\Z")
_SEPARATOR = re.compile(r"\?->|->|::|\?\.|&\.|!!\.|\\|(?<=\w):(?=\w)")
_SPACE_OR_SIGIL = re.compile(r"[\s$]+")
_ARGUMENTS = re.compile(r"<[^<>()]*>|\[[^\[\]()]*\]")
_STARRED = re.compile(r"\(\*\s*(\w+(?:(?:\.|->)\w+)*)\s*\)\s*(?:\.|(?=->))")
_CAST_TO = re.compile(
    r"(?:const|dynamic|reinterpret|static)_cast\s*+<\s*+(?:const\s++)?+((?:[A-Za-z_]\w*+::)*+[A-Za-z_]\w++)\s*+"
    r"(?:&|(\*))\s*+>\s*+\("
)
"""A cast of C++ to a class, by reference or pointer; one letter is no type's name."""
_CAST = re.compile(r".+\.asInstanceOf\[(\w+)(?:\[[^\]]*\])?\]")
"""A value of Scala's that is said to be of a class."""
_MADE = re.compile(r"\(\s*+new\s++([A-Z]\w*+)\s*+(?:\[[^\[\]()]*+\]\s*+)?+(?:\([^()]*+\)\s*+)?+\)\s*+(?![\w({\[])")
"""An object that is made in brackets of its own: ``(new Cart)``, ``(new Cart(1)).total``."""


def without_arguments(expression: str) -> str:
    """Return an expression without type arguments and functions in braces; empty for one with more in braces."""
    expression = without_functions(expression)
    if "{" in expression or '"' in expression:
        return ""
    return _ARGUMENTS.sub("", expression) if "<" in expression or "[" in expression else expression


def split_callee(callee: str) -> tuple[str, str]:
    """Return (name, receiver) of a callee as written: type arguments are taken away."""
    callee = _ARGUMENTS.sub("", callee) if callee.endswith((">", "]")) else callee
    last = _LAST_PART.search(callee)
    return (last[1], callee[: last.start()]) if last else (callee.strip(), "")


def at_top(callee: str) -> str:
    """Return what is said before a called name that is looked for at the top alone: behind colons, a backslash."""
    return AT_TOP if callee.startswith("::") else GLOBAL if callee[:1] == "\\" else ""


def with_arrows(callee: str) -> str:
    """Return a callee of C++ in which each ``->`` outside of brackets is said, and ``*`` before what is in brackets.

    What is behind ``this`` is behind a pointer.
    """
    callee = _cast_away(callee) if "_cast" in callee else callee
    if (starred := _STARRED.match(callee)) is not None:
        callee = f"{starred[1]}->{callee[starred.end() :]}".replace("->->", f".{POINTED_AT}->")
    first, *others = callee.split("->")
    kept, depth = [first], 0
    for before, piece in zip((first, *others), others, strict=False):
        depth += before.count("(") + before.count("[") - before.count(")") - before.count("]")
        is_said = not depth and not before.rstrip().endswith("this")
        kept.append(f".{POINTED_AT}." if is_said else "->")
        kept.append(piece)
    return "".join(kept)


def _cast_away(callee: str) -> str:
    """Return a callee of C++ with an object of the class in place of the cast that it begins with.

    What is behind a pointer to one is its own: ``static_cast<Cart*>(x)->pay`` is ``Cart().pay``.
    """
    cast, depth = _CAST_TO.match(callee), 1
    if cast is None:
        return callee
    for at in range(cast.end(), len(callee)):
        depth += (callee[at] == "(") - (callee[at] == ")")
        if not depth:
            rest = callee[at + 1 :].lstrip()
            is_behind = rest.startswith("->" if cast[2] else ".")
            return f"{cast[1]}().{rest[2 if cast[2] else 1 :].lstrip()}" if is_behind else callee
    return callee


def tidy(receiver: str, base: str) -> str:
    """Return a receiver in one notation: dots, no white space, ``super`` for the word that stands for the base."""
    if receiver.isidentifier():
        return "super" if receiver == base else receiver
    if receiver[:1] == "(" and (made := _MADE.match(receiver)) is not None and POINTED_AT not in receiver:
        receiver = f"new {made[1]}(){receiver[made.end() :]}"
    dotted = _SEPARATOR.sub(".", _SPACE_OR_SIGIL.sub("", receiver_of(receiver))).strip(".")
    cast = _CAST.fullmatch(dotted) if dotted.endswith("]") else None
    if cast is not None:
        return f"{cast[1]}()"
    if dotted.startswith("@"):
        dotted = f"self.{dotted.lstrip('@')}"
    # A variable, ``$parent``, is none.
    is_base = base and receiver.startswith(base) and dotted.startswith(f"{base}.")
    return f"super{dotted[len(base) :]}" if is_base else dotted
