"""Which files a file includes, and those that these include, in repositories where that is thousands for each."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from ctxcode.codegraph.facts import FileFacts, scopeless_enums

CLASSES = frozenset({"class", "struct"})


class Inclusions:
    """Finds what can be reached; files that include one another reach the same and share the answer.

    A set of files is an integer with a bit for each: a large repository has a hundred million members of such sets.
    """

    def __init__(self, targets: Callable[[int], Iterable[int]]) -> None:
        """Take what returns the files a file includes itself."""
        self._targets = targets
        self._reached: dict[int, int] = {}
        """Of all files that others include."""
        self._latest = -1, 0

    def of(self, file: int) -> int:
        """Return the files that a file reaches as a set; it is one of them in a circle only."""
        known = self._reached.get(file)
        if known is not None:
            return known
        if self._latest[0] != file:
            self._latest = file, self._find(file)
        return self._latest[1]

    def has(self, file: int, other: int) -> bool:
        """Whether a file reaches another one."""
        return bool(self.of(file) >> other & 1)

    def _find(self, start: int) -> int:
        """Return what a file reaches, and keep it of all that is on the way (Tarjan 1972, without recursion)."""
        path, place, lowest = [start], {start: 0}, {start: 0}
        pending = [(start, iter(self._targets(start)))]
        while True:
            file, targets = pending[-1]
            target = next((one for one in targets if one not in self._reached), None)
            if target is None:
                pending.pop()
                if lowest[file] == place[file]:
                    circle = path[place[file] :]
                    reached = self._reached_from(circle)
                    if not pending and len(circle) == 1:
                        # Nobody is known to include it.
                        return reached
                    self._reached.update(dict.fromkeys(circle, reached))
                    del path[place[file] :]
                if not pending:
                    return self._reached[start]
                outer = pending[-1][0]
                lowest[outer] = min(lowest[outer], lowest[file])
            elif target in place:
                lowest[file] = min(lowest[file], place[target])
            else:
                place[target] = lowest[target] = len(path)
                path.append(target)
                pending.append((target, iter(self._targets(target))))

    def _reached_from(self, circle: Sequence[int]) -> int:
        found = 0
        for file in circle:
            for target in self._targets(file):
                found |= 1 << target | self._reached.get(target, 0)
        return found


class Saying:
    """Which of some files say a name; what a file says is noted when it is first among those that are asked about."""

    def __init__(self, names_in: Callable[[int], Iterable[str]]) -> None:
        """Take what returns the names that a file says."""
        self._names_in = names_in
        self._noted = 0
        self._first: dict[str, int] = {}
        self._more: dict[str, int] = {}

    def among(self, files: int, name: str) -> int:
        """Return those of some files that say a name, both as sets like those of ``Inclusions``."""
        unknown = files & ~self._noted
        if unknown:
            self._note(unknown)
        first = self._first.get(name)
        return 0 if first is None else (1 << first | self._more.get(name, 0)) & files

    def _note(self, files: int) -> None:
        self._noted |= files
        for file in members(files):
            for name in self._names_in(file):
                if self._first.setdefault(name, file) != file:
                    self._more[name] = self._more.get(name, 0) | 1 << file


def members(files: int) -> Iterator[int]:
    """Yield the files of a set, in order."""
    while files:
        lowest = files & -files
        yield lowest.bit_length() - 1
        files ^= lowest


def known_outside(facts: FileFacts, kinds: Container[str] = CLASSES) -> Iterator[tuple[int, int]]:
    """Yield (what it is known in, symbol) of what C and C++ know outside of what it stands in; 0 is all of a file.

    That is macros, to which namespaces are nothing, and the values of enums at the top and in what is of some kinds.
    """
    symbols, scopeless = facts.symbols, scopeless_enums(facts)
    for at, symbol in enumerate(symbols):
        if symbol.kind == "macro" and symbol.parent > 0:
            yield 0, at
        elif symbol.kind == "variant" and symbol.parent in scopeless:
            around = symbols[symbol.parent].parent
            if around == 0 or symbols[around].kind in kinds:
                yield around, at
