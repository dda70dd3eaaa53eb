"""What is left to say of Ruby: sections of classes, what a file requires."""

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.shadows import Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.syntax.matched.dialect import Dialect, Match, Shape, without
from ctxcode.codegraph.syntax.narrowed.given import tell_apart
from ctxcode.codegraph.syntax.ruby_bodies import kept_by, made_at_the_end, mixed_into
from ctxcode.codegraph.syntax.ruby_calls import called_in
from ctxcode.codegraph.syntax.ruby_locals import LANGUAGE, places
from ctxcode.codegraph.syntax.ruby_symbols import named_by_symbols
from ctxcode.codegraph.syntax.ruby_words import constant_path, expression, from_the_top, implied

if TYPE_CHECKING:
    from tree_sitter import Node

_DIRECTIVE = re.compile(r"#\s*(?:frozen_string_literal|encoding|-\*-|rubocop|:nodoc:|!)")
_REQUIRED = re.compile(r"""(require_relative|require|load|autoload)\b.*?["']([^"']+)["']""", re.DOTALL)

_SYMBOLS, _NEAR = frozenset({"simple_symbol", "string_content"}), 4
_MODULE_PARTS = frozenset({"method", "singleton_class", "singleton_method"})
_MIXING = frozenset({
    "attr_accessor", "attr_reader", "class_methods", "define_method", "extend", "include", "included",
    "module_function", "prepend", "prepended", "refine",
})  # fmt: skip
_SCOPE = "scope"
"""What Rails makes a method of a class with: ``scope :paid, -> { where(paid: true) }``."""
_NO_BODIES = frozenset({"hash", "hash_splat_argument", "pair", "simple_symbol", "string"})
"""What follows a name that is given to ``scope`` where it does something else: routes."""
_CORE_TEXT = """
ArgumentError Array BasicObject Benchmark BigDecimal Binding CGI Class Comparable Complex Date DateTime Digest Dir ERB
Encoding Enumerable Enumerator Errno Exception FalseClass Fiber File Float GC Hash IO IndexError Integer JSON Kernel
KeyError LoadError Marshal MatchData Math Method Module Mutex NameError NilClass NoMethodError Numeric Object
ObjectSpace OpenSSL OpenStruct Pathname Proc Process Psych Random Range RangeError Rational Regexp RuntimeError
SecureRandom Set SimpleDelegator StandardError String StringIO Struct Symbol Tempfile Thread Time TrueClass TypeError
URI UnboundMethod YAML Zlib
"""
_CORE = frozenset(_CORE_TEXT.split())
"""What the interpreter and its library bring: a file that writes one of these at its top gives it more members."""
_MADE = {"Class": "class", "Data": "class", "Module": "trait", "Struct": "class"}
"""What types are made with where no ``class`` or ``module`` says it."""
_TYPES = frozenset({"class", "module"})
_HOLDERS, _METHODS = frozenset({"class", "extension", "namespace", "trait"}), frozenset({"function", "method"})
_BODIES = _TYPES | {"method", "singleton_class", "singleton_method"}
_OWN_WORDS = frozenset(
    {
        "alias_method",
        "attr_accessor",
        "attr_reader",
        "attr_writer",
        "autoload",
        "define_method",
        "extend",
        "include",
        "lambda",
        "loop",
        "module_function",
        "p",
        "prepend",
        "print",
        "private",
        "private_constant",
        "proc",
        "protected",
        "public",
        "puts",
        "raise",
        "require",
        "require_relative",
    }
)
_CLASS_NAME = re.compile(r"(?:^|::)[A-Z]\w*[a-z]\w*$")
_SECTION = re.compile(
    rb"^[ \t]*+(private|protected|public)(_class_method)?+[ \t(]\s*+"
    rb"(\*?+%i[\[({<][\w\s?!=]++|:[\w?!=]++(?:\s*+,\s*+:[\w?!=]++)*+)",
    re.MULTILINE,
)
"""What says of methods that stand above whom they are for: ``private :total, :tax``, ``private(*%i[total tax])``."""
_SAID = re.compile(rb"\w+[?!=]?")


def _is_doc(comment: str) -> bool:
    return not _DIRECTIVE.match(comment)


def _declared(node: "Node", page: Page) -> tuple["Node", str, str]:
    text = page.of(node).lstrip(":").strip("\"'")
    outer, _, name = text.rpartition("::")
    return node, f"{name}=" if _is_of_writer(node, page) else name, outer.replace("::", ".").strip(".")


def _is_of_writer(name: "Node", page: Page) -> bool:
    """Whether a name is that of what can be given a value, and not be read: ``attr_writer :x``."""
    if name.type not in _SYMBOLS:
        return False
    call = next((each for each in page.around(name)[:-_NEAR:-1] if each.type == "call"), None)
    word = call.child_by_field_name("method") if call is not None else None
    return word is not None and page.of(word) == "attr_writer"


def _refined(kind: str, node: "Node", page: Page) -> str:
    """Return a kind: a module with methods is mixed into classes, a reader is a method, and the core is only extended.

    A singleton class's ``class << self`` has no name, so its methods are its class's.
    """
    if kind in {"class", "namespace"} and _is_of_core(node, page):
        return "extension"
    if kind == "namespace":
        body = node.child_by_field_name("body")
        return "trait" if any(_is_of_module(child, page) for child in (body.named_children if body else ())) else kind
    if kind == "field" and node.type == "simple_symbol":
        return "method" if _is_of_type(node) else ""
    if kind == "field":
        return "method"
    if kind == "constant":
        return _made(node, page) or kind if _is_known(node) else ""
    if kind == "method" and node.type == "call" and not _is_method(node, page):
        return ""
    return kind


