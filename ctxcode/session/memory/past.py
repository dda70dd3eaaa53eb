"""What completed turns changed, so that they can be undone or taken out."""

from bisect import bisect_left
from dataclasses import dataclass, replace

from ctxcode.model.engine.activation import ItemSignals
from ctxcode.model.engine.cluster import QueryCluster
from ctxcode.model.pin import Pin
from ctxcode.reflection.activation import Activation, updated

KEPT_EVERY = 32
"""Of so many completed turns one keeps the table of activation: a long session would hold millions of rows."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a completed turn changed beside the turns themselves, so that it can be undone."""

    turn: int
    pins_before: tuple[Pin, ...]
    pins_after: tuple[Pin, ...]
    anchor: str
    said: tuple[ItemSignals, ...] | None
    """What it said about items; None for a turn that came to nothing."""
    activation: Activation | None
    """As it was before; None where it follows from the turn before."""
    cluster: QueryCluster | None = None
    """What the conversation was about before."""


def turns_before(pasts: tuple[Past, ...], turn: int) -> int:
    """Return how many of them are older than a turn."""
    return bisect_left(pasts, turn, key=_turn_number)


def activation_before(pasts: tuple[Past, ...], place: int) -> Activation:
    """Return the activation as it was before one of the turns: from the last table that was kept, turn by turn."""
    start = next(at for at in range(place, -1, -1) if pasts[at].activation is not None)
    table = pasts[start].activation or {}
    for past in pasts[start:place]:
        if past.said is not None:
            table = updated(table, past.turn, past.said)
    return table


def without_turn(pasts: tuple[Past, ...], number: int) -> tuple[Past, ...]:
    """Return the pasts without one turn's; the next one keeps the table that it left."""
    place = turns_before(pasts, number)
    if place == len(pasts) or pasts[place].turn != number:
        return pasts
    after = pasts[place + 1 :]
    if after:
        after = (replace(after[0], activation=activation_before(pasts, place + 1)), *after[1:])
    return (*pasts[:place], *after)


def pins_before_turn(pins: tuple[Pin, ...], past: Past) -> tuple[Pin, ...]:
    """Return the pins with what a turn did to them taken back; what was changed since stays as it is."""
    after = {pin.item: pin for pin in past.pins_after}
    before = {pin.item: pin for pin in past.pins_before}
    kept = [before.get(pin.item) if after.get(pin.item) == pin else pin for pin in pins]
    now = {pin.item for pin in pins}
    ended = (pin for pin in past.pins_before if pin.item not in after and pin.item not in now)
    return (*(pin for pin in kept if pin is not None), *ended)


def _turn_number(past: Past) -> int:
    return past.turn
