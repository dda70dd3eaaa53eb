"""Matches of a query that define nothing, read: calls, bases, imports, uses and the types of variables.

What is to be read of a match, the names of its captures tell: that is found out once for all matches with the same.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import call_of, plain_expression, without_functions
from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.references import LONGEST_CALLEE, RECEIVER_CHARACTERS
from ctxcode.codegraph.extract.type_names import is_capitalised
from ctxcode.codegraph.facts import APPLIED, COMPANION, HELD, LEFT, PART, SPACE
from ctxcode.codegraph.syntax.c_family.elements import POINTER, behind_pointer, is_array, is_pointer
from ctxcode.codegraph.syntax.matched.dialect import ELEMENT, Dialect, Match
from ctxcode.codegraph.syntax.notation import at_top, split_callee, tidy, without_arguments

if TYPE_CHECKING:
    from tree_sitter import Node

READ_ELSEWHERE = frozenset({"comment", "declared", "decorator", "word_used"})
_INDEXES = frozenset({"element_access_expression", "index_expression"})
_CHOOSING = frozenset({"if_expression", "match_expression"})
"""What is one of several things, which are no expression together."""
_ANY = "?"
_SAID = (("companion", COMPANION), ("space", SPACE))
_BOUND = (("bound", ""), ("parameter", ""), ("member", "self."))


class References:
    """What the matches of one file say beside its definitions."""

    def __init__(self, page: Page, dialect: Dialect, findings: Findings) -> None:
        self._page = page
        self._dialect = dialect
        self._findings = findings
        self._bound_type = dialect.bound_type or dialect.type_name
        self._bound_types: dict[str, str] = {}
        """Types as they are written, to what they are called: a file writes the same ones again and again."""
        self._callees: dict[str, tuple[str, str]] = {}
        """Callees as they are written, to (name, receiver)."""
        self._steps: dict[tuple[str, ...], tuple[Callable[[Match], None], ...]] = {}
        """What reads matches with such captures."""
        self._access: dict[int, list[tuple[int, str]]] = {}
        """Words such as ``private:`` by the body they stand in."""
        self._imports: dict[int, Node] = {}
        self._bases: list[tuple[int, int, str]] = []  # (place among its bases, heir, what it inherits from)

    def add(self, match: Match) -> None:
        """Read one match."""
        captures = tuple(match)
        steps = self._steps.get(captures)
        if steps is None:
            steps = self._steps[captures] = tuple(self._steps_of(frozenset(captures)))
        for step in steps:
            step(match)

    def end(self) -> None:
        """Put in order what was read of all matches."""
        for line in self._access.values():
            line.sort()
        self._findings.bases += [base[1:] for base in sorted(self._bases, key=itemgetter(0))]
        for at in sorted(self._imports):
            self._findings.imports.extend(self._dialect.imports(self._imports[at], self._page))

    def access_above(self, node: "Node") -> str:
        """Return the last word such as ``private:`` above a node in the same body; empty for none."""
        parent = self._page.parent(node) if self._access else None
        words = self._access.get(parent.id, ()) if parent is not None else ()
        return next((word for at, word in reversed(words) if at < node.start_byte), "")

    def _steps_of(self, captures: frozenset[str]) -> list[Callable[[Match], None]]:
        if not READ_ELSEWHERE.isdisjoint(captures):
            return []
        steps = list[Callable[[Match], None]]()
        for names, step in (
            ({"import"}, self._add_import),
            ({"used"}, self._add_used),
            ({"package", "clause"}, self._add_package),
            ({"access"}, self._add_access),
            ({"left", "companion", "space"}, self._add_said),
            ({"heir", "mixed"}, self._add_bases),
            ({"callee"}, self._add_callee),
            ({"called"}, self._add_called),
            ({"made"}, self._add_made),
        ):
            if not captures.isdisjoint(names):
                steps.append(step)
        steps += self._binding_steps(captures)
        if self._dialect.named is not None:
            steps.append(self._add_named)
        return steps

    def _binding_steps(self, captures: frozenset[str]) -> list[Callable[[Match], None]]:
        if "bound_all" in captures:
            return [self._bind_pairs]
        if "returned" in captures:
            return [self._bind_returned]
        if "renamed" in captures:
            return [self._bind_renamed]
        if "type" in captures:
            return [self._bind_typed] if not captures.isdisjoint({"bound", "parameter", "member"}) else []
        if "value" in captures:
            is_written = self._dialect.overloads is not None and self._dialect.overloads.binds_values
            return [self._bind_value if is_written else self._add_bound]
        return []

    def _add_import(self, match: Match) -> None:
        self._imports.update({node.start_byte: node for node in match["import"]})

    def _add_used(self, match: Match) -> None:
        for node in match["used"]:
            said = self._dialect.used(node, self._page) or tidy(self._page.of(node), "")
            self._findings.uses += [(node.start_byte, said)] if said[:1].isidentifier() else []

    def _add_package(self, match: Match) -> None:
        page, findings = self._page, self._findings
        for node in match.get("package", ())[:1]:
            findings.package = findings.package or self._dialect.package(page.of(node))
        for node in match.get("clause", ()):
            findings.enter_package(page.of(node).strip(), page.line(node.start_byte))

    def _add_access(self, match: Match) -> None:
        for node in match["access"]:
            if (parent := self._page.parent(node)) is not None:
                self._access.setdefault(parent.id, []).append((node.start_byte, self._page.of(node)))

    def _add_said(self, match: Match) -> None:
        findings = self._findings
        findings.parameters += [(node.start_byte, LEFT, _ANY) for node in match.get("left", ())]
        findings.attributes += [(node.start_byte, name, _ANY) for key, name in _SAID for node in match.get(key, ())]

    def _add_bases(self, match: Match) -> None:
        page, findings = self._page, self._findings
        heir, way = self._heir(match)
        if heir is None:
            return
        place = -match.get("word", (heir,))[0].start_byte if self._dialect.asks_last_base_first else 0
        place = -1 if "copied" in match else place
        names = [self._dialect.type_name(page.of(node)) for node in match.get("base", ())]
        self._bases += [(place, heir.start_byte, f"{way}{name}") for name in names if name]
        held = map(self._bound_type, map(page.of, match.get("base", ())))
        findings.attributes += [
            (heir.start_byte, HELD, one) for one in held if one.endswith(">") and f"<{APPLIED}" not in one
        ]
        self._bases += [(place, heir.start_byte, f"{PART}{page.of(heir)}") for _ in match.get("part", ())]

    def _heir(self, match: Match) -> "tuple[Node | None, str]":
        """Return (the name of the type that inherits from the bases of a match, what stands before their names)."""
        named, way = match["heir"][0] if "heir" in match else None, ""
        if "mixed" in match:
            named, way = self._dialect.mixed_into(match["mixed"][0], self._page)
        return (self._dialect.declared(named, self._page)[0] if named is not None else None), way

    def _add_named(self, match: Match) -> None:
        named = self._dialect.named(match, self._page) if self._dialect.named is not None else None
        if named is not None:
            self._findings.uses += named.uses
            for call in named.calls:
                self.add_call(*call)

    def _add_callee(self, match: Match) -> None:
        page, calls = self._page, self._findings.calls
        for node in match["callee"]:
            start, end = node.byte_range
            # Kotlin's grammar calls what is negated: ``!a.b()``.
            text = page.text(max(start, end - LONGEST_CALLEE), end).lstrip("!-+ ")
            if self._note_arguments(end - 1, match.get("call", (node,))[0]):
                known = self._callees.get(text)
                if known is None:
                    is_pointed = "->" in text or text[:2] == "(*" or "_cast<" in text
                    name, receiver = split_callee(self._dialect.pointed(text) if is_pointed else text)
                    known = self._callees[text] = self._called(name, self._tidied(receiver) or at_top(text))
                if known[0]:
                    calls.append((end - 1, *known))

    def _add_called(self, match: Match) -> None:
        page = self._page
        for node in match["called"]:
            if not self._note_arguments(node.end_byte - 1, node):
                continue
            receivers, name = match.get("receiver", ()), page.of(node) + ("=" if "written" in match else "")
            followed = self._dialect.expression(receivers[0], page) if receivers else ""
            if followed:
                self.add_call(node.end_byte - 1, name, followed)
                if name in self._dialect.makers:
                    self._bind_made(node, followed)
            else:
                receiver = page.of(receivers[0])[:LONGEST_CALLEE] if receivers else ""
                self.add_call(node.end_byte - 1, name, self._tidied(receiver))
            if not receivers:
                self.add_implied(node)

    def _add_made(self, match: Match) -> None:
        page = self._page
        for node in match["made"]:
            made = self._dialect.type_name(page.of(node))
            owner, _, name = (page.of(node) if made == "Self" else made).rpartition(".")
            if name:
                self._findings.calls.append((node.start_byte, name, owner))
                self._note_arguments(node.start_byte, node)

    def add_implied(self, word: "Node") -> None:
        """Add the call of the class that a word without a receiver makes an object of."""
        owner = self._dialect.implied(word, self._page)
        if owner:
            self.add_call(word.end_byte - 1, self._page.of(word), owner)
            self._bind_made(word, owner)

    def _bind_made(self, word: "Node", made: str) -> None:
        """Bind the name that a call is given to, if it is, to the type that it makes an object of."""
        name = self._dialect.keeping(word, self._page) if is_capitalised(made) and made[-1] != ")" else None
        if name is not None:
            text = self._dialect.declared(name, self._page)[1]
            self._findings.bindings.append((name.start_byte, text, made))

    def _note_arguments(self, at: int, node: "Node") -> bool:
        """Note what a call's arguments look like; return whether it is a call."""
        if self._dialect.overloads is None:
            return True
        shapes = self._findings.arguments[at] = self._dialect.overloads.shapes(node, self._page)
        return bool(shapes)

    def _tidied(self, receiver: str) -> str:
        return tidy(without_functions(receiver), self._dialect.base_word) if receiver else ""

    def add_call(self, at: int, name: str, receiver: str) -> None:
        """Add the call of a name, unless it is the language's own."""
        name, receiver = self._called(name, receiver)
        if name:
            self._findings.calls.append((at, name, receiver))

    def _called(self, name: str, receiver: str) -> tuple[str, str]:
        """Return (name, receiver) of what is called; an empty name for what is no call of the project's."""
        if name in self._dialect.makers and receiver and is_capitalised(receiver):
            receiver, _, name = receiver.rpartition(".")
        name = name.strip("$")
        if not name.translate(self._dialect.name_marks).isidentifier():
            return "", ""
        if self._dialect.is_outside(receiver) if receiver else name in self._dialect.own_words:
            return "", ""
        return name.replace("::", ":"), receiver[:RECEIVER_CHARACTERS]

    def _bind_pairs(self, match: Match) -> None:
        pairs = self._dialect.paired(match["bound_all"][0], match["value_all"][0], self._page)
        self._findings.bindings.extend(pairs)

    def _bind_returned(self, match: Match) -> None:
        node = match["returned"][0]
        text = self._type(match["type"][0], node) if "type" in match else self._given(match)
        self._findings.add_returned(node.start_byte, text)

    def _bind_renamed(self, match: Match) -> None:
        other = self._page.of(match["type"][0]).strip()
        if other.isidentifier():
            self._findings.add_returned(match["renamed"][0].start_byte, other)

    def _type(self, node: "Node", declarator: "Node") -> str:
        """Return what a variable is, or a function returns, of the type that is written.

        What a template of C++ is given is said of objects of it alone: what stands behind a pointer to one is its own.
        """
        written = self._page.of(node)
        known = self._bound_types.get(written)
        if known is None:
            known = self._bound_types[written] = self._bound_type(written)
        if known[-1:] != ">" or f"<{APPLIED}" not in known:
            return known
        if is_array(declarator):
            return f"{POINTER}{known}"
        around = self._page.parent(node)
        behind = around.child_by_field_name("declarator") if around is not None else None
        is_made = around is not None and around.type == "new_expression"
        is_alias = behind is not None and behind.type == "abstract_pointer_declarator"
        return behind_pointer(known) if is_made or is_alias or is_pointer(declarator) else known

    def _bind_typed(self, match: Match) -> None:
        """Add a variable whose type is written, or what a method returns that is captured as a member."""
        page, findings, dialect = self._page, self._findings, self._dialect
        for capture, prefix in _BOUND:
            if capture not in match:
                continue
            name = match[capture][0]
            type_name = self._type(match["type"][0], name)
            if capture == "member" and dialect.is_method(name):
                findings.add_returned(name.start_byte, type_name)
                continue
            if "maker" in match and page.of(match["maker"][0]) not in dialect.makers:
                continue
            if dialect.makes_by_name and not is_capitalised(type_name.removeprefix("=")):
                continue
            text = dialect.declared(name, page)[1].lstrip("$") if type_name else ""
            owner, text = "self." if text.startswith("@") else prefix, text.lstrip("@")
            if text.isidentifier():
                rows = findings.parameters if capture == "parameter" else findings.bindings
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
                self._findings.attributes.append((name.start_byte, f"self.{text}", made))
            return
        followed = self._dialect.expression(value, page)
        if "element" in match:
            made = f"{followed}.{ELEMENT}" if followed else ""
        elif followed:
            made = followed if followed.endswith(")") else f"={followed}"
        else:
            made = call_of(tidy(page.of(value)[:LONGEST_CALLEE], self._dialect.base_word))
        if made and len(made) <= RECEIVER_CHARACTERS:
            self._findings.bindings.append((name.start_byte, text, made))

    def _bind_value(self, match: Match) -> None:
        """Add what is bound to what a call returns, or to what stands behind another name."""
        name, prefix = (match.get("bound") or match["member"])[0], "self." if "member" in match else ""
        text, given = self._dialect.declared(name, self._page)[1], self._given(match)
        made = given.removesuffix("()")
        if self._dialect.makes_by_name and made != given and made.isidentifier() and is_capitalised(made):
            given = made
        if given and text.isidentifier() and (prefix or given != f"={text}"):
            self._findings.bindings.append((name.start_byte, f"{prefix}{text}", given))

    def _given(self, match: Match) -> str:
        """Return the expression for a value; empty for one that is more than names and calls."""
        value = match["value"][0]
        written, followed = self._page.of(value), self._dialect.expression(value, self._page)
        if not followed and (value.type in _CHOOSING or len(written) > LONGEST_CALLEE):
            return ""
        kept = written if value.type in _INDEXES else without_arguments(written)
        plain = followed or plain_expression(tidy(kept, self._dialect.base_word).replace("?", "").replace("!", ""))
        plain = plain if len(plain) <= RECEIVER_CHARACTERS else ""
        is_said = plain.endswith((")", ">")) or "|" in plain
        return plain if is_said else f"={plain}" if plain else ""
