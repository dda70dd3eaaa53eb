"""The commands that a gem installs."""

import re
from posixpath import basename, normpath

from ctxcode.session.look.commands.reading import said
from ctxcode.session.look.routes.own import entries_below
from ctxcode.session.ports import CodeGraph, FileTexts

_LANGUAGE = "ruby"
_EXE, _BIN, _GEM = "exe", "bin", ".gemspec"
_BINDIR = re.compile(r"\.bindir\s*+=\s*+[\"']([\w./-]++)[\"']")
_EXECUTABLES = re.compile(
    r"\.executables\s*+(?:=|<<)\s*+(\[[^\]\n]{0,500}\]|%w[\[({][^\])}\n]{0,500}|[\"'][\w.-]++[\"'])"
)
_COMMAND = re.compile(r"[\w.-]++")


def gem_commands(graph: CodeGraph, workspace: FileTexts) -> list[tuple[str, str]]:
    """Return the (name, path) pairs of the commands that a gem installs, as it lists them.

    One that lists none by name installs all of the folder that it names, by custom ``exe``.
    """
    if all(count.language != _LANGUAGE for count in graph.stats().languages):
        return []
    modules = graph.modules()
    manifest = next((entry.path for entry in modules if entry.path.endswith(_GEM) and "/" not in entry.path), "")
    text = said(workspace, manifest) if manifest else ""
    folder, listed = _BINDIR.search(text), _EXECUTABLES.search(text)
    names = _COMMAND.findall(listed[1].removeprefix("%w")) if listed is not None else []
    place = normpath(folder[1]) if folder is not None else _BIN if names else _EXE
    paths = [
        entry.path for entry in entries_below(modules, f"{place}/") if entry.path.count("/") == place.count("/") + 1
    ]
    found = {basename(path): path for path in paths} if manifest else {}
    return [(name, found[name]) for name in (names or found) if name in found]
