"""What stands behind names of JavaScript and TypeScript and a dot: members of objects, exports, what functions make."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.expressions import call_of, plain_expression
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import dotted_name, typescript_type
from ctxcode.codegraph.facts import ANYTHING, LIKE
from ctxcode.codegraph.syntax.react.handed_back import handed_back, own_names

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]
Binding = tuple[int, str, str]
"""(byte, name, type); see ``facts.BindingFact``."""

_PREFIX = re.compile(
    rb"(?:\bexport[ \t]+(?:/\*[^*\n]{0,60}\*/[ \t]*)?(?:default[ \t]+)?)?"
    rb"(?:\bdeclare[ \t]+)?(?:\b(?:const|let|var)[ \t]+)?\Z"
)
_DOTTED = re.compile(r"[\w$#]+(?:\.[\w$#]+)*")
_LONGEST = 150
_MOST_AT_ONCE = 10
"""Names that one statement gives a value to."""
_WRAPPERS = frozenset({
    "as_expression", "await_expression", "non_null_expression", "parenthesized_expression", "satisfies_expression",
})  # fmt: skip
_FUNCTIONS = frozenset(
    {"arrow_function", "function_declaration", "function_expression", "method_definition", "generator_function",
     "generator_function_declaration"}
)  # fmt: skip
_HOLDERS = frozenset({"variable_declarator", "assignment_expression", "return_statement"})
_NAMES = frozenset({"identifier", "member_expression"})
_TYPE_NAMES = frozenset({"type_identifier", "generic_type", "nested_type_identifier"})
WHOLE_MODULE = frozenset({"exports", "module.exports"})
"""What a module of CommonJS calls what it exports."""
_CHOOSING = frozenset({"&&", "??", "||"})
_NOTHING = frozenset({"array", "false", "null", "number", "object", "string", "template_string", "true", "undefined"})
_NAMED = frozenset({"identifier", "member_expression"})
_MOST_LISTED = 50
"""Longer lists are tables of data."""
_DEEPEST = 4
"""Values inside of one another."""
_WRAPPING = re.compile(r"(?:[\w$]+\.)?(?:connect|forwardRef|inject|memo|observer|with[A-Z]\w*)")
"""What makes a component of another one."""
_CONTEXT = re.compile(r"(?:React\.)?(?:createContext|useContext)")
_REMEMBERING = frozenset({"React.useMemo", "useMemo"})
_STATE = frozenset({"React.useState", "useState"})
_REFERENCE = re.compile(r"(?:React\.)?(?:createRef|useRef)|ref|shallowRef")
"""What makes an object of React or Vue that keeps another one, as ``current`` or as ``value``."""
_NEW = re.compile(r"\Anew\s+([\w$.]+)(?:<[\w$., <>|]{0,100}>)?(?=\()")
_ANYTHING = frozenset({"any", "unknown"})
SHARING = frozenset({"createGlobalState", "createSharedComposable", "defineStore"})
"""What makes a function that gives an object always again, out of how that is made or what it has."""
_MADE_OF_OBJECTS = SHARING | {"createSlice"}
"""What makes something of an object whose members it has."""
_MAKING = frozenset({"call_expression", "new_expression"})
NAMED_VALUES = frozenset({"identifier", "member_expression", "this"})


def is_unnamed(value: "Node") -> bool:
    """Whether a value is a ``function`` whose name is what it is given to alone."""
    is_function = value.type in {"function_expression", "generator_function"}
    return is_function and value.child_by_field_name("name") is None


def holder_of(pair: "Node", page: Page) -> str | None:
    """Return the name that the object literal is given to in which a key and its value stand; None for an argument.

    It is empty for what a function returns.
    """
    around = pair.parent.parent if pair.parent is not None else None
    if around is None or around.type not in _HOLDERS:
        return None
    target = around.child_by_field_name("name") or around.child_by_field_name("left")
    return page.of(target).rpartition(".")[2] if target is not None and target.type in _NAMES else ""


def unwrapped(value: "Node | None") -> "Node | None":
    """Return a value without brackets, ``as const``, ``await`` and the like."""
    while value is not None and value.type in _WRAPPERS and value.named_child_count:
        value = value.named_children[0]
    return value


def value_of(value: "Node | None", page: Page, deep: int = 0) -> str:
    """Return what an expression says of its value: ``=a.b``, a constructed type, ``f()``; empty where nothing."""
    if value is not None and value.type == "as_expression" and value.children[-1].is_named:
        type_name = typescript_type(page.of(value.children[-1]))
        return "" if type_name in _ANYTHING else type_name
    value = unwrapped(value)
    if value is None:
        return ""
    if value.type in NAMED_VALUES:
        written = page.of(value) if value.end_byte - value.start_byte < _LONGEST else ""
        written = "exports" if written in WHOLE_MODULE else written
        return f"={written}" if _DOTTED.fullmatch(written) else ""
    if value.type == "new_expression":
        return _made_by(value, page)
    if value.type != "call_expression":
        return _value_of_signs(value, page, deep + 1) if deep < _DEEPEST else ""
    function = value.child_by_field_name("function")
    written = page.of(function) if function is not None else ""
    if written in _REMEMBERING and (made := _remembered(value)) is not None:
        return value_of(made, page)
    if _CONTEXT.fullmatch(written) or (_REFERENCE.fullmatch(written) and written not in own_names(page.source)):
        return _held_by(written, _held_in(value, page, deep))
    if deep < _DEEPEST and (same := handed_back(written, value, page)) is not None:
        return value_of(same, page, deep + 1).removeprefix("=")
    # What a class makes is what its name gives where it is called.
    written = _NEW.sub(r"\1", written) if written[:4] == "new " else written
    return "" if written in _MADE_OF_OBJECTS or written.startswith(("require", "import")) else call_of(written)


def _made_by(value: "Node", page: Page) -> str:
    """Return the class of which ``new`` makes an object, with its arguments."""
    made = unwrapped(value.child_by_field_name("constructor"))
    if made is not None and made.type == "this":
        return "Self"
    types = value.child_by_field_name("type_arguments")
    if made is not None and types is not None and types.end_byte - types.start_byte < _LONGEST:
        return typescript_type(f"{page.of(made)}{page.of(types)}")
    return dotted_name(page.of(made)) if made is not None else ""


def state_of(call: "Node", page: Page) -> str:
    """Return what the first of the pair is that React's ``useState`` gives; empty for another call."""
    function = call.child_by_field_name("function")
    written = page.of(function) if function is not None else ""
    if written not in _STATE or written in own_names(page.source):
        return ""
    made = None if call.child_by_field_name("type_arguments") is not None else _remembered(call)
    return value_of(made, page) if made is not None else _held_in(call, page, 0)


