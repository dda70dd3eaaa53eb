"""How pins age."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from ctxcode.model.ids import ItemId
from ctxcode.model.pin import Pin, PinKind

LEASE_TURNS = 5
"""Completed turns a lease lasts when nobody says otherwise."""


def lease_length(kind: PinKind, turns: int | None) -> int | None:
    """Return the turns a new pin has: None for sticky, 1 for ephemeral, ``turns`` or the default for a lease."""
    match kind:
        case PinKind.STICKY:
            return None
        case PinKind.EPHEMERAL:
            return 1
        case PinKind.LEASED:
            return LEASE_TURNS if turns is None else max(1, turns)


def aged(pins: Iterable[Pin], turn: int = 0, referenced: Collection[ItemId] = ()) -> tuple[Pin, ...]:
    """Return the pins after one more completed turn.

    Leases count down, whether or not they were included; one whose item the turn named begins anew.
    """
    kept: list[Pin] = []
    for pin in pins:
        if pin.item in referenced and pin.kind is not PinKind.EPHEMERAL:
            kept.append(replace(pin, turns_left=_renewed(pin), referenced_at=turn))
        elif pin.turns_left is None:
            kept.append(pin)
        elif pin.turns_left > 1:
            kept.append(replace(pin, turns_left=pin.turns_left - 1))
    return tuple(kept)


def _renewed(pin: Pin) -> int | None:
    if pin.turns_left is None:
        return None
    return max(pin.turns_left, pin.length or LEASE_TURNS)


def without_task_leases(pins: Iterable[Pin]) -> tuple[Pin, ...]:
    """Return the pins after the task they were leased for has ended."""
    return tuple(pin for pin in pins if not pin.ends_with_task)
