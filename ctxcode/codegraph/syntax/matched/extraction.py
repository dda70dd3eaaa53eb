"""Matches of a query in, findings out: the same reading for every language that needs no more."""

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.margin import Margin
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import simple_name
from ctxcode.codegraph.facts import RETURNED
from ctxcode.codegraph.syntax.matched.dialect import (
    PROTOTYPE,
    Dialect,
    Match,
    Shape,
    is_reader,
    nothing_read,
    nothing_told,
)
from ctxcode.codegraph.syntax.narrowed.apart import set_apart
from ctxcode.codegraph.syntax.references import READ_ELSEWHERE, References
from ctxcode.codegraph.syntax.ruby_locals import hide, settle_returned
from ctxcode.codegraph.syntax.ruby_words import Methods, called_words, named_groups

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = (
    "namespace", "class", "interface", "trait", "struct", "enum", "type", "function", "method", "constant", "variable",
    "field", "variant", "macro",
)  # fmt: skip
_FUNCTIONS = frozenset({"function", "method"})
_GATHERED = frozenset({
    "comment", "decorator", "gives", "local", "matched", "super", "tested", "word_named", "word_used",
})  # fmt: skip
_BARE = "bare_"
"""What the names of captures begin with of names that nothing imports."""
_NO_DEFINITIONS = frozenset({"", PROTOTYPE})
_LEAVES = frozenset({"field", "variant"})
_VALUES = frozenset({"constant", "variable", "field", "variant", "type", "macro"})
_MOST_COMMENTS = 5_000
"""Looking for what follows one takes longer the more there are."""


def extract_matches(matches: list[tuple[int, Match]], page: Page, dialect: Dialect) -> Findings:
    """Return what a file's matches say."""
    return _File(matches, page, dialect).read()


def root_of(matches: list[tuple[int, Match]]) -> "Node":
    """Return the root of the tree that nodes are of, of which there are some."""
    node = next(nodes[0] for _, match in matches for nodes in match.values() if nodes)
    while node.parent is not None:
        node = node.parent
    return node


def _is_gathered(capture: str) -> bool:
    return capture in _GATHERED or capture.startswith(_BARE)


