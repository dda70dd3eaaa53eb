"""Rust's ``use`` trees, flattened."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import MACRO, ImportFact, inside

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

_STANDARD = (
    "assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env"
    " eprint eprintln file format format_args include include_bytes include_str line macro_rules matches module_path"
    " option_env panic print println stringify thread_local todo unimplemented unreachable vec write writeln"
)
_STANDARD_MACROS = frozenset(_STANDARD.split())
_TOP_FILES = frozenset({"lib.rs", "main.rs"})
"""What the files at the top of a crate are called."""
_LONGEST_PATH = 300
_MOST_IMPORTS = 2_000
_HIGHEST = 200


def use_imports(node: "Node", page: Page) -> list[ImportFact]:
    """Return one import per leaf of a ``use`` tree, in source order."""
    argument = node.child_by_field_name("argument")
    is_reexport = page.text(node.start_byte, node.start_byte + 3) == "pub"
    facts: list[ImportFact] = []
    pending = [(argument, "")] if argument is not None else []
    while pending and len(facts) < _MOST_IMPORTS:
        leaf, outer = pending.pop()
        line = page.line(leaf.start_byte)
        if leaf.type == "use_list":
            pending.extend((child, outer) for child in reversed(leaf.named_children))
        elif leaf.type == "scoped_use_list":
            path, inner = leaf.child_by_field_name("path"), leaf.child_by_field_name("list")
            if inner is not None:
                pending.append((inner, _joined(outer, _path(path, page))))
        elif leaf.type == "use_wildcard":
            path = leaf.named_child(0) if leaf.named_child_count else None
            facts.append(ImportFact(_joined(outer, _path(path, page)), "*", "", 0, line, is_reexport))
        elif leaf.type == "use_as_clause":
            path, alias = leaf.child_by_field_name("path"), leaf.child_by_field_name("alias")
            facts.append(_fact(_joined(outer, _path(path, page)), _path(alias, page), line, is_reexport=is_reexport))
        elif "comment" not in leaf.type:
            facts.append(_fact(_joined(outer, _path(leaf, page)), None, line, is_reexport=is_reexport))
    return facts


def imports_inside(node: "Node", page: Page, path: str) -> list[ImportFact]:
    """Return the imports of a ``use`` as the file would say them, if it stands in modules in brackets.

    ``super`` is the file then, and so is ``crate`` in the file at the top of one. What is taken over from that as it is
    called there needs no import, unless all of it is passed on. Of modules around that one ``self`` is the file.
    """
    facts = use_imports(node, page)
    modules = _modules_around(node, page)
    depth = len(modules)
    if not depth:
        return facts
    found = []
    for said in facts:
        fact = said._replace(alias=inside(modules)) if said.name == "*" and said.is_reexport else said
        parts = fact.module.split("::")
        if parts[0] == "crate" and path.rpartition("/")[2] in _TOP_FILES:
            parts[:1] = ["super"] * depth
        above = next((row for row, part in enumerate(parts) if part != "super"), len(parts))
        if above < depth:
            is_near = fact.alias != said.alias and (above or parts[0] == "self")
            rest = parts[above or 1 :]
            near = "::".join(["self", *modules[: depth - above], *rest])
            found.append(fact._replace(module=near) if is_near else fact)
            continue
        module = "::".join([*(["super"] * (above - depth) or ["self"]), *parts[above:]])
        if module != "self" or said.name not in {"*", said.alias} or fact.alias != said.alias:
            found.append(fact._replace(module=module))
    return found


def _modules_around(node: "Node", page: Page) -> list[str]:
    """Return the names of the modules in brackets around a node, the outermost first."""
    names, around = list[str](), node.parent
    for _ in range(_HIGHEST):
        if around is None:
            break
        if around.type == "mod_item":
            names.append(page.of(name) if (name := around.child_by_field_name("name")) is not None else "")
        around = around.parent
    return names[::-1]


def macros_of(module: str, line: int) -> ImportFact:
    """Return what ``#[macro_use]`` before a module or crate takes in: its macros, and nothing else."""
    return ImportFact(module, "*", "", 1, line, is_reexport=False)


def macro_uses(called: "Iterable[Node]", page: Page, findings: Findings) -> list[tuple[int, str]]:
    """Return the calls of macros that the file neither defines nor imports, as (byte, path).

    A name without a path stands behind ``MACRO``.
    """
    known = {found.name for found in findings.definitions if found.kind == "macro"}
    known |= {fact.alias for fact in findings.imports} | _STANDARD_MACROS
    short = [node for node in called if node.end_byte - node.start_byte <= _LONGEST_PATH]
    named = [(node.start_byte, _path(node, page).replace("::", ".")) for node in short]
    return [(at, name if "." in name else f"{MACRO}.{name}") for at, name in named if name not in known]


def crate_import(node: "Node", page: Page) -> ImportFact:
    """Return the import of ``extern crate a as b``."""
    name = _path(node.child_by_field_name("name"), page)
    alias = _path(node.child_by_field_name("alias"), page) or name
    is_reexport = page.text(node.start_byte, node.start_byte + 3) == "pub"
    return ImportFact(name, "", alias, 0, page.line(node.start_byte), is_reexport)


def _path(node: "Node | None", page: Page) -> str:
    return "".join(page.of(node).split()).removeprefix("::") if node is not None else ""


def _joined(outer: str, inner: str) -> str:
    return f"{outer}::{inner}" if outer and inner else outer or inner


def _fact(path: str, alias: str | None, line: int, *, is_reexport: bool) -> ImportFact:
    module, separator, name = path.rpartition("::")
    if name == "self" and separator:
        module, name = "", module
        separator = ""
    if not separator:
        module, name = name, ""
    local = alias if alias is not None else (name or module.rpartition("::")[2])
    return ImportFact(module, name, "" if local == "_" else local, 0, line, is_reexport)
