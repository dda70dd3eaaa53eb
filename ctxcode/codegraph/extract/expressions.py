"""Expressions cut down to what can be followed: names, dots and calls."""

import re
from functools import lru_cache

_DEEPEST = 20
_MOST_PIECES = 30
"""Words and signs of a function that is given; longer ones are more than a few calls."""
INDEXED = "__getitem__()"
"""What stands for an index in brackets."""
EACH = "__each__()"
"""What a collection gives to a function, or to a loop that wants no keys."""
ITSELF = "__itself__()"
"""What stands behind an object of Ruby where it is sent what may be private: nobody else's method is meant."""
RECEIVED = "__recv__()"
"""What comes out of a channel of Go."""
ELEMENT = "#"
"""What stands for one of the things inside of something of Rust, as a loop or a closure gets them."""
INDEXED_IN_RUST = "##"
"""What stands for what is behind an index there."""
IMPLIED = "?"
"""What stands before a receiver that is not written and may be meant: ``run`` in Kotlin's ``cart.apply { run() }``."""
POINTED_AT = "__arrow__()"
"""What stands for the ``->`` of C++ behind an object, or the ``*`` before it, which that may define itself."""
ADDRESS = "__address__()"
"""What stands there for the ``&`` before it."""
DOUBLED = "__double__()"
"""What stands for making a test double of an object, which is that and what records what is expected of it."""
CALLED = "__call__()"
"""What stands for a call of what a call gives: ``make()()``."""
MAKING = "\0"
"""What stands behind ``new`` in place of white space: ``newBox()`` is called, ``new Box()`` is made."""
_CALLED_AGAIN = re.compile(r"(?<=[\x00\x01])\x00")
_INDEX = re.compile(r"(?<=[\w)\x00\x01\x04])\[([^()\[\]]*)\]")
_ARGUMENTS = re.compile(r"\([^()]*\)")
_BRACES = re.compile(r"\{[^{}]*\}")
_GIVEN_BEHIND = re.compile(r"([\w)])\s*\x00")
_GIVING_ITSELF = re.compile(r"\??\.(?:also|apply|takeIf|takeUnless)\s*\x00")
"""What gives what it is called on."""
_LONGEST_CALLEE = 150
_LONGEST_KNOWN = 200
_DOTTED = re.compile(r"[\w$#]+(?:\.[\w$#]+)*")
_CALLED_WITH = r"(?:\((?::[/>\w]+)?\))?"
_EXPRESSION = re.compile(rf"(?:[^\W\d]|[$#])[\w$]*{_CALLED_WITH}(?:\.[\w$#][\w$]*{_CALLED_WITH})*")
_PATH = r"((?:\??\.[^\W\d]\w*(?:\(\))?)+)"
_MAKING = r"\.(map|flatMap|Select|SelectMany)"
_ARROW = re.compile(rf"{_MAKING}\(\(?([^\W\d]\w*)\)?=>\2!?{_PATH}\)")
"""A function that makes something else of each: ``map(x => x.cart)``."""
_TAKING = re.compile(
    r"\.(map|mapNotNull|flatMap|compactMap|filter_map|flat_map)\s*\{\s*"
    r"(?:it|\$0|([^\W\d]\w*)\s*->\s*\2|\|([^\W\d]\w*)\|\s*\3|([^\W\d]\w*)\s+in\s+\4)"
    rf"{_PATH}\s*\}}"
)
"""The same with braces: ``map { it.cart }``, ``map { $0.cart }``, ``map { |it| it.cart }``."""
_KEPT = re.compile(r"\(:([/>\w]+)\)")

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'|\w+|.', re.DOTALL)
_CALL = r"(?:\(\d+(?::(?:[^\W\d]\w*(?:[!^]|::\w+)?|>[\w>]+))?\))?"
_COUNTED = re.compile(rf"[^\W\d]\w*{_CALL}(?:\.[^\W\d]\w*{_CALL})*")
_REFERENCE = re.compile(r"[^\W\d]\w*::[^\W\d]\w*")
_CHAINED = re.compile(r"\(?([^\W\d]\w*)->\1((?:\.[^\W\d]\w*\()+)")
_APPLIED = re.compile(r"\(?([^\W\d]\w*)->([^\W\d]\w*)\(\1")
_MADE = re.compile(rf"""new{MAKING}([A-Z]\w*)\((?:"(?:[^"\\]|\\.)*"|[^()"'/])*\)""")
_GATHERING = re.compile(r"(?:Collectors\.)?(to(?:Unmodifiable)?(?:List|Set))\(")
_NO_NAMES = frozenset({"_", "false", "null", "true"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def plain_expression(written: str) -> str:
    """Return an expression with its calls' arguments taken away; empty for one that is more than names and calls.

    An index is the call of what gives an element; a slice is nothing. What takes a part of each stays: ``map(:/cart)``.
    """
    # A repository writes the same ones again and again.
    return _known_plain(written) if len(written) <= _LONGEST_KNOWN else _plain(written)


def _plain(written: str) -> str:
    if "=>" in written or "(:" in written:
        text = _KEPT.sub("\3\\1\4", _ARROW.sub(_path_taken, written))
        return _simply(text).replace("\3", "(:").replace("\4", ")") if "\3" in text else _simply(written)
    return _simply(written)


def _path_taken(function: re.Match[str]) -> str:
    return f".{function[1]}(:{path_of(function[3])})"


def path_of(written: str) -> str:
    """Return what a function takes of what it gets, ``.cart.next()``, as part of a call: ``/cart>next``."""
    parts = written.replace("?", "").split(".")[1:]
    return "".join(f">{part[:-2]}" if part[-1] == ")" else f"/{part}" for part in parts)


def _simply(written: str) -> str:
    if "[" in written:
        return _indexed_expression(written)
    opening = written.find("(")
    if written[-1:] == ")" and "(" not in written[opening + 1 :] and ")" not in written[opening:-1]:
        # Most have one call, at the end.
        written = f"{written[:opening]}()"
        return written if _whole(written) else ""
    for _ in range(_DEEPEST):
        shorter = _ARGUMENTS.sub("\0", written)
        if shorter == written:
            break
        written = shorter
    written = _CALLED_AGAIN.sub(f".{CALLED}", written).replace("\0", "()")
    return written if _whole(written) else ""


_known_plain = lru_cache(maxsize=10_000)(_plain)


def _whole(written: str) -> bool:
    return _EXPRESSION.fullmatch(written.replace("\3", "(:").replace("\4", ")")) is not None


def _indexed_expression(written: str) -> str:
    for _ in range(_DEEPEST):
        shorter = _ARGUMENTS.sub("\0", _INDEX.sub(_element, written))
        if shorter == written:
            break
        written = shorter
    written = _CALLED_AGAIN.sub(f".{CALLED}", written).replace("\0", "()").replace("\1", f".{INDEXED}")
    return written if _whole(written) else ""


def _element(index: re.Match[str]) -> str:
    return "" if ":" in index[1] else "\1"


def counted_expression(written: str) -> str:
    """Return an expression without white space with the number of each call's arguments: ``a.b(2).c(0)``.

    The first argument stands behind it where that is a name, ``b(2:x)``, a class, ``T!`` for ``T.class``, an
    object that is made, ``T^`` for ``new T()`` with its white space MAKING, or a function: ``T::a``, ``>a>b`` for
    ``x -> x.a().b()``, ``>>a`` for ``x -> a(x)``. Type arguments are taken away. Empty for one that is more than names
    and calls.
    """
    kept, depth, count, angles, first = list[str](), 0, 0, 0, list[str]()
    for piece in _TOKEN.findall(written):
        if piece in _OPENING:
            if not depth and piece != "(":
                return ""
            depth += 1
            if depth == 1:
                count, first = 0, []
            elif count < 2:
                first.append(piece)
        elif piece in _CLOSING:
            depth -= 1
            if depth == 0:
                kept.append(f"({count}{_first_argument(first)})")
            first += [piece] if count < 2 else []
        elif depth:
            count += (piece == "," and depth == 1 and not angles) or not count
            if count == 1:
                first.append(piece)
        elif piece in "<>":
            angles += 1 if piece == "<" else -1
        elif not angles and piece != MAKING:
            kept.append(piece)
    text = "".join(kept)
    return text if not depth and _COUNTED.fullmatch(text) else ""


def _first_argument(pieces: list[str]) -> str:
    if pieces[1:] == [".", "class"] and pieces[0].isidentifier():
        return f":{pieces[0]}!"
    if len(pieces) > 1:
        opened = [piece for piece in pieces if piece not in _CLOSING and piece != MAKING]
        if len(opened) > _MOST_PIECES:
            return ""
        made = _MADE.fullmatch("".join(pieces)) if pieces[1] == MAKING else None
        return f":{made[1]}^" if made is not None else _function("".join(opened))
    is_name = bool(pieces) and pieces[0].isidentifier() and pieces[0] not in _NO_NAMES
    return f":{pieces[0]}" if is_name else ""


def _function(written: str) -> str:
    """Return what a function is that is given, without the brackets that close; empty where it is more than that."""
    if _REFERENCE.fullmatch(written) is not None:
        return f":{written}"
    if (chained := _CHAINED.fullmatch(written)) is not None:
        return f":{chained[2].replace('.', '>').replace('(', '')}"
    if (applied := _APPLIED.fullmatch(written)) is not None:
        return f":>>{applied[2]}"
    gathering = _GATHERING.fullmatch(written)
    return f":>{gathering[1]}" if gathering is not None else ""


def without_functions(written: str) -> str:
    """Return an expression without the functions in braces that are given behind a name or brackets: ``a.b { c }.d``.

    A name with one is called, but what gives itself, as ``also`` and ``apply`` do, is left out. Other braces stay.
    """
    if "{" not in written:
        return written
    text = _TAKING.sub(_part_taken, written)
    for _ in range(_DEEPEST):
        shorter = _BRACES.sub("\0", text)
        if shorter == text:
            break
        text = shorter
    text = _GIVING_ITSELF.sub("", text)
    text = _GIVEN_BEHIND.sub(lambda match: ")" if match[1] == ")" else f"{match[1]}()", text)
    return written if "\0" in text else text


def _part_taken(function: re.Match[str]) -> str:
    return f".{function[1]}(:{path_of(function[function.lastindex or 1])})"


def call_of(callee: str) -> str:
    """Return the expression for a call of what is written; empty when that is more than names and calls."""
    if len(callee) > _LONGEST_CALLEE:
        return ""
    text = callee if _DOTTED.fullmatch(callee) else plain_expression("".join(callee.split()).replace("?.", "."))
    return "" if not text else f"{text}.{CALLED}" if text.endswith("()") else f"{text}()"
