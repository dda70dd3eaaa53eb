"""What macros with a body declare: tests of GoogleTest, Catch2, doctest and Boost, benchmarks, actions, matchers."""

import re
from typing import NamedTuple

from ctxcode.codegraph.extract.findings import TEST, Definition, Findings
from ctxcode.codegraph.extract.page import Page

_LONGEST = 2_000
"""Letters of a head that are read."""
_MOST = 20
"""Arguments."""
_MACRO = re.compile(r"([A-Z_][A-Z0-9_]+)\s*\(")
_WORD = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r'"(?:[^"\\\n]|\\.)*+"|\'(?:[^\'\\\n]|\\.)++\'|[()\[\]{},]|[^()\[\]{},"\']++|.', re.DOTALL)
_TEXT = re.compile(r'\s*((?:(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*+"\s*)++)')
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*+)"')
_RAW = re.compile(r'\s*(?:u8|[uUL])?R"(\w{0,16})\((.*?)\)\1"', re.DOTALL)
_TYPE = re.compile(r"(?:\w+(?:<[^<>]*>)?\s*::\s*)*+([^\W\d]\w*)\s*(?:<.*>)?", re.DOTALL)
_NAMELESS = "Anonymous test case"
"""What a runner calls a test that is given no name."""
_ESCAPED = re.compile(r"\\([\"\\'])")
_SUITE = re.compile(
    rb"^[ \t]*(?:BOOST_AUTO_TEST_SUITE\(\s*(\w+)|BOOST_FIXTURE_TEST_SUITE\(\s*(\w+)\s*,\s*(\w+)"
    rb'|(?:DOCTEST_)?TEST_SUITE_BEGIN\(\s*("(?:[^"\\\n]|\\.)*+")|(?:BOOST_AUTO_|DOCTEST_)?TEST_SUITE_END\()',
    re.MULTILINE,
)
"""What begins a suite and what ends one; braces of the others enclose their tests."""
_SUITED = re.compile(r"BOOST_|(?:DOCTEST_)?(?:TEST_CASE|SCENARIO)")


class Declared(NamedTuple):
    """What a macro makes of the function behind it."""

    name: str
    kind: str
    """``function``, TEST for one that is no member of its suite, ``namespace`` for what holds tests."""
    container: str
    """Its fixture or suite; empty for none."""
    at: int
    """The letter of the head that the name begins at."""


class _Rule(NamedTuple):
    """Which of a macro's arguments say what; -1 for none."""

    macros: re.Pattern[str]
    name: int
    container: int = -1
    kind: str = "function"
    is_text: bool = False
    """Whether the name is a literal."""
    arguments: int = 0
    """How many arguments there must be; 0 for any number."""


_CASE = r"(?:CATCH_|DOCTEST_)?(?:TEMPLATE_(?:LIST_|PRODUCT_)?)?(?:TEST_CASE|SCENARIO)"
_RULES = (
    _Rule(re.compile(r"(?:\w+_)?TEST_[FP]|(?:\w+_)?TYPED_TEST(?:_P)?"), 1, 0, arguments=2),
    _Rule(re.compile(r"(?:\w+_)?TEST"), 1, 0, TEST, arguments=2),
    _Rule(re.compile(rf"{_CASE}(?:_SIG|_TEMPLATE(?:_DEFINE)?)?"), 0, kind=TEST, is_text=True),
    _Rule(re.compile(rf"{_CASE}_(?:(?:PERSISTENT_)?FIXTURE|METHOD(?:_SIG)?|CLASS)"), 1, 0, is_text=True),
    _Rule(re.compile(r"(?:DOCTEST_)?TEST_SUITE"), 0, kind="namespace", is_text=True, arguments=1),
    _Rule(re.compile(r"BOOST_(?:AUTO|DATA)_TEST_CASE(?:_TEMPLATE)?"), 0, kind=TEST),
    _Rule(re.compile(r"BOOST_FIXTURE_TEST_CASE"), 0, 1),
    _Rule(re.compile(r"BOOST_FIXTURE_TEST_CASE_TEMPLATE"), 0, 3),
    _Rule(re.compile(r"BOOST_DATA_TEST_CASE_F|BENCHMARK_(?:TEMPLATE\d?_)?(?:DEFINE_|PRIVATE_)?F"), 1, 0),
    _Rule(re.compile(r"(?:ACTION|MATCHER)(?:_P\d*|_TEMPLATE)?"), 0),
    _Rule(re.compile(r"\w+"), 0, arguments=1),
)


