"""Findings become facts: nesting by byte interval, qualified names, each symbol's own text."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.alternatives import alternatives
from ctxcode.codegraph.extract.findings import TEST, Definition, Findings, end_circles
from ctxcode.codegraph.extract.names.bare import LANGUAGES, add_bare
from ctxcode.codegraph.extract.names.hidden import hide_names
from ctxcode.codegraph.extract.names.inner_imports import Apart, inner_name, set_imports_apart
from ctxcode.codegraph.extract.names.looked_for import looked_for
from ctxcode.codegraph.extract.names.uses import Names, add_full_names, find_uses, of_namespace
from ctxcode.codegraph.extract.objects.handed import AT_LAST, add_known, behind_known, handed, taken_out
from ctxcode.codegraph.extract.objects.kept import KeptNames
from ctxcode.codegraph.extract.objects.own import add_own
from ctxcode.codegraph.extract.objects.reads import take_reads
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import (
    ASSERTED,
    FIXTURE,
    RETURNED,
    VALUE,
    BaseFact,
    BindingFact,
    FileFacts,
    PackedCalls,
    PackedUses,
    SymbolFact,
    joined_names,
    packed_calls,
    packed_uses,
)
from ctxcode.model.naming.folder import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

TEXT_CHARACTERS = 20_000
QUALNAME_CHARACTERS = 600

TYPE_KINDS = frozenset({"class", "interface", "trait", "struct", "enum", "extension"})
_OWNER_KINDS = TYPE_KINDS | {"variant"}
_HOLDING_FIELDS = TYPE_KINDS | {"type"}
_RENAMING = frozenset({"type", "macro"})
"""What is given as returned by them is what they stand for."""
_NAME_KINDS = frozenset({"constant", "variable", "type"})
_WITH_PACKAGES = frozenset({"java", "kotlin", "scala"})
"""Those whose packages are called in small letters; what stands in one can be said with it."""
_OPEN_KINDS = frozenset({"module", "namespace"})
_SCOPE_KINDS = frozenset({"function", "method"})


class Nesting:
    """Which definition each byte belongs to; 0 is the module, ``n`` the n-th definition by position."""

    def __init__(self, definitions: list[Definition], size_bytes: int) -> None:
        self.parents = [-1]
        self.bounds = [0]
        self.owners = [0]
        open_ends: list[tuple[int, int]] = [(size_bytes, 0)]
        for index, definition in enumerate(definitions, start=1):
            while len(open_ends) > 1 and open_ends[-1][0] <= definition.start:
                self._switch(open_ends.pop()[0], open_ends[-1][1])
            # What has a type that is defined in front of its name stands beside that: ``struct A {} a``.
            around = len(open_ends) - 1
            while around and open_ends[around][0] <= definition.header:
                around -= 1
            self.parents.append(open_ends[around][1])
            if definition.is_leaf:
                continue
            if around == len(open_ends) - 1:
                self._switch(definition.start, index)
            open_ends.insert(around + 1, (min(definition.end, open_ends[around][0]), index))
        while len(open_ends) > 1:
            self._switch(open_ends.pop()[0], open_ends[-1][1])

    def _switch(self, at: int, owner: int) -> None:
        if self.bounds[-1] == at:
            self.owners[-1] = owner
        else:
            self.bounds.append(at)
            self.owners.append(owner)

    def owner(self, at: int) -> int:
        """Return the innermost definition around a byte."""
        return self.owners[bisect_right(self.bounds, at) - 1]

    def own_texts(self, page: Page) -> list[str]:
        """Return each definition's own source, without the definitions nested in it."""
        pieces: list[list[str]] = [[] for _ in self.parents]
        text, whole = page.text, page.ascii
        for (start, end), owner in zip(pairwise([*self.bounds, len(page.source)]), self.owners, strict=True):
            cut = min(end, start + 4 * TEXT_CHARACTERS)
            pieces[owner].append(text(start, cut) if whole is None else whole[start:cut])
        return ["".join(parts)[:TEXT_CHARACTERS] for parts in pieces]


_AROUND = ("self.", "super.")


