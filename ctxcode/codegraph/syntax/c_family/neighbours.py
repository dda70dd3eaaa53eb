"""What tokens of C and C++ tell of their neighbours, and what of them is blanked out."""

import re

from ctxcode.codegraph.syntax.c_family.keywords import PRIMITIVE, TAGS, WORDS
from ctxcode.codegraph.syntax.c_family.tokens import Span, Token, partners

CAPITALS = re.compile(rb"_*[A-Z][A-Z0-9_]+")
_EXPORT = re.compile(rb"[A-Za-z]\w*_(?:API|DLL|DECL|IMPORT|PUBLIC|EXPORTS?|INTERFACE)")
_FIXED = re.compile(rb"u?int(?:8|16|32|64|ptr|max)_t|s?size_t|ptrdiff_t")
"""Types that the grammars take for primitive ones."""
POINTERS = frozenset({b"*", b"&", b"&&"})
_NO_TYPES = frozenset(b"new delete co_await and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq".split())
"""What stands behind ``operator`` where it converts to no type."""
MADE = b"struct {}"
"""Said of the brace that closes a type's parts."""
MOST = 60
"""Tokens of old parameters and their declarations."""
_NOTHING = [b""] * 16
"""A look-up beyond a source's tokens, at either end, has no check of its own: there are millions of them."""


