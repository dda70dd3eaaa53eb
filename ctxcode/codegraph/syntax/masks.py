"""What grammars can't read of sound sources, masked for a second try: the same bytes in number, other ones.

Only the tree is of the masked text: names and signatures are read from the file's own.
"""

import re
from collections.abc import Callable, Iterator

Mask = tuple[re.Pattern[bytes], Callable[[re.Match[bytes]], bytes]]


def _blank(match: re.Match[bytes]) -> bytes:
    return b"".join(b"\n" if byte == 10 else b" " for byte in match[0])


def _on_one_line(match: re.Match[bytes]) -> bytes:
    return match[0].replace(b"\n", b" ")


def _as_name(match: re.Match[bytes]) -> bytes:
    """Make a name of the same length of what is none to the grammar."""
    return b"x" * len(match[0])


_VARIANCE = re.compile(
    rb"(?:(?<=[<,])\s*\b(?:in|out|const)|(?<=/)\s*\b(?:in|out))\s+(?:out\s+)?(?=[A-Z_$]|[\w$]{1,80}\s+extends\b)"
    rb"|(?m:^[ \t]+)in[ \t]+out[ \t]+(?=\w)|(?<=\bexport )type(?=[ \t]*\*)"
)
"""TypeScript's ``<in out T>`` and ``<const T>``, and that all of a module is exported as types."""
_IMPORT_TYPE = re.compile(rb"\bimport\((?:'[^'\n]{1,300}'|\"[^\"\n]{1,300}\")\)(?=\.(?!then\b|catch\b|finally\b))")
"""TypeScript's ``import("./a").Type``, which can be given no types."""
_NAMED_TYPE = re.compile(rb"\btype(?=[ \t]+extends\b)|\\`")
"""A type parameter of TypeScript that is called ``type``, and what is quoted in the type of a text."""
_UNENDED = re.compile(rb"(?<=[^;{,(&|=<\s])(?<!=>)\s++(?=<\s*+[A-Z_])")
"""What stands before a call signature with type parameters, where the one before ends with no semicolon."""
_UNENDED_CODE = re.compile(rb"(?<=[^;{,(&|=</\s])(?<!=>)\s++(?=<\s*+[A-Z_])")
"""The same where no comment stands between them."""

_MANY_UNENDED = 20
"""Call signatures without a semicolon, which is how a file is written that has so many."""


def _end_line(match: re.Match[bytes]) -> bytes:
    return match[0][:-1] + b";" if b"\n" in match[0] else match[0]


_DISPOSED = re.compile(rb"using(?=[ \t]{1,9}[A-Za-z_$][\w$]{0,80}[ \t]{0,9}(?:[=:]|of\b))")
_BEFORE_DISPOSED = re.compile(
    rb"(?:(?:\A|[;{\n])[ \t]{0,200}|\bfor[ \t]{0,9}(?:await[ \t]{0,9})?\([ \t]{0,9})(await[ \t]{1,9})?\Z"
)
_FURTHEST = 240
"""Bytes before ``using`` that say whether it is a declaration."""


def declared_as_constants(source: bytes) -> bytes:
    """Return a source of TypeScript or JavaScript in which ``using a = b()`` and ``for (using a of b)`` are ``const``.

    The grammars know either no such declaration or no such loop.
    """
    parts, end = list[bytes](), 0
    # Prose has the word as well: it is found by itself, which is fast, before what stands before it is looked at.
    for match in _DISPOSED.finditer(source) if b"using " in source else ():
        at = match.start()
        before = _BEFORE_DISPOSED.search(source[max(0, at - _FURTHEST) : at])
        if before is not None:
            waited = len(before[1] or b"")
            parts += [source[end : at - waited], b" " * waited, b"const"]
            end = match.end()
    return b"".join([*parts, source[end:]]) if parts else source