def _remembered(call: "Node") -> "Node | None":
    """Return what a function makes which is called once: ``useMemo(() => new Cart(), [])``."""
    given = call.child_by_field_name("arguments")
    function = given.named_children[0] if given is not None and given.named_children else None
    made = unwrapped(function.child_by_field_name("body")) if function is not None else None
    return made if made is not None and made.type in _MAKING else None


def _held_by(maker: str, held: str) -> str:
    """Return what a call gives that makes something that holds an object: that itself, or ``@A``."""
    if _CONTEXT.fullmatch(maker):
        return held
    return f"@{held}" if held and held[0] != "=" and held[-1] != ")" and "|" not in held else call_of(maker)


def _held_in(call: "Node", page: Page, deep: int) -> str:
    """Return what a call holds, as its type or its argument says: ``createContext<A>()``, ``useContext(A)``."""
    types, given = call.child_by_field_name("type_arguments"), call.child_by_field_name("arguments")
    if types is not None and types.end_byte - types.start_byte < _LONGEST:
        return typescript_type(page.of(types)[1:-1])
    first = given.named_children[0] if given is not None and given.named_children else None
    return value_of(first, page, deep + 1) if first is not None and deep < _DEEPEST else ""


def _value_of_signs(value: "Node", page: Page, deep: int) -> str:
    """Return the same of what is chosen, indexed or listed: ``a ? new B() : c``, ``a ?? b``, ``as[0]``, ``[a]``."""
    match value.type:
        case "ternary_expression":
            branches = value.named_children[1:]
            made = [branch for branch in branches if branch.type == "new_expression"]
            known = [branch for branch in branches if branch.type not in _NOTHING]
            if made and (test := value.child_by_field_name("condition")) is not None:
                # What a test asks about is like what is made for want of it: ``a ? a : new B()``.
                known = [one for one in known if one.type not in _NAMED or not page.mentions(test, page.of(one))]
            # Of two that are not made here one may be anything.
            said = [value_of(branch, page, deep) or ANYTHING for branch in known] if made or len(known) == 1 else []
            return "|".join(dict.fromkeys(said)) if set(said) != {ANYTHING} else ""
        case "binary_expression":
            left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
            operator = value.child_by_field_name("operator")
            if right is None or operator is None or operator.type not in _CHOOSING:
                return ""
            if operator.type != "&&" and right.type == "new_expression":
                return _for_want(value_of(left, page, deep), value_of(right, page, deep))
            return value_of(right if operator.type == "&&" else left, page, deep)
        case "augmented_assignment_expression":
            return value_of(value.child_by_field_name("left"), page, deep)
        case "assignment_expression":
            return value_of(value.child_by_field_name("right"), page, deep)
        case "subscript_expression" if value.end_byte - value.start_byte < _LONGEST:
            written = "".join(page.of(value).split())
            return plain_expression(written.replace("?.[", "[").replace("?.", ".").replace("!", ""))
        case "array" if 0 < value.named_child_count <= _MOST_LISTED:
            parts = value.named_children
            if parts[0].type == "spread_element":
                inner = parts[0].named_children
                return value_of(inner[0], page, deep) if inner and len(parts) == 1 else ""
            # What holds this and that says of none which it is.
            said_all = {value_of(part, page, deep) for part in parts}
            said_one = said_all.pop() if len(said_all) == 1 else ""
            return f"?{said_one}" if said_one and said_one[-1] != ")" and "|" not in said_one else ""
    return ""


