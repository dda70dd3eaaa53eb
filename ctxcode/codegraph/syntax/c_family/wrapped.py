"""Macros with parentheses, and values of parameters, that the grammars of C and C++ expect nowhere."""

import re
from typing import NamedTuple

from ctxcode.codegraph.syntax.c_family.keywords import HEADS, PRIMITIVE, SPECIFIERS, TAGS, WORDS
from ctxcode.codegraph.syntax.c_family.neighbours import POINTERS, Neighbours
from ctxcode.codegraph.syntax.c_family.tokens import CLOSING, OPENING, Span, Token

_CUDA = re.compile(rb"__(?:device|host|global|forceinline|noinline|shared|constant|managed|grid_constant)__")
_ENDS = frozenset({b",", b")", b">"})
_STARTS = frozenset({b";", b"{", b"}", b""})
_DECLARED = frozenset({b";", b"=", b",", b")", b"[", b"("})
"""What stands behind a declared name."""
_LAMBDA_AHEAD = frozenset({b"(", b",", b"=", b"{", b"return"})
_BEGINNING = frozenset({b"template", b"explicit", b"class", b"struct"})
_AHEAD = POINTERS | {b"("}
"""What stands before a name that may be a macro, though nothing is given to it."""
_TURNS = CLOSING.union(OPENING, {b"="})
_LONGEST_TYPE = 6
"""Tokens."""
_LONGEST_ROW, _IN_ROW = 20, frozenset({b",", b"*", b"(", b")", b"::"})
"""Tokens of a macro that stands for a type and has several arguments, and those of them that are no words."""
_ROW = 3
"""Attributes that stand side by side, at most."""


