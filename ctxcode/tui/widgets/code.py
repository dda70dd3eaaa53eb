"""Source code as lines of styled text, coloured by the theme's syntax roles."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from textual.content import Content, Span

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_LINES = 200
MAX_CHARS = 32_768
"""Beyond either, code is shown plain: colouring must not hold up a frame."""

_TAIL_LINES = 60
"""Of a longer block, the end; what else is shown is its beginning."""
_TAB = 4
_NAMES = """
bash bash sh zsh ksh bats, c c, cpp cc cpp cxx hh hpp hxx cu, csharp cs, css css, scss scss, less less, go go, html
html htm, java java, javascript js cjs jsx mjs, json json jsonc, kotlin kt kts, lua lua, markdown md mdx, php php,
python py pyi pyw bzl, ruby rb rake gemspec, rust rs, scala scala sc, sql sql, swift swift, toml toml, typescript ts
tsx mts cts vue svelte astro, yaml yaml yml, ada adb ads, clojure clj cljs cljc, cmake cmake, coffeescript coffee,
crystal cr, cython pyx pxd pxi, d d, dart dart, elixir ex exs, elm elm, emacs-lisp el, common-lisp lisp asd, scheme
scm ss, racket rkt, erlang erl hrl, fish fish, fortran f90 f95 f03 f08, fsharp fs fsi fsx, gdscript gd, glsl glsl vert
frag comp, graphql graphql graphqls gql, groovy groovy gradle, haskell hs, ini ini cfg conf, jinja j2 jinja jinja2 njk
twig, erb erb, julia jl, make mk, nim nim, nix nix, objective-c m mm, ocaml ml mli, delphi pas, perl pl pm t,
powershell ps1 psm1, protobuf proto, pug pug jade, puppet pp, r r, rst rst, solidity sol, systemverilog v sv svh, tcl
tcl, terraform tf, tex tex, thrift thrift, vb.net vb, vhdl vhd vhdl, vim vim, wgsl wgsl, xml xml xsd xaml csproj, zig
zig
"""
"""Names of Pygments' with the endings of such files."""
_LANGUAGES = {
    "h": "c",
    **{ending: name for name, *endings in map(str.split, _NAMES.split(",")) for ending in endings},
}
_STYLES = {
    "Token.Comment": "$syntax-comment italic",
    "Token.Keyword": "$syntax-keyword",
    "Token.Keyword.Constant": "$syntax-number",
    "Token.Operator.Word": "$syntax-keyword",
    "Token.Literal.Number": "$syntax-number",
    "Token.Literal.String": "$syntax-string",
    "Token.Name.Function": "$syntax-name",
    "Token.Name.Class": "$syntax-name bold",
    "Token.Name.Decorator": "$syntax-number",
    "Token.Name.Builtin": "$syntax-name",
    "Token.Name.Tag": "$syntax-name",
    "Token.Generic.Inserted": "$diff-add",
    "Token.Generic.Deleted": "$diff-remove",
}
"""By Pygments' token type; a type without one takes its parent's."""


def _style_of(token_type: str) -> str:
    while token_type:
        if style := _STYLES.get(token_type):
            return style
        token_type = token_type.rpartition(".")[0]
    return ""


def language_of(path: str) -> str:
    """Return the name of the language to colour a file's text with; empty when it is not known."""
    return _LANGUAGES.get(PurePosixPath(path).suffix.removeprefix(".").lower(), "")


def coloured(code: str, language: str) -> Content:
    """Return code with syntax colours; plain when it is long or the language is not known."""
    code = code.expandtabs(_TAB)
    if not language or len(code) > MAX_CHARS or code.count("\n") > MAX_LINES:
        return Content(code)
    # Pygments is loaded with the first code block, never before the first paint.
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]  # noqa: PLC0415 - see above; no stubs
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]  # noqa: PLC0415 - as above

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return Content(code)
    spans: list[Span] = []
    # Lexers know a line by its end, so the last one needs an end too.
    for start, token_type, text in lexer.get_tokens_unprocessed(f"{code}\n"):
        if start < len(code) and (style := _style_of(str(token_type))):
            spans.append(Span(start, min(start + len(text), len(code)), style))
    return Content(code, spans=spans)


def code_lines(code: str, language: str, width: int, colour: Callable[[str, str], Content] = coloured) -> list[Content]:
    """Return a code block for a width: a quiet ground, long lines folded, the middle of a very long block left out."""
    lines = code.rstrip("\n").split("\n")
    cut = len(lines) - MAX_LINES
    if cut <= 0:
        made = _block_lines(colour("\n".join(lines)[:MAX_CHARS], language), width)
    else:
        # What a command printed last is what it came to.
        head, tail = "\n".join(lines[: MAX_LINES - _TAIL_LINES]), "\n".join(lines[-_TAIL_LINES:])
        note = f" ... {cut:,} more lines; /copy has all of them"
        made = [
            *_block_lines(colour(head[:MAX_CHARS], language), width),
            Content.styled(note[:width].ljust(width), "$muted"),
            *_block_lines(Content(tail[-MAX_CHARS:].expandtabs(_TAB)), width),
        ]
    return [line.stylize_before("on $surface") for line in made]


def _block_lines(code: Content, width: int) -> list[Content]:
    inner = max(4, width - 2)
    made: list[Content] = []
    for line in code.split("\n", allow_blank=True):
        folded = line.fold(inner) if line.cell_length > inner else [line]
        made += [(Content(" ") + part).pad_right(max(0, width - 1 - part.cell_length)) for part in folded]
    return made
