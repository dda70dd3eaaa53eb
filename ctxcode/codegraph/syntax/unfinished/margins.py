"""Lines that begin a definition, as a person sees it who reads down the margin."""

import re
from typing import NamedTuple

_TAB = 4
_MOST_ABOVE = 60
"""Lines above a definition that may belong to it."""
_ABOVE = re.compile(rb"[ \t]*(?:@\w|#\[|#(?![a-z])|//|/?\*|--|\[\w)")
"""Comments, decorators and attributes."""

_JAVA_WORDS = (
    rb"(?:(?:public|private|protected|internal|static|final|abstract|sealed|virtual|override|async|synchronized|native"
    rb"|default|partial|readonly|unsafe|extern|new|non-sealed|file|ref)[ \t]+)"
)
_KOTLIN_WORDS = (
    rb"(?:(?:@\w+|public|private(?:\[\w+\])?|protected|internal|static|final|abstract|sealed|override|open|suspend|data"
    rb"|inline|inner|operator|infix|tailrec|value|annotation|fileprivate|mutating|nonisolated|convenience|required|case"
    rb"|implicit|lazy|indirect|actual|expect|external|enum|class(?=[ \t]+func\b))[ \t]+)*"
)
_NO_METHOD = (
    rb"(?!(?:if|for|while|switch|catch|return|else|do|try|new|throw|await|yield|case|using|lock|fixed|foreach|with|goto"
    rb"|delete|typeof|in|of|match|assert|sizeof|co_return|co_await)\b)"
)
_TYPED_METHOD = (
    _NO_METHOD
    + rb"[A-Za-z_][\w.:]*+(?:<[^()\n;=]*>)?+[\w<>\[\],.?*&: \t]*[ \t*&>\]]"
    + _NO_METHOD
    + rb"[\w~:]+[ \t]*(?:<[\w, \t]+>)?\((?![^\n{]*;)"
)
"""A type, a name and parameters, in a line that ends no statement: ``List<Item> items(int most) {``."""
_SCRIPT = (
    rb"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:async[ \t]+)?"
    rb"(?:(?:function\b[ \t]*\*?|class|interface|enum|const[ \t]+enum|namespace)[ \t]+\w|type[ \t]+\w[^=\n]*=)"
    rb"|(?:(?:public|private|protected|static|async|readonly|abstract|override|get|set)[ \t]+)*"
    + _NO_METHOD
    + rb"(?!function\b)[\w$#]+[ \t]*(?:<[^<>()\n]*>)?\([^()\n]*\)[ \t]*(?::[^(){}\n]+)?\{[ \t]*\r?$"
)
_SCRIPT_VALUE = rb"|^(?:export[ \t]+)?(?:const|let|var)[ \t]+\w[^\n]*=[^\n]*"
_C_TYPE = rb"(?:typedef[ \t]+)?(?:class|struct|union|enum)\b(?![^\n]*[;(])|"
_FORMS = {
    "python": rb"(?:async[ \t]+)?def[ \t]+\w|class[ \t]+\w",
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "rust": rb"(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:default|async|const|unsafe|extern(?:[ \t]+\"\w+\")?)[ \t]+)*"
    rb"(?:(?:fn|struct|enum|trait|mod|union|type|static|const)[ \t]+\w|impl\b|macro_rules!)",
    "go": rb"(?:func|type|var|const)[ \t]*[\w(]",
    "java": _JAVA_WORDS
    + rb"{0,9}(?:class|interface|enum|record|@interface)[ \t]+\w|"
    + _JAVA_WORDS
    + rb"{0,9}"
    + _TYPED_METHOD,
    "c": _C_TYPE + _TYPED_METHOD,
    "cpp": _C_TYPE + _TYPED_METHOD,
    "csharp": _JAVA_WORDS
    + rb"{0,9}(?:class|interface|enum|record|struct|delegate)[ \t]+\w|"
    + _JAVA_WORDS
    + rb"{0,9}"
    + _TYPED_METHOD,
    "ruby": rb"(?:(?:private|protected|public|private_class_method|module_function)[ \t]+)?"
    rb"(?:(?:def|module)[ \t]+\w|class[ \t]+[\w<])",
    "php": rb"(?:(?:public|private|protected|static|final|abstract|readonly)[ \t]+)*"
    rb"(?:function|class|interface|trait|enum)[ \t]+[\w&]",
    "kotlin": _KOTLIN_WORDS + rb"(?:(?:fun|class|interface|object|typealias)[ \t]+[\w<`(]|companion[ \t]+object\b)",
    "swift": _KOTLIN_WORDS
    + rb"(?:(?:func|class|struct|enum|protocol|extension|actor|typealias)[ \t]+\S|init[?!]?[ \t]*[(<])",
    "scala": _KOTLIN_WORDS + rb"(?:def|class|object|trait|enum|type)[ \t]+\w",
    "lua": rb"(?:local[ \t]+)?function[ \t]+\w",
}
"""What a line begins with that begins a definition; functions of Bash are found by their lines anyway."""
_PATTERNS = {
    language: re.compile(rb"^([ \t]*+)(?:" + form + rb")" + (_SCRIPT_VALUE if form is _SCRIPT else b""), re.MULTILINE)
    for language, form in _FORMS.items()
}


class Margin(NamedTuple):
    """A line that begins a definition."""

    first: int
    """Where the lines begin that belong to it, with the comments and decorators above."""
    at: int
    """Where its first word stands."""
    column: int
    """In bytes."""
    indent: int
    """In blanks."""


def margins_of(data: bytes, language: str) -> list[Margin]:
    """Return the lines of a source that seem to begin a definition, in order."""
    found, behind = list[Margin](), 0
    pattern = _PATTERNS.get(language)
    for match in pattern.finditer(data) if pattern is not None else ():
        start, white = match.start(), match[1] or b""
        found.append(Margin(_with_above(data, start, behind), start + len(white), len(white), indentation(white)))
        behind = data.find(b"\n", start) + 1 or len(data)
    return found


def indentation(white: bytes) -> int:
    """Return how many blanks wide white space is."""
    return len(white.expandtabs(_TAB))


def _with_above(data: bytes, start: int, behind: int) -> int:
    """Return where the comments and decorators begin that stand right above a line."""
    for _ in range(_MOST_ABOVE):
        above = data.rfind(b"\n", 0, max(start - 1, 0)) + 1
        if start == 0 or above < behind or not _ABOVE.match(data, above, start):
            break
        start = above
    return start