class _File:
    """One file on its way from matches to findings."""

    def __init__(self, matches: list[tuple[int, Match]], page: Page, dialect: Dialect) -> None:
        self._matches = matches if dialect.read_on is nothing_read else list(dialect.whole(matches))
        self._page = page
        self._dialect = dialect
        self.findings = Findings()
        self._references = References(page, dialect, self.findings)
        self._named: dict[int, tuple[int, str, Match]] = {}
        self._gathered: dict[str, list[Node]] = defaultdict(list)
        """Nodes that are read together, by what they are captured as."""
        self._read_matches()
        start = page.line_end(0) if page.source.startswith(b"#!") else 0
        comments = [node for node in self._gathered["comment"] if node.start_byte >= start]
        decorators = sorted(self._gathered["decorator"], key=lambda node: node.end_byte)
        widest = {node.start_byte: node for node in decorators}
        self._margin = Margin(page, comments, [widest[at] for at in sorted(widest)])
        self._functions: list[tuple[str, int, Node]] = []  # (name, where it stands, definition)
        self._given: dict[tuple[int, str], list[int]] = defaultdict(list)
        """Where functions return something, by (the byte of the function's name, what it is)."""
        self._modifiers = ""
        """What stands before the first of several names that are declared together: ``private $a, $b``."""

    def _read_matches(self) -> None:
        """Keep definitions, gather what is read together, and read the rest."""
        gathered, known, add_reference = self._gathered, dict[tuple[str, ...], tuple[str, ...]](), self._references.add
        for pattern, match in self._matches:
            captures = tuple(match)
            names = known.get(captures)
            if names is None:
                names = known[captures] = tuple([name for name in captures if _is_gathered(name)])
            for name in names:
                gathered[name] += match[name]
            if len(names) == len(captures):
                continue
            if "name" in match or "declarator" in match:
                if READ_ELSEWHERE.isdisjoint(match):
                    self._keep_widest(pattern, match)
            elif "tested" not in match:
                add_reference(match)

    def read(self) -> Findings:
        """Return the findings."""
        if self._dialect.told is not nothing_told:
            self._add_told()
        self._add_given()
        self._references.end()
        self._add_definitions()
        self._add_words()
        findings = self.findings
        if self._dialect.finish is not None:
            self._dialect.finish(findings, self._matches, self._page)
        if self._dialect.narrow is not None and self._gathered["tested"]:
            self._dialect.narrow(findings, self._gathered["tested"], self._page)
        if self._dialect.settle is not None and (findings.bindings or findings.parameters):
            self._dialect.settle(findings, self._page, root_of(self._matches), self._given)
        if self._dialect.blocks_of:
            set_apart(findings, self._matches, self._page, self._dialect.blocks_of)
        first = self._page.line_end(0) if self._page.source.startswith((b"#!", b"<?php")) else 0
        findings.doc = self._margin.leading_doc(first, self._dialect.is_doc)
        if self._dialect.captures_bare:
            findings.bare = {name: nodes for name, nodes in self._gathered.items() if name.startswith(_BARE)}
        return findings

    def _add_told(self) -> None:
        findings = self.findings
        for node in self._gathered["comment"][:_MOST_COMMENTS]:
            said = self._dialect.told(node, self._page)
            for at, type_name in said.returned:
                findings.add_returned(at, type_name)
            findings.parameters.extend(said.parameters)
            findings.attributes.extend(said.fields)

    def _add_given(self) -> None:
        """Note what functions return that always return the same: an object they make, or their own."""
        given: dict[int, set[str]] = {}
        for node in self._gathered["gives"]:
            at, type_name = self._dialect.returned(node, self._page)
            self._given[at, type_name].append(node.start_byte)
            given.setdefault(at, set()).add(type_name)
        said = {at for at, name, _ in self.findings.parameters if name == RETURNED} if given else ()
        for at, types in given.items():
            # What is documented is surer than what is made of other things.
            is_known = at in said and any(made[:1] == "=" or made[-1:] == ")" for made in types)
            if at >= 0 and len(types) == 1 and not is_known:
                self.findings.add_returned(at, *types)

    def _add_words(self) -> None:
        """Add the calls of bare words, and of what a method is called itself: ``super``."""
        found = self._gathered
        if not found["word_used"] and not found["super"]:
            return
        definitions, page = self.findings.definitions, self._page
        methods = Methods((one.start, one.end, one.name) for one in definitions if one.kind in _FUNCTIONS)
        words, local = ([(node.start_byte, page.of(node)) for node in found[key]] for key in ("word_used", "local"))
        local += named_groups(found["matched"], page)
        makers = {node.start_byte: node for node in found["word_used"] if page.of(node) in self._dialect.makers}
        for at, word in called_words(words, local, [node.start_byte for node in found["word_named"]], methods):
            self._references.add_call(at, word, "")
            if at in makers:
                self._references.add_implied(makers[at])
        for node in found["super"]:
            if name := methods.around(node.start_byte)[1]:
                self._references.add_call(node.start_byte, name, "super")
        settle_returned(self.findings, local, methods)
        hide(self.findings, found["local"], methods, page)

    def _keep_widest(self, pattern: int, match: Match) -> None:
        """Of several patterns for one name keep the widest node, then what says most, then the first pattern."""
        kind = next((kind for kind in _KINDS if kind in match), "")
        if not kind:
            return
        at = (match.get("name") or match["declarator"])[0].start_byte
        node = match[kind][0]
        known = self._named.get(at)
        if known is not None:
            other = known[2][known[1]][0]
            size, known_size = node.end_byte - node.start_byte, other.end_byte - other.start_byte
            if (size, len(match), -pattern) <= (known_size, len(known[2]), -known[0]):
                return
        self._named[at] = pattern, kind, match

    def _add_definitions(self) -> None:
        together: dict[tuple[int, int], list[tuple[str, Match]]] = {}
        for at in sorted(self._named):
            _, kind, match = self._named[at]
            together.setdefault(match[kind][0].byte_range, []).append((kind, match))
        for (start, end), group in together.items():
            self._modifiers = ""
            for row, (kind, match) in enumerate(group):
                name = (match.get("name") or match["declarator"])[0]
                following = group[row + 1][1] if row + 1 < len(group) else {}
                stop = following.get("name") or following.get("declarator")
                self._add(kind, match, (start if row == 0 else name.start_byte, stop[0].start_byte if stop else end))
        self._add_parameters()

    def _add(self, kind: str, match: Match, span: tuple[int, int]) -> None:
        page, (at, end), node = self._page, span, match[kind][0]
        name, text, container = self._dialect.declared((match.get("name") or match["declarator"])[0], page)
        kind = self._dialect.refined(kind, node, page) if text else ""
        if kind == PROTOTYPE:
            self.findings.declared.append((name.start_byte, f"{container}.{text}" if container else text))
        if kind in _NO_DEFINITIONS:
            return
        if "container" in match:
            container = simple_name(page.of(match["container"][0]))
        above = self._margin.above(at)
        behind = self._margin.behind_decorators(at, name.start_byte)
        header_end = self._header_end(kind, match, (at, end, name.end_byte))
        modifiers = page.text(behind, min(name.start_byte, behind + 300)) if behind < name.start_byte else ""
        self._modifiers = modifiers = modifiers or self._modifiers
        shape = Shape(text, kind, modifiers, self._references.access_above(node), node, page)
        signature_end = min(end, header_end) if kind not in _VALUES or "body" in match else end
        found = Definition(
            name=text[:200],
            kind=kind,
            start=above.first,
            first=above.first,
            end=end,
            header=name.start_byte,
            signature=self._margin.signature(behind, signature_end).rstrip("{;,=: "),
            header_end=header_end,
            decorators=(*above.decorators, *self._margin.decorators_within(at, name.start_byte)),
            visibility=self._dialect.visibility(shape),
            container=container,
            is_leaf=(kind in _LEAVES or is_reader(match)) and "body" not in match,
        )
        if self._dialect.overloads is not None and kind in _FUNCTIONS:
            self._functions.append((found.name, name.start_byte, node))
        self._margin.document(found, above, self._dialect.is_doc)
        found.doc = self._dialect.doc_text(found.doc)
        self.findings.definitions.append(found)

    def _add_parameters(self) -> None:
        """Add the types of the parameters of functions that need them to be told apart."""
        overloads = self._dialect.overloads
        counts = Counter([name for name, _, _ in self._functions])
        for name, at, node in self._functions if overloads is not None else ():
            if overloads is not None and (overloads.tells_one_alone or counts[name] > 1):
                self.findings.add_parameters(at, overloads.parameters(node, self._page))

    def _header_end(self, kind: str, match: Match, bounds: tuple[int, int, int]) -> int:
        page, (at, end, name_end) = self._page, bounds
        if "body" in match:
            return page.trimmed(at, max(match["body"][0].start_byte, name_end))
        if "head" in match:
            return max(node.end_byte for node in match["head"])
        line_end = page.trimmed(at, page.line_end(name_end))
        return min(end, line_end) if kind in _VALUES else min(end, max(line_end, name_end))
