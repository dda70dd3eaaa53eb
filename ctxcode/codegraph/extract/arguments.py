"""What the arguments of a call look like: enough to tell overloads apart."""

import re
from functools import lru_cache

ANY_ARGUMENTS = "*"
"""What stands for arguments nobody has written down yet: of a method that is handed on."""
NO_ARGUMENTS = "()"
STATIC = "static "
"""What stands before the parameters of a function that is called on a type of Swift, not on its objects."""
JAVA_NAMES = {
    "string": "String", "object": "Object", "bool": "boolean", "sbyte": "byte", "Any": "Object", "AnyRef": "Object",
    "Int": "int", "Long": "long", "Short": "short", "Byte": "byte", "Char": "char", "Boolean": "boolean",
    "Float": "float", "Double": "double", "IntArray": "int[]", "ByteArray": "byte[]", "LongArray": "long[]",
    "CharArray": "char[]",
}  # fmt: skip
"""What types of C#, Kotlin and Scala are called in Java."""
_LONGEST_ARGUMENT = 80
_DEEPEST = 12
_PLAIN = re.compile(r"[\w\s.,]*", re.ASCII)
_LITERAL = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|/\*.*?\*/|//[^\n]*', re.DOTALL
)
_CAST = re.compile(
    r"(?<=[(,])\s*\(\s*([A-Z][\w.]*|int|long|char|byte|short|double|float|boolean)(?:<[\w\s.,?]*>)?((?:\[\])*)\s*\)"
    r"\s*(?=[\w(\"'])"
)
_GENERIC = re.compile(r"<[\w\s.,?&\x03]*>")
_NESTED = (
    (re.compile(r"\([^()]*\)"), "\x01"),
    (re.compile(r"\{[^{}]*\}"), "\x02"),
    (re.compile(r"\[[^\[\]]*\]"), "\x03"),
)
_MADE = re.compile(r"new\s+([\w.]+)\s*(\x01|\x03+)?")
_NUMBER = re.compile(r"[-+~]?(?:0[xXbB][\da-fA-F_]+|\d[\d_]*)([lL]?)")
_FRACTION = re.compile(r"[-+]?(?:[\d_]++(?:\.[\d_]++)?|\.[\d_]++)(?:[eE][-+]?\d++)?([fFdD]?)|[-+]?\d[\d_]*+\.[fFdD]?")
_EXPRESSION = re.compile(r"[^\W\d][\w.\x01]*\x03?")
_TRUTH = re.compile(r"!|.*(?:[<>=!]=|&&|\|\||[^-<>]>[^>]|[^<]<[^<]|\binstanceof\b)", re.DOTALL)


@lru_cache(maxsize=10_000)
def argument_shapes(written: str) -> str:
    """Return what each argument of Java's ``(a, "b", 1)`` looks like: ``a,:String,:int``; ``()`` for none.

    ``:T`` is of type T, ``->`` a function; an expression stands for itself, ``x[]`` for an element of x, ``?`` for what
    is too long or too much.
    """
    if written[-1] == ";":
        written = written[:-1].rstrip()
    if _PLAIN.fullmatch(written, 1, len(written) - 1):
        return (
            ",".join([_shape(part.strip()) for part in written[1:-1].split(",")])
            if written[1:-1].strip()
            else NO_ARGUMENTS
        )
    text = _CAST.sub("\x04\\1\\2 ", _LITERAL.sub(_of_literal, written))[1:-1]
    for _ in range(_DEEPEST):
        shorter = text
        for nested, mark in _NESTED:
            shorter = nested.sub(mark, shorter)
        shorter = _GENERIC.sub("", shorter)
        if shorter == text:
            break
        text = shorter
    return ",".join([_shape(part.strip()) for part in text.split(",")]) if text.strip() else NO_ARGUMENTS


def _of_literal(match: re.Match[str]) -> str:
    return match[0][0] if match[0][0] in "\"'" else " "


def _shape(part: str) -> str:
    if part.isidentifier():
        return ":boolean" if part in {"true", "false"} else part[:_LONGEST_ARGUMENT]
    if "->" in part or "::" in part:
        return "->"
    if part[:1] == "\x04":
        return f":{part[1:].split(maxsplit=1)[0]}".replace("\x03", "[]")
    made = _MADE.match(part)
    if made is not None and "." not in part[made.end() :]:
        # What stands behind what an array holds is an index: ``new int[][] {{1}}[0]``.
        return f":{made[1]}" + "[]" * ((made[2] or "").count("\x03") - part.count("\x03", made.end()))
    return _of_value(part)


def _of_value(part: str) -> str:
    number = _NUMBER.fullmatch(part)
    if number is not None:
        return ":long" if number[1] else ":int"
    fraction = _FRACTION.fullmatch(part)
    if fraction is not None:
        return ":float" if fraction[1] in {"f", "F"} else ":double"
    if part == "'":
        return ":char"
    if "?" in part:
        return "?"
    if '"' in part and (part == '"' or "+" in part):
        return ":String"
    if part[:1] == '"':
        # What the text gives that is called.
        part = f"String{part[1:]}"
    if part.endswith(".class"):
        return ":Class"
    if _EXPRESSION.fullmatch(part):
        return part.replace("\x01", "()").replace("\x03", "[]") if len(part) <= _LONGEST_ARGUMENT else "?"
    return ":boolean" if _TRUTH.match(part) else "?"
