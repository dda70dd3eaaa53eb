"""What manifests of Rust say beside a crate's name: what it calls other crates, and where its programs begin."""

from collections.abc import Iterable, Mapping, Sequence

from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.resolve.modules.naming import is_crate_root, joined, rust_crate_of
from ctxcode.codegraph.resolve.nearest import folders_above

_PROGRAMS = frozenset({"tests", "examples", "benches", "src/bin"})
"""The folders of a crate in which each file is a program of its own, or a module of one."""


class OtherCrates:
    """Answers by the manifests of a repository."""

    def __init__(
        self, manifests: Mapping[str, Sequence[ImportFact]], crates: Mapping[str, str], paths: Iterable[str]
    ) -> None:
        """Take what manifests say, by path, the names of crates, by folder, and the files of Rust."""
        self._crates = crates
        self._called: dict[str, dict[str, ImportFact]] = {}
        """What crates call others, by the folder of the manifest: of a workspace, those of all in it."""
        self._roots = set[str]()
        """The files that programs begin in, but for those where a crate does."""
        for path, facts in manifests.items():
            folder = path.rpartition("/")[0]
            for fact in facts:
                if fact.alias:
                    self._called.setdefault(folder, {}).setdefault(fact.alias, fact)
                elif (root := joined(folder, fact.module)) is not None and not is_crate_root(root):
                    self._roots.add(root)
        self._begun = _folders_of_programs(paths, crates)
        self._begun |= {root.rpartition("/")[0]: root for root in sorted(self._roots, reverse=True)}

    def meant(self, path: str, name: str) -> str | None:
        """Return the name of the crate that a file calls otherwise, here or not; None for what it calls as that is."""
        for folder in folders_above(path) if self._called else ():
            fact = self._called.get(folder, {}).get(name)
            if fact is not None:
                at = joined(folder, fact.name) if fact.name else None
                return self._crates.get(at, fact.module) if at is not None else fact.module
        return None

    def is_root(self, path: str, crate: str) -> bool:
        """Whether a program begins in a file of a crate's folder, a test or an example among them."""
        folder = path.rpartition("/")[0]
        return path in self._roots or folder[len(crate) + 1 if crate else 0 :] in _PROGRAMS

    def root_of(self, path: str, crate: str) -> str:
        """Return the file that the program begins in which a file of a crate's folder is part of; empty for none.

        What stands beside or below that belongs to it, unless that is where the library stands.
        """
        if path in self._roots or path.rpartition("/")[0] == (f"{crate}/src/bin" if crate else "src/bin"):
            return path
        for folder in folders_above(path) if self._begun else ():
            if folder in {crate, f"{crate}/src" if crate else "src"}:
                break
            if folder in self._begun:
                return self._begun[folder]
        return ""


def _folders_of_programs(paths: Iterable[str], crates: Mapping[str, str]) -> dict[str, str]:
    """Return the folders that are programs, as ``src/bin/tool`` with its ``main.rs`` is, and where these begin."""
    found = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        crate = rust_crate_of(path, crates) if name == "main.rs" else None
        if crate is not None and folder.rpartition("/")[0][len(crate) + 1 if crate else 0 :] in _PROGRAMS:
            found[folder] = path
    return found
