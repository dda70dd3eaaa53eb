"""From changed files of Python to those in which something else may be meant now, by what each hands on."""

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.again.bound import outward, words_in
from ctxcode.codegraph.resolve.again.said import IMPORTED, MEMBER, TAKEN, word_of, words_said
from ctxcode.codegraph.resolve.dependents.importers import Importers, Mentioning, Names, parts_of
from ctxcode.codegraph.resolve.dependents.python import PythonFiles, bound_here, is_at_top, told_name

_MOST_SEARCHES = 40
"""Times that files are searched for words: all of a large repository in which nothing was read before can be joined in
the time of so many. Nearly all that are few enough in the end take less than half of it."""
_MOST_NAMES = 300
"""Names that may be meant anywhere: the methods of a test file are many, and nobody calls them."""
_MOST_LOOKS = 10
"""So many times more often than there may be files in the end it is looked at what one says."""
_MOST_SAYING = 2
"""So many times more files than are joined again may say one of some names, in whatever way."""
_FEW = 10
"""Files that say one of some names: these are looked at as quickly as who gets at them is found out."""


class _TooMuchError(Exception):
    """Joining all files is as quick."""


class _Known:
    """What may mean something else now, as far as it is known, and what of it is still to be followed."""

    def __init__(self, mentioning: Mentioning) -> None:
        self._mentioning = mentioning
        self.names = set[str]()
        self.words = set[str]()
        """Those names without how they are said."""
        self.own = dict[tuple[str, Names], Names]()
        """By path and needs."""
        self.pending_names = set[str]()
        self.pending_own = list[tuple[str, Names, Names]]()

    def add(self, names: AbstractSet[str]) -> None:
        """Note names that may be meant anywhere."""
        self.pending_names.update(names - self.names)
        self.words.update(map(word_of, names))
        self.names.update(names)

    def add_own(self, path: str, names: Names, needs: Names = None) -> None:
        """Note names of one file; of what they mean only what goes by the names of ``needs`` is another, if not None.

        That is so where they are a module's.
        """
        before, plain = self.own.get((path, needs), frozenset()), self.own.get((path, None), frozenset())
        if before is None or plain is None:
            return
        new = names if names is None else names - before - plain - self.names
        wanted = new if needs is None else needs
        # Who gets at the module says them as its members, imports them or takes in all there is.
        said = frozenset([f"{how}{name}" for name in wanted or () for how in (MEMBER, IMPORTED, TAKEN)])
        if said and len(self._mentioning(tuple(sorted(said)))) <= _FEW:
            self.add(said)
        elif new is None or new:
            self.own[path, needs] = None if new is None else before | new
            self.pending_own.append((path, new, needs))


class Following:
    """Finds the files in which something else may be meant now: from file to file, by what each hands on."""

    def __init__(
        self,
        paths: Sequence[str],
        facts: Callable[[int], FileFacts],
        changed: Mapping[int, FileFacts | None],
        mentioning: Mentioning,
        told: PythonFiles,
        most: int,
    ) -> None:
        """Take what files say, by number of before, and what the changed ones say now; None is for gone ones.

        ``most`` are so many files in the end.
        """
        self._told = told
        self._most = most
        self._paths = paths
        self._changed = changed
        self._read = facts
        self._words = cache(lambda file: words_said(self._facts(file)))
        self._search = mentioning
        self._searches = self._looks = 0
        self._importers = Importers(paths, told.modules, self._facts, self._mentioning)
        self._known = _Known(self._mentioning)

    def files(self) -> set[int] | None:
        """Return the files, by number, the changed ones not among them; None for too many."""
        told, known = self._told.all_told, self._known
        try:
            known.add(told.names)
            for path, names in told.own.items():
                known.add_own(path, names)
            numbers = {self._paths[file]: file for file in self._changed}
            for path, names in told.own.items():
                now = self._changed.get(numbers.get(path, -1))
                if now is not None and names is not None:
                    self._hand_on(path, now, names, names)
            return self._followed()
        except _TooMuchError:
            return None

    def _followed(self) -> set[int]:
        known, found = self._known, set[int]()
        while known.pending_names or known.pending_own:
            found |= self._saying() if known.pending_names else self._importing()
            if len(found) > self._most or len(known.words) > _MOST_NAMES:
                raise _TooMuchError
        return found.difference(self._changed)

    def _facts(self, file: int) -> FileFacts:
        self._looks += 1
        if self._looks > self._most * _MOST_LOOKS:
            raise _TooMuchError
        return self._changed.get(file) or self._read(file)

    def _mentioning(self, names: Collection[str]) -> Collection[int]:
        self._searches += 1
        if self._searches > _MOST_SEARCHES:
            raise _TooMuchError
        return self._search(names)

    def _saying(self) -> set[int]:
        """Follow names that may be meant anywhere; return the files that say one of them."""
        known, found = self._known, set[int]()
        names, known.pending_names = frozenset(known.pending_names), set()
        words = frozenset(map(word_of, names))
        possible = self._mentioning(tuple(sorted(names)))
        if len(possible) > self._most * _MOST_SAYING:
            raise _TooMuchError
        for file in possible:
            if not self._words(file).isdisjoint(names):
                found.add(file)
                facts = self._facts(file)
                imported = [
                    fact for fact in facts.imports if not names.isdisjoint((fact.name, f"{IMPORTED}{fact.name}"))
                ]
                aliases = frozenset([fact.alias for fact in imported])
                self._hand_on(self._paths[file], facts, aliases, words | aliases)
        return found

    def _importing(self) -> set[int]:
        """Follow names of one file; return the files that get at it and say what is another now."""
        path, names, needs = self._known.pending_own.pop()
        found = set[int]()
        for file, gained in self._importers.of(path, names):
            other, facts = self._paths[file], self._facts(file)
            # By the module itself nobody gets at anything else without its name.
            inner = needs if needs is not None else names
            if (needs is None and gained.aliases) or inner is None or not self._words(file).isdisjoint(inner):
                found.add(file)
            if gained.handles:
                self._hand_on(other, facts, gained.handles, gained.handles if inner is None else inner, inner)
            aliases: Names = gained.aliases
            if gained.is_taken:
                found.add(file)
                aliases = None if names is None else gained.aliases | names
            if aliases is None or aliases:
                self._hand_on(other, facts, aliases, aliases if needs is None else needs, needs)
            if gained.is_reached:
                words = frozenset((parts_of(path) or ())[-1:]) if inner is None else inner
                self._hand_on(other, facts, frozenset(), words)
        return found

    def _hand_on(self, path: str, facts: FileFacts, own: Names, words: Names, needs: Names = None) -> None:
        """Note what others get from a file: some names of its own, and what is bound to one of some words.

        None of them are all. Who inherits from what one of them means is another type by that.
        """
        bound, names, pending = set[str](), set[str](), words
        while pending is None or pending:
            found = set[str]()
            for binding in outward(facts):
                if _is_said(binding.type, pending):
                    (found if is_at_top(binding, facts) else names).add(bound_here(binding, facts))
            for heir in [facts.symbols[at] for at, base, _ in facts.bases if _is_said(base, pending)]:
                (found if heir.parent == 0 else names).add(told_name(heir))
                names.update({heir.name} if self._told.is_found_anywhere(heir, path) else ())
            pending = frozenset() if pending is None else frozenset(found - bound - pending)
            bound |= found
        self._known.add(names - {""})
        self._known.add_own(path, frozenset(bound - {""}))
        self._known.add_own(path, own if own is None else own - {""}, needs)


def _is_said(written: str, words: Names) -> bool:
    return words is None or not words_in(written).isdisjoint(words)
