"""The settings of a session as text: what it goes by, and where that comes from."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ctxcode.model.check import SettingRow
from ctxcode.model.event import ModelChanged, SessionStarted
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line

_VALUE_CELLS = 28
_DEFAULT = "default"


def in_force(rows: Sequence[SettingRow], door: Door) -> tuple[SettingRow, ...]:
    """Return settings as a session has them: what it was given otherwise holds until another session is begun."""
    own = {
        "mode": door.mode.value,
        "model": door.model.name,
        "api_base": next(_addresses(door), ""),
        "budget_tokens": str(door.budget_tokens),
        "strategy": door.strategies.name,
    }
    return tuple(_row(row, own.get(row.name, row.value)) for row in rows)


def _addresses(door: Door) -> Iterator[str]:
    """Yield the addresses of the session's models, the last one first."""
    for event in reversed(door.history()):
        if isinstance(event, SessionStarted | ModelChanged):
            yield event.api_base


def _row(row: SettingRow, value: str) -> SettingRow:
    if value == row.value:
        return row
    begins = f"a new one: {row.value or 'none'} ({row.origin or _DEFAULT})"
    return replace(row, value=value, origin=f"this session; {begins}")


def settings_text(rows: Sequence[SettingRow], file: str) -> str:
    """Return every setting with where its value comes from, and how to change one."""
    name = max((len(row.name) for row in rows), default=0)
    lines = []
    for row in rows:
        value = clean_line(row.value, 200) or "-"
        pad = max(2, _VALUE_CELLS - len(value))
        lines.append(f"{row.name:<{name}}  {value}{' ' * pad}{clean_line(row.origin, 300) or _DEFAULT}")
    changed = f"/settings edit opens {clean_line(file, 300)}; what is changed there counts from the next start on."
    return "\n".join([*lines, "", changed])
