"""Source text in, facts out: pure and deterministic. Runs in worker processes, because grammars can hang and crash."""

import codecs
import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ctxcode.codegraph.extract.assemble import assemble
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.languages import captured, errors_in, load_grammar
from ctxcode.codegraph.outline.known import OTHERWISE_READ, OUTLINES
from ctxcode.codegraph.outline.manifest import declared, is_manifest, pod_module, swift_targets
from ctxcode.codegraph.outline.reading import outline
from ctxcode.codegraph.syntax.components.blocks import SUFFIXES, taken_apart
from ctxcode.codegraph.syntax.masks import declared_as_constants, second_tries
from ctxcode.codegraph.syntax.python_comments import without_long_runs
from ctxcode.codegraph.syntax.python_notebook import Heading, add_headings, code_of, is_notebook
from ctxcode.codegraph.syntax.rust.flags import name_flags
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
    "python": "python.extraction",
    "javascript": "ecmascript.extraction",
    "typescript": "ecmascript.extraction",
    "tsx": "ecmascript.extraction",
    "rust": "rust.extraction",
    "go": "golang.extraction",
    "java": "java.extraction",
}
_DIALECTS = {
    "c": ("c", "C"),
    "cpp": ("c", "CPP"),
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

_MODULES = (".podspec", "Package.swift")
"""Endings of files that name modules of Swift."""

_OBJECTIVE = re.compile(
    rb"^[ \t]*(?:@(?:interface|protocol)\b[^;\n]*$|typedef[ \t]+NS_(?:ENUM|OPTIONS)\b)", re.MULTILINE
)
_NO_OBJECTIVE = re.compile(rb"^[ \t]*(?:namespace\b|template[ \t]*<|(?:class|struct)[ \t]+\w+[^;\n]*:)", re.MULTILINE)
"""What only C++ says; a header may be for both."""
Matches = list[tuple[int, dict[str, list["Node"]]]]

_MOST_EDITS = 2_000
"""Each takes as long as the node around it has parts."""
_C_FAMILY = frozenset({"c", "cpp"})
_MOST_OPEN = 512
"""Matches that may be begun and not ended at once; no file of abseil, redis and others reaches 64."""
_READINGS = {
    "python": without_long_runs,
    "javascript": declared_as_constants,
    "typescript": declared_as_constants,
    "tsx": declared_as_constants,
}
"""What is done to a source before it is read."""


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
    them only. A header of Objective-C is read as such. Raises KeyError for an unknown language, ValueError for a binary
    source.
    """
    data = _utf8(source)
    if language == "cpp" and path.endswith(".h") and _is_objective(data):
        language = OTHERWISE_READ[language]
    if language in OUTLINES:
        page = Page(data)
        findings = outline(page, language)
        if is_manifest(path):
            findings.package, findings.imports = declared(data, path)
        return assemble(findings, page, None, (language, path), 0)
    if path.endswith(SUFFIXES):
        return _component_facts(data, language, path)
    headings = list[Heading]()
    if is_notebook(path):
        data, headings = code_of(data)
    if language in _C_FAMILY:
        return _c_facts(data, language, path)
    read = _READINGS[language](data) if language in _READINGS else data
    root = _parser(language).parse(read).root_node
    read_as, text, errors, counted = language, read, 0, root
    if root.has_error:
        counted, read_as, text, errors = _best_read(read, root, language)
        root, text = _mended(text, counted, read_as)
    bodies: list[Body] = []
    if language == "rust":
        root, bodies = with_items(text, root, lambda text: _parser("rust").parse(text).root_node)
    page = Page(data)
    query = load_grammar(read_as).query
    if language in _DIALECTS:
        from tree_sitter import QueryCursor  # noqa: PLC0415 - see languages.load_grammar

        return _dialect_facts(page, (root, QueryCursor(query).matches(root)), (language, path), text, (errors, counted))
    captures = captured(query, root)
    findings = _extractor(language).extract(captures, page, path)
    findings.bare = captures
    if bodies:
        name_flags(findings.definitions, data)
    add_conditions(findings.definitions, bodies)
    add_headings(findings, headings, page)
    return assemble(findings, page, root, (language, path), _most_errors(root, (errors, counted)))


def _most_errors(root: "Node", before: "tuple[int, Node]") -> int:
    """Return how many errors a tree has, or had ``before`` it was mended: (so many, which tree)."""
    errors, counted = before
    # To count them takes as long as to parse.
    return errors if root is counted else max(errors, len(errors_in(root)))


def _dialect_facts(
    page: Page, read: "tuple[Node, Matches]", place: tuple[str, str], text: bytes, before: "tuple[int, Node]"
) -> "FileFacts":
    """Return the facts of a language that is read by matches.

    ``text`` is the source as it was parsed; ``before`` is as in ``_most_errors``.
    """
    (root, matches), (language, path) = read, place
    if language == "kotlin" and any("misplaced" in match for _, match in matches):
        root, matches = _declared_again(root, matches, text)
    findings = _matched(matches, page, language)
    if language == "bash" and (errors := errors_in(root)):
        _mend_functions(findings, page, [node.start_byte for node in errors])
    if path.endswith(_MODULES):
        findings.package = pod_module(page.source) if path.endswith(".podspec") else swift_targets(page.source)
    return assemble(findings, page, root, place, _most_errors(root, before))


def _is_objective(data: bytes) -> bool:
    return (b"@" in data or b"NS_" in data) and _OBJECTIVE.search(data) is not None and not _NO_OBJECTIVE.search(data)


def _component_facts(data: bytes, language: str, path: str) -> "FileFacts":
    """Return the facts of a file that holds scripts in markup: of the scripts, and what the markup says of them."""
    from ctxcode.codegraph.syntax.components.markup import add_markup  # noqa: PLC0415 - for some files only

    component = taken_apart(data, path)
    read_as = "tsx" if component.has_elements else language
    root = _parser(read_as).parse(component.script).root_node
    errors, counted = 0, root
    if root.has_error:
        counted, read_as, text, errors = _best_read(component.script, root, read_as)
        root, _ = _mended(text, counted, read_as)
    captures, page = captured(load_grammar(read_as).query, root), Page(data)
    findings = _extractor(read_as).extract(captures, page, path)
    add_markup(findings, component, page, path)
    return assemble(findings, page, root, (language, path), _most_errors(root, (errors, counted)))


def _declared_again(root: "Node", matches: "Matches", text: bytes) -> "tuple[Node, Matches]":
    """Return the tree of Kotlin, and what is found in it, without annotations that hide what they stand before."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see languages.load_grammar

    from ctxcode.codegraph.syntax.matched.kotlin import misplaced, without  # noqa: PLC0415 - for one language only

    nodes = misplaced(matches, text)
    if not nodes:
        return root, matches
    root = _parser("kotlin").parse(without(text, nodes)).root_node
    hidden = {node.start_byte for node in nodes}
    decorators = [each for each in matches if any(node.start_byte in hidden for node in each[1].get("decorator", ()))]
    return root, [*QueryCursor(load_grammar("kotlin").query).matches(root), *decorators]


def _best_read(data: bytes, root: "Node", language: str) -> "tuple[Node, str, bytes, int]":
    """Return the tree with the fewest errors that a source has, as it is or masked.

    With it come its language, the text that was read, and the number of its errors.
    """
    best, read_as, text, errors = root, language, data, -1
    for masked, other in second_tries(data, language):
        tried = _parser(other).parse(masked).root_node
        if not tried.has_error:
            return tried, other, masked, 0
        if errors < 0:
            errors = len(errors_in(root))
        left = len(errors_in(tried))
        if left < errors:
            best, read_as, text, errors = tried, other, masked, left
    return best, read_as, text, errors if errors >= 0 else len(errors_in(root))


def _mended(text: bytes, root: "Node", language: str) -> "tuple[Node, bytes]":
    """Return the tree of a source with errors, and the text read, without lines that hide what follows them."""
    from ctxcode.codegraph.syntax.unfinished.pieces import mended  # noqa: PLC0415 - for some files only

    return mended(text, root, language, lambda tried: _parser(language).parse(tried).root_node)


def _c_facts(source: bytes, language: str, path: str) -> "FileFacts":
    """Return the facts of C and C++, whose macros and conditions the grammars can't read."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see languages.load_grammar

    from ctxcode.codegraph.syntax.c_family.damage import damaged  # noqa: PLC0415 - for some languages only
    from ctxcode.codegraph.syntax.c_family.directives import without_conditions  # noqa: PLC0415 - the same
    from ctxcode.codegraph.syntax.c_family.repair import add_hidden, repaired  # noqa: PLC0415 - the same
    from ctxcode.codegraph.syntax.c_family.tests import add_suites  # noqa: PLC0415 - the same

    def matches_in(node: "Node") -> "Matches":
        # Classes in classes keep one another's matches open: what is asked of each node grows with those around it.
        return QueryCursor(load_grammar(language).query, match_limit=_MOST_OPEN).matches(node)

    data = without_conditions(source)
    tree = _parser(language).parse(data)
    root = tree.root_node
    page, matches, mended, errors = Page(source), None if root.has_error else matches_in(root), None, 0
    if matches is None or any("misread" in match for _, match in matches):
        mended = repaired(data, damaged(root))
        again = _blanked_tree(tree, mended, page, language).root_node if mended.text != data else root
        errors = _c_errors(again)
        can_be_worse = again.has_error and root.has_error and again is not root
        before = _c_errors(root) if can_be_worse else errors
        text = mended.text if errors <= before else data
        page.masked = mended.macros if text is mended.text else ()
        root, errors = (again, errors) if errors <= before else (root, before)
        if errors:
            root, _ = _mended(text, root, language)
        matches = matches_in(root)
    findings = _matched(matches, page, language)
    if mended is not None:
        add_hidden(findings, page, mended)
    add_suites(findings, page)
    return assemble(findings, page, root, (language, path), errors)


def _c_errors(root: "Node") -> int:
    """Return how many errors a tree of C or C++ has.

    A missing semicolon is none: it is what is made of a macro that ends a statement, or that others stand behind
    (``TAILQ_FOREACH(one, all, next) {``), and hides nothing.
    """
    return sum(not (node.is_missing and node.type == ";") for node in errors_in(root))


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


def _mend_functions(findings: "Findings", page: Page, errors: list[int]) -> None:
    from ctxcode.codegraph.syntax.matched.bash import mend  # noqa: PLC0415 - for some files only

    mend(findings, page, errors)


def _utf8(source: bytes) -> bytes:
    """Return the source as valid UTF-8 without a mark; most files are that already."""
    if source.isascii() and b"\0" not in source:
        return source
    text = decode_source(source)
    if text is None:
        raise ValueError("the source holds NUL bytes: it is no text")
    return text.encode("utf-8", "replace")


@cache
def _parser(language: str) -> "Parser":
    from tree_sitter import Parser  # noqa: PLC0415 - see languages.load_grammar

    return Parser(load_grammar(language).language)


@cache
def _extractor(language: str) -> _Extractor:
    return cast("_Extractor", import_module(f"ctxcode.codegraph.syntax.{_EXTRACTORS[language]}"))
