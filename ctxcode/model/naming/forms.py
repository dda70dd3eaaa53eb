"""Packages of JavaScript that lie there in several forms, a folder for each module system: ``lib/``, ``es6/``."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
SCRIPTS = (".js", ".mjs", ".cjs", ".jsx")
_LATER = r"es|es6|es20\d\d|esm|esm20\d\d|esnext|mjs"
_OLDER = r"amd|cjs|commonjs|es5|esm5|systemjs|umd"
_FORM = re.compile(rf"(?:_*|(?:lib|dist|build)-)(?:{_LATER}|(?P<older>{_OLDER}))|module|browser")
"""Folders that hold a package once more."""
_MAIN = ("", "lib", "dist")
"""Where the form stands that users know."""
_BESIDE: Mapping[str, Sequence[str]] = {"es": ("lib",), "module": (), "browser": ("",)}
"""The same for names that mean other things, too."""
_WITH_OTHERS_OF_ITS_OWN = "browser"
"""Where a few scripts may be written in the place of others: it is a form where it has many."""
_WRITTEN = frozenset({"__tests__", "examples", "fixtures", "spec", "test", "tests"})
"""Folders in which all forms are written by hand."""
_FEWEST_ALIKE = 3
_MANY_ALIKE = 20
_ALIKE = 0.9
"""The share of a form's scripts that have to stand in the other one."""

_Stems = Mapping[str, Sequence[str]]
"""Paths without their endings, with the endings they have."""
_Folder = tuple[str, str]
"""(where the package lies, name of the folder of a form)."""


def other_forms(stems: _Stems) -> dict[str, str]:
    """Return the files of all forms of a package but one, each with the path of the same file in that one.

    ``stems`` are paths without their endings, with these. The form that users know stays, or the latest one.
    """
    folders = _folders(stems)
    built: dict[str, str] = {}
    kept: dict[str, list[str]] = defaultdict(list)
    for package, form in sorted(folders, key=_age):
        for other in (*_BESIDE.get(form, _MAIN), *kept[package]):
            found, alike = _same(folders[package, form], "/".join(filter(None, (package, other))), stems)
            if alike >= (_MANY_ALIKE if form == _WITH_OTHERS_OF_ITS_OWN else _FEWEST_ALIKE):
                built |= found
                break
        else:
            kept[package].append(form)
    return built


def _folders(stems: _Stems) -> dict[_Folder, dict[str, str]]:
    """Return what lies in the folders of forms: paths below each to the paths from the root."""
    folders: dict[_Folder, dict[str, str]] = defaultdict(dict)
    for stem in stems:
        parts = stem.split("/")
        depth = next((depth for depth, name in enumerate(parts[:-1]) if _FORM.fullmatch(name)), None)
        if depth is not None and _WRITTEN.isdisjoint(parts[:depth]):
            folders["/".join(parts[:depth]), parts[depth]]["/".join(parts[depth + 1 :])] = stem
    return folders


def _age(folder: _Folder) -> tuple[bool, _Folder]:
    """Order forms, the latest before those for older JavaScript."""
    found = _FORM.fullmatch(folder[1])
    return found is None or found["older"] is not None, folder


def _same(inside: Mapping[str, str], other: str, stems: _Stems) -> tuple[dict[str, str], int]:
    """Return the files of a form that stand in another folder, too, with their paths there, and how many are scripts.

    That is nothing if few do.
    """
    found, scripts, alike = dict[str, str](), 0, 0
    for rest, stem in inside.items():
        there = f"{other}/{rest}" if other else rest
        pairs = dict(_pairs(stem, stems[stem], there, stems.get(there, ())))
        found |= pairs
        is_script = not set(SCRIPTS).isdisjoint(stems[stem])
        scripts += is_script
        alike += is_script and any(path.endswith(SCRIPTS) for path in pairs)
    return (found, alike) if alike >= _ALIKE * scripts else ({}, 0)


def _pairs(stem: str, endings: Sequence[str], there: str, endings_there: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a module's files, each with the one of its kind elsewhere."""
    for kind in (SCRIPTS, DECLARATIONS):
        other = next((there + ending for ending in kind if ending in endings_there), None)
        if other is not None:
            yield from ((stem + ending, other) for ending in endings if ending in kind)
