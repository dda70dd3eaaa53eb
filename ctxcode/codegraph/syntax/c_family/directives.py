"""Conditions of the preprocessor that the grammars can't read: most cut a statement, a list or brackets in two."""

import re
from typing import NamedTuple

from ctxcode.codegraph.syntax.c_family.tokens import Span, Token

_WORD = re.compile(rb"#\s*([a-z]+)")
_COMMENT = re.compile(rb"/\*(?s:.*?)(?:\*/|\Z)")
_CLOSING = {b")": b"(", b"]": b"[", b"}": b"{"}
_TURNS = frozenset({b"(", b")", b"[", b"]", b"{", b"}", b";"})
_VALUE_AHEAD = frozenset({b"=", b",", b"(", b"[", b"return"})
_ENDS = frozenset({b";", b"}", b"{", b":", b""})
_BEGINS = frozenset({b"{", b"}", b"*", b"(", b"~", b"[", b"::", b";"})
_SEVERAL = 2
_LONGEST_HEAD = 200
_LABELLED = 3
"""Tokens: what stands before a label, the label and a colon."""
_STARTS = frozenset({b";", b"{", b"}"})
_LABELS = frozenset({b"default", b"public", b"private", b"protected"})
_DONE = frozenset({b";", b"}", b":", b""})
_REST = rb"[ \t]*+(?:/\*[^*\n]*+\*/[ \t]*+)?+(?://[^\n]*+)?+\r?\n\s*+"
"""Behind what stands on a line, with all up to the next one that is not empty."""
_ASKED = rb"(?:ifdef[ \t]++__cplusplus|if[ \t]++defined[ \t]*+\(?+[ \t]*+__cplusplus[ \t]*+\)?+)"
_IF_CPP = rb"^[ \t]*+\#[ \t]*+" + _ASKED + _REST
_END = rb"\#[ \t]*+endif\b[ \t\w]*+(?:/\*[^*\n]*+\*/[ \t]*+|//[^\n]*+)?+(?=\r?\n|\Z)"
_OPENED = re.compile(_IF_CPP + rb'extern[ \t]++"C"\s*+\{' + _REST + _END, re.MULTILINE)
_CLOSED = re.compile(_IF_CPP + rb"\}[ \t]*+;?+" + _REST + _END, re.MULTILINE)
_HAS_INCLUDE = re.compile(rb"""(\b__has_include(?:_next)?+)([ \t]*+\([ \t]*+(?:<[^<>"\n]*+>|"[^<>"\n]*+")[ \t]*+\))""")
_BLANK = re.compile(rb"[^\n]")


class Bracket(NamedTuple):
    """An open bracket and those around it."""

    text: bytes
    around: "Bracket | None"
    is_list: bool
    """Whether what stands in it are items: parentheses, indices, initialisers, enumerators."""


_OUTER = Bracket(b"", None, is_list=False)


class _Branch(NamedTuple):
    first: int
    """Its tokens: from the directive above it …"""
    end: int
    """… to the one below it."""
    open: Bracket | None
    last: bytes
    """Its last token; empty for none."""


class Head(NamedTuple):
    """The head of a function that goes by another name elsewhere; bytes."""

    start: int
    name: int
    name_end: int
    end: int


