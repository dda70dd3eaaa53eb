"""Ruby's variables that hide what is called alike: parameters of blocks, and what methods give values."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import IMPLIED
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.narrowed.giving import Language, Place
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region, rename
from ctxcode.codegraph.syntax.ruby_words import Methods

if TYPE_CHECKING:
    from tree_sitter import Node

_PARAMETERS = frozenset({"block_parameters", "lambda_parameters"})
_BLOCKS = frozenset({"block", "do_block", "lambda"})
_GIVING, _DEFAULT = frozenset({"assignment", "operator_assignment"}), "||="
_BARE = re.compile(r"=(?!self\b)\??[^\W\dA-Z]")
LANGUAGE = Language(
    functions=frozenset({"method", "singleton_method"}),
    inner=_BLOCKS,
    choosing=frozenset({"case", "case_match", "if", "unless"}),
    branches=frozenset({"else", "rescue", "then"}),
    passing=frozenset({"begin", "body_statement", "elsif", "in_clause", "when"}),
    last=frozenset({"else"}),
    loops=frozenset({"for", "until", "until_modifier", "while", "while_modifier"}),
    chosen={"binary": 1, "conditional": 1, "if_modifier": 0, "unless_modifier": 0},
    leaving=re.compile(rb"(?:return|raise|fail|exit|abort)\b(?![^\n]{0,200}\b(?:if|unless)\b)"),
    nothing=frozenset({
        "array", "false", "float", "hash", "integer", "nil", "regex", "simple_symbol", "string", "string_array",
        "symbol_array", "true",
    }),
    begins_in_blocks=True,
)  # fmt: skip
"""How names are given something one after the other."""
_HIGHEST = 4
"""Nodes between a parameter and its block: the list, a default value, what is taken apart."""


def hide(findings: Findings, local: Iterable["Node"], methods: Methods, page: Page) -> None:
    """Give parameters of blocks, of which nothing is known, a name of their own where something is called on them.

    Only those that the method around binds to something by the same name, before or behind, or that are called as a
    method of the file is; so are variables of methods that are called as such a one.
    """
    bound: dict[tuple[int, str], list[int]] = {}
    for at, name, _ in sorted((*findings.bindings, *findings.parameters)):
        bound.setdefault((methods.around(at)[0], name), []).append(at)
    named = {found.name for found in findings.definitions}
    names = named.union(name for _, name in bound)
    regions, of_methods = list[Region](), set[tuple[int, str]]()
    for node in local:
        name = page.of(node)
        if name not in names:
            continue
        block, method = _block_of(page.around(node)), methods.around(node.start_byte)[0]
        places = bound.get((method, name), ())
        if block is None:
            span, is_hiding = methods.span(method), name in named and not places and (method, name) not in of_methods
            of_methods.add((method, name))
        else:
            span, is_hiding = block.byte_range, bool(places) or name in named
        if is_hiding and _is_outside(places, *span):
            regions.append(Region(*span, Held(node.start_byte, name, "", is_other=True)))
    rename(findings, regions)


def places(local: Iterable["Node"], page: Page) -> Iterator[Place]:
    """Yield where names are given something."""
    for node in local:
        above = page.around(node)
        around = above[-1] if above else None
        if around is None or around.type not in _GIVING:
            block = _block_of(above)
            yield Place(node, end=block.end_byte if block is not None else 0)
            continue
        operator = around.child_by_field_name("operator")
        value = around.child_by_field_name("right") if operator is None or page.of(operator) == _DEFAULT else None
        yield Place(node, value, behind=around.end_byte, is_default=operator is not None and value is not None)


def settle_returned(findings: Findings, local: Iterable[tuple[int, str]], methods: Methods) -> None:
    """Tell what methods give whose last word is bare, ``=?make``: a variable of theirs, or what they call of their own.

    A variable that is given several values, or one of which nothing is known, is nothing.
    """
    rows = findings.parameters
    places = [place for place, (_, name, said) in enumerate(rows) if name == RETURNED and _BARE.match(said)]
    if not places:
        return
    given = Counter((methods.around(at)[0], word) for at, word in local)
    bound = {(methods.around(at)[0], name) for at, name, _ in (*findings.bindings, *rows)}
    for place in places:
        at, name, said = rows[place]
        word = said.lstrip(f"={IMPLIED}").partition(".")[0].removesuffix("()")
        key = (methods.around(at)[0], word)
        is_variable, rest = key in given, said[said.index(word) + len(word) :].removeprefix("()")
        if is_variable and given[key] == 1 and key in bound:
            rows[place] = at, name, f"={word}{rest}"
        else:
            is_own = not is_variable and said[1] == IMPLIED
            rows[place] = at, name, f"=self.{word}(){rest}" if is_own else ""
    findings.parameters = [row for row in rows if row[2]]


def _is_outside(places: Sequence[int], start: int, end: int) -> bool:
    """Whether none of some places, in order, is inside of a span."""
    return bisect_left(places, start) == bisect_left(places, end)


def _block_of(above: Sequence["Node"]) -> "Node | None":
    """Return the block that a name is a parameter of, given what is around the name, the outermost first."""
    near = above[: -_HIGHEST - 3 : -1]
    place = next((place for place, each in enumerate(near[: _HIGHEST + 1]) if each.type in _PARAMETERS), len(near))
    block = near[place + 1] if place + 1 < len(near) else None
    return block if block is not None and block.type in _BLOCKS else None
