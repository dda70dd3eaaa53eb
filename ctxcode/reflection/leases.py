"""How pins age."""

from collections.abc import Iterable
from dataclasses import replace

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


def aged(pins: Iterable[Pin]) -> tuple[Pin, ...]:
    """Return the pins after one more completed turn: leases count down, whether or not they were included."""
    kept: list[Pin] = []
    for pin in pins:
        if pin.turns_left is None:
            kept.append(pin)
        elif pin.turns_left > 1:
            kept.append(replace(pin, turns_left=pin.turns_left - 1))
    return tuple(kept)
