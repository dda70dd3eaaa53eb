"""PHP's types, written and documented, and its expressions cut down to what can be followed."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import behind_signs, dotted_name
from ctxcode.codegraph.facts import ANYTHING, APPLIED, GLOBAL, LIKE, PARAMETER
from ctxcode.codegraph.syntax.java.elements import inside
from ctxcode.codegraph.syntax.matched.dialect import ELEMENT, Told
from ctxcode.codegraph.syntax.php.containers import object_asked
from ctxcode.codegraph.syntax.php.templates import arguments, bounds, place

if TYPE_CHECKING:
    from tree_sitter import Node

_NOTHING = frozenset({"null", "false", "void", "never"})
_PLAIN = frozenset({"bool", "callable", "float", "int", "mixed", "object", "string", "true"})
_PARAMETER = re.compile(r"T[A-Z]?\w*|[A-Z]")
_WEAK = frozenset({"array", "callable", "iterable", "list", "mixed", "object"})
"""Types that say nothing of what can be called."""
_HOLDERS = frozenset({"Traversable", "array", "iterable", "list"})
"""What stands beside ``A[]`` to say of what kind the collection is."""
_COLLECTION = re.compile(
    r"(?:(?:non-empty-)?(?:array|list)|iterable|Generator|Traversable|Iterator)<(?:.*,)?([^<>,]+)>"
)
_GENERIC = re.compile(r"([\w.]+)<(.+)>")
_NO_HOLDER = frozenset({"array", "class-string", "iterable", "list"})
_MOST_PARTS = 4
_BETWEEN = re.compile(r"\|(?![^<]*>)")
_TAG = re.compile(
    r"@(?:phpstan-|psalm-)?(return|var|param)\s+((?:[\w\\|?&\[\]$-]|<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>)+)"
    r"(?:\s+(?:\.\.\.|&)*\$(\w+))?"
)
_FUNCTIONS = frozenset({"function_definition", "method_declaration"})
_MEMBERS = frozenset({"method_declaration", "property_declaration"})
_BODIES = _FUNCTIONS | {"anonymous_function_creation_expression", "arrow_function", "program"}
_ACCESSES = frozenset({"member_access_expression", "nullsafe_member_access_expression"})
_CALLS = frozenset({"member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"})
_WRAPPED = frozenset({"clone_expression", "parenthesized_expression"})
_CHOOSING = frozenset({"augmented_assignment_expression", "binary_expression", "conditional_expression"})
_NAMES = frozenset({"name", "qualified_name", "relative_scope"})
_LITERALS = frozenset({
    "array_creation_expression", "boolean", "encapsed_string", "float", "integer", "null", "string",
})  # fmt: skip
"""Values without methods."""
_TEXTS = frozenset({"encapsed_string", "string"})
_CALLED = re.compile(r"[\"']([\w\\]+)(?:::(\w+))?[\"']", re.ASCII)
_OWN_CLASS = re.compile(r"\A(?:static|parent)\Z")
_QUOTES = re.compile(r"\A([\"'])|[\"']\Z")
_PAIR = 2
_MOST_LINKS, _MOST_PARAMETERS = 30, 100
_DEEPEST = 60
"""Blocks inside a function out of which is looked for it."""
_LONGEST = 300
_LONGEST_RETURNED, _LONGEST_FUNCTION = 150, 20_000
_LONGEST_COMMENT = 20_000


def dotted(text: str) -> str:
    """Return a name with dots in the place of backslashes."""
    return "".join(text.split()).replace("\\", ".").strip(".")


def meant(text: str) -> str:
    """Return the same of a name that is said in code, where one behind a backslash alone is none of the namespace."""
    name = "".join(text.split()).replace("\\", ".")
    return f"{GLOBAL}{name}" if name[:1] == "." and "." not in name[1:].partition("<")[0] else name.strip(".")


@lru_cache(maxsize=4096)
def type_name(text: str) -> str:
    """Return the class that a type names: ``Self`` for the class it stands in, ``?A`` for a collection of As."""
    if len(text) > _LONGEST:
        return ""
    if "..." in text:
        inner = type_name(text.partition("...")[0].rstrip("& "))
        return f"?{inner}" if _is_plain(inner) else ""
    parts = [part for part in _BETWEEN.split(text.strip().lstrip("?")) if part.strip().lower() not in _NOTHING]
    if len(parts) > 1:
        parts = [part for part in parts if dotted(part).rpartition(".")[2] not in _HOLDERS]
    if 1 < len(parts) <= _MOST_PARTS:
        # What is one of several, of which only classes have methods.
        classes = [part for part in parts if part.strip().lower() not in _PLAIN]
        named = list(dict.fromkeys(map(type_name, classes)))
        return "|".join(named) if all(map(_is_plain, named)) else ""
    if len(parts) != 1:
        return ""
    part = parts[0].strip()
    if "&" in part and "<" not in part and "(" not in part:
        both = [type_name(one) for one in part.split("&")]
        return "&".join(both) if all(_is_plain(name) for name in both) else ""
    if part in {"$this", "self", "static"}:
        return "Self"
    name = meant(part)
    collection = _COLLECTION.fullmatch(name.removeprefix(f"{GLOBAL}."))
    if collection or name.endswith("[]"):
        inner = dotted_name(meant(collection[1]) if collection else name[:-2])
        return f"?{inner}" if inner and "[" not in inner else ""
    applied = _GENERIC.fullmatch(name)
    name = dotted_name(name)
    if name.lower() in _WEAK:
        return ""
    given = [_argument(each) for each in inside(applied[2])] if applied is not None and applied[1] == name else []
    return f"{name}<{APPLIED}{';'.join(given)}>" if any(given) else name


def _argument(written: str) -> str:
    """Return what stands for a type parameter; nothing for what is no class, or may be a parameter itself."""
    name = type_name(written.strip())
    is_parameter = _PARAMETER.fullmatch(name.lstrip("?")) is not None
    return "" if is_parameter or name == "Self" or name.lower() in _PLAIN or set("|&") & set(name) else name


def _is_plain(name: str) -> bool:
    return name.replace(".", "_").isidentifier() and name != "Self"


def told(comment: "Node", page: Page) -> Told:
    """Return what a comment says of the types of what follows."""
    text, said = page.of(comment)[:_LONGEST_COMMENT], Told([], [], [])
    if "@" not in text or not text.startswith("/**"):
        return said
    node = comment.next_named_sibling
    if node is not None and node.type in {"comment", "attribute_list"}:
        node = node.next_named_sibling
    said.fields.extend(arguments(text, node, type_name))
    has_templates = page.says(b"template")
    member = node if has_templates and node is not None and node.type in _MEMBERS else None
    tags = _TAG.findall(text)
    least = bounds(text, member, page, type_name) if tags and has_templates else {}
    for tag, written, name in tags:
        bound = type_name(written)
        if not bound:
            continue
        which = place(bound, member, page) if member is not None and tag != "param" else ""
        own, bound = bound, (behind_signs(bound, least) or bound) if least else bound
        if tag == "var":
            _add_variable(said, node, (comment, name, bound), (page, which))
        elif node is not None and node.type in _FUNCTIONS:
            at = node.child_by_field_name("name")
            if tag == "return" and at is not None and which:
                said.parameters.append((at.end_byte, PARAMETER, which))
                said.returned.extend([(at.start_byte, bound)] if bound != own else [])
            elif tag == "return" and at is not None:
                said.returned.append((at.start_byte, bound))
            elif tag == "param" and name and at is not None:
                said.parameters.append((at.end_byte, name, bound))
    return said


def _add_variable(said: Told, node: "Node | None", written: tuple["Node", str, str], kept: tuple[Page, str]) -> None:
    (comment, name, bound), (page, which) = written, kept
    if node is not None and node.type == "property_declaration":
        element = next((child for child in node.named_children if child.type == "property_element"), None)
        if element is not None:
            field = page.of(element).partition("=")[0].strip(" $")
            said.fields.append((element.start_byte, f"self.{field}", bound))
            said.fields.extend([(element.start_byte, f"self.{PARAMETER}.{field}", which)] if which else [])
        return
    if not name and node is not None and node.type == "expression_statement" and node.named_children:
        left = node.named_children[0].child_by_field_name("left")
        name = page.of(left).lstrip("$") if left is not None and left.type == "variable_name" else ""
    if name.isidentifier():
        said.parameters.append((comment.start_byte, name, bound))


def expression(node: "Node", page: Page) -> str:
    """Return names, dots and calls without their arguments, of an object or something else both; empty for more."""
    return _made_or_other(node, page) or _followed(node, page)


def _followed(node: "Node", page: Page) -> str:
    parts: list[str] = []
    at: Node | None = node
    for _ in range(_MOST_LINKS):
        if at is None:
            return ""
        kind = at.type
        if kind in _NAMES or kind == "variable_name":
            word = page.of(at)
            parts.append("super" if word == "parent" and kind != "variable_name" else meant(word.lstrip("$")))
            return ".".join(reversed(parts))
        if kind in _WRAPPED:
            at = at.named_children[0] if at.named_children else None
        elif kind in _CHOOSING:
            at = _chosen(at)
        elif kind == "class_constant_access_expression":
            parts.append(page.of(at.named_children[-1]))
            at = at.named_children[0]
        elif kind == "subscript_expression":
            parts.append(ELEMENT)
            at = at.named_children[0] if at.named_children else None
        elif asked := object_asked(at, page):
            parts.append(asked)
            return ".".join(reversed(parts))
        elif kind == "object_creation_expression":
            made = at.named_children[0] if at.named_children else None
            parts.append(f"{meant(page.of(made))}()" if made is not None and made.type in _NAMES else "")
            return ".".join(reversed(parts)) if parts[-1] else ""
        elif kind == "function_call_expression":
            called = at.child_by_field_name("function")
            parts.append(f"{meant(page.of(called))}()" if called is not None and called.type in _NAMES else "")
            return ".".join(reversed(parts)) if parts[-1] else ""
        else:
            name = at.child_by_field_name("name")
            at = _before(at, name, parts, page)
    return ""


def _made_or_other(value: "Node", page: Page) -> str:
    """Return what is chosen of an object that is made here and of what another expression gives; empty for all else."""
    while value.type in _WRAPPED and value.named_children:
        value = value.named_children[0]
    made = _chosen(value) if value.type == "conditional_expression" else None
    body, other = value.child_by_field_name("body"), value.child_by_field_name("alternative")
    if body is None and (wanted := _for_want(value, page)):
        return wanted
    other = body if other == made else other
    if made is None or body is None or other is None or other.type in _LITERALS or _is_asked(other, value, page):
        return ""
    said = expression(other, page)
    return f"{said if said[-1:] == ')' else f'={said}' if said else ANYTHING}|{expression(made, page)}"


def _for_want(value: "Node", page: Page) -> str:
    """Return what is something or, for want of it, is made, ``$cart ?? new Cart()``: like that one; empty for more."""
    made = _chosen(value) if value.type in _CHOOSING else None
    left = value.child_by_field_name("left") or value.child_by_field_name("condition")
    if made is None or left is None or made.type != "object_creation_expression" or left == made:
        return ""
    said, known = _followed(left, page), _followed(made, page)
    return f"{LIKE}|{said if said[-1] == ')' else f'={said}'}|{known}" if said and known else known


def _is_asked(other: "Node", choice: "Node", page: Page) -> bool:
    """Whether a choice asks about what it gives, ``$a ? $a : …``: most often like what is made for want of it."""
    is_named = other.type in {*_ACCESSES, "variable_name"}
    return is_named and page.mentions(choice.child_by_field_name("condition"), page.of(other))


def _chosen(value: "Node") -> "Node | None":
    """Return what tells most of what is chosen: what is made for want of another, else that one; None for no choice."""
    left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
    if value.type == "conditional_expression":
        left = value.child_by_field_name("body")
        right = value.child_by_field_name("alternative")
        if left is None:
            # ``$cart ?: open()``.
            left = value.child_by_field_name("condition")
            return right if right is not None and right.type == "object_creation_expression" else left
        made = [one for one in (left, right) if one is not None and one.type == "object_creation_expression"]
        return made[0] if len(made) == 1 else None
    operator = value.child_by_field_name("operator")
    if operator is None or operator.type not in {"??", "??="}:
        return None
    return right if right is not None and right.type == "object_creation_expression" else left


def _before(at: "Node", name: "Node | None", parts: list[str], page: Page) -> "Node | None":
    """Note a link of a chain and return what stands before it; None where that can't be followed."""
    if name is None or name.type not in {"name", "variable_name"}:
        return None
    if at.type in _CALLS and name.type == "name":
        parts.append(f"{page.of(name)}()")
    elif at.type in _ACCESSES or at.type == "scoped_property_access_expression":
        parts.append(page.of(name).lstrip("$"))
    else:
        return None
    return at.child_by_field_name("object") or at.child_by_field_name("scope")


