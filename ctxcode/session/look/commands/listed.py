"""The files of the commands that packages of other kinds install."""

import re
from posixpath import basename, normpath

from ctxcode.session.look.commands.reading import package, said, toml
from ctxcode.session.ports import FileTexts

_GO_MODULE = re.compile(r"^module[ \t]+(?:\S*/)?(?!v\d+\b)([\w.-]++)(?:/v\d+)?[ \t]*(?://.*)?\r?$", re.MULTILINE)


def package_commands(manifest: dict[str, object]) -> list[tuple[str, str]]:
    """Return the (name, path) pairs that a package installs as commands, by name."""
    commands, name = manifest.get("bin"), manifest.get("name")
    if isinstance(commands, str):
        return [(str(name or "a command"), commands)]
    found = commands.items() if isinstance(commands, dict) else ()
    return sorted((str(key), path) for key, path in found if isinstance(path, str))


def binaries(workspace: FileTexts, folder: str) -> list[tuple[str, str]]:
    """Return the (name, path) pairs of the programs a crate lists, the one called like the crate first.

    A program without a path has several, where it may be.
    """
    manifest = toml(workspace, f"{folder}Cargo.toml")
    told = manifest if isinstance(manifest, dict) else {}
    listed, crate = told.get("bin"), told.get("package")
    names = [crate.get(key) for key in ("default-run", "name")] if isinstance(crate, dict) else [None]
    found: list[tuple[str, str]] = []
    for one in listed if isinstance(listed, list) else ():
        name, path = (one.get("name"), one.get("path")) if isinstance(one, dict) else (None, None)
        if isinstance(name, str):
            usual = [f"src/bin/{name}.rs", f"src/bin/{name}/main.rs", *(["src/main.rs"] if name == names[-1] else [])]
            found += [(name, f"{folder}{where}") for where in ([normpath(path)] if isinstance(path, str) else usual)]
    return sorted(found, key=lambda each: each[0] not in names)


def go_commands(workspace: FileTexts, folder: str) -> list[tuple[str, str]]:
    """Return the (name, path) of the program that is called like the module: ``cmd/shop`` of ``host.org/shop``."""
    found = _GO_MODULE.search(said(workspace, f"{folder}go.mod"))
    return [(found[1], f"{folder}cmd/{found[1]}/main.go")] if found is not None else []


def composer_commands(workspace: FileTexts) -> list[tuple[str, str]]:
    """Return the (name, path) pairs of the commands that a package of PHP installs."""
    listed = package(workspace, "composer.json").get("bin")
    paths = [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []
    return [(basename(path), normpath(path)) for path in paths if isinstance(path, str)]
