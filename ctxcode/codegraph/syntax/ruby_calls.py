"""What calls of Ruby say: which method is called, and what the words of the language define, mix in and require."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import first_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ctxcode.codegraph.syntax.matched.dialect import Match

_CALLED = frozenset({"constant", "identifier"})
_CONSTANTS = frozenset({"constant", "scope_resolution"})
_SYMBOL = "simple_symbol"
_READERS = frozenset({"attr_accessor", "attr_reader", "attr_writer"})
_HANDED_ON = {"def_delegators": "all", "def_instance_delegators": "all", "def_delegator": "last"}
_HANDED_ON["def_instance_delegator"] = "last"
_MADE = frozenset({"alias_method", "define_method", "scope"})
_MIXING = frozenset({"extend", "include", "prepend"})
_REQUIRING = frozenset({"autoload", "load", "require", "require_relative"})
_DELEGATE = "delegate"
_ASSIGNED_AGAIN, _LISTED = "operator_assignment", "left_assignment_list"
_ASSIGNED = frozenset({"assignment", _ASSIGNED_AGAIN})
_WORDS = _READERS | _MADE | _MIXING | _REQUIRING | {*_HANDED_ON, _DELEGATE}
_LONGEST = 40
_FEW = frozenset({2, 3})


def called_in(match: "Match") -> "Iterator[Match]":
    """Yield what a call, captured as ``unread``, says in the form of the matches of a query that says it all."""
    call = match["unread"][0]
    word, receiver = call.child_by_field_name("method"), call.child_by_field_name("receiver")
    if word is None or word.type not in _CALLED:
        return
    said = {"site": [call], "called": [word], "word_named": [word]}
    if receiver is None:
        yield said
    else:
        yield from ({**said, **way, "receiver": [receiver]} for way in _ways(call, word))
    name = word.text.decode("utf-8", "replace") if word.end_byte - word.start_byte < _LONGEST and word.text else ""
    given = call.child_by_field_name("arguments") if name in _WORDS else None
    arguments = [node for node in given.named_children if node.type != "comment"] if given is not None else []
    if arguments:
        for each in _said(name, call, arguments):
            yield {**each, "word": [word]}


def _ways(call: "Node", word: "Node") -> "Iterator[Match]":
    """Yield how a method of an object is called: to read what it has, to give it another, or both."""
    around = call.parent if call.end_byte == word.end_byte and word.type != "constant" else None
    kind = around.type if around is not None else ""
    is_written = kind in _ASSIGNED and around is not None and around.named_children[0] == call
    is_written = is_written or kind == _LISTED
    if not is_written or kind == _ASSIGNED_AGAIN:
        yield {}
    if is_written:
        yield {"written": [word]}


def _said(name: str, call: "Node", arguments: list["Node"]) -> "Iterator[Match]":
    """Yield what a word of the language says with its arguments."""
    if name in _MIXING:
        for base in arguments:
            if base.type in _CONSTANTS:
                yield {"mixed": [call], "base": [base]}
    elif name in _REQUIRING:
        kinds = [each.type for each in arguments[:2]]
        if kinds == [_SYMBOL, "string"] if name == "autoload" else kinds[0] == "string":
            yield {"import": [call]}
    elif name in _READERS:
        for argument in arguments:
            text = first_named(argument) if argument.type == "string" and argument.named_child_count == 1 else None
            yield from _named("field", call, argument if text is None else text)
    else:
        for argument in _methods(name, call, arguments):
            yield from _named("method", call, argument)


def _named(kind: str, call: "Node", name: "Node") -> "Iterator[Match]":
    if name.type in {_SYMBOL, "string_content"}:
        yield {kind: [call], "name": [name]}


def _methods(name: str, call: "Node", arguments: list["Node"]) -> list["Node"]:
    """Return the arguments that name methods."""
    if name in _MADE:
        return arguments[:1]
    if call.child_by_field_name("receiver") is not None:
        return []
    if name == _DELEGATE:
        return arguments if _is_delegated(arguments) else []
    if _HANDED_ON[name] == "all":
        return arguments[1:]
    return arguments[-1:] if len(arguments) in _FEW else []


def _is_delegated(arguments: list["Node"]) -> bool:
    """Whether methods are handed on under their own names: with a prefix they have others."""
    keys = [pair.named_children[0].text or b"" for pair in arguments if pair.type == "pair"]
    names = {key.strip(b":") for key in keys}
    return b"to" in names and b"prefix" not in names
