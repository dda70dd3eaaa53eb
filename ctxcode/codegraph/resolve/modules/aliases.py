"""What manifests name: the packages of a repository, and the paths their names stand for."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.resolve.modules.naming import joined
from ctxcode.model.naming.folder import is_aside_package

_SOURCES = ("", "src/", "lib/")
"""Where in its folder a package keeps what others name."""
_BUILT = re.compile(r"(?:\./)?(?:dist|build|out|lib|esm|cjs|es)/")
"""Where compilers write: what an entry names there stands under ``src`` in the repository."""
_WORD = re.compile(r"[\w$]+")
_STANDING_FOR_PACKAGES = frozenset({"index", "main"})
"""File names a package is entered by without saying them."""


class _Row(NamedTuple):
    alias: str
    path: str


class ImportMap:
    """Where names that are no relative paths lead, by the manifests of a repository."""

    def __init__(self, manifests: Iterable[tuple[str, FileFacts]]) -> None:
        """Take the path of each manifest with what it says; see ``outline.manifest``."""
        self._rows: dict[str, list[_Row]] = {}
        self._folders: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}
        """Folders to the packages they are."""
        for path, facts in manifests:
            if facts.language != "json":
                continue
            folder = path.rpartition("/")[0]
            # The longest name before a star says most; what is written first counts first.
            rows = self._rows.setdefault(folder, [])
            rows += [_Row(fact.alias, fact.module) for fact in facts.imports]
            if facts.package:
                self._names[folder] = facts.package
            # What tests keep for trying things out may be called like somebody else's package.
            if facts.package and not is_aside_package(f"{folder}/index.js"):
                self._folders.setdefault(facts.package, []).append(folder)
        for rows in self._rows.values():
            rows.sort(key=lambda row: (-len(row.alias.partition("*")[0]), "*" in row.alias))

    def package_around(self, path: str) -> str:
        """Return the folder of the package that a file stands in; empty for the outermost, and for one in none."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self._names:
            folder = folder.rpartition("/")[0]
        return folder

    def bases(self, importer: str, specifier: str) -> Iterator[str]:
        """Yield the paths a specifier may mean, likeliest first; relative to the root, perhaps without a suffix.

        Of a compiler's settings those of the importer's folders count, the nearest first. A folder that a relative path
        leads to stands for what its package is entered by.
        """
        if specifier.startswith("."):
            at = joined(importer.rpartition("/")[0], specifier)
            rows = self._mapped(at, self._names[at]) if at is not None and at in self._names else ()
            yield from (path for folder, inner in rows if (path := joined(folder, inner)))
        elif self._rows:
            yield from (path for folder, inner in self._places(importer, specifier) if (path := joined(folder, inner)))

    def _places(self, importer: str, specifier: str) -> Iterator[tuple[str, str]]:
        """Yield (folder, path in it)."""
        folder = importer.rpartition("/")[0]
        while True:
            yield from self._mapped(folder, specifier)
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        parts = specifier.split("/")
        cut = 2 if specifier.startswith("@") else 1
        folders = self._folders.get("/".join(parts[:cut]), ())
        if len(folders) == 1:
            yield from self._mapped(folders[0], specifier)
            rest = parts[cut:] or ["index"]
            yield from ((folders[0], f"{source}{'/'.join(rest)}") for source in _SOURCES)
            if not parts[cut:]:
                yield from ((folders[0], f"{source}{name}") for source in _SOURCES for name in ("main", parts[-1]))

    def _mapped(self, folder: str, specifier: str) -> Iterator[tuple[str, str]]:
        for alias, path in self._rows.get(folder, ()):
            before, star, after = alias.partition("*")
            if not star:
                is_meant, inner = specifier == alias, ""
            else:
                inner = specifier[len(before) : len(specifier) - len(after)]
                is_meant = bool(inner) and specifier.startswith(before) and specifier.endswith(after)
            if is_meant:
                target = path.replace("*", inner)
                yield folder, target
                if _BUILT.match(target):
                    yield folder, _BUILT.sub("src/", target, count=1)


def is_named_otherwise(path: str, manifests: Sequence[FileFacts]) -> bool:
    """Return whether somebody may mean a file without saying the first word of its name."""
    stem = path.rpartition("/")[2].partition(".")[0]
    word = next(iter(_WORD.findall(stem)), "")
    if stem in _STANDING_FOR_PACKAGES:
        return bool(manifests)
    return any(
        # By a relative path nobody says a package's name, either.
        (word not in _WORD.findall(fact.alias) or fact.alias == facts.package)
        and fact.module.rpartition("/")[2].partition(".")[0] == stem
        for facts in manifests
        for fact in facts.imports
    )
