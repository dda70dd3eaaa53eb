"""The capsules of a repository, seen from the journal: each subject's last one, unless it was removed."""

from collections.abc import Iterable

from ctxcode.model.engine.capsule import Capsule
from ctxcode.model.engine.event import CapsuleRemoved, CapsuleWritten
from ctxcode.store.codec import UnreadableError
from ctxcode.store.events.rows import EncodedEvent, decode_event


def kept_capsules(rows: Iterable[tuple[str, int, bytes]]) -> tuple[Capsule, ...]:
    """Return the capsules in force, by item id; ``rows`` are their events of every session, oldest first.

    What a newer version wrote is left out.
    """
    found: dict[str, Capsule] = {}
    for row in rows:
        try:
            event = decode_event(EncodedEvent(*row))
        except UnreadableError:
            continue
        if isinstance(event, CapsuleWritten):
            found[event.capsule.item] = event.capsule
        elif isinstance(event, CapsuleRemoved):
            found.pop(event.item, None)
    return tuple(found[item] for item in sorted(found))