def _function(node: "Node", page: Page) -> "Node | None":
    """Return the function around a node."""
    return next((each for each in page.around(node)[: -_DEEPEST - 1 : -1] if each.type in _BODIES), None)


def returned(node: "Node", page: Page) -> tuple[int, str]:
    """Return (the byte the function's name stands on, the class) of ``return new A()`` and ``return $this``.

    The byte is -1 where a closure returns, or where the type is written.
    """
    function = _function(node, page)
    name = function.child_by_field_name("name") if function is not None else None
    if function is None or name is None or function.child_by_field_name("return_type") is not None:
        return -1, ""
    value = node.named_children[0] if node.named_children else None
    written = page.of(value) if value is not None and value.type == "variable_name" else ""
    if value is not None and (said := _made_or_other(value, page)):
        return name.start_byte, said
    value = _chosen(value) if value is not None and value.type in _CHOOSING else value
    if value is not None and value.type == "object_creation_expression" and value.named_children:
        made = value.named_children[0]
        written = page.of(made) if made.type in _NAMES else ""
    elif written != "$this":
        return name.start_byte, _given_back(value, page) if value is not None and not _is_yielding(
            function, page
        ) else ""
    return name.start_byte, type_name(written)


def _is_yielding(function: "Node", page: Page) -> bool:
    """Whether a call of a function may give a generator; what is very long is not read."""
    is_long = function.end_byte - function.start_byte > _LONGEST_FUNCTION
    return is_long or page.source.find(b"yield", function.start_byte, function.end_byte) >= 0