def assemble(
    findings: Findings, page: Page, root: "Node | None", place: tuple[str, str], parse_errors: int
) -> FileFacts:
    """Return the facts of one file, given its tree, if it has one, and its (language, path).

    Symbols stand in source order after the module.
    Everything is sorted here: the order of tree-sitter's captures differs from run to run.
    """
    language, path = place
    definitions = sorted(findings.definitions, key=attrgetter("start", "header", "name"))
    nesting = Nesting(definitions, len(page.source))
    parents = _with_containers(definitions, nesting.parents)
    kinds = _kinds(definitions, parents)
    apart: Apart = {}
    told = list[BindingFact]()
    if root is not None:
        findings.definitions = definitions
        if language in AT_LAST:
            findings.calls += handed(findings, page, root, language, path)
        hide_names(findings, page, root, language, (parents, kinds))
        if language == "python":
            take_reads(findings, page, root, nesting.owner)
        apart = set_imports_apart(findings, page, root, language)
        imported = {fact.alias for fact in findings.imports}
        told = alternatives(definitions, (parents, kinds), root, language, imported)
    named = taken_out(findings)
    symbols = _symbols(definitions, (parents, kinds), nesting.own_texts(page), page, _module(findings, page, path))
    # What a test is about, its calls and imports tell; of many repositories tests are the larger part.
    wanted = None if is_test_path(path) else looked_for(findings, definitions, (parents, kinds), language)
    bindings = (*_bindings(findings, definitions, nesting, (parents, kinds)), *told)
    known = behind_known(named, bindings, symbols, nesting.owner)
    return FileFacts(
        language=language,
        package=findings.package,
        symbols=symbols,
        calls=_calls(findings, nesting, page),
        imports=(*findings.imports, *findings.told_imports),
        bases=_bases(findings, definitions, nesting, (parents, kinds)),
        bindings=bindings,
        uses=_uses(page, root, wanted, (nesting, parents, kinds), (apart, language, findings), known),
        parse_errors=parse_errors,
        declared=_declared(findings, nesting, symbols),
    )


def _calls(findings: Findings, nesting: Nesting, page: Page) -> PackedCalls:
    """Return the calls in source order, the first of each name and receiver in each symbol."""
    if findings.arguments:
        return _calls_of_overloads(findings, nesting, page)
    bounds, owners, line_ends = nesting.bounds, nesting.owners, page.line_ends
    first: dict[tuple[int, str, str], int] = {}
    keep, row, edge, owner = first.setdefault, 0, 0, 0
    for at, name, receiver in sorted(findings.calls):
        if at >= edge:
            row = bisect_right(bounds, at, row)
            owner, edge = owners[row - 1], bounds[row] if row < len(bounds) else len(page.source) + 1
        keep((owner, name, receiver), at)
    return packed_calls(list(first), [bisect_right(line_ends, at) + 1 for at in first.values()])


def _calls_of_overloads(findings: Findings, nesting: Nesting, page: Page) -> PackedCalls:
    """Return the same where a name can mean several definitions: the first of each form of arguments, too."""
    bounds, owners, line_ends, shapes = nesting.bounds, nesting.owners, page.line_ends, findings.arguments
    first: dict[tuple[int, str, str, str], int] = {}
    keep, row, edge, owner = first.setdefault, 0, 0, 0
    for at, name, receiver in sorted(findings.calls):
        if at >= edge:
            row = bisect_right(bounds, at, row)
            owner, edge = owners[row - 1], bounds[row] if row < len(bounds) else len(page.source) + 1
        keep((owner, name, receiver, shapes.get(at, "")), at)
    lines = [bisect_right(line_ends, at) + 1 for at in first.values()]
    return packed_calls([key[:3] for key in first], lines, [key[3] for key in first])