class Neighbours:
    """A source's tokens; every bracket knows its partner."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._texts = [*[token.text for token in tokens], *_NOTHING]
        """What each token says, and nothing a few tokens before the first and behind the last."""
        self._partner = partners(self._texts)
        self.blanked: list[Span] = []

    def _is_bare(self, at: int) -> bool:
        """Whether one name in parentheses stands before others: ``(f)(…)``."""
        return self._partner[at] == at + 2 and self._texts[at + 3] == b"(" and self._tokens[at + 1].kind == "word"

    def _given_type(self, at: int) -> None:
        """Blank a type that a macro is given in a function, ``LIMIT(unsigned long, 3)``: no expression has it."""
        end = at + 1
        while self._texts[end] in PRIMITIVE or (
            self._tokens[end].kind == "word" and _FIXED.fullmatch(self._texts[end])
        ):
            end += 1
        if end == at + 1:
            return
        while self._texts[end] in POINTERS:
            end += 1
        if self._texts[end] == b",":
            self._blank(at + 1, end + 1)
        elif self._texts[end] == b")":
            self._blank(at + 1, end)

    def _is_pointers(self, first: int, names: list[int], at: int) -> bool:
        """Whether a macro stands before a pointer to a function, ``void API (*f)(int)`` or ``void (API *f)(int)``."""
        before, last = self._texts[first - 1], names[-1]
        if not self._is_capital(last) or last + 1 != at:
            return False
        if self._texts[at] == b"(" and self._texts[at + 1] == b"*":
            is_macro = before in PRIMITIVE or before in POINTERS or len(names) > 1
        else:
            text = b"".join(self._texts[row] for row in (at, at + 2, at + 3))
            is_macro = text == b"*)(" and before == b"(" and self._tokens[at + 1].kind == "word"
        if is_macro:
            self._blank(last, at)
        return is_macro

    def _precedes(self, name: int, at: int) -> bool:
        """Whether a macro with parentheses stands between a template's head and a declaration, and is blanked now."""
        end = self._partner[at] + 1 if self._texts[at] == b"(" and self._is_capital(name) else 0
        is_macro = 1 < end < len(self._tokens) and self._tokens[end].kind == "word" and self._texts[end] != b"noexcept"
        if is_macro:
            self._blank(name, end)
        return is_macro

    def _enumerators(self, at: int) -> None:
        """Leave of ``MACRO(NAME, …),`` among enumerators the name, of what stands for several of them nothing."""
        tokens, row, is_first = self._tokens, at + 1, True
        while row < self._partner[at]:
            token, behind = tokens[row], self._behind(row + 1)
            if token.kind != "word" or not is_first:
                is_first = token.kind == "directive" or token.text == b","
                row = max(row + 1, self._partner[row] + 1)
                continue
            is_first = False
            if behind == row + 1:
                # What is said of a name stands behind it: ``NAME DEPRECATED("…") = 3,``.
                if tokens[behind].kind == "word" and self._behind(row + 2) > row + 2:
                    self._blank(behind, self._behind(row + 2))
            elif self._texts[behind] != b",":
                self._blank(row, behind)
                is_first = True
            elif tokens[row + 2].kind == "word":
                self._blank(row, row + 2)
                self._blank(row + 3, behind)
            row = behind

    def _behind(self, at: int) -> int:
        """Return the token behind the parentheses that begin at a token, if some do."""
        return self._partner[at] + 1 if self._texts[at] == b"(" and self._partner[at] else at

    def _ends_type(self, at: int) -> bool:
        """Whether a brace closes what a structure or an enumeration has, so that what is made of it is named behind."""
        opener = self._partner[at]
        return opener > 1 and not TAGS.isdisjoint(self._texts[opener - 2 : opener])

    def _is_called(self, name: int, at: int) -> bool:
        """Whether a statement ends behind a name and parentheses; one word may be a variable: ``HWND WND(1);``."""
        is_said = self._texts[at] == b"(" and self._texts[self._behind(at)] == b";"
        return is_said and b"_" in self._texts[name].strip(b"_")

    def _is_type(self, name: int, at: int) -> bool:
        """Whether a name with arguments for its template is not what is declared: a type, or what makes objects."""
        end = self._closing(at) + 1
        if end == 1 or end >= len(self._tokens):
            return False
        if self._texts[end] == b"::":
            return self._texts[end + 1] in {self._texts[name], b"~"}
        is_name = self._texts[end] not in WORDS or self._texts[end] == b"operator"
        return self._texts[end] in POINTERS or (self._tokens[end].kind == "word" and is_name)

    def _closing(self, at: int) -> int:
        """Return the sign that closes what ``<`` opens; 0 for none that is near."""
        depth, row = 0, at
        while row < min(at + MOST, len(self._tokens)):
            text = self._texts[row]
            depth += (text == b"<") - (text == b">")
            if text in {b";", b"{"}:
                break
            if depth == 0:
                return row
            row = self._partner[row] if text == b"(" and self._partner[row] else row + 1
        return 0

    def _makes_objects(self, name: int) -> bool:
        """Whether a name is that of a constructor outside of its class, which has no type before it: ``A::A``."""
        return self._texts[name - 1] == b"::" and self._texts[name - 2] == self._texts[name]

    def _is_conversion(self, at: int) -> bool:
        """Whether a conversion to a type is named, ``operator int``: nothing of its own stands before it."""
        is_told = self._texts[at] == b"operator" and at + 1 < len(self._tokens)
        return is_told and self._tokens[at + 1].kind == "word" and self._texts[at + 1] not in _NO_TYPES

    def _is_untyped(self, names: list[int], at: int) -> bool:
        """Whether names stand before what has no type, so that all but its class are macros; blanked now.

        ``MACRO A::A(``, ``MACRO A<B>::A(``, ``MACRO A::operator int``, ``MACRO operator int``.
        """
        if self._is_conversion(at):
            self._blank(names[0], at)
            return True
        if self._texts[at] == b"<" and len(names) > 1:
            end = self._closing(at) + 1
            is_made = self._texts[end + 1] == self._texts[names[-1]] and self._texts[end + 2] == b"("
            is_untyped = end > 1 and self._texts[end] == b"::" and (is_made or self._is_conversion(end + 1))
        elif self._texts[at] == b"::":
            is_untyped = self._is_conversion(at + 1)
        else:
            is_untyped = self._texts[at] == b"(" and self._makes_objects(names[-1])
        if not is_untyped or any(self._texts[name - 1] == b"::" for name in names[:-1]):
            return False
        for name in names[:-1]:
            self._blank(name, name + 1)
        return True

    def _is_parameters(self, opener: int) -> bool:
        """Whether parentheses, of which the first is given, can hold a function's parameters."""
        name = self._tokens[opener - 1]
        is_name = name.kind == "word" and name.text not in WORDS and not self._is_capital(opener - 1)
        return is_name and self._texts[opener - 2] not in TAGS

    def _is_pointer(self, at: int) -> bool:
        """Whether a pointer to a function is named in parentheses: ``(*f)(…)``."""
        return b"".join(self._texts[row] for row in (at + 1, at + 3, at + 4)) == b"*)("

    def _unwrap(self, name: int, at: int) -> None:
        """Blank a macro and its own parentheses around a list of parameters: ``f OF((int))``."""
        self._blank(name, at + 1)
        self._blank(self._partner[at], self._partner[at] + 1)

    def _wraps(self, at: int) -> bool:
        """Whether a function and its parameters are all that stands in parentheses: ``UNUSED(static int f(int x))``."""
        opener = self._partner[self._partner[at] - 1]
        if opener - at not in range(3, MOST) or self._tokens[opener - 1].kind != "word":
            return False
        return all(part.kind == "word" or part.text in POINTERS for part in self._tokens[at + 1 : opener])

    def _old_parameters(self, at: int) -> None:
        """Blank the declarations of parameters that stand behind those, up to the body: ``*f(a) int a; { … }``."""
        end = self._partner[at] + 1
        if end == 1 or at + 1 == end - 1 or end >= len(self._tokens) or self._tokens[end].kind != "word":
            return
        for row in range(at + 1, min(end - 1, at + MOST)):
            if self._tokens[row].kind != "word" and self._texts[row] != b",":
                return
        for row in range(end, min(end + MOST, len(self._tokens))):
            if self._texts[row] == b"{":
                if self._texts[row - 1] == b";":
                    self._blank(end, row)
                return
            if self._texts[row] in {b"}", b"="}:
                return

    def _is_name(self, at: int) -> bool:
        return at < len(self._tokens) and self._tokens[at].kind == "word" and self._tokens[at].text != b"operator"

    def _is_export(self, at: int) -> bool:
        """Whether a name says that what follows can be linked to, whatever the case of its letters: ``Net_API``."""
        return _EXPORT.fullmatch(self._texts[at]) is not None

    def _is_capital(self, at: int) -> bool:
        return CAPITALS.fullmatch(self._texts[at]) is not None

    def _blank(self, first: int, behind: int) -> None:
        if behind > first:
            self.blanked.append((self._tokens[first].start, self._tokens[behind - 1].end))