_TYPED = re.compile(rb"@flow\b|^(?:import|export)[ \t]+type\b|^type[ \t]+\w{1,200}[^=\n]{0,200}=", re.MULTILINE)
"""What a JavaScript file says that is typed with Flow: TypeScript's grammar reads most of it."""
_FLOW = re.compile(
    rb"(?<=\{)\||\|(?=\})"
    rb"|(?<=[{,;\n<])[ \t]{0,80}[+-](?=[\w$'\"\[]{1,80}\??[ \t]{0,9}[:(,>]|[A-Z]\w{0,80}[ \t]+extends\b|\[)"
    rb"|(?<=\bstatic )\+(?=[A-Z_a-z$])"
    rb"|\.\.\.(?=\s{0,80}[},])"
    rb"|(?<=[:|<(=,])[ \t]{0,9}\?(?=[\w({\[$'\"])"
    rb"|\btypeof(?=[ \t]+(?:\*[ \t]+as[ \t]+)?[\w${,]{1,80}[^\n;=]{0,200}\bfrom\b)"
    rb"|\bopaque(?=[ \t]+type\b)|\binterface(?=[ \t]\{)"
    rb"|(?<=\bdeclare )export[ \t](?:default[ \t])?"
    rb"|(?<=\w)[ \t]of[ \t](?:string|number|boolean|symbol)(?=[ \t]{0,9}\{)"
)
"""Exact and inexact objects, variance, types that may be null, ``import typeof``, opaque types, bases of enums."""
_CAST = re.compile(
    rb"((?<=[=(,\[?:!&|>n])[ \t]{0,9}\([\w$.]{1,80}(?:\[\w{1,40}\])?|\)(?:\.[\w$.]{1,80})?):[ \t][\w$.<>?|*, ]{1,120}"
    rb"(?=\)(?![ \t]{0,9}(?:=>|[:{])))"
)
"""Flow's ``(value: any)``."""
_COMPONENT = re.compile(rb"\bcomponent(?=[ \t]+[A-Z]\w{0,80}[ \t]{0,9}[(<])")


def _as_value(match: re.Match[bytes]) -> bytes:
    return match[1] + b" " * (len(match[0]) - len(match[1]))


_SHELL_PATTERN = re.compile(
    rb"(=~[ \t]{1,9})(?:[^\n\\]|\\[\s\S]){0,300}?(?=[ \t]{1,9}(?:\]\]|&&|\|\|)|\n)"
    rb"|(?:(?<=[\w/*.\]}\"'-])!|(?<=[\w/*.\]}\"'\s-])[?*+@])\([^()\n]{0,200}\)"
    rb"|\$\{\w{1,99}(?:\[[^]\n]{0,99}\])?(?:%%?|##?|//?)[^}$\n]{0,200}\}"
)
"""Patterns of Bash: behind ``=~``, ``!(a|b)`` inside of words, ``${a%%[({]*}``; words in a second try."""
_IN_WORD = re.compile(rb"(?!\\\n)[^\n]")
_SHELL_CASE = re.compile(rb";;?&(?=\s)|\bfor[ \t]+\w{1,80}[ \t](?=do\b)")
"""How a case goes on with the next, and a loop over all arguments."""
_SHELL_OTHERS = re.compile(
    rb"(?<=[\w/*.\]}\"'-] )(?<!\bif )(?<!\bdo )(?<!\bthen )(?<!\belse )(?<!\belif )(?<!\bwhile )(?<!\buntil )"
    rb"!\([^()\n]{0,200}\)"
)
"""All but some files, as an argument."""


def _as_word(match: re.Match[bytes]) -> bytes:
    kept = match[1] or b""
    return kept + _IN_WORD.sub(b"x", match[0][len(kept) :])


def _as_clause(match: re.Match[bytes]) -> bytes:
    return b";;".ljust(len(match[0])) if match[0].startswith(b";") else match[0][:-1] + b";"


_RUST = re.compile(rb"\btry(?=![ \t]{0,9}[(\[{])|\bsafe(?=[ \t]{1,9}(?:fn|static)\b)")
"""A macro of old by the name of a keyword, and what is safe among foreign functions."""
_PYTHON_TYPES = re.compile(rb"\b(?:class|def|type)[ \t]+\w{1,200}\[(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){1,400}\]")
_PYTHON_DEFAULT = re.compile(rb"=(?:[^,\[\]\n]|\[[^\[\]\n]{0,200}\]){1,200}")
"""Defaults of Python's type parameters."""


