"""What manifests name: a package, and the paths that names stand for.

``Cargo.toml`` names a crate, what others are called in it (``core = { package = "my-core" }``) and where its programs
begin; ``go.mod`` the path of a module, ``Package.swift`` the modules of a package and their
folders, a ``.podspec`` its own.
``package.json`` names its package, what the package is entered by (``main``, ``exports``) and names of its own
(``imports``); ``tsconfig.json`` and ``jsconfig.json`` map names to paths (``baseUrl``, ``paths``).
"""

import re
from collections.abc import Iterator

from ctxcode.codegraph.facts import ImportFact
from ctxcode.codegraph.outline.gomod import module_path
from ctxcode.model.naming.forms import DECLARATIONS

GO_MODULE = "go.mod"
_MOST_ROWS = 500
_LONGEST = 300
_LARGEST_BYTES = 1_000_000
_OWN_FOLDER = "${configDir}/"
"""What a compiler's settings call the folder of the file that takes them in."""
_ENTRIES = ("source", "module", "main", "types")
"""Keys of a package's file that say where it is entered."""
_CONDITIONS = 5
"""How deep conditions of an entry stand in one another, at most."""
_NAME = re.compile(r"(?:@[\w.~-]+/)?[\w.~-]+", re.ASCII)
_CRATE = re.compile(r"[A-Za-z_][\w-]{0,99}", re.ASCII)
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
_TEXT_OR_COMMENT = re.compile(r"(\"(?:[^\"\\\n]|\\.)*+\"?)|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TEXT_OR_COMMA = re.compile(r"(\"(?:[^\"\\\n]|\\.)*+\"?)|,(?=\s*[}\]])")
_TARGET = re.compile(r"\.(target|executableTarget|testTarget|macro|plugin)\s*\(\s*name:\s*\"([^\"\n=]{1,200})\"")
_PLACE = re.compile(r"\bpath:\s*\"([^\"\n]{0,200})\"")
_POD_MODULE = re.compile(r"\.module_name\s*=\s*[\"'](\w{1,200})[\"']", re.ASCII)
_CALL = re.compile(r"\([^()]*\)")
_BRACKET = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|[()]")


def is_manifest(path: str) -> bool:
    """Return whether a file of this name says what names stand for."""
    name = path.rpartition("/")[2]
    return name in {"package.json", "Cargo.toml", GO_MODULE} or (
        name.startswith(("tsconfig.", "jsconfig.")) and name.endswith((".json", ".jsonc"))
    )


def declared(source: bytes, path: str) -> tuple[str, list[ImportFact]]:
    """Return (the package a manifest names, which name stands for which path); nothing for what makes no sense.

    Each name is an alias, each path a module, as written and relative to the manifest's folder; one ``*`` in both
    stands for the same text. A name of several paths has them in order.
    """
    file = path.rpartition("/")[2]
    if file == "Cargo.toml":
        return _crate(source)
    if file == GO_MODULE:
        return module_path(source[:_LARGEST_BYTES]), []
    said = _read(source)
    if file != "package.json":
        return "", _rows(_of_compiler(said.get("compilerOptions")))
    name = said.get("name")
    package = name if isinstance(name, str) and len(name) <= _LONGEST and _NAME.fullmatch(name) else ""
    return package, _rows(_of_package(said, package))


def _read(source: bytes) -> dict[str, object]:
    """Return the object a file holds, without its comments and commas too many; an empty one for anything else."""
    if len(source) > _LARGEST_BYTES:
        return {}
    import json  # noqa: PLC0415 - for repositories with manifests only

    text = source.decode("utf-8", "replace")
    try:
        said = json.loads(_TEXT_OR_COMMA.sub(_kept, _TEXT_OR_COMMENT.sub(_kept, text)))
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _crate(source: bytes) -> tuple[str, list[ImportFact]]:
    """Return (the name by which others use a crate, what it calls others and where its programs begin).

    The name is empty where there is none. What is called otherwise is an alias, its crate the module, the folder that
    stands in the name; a program's file is a module without either.
    """
    if len(source) > _LARGEST_BYTES:
        return "", []
    import tomllib  # noqa: PLC0415 - for repositories with manifests only

    try:
        said = tomllib.loads(source.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return "", []
    tables = [table for key in ("lib", "package") if isinstance(table := said.get(key), dict)]
    names = [name for table in tables if isinstance(name := table.get("name"), str) and _CRATE.fullmatch(name)]
    rows = dict.fromkeys([*_renamed_crates(said), *_programs(said)])
    return names[0].replace("-", "_") if names else "", list(rows)[:_MOST_ROWS]


def _renamed_crates(said: dict[str, object]) -> Iterator[ImportFact]:
    targets, workspace = said.get("target"), said.get("workspace")
    tables = [said, workspace, *(targets.values() if isinstance(targets, dict) else ())]
    groups = [table.get(key) for table in tables if isinstance(table, dict) for key in _DEPENDENCIES]
    for alias, entry in (row for group in groups if isinstance(group, dict) for row in group.items()):
        package, path = (entry.get("package"), entry.get("path")) if isinstance(entry, dict) else (None, None)
        if isinstance(package, str) and _CRATE.fullmatch(package) and _CRATE.fullmatch(alias):
            folder = path if isinstance(path, str) and len(path) <= _LONGEST and path.isprintable() else ""
            called, crate = alias.replace("-", "_"), package.replace("-", "_")
            yield ImportFact(crate, folder, called, 0, 1, is_reexport=False)


def _programs(said: dict[str, object]) -> Iterator[ImportFact]:
    groups = (said.get(key) for key in ("bin", "example", "test", "bench"))
    for each in (entry for group in groups if isinstance(group, list) for entry in group):
        path = each.get("path") if isinstance(each, dict) else None
        if isinstance(path, str) and 0 < len(path) <= _LONGEST and path.isprintable():
            yield ImportFact(path, "", "", 0, 1, is_reexport=False)


def swift_targets(source: bytes) -> str:
    """Return the modules that a ``Package.swift`` declares, one a line: ``Name=folder/of/its/sources``."""
    text, rows, end = source.decode("utf-8", "replace")[:_LARGEST_BYTES], list[str](), 0
    for found in _TARGET.finditer(text):
        # What a target depends on is written like a target.
        if found.start() < end:
            continue
        end = _end_of_call(text, found.end())
        said = _CALL.sub("", _CALL.sub("", text[found.end() : end - 1]))
        place = _PLACE.search(said)
        folder = "Tests" if found[1] == "testTarget" else "Plugins" if found[1] == "plugin" else "Sources"
        rows.append(f"{found[2]}={place[1] if place else f'{folder}/{found[2]}'}")
    return "\n".join(rows[:_MOST_ROWS])


def pod_module(source: bytes) -> str:
    """Return the module that a specification of a pod names, if it is called otherwise than its file."""
    found = _POD_MODULE.search(source.decode("utf-8", "replace")[:_LARGEST_BYTES])
    return found[1] if found else ""


def _end_of_call(text: str, start: int) -> int:
    """Return where the bracket is closed that what stands at a place is in."""
    depth = 1
    for found in _BRACKET.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return len(text)


def _kept(found: re.Match[str]) -> str:
    return found[1] or ""


def _rows(found: Iterator[tuple[str, str]]) -> list[ImportFact]:
    facts: dict[ImportFact, None] = {}
    for alias, path in found:
        is_whole = "*" not in path or alias.count("*") == path.count("*") == 1
        if 0 < len(alias) <= _LONGEST and 0 < len(path) <= _LONGEST and is_whole and (alias + path).isprintable():
            facts[ImportFact(path, "", alias, 0, 1, is_reexport=False)] = None
        if len(facts) == _MOST_ROWS:
            break
    return list(facts)


def _of_compiler(options: object) -> Iterator[tuple[str, str]]:
    if not isinstance(options, dict):
        return
    base, paths = options.get("baseUrl"), options.get("paths")
    prefix = f"{base.removeprefix(_OWN_FOLDER).rstrip('/')}/" if isinstance(base, str) and base else ""
    for alias, targets in paths.items() if isinstance(paths, dict) else ():
        for target in targets if isinstance(targets, list) else ():
            if isinstance(target, str):
                yield alias, target.removeprefix(_OWN_FOLDER) if target.startswith(_OWN_FOLDER) else prefix + target
    if prefix:
        yield "*", f"{prefix}*"


def _of_package(said: dict[str, object], package: str) -> Iterator[tuple[str, str]]:
    imports, exports = said.get("imports"), said.get("exports")
    for alias, entry in imports.items() if isinstance(imports, dict) else ():
        if alias.startswith("#"):
            yield from ((alias, path) for path in _entered(entry))
    if not package:
        return
    if not isinstance(exports, dict) or not any(key.startswith(".") for key in exports):
        exports = {".": exports}
    for key, entry in exports.items():
        if key == "." or key.startswith("./"):
            yield from ((package + key[1:], path) for path in _entered(entry))
    for key in _ENTRIES:
        yield from ((package, path) for path in _paths(said.get(key)))


def _entered(entry: object) -> list[str]:
    """Return the paths an entry leads to, what is run before what only declares it."""
    return sorted(_paths(entry), key=lambda path: path.endswith(DECLARATIONS))


def _paths(entry: object, depth: int = 0) -> Iterator[str]:
    """Yield the paths an entry leads to, under whatever condition, in the order they are written."""
    if isinstance(entry, str):
        yield entry
    elif depth < _CONDITIONS:
        inner = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
        for each in inner:
            yield from _paths(each, depth + 1)
