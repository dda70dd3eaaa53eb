"""Where a project says how it is tested and built and what it needs: parts of its manifests, READMEs and guides."""

import re
from collections.abc import Iterable, Iterator

from ctxcode.model.naming.folder import is_foreign_path
from ctxcode.model.retrieval import ProjectTopic
from ctxcode.model.symbol import Symbol
from ctxcode.retrieval.graph_port import SearchableGraph

_GUIDES = ("README", "INSTALL", "CONTRIBUTING", "HACKING", "BUILDING", "DEVELOPMENT")
_RUNNERS = ("Makefile", "justfile", "Taskfile.yml", "Rakefile", "tox.ini", "noxfile.py")
_MANIFESTS_TEXT = """
package.json go.mod Cargo.toml pyproject.toml setup.cfg setup.py composer.json Gemfile mix.exs Package.swift pom.xml
build.gradle build.gradle.kts CMakeLists.txt
"""
_MANIFESTS = tuple(_MANIFESTS_TEXT.split())
_TELLS: dict[ProjectTopic, tuple[tuple[str, ...], re.Pattern[str]]] = {
    ProjectTopic.TESTS: (
        (*_GUIDES, *_RUNNERS, *_MANIFESTS),
        re.compile(r"\btest(?:s|ing|env)?\b|\btest[ _-]?suite\b|\bcheck\b|^scripts$", re.IGNORECASE),
    ),
    ProjectTopic.BUILD: (
        (*_GUIDES, *_RUNNERS, *_MANIFESTS),
        re.compile(
            r"\bbuild(?:ing)?\b|\bcompil\w+|\binstall(?:ing|ation)?\b|\bfrom source\b|^(?:all|scripts)$", re.IGNORECASE
        ),
    ),
    ProjectTopic.VERSIONS: (
        (*_MANIFESTS, *_GUIDES),
        re.compile(
            r"^(?:engines|go|toolchain|package|project|python_requires)$|\brequire\w+|\bprerequisites?\b"
            r"|\bsupported\b|. versions?$",
            re.IGNORECASE,
        ),
    ),
    ProjectTopic.DEPENDENCIES: (
        (*_MANIFESTS, "requirements.txt", *_GUIDES),
        re.compile(r"dependenc|^(?:require|project|deps)$|\b(?:install_)?requires?\b|\brequirements\b", re.IGNORECASE),
    ),
}
_DEEPEST = 1
"""Folders above such a file; where one stands at the top, none."""
_MOST_OF_FILE = 3
_MOST = 10
_NAMED_ANYWAY = frozenset({ProjectTopic.VERSIONS, ProjectTopic.DEPENDENCIES})
"""What a manifest tells though none of its parts is called so: it is named at least, of the others where nothing is."""


def project_places(topic: ProjectTopic, graph: SearchableGraph) -> list[Symbol]:
    """Return the parts of a project's own files that tell what is asked of it, at most ten, the best first."""
    names, tells = _TELLS[topic]
    found: dict[str, Symbol] = {}
    for name, path in _files(names, graph):
        module, *parts = graph.symbols_in(path)
        telling = [one for one in parts if tells.search(one.name)]
        is_named = name in _MANIFESTS and (topic in _NAMED_ANYWAY or not found)
        if not telling and is_named:
            telling = [module]
        found.update((one.id, one) for one in telling[:_MOST_OF_FILE])
    return list(found.values())[:_MOST]


def _files(names: Iterable[str], graph: SearchableGraph) -> Iterator[tuple[str, str]]:
    """Yield the files of these names, with these, that stand at the top, else those one folder below it."""
    for name in names:
        paths = [path for path in graph.paths_like(name) if not is_foreign_path(path) and _is_called(path, name)]
        least = min((path.count("/") for path in paths), default=_DEEPEST + 1)
        if least <= _DEEPEST:
            yield from [(name, path) for path in paths if path.count("/") == least]


def _is_called(path: str, name: str) -> bool:
    last = path.rpartition("/")[2]
    return last.lower() == name.lower() or last.rpartition(".")[0].lower() == name.lower()
