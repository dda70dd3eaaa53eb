"""What libraries of Java give back that they are given: ``requireNonNull(cart)``, ``verify(cart)`` of Mockito."""

from collections.abc import Callable

from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.objects.value import Value

_CHECKING = frozenset({"checkNotNull", "requireNonNull", "requireNonNullElse", "verifyNotNull"})
"""What gives its first argument, in the language's own library and in Guava."""
_MOCKING = frozenset({"mock", "spy", "verify", "when"})
"""What gives it, or an object of the class it is given, to files that import something of Mockito."""
_MOCKITO = "org.mockito"
_GATHERED = frozenset({
    "Arrays.asList", "Collections.singleton", "Collections.singletonList", "ImmutableList.of", "ImmutableSet.of",
    "List.of", "Optional.of", "Optional.ofNullable", "Set.of", "Stream.of",
})  # fmt: skip
"""What holds the one thing that it is given, in the language's own library and in Guava."""
_LONGEST = 40
_OF_CLASS = ("!",)
"""How what is given ends that is an object of a class by its name."""


class HandedBack:
    """Answers over one repository."""

    def __init__(
        self,
        lookup: Lookup,
        of: Callable[[int, str], Value | None],
        of_bound: Callable[[int, str], Value | None],
    ) -> None:
        self._lookup, self._tables = lookup, lookup.tables
        self._of, self._of_bound = of, of_bound
        self._mocking: dict[int, bool] = {}

    def of_outside(self, found: Value | None, part: str, scope: int) -> Value | None:
        """Return what a call gives that is none of the repository's, ``verify(1:cart)``; else what was found for it."""
        name, mark, given = part.partition("(")
        given = given.partition(":")[2][:-1] if mark and scope >= 0 else ""
        if not given or not self._gives_back(name, self._tables.file_of[scope]):
            return found
        is_class = given[-1] in "!^"
        if not is_class and not given.isidentifier():
            return found
        back = self._of_bound(scope, given[:-1]) if is_class else self._of(scope, given)
        return back if back is not None and (back.is_object or back.node < 0) else found

    def gathered(self, scope: int, parts: list[str]) -> Value | None:
        """Return what ``List.of(1:cart)`` holds, and holds it in, where that is no class of the repository's."""
        written = f"{parts[0]}.{parts[1][:_LONGEST].partition('(')[0]}" if len(parts) > 1 else ""
        file = self._tables.file_of[scope] if written in _GATHERED else -1
        count, _, given = parts[1].partition("(")[2].removesuffix(")").partition(":") if file >= 0 else ("", "", "")
        if count != "1" or self._tables.facts[file].language != "java" or self._lookup.type_in(scope, parts[0]) >= 0:
            return None
        if given[-1:] not in _OF_CLASS and not given.isidentifier():
            return None
        held = self._of_bound(scope, given[:-1]) if given[-1] in _OF_CLASS else self._of(scope, given)
        is_one = held is not None and held.node >= 0 and held.is_object and not held.wraps
        return held._replace(wraps="?") if held is not None and is_one else None

    def _gives_back(self, name: str, file: int) -> bool:
        if self._tables.facts[file].language != "java" or name not in _MOCKING:
            return name in _CHECKING and self._tables.facts[file].language == "java"
        known = self._mocking.get(file)
        if known is None:
            facts = (*self._tables.imports[file].values(), *self._tables.stars[file])
            known = self._mocking[file] = any(fact.module.startswith(_MOCKITO) for fact in facts)
        return known
