"""Methods that are named behind an object and not called: what a call would lead to, if the object's type is known."""

from ctxcode.codegraph.edges import Tier
from ctxcode.codegraph.extract.objects.handed import HANDED
from ctxcode.codegraph.resolve.calls import FileCalls
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.named.candidates import NOTHING, Found

_LANGUAGES = frozenset({"javascript", "typescript", "tsx", "go", "csharp"})
"""Those that name a method so; of Python ``READ`` tells."""
_TIERS = {
    Tier.CALLS_ON_SELF: Tier.REFERENCES_QUALIFIED,
    Tier.CALLS_QUALIFIED: Tier.REFERENCES_QUALIFIED,
    Tier.CALLS_ON_TYPE: Tier.REFERENCES_ON_TYPE,
    Tier.CALLS_ON_ATTRIBUTE: Tier.REFERENCES_ON_ATTRIBUTE,
}
"""How what is named is found, by how it would be called; no name alone tells."""


class Handed:
    """The methods that one file hands on."""

    def __init__(self, lookup: Lookup, calls: FileCalls, file: int) -> None:
        self._tables, self._calls = lookup.tables, calls
        self.is_handing_on = lookup.tables.facts[file].language in _LANGUAGES

    def named(self, user: int, written: str) -> Found:
        """Return the method that a dotted name means, with the tier of the edge to it."""
        receiver, _, name = written.removeprefix(HANDED).rpartition(".")
        if name not in self._tables.names:
            return NOTHING
        targets, tier = self._calls.found(user, receiver, name)
        is_known = tier in _TIERS and all(self._tables.kinds[target] == "method" for target in targets)
        return (targets, _TIERS[tier]) if is_known else NOTHING
