"""Dotted module names, per language's rules, and which file a name leads to."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ctxcode.codegraph.facts import FileFacts
from ctxcode.codegraph.outline.manifest import is_manifest
from ctxcode.codegraph.resolve.modules.root_package import root_package
from ctxcode.model.naming.built import scripts_beside
from ctxcode.model.naming.forms import DECLARATIONS, SCRIPTS

FAMILIES = {
    "python": "python",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "rust": "rust",
    "go": "go",
    "java": "java",
    "kotlin": "java",
    "scala": "java",
    "c": "c",
    "cpp": "c",
}
DOTTED_FAMILIES = frozenset({"java", "csharp", "php"})
"""Families whose files declare a dotted package, whatever their place."""
PACKAGED = frozenset({"csharp", "java"})
"""Those of which a package's names are its own, whatever its files import."""
_SOURCE_ROOTS = frozenset({"src", "lib", "Lib", "python", "source"})
_CRATE_ROOTS = ("/lib.rs", "/main.rs")
UNNAMED_CRATE = "crate"
"""What a crate at the top of the tree is called where no manifest names it."""
_RUST_TARGETS = frozenset({"tests", "examples", "benches"})
_TRIED = (
    ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts", ".vue", ".svelte",
)  # fmt: skip
"""What imports may leave out, in the order in which it is tried."""
_DESCRIBING = frozenset({"doc", "package-info", "package"})
"""What files are called in which a package is described: of Go, Java and Scala."""
_OF_SOURCES = {"@": ("src/",), "~": ("src/", "app/"), "$lib": ("src/lib/",)}
"""What imports begin with that name a file of the same package by its folder of sources, where no settings say so."""
_ECMASCRIPT_SUFFIXES = (".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")


def family_of(language: str) -> str:
    """Return the family of languages whose names see each other."""
    return FAMILIES.get(language, language)


def module_names(files: Mapping[str, FileFacts]) -> dict[str, str]:
    """Return each path's dotted module name."""
    manifests = {path: facts.package for path, facts in files.items() if is_manifest(path)}
    packages, crates = python_packages(files), rust_crates(files, manifests)
    names = {path: _module_name(path, facts, packages, crates) for path, facts in files.items()}
    python = [path for path, facts in files.items() if family_of(facts.language) == "python"]
    root = root_package(files, {names[path].partition(".")[0] for path in python})
    if root:
        names.update({path: _python_module_of(root, path) for path in python})
    return names


def standing_for(package: str, files: Sequence[tuple[bool, str]]) -> tuple[int, bool]:
    """Return the place of the file that stands for a package, and whether it is alone.

    Each file is given with whether it is a test or the like: those don't count where there are others. It is the one
    that is called like the package, else the one in which that is described, else the first.
    """
    name = package.rpartition(".")[2].lower()

    def order(place: int) -> tuple[bool, int, str]:
        is_aside, path = files[place]
        stem = _stem(path).lower()
        return is_aside, 0 if stem == name else 1 if stem in _DESCRIBING else 2, path

    first = min(range(len(files)), key=order)
    return first, sum(is_aside == files[first][0] for is_aside, _ in files) == 1


def module_name_beside(path: str, facts: FileFacts, modules: Mapping[str, str]) -> str:
    """Return the dotted module name of one file among others, given theirs; not for what makes a crate of Rust."""
    family = family_of(facts.language)
    packages = python_packages(modules) if family == "python" else set[str]()
    # A crate's root is called as the crate is, whatever its manifest says.
    roots = _crate_roots(modules) if family == "rust" else {}
    return _module_name(path, facts, packages, {folder: modules[root] for folder, root in roots.items()})


def is_crate_root(path: str) -> bool:
    """Whether a file of Rust may make the folder it stands in, or the one around that, a crate."""
    return f"/{path}".endswith(_CRATE_ROOTS)


def python_packages(paths: Iterable[str]) -> set[str]:
    """Return the folders that are packages of Python."""
    return {path.rpartition("/")[0] for path in paths if path.endswith(("/__init__.py", "/__init__.pyi"))}


