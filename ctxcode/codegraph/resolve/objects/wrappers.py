"""Rust's wrappers, which have to be opened to get at what is inside."""

OPENING = frozenset({"borrow", "borrow_mut", "expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else"})
"""Methods that give what is inside."""
_SAME = frozenset({
    "as_deref", "as_deref_mut", "as_mut", "as_pin_mut", "as_ref", "clone", "cloned", "copied", "get_mut", "lock",
    "map_err", "ok", "ok_or", "ok_or_else", "or", "or_else", "read", "take", "to_owned", "write",
})  # fmt: skip
"""Those that give the wrapper again, opened or not."""
KEEPING = OPENING | _SAME
"""Those that leave the type what it is, as far as nothing is left to open."""


def wraps_after(wraps: int, part: str) -> int | None:
    """Return how many wrappers are left around a value behind a call of a wrapper's method; None for other parts."""
    name = part.removesuffix("()")
    if name == part or name not in KEEPING:
        return None
    return wraps - 1 if name in OPENING else wraps
