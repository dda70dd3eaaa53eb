"""What a file binds that other files can see."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from ctxcode.codegraph.facts import OFFERED, BindingFact, FileFacts, is_returned
from ctxcode.codegraph.resolve.tables import SCOPE_KINDS

_CLOSED_KINDS = SCOPE_KINDS - {"module", "namespace"}
"""What these bind is nobody else's."""
_NUMBERS = "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ"
"""What tells things of one name from each other in a function."""
_SCOPE = attrgetter("scope")
_WORD = re.compile(r"[\w$]+")


def words_in(text: str) -> set[str]:
    """Return the words of what is written in code."""
    return set(_WORD.findall(text))


def outward(facts: FileFacts) -> Iterator[BindingFact]:
    """Yield the bindings that other files can see.

    What a function gives by a name of its own is given as what that name is bound to, too: nobody sees the name.
    """
    given = list[BindingFact]()
    for binding in facts.bindings:
        if not is_closed(binding.scope, facts):
            if binding.name != OFFERED:
                yield binding
        elif binding.name.startswith("("):
            yield binding
            given.append(binding)
    own = _own_names(facts) if given else {}
    # What functions inside of others give is what those know by their names.
    for binding in sorted(given, key=_SCOPE, reverse=True):
        around, types = facts.symbols[binding.scope].parent, _bound_inside(binding, facts, own)
        if is_returned(binding.name) and around > 0 and is_closed(around, facts):
            own[around] += [(facts.symbols[binding.scope].name, each) for each in (binding.type, *types)]
        for type_name in types:
            yield binding._replace(type=type_name)


def is_closed(scope: int, facts: FileFacts) -> bool:
    """Return whether what a symbol binds nobody else sees."""
    return facts.symbols[scope].kind in _CLOSED_KINDS


def _own_names(facts: FileFacts) -> dict[int, list[tuple[str, str]]]:
    """Return what names are bound to that only a function knows, by function; classes in it to what they inherit."""
    own = defaultdict[int, list[tuple[str, str]]](list)
    for binding in facts.bindings:
        if not binding.name.startswith("(") and is_closed(binding.scope, facts):
            own[binding.scope].append((binding.name.rstrip(_NUMBERS), binding.type))
    for at, base, _ in facts.bases:
        around = facts.symbols[at].parent
        if around > 0 and is_closed(around, facts):
            own[around].append((facts.symbols[at].name, base))
    return own


def _bound_inside(given: BindingFact, facts: FileFacts, own: Mapping[int, Sequence[tuple[str, str]]]) -> list[str]:
    """Return what the names are bound to by which a function says what it gives, those of functions around it too."""
    inside, scope = list[tuple[str, str]](), given.scope
    while scope >= 0:
        inside += own.get(scope, ())
        scope = facts.symbols[scope].parent
    known, pending, found = set[str](), _names_in(given.type), list[str]()
    while inside and pending:
        known |= pending
        said = [bound for name, bound in inside if name in pending]
        found += said
        pending = _names_in(" ".join(said)) - known
    return found


def _names_in(text: str) -> set[str]:
    return {word.rstrip(_NUMBERS) for word in words_in(text)}