def module_name(path: str) -> str:
    """Return a file's simple name; index files are called after their folder."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0] or name
    is_index = stem in {"__init__", "mod", "index"} and folder
    return folder.rpartition("/")[2] if is_index else stem


def _with_containers(definitions: list[Definition], parents: list[int]) -> list[int]:
    """Return the parents with methods moved to the type they name, where that type stands in the same scope or file."""
    types: dict[tuple[int, str], int] = {}
    for index, found in enumerate(definitions, start=1):
        if found.kind in TYPE_KINDS or found.kind == "type":
            types.setdefault((parents[index], found.name), index)
    moved = list(parents)
    for index, found in enumerate(definitions, start=1):
        if found.container and found.kind != TEST:
            places = [_walked(types, scope, found.container) for scope in (parents[index], 0)]
            # ``class A::A`` may be the only A there is.
            moved[index] = next((at for at in places if at not in {0, index}), parents[index])
        elif found.kind == "field" and parents[index] and definitions[parents[index] - 1].kind == "method":
            # What a constructor's parameter makes belongs to the class.
            moved[index] = parents[parents[index]]
    if any(moved[index] != parents[index] for index in types.values()):
        end_circles(moved, parents)
    return moved


def _walked(types: dict[tuple[int, str], int], scope: int, container: str) -> int:
    """Return the type a dotted name means in a scope; 0 for none."""
    for part in container.split("."):
        found = types.get((scope, part))
        if found is None:
            return 0
        scope = found
    return scope


def _kinds(definitions: list[Definition], parents: list[int]) -> list[str]:
    kinds = ["module", *("function" if found.kind == TEST else found.kind for found in definitions)]
    for index, found in enumerate(definitions, start=1):
        if found.kind == "function" and (found.container or kinds[parents[index]] in _OWNER_KINDS):
            kinds[index] = "method"
    return kinds


def _qualnames(definitions: list[Definition], parents: list[int], kinds: list[str]) -> list[str]:
    """Return each definition's qualified name, the module's first; very deep nesting keeps its outer part only."""
    names: list[str | None] = ["", *([None] * len(definitions))]
    for index in range(1, len(names)):
        chain = [index]
        while names[parents[chain[-1]]] is None:
            chain.append(parents[chain[-1]])
        for link in reversed(chain):
            found, parent = definitions[link - 1], parents[link]
            own = found.name
            if found.container and kinds[parent] not in TYPE_KINDS and kinds[parent] != "type":
                own = f"{found.container}.{own}"
            outer = (names[parent] or "")[:QUALNAME_CHARACTERS]
            names[link] = f"{outer}.{own}" if outer else own
    return [name or "" for name in names]


def _symbols(
    definitions: list[Definition], placed: tuple[list[int], list[str]], texts: list[str], page: Page, module: SymbolFact
) -> tuple[SymbolFact, ...]:
    parents, kinds = placed
    qualnames = _qualnames(definitions, parents, kinds)
    ends, make = page.line_ends, tuple.__new__
    symbols = [module._replace(text=texts[0])]
    for index, found in enumerate(definitions, start=1):
        first = bisect_right(ends, found.first) + 1
        header = bisect_right(ends, found.header) + 1
        last = bisect_right(ends, found.end - 1, header - 1) + 1
        header_end = bisect_right(ends, found.header_end - 1, header - 1) + 1
        lines = (first, last, header, header_end)
        named = (found.name, qualnames[index], kinds[index])
        said = (found.signature, found.doc, found.decorators, found.visibility)
        symbols.append(make(SymbolFact, (*named, *lines, *said, parents[index], texts[index])))
    return tuple(symbols)


def _declared(findings: Findings, nesting: Nesting, symbols: tuple[SymbolFact, ...]) -> str:
    """Return what is declared for other files to define, with the namespaces around it."""
    names = list[str]()
    for at, name in findings.declared:
        around = symbols[nesting.owner(at)]
        if around.kind in _OPEN_KINDS:
            names.append(f"{around.qualname}.{name}" if around.qualname else name)
    return joined_names(names)


def _module(findings: Findings, page: Page, path: str) -> SymbolFact:
    return SymbolFact(
        name=module_name(path),
        qualname="",
        kind="module",
        start_line=1,
        end_line=page.last_line,
        header_line=1,
        header_end_line=1,
        signature="",
        doc=findings.doc,
        decorators=findings.decorators,
        visibility="public",
        parent=-1,
        text="",
    )


def _bases(
    findings: Findings, definitions: list[Definition], nesting: Nesting, placed: tuple[list[int], list[str]]
) -> tuple[BaseFact, ...]:
    by_header: dict[int, int] = {}
    for index, found in enumerate(definitions, start=1):
        by_header.setdefault(found.header, index)
    rows = [(at, name) for at, name in sorted(findings.bases, key=itemgetter(0)) if at in by_header]
    facts = [BaseFact(by_header[at], name, findings.base_lines.get((at, name), 0)) for at, name in rows]
    said = _said_of(findings, definitions, nesting, placed) if findings.bases_by_name else []
    facts += [BaseFact(index, name) for index, _, name in said if index]
    elsewhere = [(of, name) for index, of, name in said if not index]
    facts += [BaseFact(0, f"{of}{ASSERTED}{name}") for of, name in (*findings.asserted, *elsewhere)]
    return tuple(dict.fromkeys(facts))


def _said_of(
    findings: Findings, definitions: list[Definition], nesting: Nesting, placed: tuple[list[int], list[str]]
) -> list[tuple[int, str, str]]:
    """Return (type, its name, name of a base) for what blocks of Rust say of types by their names.

    A name means what stands in the module around, or in one around that unless it is imported; 0 for what is not there.
    """
    (parents, kinds), types = placed, dict[tuple[int, str], int]()
    for index, found in enumerate(definitions, start=1):
        if kinds[index] in TYPE_KINDS or kinds[index] in {"namespace", "type"}:
            types.setdefault((parents[index], found.name), index)
    imported = {fact.alias for fact in findings.imports}
    said = list[tuple[int, str, str]]()
    for at, (written, of), name in findings.bases_by_name:
        scope, path = nesting.owner(at), written
        while scope and path.startswith(_AROUND):
            scope, path = (parents[scope] if path.startswith("super.") else scope), path.partition(".")[2]
        heir = _walked(types, scope, path)
        while not heir and scope > 0 and path.partition(".")[0] not in imported:
            scope = parents[scope]
            heir = _walked(types, scope, path)
        said.append((heir, of, name))
    return said


def _bindings(
    findings: Findings, definitions: list[Definition], nesting: Nesting, placed: tuple[list[int], list[str]]
) -> tuple[BindingFact, ...]:
    """Return bindings with their scope: the innermost definition, the type for its fields."""
    parents, kinds = placed
    facts: list[tuple[int, BindingFact]] = []
    make = tuple.__new__
    owner, local = nesting.owner, (findings.parameters, findings.bindings)
    kept = KeptNames(lambda: ((owner(at), name, of) for rows in local for at, name, of in rows if "." not in name))
    for at, name, type_name in findings.parameters:
        scope = nesting.owner(at)
        if kinds[scope] in {"function", "method"} or (name == RETURNED and kinds[scope] in _RENAMING):
            facts.append((at, make(BindingFact, (scope, name, type_name))))
    for at, name, type_name in (*findings.bindings, *findings.attributes):
        scope = nesting.owner(at)
        # A field of a struct without a name, ``{0}.price``, stands where the name does that is of the struct.
        while scope > 0 and kinds[scope] in _NAME_KINDS and (definitions[scope - 1].name == name or name[:1] == "{"):
            scope = parents[scope]
        is_field, around = name.startswith("self."), list[int]()
        while is_field and scope > 0 and kinds[scope] not in _HOLDING_FIELDS:
            around.append(scope)
            scope = parents[scope]
        said = kept.said(type_name, around) if around and "|" in type_name and "=" in type_name else type_name
        if is_field and scope <= 0:
            continue
        field_name = f"self.{name}" if not is_field and kinds[scope] in TYPE_KINDS else name
        facts.append((at, make(BindingFact, (scope, field_name, said))))
    # What is being typed may have no name yet.
    return tuple(dict.fromkeys(fact for _, fact in sorted(facts) if fact.name and fact.type))


def _uses(
    page: Page,
    root: "Node | None",
    names: Names | None,
    placed: tuple[Nesting, list[int], list[str]],
    said: tuple[Apart, str, Findings],
    handed_on: Iterable[tuple[int, int, str]],
) -> PackedUses:
    """Return the uses of names that no function around them gives to something of its own, and those ``handed_on``."""
    if root is None:
        return PackedUses()
    nesting, parents, kinds = placed
    apart, language, findings = said
    if names is None:
        asked = dict(sorted([((nesting.owner(at), name), at) for at, name in findings.uses if name[0] == FIXTURE]))
        return packed_uses(list(asked), [bisect_right(page.line_ends, at) + 1 for at in asked.values()])
    uses = find_uses(page, root, names, nesting.owner)
    if language in LANGUAGES:
        add_bare(uses, page, names, (language, root, findings.bare), nesting.owner)
    if language in _WITH_PACKAGES:
        add_full_names(uses, page, root, nesting.owner)
    add_own(uses, page, root, (language, names.methods), nesting.owner)
    add_known(uses, handed_on)
    for at, chain in sorted(findings.uses):
        uses.first.setdefault((nesting.owner(at), chain), at)
    found, bound = [], {name for _, name in uses.bound}
    for (owner, chain), at in uses.first.items():
        name = chain.partition(".")[0]
        scope = owner if name in bound else 0
        while scope > 0 and ((scope, name) not in uses.bound or (scope != owner and kinds[scope] not in _SCOPE_KINDS)):
            scope = parents[scope]
        if scope <= 0 or (owner, chain) in uses.types:
            mark = VALUE if (owner, chain) in uses.values else ""
            meant = of_namespace(page.source, at, chain) if language == "php" else inner_name(apart, at, chain)
            found += [(at, owner, f"{mark}{meant}")] if meant else []
    found.sort()
    line_ends = page.line_ends
    lines = [bisect_right(line_ends, at) + 1 for at, _, _ in found]
    return packed_uses([(owner, chain) for _, owner, chain in found], lines)