class _Group:
    """``#if`` with all up to ``#endif``."""

    def __init__(self, at: int, opened: Bracket | None, before: bytes, *, is_cpp: bool) -> None:
        self.first = at
        self.open = opened
        self.before = before
        self.is_cpp = is_cpp
        self.branches: list[_Branch] = []


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._open: Bracket | None = None
        self._before = b""
        self._is_enum = False
        self._groups: list[_Group] = []
        self._begun: list[int] = []
        self.blanked: list[Span] = []
        self.dropped: list[tuple[int, int]] = []
        """Ranges of tokens."""
        self.heads = list[Head]()

    def read(self) -> None:
        for at, token in enumerate(self._tokens):
            if token.kind == "directive":
                self._directive(at, token)
                continue
            text = token.text
            if text in _TURNS:
                self._sign(text)
            elif text == b"enum":
                self._is_enum = True
            self._before = text

    def _sign(self, text: bytes) -> None:
        if text in _CLOSING:
            if self._open is not None:
                self._open = self._open.around
            elif self._groups and self._groups[-1].is_cpp:
                # What opens it stood in another condition that is not taken.
                self._open = _OUTER
        elif text in {b"(", b"[", b"{"}:
            around = self._open
            is_value = self._before in _VALUE_AHEAD or (self._before == b"{" and around is not None and around.is_list)
            self._open = Bracket(text, around, text != b"{" or is_value or self._is_enum)
        if text in {b"{", b"}", b";", b"("}:
            self._is_enum = False

    def _directive(self, at: int, token: Token) -> None:
        found = _WORD.match(token.text)
        word = found[1] if found else b""
        if self._before == b":":
            self._blank_label(at)
        if word in {b"if", b"ifdef", b"ifndef"}:
            is_cpp = b"__cplusplus" in token.text and word != b"ifndef"
            self._groups.append(_Group(at, self._open, self._before, is_cpp=is_cpp))
            self._begin(at)
        elif word in {b"else", b"elif", b"elifdef", b"elifndef"} and self._groups:
            self._end_branch(at)
            self._open = self._groups[-1].open
            self._begin(at)
        elif word == b"endif" and self._groups:
            self._end_branch(at)
            self._begun.pop()
            self._settle(self._groups.pop(), at)
        elif self._open is not None and self._open.is_list:
            self.blanked.append((token.start, token.end))
        elif b"\n" in token.text:
            self.blanked.extend(
                (token.start + found.start(), token.start + found.end()) for found in _COMMENT.finditer(token.text)
            )

    def _blank_label(self, at: int) -> None:
        """Blank the label above a directive: what it labels has to follow it."""
        if at < _LABELLED or self._open is None or self._open.is_list:
            return
        before, label, colon = self._tokens[at - 3 : at]
        is_first = before.kind == "directive" or before.text in _STARTS
        if is_first and label.kind == "word" and label.text not in _LABELS:
            self.blanked.append((label.start, colon.end))

    def _begin(self, at: int) -> None:
        if len(self._begun) == len(self._groups):
            self._begun.pop()
        self._begun.append(at)
        self._before = b""

    def _end_branch(self, at: int) -> None:
        self._groups[-1].branches.append(_Branch(self._begun[-1], at, self._open, self._before))

    def _settle(self, group: _Group, at: int) -> None:
        branches = group.branches
        kept = self._kept(group)
        heads = self._heads(group, at) if kept else []
        if heads:
            # What stands above the head that stays is outside of the function.
            kept = [branches[-1]]
            self.heads += heads[:-1]
        if kept is None:
            self._open = group.open
            self._before = next((branch.last for branch in reversed(branches) if branch.last), group.before)
            return
        for branch in branches:
            if branch not in kept:
                self.dropped.append((branch.first, branch.end))
        for row in (*(branch.first for branch in branches), at):
            self.blanked.append((self._tokens[row].start, self._tokens[row].end))
        last = kept[-1] if kept else None
        self._open = last.open if last else group.open
        self._before = (last.last if last else b"") or group.before

    def _heads(self, group: _Group, at: int) -> list[Head]:
        """Return the heads of a function that goes by another name in each branch; none for anything else.

        Where its name is ``main`` in one but the last that is the one that counts.
        """
        if group.open is not None or len(group.branches) < _SEVERAL or self._tokens[at + 1].text != b"{":
            return []
        heads = [self._head(branch) for branch in group.branches]
        names = [self._tokens[name].text for _, name, _ in filter(None, heads)]
        if len(set(names)) < len(heads) or b"main" in names[:-1]:
            return []
        tokens = self._tokens
        return [
            Head(tokens[first].start, tokens[name].start, tokens[name].end, tokens[last].end)
            for first, name, last in filter(None, heads)
        ]

    def _head(self, branch: _Branch) -> tuple[int, int, int] | None:
        """Return the first token, the name and the last one of a function's head that is all of a branch."""
        first, last, depth = branch.first + 1, branch.end - 1, 0
        if branch.last != b")" or branch.open is not None or last - first > _LONGEST_HEAD:
            return None
        for row in range(last, first, -1):
            text = self._tokens[row].text
            depth += (text == b")") - (text == b"(")
            if not depth:
                name = row - 1
                is_named = (
                    name > first and self._tokens[name].kind == "word" and self._tokens[name - 1].text not in _STARTS
                )
                return (first, name, last) if is_named else None
            if text in _STARTS or self._tokens[row].kind == "directive":
                break
        return None

    def _kept(self, group: _Group) -> list[_Branch] | None:
        """Return the branches that stay, without their directives; None when all stays as it is."""
        branches, opened = group.branches, group.open
        is_balanced = all(branch.open is opened for branch in branches)
        if group.is_cpp and not (is_balanced and all(branch.last in _DONE for branch in branches)):
            return branches[1:2]
        is_list = opened is not None and opened.is_list
        is_done = is_balanced and all(branch.last in _DONE and not self._goes_on(branch) for branch in branches)
        if is_done and not is_list and (group.before in _ENDS or (opened is None and group.before == b")")):
            return None
        if is_balanced and (len(branches) == 1 or all(branch.last in {b",", b""} for branch in branches)):
            return branches
        return next(([branch] for branch in branches if branch.last), branches[:1])

    def _goes_on(self, branch: _Branch) -> bool:
        """Whether a branch begins in the midst of a statement."""
        if branch.first + 1 >= branch.end:
            return False
        first = self._tokens[branch.first + 1]
        return first.text == b"else" or (first.kind == "sign" and first.text not in _BEGINS)


def cut_apart(tokens: list[Token]) -> tuple[list[Token], list[Span], list[Head]]:
    """Return the tokens that are left, what is to be blanked out, and heads of functions among that."""
    reader = _Reader(tokens)
    reader.read()
    blanked, left, end = reader.blanked, list[Token](), 0
    ranges = sorted(reader.dropped)
    for first, behind in ranges:
        if behind > end:
            start = max(first, end)
            left.extend(tokens[end:start])
            blanked.append((tokens[start].start, tokens[behind].start))
            end = behind
    left.extend(tokens[end:])
    return left, blanked, reader.heads


def without_conditions(data: bytes) -> bytes:
    """Return a source with the same bytes in the same places without what only asks about the compiler.

    That are ``#ifdef __cplusplus`` with no more than ``extern "C" {`` or its end in it, which cut all that stands
    between them in two, and the names of files for ``__has_include``.
    """
    if b"__cplusplus" in data and len(_OPENED.findall(data)) == len(_CLOSED.findall(data)):
        data = _CLOSED.sub(_blanked, _OPENED.sub(_blanked, data))
    if b"__has_include" in data:
        data = _HAS_INCLUDE.sub(lambda found: found[1] + b" " * len(found[2]), data)
    return data


def _blanked(found: re.Match[bytes]) -> bytes:
    return _BLANK.sub(b" ", found[0])
