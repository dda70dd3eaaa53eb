"""What symbols of Ruby name: methods of the class they stand in, of what something is sent to, of each of a collection.

Only where a word says that a symbol is a method's name; keys, columns and associations are symbols, too.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import EACH, ITSELF
from ctxcode.codegraph.extract.objects.own import OWN
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.references import LONGEST_CALLEE
from ctxcode.codegraph.syntax.matched.dialect import Match, Named
from ctxcode.codegraph.syntax.notation import tidy
from ctxcode.codegraph.syntax.ruby_words import constant_path, expression

if TYPE_CHECKING:
    from tree_sitter import Node

_SENDING = frozenset({"__send__", "method", "public_method", "public_send", "send", "try", "try!"})
_PAST_PRIVATE = frozenset({"__send__", "send"})
"""Those of them by which private methods are called."""
_GIVING_ITSELF = frozenset({"tap", "then", "yield_self"})
"""What gives a block the very object that it is called on."""
_CALLBACK = re.compile(r"(?:(?:append|prepend|skip)_)?(?:after|around|before)_\w+|helper_method|layout|validate")
"""What is given the names of methods of the class around."""
_ASKING = re.compile(r"rescue_from|validates\w*")
"""What is so only by ``if:`` and the like."""
_HOOKING = frozenset({"set_callback", "skip_callback"})
"""What is given an event, and when, first."""
_DELEGATING = frozenset({"def_delegator", "def_delegators", "delegate"})
_MANY = frozenset({"embeds_many", "has_and_belongs_to_many", "has_many"})
_ASSOCIATING = _MANY | {"belongs_to", "embeds_one", "has_one"}
"""What is given the name of another model, or that of several."""
_OTHERWISE_NAMED = frozenset({"polymorphic", "source"})
"""What is said of an association whose name is not that of a model."""
_ENDS = {
    "ies": "y",
    "sses": "ss",
    "xes": "x",
    "ches": "ch",
    "shes": "sh",
    "ss": "ss",
    "tuses": "tus",
    "us": "us",
    "s": "",
}
"""What plurals end in, and the words they are of."""
_PEOPLE = {"children": "child", "men": "man", "people": "person", "women": "woman"}
_CLASS_NAME = re.compile(r"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*")
_OPTIONS = frozenset({"if", "unless", "with"})
_CLASSES = frozenset({"self", "base"})
"""What stands for a class where it is told what to run; ``base`` by custom for who includes a module."""
_CONSTANT = re.compile(r"[A-Z]\w*(?:\.[A-Z]\w*)*")
_SYMBOL = re.compile(r":@?[^\W\d]\w*[?!]?")
_LISTS = frozenset({"array", "splat_argument", "symbol_array"})
_BEFORE = {"call back": 0, "hook": 2}
"""How many symbols stand before those that name methods, by how a word takes them."""
_NOTHING = Named((), ())
_Symbols = list[tuple[int, str]]
"""(byte, name) of each."""


def named_by_symbols(match: Match, page: Page) -> Named:
    """Return what the symbols of a match name."""
    if "aliased" in match:
        return _again(match["aliased"], page)
    arguments = match["site"][0].child_by_field_name("arguments") if "site" in match else None
    if arguments is None:
        return _NOTHING
    word = page.of(match["called"][0])
    way = _way(word)
    if not way:
        return _passed(word, arguments, match, page)
    if way == "alias":
        return _again([node for node in arguments.named_children[1:2] if node.type == "simple_symbol"], page)
    if way == "send":
        return _sent(arguments, match, page)
    receivers = match.get("receiver", ())
    if receivers and page.of(receivers[0]) not in _CLASSES:
        return _NOTHING
    if way == "delegate":
        return _delegated(word, arguments, page)
    if way == "associate":
        return _associated(word, arguments, page)
    symbols = _symbols(arguments, page)[_BEFORE[way] :] if way in _BEFORE else []
    return _own([*symbols, *_optional(arguments, page)])


@lru_cache(10_000)
def _way(word: str) -> str:
    """Return how a word takes symbols; empty for how most do."""
    if word in _SENDING:
        return "send"
    if word == "alias_method":
        return "alias"
    if word in _HOOKING:
        return "hook"
    if word in _DELEGATING:
        return "delegate"
    if word in _ASSOCIATING:
        return "associate"
    if _CALLBACK.fullmatch(word):
        return "call back"
    return "ask" if _ASKING.fullmatch(word) else ""


def _again(names: Iterable["Node"], page: Page) -> Named:
    """Return what names of methods mean that get other ones; those may be signs."""
    return _own([(name.start_byte, page.of(name).lstrip(":")) for name in names])


def _own(symbols: _Symbols) -> Named:
    return Named((), [(at, f"{OWN}.{name}") for at, name in symbols if name[0] != "@"])


def _sent(arguments: "Node", match: Match, page: Page) -> Named:
    """Return the call of what is sent to an object, ``cart.send(:add)``; in brackets is what else it is sent."""
    found = [each for node in arguments.named_children[:1] for each in _symbol_in(node, page)]
    receiver = _receiver(match, page)
    if receiver not in {"", OWN} and not _CONSTANT.fullmatch(receiver) and page.of(match["called"][0]) in _PAST_PRIVATE:
        receiver = f"{receiver}.{ITSELF}"
    return Named([(at, name, receiver) for at, name in found if name[0] != "@"], ())


def _passed(word: str, arguments: "Node", match: Match, page: Page) -> Named:
    """Return the call of ``&:name`` on each of what a method is called on, or on that itself."""
    count = arguments.named_child_count
    last = arguments.named_child(count - 1) if count else arguments
    if last.type != "block_argument":
        return _NOTHING
    receiver = _receiver(match, page) or OWN
    if word not in _GIVING_ITSELF:
        receiver = f"{receiver}.{EACH}"
    return Named([(at, name, receiver) for at, name in _symbols(last, page)], ())


def _receiver(match: Match, page: Page) -> str:
    receivers = match.get("receiver", ())
    if not receivers:
        return ""
    return expression(receivers[0], page) or tidy(page.of(receivers[0])[-LONGEST_CALLEE:], "")


def _delegated(word: str, arguments: "Node", page: Page) -> Named:
    """Return what is called of the object that a class hands calls on to, and the method that gives that."""
    symbols, holders = _symbols(arguments, page), _symbols(arguments, page)[:1]
    if word == "delegate":
        holders = [each for key, value in _pairs(arguments, page) if key == "to" for each in _symbol_in(value, page)]
    else:
        symbols = symbols[1 : 2 if word == "def_delegator" else None]
    if not holders or holders[0][1] == "class":
        return _NOTHING
    holder = holders[0][1]
    receiver = f"{OWN}.{holder[1:]}" if holder[0] == "@" else holder
    return Named([(at, name, receiver) for at, name in symbols], _own(holders).uses)


def _associated(word: str, arguments: "Node", page: Page) -> Named:
    """Return the model that an association leads to: ``Line`` of ``has_many :lines``, or the class it names."""
    said = dict(_pairs(arguments, page))
    named = said.get("class_name")
    if named is not None:
        path = page.of(named).strip("\"'")
        uses = (
            [(named.start_byte, constant_path(path))] if named.type == "string" and _CLASS_NAME.fullmatch(path) else []
        )
        return Named((), uses)
    symbols = _symbol_in(arguments.named_children[0], page) if arguments.named_child_count else []
    if not symbols or not _OTHERWISE_NAMED.isdisjoint(said):
        return _NOTHING
    at, name = symbols[0]
    return Named((), [(at, model_named(name, is_many=word in _MANY))])


def model_named(name: str, *, is_many: bool) -> str:
    """Return what a model is called that an association has the name of: ``OrderLine`` of ``order_lines``."""
    *words, last = name.rstrip("?!").split("_")
    if is_many:
        end, one = next(((end, one) for end, one in _ENDS.items() if last.endswith(end)), ("", ""))
        last = _PEOPLE.get(last) or f"{last.removesuffix(end)}{one}"
    return "".join([word[:1].upper() + word[1:] for word in (*words, last)])


def _symbols(arguments: "Node", page: Page) -> _Symbols:
    """Return the symbols among some arguments, those of lists too; what is a key or has one is none."""
    found: _Symbols = []
    for each in arguments.named_children:
        if each.type in _LISTS:
            found += _symbols(each, page)
        elif each.type == "bare_symbol":
            found.append((each.start_byte, page.of(each)))
        else:
            found += _symbol_in(each, page)
    return found


def _symbol_in(node: "Node", page: Page) -> _Symbols:
    text = page.of(node) if node.type == "simple_symbol" else ""
    return [(node.start_byte, text[1:])] if _SYMBOL.fullmatch(text) else []


def _optional(arguments: "Node", page: Page) -> _Symbols:
    """Return what is named by ``if: :paid?`` and ``unless: [:paid?, :sent?]``."""
    found: _Symbols = []
    for key, value in _pairs(arguments, page):
        if key in _OPTIONS:
            found += _symbols(value, page) if value.type in _LISTS else _symbol_in(value, page)
    return found


def _pairs(arguments: "Node", page: Page) -> Iterator[tuple[str, "Node"]]:
    for pair in arguments.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if pair.type == "pair" and key is not None and value is not None:
            yield page.of(key).strip(":"), value
