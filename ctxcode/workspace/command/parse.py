"""Command lines read with bash's grammar, and only the plainest taken at their word."""

import re
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Parser

from ctxcode.model.command.shape import MOST_CHARS, Doubt, ParsedCommand

_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_PLAIN_QUOTED = re.compile(r"[^\\$`!\"\x00-\x1f\x7f-\x9f]*")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_DOUBTS = {
    "pipeline": Doubt.SEVERAL,
    "list": Doubt.SEVERAL,
    "command_substitution": Doubt.SUBSTITUTION,
    "process_substitution": Doubt.SUBSTITUTION,
    "simple_expansion": Doubt.EXPANSION,
    "expansion": Doubt.EXPANSION,
    "arithmetic_expansion": Doubt.EXPANSION,
    "concatenation": Doubt.EXPANSION,
    "ansi_c_string": Doubt.EXPANSION,
    "translated_string": Doubt.EXPANSION,
    "brace_expression": Doubt.EXPANSION,
    "extglob_pattern": Doubt.EXPANSION,
    "redirected_statement": Doubt.REDIRECT,
    "file_redirect": Doubt.REDIRECT,
    "heredoc_redirect": Doubt.REDIRECT,
    "herestring_redirect": Doubt.REDIRECT,
    "variable_assignment": Doubt.ASSIGNMENT,
    "declaration_command": Doubt.ASSIGNMENT,
    "unset_command": Doubt.ASSIGNMENT,
}
_LEAVES = ("word", "number", "raw_string", "string", "concatenation", "simple_expansion", "expansion")
_KNOWN = frozenset(
    {"program", "command", "command_name", "string_content", "comment", "variable_name", *_LEAVES, *_DOUBTS}
)


def parse_command(text: str) -> ParsedCommand:
    """Return a command's words and every reason not to take them at their word."""
    doubts: list[Doubt] = []
    if _HIDDEN.search(text):
        doubts.append(Doubt.HIDDEN)
    if not text.strip() or len(text) > MOST_CHARS:
        return ParsedCommand(text, (), (*doubts, Doubt.UNREADABLE))
    text = text.strip()
    root = _parser().parse(text.encode("utf-8", "replace")).root_node
    if root.has_error:
        doubts.append(Doubt.UNREADABLE)
    commands = 0
    for node in _nodes(root):
        commands += node.type == "command"
        if (doubt := _DOUBTS.get(node.type)) is not None:
            doubts.append(doubt)
        elif node.is_named and node.type not in _KNOWN:
            doubts.append(Doubt.CONSTRUCT)
    if commands > 1 or "\n" in text or any(not child.is_named for child in root.children):
        doubts.append(Doubt.SEVERAL)
    leaves = list(_leaves(root))
    if not doubts and (len(root.children) != 1 or root.children[0].type != "command" or root.children[0].start_byte):
        doubts.append(Doubt.CONSTRUCT)
    if not doubts and not all(_is_plain(leaf) for leaf in leaves):
        doubts.append(Doubt.EXPANSION)
    return ParsedCommand(text, tuple(_word(leaf) for leaf in leaves), tuple(dict.fromkeys(doubts)))


@cache
def _parser() -> Parser:
    import tree_sitter_bash  # noqa: PLC0415 - most sessions run no command

    return Parser(Language(tree_sitter_bash.language()))


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.children)


def _leaves(node: Node) -> Iterator[Node]:
    """Yield the nodes that are words, in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type in _LEAVES:
            yield current
            if current.type not in ("string", "concatenation"):
                continue
            waiting.extend(child for child in reversed(current.children) if child.type not in _LEAVES)
        else:
            waiting.extend(reversed(current.children))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _word(leaf: Node) -> str:
    text = _text(leaf)
    return text[1:-1] if leaf.type in ("raw_string", "string") else text


def _is_plain(leaf: Node) -> bool:
    """Tell a word that means the same to every shell."""
    text = _text(leaf)
    if leaf.type == "raw_string":
        return "\n" not in text
    if leaf.type == "string":
        return text[:1] == text[-1:] == '"' and len(text) > 1 and bool(_PLAIN_QUOTED.fullmatch(text[1:-1]))
    return leaf.type in ("word", "number") and bool(_PLAIN.fullmatch(text))
