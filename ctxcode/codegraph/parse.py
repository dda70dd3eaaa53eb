"""Source text in, facts out: pure and deterministic. Runs in worker processes, because grammars can hang and crash."""

import codecs
import re
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ctxcode.codegraph.extract.assemble import assemble
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.languages import OUTLINES, load_bare_error_query, load_error_query, load_grammar
from ctxcode.codegraph.outline.manifest import declared, is_manifest, pod_module, swift_targets
from ctxcode.codegraph.outline.reading import outline
from ctxcode.codegraph.syntax.rust.macros import Body, add_conditions, with_items

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

    from ctxcode.codegraph.extract.findings import Findings
    from ctxcode.codegraph.facts import FileFacts
    from ctxcode.codegraph.syntax.c_family.repair import Mended

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EXTRACTORS = {
    "python": "python",
    "javascript": "ecmascript.extraction",
    "typescript": "ecmascript.extraction",
    "tsx": "ecmascript.extraction",
    "rust": "rust.extraction",
    "go": "golang",
    "java": "java.extraction",
}
_DIALECTS = {
    "c": ("c", "C"),
    "cpp": ("c", "C"),
    "csharp": ("csharp", "CSHARP"),
    "ruby": ("ruby", "RUBY"),
    "php": ("php", "PHP"),
    "kotlin": ("kotlin", "KOTLIN"),
    "swift": ("swift", "SWIFT"),
    "scala": ("scala", "SCALA"),
    "bash": ("bash", "BASH"),
    "lua": ("lua", "LUA"),
}
"""Modules of ``syntax.matched``, and their dialects."""

_SWIFT = re.compile(
    rb"(?m:^[ \t]*\#(?:if|elseif|else|endif)\b[^\n]*)|\bnonisolated\(unsafe\)|@_[A-Za-z]+\b"
    rb"|\b(?:sending|borrowing|consuming)\b(?=[ \t]+[@(\[A-Z])|(?<=[\[(,\s])~(?=[A-Z])"
)
"""Conditions between the cases of a ``switch``, and words and signs of late that the grammar does not know."""

_CONDITION = re.compile(rb"(?m:^[ \t]*\#[ \t]*(?:if|elif|else|endif|region|endregion|pragma)\b[^\n]*)")
"""C#'s conditions, which can stand where the grammar knows none: between bases, arguments, operands."""

_MODULES = (".podspec", "Package.swift")
"""Endings of files that name modules of Swift."""

_MOST_EDITS = 2_000
"""Each takes as long as the node around it has parts."""
_C_FAMILY = frozenset({"c", "cpp"})
_MASKED = frozenset({"typescript", "tsx"})
_VARIANCE = re.compile(rb"(?<=[<,/])\s*\b(?:in|out|const)\s+(?:out\s+)?(?=[A-Z_$])")
"""``<in out T>`` and ``<const T>``, which the grammar does not know; blanked out before a second try."""

_SHELL_PATTERN = re.compile(
    rb"(=~[ \t]{1,9})(?:[^\n\\]|\\[\s\S]){0,300}?(?=[ \t]{1,9}(?:\]\]|&&|\|\|)|\n)"
    rb"|(?:(?<=[\w/*.\]}\"'-])!|(?<=[\w/*.\]}\"'\s-])[?*+@])\([^()\n]{0,200}\)"
    rb"|\$\{\w{1,99}(?:\[[^]\n]{0,99}\])?(?:%%?|##?|//?)[^}$\n]{0,200}\}"
)
"""Patterns of Bash: behind ``=~``, ``!(a|b)`` inside of words, ``${a%%[({]*}``; words in a second try."""
_IN_WORD = re.compile(rb"(?!\\\n)[^\n]")

_UNENDED = re.compile(rb"(?<=[^;{,(&|=\s])\s++(?=<\s*+[A-Z])")
"""What stands before a call signature with type parameters, where the one before ends with no semicolon."""


class _Extractor(Protocol):
    """What every language's module offers."""

    def extract(self, captures: "dict[str, list[Node]]", page: Page, path: str) -> "Findings":
        """Return what a file's captures say."""
        ...


