"""Methods of an object's own that it names without calling them: ``call_soon(self.tick)``, ``self.size``."""

import re
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from ctxcode.codegraph.extract.names.uses import Uses
    from ctxcode.codegraph.extract.page import Page

OWN = "self"
"""What begins their names, whatever a language calls the object."""
_ECMASCRIPT = re.compile(rb"\bthis\.([A-Za-z_$][\w$]*+)(?!\s*[(=])")
# What a pattern begins with is looked for quickly, but at the ends of words too.
_PYTHON = tuple(
    re.compile(name + rb"\.(?<!\w" + name + rb"\.)([A-Za-z_]\w*+)(?!\s*(?:\(|=[^=]))") for name in (b"self", b"cls")
)
_CSHARP = "csharp"
_OF_CSHARP = re.compile(
    rb"\bthis\.([A-Z]\w*+)(?=\s*[),;}])"
    rb"|(?:\bnew\s+[\w.]{0,200}Handler\(\s*(?:this\.)?|[+-]=\s*this\.)([a-z_]\w*+)(?=\s*[);])"
)
"""What is given to something: whether it is a method, another part of the class or what it inherits from may say."""
_PATTERNS = {
    "python": _PYTHON,
    "javascript": (_ECMASCRIPT,),
    "typescript": (_ECMASCRIPT,),
    "tsx": (_ECMASCRIPT,),
    _CSHARP: (_OF_CSHARP,),
}
_DECLARED = re.compile(rb"(?<=[\w>\]?)])\s++([a-z_]\w*+)\s*+(?==[^=]|[;,)(]|in\b)|(?<![\w.])([a-z_]\w*+)\s*+\)?\s*+=>")
"""What a member of C# may give a name to inside of itself: variables, parameters, functions."""
_OF_CLASS = frozenset({"declaration_list"})
_GO = "go"
_RECEIVER = re.compile(rb"^func[ \t]*\([ \t]*([A-Za-z_]\w*)[ \t]+[^)\n]*\)", re.MULTILINE)
_OF_METHODS = frozenset({"method_definition", "field_definition", "public_field_definition", "class_static_block"})
_OF_FUNCTIONS = frozenset({"function_declaration", "function_expression", "generator_function", "function"})
"""Of JavaScript, in which ``this`` is another object."""
_BODIES = frozenset({"class_body"})
_PARENTS = frozenset({"argument", "attribute", "member_access_expression", "member_expression", "selector_expression"})
_MOST_HITS = 20_000


def add_own(
    uses: "Uses", page: "Page", root: "Node", said: tuple[str, frozenset[str]], owner_of: Callable[[int], int]
) -> None:
    """Add what objects name of their own, given (the language, the names of methods in the file)."""
    language, methods = said
    is_open = language == _CSHARP
    patterns = _patterns(language, page.source) if methods or is_open else ()
    wanted = {name.encode() for name in methods}
    found = [
        match
        for pattern in patterns
        for match in islice(pattern.finditer(page.source), _MOST_HITS)
        if is_open or match[match.lastindex or 1] in wanted
    ]
    if len(patterns) > 1:
        found.sort(key=re.Match.start)
    inner: dict[int, set[bytes]] = {}
    for match in found:
        name, at = match[match.lastindex or 1], match.start(match.lastindex or 1)
        key = owner_of(at), f"{OWN}.{name.decode()}"
        if key in uses.first:
            continue
        parent = _around(root, at)
        if parent is None or parent.type not in _PARENTS or not _is_own(parent, language, match):
            continue
        if not is_open or parent.type != "argument" or name not in _inside(parent, inner):
            uses.first[key] = match.start()


def _patterns(language: str, source: bytes) -> "tuple[re.Pattern[bytes], ...]":
    if language != _GO:
        return _PATTERNS.get(language, ())
    names = sorted({match[1] for match in _RECEIVER.finditer(source)} - {b"_"})
    return (re.compile(rb"\b(" + b"|".join(names) + rb")\.([A-Za-z_]\w*+)(?![ \t]*[(=])"),) if names else ()


def _around(root: "Node", at: int) -> "Node | None":
    node = root.descendant_for_byte_range(at, at + 1)
    return node.parent if node is not None else None


def _inside(node: "Node", known: dict[int, set[bytes]]) -> set[bytes]:
    """Return what the member of a class of C# around a node gives names to inside of itself; each is read once."""
    member, around = node, node.parent
    while around is not None and around.type not in _OF_CLASS:
        member, around = around, around.parent
    if member.id not in known:
        parts = member.child_by_field_name("parameters"), member.child_by_field_name("body")
        said = b" ".join(part.text or b"" for part in parts if part is not None)
        known[member.id] = {name for found in _DECLARED.finditer(said) for name in found.groups() if name}
    return known[member.id]


def _is_own(node: "Node", language: str, match: re.Match[bytes]) -> bool:
    """Return whether what stands before the dot is the object that the method around is called on."""
    if language in {"python", _CSHARP}:
        return True
    around = node.parent
    while around is not None:
        if language == _GO:
            if around.type == "method_declaration":
                receiver = around.child_by_field_name("receiver")
                return (
                    receiver is not None and re.search(rb"\(\s*" + match[1] + rb"\s", receiver.text or b"") is not None
                )
        elif around.type in _OF_FUNCTIONS:
            return False
        elif around.type in _OF_METHODS:
            return around.parent is not None and around.parent.type in _BODIES
        around = around.parent
    return False
