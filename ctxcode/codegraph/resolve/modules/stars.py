"""What a name means by imports of everything, and by what those files import everything of."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcode.codegraph.facts import OFFERED, OPEN
from ctxcode.codegraph.resolve.modules.naming import DOTTED_FAMILIES
from ctxcode.codegraph.resolve.tables import Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

if TYPE_CHECKING:
    from ctxcode.codegraph.resolve.lookup import Lookup

_NO_BINDINGS: dict[str, str] = {}
_UNSAID = "-"
_INCLUDING = frozenset({"c", "ruby"})
"""Families of which a file can reach hundreds of others."""


@dataclass(slots=True)
class _Frame:
    """A file that is looked through."""

    file: int
    targets: Iterator[int]
    """What is left of what it imports everything of."""
    is_tied: bool = False
    """It leads to files that are not looked through to their end."""


class StarSearch:
    """Looks through files in the order their imports stand in, Python's last first, each one's own before the next.

    Each is looked through once: files that import everything of one another, in circles, cost a name no more than
    their number.
    """

    def __init__(self, tables: Tables, lookup: "Lookup") -> None:
        self._tables = tables
        self._lookup = lookup
        self._targets: dict[int, list[int]] = {}
        self._offered: dict[int, list[int]] = {}
        """Those of the targets whose names a file offers to others."""
        self._names: dict[int, frozenset[str]] = {}
        """What ``import *`` takes of modules of Python that say so."""

    def targets(self, file: int) -> list[int]:
        """Return what a file imports everything of."""
        if not self._tables.stars[file]:
            return []
        found = self._targets.get(file)
        if found is None:
            found = self._lookup.memory.find(self._targets, file, [], lambda: self._find_targets(file))
        return found

    def find(self, file: int, name: str) -> int:
        """Return what a file takes in under a name that is not its own."""
        places = self._places(file, name)
        if places is not None:
            told = (self._before(place, name) for place in self.included(file, places))
            return next((node for node in told if node != UNKNOWN), UNKNOWN)
        seen, frames = {file}, [_Frame(file, iter(self.targets(file)))]
        is_circular = False
        while True:
            frame = frames[-1]
            target = next(frame.targets, None)
            if target is None:
                frames.pop()
                if not frames:
                    break
                found = self._past(frame.file, name)
                if found == UNKNOWN:
                    self._close(frame, frames[-1], name)
            else:
                other = self._module(target)
                if other is None:
                    found = self._in(target, name, frame.file)
                elif self._is_passed_over(other, frames, name):
                    continue
                elif other in seen:
                    is_circular = is_circular or other == file
                    frame.is_tied = frame.is_tied or name not in self._lookup.offers(other)
                    continue
                else:
                    seen.add(other)
                    found = self._entered(frames, other, name)
            if found != UNKNOWN:
                return self._through(frames, name, found)
        if not is_circular or UNKNOWN == self._before(file, name) == self._past(file, name):
            self._note_unknown(seen - {file}, name)
        return UNKNOWN

    def _places(self, file: int, name: str) -> int | None:
        """Return where a file finds a name by what it includes, as a set of bits; None where all has to be asked.

        Most are defined in a few places: of C's and Ruby's files only what leads there is looked through.
        """
        lookup, family = self._lookup, self._tables.families[file]
        if family not in _INCLUDING or (family == "c" and lookup.may_be_told(file, name)):
            return None
        return lookup.tops.among(lookup.inclusions.of(file), name)

    def binding(self, file: int, name: str) -> Iterable[int]:
        """Return the modules a file imports everything of, in C all it includes that bind a name."""
        if self._tables.families[file] == "python":
            file_of = self._tables.file_of
            return [target for target in self.targets(file) if self._is_offered(file_of[target], name)]
        if self._tables.families[file] != "c":
            return self.targets(file)
        places = self._lookup.bound.among(self._lookup.inclusions.of(file), name)
        return (self._tables.first_node[place] for place in self.included(file, places))

    def included(self, file: int, places: int) -> Iterator[int]:
        """Yield those of some files that a file includes, as they come one after the other: a set of ``Inclusions``."""
        if places.bit_count() == 1:
            yield places.bit_length() - 1
            return
        file_of, reached = self._tables.file_of, self._lookup.inclusions.of
        seen, pending = {file}, [iter(self.targets(file))] if places else []
        while pending:
            target = next((file_of[one] for one in pending[-1] if file_of[one] not in seen), None)
            if target is None:
                pending.pop()
                continue
            seen.add(target)
            if places >> target & 1:
                yield target
            if reached(target) & places:
                pending.append(iter(self.targets(target)))

    def _close(self, frame: "_Frame", outer: "_Frame", name: str) -> None:
        """Keep that there is nothing in a file, unless it leads back to what is still looked through."""
        if frame.is_tied:
            outer.is_tied = True
        else:
            self._note_unknown((frame.file,), name)

    def _find_targets(self, file: int) -> list[int]:
        facts = self._tables.stars[file]
        if self._tables.families[file] == "rust":
            # The others are for macros only, or what a module in braces passes on of its own file.
            facts = [fact for fact in facts if not fact.level and fact.module != "self"]
        # What a module in braces passes on its file does not.
        found = [(self._lookup.import_target(file, fact), fact.is_reexport and not fact.alias) for fact in facts]
        self._offered[file] = [target for target, is_offered in found if target >= 0 and is_offered]
        targets = [target for target, _ in found if target >= 0]
        # What Python imports last hides what it has imported before.
        return targets[::-1] if self._tables.families[file] == "python" else targets

    def _note_unknown(self, files: Iterable[int], name: str) -> None:
        """Take it that modules offer nothing under a name, unless that rests on answers that may not hold."""
        if self._lookup.memory.holds:
            for file in files:
                self._lookup.offers(file).setdefault(name, UNKNOWN)

    def _before(self, file: int, name: str) -> int:
        """Return what a module offers under a name without what it imports everything of."""
        if self._tables.families[file] == "ecmascript":
            return self._lookup.literals.offered_itself(file, name)
        found = self._tables.top[file].get(name)
        return found if found is not None else self._lookup.named_in(file, name)

    def _past(self, file: int, name: str) -> int:
        """Return what a module offers under a name that nothing it imports everything of does."""
        lookup = self._lookup
        if self._tables.families[file] == "ecmascript":
            return lookup.literals.offered_whole(file, name)
        found = lookup.seen_past(file, name, UNKNOWN)
        return found if found != UNKNOWN else lookup.inside(file, name)

    def _module(self, target: int) -> int | None:
        """Return the file whose names are meant; None for a package's and for those of a type."""
        tables = self._tables
        file = tables.file_of[target]
        package = tables.package_of[file]
        is_package = package is not None and (package[0] == "go" or package[0] in DOTTED_FAMILIES)
        return None if is_package or tables.parents[target] >= 0 else file

    def _in(self, target: int, name: str, asking: int) -> int:
        """Return what a package or a type has under a name that a file asks for."""
        tables = self._tables
        package = tables.package_of[tables.file_of[target]]
        if package is not None and package[0] in DOTTED_FAMILIES and tables.parents[target] < 0:
            node = tables.named_in(package, name, asking)
            return UNKNOWN if node is None else node
        return self._lookup.step(target, name)

    def _entered(self, frames: list[_Frame], file: int, name: str) -> int:
        """Return what a file knows a name as by itself; UNKNOWN, too, when what it imports is to be looked through."""
        lookup = self._lookup
        offers = lookup.offers(file)
        if lookup.memory.is_open(offers, name):
            return UNKNOWN
        # What a file of Rust knows for itself it need not offer to another.
        shown = self._shown(file, frames[-1].file) if self._tables.families[file] == "rust" else None
        is_tied = shown is not None and len(shown) < len(self.targets(file))
        known = None if is_tied else offers.get(name)
        if known is not None:
            return known if known != UNKNOWN else lookup.inside(file, name)
        found = self._before(file, name)
        if found == UNKNOWN:
            frames.append(_Frame(file, iter(self.targets(file) if shown is None else shown), is_tied=is_tied))
        return found

    def _hides(self, file: int, importer: int, name: str) -> bool:
        """Whether a file does not offer a name to another: of Python by its ``__all__``, of Rust what it imports.

        Of JavaScript what it keeps to itself.
        """
        tables, family = self._tables, self._tables.families[file]
        if family == "python":
            return not self._is_offered(file, name)
        if family == "ecmascript":
            return self._lookup.literals.keeps(file, name)
        fact = tables.imports[file].get(name) if family == "rust" else None
        if fact is None or fact.is_reexport or name in tables.top[file]:
            return False
        return not self._is_inside(importer, file)

    def _is_passed_over(self, file: int, frames: list[_Frame], name: str) -> bool:
        """Whether a file has nothing to say of a name to the one that takes in all of it."""
        if self._hides(file, frames[-1].file, name):
            return True
        is_led_back = self._leads_back(file, frames, name)
        frames[-1].is_tied = frames[-1].is_tied or is_led_back
        return is_led_back

    def _leads_back(self, file: int, frames: list[_Frame], name: str) -> bool:
        """Whether a file of Python has a name from one of those that are looked through for it."""
        tables = self._tables
        fact = tables.imports[file].get(name) if tables.families[file] == "python" else None
        if fact is None or fact.name != name or name in tables.top[file]:
            return False
        module = self._lookup.import_target(file, fact._replace(name="", alias=""))
        return module >= 0 and any(frame.file == tables.file_of[module] for frame in frames)

    def _is_offered(self, file: int, name: str) -> bool:
        """Whether ``import *`` takes a name of a module of Python: of its ``__all__``, else those without a ``_``."""
        names = self._names.get(file)
        if names is None:
            said = self._tables.bindings[file].get(0, _NO_BINDINGS).get(OFFERED, _UNSAID)
            names = self._names[file] = frozenset(said.split(","))
        return name in names or OPEN in names if _UNSAID not in names else not name.startswith("_")

    def _shown(self, file: int, importer: int) -> list[int]:
        """Return what a file imports everything of, as far as it offers that to another."""
        targets = self.targets(file)
        if self._tables.families[file] != "rust" or self._is_inside(importer, file):
            return targets
        return self._offered.get(file, [])

    def _is_inside(self, file: int, outer: int) -> bool:
        """Whether a module stands inside another one, which hides nothing from it."""
        return self._tables.modules[file].startswith(f"{self._tables.modules[outer]}.")

    def _through(self, frames: list[_Frame], name: str, found: int) -> int:
        """Return what has been found as the files between here and there see it: a macro of C stands for others."""
        for frame in reversed(frames[1:]):
            if found < 0 or self._tables.kinds[found] != "macro":
                break
            found = self._lookup.seen_past(frame.file, name, found)
        return found