def _module_name(path: str, facts: FileFacts, packages: set[str], crates: Mapping[str, str]) -> str:
    family = family_of(facts.language)
    if family == "python":
        return python_module(path, packages)
    if family == "rust":
        return rust_module(path, crates)
    if family in DOTTED_FAMILIES:
        return ".".join(part for part in (facts.package, _stem(path)) if part)
    return _plain_module(path)


def python_module(path: str, packages: set[str]) -> str:
    """Return a Python file's dotted name.

    It begins at the outermost folder with an ``__init__.py``; folders without one inside a package still count. With
    no package above it, the whole path counts, less a leading source root.
    """
    folders = path.split("/")
    stem = folders.pop().partition(".")[0]
    start = next((n for n in range(len(folders)) if "/".join(folders[: n + 1]) in packages), None)
    if start is None:
        start = 1 if folders and folders[0] in _SOURCE_ROOTS else 0
    parts = folders[start:]
    if stem != "__init__" or not parts:
        parts.append(stem)
    return ".".join(parts)


def _python_module_of(root: str, path: str) -> str:
    """Return a Python file's dotted name where the repository's root is a package."""
    parts = path.rpartition(".")[0].split("/")
    return ".".join([root, *(parts[:-1] if parts[-1] == "__init__" else parts)])


def rust_crates(paths: Iterable[str], manifests: Mapping[str, str]) -> dict[str, str]:
    """Return the folders of crates and the crates' names.

    ``manifests`` are the names that manifests declare, by path; a crate without one is called after its folder, or
    by the path there where no ``src`` says that the folder is a crate's own.
    """
    crates = {}
    for folder, root in _crate_roots(paths).items():
        declared = manifests.get(_manifest_in(folder), "")
        is_own = root.endswith(("src/lib.rs", "src/main.rs"))
        by_folder = folder.rpartition("/")[2].replace("-", "_") if is_own else folder.replace("/", ".")
        crates[folder] = declared or by_folder or UNNAMED_CRATE
    return crates


def _crate_roots(paths: Iterable[str]) -> dict[str, str]:
    """Return the folders of crates with the files these begin in.

    ``src/lib.rs`` or ``src/main.rs`` is one. So is a ``lib.rs`` or ``main.rs`` elsewhere, as ``path`` in a manifest may
    say, where a manifest stands beside it or no crate is around.
    """
    known = set(paths)
    crates: dict[str, str] = {}
    loose: dict[str, str] = {}
    # Backwards, so that of a library and a program the library stays.
    for path in sorted((path for path in known if is_crate_root(path)), reverse=True):
        folder = path.rpartition("/")[0]
        outer, _, last = folder.rpartition("/")
        if last == "src":
            crates[outer] = path
        else:
            loose[folder] = path
    for folder, path in loose.items():
        has_manifest = _manifest_in(folder) in known
        if folder not in crates and (has_manifest or (folder and rust_crate_of(path, crates) is None)):
            crates[folder] = path
    return crates


def _manifest_in(folder: str) -> str:
    return f"{folder}/Cargo.toml" if folder else "Cargo.toml"


def rust_crate_of(path: str, crates: Mapping[str, str]) -> str | None:
    """Return the folder of the innermost crate around a path."""
    folder = path.rpartition("/")[0]
    while True:
        if folder in crates:
            return folder
        if not folder:
            return None
        folder = folder.rpartition("/")[0]


def rust_module(path: str, crates: Mapping[str, str]) -> str:
    """Return a Rust file's module path with dots; files of ``tests`` and such are crates of their own."""
    crate = rust_crate_of(path, crates)
    parts = path[len(crate) + 1 if crate else 0 :].removesuffix(".rs").split("/")
    prefix = [crates[crate]] if crate is not None else []
    if crate is not None and parts[0] == "src":
        parts = parts[1:]
    if parts[-1] in {"mod", "lib", "main"} and (len(parts) > 1 or prefix):
        parts = parts[:-1]
    return ".".join([*prefix, *parts])