class _Wrapped(Neighbours):
    """Goes through a source's tokens once."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self._around: list[int] = []
        """The brackets that are open."""
        self._body = 0
        """Behind it no function's body is open."""
        self._classes: set[bytes] = set()
        """Their names, of those that were met."""
        self.begun: set[int] = set()
        """Where macros begin that are given a type."""

    def read(self) -> None:
        """Read to the end."""
        texts = self._texts
        for at, (kind, text, _, _) in enumerate(self._tokens):
            if kind == "word":
                if text in WORDS:
                    if text in _BEGINNING:
                        self._beginning(at)
                elif texts[at + 1] == b"(" or texts[at - 1] in _AHEAD or text[:2] == b"__":
                    # Most names stand alone in an expression.
                    self._name(at)
            elif text in _TURNS:
                self._sign(at)

    def _beginning(self, at: int) -> None:
        text = self._texts[at]
        if text == b"template":
            self._template(at)
        elif text == b"explicit":
            self._explicit(at)
        else:
            named = at + 1 + self._is_macro(at + 1)
            self._classes.add(self._texts[named])

    def _name(self, at: int) -> None:
        text, before = self._texts[at], self._texts[at - 1]
        if text[:2] == b"__" and _CUDA.fullmatch(text):
            self._blank(at, at + 1)
        elif before == b"]" and self._texts[at + 1] == b"(" and self._is_lambda(at - 1):
            # ``[=] DEVICE(int row) { … }``
            self._blank(at, at + 1)
        elif self._partner[at + 1] and self._texts[at + 1] == b"(":
            if text in self._classes and at > self._body and self._is_macro(at - 1):
                # ``API Cart(int a) {}``
                self._blank(at - 1, at)
            else:
                self._called(at)
        elif before == b"(":
            self._in_parentheses(at)
        elif before in POINTERS and self._texts[at + 1] == b">" and self._is_capital(at):
            # ``static_cast<int * RESTRICT>(a)``
            self._blank(at, at + 1)

    def _sign(self, at: int) -> None:
        text = self._texts[at]
        if text in {b"(", b"[", b"{"}:
            self._around.append(at)
            if text == b"{" and at > self._body and self._is_body(at):
                self._body = self._partner[at]
        elif text in {b")", b"]", b"}"}:
            if self._around:
                self._around.pop()
            if text == b")":
                self._behind_parameters(at)
        elif text == b"=":
            self._default(at)

    def _is_body(self, at: int) -> bool:
        """Whether a function's statements begin there, and not a type's or a namespace's parts."""
        before = self._tokens[at - 1]
        return bool(self._partner[at]) and (before.text == b")" or before.text in SPECIFIERS)

    def _is_lambda(self, closing: int) -> bool:
        """Whether a square bracket closes what a function without a name takes from around it."""
        opener = self._partner[closing]
        return bool(opener) and self._texts[opener - 1] in _LAMBDA_AHEAD

    def _behind_parameters(self, at: int) -> None:
        """Blank attributes of a function without a name: ``[&](int a) ATTRIBUTE mutable {``."""
        opener, end = self._partner[at], at + 1
        if not opener or self._texts[opener - 1] != b"]" or not self._is_lambda(opener - 1):
            return
        first = end
        while end < first + _ROW and self._tokens[end].kind == "word" and self._texts[end] not in WORDS:
            end = self._behind(end + 1)
        if end > first and self._texts[end] in {b"{", b"->", b"mutable", b"noexcept"}:
            self._blank(first, end)

    def _default(self, at: int) -> None:
        """Blank a parameter's value in braces, and one of a pointer without a name: ``(A a = {}, B * = nullptr)``."""
        behind = self._texts[at + 1]
        if behind == b"{":
            end = self._partner[at + 1] + 1
            is_default = self._around and self._texts[self._around[-1]] == b"(" and self._tokens[at - 1].kind == "word"
        else:
            end, before = at + 2, self._tokens[at - 1]
            is_default = before.text in POINTERS and before.end < self._tokens[at].start
        if is_default and end > 1 and self._texts[end] in _ENDS:
            self._blank(at, end)

    def _template(self, at: int) -> None:
        """Blank what macros among a template's parameters are given, and ``template`` where there are none."""
        behind = self._texts[at + 1]
        if behind in TAGS:
            self._blank(at, at + 1)
        end = self._closing(at + 1) if behind == b"<" else 0
        for row in range(at + 2, end):
            named = self._tokens[row - 1]
            is_first = named.kind == "word" and named.text not in WORDS and self._texts[row - 2] in {b",", b"<"}
            if is_first and self._texts[row] == b"(" and self._texts[self._behind(row)] in _ENDS:
                self._blank(row, self._behind(row))

    def _explicit(self, at: int) -> None:
        """Blank macros before and behind ``explicit``: ``API explicit Cart(int a);``."""
        if self._is_macro(at - 1):
            self._blank(at - 1, at)
        if self._is_macro(at + 1) and self._tokens[at + 2].kind == "word":
            self._blank(at + 1, at + 2)

    def _is_macro(self, at: int) -> bool:
        return at > 0 and self._tokens[at].kind == "word" and self._is_capital(at)

    def _in_parentheses(self, at: int) -> None:
        """Blank a macro in the parentheses around a declared name: ``int (API f)(void)``, ``(API *f)(void)``."""
        closing = self._partner[at - 1]
        if at > self._body and self._texts[closing + 1] == b"(" and self._is_capital(at):
            inside = [token.kind for token in self._tokens[at + 1 : min(closing, at + _ROW + 1)]]
            if inside == ["word"] or (inside == ["sign", "word"] and self._texts[at + 1] == b"*"):
                self._blank(at, at + 1)

    def _called(self, at: int) -> None:
        """Read a name with parentheses that may stand for a type or for a name."""
        before, closing, is_outside = self._texts[at - 1], self._partner[at + 1], at > self._body
        inside, behind = self._tokens[at + 2 : min(closing, at + _LONGEST_TYPE + 3)], closing + 1
        if self._texts[behind] == b";" and before in {b"class", b"struct"} and self._is_capital(at):
            self._blank(at - 1, behind)
        elif self._texts[at + 2] == b"{" and self._partner[at + 2] == closing - 1:
            # ``{1, TABLE({{0, 1}})}``
            if is_outside and self._is_item(at) and self._is_capital(at):
                self._unwrap(at, at + 1)
        elif before == b"." and self._is_item(at - 1) and self._texts[behind] == b"=" and len(inside) == 1:
            # ``{.PRIVATE(size) = 1}``
            self._unwrap(at, at + 1)
        elif is_outside and self._texts[behind] == b"(" and len(inside) == 1 and inside[0].kind == "word":
            # ``int API PREFIX(open)(int a);``
            is_typed = self._tokens[at - 1].kind == "word" and before not in HEADS
            if self._is_capital(at) and (is_typed or before in POINTERS):
                self._unwrap(at, at + 1)
        elif self._is_type_of(inside):
            self._wrapped_type(at, behind, inside)
        elif is_outside and not self._is_capital(at) and self._returns(at, closing):
            self._blank(at + 1, behind)

    def _is_item(self, at: int) -> bool:
        """Whether one of some values begins there."""
        return self._texts[at - 1] in {b",", b"{"} or self._tokens[at - 1].kind == "directive"

    def _is_type_of(self, inside: list[Token]) -> bool:
        """Whether a type's name may be what stands in parentheses."""
        return 0 < len(inside) <= _LONGEST_TYPE and all(
            token.text in {b"*", b"::"}
            or (token.kind == "word" and (token.text not in WORDS or token.text in PRIMITIVE | TAGS | SPECIFIERS))
            for token in inside
        )

    def _returns(self, at: int, closing: int) -> bool:
        """Whether a macro with several arguments is what a function gives: ``ArrayOf(Integer, 2) size(Window win)``."""
        is_start = self._texts[at - 1] in _STARTS or self._tokens[at - 1].kind == "directive"
        name = closing + 1
        is_named = self._tokens[name].kind == "word" and self._texts[name] not in WORDS
        if not is_start or not is_named or self._texts[name + 1] != b"(" or self._is_capital(name):
            return False
        # Behind macros that stand one below the other a declaration begins.
        behind = self._partner[name + 1] + 1
        if self._texts[behind] not in {b"{", b";"} and not self._is_macro(behind):
            return False
        return closing - at <= _LONGEST_ROW and all(
            token.kind in {"word", "number"} or token.text in _IN_ROW for token in self._tokens[at + 2 : closing]
        )

    def _wrapped_type(self, at: int, behind: int, inside: list[Token]) -> None:
        """Leave of a macro that stands for a type its name, or the type where it is all that stands before a function.

        ``const STACK_OF(A) *list``, ``(STACK_OF(A) *)list``, ``list_head(A) all;``, ``EXTERN(struct a *) open(int b)``.
        """
        tokens, before, is_outside = self._tokens, self._texts[at - 1], at > self._body
        end = behind
        while self._texts[end] == b"*":
            end += 1
        is_start = before in _STARTS or tokens[at - 1].kind == "directive"
        is_named = tokens[end].kind == "word" and self._texts[end] not in WORDS
        if end > behind:
            is_first = is_start or before in SPECIFIERS or (is_outside and before in {b"(", b","})
            is_declared = is_first and is_named and self._texts[end + 1] in _DECLARED
            if is_declared or self._texts[end] in _ENDS:
                self._blank(at + 1, behind)
        elif is_outside and is_named and before in {b"(", b","} and self._texts[end + 1] in {b",", b")"}:
            self._blank(at + 1, behind)
        elif is_outside and is_named and (is_start or before in SPECIFIERS):
            is_type = inside[-1].text == b"*" or inside[0].text in PRIMITIVE | TAGS or len(inside) == 1
            if self._texts[end + 1] == b"(" and self._is_capital(at) and is_type and not self._is_capital(end):
                self._unwrap(at, at + 1)
                self.begun.add(tokens[at].start)
            elif self._texts[end + 1] in {b";", b"=", b"["}:
                self._blank(at + 1, behind)


class Unwrapped(NamedTuple):
    """What is left of tokens, and what is to be blanked out."""

    left: list[Token]
    blanked: list[Span]
    begun: set[int]
    """Where macros begin that are given the type of a function; bytes."""


def unwrapped(tokens: list[Token]) -> Unwrapped:
    """Take out macros with parentheses where no expression stands, and values of parameters that confuse."""
    reader = _Wrapped(tokens)
    reader.read()
    if not reader.blanked:
        return Unwrapped(tokens, [], set())
    left, row = list[Token](), 0
    blanked = sorted(reader.blanked)
    for token in tokens:
        while row < len(blanked) and blanked[row][1] <= token.start:
            row += 1
        if row == len(blanked) or token.start < blanked[row][0] or token.start == token.end:
            left.append(token)
    return Unwrapped(left, blanked, reader.begun)
