"""Types of C# that are written in so many places that these are not joined any more, or are again."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ctxcode.codegraph.facts import PART, FileFacts
from ctxcode.codegraph.resolve.named.parts import MOST_PARTS


def may_be_too_many(
    changed: Mapping[str, FileFacts | None],
    before: Callable[[str], FileFacts | None],
    named: Callable[[str], Sequence[tuple[int, int, str]]],
) -> bool:
    """Tell whether a type may have more parts than are joined, before or after some files changed.

    ``before`` returns what a file said, None for one that was not there; ``named`` the definitions of a name then.
    """
    come = Counter[str]()
    for path, now in changed.items():
        parts, then = _parts(now), _parts(before(path))
        come.update({name: parts[name] - then[name] for name in {*parts, *then} if parts[name] != then[name]})
    return any(len(named(name)) + max(0, number) > MOST_PARTS for name, number in come.items())


def _parts(facts: FileFacts | None) -> Counter[str]:
    """Return how many parts of types of a name a file has."""
    bases = facts.bases if facts is not None and facts.language == "csharp" else ()
    return Counter(base.name.removeprefix(PART) for base in bases if base.name.startswith(PART))