def _for_want(of: str, made: str) -> str:
    """Return what is something or, for want of it, is made: like that one, of which less is known most often."""
    is_told = made and of[:1] not in {"", "?", "%", "@", "^"} and of != made
    return "|".join(dict.fromkeys([LIKE, *of.split("|"), made])) if is_told else made


def export_prefix(at: int, page: Page) -> bytes:
    """Return the ``export default const`` that stands before a definition on its line."""
    source = page.source
    line_start = source.rfind(b"\n", max(0, at - 80), at) + 1
    if line_start and not source[line_start:at].strip():
        return b""
    match = _PREFIX.search(source, max(0, at - 80), at)
    return match[0] if match else b""


def follows_const(node: "Node") -> bool:
    """Whether a later declarator of one statement stands in a ``const``: ``const a = 1, b = 2``."""
    parent = node.parent
    kind = parent.child_by_field_name("kind") if parent is not None else None
    return kind is not None and kind.type == "const"


def unpacked(pattern: "Node") -> Iterator["Node"]:
    """Yield the names that a pattern gives to parts of a value, in source order."""
    pending = [pattern]
    while pending:
        node = pending.pop()
        if node.type in {"identifier", "shorthand_property_identifier_pattern"}:
            yield node
        elif node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            pending += [value] if value is not None else []
        elif node.type in {"assignment_pattern", "object_assignment_pattern"}:
            pending += node.named_children[:1]
        else:
            pending += reversed(node.named_children)


def literal(value: "Node | None") -> "Node | None":
    """Return the object literal a value is, if it is one."""
    value = unwrapped(value)
    return value if value is not None and value.type == "object" else None