_CONDITIONS = frozenset({
    "begin", "body_statement", "else", "elsif", "ensure", "if", "if_modifier", "rescue", "then", "unless",
    "unless_modifier",
})  # fmt: skip


def _is_known(constant: "Node") -> bool:
    """Whether a constant is one of a class, a module or the file, under conditions too, and none of a block."""
    around = constant.parent
    while around is not None and around.type in _CONDITIONS:
        around = around.parent
    return around is not None and around.type in {"class", "module", "program", "singleton_class"}


def _made(node: "Node", page: Page) -> str:
    """Return what kind of type a constant is given: ``Point = Struct.new(:x, :y) do … end``; empty for no type.

    One that is given another's name is a type called otherwise if both are written as those of classes are, or if the
    file uses it as one: ``Name = Post::Name``, ``OID = Post::OID`` beside ``OID::Money``.
    """
    name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    if name is not None and value is not None and value.type in {"constant", "scope_resolution"}:
        is_type = all(_CLASS_NAME.search(page.of(one)) for one in (name, value)) or _is_used_as_type(name, page)
        return "type" if is_type else ""
    if value is None or value.type != "call":
        return ""
    maker, word = value.child_by_field_name("receiver"), value.child_by_field_name("method")
    if maker is None or word is None or page.of(word) not in {"define", "new"}:
        return ""
    return _MADE.get(page.of(maker).removeprefix("::"), "")


def _is_used_as_type(name: "Node", page: Page) -> bool:
    word = re.escape(page.of(name)).encode()
    return re.search(rb"(?<![\w:])" + word + rb"(?:::[A-Z]|\.new\b)", page.source) is not None


def _is_of_type(member: "Node") -> bool:
    """Whether a member is one of a type that has a name: ``Point = Struct.new(:x)``, ``class A < Struct.new(:x)``."""
    call = member.parent.parent if member.parent is not None else None
    around = call.parent if call is not None else None
    if around is None or around.type != "assignment":
        return around is not None and around.type == "superclass"
    name = around.child_by_field_name("left")
    return name is not None and name.type in {"constant", "scope_resolution"}


def _is_method(call: "Node", page: Page) -> bool:
    """Whether a call makes a method of a symbol: ``scope`` does in the body of a class if it is given what it does."""
    word, arguments = call.child_by_field_name("method"), call.child_by_field_name("arguments")
    if word is None or arguments is None or page.of(word) != _SCOPE:
        return True
    around = next((each.type for each in reversed(page.around(call)) if each.type in _BODIES), "")
    given = arguments.named_child(1) if arguments.named_child_count > 1 else None
    return around in _TYPES and given is not None and given.type not in _NO_BODIES


def _is_of_core(node: "Node", page: Page) -> bool:
    name = node.child_by_field_name("name")
    is_at_top = node.parent is not None and node.parent.type == "program"
    return name is not None and is_at_top and page.of(name) in _CORE and node.child_by_field_name("superclass") is None


def _is_of_module(node: "Node", page: Page) -> bool:
    if node.type == "call":
        word = node.child_by_field_name("method")
        return word is not None and page.of(word) in _MIXING
    return node.type in _MODULE_PARTS


def _visibility(shape: Shape) -> str:
    if shape.kind not in {"function", "method", "field"}:
        return "public"
    parent = shape.node.parent
    if parent is not None and parent.type == "argument_list" and parent.parent is not None:
        word = parent.parent.child_by_field_name("method")
        text = word.text.decode("utf-8", "replace") if word is not None and word.text else ""
        said = text.partition("_")[0]
        if said in {"private", "protected"}:
            return said
    return shape.access if shape.access and shape.node.type != "singleton_method" else "public"


def _imports(node: "Node", page: Page) -> list[ImportFact]:
    found = _REQUIRED.match(page.of(node))
    if found is None:
        return []
    level = int(found[1] == "require_relative")
    return [ImportFact(found[2], "*", "", level, page.line(node.start_byte), is_reexport=True)]


def _set_access(findings: Findings, page: Page) -> None:
    """Set whom methods are for that are named behind ``private`` and the like, in the class or module around."""
    sections = list(_SECTION.finditer(page.source))
    if not sections:
        return
    types = sorted((one.first, -one.end) for one in findings.definitions if one.kind in _HOLDERS)
    around = Regions([(first, -end, str(first)) for first, end in types])
    methods = defaultdict[tuple[str, str, bool], deque[Definition]](deque)
    for one in sorted(findings.definitions, key=lambda found: found.header):
        if one.kind in _METHODS:
            methods[around.name(one.header), one.name, one.signature.startswith("def self.")].append(one)
    for section in sections:
        for name in _SAID.findall(section[3].lstrip(b"*").removeprefix(b"%i")):
            key = around.name(section.start(1)), name.decode("utf-8", "replace"), section[2] is not None
            waiting = methods.get(key)
            while waiting and waiting[0].header < section.start():
                waiting.popleft().visibility = section[1].decode()


def _finish(findings: Findings, matches: list[tuple[int, Match]], page: Page) -> None:
    _set_access(findings, page)
    local = (node for _, match in matches for node in match.get("local", ()))
    tell_apart(findings, page, LANGUAGE, places(local, page))


RUBY = Dialect(
    is_doc=_is_doc,
    visibility=_visibility,
    imports=_imports,
    declared=_declared,
    refined=_refined,
    type_name=constant_path,
    makers=frozenset({"new"}),
    name_marks=without("?!="),
    own_words=_OWN_WORDS,
    expression=expression,
    implied=implied,
    used=from_the_top,
    named=named_by_symbols,
    returned=made_at_the_end,
    mixed_into=mixed_into,
    keeping=kept_by,
    read_on=called_in,
    asks_last_base_first=True,
    finish=_finish,
)
