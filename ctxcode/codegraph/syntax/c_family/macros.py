"""Macros that stand where a grammar expects none: attributes before, behind and between the parts of a declaration."""

from typing import NamedTuple

from ctxcode.codegraph.syntax.c_family.keywords import HEADS, PRIMITIVE, SCOPES, SPECIFIERS, TAGS, WORDS
from ctxcode.codegraph.syntax.c_family.neighbours import MADE, MOST, POINTERS, Neighbours
from ctxcode.codegraph.syntax.c_family.tokens import CLOSING, OPENING, Span, Token

_CONTROL = frozenset({b"if", b"while", b"for", b"switch", b"catch"})
_JOINING = POINTERS | {b"::"}
_BEHIND = frozenset({b";", b",", b")", b"=", b"[", b":", b"{"})
_TRAILED = frozenset({b";", b"{", b"=", b",", b":", b"->"})
_STARTS = frozenset({b";", b"{", b"}", b""})
_ENDS = frozenset({b";", b"}", b"{"})
_BRACES = frozenset({b"{", b"}"})
_TURNS = CLOSING.union(OPENING, {b";", b"="})
"""Signs that begin or end something."""
_SUITES = frozenset({b"TEST_SUITE", b"DOCTEST_TEST_SUITE"})


_MEASURING = b"BENCHMARK"


class MacroFunction(NamedTuple):
    """A function that a macro declares, ``TEST(name) { … }``; bytes."""

    start: int
    name: int
    """The only word in the parentheses, else the macro."""
    name_end: int
    header_end: int
    """Behind the parentheses."""
    end: int