def _given_back(value: "Node", page: Page) -> str:
    """Return the expression for what a function returns of a variable, of its object, or of what another one gives."""
    said = expression(value, page) if value.end_byte - value.start_byte <= _LONGEST_RETURNED else ""
    if not said or said.endswith(ELEMENT):
        return ""
    return said if said[-1] == ")" else f"={said}"


def given(node: "Node", page: Page) -> str:
    """Return the type of the parameter that a variable is, of the function it stands in.

    Of the method that a trait is copied with another name for, it is that one. What is made for want of a parameter of
    another class, ``$cart ?? new Sled()``, may be either; like it is all else.
    """
    if node.type == "binary_expression":
        other, made = node.child_by_field_name("left"), _made(node.child_by_field_name("right"), page)
        said = given(other, page) if made and other is not None and other.type == "variable_name" else ""
        return f"{said}|{made}" if said not in {"", made} else made
    if node.type == "name":
        around = node.parent
        is_said = around is not None and around.type == "class_constant_access_expression"
        trait = f"{dotted(page.of(around.named_children[0]))}." if around is not None and is_said else ""
        return f"={trait}{page.of(node)}"
    name, at = page.of(node), _function(node, page)
    parameters = at.child_by_field_name("parameters") if at is not None else None
    is_few = parameters is not None and parameters.named_child_count <= _MOST_PARAMETERS
    for parameter in parameters.named_children if parameters is not None and is_few else ():
        at, written = parameter.child_by_field_name("name"), parameter.child_by_field_name("type")
        if at is not None and written is not None and page.of(at) == name:
            return type_name(page.of(written))
    return ""


