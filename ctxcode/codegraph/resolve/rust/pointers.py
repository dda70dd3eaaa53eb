"""What Rust's pointers point at."""

from ctxcode.codegraph.resolve.tables import Tables


def pointed_at(tables: Tables, owner: int) -> int | None:
    """Return the ``type Target`` that a type of Rust says, if it does."""
    target = tables.children.get(owner, {}).get("Target")
    is_rust = tables.families[tables.file_of[owner]] == "rust"
    return target if target is not None and tables.kinds[target] == "type" and is_rust else None
