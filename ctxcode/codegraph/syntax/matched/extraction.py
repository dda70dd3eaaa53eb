"""Matches of a query in, findings out: the same reading for every language that needs no more."""

from operator import itemgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import call_of, plain_expression, without_functions
from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.margin import Margin
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.references import LONGEST_CALLEE, RECEIVER_CHARACTERS
from ctxcode.codegraph.extract.type_names import is_capitalised, simple_name
from ctxcode.codegraph.facts import COMPANION, HELD, LEFT, PART, SPACE
from ctxcode.codegraph.syntax.matched.dialect import ELEMENT, PROTOTYPE, Dialect, Match, Shape, is_reader, nothing_told
from ctxcode.codegraph.syntax.narrowed.apart import set_apart
from ctxcode.codegraph.syntax.notation import split_callee, tidy, without_arguments
from ctxcode.codegraph.syntax.ruby_locals import hide
from ctxcode.codegraph.syntax.ruby_words import Methods, called_words

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = (
    "namespace", "class", "interface", "trait", "struct", "enum", "type", "function", "method", "constant", "variable",
    "field", "variant", "macro",
)  # fmt: skip
_FUNCTIONS = frozenset({"function", "method"})
_NO_DEFINITIONS = frozenset({"", PROTOTYPE})
_LEAVES = frozenset({"field", "variant"})
_VALUES = frozenset({"constant", "variable", "field", "variant", "type", "macro"})
_INDEXES = frozenset({"element_access_expression", "index_expression"})
_READ_ELSEWHERE = frozenset({"comment", "declared", "decorator", "word_used"})
_ANY = "?"
_SAID = (("companion", COMPANION), ("space", SPACE))
_MOST_COMMENTS = 5_000
"""Looking for what follows one takes longer the more there are."""


def extract_matches(matches: list[tuple[int, Match]], page: Page, dialect: Dialect) -> Findings:
    """Return what a file's matches say."""
    return _File(matches, page, dialect).read()


