"""Which models a few typed letters may mean: what can be used at once comes before what still needs a key."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from ctxcode.llm.offered.local_servers import PLACES, LocalServer, Place, local_servers
from ctxcode.llm.providers import is_local_address

_VERSION = re.compile(r"(?<!\d)\d{1,3}(?!\d)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d-\d{4}|\d\d-\d\d$")
"""What a name may end with: numbers, but no version."""
_FRESH_SECONDS = 20.0
"""So long what the servers on this machine said is not asked again."""


@dataclass(frozen=True, slots=True)
class Named:
    """A model's name and why it is worth offering."""

    name: str
    rank: int
    """Lower is nearer at hand."""
    origin: str = ""
    """In a word or two: ``in use``, the server that lists it; empty for what the price list knows."""
    order: int = 0
    """Among those of the same rank."""


USED, SERVED, KEYED, OFFLINE, LISTED, FOREIGN = range(6)
"""Ranks: used here, listed by a server here, its key is set, needs nobody, needs a key, needs one of unknown name."""


def ranked(named: Iterable[Named], typed: str, limit: int) -> tuple[Named, ...]:
    """Return the best ``limit`` of the models whose name contains what is typed, each name once.

    The name that is typed stands first, then the nearest at hand; among equals what begins so, then the newest version.
    """
    wanted = typed.casefold()
    best: dict[str, Named] = {}
    for one in named:
        if wanted in one.name.casefold() and (one.name not in best or one.rank < best[one.name].rank):
            best[one.name] = one
    return tuple(sorted(best.values(), key=lambda one: _place(one, wanted))[:limit])


def _place(one: Named, wanted: str) -> tuple[object, ...]:
    name = one.name.casefold()
    begins = name.startswith(wanted) or name.rpartition("/")[2].startswith(wanted)
    # A version that goes on is newer, 5.1 than 5: what ends stands behind every number.
    newest = (*(-int(number) for number in _VERSION.findall(_DATE.sub("", name))), 0)
    return (name != wanted, one.rank, one.order, not begins, newest, len(name), name)


def used_here(names: Sequence[str]) -> tuple[Named, ...]:
    """Return the models used here, in this order; the first of ``names`` is in use."""
    return tuple(Named(name, USED, "used before" if at else "in use", at) for at, name in enumerate(names))


def listed(providers: Mapping[str, Iterable[str]], keyed: frozenset[str], known: frozenset[str]) -> Iterable[Named]:
    """Yield the price list's models by provider.

    ``keyed`` are the providers that can be asked at once, ``known`` those whose key's name is known.
    """
    for provider, names in providers.items():
        rank = KEYED if provider in keyed else LISTED if provider in known else FOREIGN
        for name in names:
            yield Named(name, rank)


class Servers:
    """The model servers on this machine, asked again when what they said is old. Safe to call from any thread."""

    def __init__(self, look: Callable[[Sequence[Place]], tuple[LocalServer, ...]] = local_servers) -> None:
        """Take what asks them."""
        self._look = look
        self._found: tuple[str, float, tuple[Named, ...]] = ("", float("-inf"), ())
        self._lock = threading.Lock()

    def models(self, address: str, provider: str) -> tuple[Named, ...]:
        """Return what they list; blocks for up to a second.

        ``address`` is where requests go instead of to the ``provider``; empty where they go to each model's own.
        """
        with self._lock:
            # Who types fast asks while the first answer is on its way.
            asked, at, named = self._found
            if asked != address or monotonic() - at > _FRESH_SECONDS:
                own = place_of(address, provider) if address else None
                servers = self._look((own,) if own is not None else () if address else PLACES)
                named = tuple(Named(name, SERVED, server.name) for server in servers for name in server.models)
                self._found = (address, monotonic(), named)
            return named


def place_of(address: str, provider: str) -> Place | None:
    """Return where a server on this machine lists its models; None for an address anywhere else."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - where an address was given only

    if not is_local_address(address):
        return None
    try:
        parts = urlsplit(address)
        port = parts.port or 80
    except ValueError:
        return None
    if parts.scheme != "http" or parts.hostname not in {"127.0.0.1", "localhost"}:
        return None
    kind = next((place for place in PLACES if place.provider == provider), None)
    if provider == "ollama" or (kind is not None and kind.path.startswith("/api/")):
        return Place("Ollama", port, "/api/tags", provider)
    path = parts.path.rstrip("/")
    if not re.fullmatch(r"[\w./~-]*", path, re.ASCII):
        return None
    return Place(kind.server if kind else "its server", port, f"{path}/models", provider or "openai")
