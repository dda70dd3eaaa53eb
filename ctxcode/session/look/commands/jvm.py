"""The classes that Gradle and Maven are told to run."""

import re
from collections.abc import Iterable

from ctxcode.model.symbol import Symbol
from ctxcode.session.look.commands.reading import said
from ctxcode.session.ports import FileTexts

_SOURCES = re.compile(r"(?:^|/)src/(?:\w*[mM]ain)/")
_MANIFESTS = ("build.gradle", "build.gradle.kts", "pom.xml")
_CLASS = re.compile(
    r"\bmainClass(?:Name)?\s*+(?:=|\.set\()?\s*+[\"']([\w.$]++)[\"']"
    r"|<(?:mainClass|start-class|exec\.mainClass|main\.class)>\s*+([\w.$]++)\s*+<"
)
_MOST_PROJECTS = 8


def main_classes(workspace: FileTexts, paths: Iterable[str]) -> set[str]:
    """Return the classes that are said to be run by what builds some source files."""
    projects = {path[: found.start()].rstrip("/") for path in paths if (found := _SOURCES.search(path)) is not None}
    outer = sorted(projects, key=lambda folder: (folder.count("/"), folder))[:_MOST_PROJECTS]
    folders = dict.fromkeys(["", *outer]) if projects else {}
    texts = [said(workspace, f"{folder}/{name}".lstrip("/")) for folder in folders for name in _MANIFESTS]
    return {first or second for text in texts for first, second in _CLASS.findall(text)}


def class_names(symbol: Symbol) -> set[str]:
    """Return what the class of a ``main`` may be called: in Kotlin a file has one for its functions."""
    package, outer = symbol.module.rpartition(".")[0], symbol.qualname.rpartition(".")[0]
    names = {f"{symbol.module}Kt"} if not outer else set[str]()
    return names | {f"{package}.{one}".lstrip(".") for one in (outer, symbol.qualname) if one}
