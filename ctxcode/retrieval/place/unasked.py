"""What is left of a score in places nobody asked for: tests, other people's code, styles, another language's half."""

import re

from ctxcode.model.naming.folder import is_foreign_path, is_in_tests, is_side_path
from ctxcode.model.retrieval import Query
from ctxcode.model.symbol import Symbol

_SIDE_FACTOR = 0.3
"""In tests, docs and examples."""
_STYLE_FACTOR = 0.7
"""Of rules for how things look, in a question that does not speak of that: they are called as the things are."""
_STYLE_LANGUAGE = "css"
_OF_STYLES = frozenset({
    *("css", "scss", "sass", "less", "style", "styles", "styled", "styling", "stylesheet", "stylesheets", "theme"),
    *("themes", "colour", "colours", "color", "colors", "layout", "margin", "padding", "font", "fonts", "border"),
    *("width", "height", "align", "aligned", "alignment", "misaligned", "responsive", "hover", "background"),
    *("dark", "overflow"),
})  # fmt: skip
"""Words of a question that is about how things look."""
_OTHER_LANGUAGE_FACTOR = 0.4
"""Of code in another language than the one the question says."""
_SCRIPTS = ("javascript", "typescript", "tsx")
"""Types of scripts are declared beside them."""
_LANGUAGES = {
    "c++": ("cpp",),
    "c#": ("csharp",),
    "golang": ("go",),
    "javascript": _SCRIPTS,
    "typescript": _SCRIPTS,
    "c": ("c", "cpp"),
    **{name: (name,) for name in ("python", "java", "go", "rust", "ruby", "php", "kotlin", "swift", "scala", "lua")},
}
_CODE = frozenset(language for languages in _LANGUAGES.values() for language in languages)
_NAMED = rf"({'|'.join(re.escape(name) for name in _LANGUAGES)})(?![\w+#-]|\.\w)"
_KIND_OF_CODE = r"(?:api|bindings?|client|code|half|implementation|library|part|port|runtime|sdk|server|side|version)s?"
_SAYS_LANGUAGE = re.compile(
    rf"\bin (?:the )?{_NAMED}|\b{_NAMED} {_KIND_OF_CODE}\b|\b{_KIND_OF_CODE} (?:for|of) (?:the )?{_NAMED}",
    re.IGNORECASE,
)
_MOST_CHARACTERS = 1_000


def languages_said(text: str) -> frozenset[str]:
    """Return the languages whose code a question is about: of *in C++*, *the Python client*, *bindings for Ruby*."""
    found = (name for match in _SAYS_LANGUAGE.findall(text[:_MOST_CHARACTERS]) for name in match if name)
    return frozenset(language for name in found for language in _LANGUAGES[name.lower()])


def place_factor(symbol: Symbol, query: Query, languages: frozenset[str]) -> float:
    """Return what is left of a definition's score, 0 to 1, by where it stands and the languages the question says."""
    if is_foreign_path(symbol.path):
        return _SIDE_FACTOR
    is_side = is_side_path(symbol.path) or is_in_tests(symbol.language, symbol.qualname)
    if is_side and not query.wants_tests:
        return _SIDE_FACTOR
    if languages and symbol.language in _CODE and symbol.language not in languages:
        return _OTHER_LANGUAGE_FACTOR
    is_style = symbol.language == _STYLE_LANGUAGE
    return _STYLE_FACTOR if is_style and not any(term in _OF_STYLES for term, _ in query.terms) else 1.0
