"""What files call whose languages have no grammar here: the ways of saying it that they share."""

import re
from collections.abc import Iterable, Iterator, Sequence

from ctxcode.codegraph.extract.findings import Definition
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.outline.reading import END, Span

_LINK = rb"(?:\.|::|->|:|\?\.|!\.)"
STYLES = {
    # total(x)  cart.total(x)  Shop::Cart->new(x)
    "brackets": re.compile(
        rb"(?<![\w$@.:>-])(?:([$@]?\w+(?:" + _LINK + rb"\w+){0,8})" + _LINK + rb")?+([A-Za-z_]\w*+[!?]?)(?=\()"
    ),
    # total x  Cart.total x
    "words": re.compile(rb"(?<![\w.'~?])(?:([A-Z]\w*+(?:\.[A-Z]\w*+){0,8}+)\.)?+([a-z_][\w']*+)(?![ \t]*+:(?!:))"),
    # (total x)  (cart/total x)  #'total
    "lists": re.compile(rb"(?:\(|#')(?:([\w.*+!?<>=-]++)/)?+([^\s()\[\]{}\"';`,/]++)"),
    # total $x  [total $x]
    "commands": re.compile(
        rb"(?:^|[\[{;|(&])[ \t]*+(?:((?:::)?\w+(?:::\w+){0,8})::)?+([A-Za-z_][\w-]*+)", re.MULTILINE
    ),
    # total x  if total; then total  A=b total
    "shell": re.compile(
        rb"(?:^|[{;|(&`])[ \t]*+"
        rb"(?:(?:if|then|elif|else|while|until|do|time|eval|exec|command|!|\w++=[\w./$-]*+)[ \t]++){0,3}+"
        rb"()([A-Za-z_][\w:.+@-]*+)(?![\w:.+@=-])",
        re.MULTILINE,
    ),
    # [cart total]  total(x)
    "messages": re.compile(rb"\[[ \t]*+(?:(\w++)[ \t]++)(\w++)|(?<![\w.>])(\w++)(?=\()"),
    # call total
    "jumps": re.compile(
        rb"^[ \t]++(?:call[lq]?|bl[rx]?|jal|jmp|jsr|b|CALL)[ \t]++()([A-Za-z_.$][\w.$@]*+)", re.MULTILINE
    ),
}
"""By name; the groups are what a name is asked of, and the name."""
_LEFT = re.compile(rb"^([^\n]{0,400}?)(?:(?<![=<>/!:|&+*-])=(?![=>])|->|<-)", re.MULTILINE)
"""What is given or matched on a line stands left of its first sign."""
_MOST_BYTES = 20_000
_TYPES = frozenset({"type", "struct", "enum"})
_WORD = re.compile(rb"[^\W\d][\w']*")

Call = tuple[int, str, str]
"""(a byte of the name, name, what it is asked of)."""


def calls_in(
    page: Page, style: str, definitions: Sequence[Definition], apart: Iterable[Sequence[Span]]
) -> Iterator[Call]:
    """Yield what a source calls, but for names that are being defined, and what stands ``apart``: comments, texts.

    Where every word may be a call, what is taken or given in a definition is none of others. ``definitions`` are in
    order of place, and so are the parts of each kind that stand ``apart``, which do not overlap.
    """
    headers = {definition.header for definition in definitions}
    around = _Around(page, definitions) if style == "words" else None
    passed = [_Passed(spans) for spans in apart]
    for match in STYLES[style].finditer(page.source):
        group = match.lastindex or 2
        at = match.start(group)
        if at in headers:
            continue
        for spans in passed:
            if at >= spans.next_start:
                spans.go_to(at)
            if at < spans.end:
                break
        else:
            name = match[group]
            if around is None or not around.takes(at, name):
                asked = match[1] if group == 2 else None
                yield at, name.decode("utf-8", "replace"), asked.decode("utf-8", "replace") if asked else ""


class _Passed:
    """Parts of a source of which the last that begins before a byte is known; bytes are asked about in order."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._row = 0
        self.end = -1
        """Of the last one."""
        self.next_start = spans[0][0] if spans else END

    def go_to(self, at: int) -> None:
        spans, row = self._spans, self._row
        while row < len(spans) and spans[row][0] <= at:
            row += 1
        self._row, self.end = row, spans[row - 1][1]
        self.next_start = spans[row][0] if row < len(spans) else END


class _Around:
    """The definitions around each byte, asked for in order."""

    def __init__(self, page: Page, definitions: Sequence[Definition]) -> None:
        self._waiting = sorted(definitions, key=lambda each: each.first, reverse=True)
        self._open = list[tuple[int, frozenset[bytes], str]]()
        self._source = page.source

    def takes(self, at: int, name: bytes) -> bool:
        """Whether a name stands left of a sign in a definition around a byte, so that it is taken or given there.

        Where the innermost one is a type, names are those of types.
        """
        while self._waiting and self._waiting[-1].first <= at:
            one = self._waiting.pop()
            end = min(one.end, one.first + _MOST_BYTES)
            lefts = b" ".join([left[1] for left in _LEFT.finditer(self._source, one.first, end)])
            words = frozenset(_WORD.findall(lefts)) - {one.name.encode()}
            self._open.append((one.end, words, one.kind))
        while self._open and self._open[-1][0] <= at:
            self._open.pop()
        if self._open and self._open[-1][2] in _TYPES:
            return True
        for _, words, _ in self._open[-4:]:  # noqa: SIM110 - asked for every word of a source
            if name in words:
                return True
        return False