def decode_source(data: bytes) -> str | None:
    """Return a file's text without its byte order mark, or None when it is binary: it holds NUL bytes.

    UTF-16 and UTF-32 are recognised by their marks; what is not UTF-8 is taken for Latin-1, as whoever reads it does.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            break
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    return None if "\0" in text else text


def parse_source(source: bytes, language: str, path: str) -> "FileFacts":
    """Return what one file says; ``path`` names the module and is not read.

    Lines end at line feeds, as if ``decode_source(source)`` were split at them. Syntax errors cost the facts around
    them only. Raises KeyError for an unknown language, ValueError for a binary source.
    """
    data = _utf8(source)
    if language in OUTLINES:
        page = Page(data)
        findings = outline(page, language)
        if is_manifest(path):
            findings.package, findings.imports = declared(data, path)
        return assemble(findings, page, None, (language, path), 0)
    grammar = load_grammar(language)
    tree = _parser(language).parse(data)
    root = tree.root_node
    if language in _C_FAMILY:
        return _c_facts(data, language, path, tree)
    if root.has_error and language in _MASKED:
        masked_data = _VARIANCE.sub(_blank, data)
        root = _parser(language).parse(masked_data).root_node
        if root.has_error:
            masked = _parser(language).parse(_UNENDED.sub(_end_line, masked_data)).root_node
            root = min(root, masked, key=partial(_error_count, language))
    elif root.has_error and language in _RETRIED:
        pattern, blanked = _RETRIED[language]
        masked = _parser(language).parse(pattern.sub(blanked, data)).root_node
        root = min(root, masked, key=partial(_error_count, language))
    bodies: list[Body] = []
    if language == "rust":
        root, bodies = with_items(data, root, lambda text: _parser("rust").parse(text).root_node)
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see languages.load_grammar

    page = Page(data)
    query = load_error_query(language) if root.has_error else grammar.query
    if language in _DIALECTS:
        matches = QueryCursor(query).matches(root)
        findings = _matched(matches, page, language)
        if path.endswith(_MODULES):
            findings.package = pod_module(data) if path.endswith(".podspec") else swift_targets(data)
        return assemble(findings, page, root, (language, path), sum("error" in match for _, match in matches))
    captures = QueryCursor(query).captures(root)
    findings = _extractor(language).extract(captures, page, path)
    add_conditions(findings.definitions, bodies)
    return assemble(findings, page, root, (language, path), len(captures.get("error", ())))


def _c_facts(data: bytes, language: str, path: str, tree: "Tree") -> "FileFacts":
    """Return the facts of C and C++, whose macros and conditions the grammars can't read."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see languages.load_grammar

    from ctxcode.codegraph.syntax.c_family.damage import damaged  # noqa: PLC0415 - for some languages only
    from ctxcode.codegraph.syntax.c_family.repair import add_hidden, repaired  # noqa: PLC0415 - the same

    def matches_in(node: "Node") -> "list[tuple[int, dict[str, list[Node]]]]":
        query = load_error_query(language) if node.has_error else load_grammar(language).query
        return QueryCursor(query).matches(node)

    root = tree.root_node
    page, matches, mended = Page(data), None if root.has_error else matches_in(root), None
    if matches is None or any("misread" in match for _, match in matches):
        mended = repaired(data, damaged(root))
        again = _blanked_tree(tree, mended, page, language).root_node if mended.text != data else root
        found = matches_in(again)
        is_better = not (again.has_error and root.has_error) or again is root
        if is_better or sum("error" in match for _, match in found) <= _error_count(language, root):
            root, matches = again, found
        else:
            matches = matches_in(root)
    findings = _matched(matches, page, language)
    if mended is not None:
        add_hidden(findings, page, mended)
    return assemble(findings, page, root, (language, path), sum("error" in match for _, match in matches))


def _blanked_tree(tree: "Tree", mended: "Mended", page: Page, language: str) -> "Tree":
    """Return the tree of a mended page: what is the same is not parsed anew, unless too much is another."""
    if len(mended.blanked) > _MOST_EDITS:
        return _parser(language).parse(mended.text)
    # Nodes of the tree itself are still in use.
    edited = tree.copy()
    for start, end in mended.blanked:
        first, last = page.point(start), page.point(end)
        edited.edit(start, end, end, first, last, last)
    return _parser(language).parse(mended.text, edited)


def _matched(matches: "list[tuple[int, dict[str, list[Node]]]]", page: Page, language: str) -> "Findings":
    from ctxcode.codegraph.syntax.matched.extraction import extract_matches  # noqa: PLC0415 - for some languages only

    module, name = _DIALECTS[language]
    return extract_matches(matches, page, getattr(import_module(f"ctxcode.codegraph.syntax.matched.{module}"), name))


def _utf8(source: bytes) -> bytes:
    """Return the source as valid UTF-8 without a mark; most files are that already."""
    if source.isascii() and b"\0" not in source:
        return source
    text = decode_source(source)
    if text is None:
        raise ValueError("the source holds NUL bytes: it is no text")
    return text.encode("utf-8", "replace")


def _end_line(match: re.Match[bytes]) -> bytes:
    return match[0][:-1] + b";" if b"\n" in match[0] else match[0]


def _blank(match: re.Match[bytes]) -> bytes:
    return b"".join(b"\n" if byte == 10 else b" " for byte in match[0])


def _as_word(match: re.Match[bytes]) -> bytes:
    kept = match[1] or b""
    return kept + _IN_WORD.sub(b"x", match[0][len(kept) :])


_RETRIED = {
    "bash": (_SHELL_PATTERN, _as_word),
    "swift": (_SWIFT, _blank),
    "csharp": (_CONDITION, _blank),
}
"""What is parsed a second time with something blanked out, and taken when fewer errors are left."""


def _error_count(language: str, root: "Node") -> int:
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see languages.load_grammar

    return sum(len(nodes) for nodes in QueryCursor(load_bare_error_query(language)).captures(root).values())


@cache
def _parser(language: str) -> "Parser":
    from tree_sitter import Parser  # noqa: PLC0415 - see languages.load_grammar

    return Parser(load_grammar(language).language)


@cache
def _extractor(language: str) -> _Extractor:
    return cast("_Extractor", import_module(f"ctxcode.codegraph.syntax.{_EXTRACTORS[language]}"))