def _without_defaults(match: re.Match[bytes]) -> bytes:
    return _PYTHON_DEFAULT.sub(_blank, match[0][:-1]) + match[0][-1:]


_SWIFT = re.compile(
    rb"(?m:^[ \t]*\#(?:if|elseif|else|endif)\b[^\n]*)|\bnonisolated\(unsafe\)|@_[A-Za-z]+\b"
    rb"|\b(?:sending|borrowing|consuming)\b(?=[ \t]+[@(\[A-Z])|(?<=[\[(,\s])~(?=[A-Z])"
)
"""Conditions between the cases of a ``switch``, and words and signs of late that the grammar does not know."""
_SWIFT_OPERATOR = re.compile(rb"\n[ \t]{1,200}(?=[*/%][ \t])")
"""A line that goes on with an operator."""

_CONDITION = re.compile(rb"(?m:^[ \t]*\#[ \t]*(?:if|elif|else|endif|region|endregion|pragma)\b[^\n]*)")
"""C#'s conditions, which can stand where the grammar knows none: between bases, arguments, operands."""

_SCALA_NAME = re.compile(
    rb"\b(?:enum|export|given|macro)\b(?=[ \t]*(?:[.,:)\]]|=(?!=)|$))|\bsuper\[\w{1,80}\](?=\.)", re.MULTILINE
)
"""Names that are words of Scala 3, and what a type takes from one of several others."""

_OTHER_BRANCH = re.compile(
    rb"^[ \t]*#[ \t]*(?:else|elif)\b(?:(?!^[ \t]*#[ \t]*(?:if|endif)\b)[\s\S])*+^[ \t]*#[ \t]*endif\b[^\n]*",
    re.MULTILINE,
)
"""What C# reads under other conditions."""

_KOTLIN_NAME = re.compile(
    rb"\bdynamic\b"
    rb"|\b(?:override|private|internal|public|protected|inner|external|abstract|final|open|constructor|companion)\b"
    rb"(?=[ \t]{0,9}(?:\?\.|\.|->|\)|:(?!:)|==))"
    rb"|\b(?:abstract|crossinline|external|final|infix|inline|internal|lateinit|noinline|open|override|private|protected"
    rb"|public|sealed|tailrec|vararg)(?=\(|[ \t]{0,9}\{)"
)
"""Names that are words of the language elsewhere: ``override.name``, ``{ private -> … }``, ``inline(true)``."""
_KOTLIN_GOING_ON = re.compile(
    rb"\bclass[ \t]+\w{1,200}(?:<[^<>\n]{0,200}>)?\s{1,80}(?:@[\w.]{1,80}(?:\([^()\n]{0,200}\))?\s{1,80}){0,9}"
    rb"(?:(?:public|internal|private|protected|actual|expect)\s{1,80}){0,3}constructor(?=[ \t]{0,9}\()"
    rb"|\}\s{1,200}(?=(?:catch|finally)\b)"
)
"""A primary constructor on a line of its own, and what is caught."""
_KOTLIN_BODILESS = re.compile(
    rb"\bconstructor[ \t]{0,9}\([^()\n]{0,400}\)(?:[ \t]{0,9}:[ \t]{0,9}(?:this|super)[ \t]{0,9}\([^()\n]{0,400}\))?"
    rb"[ \t]{0,9}\n(?=\s{0,80}(?:@[\w.]{1,80}\s{1,80})?(?:(?:public|internal|private|protected)\s{1,9})?constructor\b)"
)
_KOTLIN_FUNCTION = re.compile(rb"\bfun\(([\w, \t]{1,200})\)[ \t]\{")
"""A function without a name whose parameters have no types, as an argument."""
_KOTLIN_REST = re.compile(
    rb",(?=\s{0,80}>)|@\w{1,80}\(\"[^\"\n]{0,200}\"\)(?=[ \t]{1,9}[gs]et\b)|(?<== )\[\](?=\s{0,80}[,)])"
    rb"|;(?=[ \t]{1,9}(?:private|protected|internal)[ \t]{1,9}set\b)"
)
"""A comma behind the last type parameter, notes and modifiers of accessors, empty arrays of annotations."""
_KOTLIN_GUARD = re.compile(
    rb"((?:^|\{)[ \t]{0,200}(?:!?\bis[ \t]+[\w.<>?*, ]{1,200}?|\w[\w.]{0,200}))[ \t]if[ \t][^\n{]{1,300}?(?=->)",
    re.MULTILINE,
)
"""What else is asked of a case."""
_KOTLIN_CONTEXT = re.compile(rb"^[ \t]*context\((?:[^()\n]|\([^()\n]{0,200}\)){1,300}\)|\${2,9}(?=\")", re.MULTILINE)
"""What has to be there for a function to be called, and how many signs begin a value in a text."""
_KOTLIN_LAST = re.compile(rb"(?<=[\w)>?\"\]}])[ \t](?=\})")
"""What ends the last part of a body on one line."""
_KOTLIN_SIGNS = {b",": b" ", b"[]": b"0 ", b";": b"\n"}

