"""Go's generic types: what is written in the place of their type parameters, and what of theirs is one."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.page import Page, first_named
from ctxcode.codegraph.extract.type_names import go_collection
from ctxcode.codegraph.facts import APPLIED, ARGUMENTS, PARAMETER

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNS = {"slice_type": "?", "array_type": "?", "implicit_length_array_type": "?", "map_type": "%", "pointer_type": ""}
_NOTHING_KEPT = frozenset({"struct_type", "type_identifier"})
_MOST_NESTED = 4
_MOST_ARGUMENTS = 10
_MOST_AROUND = 200
_LONGEST = 300
_CHANNEL, _FUNCTION = "@", "^"
_BETWEEN = ";"
_DECLARING = frozenset({"function_declaration", "method_declaration", "type_alias", "type_spec"})


def unsigned(node: "Node") -> tuple[str, "Node"]:
    """Return a type behind pointers, slices and maps, and a sign for each collection among these.

    What is behind a set, which gives its keys one by one like a channel, is the type of those.
    """
    signs, inner = "", node
    for _ in range(_MOST_NESTED):
        if inner.type not in _SIGNS or not inner.named_child_count:
            break
        key = inner.child_by_field_name("key") if _is_set(inner) else None
        signs += _SIGNS[inner.type] if key is None else _CHANNEL
        inner = inner.named_children[-1] if key is None else key
    return signs, inner


def _is_set(node: "Node") -> bool:
    """Whether a map is asked for its keys alone: ``map[T]bool``, ``map[T]struct{}``."""
    value = node.child_by_field_name("value") if node.type == "map_type" else None
    if value is None or value.type not in _NOTHING_KEPT:
        return False
    return value.text == b"bool" or (
        value.type == "struct_type" and not any(each.named_children for each in value.named_children)
    )


def type_parameters(node: "Node", page: Page) -> tuple[list[str], list[str]]:
    """Return the type parameters of a type, or of the type a method belongs to; and those of a function's own."""
    declared = node.child_by_field_name("type_parameters")
    found = [
        page.of(name)
        for each in (declared.named_children if declared is not None else ())
        for name in each.children_by_field_name("name")
    ]
    if node.type != "method_declaration":
        return (found, []) if node.type != "function_declaration" else ([], found)
    receiver = first_named(node.child_by_field_name("receiver"))
    of = receiver.child_by_field_name("type") if receiver is not None else None
    inner = unsigned(of)[1] if of is not None else None
    given = inner.child_by_field_name("type_arguments") if inner is not None else None
    return [page.of(each) for each in given.named_children if each.type != "comment"] if given is not None else [], []


def place(node: "Node", own: list[str], page: Page) -> str:
    """Return which of a type's parameters a type is, ``0``, or holds, ``?0``; else nothing."""
    signs, inner = unsigned(node) if own else ("", node)
    name = page.of(inner) if inner.type == "type_identifier" else ""
    return f"{signs}{own.index(name)}" if name in own else ""


def generic_type(node: "Node", page: Page, own: list[str] | None = None) -> str:
    """Return the type behind a type expression with its arguments: ``?List<~Cart;Line>`` of ``[]*List[Cart, Line]``.

    Of ``own`` parameters it says the place, ``<0>``; of others that are known where it stands nothing.
    """
    known = go_collection(page.of(node))
    signs, inner = unsigned(node)
    if inner.type == "function_type":
        first = _given_first(inner, page)
        return f"{signs}{_FUNCTION}{first}" if first else ""
    if inner.type != "generic_type" or _CHANNEL in known or inner.end_byte - inner.start_byte > _LONGEST:
        return known
    of, given = inner.child_by_field_name("type"), inner.child_by_field_name("type_arguments")
    name = go_collection(page.of(of)) if of is not None else ""
    if not name or given is None or given.named_child_count > _MOST_ARGUMENTS:
        return known
    hidden = _parameters_around(node, page)
    types = [_argument(each, own or [], hidden, page) for each in given.named_children if each.type != "comment"]
    return f"{signs}{name}<{APPLIED}{_BETWEEN.join(types)}>" if any(types) else f"{signs}{name}"


def _given_first(function: "Node", page: Page) -> str:
    """Return the type of what a function of a type gives first; empty for a type parameter or a function."""
    result = function.child_by_field_name("result")
    first = first_named(result) if result is not None and result.type == "parameter_list" else None
    of = first.child_by_field_name("type") if first is not None else result
    inner = unsigned(of)[1] if of is not None and of.type != "parameter_list" else None
    if of is None or inner is None or inner.type == "function_type":
        return ""
    return generic_type(of, page) if page.of(inner) not in _parameters_around(function, page) else ""


def _argument(node: "Node", own: list[str], hidden: set[str], page: Page) -> str:
    """Return what stands in the place of a type parameter: empty for what is nobody's for sure."""
    inner = first_named(node) if node.type == "type_elem" else node
    if inner is None or (node.type == "type_elem" and node.named_child_count > 1):
        return ""
    written = page.of(inner)
    if written in own:
        return f"<{own.index(written)}>"
    bare, held = unsigned(inner)
    if page.of(held) in hidden:
        return ""
    told = generic_type(inner, page) if held.type == "generic_type" else go_collection(written)
    # Arguments of arguments can be told apart where there is one.
    return f"{bare}{told.lstrip('?%').partition('<')[0]}" if {_BETWEEN, ","} & set(told) else told


def _parameters_around(node: "Node", page: Page) -> set[str]:
    """Return the type parameters that are known where a node stands."""
    around = reversed(page.around(node)[-_MOST_AROUND:])
    declaring = next((each for each in around if each.type in _DECLARING), None)
    own, others = type_parameters(declaring, page) if declaring is not None else ([], [])
    return {*own, *others}


def kept_places(spec: "Node", page: Page) -> list[tuple[int, str, str]]:
    """Return (byte, name, place) for the fields of a struct that are of its type parameters."""
    own, of = type_parameters(spec, page)[0], spec.child_by_field_name("type")
    found = list[tuple[int, str, str]]()
    for field in [each for body in of.named_children for each in body.named_children] if own and of is not None else ():
        held = field.child_by_field_name("type")
        which = place(held, own, page) if held is not None else ""
        names = field.children_by_field_name("name") if which else ()
        found += [(name.start_byte, f"self.{PARAMETER}.{page.of(name)}", which) for name in names]
    return found


def base_arguments(spec: "Node", base: "Node", name: str, page: Page) -> list[tuple[int, str, str]]:
    """Return (byte, name, type) for what a type is made of: the field that has it, and what stands for its parameters.

    Of ``struct { Base[T] }`` that is ``self.Base`` and ``self.<>.Base``.
    """
    simple, told = name.rpartition(".")[2], generic_type(base, page)
    own = type_parameters(spec, page)[0]
    _, mark, held = generic_type(base, page, own).partition(f"<{APPLIED}")
    found = [(base.start_byte, f"self.{simple}", told.lstrip("?%"))]
    return [*found, (base.start_byte, f"{ARGUMENTS}{simple}", held[:-1].replace(_BETWEEN, ","))] if mark else found