def members(made: "Node", page: Page) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of what an object literal holds by another name: ``{ a, b: c.d }``."""
    for child in made.named_children:
        if child.type == "shorthand_property_identifier":
            yield page.of(child), f"={page.of(child)}"
        elif child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            said = value_of(value, page)
            if key is not None and said and key.type in {"property_identifier", "string"}:
                yield page.of(key).strip("\"'"), said


def object_bindings(made: "Node | None", page: Page) -> list[Binding]:
    """Return the members of an object that has a name, none where there is no object."""
    return [] if made is None else [(made.start_byte + 1, f".{key}", said) for key, said in members(made, page)]


def offered(captures: Captures, page: Page) -> list[Binding]:
    """Return what a module offers under another name: ``export { a as b }``, ``export default a``."""
    found: list[Binding] = []
    for node in captures.get("exported", ()):
        if node.child_by_field_name("source") is None:
            for clause in node.named_children:
                found += _renamed(clause, page)
    for whole in captures.get("default_value", ()):
        component = _component(whole, page)
        said = f"={component}" if component else value_of(whole, page)
        if said:
            found.append((whole.start_byte, ".default" if said[0] == "=" else "default", said))
    for node in captures.get("default_declared", ()):
        name = node.child_by_field_name("name")
        if name is not None:
            found.append((len(page.source), ".default", f"={page.of(name)}"))
    return found


def _component(value: "Node", page: Page) -> str:
    """Return the name of what a default export is, whatever type it is given: ``A as any``, ``connect(m)(memo(A))``.

    What a call makes of something counts if it is known to give back the like of it: another component.
    """
    inner, is_wrapped = unwrapped(value), False
    for _ in range(_DEEPEST):
        function = inner.child_by_field_name("function") if inner is not None else None
        given = inner.child_by_field_name("arguments") if inner is not None else None
        if function is None or given is None or not given.named_child_count:
            break
        if function.type != "call_expression" and not _WRAPPING.fullmatch(page.of(function)):
            return ""
        inner, is_wrapped = unwrapped(given.named_children[0]), True
    if is_wrapped and inner is not None and inner.type == "function_expression":
        inner = inner.child_by_field_name("name")
    name = page.of(inner) if inner is not None and inner.type == "identifier" else ""
    return "" if is_wrapped and not name[:1].isupper() else name


def _renamed(clause: "Node", page: Page) -> Iterator[Binding]:
    for child in clause.named_children:
        name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
        if name is not None and alias is not None:
            yield child.start_byte, "." + page.of(alias).strip("\"'"), f"={page.of(name)}"


def given_at_once(node: "Node", page: Page) -> "tuple[list[tuple[str, str]], Node | None]":
    """Return (owner, name) of each that ``a.b = c.d = value`` gives a value to, and that; None for too many."""
    targets, value = list[tuple[str, str]](), node
    while value.type == "assignment_expression" and len(targets) < _MOST_AT_ONCE:
        left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
        if left is None or right is None:
            break
        owner, _, name = page.of(left).rpartition(".")
        targets.append((owner, name))
        value = right
    return targets, value if value.type != "assignment_expression" else None


def names_of_this(captures: Captures, page: Page) -> frozenset[str]:
    """Return what functions call their own object where ``this`` would be another's: ``var self = this``."""
    found = set[str]()
    for node in captures.get("bound", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None and value.type == "this":
            found.add(page.of(name))
    return frozenset(found)


def returned(values: Iterable["Node"], holders: dict[int, int]) -> Iterator[tuple[int, "Node"]]:
    """Yield (byte of the function's name, value) of values that functions with a name return.

    ``holders`` are the starts of the functions that say nothing of what they return. What is called of a generator
    gives something else than it returns.
    """
    # To go from one node to the one around it takes as long as it lies deep.
    known: dict[int, int | None] = {}
    for value in values:
        passed = list[int]()
        node: Node | None = value.parent
        while node is not None and node.id not in known and node.type not in _FUNCTIONS:
            passed.append(node.id)
            node = node.parent
        if node is None or node.type.startswith("generator_"):
            at = None
        else:
            at = known[node.id] if node.id in known else holders.get(node.start_byte)
        known.update(dict.fromkeys(passed, at))
        if at is not None:
            yield at, value


def bases(holder: "Node", page: Page) -> Iterator[str]:
    """Yield what a class or interface extends and implements."""
    for heritage in holder.named_children:
        if heritage.type not in {"class_heritage", "extends_type_clause"}:
            continue
        for clause in heritage.named_children:
            is_clause = clause.type in {"extends_clause", "implements_clause"}
            for base in clause.named_children if is_clause else (clause,):
                written = dotted_name(page.of(base)) if base.type != "type_arguments" else ""
                if written:
                    yield written


def made_of(node: "Node", page: Page) -> Iterator[tuple[int, str]]:
    """Yield (byte of its name, type) of what a type is another name of, or is made of: ``type A = B & C``."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        return
    pending = [value]
    while pending:
        part = pending.pop()
        if part.type == "intersection_type":
            pending += reversed(part.named_children)
        written = dotted_name(page.of(part)) if part.type in _TYPE_NAMES else ""
        if written:
            yield name.start_byte, written


def head_end(declared: "Node") -> int | None:
    """Return where the head ends of a name that is given what a call makes of a function: before what that does.

    Behind the type, when one is written. None for every other value: it says what the name stands for.
    """
    value = declared.child_by_field_name("value")
    if value is None or value.type != "call_expression" or value.start_point[0] == value.end_point[0]:
        return None
    given = value.child_by_field_name("arguments")
    functions = [child for child in given.named_children if child.type in _FUNCTIONS] if given is not None else []
    body = functions[0].child_by_field_name("body") if functions else None
    if body is None or body.type != "statement_block":
        return None
    written = declared.child_by_field_name("type")
    return written.end_byte if written is not None else body.start_byte