class _File:
    """One file on its way from matches to findings."""

    def __init__(self, matches: list[tuple[int, Match]], page: Page, dialect: Dialect) -> None:
        self._matches = list(dialect.whole(matches))
        self._page = page
        self._dialect = dialect
        self._bound_type = dialect.bound_type or dialect.type_name
        self.findings = Findings()
        start = page.line_end(0) if page.source.startswith(b"#!") else 0
        comments = [node for _, match in matches for node in match.get("comment", ()) if node.start_byte >= start]
        decorators = [node for _, match in matches for node in match.get("decorator", ())]
        widest = {node.start_byte: node for node in sorted(decorators, key=lambda node: node.end_byte)}
        self._margin = Margin(page, comments, [widest[at] for at in sorted(widest)])
        self._access: dict[int, list[tuple[int, str]]] = {}
        """Words such as ``private:`` by the body they stand in."""
        self._imports: dict[int, Node] = {}
        self._bases: list[tuple[int, int, str]] = []  # (place among its bases, heir, what it inherits from)

    def read(self) -> Findings:
        """Return the findings."""
        named: dict[int, tuple[int, str, Match]] = {}
        tests: list[Node] = []
        for pattern, match in self._matches:
            if "tested" in match:
                tests += match["tested"]
            elif _READ_ELSEWHERE.isdisjoint(match):
                self._keep(named, pattern, match)
        if self._dialect.told is not nothing_told:
            self._add_told()
        self._add_given()
        for line in self._access.values():
            line.sort()
        self._add_definitions(named)
        self._add_words()
        findings = self.findings
        findings.bases += [base[1:] for base in sorted(self._bases, key=itemgetter(0))]
        for at in sorted(self._imports):
            findings.imports.extend(self._dialect.imports(self._imports[at], self._page))
        if self._dialect.finish is not None:
            self._dialect.finish(findings, self._matches, self._page)
        if self._dialect.narrow is not None and tests:
            self._dialect.narrow(findings, tests, self._page)
        if self._dialect.blocks_of:
            set_apart(findings, self._matches, self._page, self._dialect.blocks_of)
        first = self._page.line_end(0) if self._page.source.startswith((b"#!", b"<?php")) else 0
        findings.doc = self._margin.leading_doc(first, self._dialect.is_doc)
        return findings

    def _add_told(self) -> None:
        findings = self.findings
        comments = [node for _, match in self._matches for node in match.get("comment", ())]
        for node in comments[:_MOST_COMMENTS]:
            said = self._dialect.told(node, self._page)
            for at, type_name in said.returned:
                findings.add_returned(at, type_name)
            findings.parameters.extend(said.parameters)
            findings.attributes.extend(said.fields)

    def _add_given(self) -> None:
        """Note what functions return that always return the same: an object they make, or their own."""
        given: dict[int, set[str]] = {}
        for _, match in self._matches:
            for node in match.get("gives", ()):
                at, type_name = self._dialect.returned(node, self._page)
                given.setdefault(at, set()).add(type_name)
        for at, types in given.items():
            if at >= 0 and len(types) == 1:
                self.findings.add_returned(at, *types)

    def _add_words(self) -> None:
        """Add the calls of bare words, and of what a method is called itself: ``super``."""
        found: dict[str, list[Node]] = {"word_used": [], "word_named": [], "local": [], "super": []}
        for _, match in self._matches:
            for name, nodes in match.items():
                if name in found:
                    found[name] += nodes
        if not found["word_used"] and not found["super"]:
            return
        definitions, page = self.findings.definitions, self._page
        methods = Methods((one.start, one.end, one.name) for one in definitions if one.kind in _FUNCTIONS)
        words, local = ([(node.start_byte, page.of(node)) for node in found[key]] for key in ("word_used", "local"))
        makers = {node.start_byte: node for node in found["word_used"] if page.of(node) in self._dialect.makers}
        for at, word in called_words(words, local, [node.start_byte for node in found["word_named"]], methods):
            self._add_call(at, word, "")
            if at in makers:
                self._add_implied(makers[at])
        for node in found["super"]:
            if name := methods.around(node.start_byte)[1]:
                self._add_call(node.start_byte, name, "super")
        hide(self.findings, found["local"], methods, page)

    def _keep(self, named: dict[int, tuple[int, str, Match]], pattern: int, match: Match) -> None:
        if "name" in match or "declarator" in match:
            self._keep_widest(named, pattern, match)
        else:
            self._add_reference(match)

    def _keep_widest(self, named: dict[int, tuple[int, str, Match]], pattern: int, match: Match) -> None:
        """Of several patterns for one name keep the widest node, then what says most, then the first pattern."""
        kind = next((kind for kind in _KINDS if kind in match), "")
        if not kind:
            return
        at = (match.get("name") or match["declarator"])[0].start_byte
        node = match[kind][0]
        known = named.get(at)
        if known is not None:
            other = known[2][known[1]][0]
            size, known_size = node.end_byte - node.start_byte, other.end_byte - other.start_byte
            if (size, len(match), -pattern) <= (known_size, len(known[2]), -known[0]):
                return
        named[at] = pattern, kind, match

    def _add_definitions(self, named: dict[int, tuple[int, str, Match]]) -> None:
        together: dict[tuple[int, int], list[tuple[str, Match]]] = {}
        for at in sorted(named):
            _, kind, match = named[at]
            together.setdefault(match[kind][0].byte_range, []).append((kind, match))
        for (start, end), group in together.items():
            for row, (kind, match) in enumerate(group):
                name = (match.get("name") or match["declarator"])[0]
                following = group[row + 1][1] if row + 1 < len(group) else {}
                stop = following.get("name") or following.get("declarator")
                self._add(kind, match, (start if row == 0 else name.start_byte, stop[0].start_byte if stop else end))

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
        shape = Shape(text, kind, modifiers, self._access_above(node), node)
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
            self.findings.add_parameters(name.start_byte, self._dialect.overloads.parameters(node, page))
        self._margin.document(found, above, self._dialect.is_doc)
        found.doc = self._dialect.doc_text(found.doc)
        self.findings.definitions.append(found)

    def _header_end(self, kind: str, match: Match, bounds: tuple[int, int, int]) -> int:
        page, (at, end, name_end) = self._page, bounds
        if "body" in match:
            return page.trimmed(at, max(match["body"][0].start_byte, name_end))
        if "head" in match:
            return max(node.end_byte for node in match["head"])
        line_end = page.trimmed(at, page.line_end(name_end))
        return min(end, line_end) if kind in _VALUES else min(end, max(line_end, name_end))

    def _access_above(self, node: "Node") -> str:
        words = self._access.get(node.parent.id, ()) if self._access and node.parent is not None else ()
        return next((word for at, word in reversed(words) if at < node.start_byte), "")

    def _add_reference(self, match: Match) -> None:
        page, findings = self._page, self.findings
        self._imports.update({node.start_byte: node for node in match.get("import", ())})
        for node in match.get("used", ()):
            said = self._dialect.used(node, page) or tidy(page.of(node), "")
            findings.uses += [(node.start_byte, said)] if said[:1].isidentifier() else []
        for node in match.get("package", ())[:1]:
            findings.package = findings.package or self._dialect.package(page.of(node))
        for node in match.get("clause", ()):
            findings.enter_package(page.of(node).strip(), page.line(node.start_byte))
        for node in match.get("access", ()):
            if node.parent is not None:
                self._access.setdefault(node.parent.id, []).append((node.start_byte, page.of(node)))
        findings.parameters += [(node.start_byte, LEFT, _ANY) for node in match.get("left", ())]
        findings.attributes += [(node.start_byte, name, _ANY) for key, name in _SAID for node in match.get(key, ())]
        heir, way = self._heir(match)
        if heir is not None:
            place = -match.get("word", (heir,))[0].start_byte if self._dialect.asks_last_base_first else 0
            place = -1 if "copied" in match else place
            names = [self._dialect.type_name(page.of(node)) for node in match.get("base", ())]
            self._bases += [(place, heir.start_byte, f"{way}{name}") for name in names if name]
            held = map(self._bound_type, map(page.of, match.get("base", ())))
            self.findings.attributes += [(heir.start_byte, HELD, one) for one in held if one.endswith(">")]
            self._bases += [(place, heir.start_byte, f"{PART}{page.of(heir)}") for _ in match.get("part", ())]
        self._add_calls(match)
        self._add_bindings(match)
        if self._dialect.named is not None:
            named = self._dialect.named(match, page)
            findings.uses += named.uses
            for call in named.calls:
                self._add_call(*call)

    def _heir(self, match: Match) -> "tuple[Node | None, str]":
        """Return (the name of the type that inherits from the bases of a match, what stands before their names)."""
        named, way = match["heir"][0] if "heir" in match else None, ""
        if "mixed" in match:
            named, way = self._dialect.mixed_into(match["mixed"][0], self._page)
        return (self._dialect.declared(named, self._page)[0] if named is not None else None), way

    def _add_calls(self, match: Match) -> None:
        page, calls = self._page, self.findings.calls
        for node in match.get("callee", ()):
            start, end = node.byte_range
            # Kotlin's grammar calls what is negated: ``!a.b()``.
            text = page.text(max(start, end - LONGEST_CALLEE), end).lstrip("!-+ ")
            if self._note_arguments(end - 1, node):
                self._call(end - 1, *split_callee(text))
        for node in match.get("called", ()):
            if not self._note_arguments(node.end_byte - 1, node):
                continue
            receivers, name = match.get("receiver", ()), page.of(node) + ("=" if "written" in match else "")
            followed = self._dialect.expression(receivers[0], page) if receivers else ""
            if followed:
                self._add_call(node.end_byte - 1, name, followed)
                if name in self._dialect.makers:
                    self._bind_made(node, followed)
            else:
                receiver = page.of(receivers[0])[:LONGEST_CALLEE] if receivers else ""
                self._call(node.end_byte - 1, name, receiver)
            if not receivers:
                self._add_implied(node)
        for node in match.get("made", ()):
            made = self._dialect.type_name(page.of(node))
            owner, _, name = (page.of(node) if made == "Self" else made).rpartition(".")
            if name:
                calls.append((node.start_byte, name, owner))
                self._note_arguments(node.start_byte, node)

    def _add_implied(self, word: "Node") -> None:
        """Add the call of the class that a word without a receiver makes an object of."""
        owner = self._dialect.implied(word, self._page)
        if owner:
            self._add_call(word.end_byte - 1, self._page.of(word), owner)
            self._bind_made(word, owner)

    def _bind_made(self, word: "Node", made: str) -> None:
        """Bind the name that a call is given to, if it is, to the type that it makes an object of."""
        name = self._dialect.keeping(word, self._page) if is_capitalised(made) and made[-1] != ")" else None
        if name is not None:
            text = self._dialect.declared(name, self._page)[1]
            self.findings.bindings.append((name.start_byte, text, made))

    def _note_arguments(self, at: int, node: "Node") -> bool:
        """Note what a call's arguments look like; return whether it is a call."""
        if self._dialect.overloads is None:
            return True
        shapes = self.findings.arguments[at] = self._dialect.overloads.shapes(node, self._page)
        return bool(shapes)

    def _call(self, at: int, name: str, receiver: str) -> None:
        self._add_call(at, name, tidy(without_functions(receiver), self._dialect.base_word))

    def _add_call(self, at: int, name: str, receiver: str) -> None:
        if name in self._dialect.makers and receiver and is_capitalised(receiver):
            receiver, _, name = receiver.rpartition(".")
        name = name.strip("$")
        if name.translate(self._dialect.name_marks).isidentifier() and not (
            self._dialect.is_outside(receiver) if receiver else name in self._dialect.own_words
        ):
            self.findings.calls.append((at, name.replace("::", ":"), receiver[:RECEIVER_CHARACTERS]))

    def _add_bindings(self, match: Match) -> None:
        page = self._page
        if "bound_all" in match:
            pairs = self._dialect.paired(match["bound_all"][0], match["value_all"][0], page)
            self.findings.bindings.extend(pairs)
            return
        if "returned" in match:
            text = self._bound_type(page.of(match["type"][0])) if "type" in match else self._given(match)
            self.findings.add_returned(match["returned"][0].start_byte, text)
            return
        if "renamed" in match:
            other = page.of(match["type"][0]).strip()
            if other.isidentifier():
                self.findings.add_returned(match["renamed"][0].start_byte, other)
            return
        if "value" in match and "type" not in match:
            is_written = self._dialect.overloads is not None and self._dialect.overloads.binds_values
            (self._bind_value if is_written else self._add_bound)(match)
            return
        for capture, prefix in (("bound", ""), ("parameter", ""), ("member", "self.")):
            if capture not in match or "type" not in match:
                continue
            name, type_name = match[capture][0], self._bound_type(page.of(match["type"][0]))
            if capture == "member" and self._dialect.is_method(name):
                self.findings.add_returned(name.start_byte, type_name)
                continue
            if "maker" in match and page.of(match["maker"][0]) not in self._dialect.makers:
                continue
            if self._dialect.makes_by_name and not is_capitalised(type_name.removeprefix("=")):
                continue
            text = self._dialect.declared(name, page)[1].lstrip("$")
            owner, text = "self." if text.startswith("@") else prefix, text.lstrip("@")
            if type_name and text.isidentifier():
                rows = self.findings.parameters if capture == "parameter" else self.findings.bindings
                rows.append((name.start_byte, f"{owner}{text}", type_name))

    def _add_bound(self, match: Match) -> None:
        """Add what a variable is bound to: a call, an element of a collection, a parameter."""
        page, value = self._page, match["value"][0]
        name = (match.get("bound") or match.get("element") or match["member"])[0]
        text = self._dialect.declared(name, page)[1]
        if not text.isidentifier():
            return
        if "member" in match:
            made = self._dialect.given(value, page)
            if made:
                self.findings.attributes.append((name.start_byte, f"self.{text}", made))
            return
        followed = self._dialect.expression(value, page)
        if "element" in match:
            made = f"{followed}.{ELEMENT}" if followed else ""
        elif followed:
            made = followed if followed.endswith(")") else f"={followed}"
        else:
            made = call_of(tidy(page.of(value)[:LONGEST_CALLEE], self._dialect.base_word))
        if made and len(made) <= RECEIVER_CHARACTERS:
            self.findings.bindings.append((name.start_byte, text, made))

    def _bind_value(self, match: Match) -> None:
        """Add what is bound to what a call returns, or to what stands behind another name."""
        name, prefix = (match.get("bound") or match["member"])[0], "self." if "member" in match else ""
        text, given = self._dialect.declared(name, self._page)[1], self._given(match)
        made = given.removesuffix("()")
        if self._dialect.makes_by_name and made != given and made.isidentifier() and is_capitalised(made):
            given = made
        if given and text.isidentifier() and (prefix or given != f"={text}"):
            self.findings.bindings.append((name.start_byte, f"{prefix}{text}", given))

    def _given(self, match: Match) -> str:
        """Return the expression for a value; empty for one that is more than names and calls."""
        value = match["value"][0]
        written, followed = self._page.of(value), self._dialect.expression(value, self._page)
        if not followed and len(written) > LONGEST_CALLEE:
            return ""
        kept = written if value.type in _INDEXES else without_arguments(written)
        plain = followed or plain_expression(tidy(kept, self._dialect.base_word).replace("?", "").replace("!", ""))
        plain = plain if len(plain) <= RECEIVER_CHARACTERS else ""
        return plain if plain.endswith(")") else f"={plain}" if plain else ""
