"""Which JavaScript a compiler wrote, by the names of files alone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ctxcode.model.naming.forms import DECLARATIONS, SCRIPTS, other_forms

SOURCES = (".ts", ".tsx", ".mts", ".cts")
_ENDINGS = (*SCRIPTS, *SOURCES)
_OUTPUT = frozenset({"build", "cjs", "dist", "dist-cjs", "dist-es", "dist-types", "es", "esm", "lib", "out", "umd"})
"""Folders that build tools write to."""
_VARIANT = _OUTPUT | {"browser", "commonjs", "es5", "es6", "esnext", "legacy", "modern", "module", "node", "types"}
"""Folders in these, one for each form of the output; elsewhere they may hold what somebody wrote."""


def built_files(paths: Iterable[str]) -> dict[str, str]:
    """Return the paths of files that are the output of a build, each with the path of the file that says the same.

    That is what a TypeScript source compiles to, beside it or elsewhere; and of a compiled module that comes in several
    module systems, in one folder or in one for each, all but one. Outside the folders that build tools write to, a
    script counts as compiled only when its declarations stand beside it, as no hand writes both.
    """
    stems: dict[str, list[str]] = defaultdict(list)
    for path in [path for path in paths if path.endswith(_ENDINGS)]:
        suffix = _suffix(path)
        stems[path[: -len(suffix)]].append(suffix)
    sources = {stem: stem + suffix for stem, found in stems.items() for suffix in SOURCES if suffix in found}
    built: dict[str, str] = {}
    for stem, suffixes in stems.items():
        scripts = [suffix for suffix in SCRIPTS if suffix in suffixes]
        declarations = [suffix for suffix in DECLARATIONS if suffix in suffixes]
        is_pair = bool(scripts and declarations)
        places = (stem, *_places_of_output(stem), *(_places_of_pair(stem) if is_pair else ()))
        source = next((sources[place] for place in places if place in sources), None)
        if source is not None:
            built |= {stem + suffix: source for suffix in (*scripts, *declarations)}
        elif is_pair:
            built |= {stem + suffix: stem + kind[0] for kind in (scripts, declarations) for suffix in kind[1:]}
    return built | other_forms({stem: [end for end in stems[stem] if stem + end not in built] for stem in stems})


def scripts_beside(path: str) -> tuple[str, ...]:
    """Return where the script may stand that a file of declarations is about; nothing for other files."""
    declares = path.endswith(DECLARATIONS)
    return tuple(path[: -len(_suffix(path))] + ending for ending in SCRIPTS) if declares else ()


def _suffix(path: str) -> str:
    """Return the ending that tells source, script and declaration apart."""
    dot = path.rindex(".")
    return path[dot - 2 :] if path.endswith(".d", 0, dot) and path.endswith(DECLARATIONS) else path[dot:]


def _places_of_output(stem: str) -> Iterator[str]:
    """Yield where the source may stand of what lies in a build tool's folder: in its place, or under ``src`` there."""
    parts = stem.split("/")
    for depth, name in enumerate(parts[:-1]):
        if name in _OUTPUT:
            yield _joined(parts[:depth], parts[depth + 1 :])
            yield _joined([*parts[:depth], "src"], parts[depth + 1 :])
            if len(parts) > depth + 2 and parts[depth + 1] in _VARIANT:
                yield _joined([*parts[:depth], "src"], parts[depth + 2 :])


def _places_of_pair(stem: str) -> Iterator[str]:
    """Yield where the source may stand of a script with its declarations: under ``src`` of a folder above."""
    parts = stem.split("/")
    return (_joined([*parts[:depth], "src"], parts[depth:]) for depth in range(len(parts)))


def _joined(package: Sequence[str], rest: Sequence[str]) -> str:
    return "/".join((*package, *rest))
