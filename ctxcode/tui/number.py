"""Numbers, times and modes in words: needed for the first picture, so it imports next to nothing."""

import time
from collections.abc import Sequence

from ctxcode.model.plan import ContextMode

MODE_NAMES = {ContextMode.OFF: "Off", ContextMode.LIGHT: "Light", ContextMode.HEAVY: "Heavy"}

_SAME = 1e-6


def thousands(number: int) -> str:
    """Return ``2512`` as ``2,512``."""
    return f"{number:,}"


def short_count(number: int) -> str:
    """Return ``2512`` as ``2.5k`` and ``940`` as it is."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            value = number / size
            return f"{value:.0f}{unit}" if value >= 99.5 else f"{value:.1f}".removesuffix(".0") + unit
    return str(number)


def dollars(cost: float | None) -> str:
    """Return a price as ``$0.004``, ``<$0.001`` or ``$1.20``; empty when it is not known or nothing is charged."""
    if not cost:
        return ""
    if cost < 0.001:
        return "<$0.001"
    return f"${cost:.2f}" if cost >= 0.1 else f"${cost:.3f}"


def percent(used: int, limit: int) -> str:
    """Return a share in per cent: never 0 when something is used, never 100 when something is free."""
    if limit <= 0:
        return "0%" if used <= 0 else "100%"
    share = round(100 * used / limit)
    if used < limit:
        share = min(share, 99)
    return f"{max(share, 1) if used > 0 else 0}%"


def filled_cells(used: int, limit: int, cells: int) -> int:
    """Return how many of a bar's cells are filled: at least one when used, all only when full."""
    if used <= 0 or cells <= 0:
        return 0
    if used >= limit:
        return cells
    return max(1, min(cells - 1, round(cells * used / limit)))


def adding_up(parts: Sequence[float], total: float) -> list[float]:
    """Return parts rounded to thousandths that add up to the rounded total, when they did before."""
    rounded = [round(part, 3) for part in parts]
    if parts and abs(sum(parts) - total) < _SAME:
        largest = max(range(len(parts)), key=lambda at: abs(parts[at]))
        rounded[largest] += round(total, 3) - sum(rounded)
    return rounded


def elapsed(seconds: float) -> str:
    """Return a duration as ``40 ms``, ``3 s`` or ``2 min``."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def ago(seconds: float) -> str:
    """Return an age as ``just now``, ``5 min ago``, ``3 h ago`` or ``12 days ago``."""
    for limit, size, unit in ((3600, 60, "min"), (86_400, 3600, "h")):
        if seconds < limit:
            return "just now" if seconds < 60 else f"{int(seconds // size)} {unit} ago"
    days = int(seconds // 86_400)
    return "yesterday" if days == 1 else f"{days} days ago"


def when(updated_at: float) -> str:
    """Return how long ago a moment was; ``updated_at`` is seconds since the epoch."""
    return ago(max(0.0, time.time() - updated_at))


def mode_label(mode: ContextMode) -> str:
    """Return ``CTX Light``."""
    return f"CTX {MODE_NAMES[mode]}"