def declared_by(head: str) -> Declared | None:
    """Return what a macro declares, given what stands before a body; None for what says no name.

    The last rule: what any macro with one word in its parentheses declares is called so.
    """
    macro = _MACRO.match(head)
    if macro is None:
        return None
    listed = _arguments(head[:_LONGEST], macro.end())
    for rule in _RULES:
        if rule.arguments not in {0, len(listed)} or max(rule.name, rule.container) >= len(listed):
            continue
        if rule.macros.fullmatch(macro[1]) is None:
            continue
        at, written = listed[rule.name]
        name = _text(written) if rule.is_text else _word(written)
        if rule.is_text and rule.kind == TEST and written in {"", '""'}:
            name = _NAMELESS
        container = _type(listed[rule.container][1]) if rule.container >= 0 else ""
        if not name or (rule.container >= 0 and not container):
            continue
        return Declared(name, rule.kind, container, at)
    return None


def add_suites(findings: Findings, page: Page) -> None:
    """Give tests the suite, or the fixture, that begins above them and does not end before them.

    ``BOOST_AUTO_TEST_SUITE(cart)`` … ``BOOST_AUTO_TEST_SUITE_END()``.
    """
    if b"TEST_SUITE" not in page.source:
        return
    tests = sorted((one for one in findings.definitions if _is_free(one)), key=lambda one: one.first)
    opened, at = list[tuple[str, str]](), 0
    marks = list(_SUITE.finditer(page.source)) if tests else []
    for test in tests:
        while at < len(marks) and marks[at].start() < test.first:
            begun, fixed, fixture, said = (part.decode("utf-8", "replace") for part in marks[at].groups(b""))
            if begun or fixed or said:
                opened.append((begun or fixed or _text(said), fixture))
            elif opened:
                opened.pop()
            at += 1
        if opened:
            fixture = next((fixture for _, fixture in reversed(opened) if fixture), "")
            test.container = fixture or ".".join(name for name, _ in opened)
            test.kind = "function" if fixture else TEST


def _is_free(found: Definition) -> bool:
    return found.kind == TEST and not found.container and _SUITED.match(found.signature) is not None


def _arguments(head: str, at: int) -> list[tuple[int, str]]:
    """Return what stands between the commas of the parentheses that open before a letter, with where it begins."""
    found, depth, start = list[tuple[int, str]](), 1, at
    for part in _PART.finditer(head, at):
        sign = part[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        if (sign == "," and depth == 1) or depth == 0:
            written = head[start : part.start()]
            found.append((start + len(written) - len(written.lstrip()), written.strip()))
            start = part.end()
            if depth == 0 or len(found) > _MOST:
                break
    return found


def _word(written: str) -> str:
    return written if _WORD.fullmatch(written) else ""


def _type(written: str) -> str:
    """Return the name of a type, without what holds it and its arguments."""
    found = _TYPE.fullmatch(written)
    return found[1] if found else ""


def _text(written: str) -> str:
    """Return what neighbouring literals say together; what stands behind them decorates the test."""
    if (raw := _RAW.match(written)) is not None:
        return raw[2].strip()
    found = _TEXT.match(written)
    return _ESCAPED.sub(r"\1", "".join(_LITERAL.findall(found[1]))).strip() if found else ""