_MASKS: dict[str, tuple[Mask, ...]] = {
    "kotlin": (
        (_KOTLIN_NAME, _as_name),
        (_KOTLIN_GOING_ON, _on_one_line),
        (_KOTLIN_BODILESS, lambda match: match[0][:-1] + b";"),
        (_KOTLIN_FUNCTION, lambda match: b"{   " + match[1] + b" ->"),
        (_KOTLIN_GUARD, _as_value),
        (_KOTLIN_CONTEXT, _blank),
        (_KOTLIN_LAST, lambda _: b";"),
        (_KOTLIN_REST, lambda match: _KOTLIN_SIGNS.get(match[0]) or _blank(match)),
    ),
    "bash": ((_SHELL_PATTERN, _as_word), (_SHELL_OTHERS, _as_name), (_SHELL_CASE, _as_clause)),
    "swift": ((_SWIFT, _blank), (_SWIFT_OPERATOR, _on_one_line)),
    "rust": ((_RUST, lambda match: b"tri" if match[0] == b"try" else _blank(match)),),
    "python": ((_PYTHON_TYPES, _without_defaults),),
    "csharp": ((_CONDITION, _blank),),
    "scala": ((_SCALA_NAME, _as_name),),
}
_FLOW_MASKS: tuple[Mask, ...] = (
    (_FLOW, _blank),
    (_CAST, _as_value),
    (_COMPONENT, lambda _: b"function "),
)


def second_tries(data: bytes, language: str) -> Iterator[tuple[bytes, str]]:
    """Yield (masked source, language) of what may be read with fewer errors, the likeliest first."""
    if language in {"typescript", "tsx"}:
        masked = _masked(data, ((_VARIANCE, _blank), (_IMPORT_TYPE, _as_name), (_NAMED_TYPE, _as_name)))
        ended = [pattern.sub(_end_line, masked) for pattern in (_UNENDED, _UNENDED_CODE)]
        # A file that leaves out so many semicolons is read with them at once: without, its reading may take long.
        is_unended = ended[0].count(b";") - masked.count(b";") >= _MANY_UNENDED
        ordered = (ended[0], masked, ended[1]) if is_unended else (masked, *ended)
        tries = [(text, language) for text in dict.fromkeys(ordered)]
    elif language == "javascript":
        tries = [(_masked(data, _FLOW_MASKS), "tsx")] if _TYPED.search(data) is not None else []
    else:
        tries = [(_masked(data, _MASKS.get(language, ())), language)]
        if language == "csharp":
            tries.append((_masked(data, ((_OTHER_BRANCH, _blank), *_MASKS[language])), language))
    for masked, other in tries:
        if masked != data or other != language:
            yield masked, other


def _masked(data: bytes, masks: tuple[Mask, ...]) -> bytes:
    for pattern, write in masks:
        data = pattern.sub(write, data)
    return data