class _Reader(Neighbours):
    """Goes through a source's tokens once; every bracket knows its partner."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self._scopes: list[bytes] = []
        """What opened each bracket that is open: a word of ``SCOPES`` where declarations stand in it."""
        self._is_outside = True
        """Whether declarations stand where it reads."""
        self._head = b""
        self._alone = 0
        """The token behind the last macro that stands alone with its parentheses."""
        self._tagged = 0, b""
        """The token behind the last macro that stands between a type's word and its name, and that word."""
        self._template = 0
        """The sign that closes the last head of a template."""
        self._suite = 0
        """The brace behind the last macro that holds tests."""
        self.functions: list[MacroFunction] = []

    def read(self) -> None:
        """Read to the end."""
        tokens, at = self._tokens, 0
        while at < len(tokens):
            token = tokens[at]
            text = token.text
            if token.kind != "word":
                if text in _TURNS:
                    self._sign(at)
                at += 1
            elif text in WORDS:
                at = self._words(at) if text in SPECIFIERS else self._word(at)
            elif self._is_plain(at):
                self._blank_lone(at)
                at += 1
            else:
                at = self._words(at)

    def _is_plain(self, at: int) -> bool:
        """Whether a name in a function's body or in parentheses stands alone, as most do."""
        if self._is_outside or at + 1 >= len(self._tokens):
            return False
        before, behind = self._tokens[at - 1], self._tokens[at + 1]
        return behind.kind == "sign" and behind.text not in _JOINING and before.kind == "sign" and before.text != b"]"

    def _blank_lone(self, at: int) -> None:
        """Blank a macro that is all of a statement, or stands before a block: ``TRY { … } CATCH_ALL }``."""
        before, behind = self._texts[at - 1], self._texts[at + 1]
        if before not in _ENDS or behind not in _BRACES or not self._is_capital(at):
            return
        end = self._partner[at + 1]
        is_block = behind == b"{" and self._texts[end - 1] in _ENDS and self._texts[end + 1] not in _BEHIND
        if is_block or (behind == b"}" and before != b"{"):
            self._blank(at, at + 1)

    def _word(self, at: int) -> int:
        text = self._tokens[at].text
        if text == b"template" and self._texts[at + 1] == b"<":
            self._template = self._closing(at + 1)
        if text in TAGS or text == b"namespace":
            self._head = self._head if self._head == b"enum" else text
        return at + 1

    def _sign(self, at: int) -> None:
        text = self._tokens[at].text
        if text in OPENING:
            if text == b"(" and self._is_outside:
                self._bare_name(at)
            elif text == b"(" and self._tokens[at - 1].kind == "word" and self._is_capital(at - 1):
                self._given_type(at)
            elif text == b"{" and self._head == b"enum":
                self._enumerators(at)
            head = b"namespace" if at == self._suite else self._head
            self._scopes.append(head if text == b"{" and self._is_outside else b"(")
            self._is_outside = self._scopes[-1] in SCOPES
            if text != b"{":
                return
        elif text in CLOSING:
            if self._scopes:
                self._scopes.pop()
            self._is_outside = not self._scopes or self._scopes[-1] in SCOPES
            if at + 1 < len(self._tokens) and self._tokens[at + 1].kind == "word" and self._texts[at + 1] not in WORDS:
                return
        self._head = b""

    def _bare_name(self, at: int) -> None:
        """Blank the parentheses that keep macros away from a declared name: ``int (f) (int *x);``."""
        before = self._texts[at - 1]
        is_named = at > 0 and self._tokens[at - 1].kind == "word" and before not in WORDS
        if (is_named or before in POINTERS or before in PRIMITIVE) and self._is_bare(at):
            self._blank(at, at + 1)
            self._blank(at + 2, at + 3)

    def _words(self, at: int) -> int:
        """Read names that stand side by side, and return the token behind them."""
        first, names = at, list[int]()
        tokens = self._tokens
        while at < len(tokens) and tokens[at].kind == "word":
            text = tokens[at].text
            if text in SPECIFIERS:
                if names and text in {b"extern", b"typedef"}:
                    break
                if text == b"extern":
                    self._head = self._head or text
                    self._blank(at, at + (self._texts[at + 1] == b"template"))
                at += 1
            elif text in WORDS:
                break
            else:
                names.append(at)
                at += 1
                while self._texts[at] == b"::" and self._is_name(at + 1):
                    names[-1] = at + 1
                    at += 2
        if names:
            self._judge(first, names, at)
        return max(at, first + 1)

    def _judge(self, first: int, names: list[int], at: int) -> None:
        """Decide which of some neighbouring names are macros."""
        before, behind = self._before(first, names, at), self._texts[at]
        if self._is_settled(first, names, at, before):
            return
        tagged = before in TAGS
        if behind in PRIMITIVE or behind in HEADS or behind == b"extern":
            is_type = behind in PRIMITIVE and behind != b"auto"
            is_type = is_type or (behind == b"namespace" and before in _STARTS)
            if not tagged and before not in PRIMITIVE and (is_type or all(map(self._is_capital, names))):
                for name in names:
                    self._blank(name, name + 1)
            return
        allowed = self._allowed(before, behind, tagged=tagged)
        if behind == b"operator":
            allowed = 1
        if behind == b"<":
            is_type = self._is_type(names[-1], at)
            if self._is_capital(names[0]):
                allowed = 1 if tagged or is_type else 2
            elif is_type and self._is_outside:
                allowed = 1
        if allowed is None:
            return
        is_call = not self._is_outside and before in _ENDS and all(map(self._is_capital, names))
        is_bare = behind == b"(" and (self._is_bare(at) or self._is_pointer(at) or self._makes_objects(names[-1]))
        if is_bare or (is_call and self._is_called(names[-1], at)):
            # ``EXPECT_ABORT_BEGIN ASSERT_EQUAL(&a, b);``
            allowed = 1
        self._remove(names, allowed, at, is_typed=allowed < 2)

    def _before(self, first: int, names: list[int], at: int) -> bytes:
        """Return what stands before names; of a template's head nothing, of a type's parts that it is made."""
        before = self._texts[first - 1]
        if first - 1 == self._template:
            return before if self._texts[at] == b"(" and all(map(self._is_capital, names[:-1])) else b""
        if first == self._tagged[0]:
            return self._tagged[1]
        if before == b"]" and self._texts[self._partner[first - 1] - 1] in TAGS:
            return self._texts[self._partner[first - 1] - 1]
        return MADE if before == b"}" and self._ends_type(first - 1) else before

    def _is_settled(self, first: int, names: list[int], at: int, before: bytes) -> bool:
        """Whether names stand where all or none of them are macros, and that is dealt with."""
        if self._is_qualified(first, names, at) or (self._is_outside and self._is_untyped(names, at)):
            return True
        if b"*" in {before, self._texts[names[-1] - 1]} and self._texts[at] == b"(" and self._is_outside:
            self._old_parameters(at)
        if before in {b".", b"->", b"::", b"#", b"operator", b"goto", b"~"}:
            return True
        trails = before in {b")", b"]"} and first != self._alone
        if self._is_numbered(names[-1], at) or (trails and self._trails(first, names, at)):
            return True
        if len(names) == 1 and 0 < self._template == first - 1 and self._precedes(names[0], at):
            return True
        if len(names) == 1 and self._stands_alone(first, names[0], at):
            return True
        return (
            self._are_lines(first, names, at)
            or self._is_pointers(first, names, at)
            or self._is_typed_list(first, names, at)
        )

    def _is_qualified(self, first: int, names: list[int], at: int) -> bool:
        """Whether macros stand before a destructor or an attribute, or a class before a pointer; blanked now."""
        behind, before = self._texts[at], self._texts[first - 1]
        if behind == b"~" and self._is_outside and all(map(self._is_capital, names)):
            self._blank(names[0], at)
        elif behind == b"[" and before in TAGS and self._texts[at + 1] == b"[" and self._is_capital(names[-1]):
            # ``class API [[nodiscard]] Cart {``
            self._blank(first, at)
        elif behind == b"::" and before == b"(" and self._texts[at + 1] == b"*":
            # ``void (Cart::*run)(int)``
            end = self._partner[first - 1]
            if end and self._texts[end + 1] == b"(":
                self._blank(first, at + 1)
        else:
            return False
        return True

    def _are_lines(self, first: int, names: list[int], at: int) -> bool:
        """Whether macros are all that is left of a body: ``UV_HANDLE_FIELDS``, ``UV_STREAM_FIELDS``."""
        is_end = self._texts[at] == b"}" and self._texts[first - 1] in _STARTS and self._is_outside
        if is_end and all(map(self._is_capital, names)):
            self._blank(names[0], at)
            return True
        return False

    def _allowed(self, before: bytes, behind: bytes, *, tagged: bool) -> int | None:
        """Return how many names can stand there side by side."""
        typed = before in PRIMITIVE or before in POINTERS or before in {b">", MADE}
        if behind in POINTERS:
            return 0 if before in PRIMITIVE else 1
        if tagged and behind in {b"{", b":"}:
            return 1
        if behind in _BEHIND or behind == b"(":
            return 1 if typed else 2
        return 2 if behind == b"<" else None

    def _remove(self, names: list[int], allowed: int, at: int, *, is_typed: bool) -> None:
        capital = [name for name in names if self._is_capital(name)]
        while len(names) > max(allowed, 0):
            if not capital or self._is_export(names[0]):
                chosen = names[0]
            elif len(capital) == len(names):
                chosen = names[-2] if len(names) > 1 else names[0]
            else:
                chosen = capital[0] if is_typed and capital[-1] != names[-1] else capital[-1]
            is_last = chosen == names[-1] and chosen + 1 == at
            names.remove(chosen)
            if self._is_capital(chosen):
                capital.remove(chosen)
            self._blank(chosen, self._behind(at) if is_last and names else chosen + 1)

    def _trails(self, first: int, names: list[int], at: int) -> bool:
        """Whether names behind a closed bracket are macros, and blanked now: ``int table[] ALIGNED = …``."""
        opener = self._partner[first - 1]
        end, before = self._behind(at), self._texts[opener - 1]
        capital = all(self._is_capital(name) for name in names)
        if self._texts[at] == b"(" and self._texts[at + 1] == b"(" and self._partner[at] and self._is_outside:
            self._unwrap(names[-1], at)
            return True
        if self._texts[first - 1] == b"]":
            if before in {b"delete", b"operator"} or self._texts[opener + 1] == b"[":
                return False
            if self._texts[end] not in {b"=", b";", b",", b"[", b"{", b":"}:
                return False
        elif len(names) == 1 and self._texts[at] in {b"{", b":"} and self._is_outside and self._is_parameters(opener):
            end = at
        elif not (capital and self._is_outside and self._texts[end] in _TRAILED and before not in _CONTROL):
            return False
        for name in names[:-1]:
            self._blank(name, name + 1)
        self._blank(names[-1], end)
        return True

    def _is_typed_list(self, first: int, names: list[int], at: int) -> bool:
        if self._texts[at] != b"(" or self._texts[at + 1] != b"(" or not self._partner[at]:
            return False
        is_declared = len(names) > 1 or self._texts[first - 1] in PRIMITIVE
        if not is_declared or not self._is_outside or self._partner[self._partner[at] - 1] != at + 1:
            return False
        self._unwrap(names.pop(), at)
        if len(names) > 1:
            self._remove(names, 1 if self._texts[first - 1] in PRIMITIVE else 2, -1, is_typed=False)
        return True

    def _stands_alone(self, first: int, name: int, at: int) -> bool:
        """Whether one name is a macro's call or a macro for a whole line, and that is dealt with."""
        before = self._texts[first - 1]
        if before in {b"public", b"private", b"protected"} and self._texts[at] == b":":
            self._blank(name, name + 1)
            return True
        if before in {b"class", b"struct"} and self._is_capital(name) and self._partner[at] and self._texts[at] == b"(":
            self._blank(name, self._partner[at] + 1)
            self._tagged = self._partner[at] + 1, before
            return True
        is_start = before in _STARTS or self._tokens[first - 1].kind == "directive" or first in {0, self._alone}
        if not self._is_outside or not is_start or first != name:
            return False
        if self._texts[at] != b"(":
            behind = self._texts[at]
            is_end = behind in {b"}", b""} or self._tokens[at].kind == "directive"
            if is_end and self._is_capital(name):
                self._blank(name, name + 1)
            return is_end
        if not self._partner[at]:
            return False
        end = self._partner[at] + 1
        body = self._body(end) if self._is_capital(name) else end
        behind = self._texts[end]
        if self._texts[body] == b"{" and self._partner[body]:
            self._add_function(name, at, body)
        elif not self._is_capital(name):
            return False
        elif behind == b";":
            if not self._scopes or self._scopes[-1] in {b"namespace", b"extern"}:
                # What is measured is referred to: ``BENCHMARK_CAPTURE(sort, small, 10);``.
                is_first_kept = self._texts[name].startswith(_MEASURING) and self._tokens[at + 1].kind == "word"
                self._blank(at + 1 + is_first_kept, end - 1)
        elif behind == b"}" or (end < len(self._tokens) and self._tokens[end].kind in {"word", "directive"}):
            self._blank(name, end)
            self._alone = end
        return True

    def _body(self, end: int) -> int:
        """Return the brace behind a macro, its parameters and other macros, which are blanked; else where it ends."""
        at = self._behind(end)
        while at < len(self._tokens) and self._is_capital(at) and at < end + MOST:
            at += 1
        if self._texts[at] != b"{" or not self._partner[at]:
            return end
        if self._tokens[at - 1].kind == "word":
            self._blank(self._behind(end), at)
        return at

    def _add_function(self, name: int, at: int, brace: int) -> None:
        tokens = self._tokens
        if self._wraps(at):
            self._unwrap(name, at)
            return
        named = tokens[at + 1 if brace == at + 3 and tokens[at + 1].kind == "word" else name]
        if tokens[at + 1].kind == "string":
            # ``TEST_CASE("a name") {``: what is left of it, a block, may stand anywhere.
            self._blank(name, brace)
        end = tokens[self._partner[brace]].end
        self._suite = brace if tokens[name].text in _SUITES else self._suite
        self.functions.append(MacroFunction(tokens[name].start, named.start, named.end, tokens[brace - 1].end, end))

    def _is_numbered(self, name: int, at: int) -> bool:
        """Whether a macro is given numbers before what is declared, ``void printflike(2, 3) f(…)``, and blanked now."""
        end = self._behind(at)
        inside = self._tokens[at + 1 : end - 1] if end > at and self._is_outside else []
        if not inside or any(token.kind != "number" and token.text != b"," for token in inside):
            return False
        if self._tokens[end].kind != "word" and self._texts[end] not in POINTERS:
            return False
        self._blank(name, end)
        return True


def misplaced(tokens: list[Token]) -> tuple[list[Span], list[MacroFunction]]:
    """Return what is to be blanked out, and the functions that macros declare."""
    reader = _Reader(tokens)
    reader.read()
    return reader.blanked, reader.functions
