"""What files of declarations in braces hold: Protocol Buffers, GraphQL, Terraform. And what a makefile makes."""

import re
from bisect import bisect_left
from typing import NamedTuple

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.reading import MOST_ENTRIES, Span, comment_above, entry, is_in

_STRING = rb"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?"


class _Form(NamedTuple):
    """How a language declares things."""

    head: re.Pattern[bytes]
    """From the start of a line; groups are the keyword and the name, or two names of which the last is it."""
    token: re.Pattern[bytes]
    """Comments, texts, braces and what ends a declaration."""
    kinds: dict[bytes, str]
    ends_at: bytes
    """What ends a declaration that has no braces."""


_PROTO = _Form(
    re.compile(rb"^[ \t]*(message|enum|service|rpc|extend)[ \t]+([\w.]+)", re.MULTILINE),
    re.compile(rb"//[^\n]*+|/\*.*?(?:\*/|\Z)|" + _STRING + rb"|[{};]", re.DOTALL),
    {b"message": "struct", b"enum": "enum", b"service": "interface", b"rpc": "method", b"extend": "extension"},
    b";",
)
_GRAPHQL = _Form(
    re.compile(
        rb"^[ \t]*(?:extend[ \t]+)?"
        rb"(type|interface|input|enum|union|scalar|directive|query|mutation|subscription|fragment)[ \t]+@?(\w+)",
        re.MULTILINE,
    ),
    re.compile(rb"#[^\n]*+|\"\"\".*?(?:\"\"\"|\Z)|\"(?:[^\"\\\n]|\\.)*+\"?|[{}\n]", re.DOTALL),
    {
        b"type": "struct", b"interface": "interface", b"input": "struct", b"enum": "enum", b"union": "type",
        b"scalar": "type", b"directive": "function", b"query": "function", b"mutation": "function",
        b"subscription": "function", b"fragment": "function",
    },
    b"\n",
)  # fmt: skip
_TERRAFORM = _Form(
    re.compile(
        rb"^(resource|data|module|variable|output|provider|locals|terraform|moved|check)\b"
        rb"(?:[ \t]+\"?([\w./-]+)\"?)?(?:[ \t]+\"?([\w./-]+)\"?)?[ \t]*(?=\{)",
        re.MULTILINE,
    ),
    re.compile(rb"#[^\n]*+|//[^\n]*+|/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*+\"?|[{}]", re.DOTALL),
    {b"resource": "struct", b"data": "struct", b"module": "namespace", b"variable": "variable", b"output": "variable"},
    b"",
)
_WORDS_OF_GRAPHQL = frozenset({b"union", b"scalar", b"directive"})
"""What has no braces in GraphQL."""
_CONTINUED = re.compile(rb"[^\n]*+(?:\n(?:[ \t]+[^\s#]|[|)])[^\n]*+)*+")
"""The rest of a line with those that go on with it."""
_RULE = re.compile(rb"^([A-Za-z0-9_./%$(){}-]+(?:[ \t]+[A-Za-z0-9_./%$(){}-]+){0,20})[ \t]*::?(?![=:])", re.MULTILINE)
_DEFINED = re.compile(rb"^define[ \t]+([\w./-]+)", re.MULTILINE)
_END_DEFINED = re.compile(rb"^endef\b[^\n]*+", re.MULTILINE)
_RECIPE_END = re.compile(rb"^(?![\t#\n]|[ \t]*$|(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b)", re.MULTILINE)


def proto(page: Page) -> Findings:
    """Return the messages, enums, services and their calls that a file of Protocol Buffers declares."""
    return _declared(page, _PROTO)


def graphql(page: Page) -> Findings:
    """Return the types of a schema, and the operations and fragments of a document."""
    return _declared(page, _GRAPHQL)


def terraform(page: Page) -> Findings:
    """Return the resources, data, modules, variables and outputs of a file."""
    return _declared(page, _TERRAFORM)


def makefile(page: Page) -> Findings:
    """Return the targets of a makefile, but for those that are patterns or named by variables, and what it defines."""
    source, findings = page.source, Findings()
    comments = {page.trimmed(*match.span()): match.span() for match in re.finditer(rb"^#[^\n]*+", source, re.MULTILINE)}
    defined = _END_DEFINED.finditer(source)
    for match in _DEFINED.finditer(source):
        end = next((one.end() for one in defined if one.start() > match.end()), len(source))
        findings.definitions.append(entry(page, match[1].decode(), "function", (match.start(), end), match.start(1)))
        if len(findings.definitions) >= MOST_ENTRIES:
            break
    for match in _RULE.finditer(source):
        if len(findings.definitions) >= MOST_ENTRIES:
            break
        names = [name for name in match[1].split() if b"%" not in name and b"$" not in name and name[:1] != b"."]
        line_end = page.line_end(match.start())
        stop = _RECIPE_END.search(source, line_end + 1) if line_end < len(source) else None
        end = len(source[: stop.start() if stop is not None else len(source)].rstrip())
        if names and match[1].count(b" ") == len(match[1].split()) - 1:
            at = match.start(1) + match[1].find(names[0])
            found = entry(page, names[0].decode(), "function", (match.start(), max(end, line_end)), at)
            found.doc = comment_above(page, match.start(), comments)
            findings.definitions.append(found)
    return findings


def _declared(page: Page, form: _Form) -> Findings:
    source, findings = page.source, Findings()
    comments = dict[int, Span]()
    ends, closing = list[tuple[int, int]](), dict[int, int]()
    opened = list[int]()
    blanks = list[Span]()
    for token in form.token.finditer(source):
        text = token[0]
        if text == b"{":
            opened.append(token.start())
            ends.append((token.start(), 1))
        elif text == b"}":
            if opened:
                closing[opened.pop()] = token.end()
            ends.append((token.start(), 0))
        elif text == form.ends_at:
            ends.append((token.start(), 0))
        else:
            blanks.append(token.span())
            if text[:1] not in b"\"'" or text[:3] == b'"""':
                comments[page.trimmed(*token.span())] = token.span()
    heads = [match for match in form.head.finditer(source) if not is_in(blanks, match.start(1))]
    for match, following in zip(heads[:MOST_ENTRIES], [*heads[1:], None], strict=False):
        word = match[1]
        name = match[match.lastindex or 1]
        at = match.start(match.lastindex or 1)
        limit = following.start() if following is not None else len(source)
        end = _end_of(match, ends, closing, limit)
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        kind = form.kinds.get(word, "constant")
        found = entry(page, name.decode("utf-8", "replace").rpartition(".")[2] or word.decode(), kind, (start, end), at)
        found.doc = comment_above(page, start, comments)
        findings.definitions.append(found)
    return findings


def _end_of(match: re.Match[bytes], ends: list[tuple[int, int]], closing: dict[int, int], limit: int) -> int:
    """Return where a declaration ends: behind its braces, or where it is over without any.

    None that stand behind the ``limit``, where the next one begins, are its own.
    """
    source = match.string
    row = bisect_left(ends, (match.end(), 0)) if match[1] not in _WORDS_OF_GRAPHQL else len(ends)
    while row < len(ends) and ends[row][0] < limit:
        at, is_open = ends[row]
        if is_open:
            return closing.get(at, len(source))
        if source[at : at + 1] in b";}":
            return at + (source[at : at + 1] == b";")
        row += 1
    continued = _CONTINUED.match(source, match.end())
    return continued.end() if continued is not None else limit