def is_rust_target(path: str, crate: str) -> bool:
    """Return whether a Rust file is a test, example or benchmark: it sees its crate from outside."""
    return path[len(crate) + 1 if crate else 0 :].partition("/")[0] in _RUST_TARGETS


def _plain_module(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name
    for suffix in _ECMASCRIPT_SUFFIXES:
        if name.endswith(suffix):
            stem = name[: -len(suffix)]
            break
    else:
        stem = _stem(path)
    parts = [part for part in folder.split("/") if part]
    if stem != "index" or not parts:
        parts.append(stem)
    return ".".join(parts)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


class EcmascriptPaths:
    """Where an import specifier of JavaScript or TypeScript leads."""

    _BARE_ROOTS = ("", "src/")

    def __init__(self, files: Sequence[str], bases: Callable[[str, str], Iterable[str]]) -> None:
        """Take the path of each file, empty for one in another language, and where names lead by what names them."""
        self._bases = bases
        self._index = {path: number for number, path in reversed(list(enumerate(files))) if path}

    def find(self, importer: str, specifier: str) -> int | None:
        """Return the file's number, or None when it is external."""
        if specifier.startswith("."):
            base = joined(importer.rpartition("/")[0], specifier)
            found = None if base is None else self._at(base)
            last = specifier.rpartition("/")[2]
            if found is not None or base is None or ("." in last and last.strip(".")):
                return found
        for base in self._bases(importer, specifier):
            found = self._at(base)
            if found is not None:
                # What a package is entered by is often said of its types alone.
                return next((self._index[path] for path in scripts_beside(base) if path in self._index), found)
        if specifier.startswith("."):
            return None
        start, slash, rest = specifier.partition("/")
        if not slash:
            return None
        guesses = [root + (rest if start in _OF_SOURCES else specifier) for root in self._BARE_ROOTS]
        if start in _OF_SOURCES:
            guesses = [*_beside(importer, [f"{root}{rest}" for root in _OF_SOURCES[start]]), *guesses]
        numbers = (self._at(guess) for guess in guesses)
        return next((number for number in numbers if number is not None), None)

    def declarations_beside(self, path: str) -> int | None:
        """Return the number of the file that declares what a script defines; None where there is none."""
        stem, dot, ending = path.rpartition(".")
        places = [stem + one for one in DECLARATIONS] if dot + ending in SCRIPTS else ()
        return next((self._index[place] for place in places if place in self._index), None)

    def declarations_named(self, importer: str, specifier: str) -> Iterator[int]:
        """Yield the numbers of the files of declarations that a package's manifest names."""
        named = (base for base in self._bases(importer, specifier) if base.endswith(DECLARATIONS))
        return (self._index[base] for base in named if base in self._index)

    def _at(self, base: str) -> int | None:
        index = self._index
        if base in index:
            return index[base]
        stems = [base]
        head, dot, tail = base.rpartition(".")
        if dot and tail in {"js", "jsx", "mjs", "cjs"}:
            # TypeScript's modules name the file their compiler will write.
            stems.append(head)
        for stem in stems:
            for suffix in _TRIED:
                if stem + suffix in index:
                    return index[stem + suffix]
        folder = base + "/" if base else ""
        for suffix in _TRIED:
            if f"{folder}index{suffix}" in index:
                return index[f"{folder}index{suffix}"]
        return None


def _beside(importer: str, paths: Sequence[str]) -> Iterator[str]:
    """Yield where paths lead from the folders around a file, the innermost first."""
    folder = importer.rpartition("/")[0]
    while folder:
        yield from (f"{folder}/{path}" for path in paths)
        folder = folder.rpartition("/")[0]
    yield from paths


def joined(folder: str, relative: str) -> str | None:
    """Return the path a relative one leads to, or None when it leaves the repository."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part in {"", "."}:
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
