"""The part of JSON Schema that a declared state needs: whether a schema is one, and whether a value fits it."""

from collections.abc import Mapping, Sequence

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (Mapping,),
    "array": (list, tuple),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "maxItems", "maxLength", "enum", "description"}
)
_DEEPEST = 12
_SHOWN = 60


def schema_complaint(schema: object, where: str = "schema", depth: int = 0) -> str:
    """Return what is wrong with a schema, in a sentence; empty when nothing is."""
    if not isinstance(schema, Mapping):
        return f"{where} should be a table"
    unknown = sorted(str(key) for key in schema if key not in _KEYWORDS)
    if unknown:
        return f"{where} knows no {unknown[0]!r}; it knows {', '.join(sorted(_KEYWORDS))}"
    if depth > _DEEPEST:
        return f"{where} is nested too deeply"
    kind = schema.get("type")
    if kind not in _TYPES:
        return f"{where}: type should be one of {', '.join(_TYPES)}"
    properties = schema.get("properties", {})
    if not isinstance(properties, Mapping) or (depth == 0 and (kind != "object" or not properties)):
        return f"{where} should be of type object and declare properties"
    required = schema.get("required", ())
    if not isinstance(required, Sequence) or isinstance(required, str) or not set(required) <= set(properties):
        return f"{where}: required should list declared properties"
    if not all(_is_size(schema[key]) for key in ("maxItems", "maxLength") if key in schema):
        return f"{where}: maxItems and maxLength should be whole numbers"
    if not isinstance(schema.get("additionalProperties", False), bool) or not isinstance(schema.get("enum", []), list):
        return f"{where}: additionalProperties should be true or false, enum a list"
    parts = [(f"{where}.{name}", part) for name, part in properties.items()]
    parts += [(f"{where}[]", schema["items"])] if "items" in schema else []
    return next((wrong for name, part in parts if (wrong := schema_complaint(part, name, depth + 1))), "")


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def value_complaint(value: object, schema: Mapping[str, object], where: str = "the object") -> str:
    """Return what keeps a value from fitting a sound schema, in a sentence; empty when it fits.

    Properties that are not declared do not fit unless ``additionalProperties`` is true.
    """
    kind = str(schema["type"])
    is_flag = isinstance(value, bool) and kind in ("number", "integer")
    if not isinstance(value, _TYPES[kind]) or is_flag:
        return f"{where} should be of type {kind}, not {_shown(value)}"
    options = schema.get("enum")
    if isinstance(options, list) and value not in options:
        return f"{where} should be one of {_shown(options)}, not {_shown(value)}"
    match value:
        case str() if _exceeds(len(value), schema.get("maxLength")):
            return f"{where} is longer than {schema['maxLength']} characters"
        case Mapping():
            return _object_complaint(value, schema, where)
        case list() | tuple():
            return _list_complaint(value, schema, where)
    return ""


def _object_complaint(value: Mapping[str, object], schema: Mapping[str, object], where: str) -> str:
    properties, required = schema.get("properties", {}), schema.get("required", ())
    assert isinstance(properties, Mapping)  # noqa: S101 - a sound schema
    assert isinstance(required, Sequence)  # noqa: S101 - a sound schema
    missing = [name for name in required if name not in value]
    if missing:
        return f"{where} lacks {missing[0]!r}"
    unknown = [name for name in value if name not in properties]
    if unknown and not schema.get("additionalProperties", False):
        return f"{where} has {unknown[0]!r:.60}, which is not declared"
    parts = ((f"{where}.{name}", value[name], properties[name]) for name in properties if name in value)
    return next((wrong for name, part, kind in parts if (wrong := value_complaint(part, kind, name))), "")


def _list_complaint(value: Sequence[object], schema: Mapping[str, object], where: str) -> str:
    if _exceeds(len(value), schema.get("maxItems")):
        return f"{where} has more than {schema['maxItems']} items"
    items = schema.get("items")
    if not isinstance(items, Mapping):
        return ""
    rows = enumerate(value)
    return next((wrong for place, part in rows if (wrong := value_complaint(part, items, f"{where}[{place}]"))), "")


def _exceeds(size: int, most: object) -> bool:
    return isinstance(most, int) and size > most


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