def _made(value: "Node | None", page: Page) -> str:
    """Return the class of ``new A()``; empty for all else."""
    named = value.named_children[0] if value is not None and value.named_children else None
    is_said = named is not None and value is not None and value.type == "object_creation_expression"
    return type_name(page.of(named)) if is_said and named is not None and named.type in _NAMES else ""


def callback(node: "Node", page: Page) -> str:
    """Return the method that ``[$this, "m"]`` or ``[A::class, "m"]`` names, with its class; empty for other nodes.

    For what can't be called so it is the class alone. A text names a function or a method: ``"f"``, ``"A::m"``.
    """
    if node.type in _TEXTS:
        named = _CALLED.fullmatch(page.of(node).replace("\\\\", "\\"))
        return (
            (f"{_OWN_CLASS.sub('self', dotted(named[1]))}.{named[2]}" if named[2] else dotted(named[1]))
            if named
            else ""
        )
    if node.type != "array_creation_expression" or node.named_child_count != _PAIR:
        return ""
    of, name = (page.of(each) for each in node.named_children)
    owner, method = dotted(_QUOTES.sub("", of).removesuffix("::class")), name[1:-1]
    owner = "self" if owner == "$this" else owner
    if not owner.replace(".", "_").isidentifier():
        return ""
    return f"{owner}.{method}" if method.isidentifier() else owner
