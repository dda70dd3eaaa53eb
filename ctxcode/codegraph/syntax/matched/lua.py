"""What is left to say of Lua: names with their tables, what a file requires."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.names.occurrences import occurrences
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.lua_tables import inherited_in, made, raise_tables, returned
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Match, Shape, any_comment
from ctxcode.codegraph.syntax.narrowed.given import tell_apart
from ctxcode.codegraph.syntax.narrowed.giving import Language, Place
from ctxcode.codegraph.syntax.narrowed.renaming import Held, Region, rename

if TYPE_CHECKING:
    from tree_sitter import Node

_REQUIRE = re.compile(r"""(?:local\s+([\w]+)\s*(?:<\w+>\s*)?=\s*)?require\s*\(?\s*["']([^"']+)["']\s*\)?\s*(\.\w+)?""")

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_WORDS = frozenset({"false", "nil", "true"})
_ASSIGNED = "assignment_statement"
_AHEAD = re.compile(rb"\s*(?:=(?!=)|[,)<;]|in\b|if\b)|[ \t]*[\r\n]")
_GOING_ON = frozenset(b"(.:[")
"""What follows no name that is given something."""
_LOOPED = frozenset({"for_generic_clause", "for_numeric_clause", "parameters"})
_MADE = re.compile(rb"\b([A-Za-z_]\w*+)\s*+=\s*+(?:[\w.:]{1,100}[.:]new\b|setmetatable\b)")
_TAKING_SELF = re.compile(rb"\bfunction\b[ \t]*+(?:[\w.:]{1,100}[ \t]*+)?\([ \t]*+self\b")
_FUNCTION_NODES = frozenset({"function_declaration", "function_definition"})
_MAKER = ".new"
_FUNCTIONS = frozenset({"function", "method"})
_SEVERAL, _MOST_MADE = 2, 5
_MOST_NAMES = 60
_LONGEST = 200


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    """Return the last name of ``a.b:c``, ``a["c"]`` or of a key, ``c = …``; the table it stands in is its container."""
    last, table = node, None
    is_key = node.parent is not None and node.parent.type == "field"
    if node.type != "identifier":
        table = None if is_key else node.child_by_field_name("table")
        last = node.child_by_field_name("field") or node.child_by_field_name("method") or node
        if last.type == "dot_index_expression":
            last = last.child_by_field_name("field") or last
    name = page.of(last)
    if last.type == "string":
        name = name.strip("\"'[]")
        name = name if len(name) < _LONGEST and name.isprintable() else ""
    elif last.type != "identifier":
        name = name if table is not None else ""
    if is_key and node.parent is not None and node.type != "dot_index_expression":
        table = _table_around(node.parent)
    return last, name, re.split(r"[.:]", page.of(table))[-1] if table is not None else ""


def _table_around(field: "Node") -> "Node | None":
    """Return the name of the table that a field is written in, if it is given to one name at the top of the file."""
    values = field.parent.parent if field.parent is not None else None
    around = values.parent if values is not None and values.named_child_count == 1 else None
    names = around.named_child(0) if around is not None and around.type == "assignment_statement" else None
    name = names.named_child(0) if names is not None and names.named_child_count == 1 else None
    outer = around.parent if around is not None else None
    outer = outer.parent if outer is not None and outer.type == "variable_declaration" else outer
    is_at_top = outer is not None and outer.type == "chunk"
    return name if is_at_top and name is not None and name.type == "identifier" else None


def _refined(kind: str, node: "Node", page: Page) -> str:
    """Leave out variables that are a ``require`` or a function, which say so themselves."""
    if kind != "variable":
        return kind
    return "" if _REQUIRE.match(page.of(node)[:300]) else kind


def _visibility(shape: Shape) -> str:
    is_local = shape.node.type == "variable_declaration" or shape.modifiers.lstrip().startswith("local")
    is_local = is_local or shape.name.startswith("_")
    return "private" if is_local else "public"


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    found = _REQUIRE.match(page.of(node)[:300])
    if found is None:
        return []
    member = (found[3] or "").lstrip(".")
    return [ImportFact(found[2], member, found[1] or "", 0, page.line(node.start_byte), is_reexport=False)]


def _kept(call: "Node", page: Page) -> str:
    """Return what a name is bound to that a call is given to: the table it makes an object of, or ``Cart.new()``."""
    name = call.child_by_field_name("name")
    called = page.of(name)[:_LONGEST].replace(":", ".") if name is not None else ""
    if table := made(call, page):
        return f"={table}"
    return f"{called}()" if called.endswith(_MAKER) and _DOTTED.fullmatch(called) else ""


def _paired(names: "Node", values: "Node", page: Page) -> list[tuple[int, str, str]]:
    """Return (byte, name, what it is the same as) of ``local a, b = m.f, g``; ``=`` alone for what is more."""
    if len(names.named_children) > _MOST_NAMES:
        return []
    found = []
    for row, name in enumerate(names.named_children):
        value = values.named_children[row] if row < len(values.named_children) else None
        if value is not None and value.type == "function_call":
            found += [(name.start_byte, page.of(name), kept)] if (kept := _kept(value, page)) else []
            continue
        text = page.of(value)[:_LONGEST] if value is not None else ""
        if name.type == "identifier" and _DOTTED.fullmatch(text) and text not in _WORDS:
            found.append((name.start_byte, page.of(name), f"={text}"))
    return found


def _said(value: "Node", page: Page) -> str:
    """Return what a name is bound to that is given a value."""
    if value.type == "function_call":
        return _kept(value, page)
    text = page.of(value)[:_LONGEST]
    return f"={text}" if _DOTTED.fullmatch(text) and text not in _WORDS else ""


def _places(names: set[str], page: Page, root: "Node") -> Iterator[Place]:
    """Yield where local names are given something."""
    for at, name in occurrences(page.source, {name.encode(): name for name in names}, going_on=_GOING_ON):
        end = at + len(name)
        node = root.descendant_for_byte_range(at, end) if _AHEAD.match(page.source, end) else None
        around = node.parent if node is not None and node.type == "identifier" else None
        if node is None or around is None:
            continue
        clause = around if around.type in _LOOPED else around.parent
        if clause is not None and clause.type in _LOOPED:
            yield Place(node, end=clause.parent.end_byte if clause.parent is not None else 0)
        elif around.type == "variable_list" and around.parent is not None:
            yield _assigned(node, around, around.parent)


def _assigned(name: "Node", names: "Node", around: "Node") -> Place:
    """Return the place of a name in a list of them."""
    values = around.named_children[-1] if around.type == _ASSIGNED else None
    given = values.named_children if values is not None else []
    row = names.named_children.index(name) if names.named_child_count <= _MOST_NAMES else _MOST_NAMES
    declared = around.parent if around.type == _ASSIGNED else around
    block = declared.parent if declared is not None and declared.type == "variable_declaration" else None
    return Place(
        name,
        given[row] if row < len(given) else None,
        behind=around.end_byte,
        end=block.end_byte if block is not None else 0,
        is_bare=values is None,
    )


def _finish(findings: Findings, matches: list[tuple[int, Match]], page: Page) -> None:
    raise_tables(findings, matches, page)
    _join_fields(findings)


def _hide_self(findings: Findings, page: Page, root: "Node") -> None:
    """Tell what functions inside of others take as their own ``self`` from what the method around is called on.

    Those that a table is given by its name are its methods.
    """
    regions, hidden = list[Region](), False
    for match in _TAKING_SELF.finditer(page.source):
        word = root.descendant_for_byte_range(match.start(), match.start() + 1)
        function = word.parent if word is not None else None
        around = page.around(function) if function is not None and function.type in _FUNCTION_NODES else ()
        if function is None or not any(each.type in _FUNCTION_NODES for each in around):
            continue
        assigned = around[-2] if len(around) > 1 and around[-2].type == _ASSIGNED else None
        names = assigned.named_child(0) if assigned is not None else None
        name = names.named_child(0) if names is not None else function.child_by_field_name("name")
        is_method = name is not None and name.type != "identifier"
        hidden = hidden or not is_method
        held = "=self" if is_method else ""
        regions.append(Region(*function.byte_range, Held(match.start(), "self", held, is_other=True)))
    if hidden:
        rename(findings, regions)


def _settle(findings: Findings, page: Page, root: "Node", returned: Mapping[tuple[int, str], list[int]]) -> None:
    """Tell apart what functions make and give to one name after the other."""
    del returned
    _hide_self(findings, page, root)
    made = {match[1].decode() for match in _MADE.finditer(page.source)}
    said = {receiver.partition(".")[0].partition(":")[0] for _, _, receiver in findings.calls} & made if made else made
    if said:
        tell_apart(findings, page, _LANGUAGE, _places(said, page, root))


def _join_fields(findings: Findings) -> None:
    """Bind fields to all that the functions of a table make for them, ``A.new()|B.new()``; to nothing beyond a few."""
    if len(findings.attributes) < _SEVERAL:
        return
    functions = sorted((one.first, -one.end, one.container) for one in findings.definitions if one.kind in _FUNCTIONS)
    tables = Regions([(first, -end, table) for first, end, table in functions])
    made: dict[tuple[str, str], dict[str, int]] = {}
    for at, name, said in sorted(findings.attributes):
        made.setdefault((tables.name(at), name), {}).setdefault(said, at)
    findings.attributes = [
        (min(each.values()), name, "|".join(each)) for (_, name), each in made.items() if len(each) <= _MOST_MADE
    ]


_LANGUAGE = Language(
    functions=frozenset({"function_declaration", "function_definition"}),
    inner=frozenset({"function_declaration", "function_definition"}),
    choosing=frozenset({"if_statement"}),
    branches=frozenset({"block"}),
    passing=frozenset({"else_statement", "elseif_statement"}),
    last=frozenset({"else_statement"}),
    loops=frozenset({"for_statement", "repeat_statement", "while_statement"}),
    chosen={"binary_expression": 1},
    leaving=re.compile(rb"(?:return|error)\b"),
    nothing=frozenset({"false", "function_definition", "nil", "number", "string", "table_constructor", "true"}),
    reads=_said,
)
LUA = Dialect(
    is_doc=any_comment,
    visibility=_visibility,
    imports=_imports,
    declared=_declared,
    refined=_refined,
    finish=_finish,
    settle=_settle,
    paired=_paired,
    given=_kept,
    returned=returned,
    read_on=inherited_in,
)
