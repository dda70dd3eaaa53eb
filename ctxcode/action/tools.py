"""The tools a model may call: names, what they are for, and the schema of their arguments."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from ctxcode.action.arguments import (
    Arguments,
    CreateFile,
    DeleteFile,
    FindReferences,
    ListFiles,
    ProposeEdit,
    ReadFile,
    RenameFile,
    RequestCodeContext,
    RunCommand,
    SearchCode,
    SuggestPins,
    UpdateNotes,
)
from ctxcode.model.canonical import canonical_json
from ctxcode.model.conversation import ToolSpec

_DESCRIPTIONS: dict[str, tuple[type[Arguments], str]] = {
    "request_code_context": (
        RequestCodeContext,
        (
            "Show definitions from the code graph: one by its symbol, or those that fit a query best. Start here. "
            "Says so when a symbol does not exist."
        ),
    ),
    "find_references": (FindReferences, "List where a definition is called, imported or inherited from."),
    "search_code": (SearchCode, "Find an exact text in all files; without capitals in it, case does not matter."),
    "read_file": (ReadFile, "Read lines of a file, numbered."),
    "list_files": (ListFiles, "List a folder, or every file below it whose name fits a pattern."),
    "propose_edit": (
        ProposeEdit,
        (
            "Replace text in a file: the one place that reads old, a whole definition by symbol, or old inside symbol. "
            "The user sees all edits of a reply as one diff; they are written together or not at all."
        ),
    ),
    "create_file": (CreateFile, "Propose a new file."),
    "delete_file": (DeleteFile, "Propose to delete a file."),
    "rename_file": (RenameFile, "Propose to rename or move a file."),
    "suggest_pins": (
        SuggestPins,
        "Suggest to the user what should stay in the context for good: what you keep coming back to.",
    ),
    "update_notes": (UpdateNotes, "Replace your notes on this conversation; you are shown them in every later turn."),
    "run_command": (
        RunCommand,
        (
            "Run a command in the repository's folder, to test or check. The user is asked first unless they allowed "
            "it; no network, git's folder is read-only, ended after two minutes."
        ),
    ),
}
RUNNING = "run_command"
"""The tool that is offered only where somebody can allow it."""
EDITING = frozenset({"propose_edit", "create_file", "delete_file", "rename_file"})
"""The tools that change files."""


def arguments_type(name: str) -> type[Arguments] | None:
    """Return the type of a tool's arguments; None for a tool that does not exist."""
    found = _DESCRIPTIONS.get(name)
    return found[0] if found is not None else None


@cache
def tool_specs() -> tuple[ToolSpec, ...]:
    """Return the tools as the model is told of them."""
    return tuple(ToolSpec(name, words, schema_of(shape)) for name, (shape, words) in _DESCRIPTIONS.items())


def schema_of(shape: type[Arguments]) -> str:
    """Return the JSON schema of a tool's arguments as canonical JSON, without what only costs tokens."""
    _, components = msgspec.json.schema_components((shape,), ref_template="{name}")
    return canonical_json(_object(shape.__name__, components))


def _object(name: str, components: Mapping[str, Any]) -> dict[str, object]:
    """Return an object's schema, those of the objects in it written out."""
    schema = components[name]
    return {
        "type": "object",
        "properties": {key: _plain(one, components) for key, one in schema["properties"].items()},
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


_COSTLY = frozenset({"default", "title", "maxLength", "minLength", "maximum"})


def _plain(schema: dict[str, Any], components: Mapping[str, Any]) -> dict[str, object]:
    """Return a property's schema without null: leaving an optional argument out says the same."""
    items = schema.get("items")
    if isinstance(items, dict) and "$ref" in items:
        schema = {**schema, "items": _object(items["$ref"], components)}
    options = schema.get("anyOf")
    if isinstance(options, list):
        (schema,) = [option for option in options if option.get("type") != "null"]
    return {
        key: [choice for choice in value if choice is not None] if key == "enum" and isinstance(value, list) else value
        for key, value in schema.items()
        if key not in _COSTLY
    }
