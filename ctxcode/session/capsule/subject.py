"""What the user's words name: a folder, a file, a known capsule, or a process made of files and symbols."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ctxcode.model.engine.capsule import Capsule, CapsuleSubject, SubjectKind
from ctxcode.model.errors import UsageError
from ctxcode.session.ports import CodeGraph

USAGE = "/capsule src/queries, /capsule how a login goes: src/auth.py Session.open, /capsule src/queries = YOUR TEXT"
MOST_PARTS = 40
_LONGEST_TITLE = 80
_PARTS = re.compile(r"[\s,]+")
_SHOWN = 4
_MOST_NAME_WORDS = 12


@dataclass(frozen=True, slots=True)
class Names:
    """What can be named."""

    graph: CodeGraph
    paths: Sequence[str]
    """Of the indexed files."""
    known: Sequence[Capsule]

    def found(self, words: str) -> tuple[CapsuleSubject, str]:
        """Return the subject that words begin with, and the words left over. Raises UsageError."""
        words = " ".join(words.split())
        if not words:
            raise UsageError("A capsule of what?", USAGE)
        title, colon, parts = words.partition(": ")
        if colon and self._placed(title) is None:
            return self._process(title, _PARTS.split(parts.strip())), ""
        split = words.split(" ")
        for length in range(min(len(split), _MOST_NAME_WORDS), 0, -1):
            name, rest = " ".join(split[:length]), " ".join(split[length:])
            subject = self._known(name) or self._placed(name)
            if subject is not None:
                return subject, rest
        return self._named(split[0]), " ".join(split[1:])

    def _known(self, name: str) -> CapsuleSubject | None:
        wanted = name.casefold().rstrip("/")
        return next((one.subject for one in self.known if one.subject.name.casefold() == wanted and wanted), None)

    def _placed(self, name: str) -> CapsuleSubject | None:
        """Return the file or folder of a path as it is written from the repository's folder."""
        path = name.removeprefix("@").strip("\"'").removeprefix("./").rstrip("/")
        if path in self.paths:
            return CapsuleSubject(SubjectKind.FILE, path)
        if path in {"", "."}:
            return CapsuleSubject(SubjectKind.FOLDER, "")
        inside = f"{path}/"
        return CapsuleSubject(SubjectKind.FOLDER, path) if any(one.startswith(inside) for one in self.paths) else None

    def _ending(self, name: str) -> CapsuleSubject | None:
        """Return the only file or folder whose path ends so. Raises UsageError when several do."""
        wanted = f"/{name.strip('/')}"
        found = [CapsuleSubject(SubjectKind.FILE, path) for path in self.paths if path.endswith(wanted)]
        found += [CapsuleSubject(SubjectKind.FOLDER, path) for path in self._folders if path.endswith(wanted)]
        if len(found) > 1:
            raise UsageError(f"{name!r} could be {_some([one.title for one in found])}.", "Give the whole path.")
        return found[0] if found else None

    @property
    def _folders(self) -> list[str]:
        """Every folder that holds an indexed file, however deep."""
        inner = {path[:at] for path in self.paths for at, character in enumerate(path) if character == "/"}
        return sorted(inner)

    def _named(self, name: str) -> CapsuleSubject:
        """Return a file or folder by the end of its path, or a symbol as a process of its own."""
        place = self._ending(name)
        if place is not None:
            return place
        return CapsuleSubject(SubjectKind.PROCESS, name[:_LONGEST_TITLE], (self._symbol(name),))

    def _process(self, title: str, names: Iterable[str]) -> CapsuleSubject:
        title, wanted = title.strip(), [name for name in names if name]
        if not title or len(title) > _LONGEST_TITLE:
            raise UsageError(f"A title has 1 to {_LONGEST_TITLE} characters.", USAGE)
        if not 1 <= len(wanted) <= MOST_PARTS:
            raise UsageError(f"Name 1 to {MOST_PARTS} files or symbols that {title!r} is made of.", USAGE)
        parts: dict[str, None] = {}
        for name in wanted:
            place = self._placed(name) or self._ending(name)
            if place is None:
                parts[self._symbol(name)] = None
            elif place.kind is SubjectKind.FILE:
                parts[place.name] = None
            else:
                raise UsageError(f"{name!r} is a folder.", "Name the files or symbols a process is made of.")
        return CapsuleSubject(SubjectKind.PROCESS, title, tuple(parts))

    def _symbol(self, name: str) -> str:
        found = [symbol for symbol in self.graph.symbols_named(name, _SHOWN + 1) if symbol.qualname]
        if not found:
            places = (*self.paths, *self._folders) if "/" in name else ()
            near = get_close_matches(name, places, _SHOWN, 0.4) if places else self.graph.nearest_names(name)
            hint = f"Near it: {', '.join(near)}." if near else USAGE
            raise UsageError(f"No file, folder or symbol here is called {name!r}.", hint)
        # Overloads are one thing to people; a capsule covers their file anyway.
        apart = dict.fromkeys((one.path, one.qualname) for one in found)
        if len(apart) > 1:
            names = [f"{path}::{qualname}" for path, qualname in apart]
            raise UsageError(f"{name!r} could be {_some(names)}.", "Give one of them in full.")
        return found[0].id


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" and more" if len(names) > _SHOWN else "")
